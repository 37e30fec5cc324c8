"""The models of runs under a name that every page opens, "lab/copy-0123...", and as one file to take away."""

from __future__ import annotations

import io
import re
import zipfile
from collections.abc import Iterable, Iterator
from pathlib import Path

from lab import runs
from lab.data.own_text import body_of
from lab.limits import read_limits
from lab.runs import Run
from lab.uploads.snapshots import MOST, WEIGHTS
from models.opening.registry import languages_of
from models.opening.sources import FolderSource, register
from models.values.errors import LabError, ModelNotFoundError
from models.values.wording import to_say, worded

PREFIX = "lab/"
FILES = (
    "README.md",
    "config.json",
    "generation_config.json",
    "model.safetensors",
    "source-words.txt",
    "special_tokens_map.json",
    "tokenizer.json",
    "tokenizer_config.json",
    "vocab.txt",
)
"""The files that a checkpoint of the lab may contain."""
OF_THE_RUN = (runs.RECIPE, runs.METRICS)
"""The files of its training that go along: what was trained, and the curves."""
_NAME = re.compile(r"lab/[a-z0-9-]{1,30}-(?P<id>[0-9a-f]{20})(?:/(?P<step>step-\d{6,9}))?")


def model_name(run: Run) -> str | None:
    """Return the name under which pages open the model of a run; None while there is none.

    A model that is not finished has its iteration in the name: names are kept in caches, and must not change what they
    mean.
    """
    checkpoint = run.checkpoint
    if checkpoint is None:
        return None
    name = f"{PREFIX}{run.name}-{run.id}"
    return name if checkpoint.name == runs.MODEL else f"{name}/{checkpoint.name}"


def is_lab_name(name: str) -> bool:
    """Return whether a name is that of a model of the lab."""
    return _NAME.fullmatch(name) is not None


def id_of(name: str) -> str:
    """Return the id of the run that a model of that name is of; empty for any other name."""
    match = _NAME.fullmatch(name)
    return "" if match is None else match["id"]


def short_name(name: str) -> str:
    """Return a name as it is shown: without the long id."""
    match = _NAME.fullmatch(name)
    return name if match is None else name.replace(f"-{match['id']}", "")


def folder_of(name: str) -> Path:
    """Return the checkpoint folder of a name. Raises ModelNotFoundError if its run is gone, or has no model."""
    match = _NAME.fullmatch(name)
    checkpoint = None
    if match is not None:
        try:
            run = runs.find(read_limits().folder, match["id"])
        except LabError as error:
            raise ModelNotFoundError(name, worded("{name}: {why}", name=name, why=str(error))) from error
        checkpoint = run.folder / runs.SNAPSHOTS / match["step"] if match["step"] else run.folder / runs.MODEL
    if checkpoint is None or not (checkpoint / "config.json").exists():
        raise ModelNotFoundError(
            name,
            worded("{name} has no model: its run was deleted, or has not finished. See Training lab.", name=name),
        )
    return checkpoint


def is_upload(name: str) -> bool:
    """Return whether a name is that of an uploaded, untrusted model."""
    match = _NAME.fullmatch(name)
    return match is not None and (read_limits().folder / match["id"] / runs.UPLOADED).is_file()


def is_of_upload(snapshot: Path) -> bool:
    """Return whether the snapshot in a folder is that of an uploaded, untrusted model."""
    return (snapshot.parent.parent / runs.UPLOADED).is_file()


def zip_model(run: Run) -> bytes:
    """Return the model of a run as a zip: weights, configuration, tokenizer, card, recipe, curves and the weights of
    its snapshots. Raises LabError while there is none."""
    checkpoint = run.checkpoint
    if checkpoint is None:
        raise LabError(to_say("This run has no model yet. Wait until it finishes, or stop it."))
    content = io.BytesIO()
    with zipfile.ZipFile(content, "w", zipfile.ZIP_STORED) as archive:
        for path in (*_present(checkpoint, FILES), *_present(run.folder, OF_THE_RUN)):
            archive.write(path, f"{run.name}/{path.name}")
        for snapshot in _snapshots_that_fit(run, checkpoint):
            archive.write(snapshot / WEIGHTS, f"{run.name}/{runs.SNAPSHOTS}/{snapshot.name}/{WEIGHTS}")
    return content.getvalue()


def _snapshots_that_fit(run: Run, checkpoint: Path) -> tuple[Path, ...]:
    """Return snapshots of a run, evenly spread from the first to the last: as many as a server takes back beside the
    model, if it has the limits of this one."""
    whole = [snapshot for snapshot in runs.snapshots_of(run.folder) if (snapshot / WEIGHTS).is_file()]
    size = sum(path.stat().st_size for path in _present(checkpoint, FILES))
    most = min(MOST, read_limits().model_bytes // size - 1)
    if len(whole) <= most:
        return tuple(whole)
    return tuple(whole[number * (len(whole) - 1) // (most - 1)] for number in range(most)) if most > 1 else ()


def _present(folder: Path, names: Iterable[str]) -> Iterator[Path]:
    return (folder / name for name in names if (folder / name).is_file())


def languages_of_body(name: str) -> tuple[str, ...]:
    """Return the languages that a run reads because the model does that it started from; none for random weights."""
    body = body_of(id_of(name))
    return languages_of(body) if body else ()


def register_models() -> None:
    """Let `load` open the models of runs by their names, from now on."""
    source = FolderSource(
        knows=is_lab_name, folder_of=folder_of, is_strangers=is_upload, languages_of=languages_of_body
    )
    register(PREFIX, source)
