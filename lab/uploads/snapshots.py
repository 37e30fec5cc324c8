"""The snapshots of an upload: of each its weights alone come along, and have the shapes of the model's own.

Configuration and tokenizer, which all snapshots of a training share, are those of the model, which have been checked.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path

from lab import runs
from lab.limits import MEGABYTE, Limits
from lab.recipe import RANGES
from lab.uploads.weight_shapes import shapes_of
from models.values.errors import LabError
from models.values.wording import worded

WEIGHTS = "model.safetensors"
MOST = int(RANGES["snapshots"][1])
_PATH = re.compile(r"(?:.*/)?snapshots/step-([0-9]{1,9})/(.+)", re.IGNORECASE)
_NAME = re.compile(rf"{runs.SNAPSHOTS}/step-[0-9]{{6,9}}/{re.escape(WEIGHTS)}")
Files = Mapping[str, bytes]


def name_of_snapshot(path: str) -> str:
    """Return the name of a snapshot's file in an archive, with its folder; empty for any other file.

    Only its weights have a name that `is_snapshot` knows.
    """
    match = _PATH.fullmatch(path)
    if match is None:
        return ""
    return name_of_weights(int(match[1])) if match[2].lower() == WEIGHTS else path


def name_of_weights(iteration: int) -> str:
    """Return the name of the weights of the snapshot of an iteration."""
    return f"{runs.SNAPSHOTS}/step-{iteration:06d}/{WEIGHTS}"


def is_snapshot(name: str) -> bool:
    """Return whether a name is that of the weights of a snapshot."""
    return _NAME.fullmatch(name) is not None


def check_snapshots(files: Files, limits: Limits) -> None:
    """Raise LabError for snapshots that are not of the model of an upload, or are too many for the server."""
    snapshots = [name for name in files if is_snapshot(name)]
    if len(snapshots) > MOST:
        raise LabError(
            worded("The upload has {n} snapshots, expected at most {most}.", n=len(snapshots), most=MOST),
        )
    expected = shapes_of(files[WEIGHTS]) if snapshots else {}
    for name in snapshots:
        if shapes_of(files[name]) != expected:
            says = worded(
                "{name} has other weights than the model, so it is no snapshot of its training. Upload the file from "
                "“Download the model” as it is.",
                name=name,
            )
            raise LabError(says)
    shared = sum(map(len, of_the_model(files).values())) - len(files[WEIGHTS])
    size = sum(len(files[name]) + shared for name in snapshots)
    if size > limits.model_bytes:
        raise LabError(
            worded(
                "The snapshots take {size} MB, and this server takes at most {most} MB.",
                size=f"{size / MEGABYTE:,.0f}",
                most=f"{limits.model_bytes / MEGABYTE:,.0f}",
            )
        )


def of_the_model(files: Files) -> dict[str, bytes]:
    """Return the files of the model: without its snapshots, and what its training wrote."""
    of_the_run = (runs.RECIPE, runs.METRICS)
    return {name: content for name, content in files.items() if name not in of_the_run and not is_snapshot(name)}


def write_snapshots(files: Files, place: Path) -> tuple[Path, ...]:
    """Write the snapshots of checked files below a folder, each a whole checkpoint, and return their folders."""
    model = of_the_model(files)
    folders = []
    for name in sorted(filter(is_snapshot, files)):
        folder = (place / name).parent
        folder.mkdir(parents=True)
        for file, content in {**model, WEIGHTS: files[name]}.items():
            (folder / file).write_bytes(content)
        folders.append(folder)
    return tuple(folders)
