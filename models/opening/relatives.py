"""Which models a model can be set beside: the snapshots of its training, and those of one tokenizer."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from functools import lru_cache
from pathlib import Path

from models.checkpoints.folder import CONFIG
from models.checkpoints.on_body import body_of
from models.opening.registry import SNAPSHOT, embedded_folder
from models.opening.sources import source_of
from models.values.arguments.check import check_arguments
from models.values.errors import ModelNotFoundError

TOKENIZER = "tokenizer.json"
SNAPSHOTS = "snapshots"
"""The folder of a run beside its model that has its snapshots; where there is none, they lie beside each other."""


@check_arguments
def snapshots_beside(name: str) -> dict[int, str]:
    """The names under which the snapshots of a model's training open, the model itself left out, by iteration; empty
    where none were kept."""
    place = snapshots_folder(name)
    if place is None:
        return {}
    base = name if iteration_of(name) is None else name.rpartition("/")[0]
    matches = (SNAPSHOT.fullmatch(path.name) for path in place.glob("step-*") if (path / CONFIG).is_file())
    named = {int(match[1]): f"{base}/{match[0]}" for match in matches if match is not None}
    return {iteration: named[iteration] for iteration in sorted(named) if named[iteration] != name}


def snapshots_folder(name: str) -> Path | None:
    """The folder with the snapshots of a model's training; None where none were kept."""
    folder = _folder_of(name)
    if folder is None:
        return None
    place = folder.parent if SNAPSHOT.fullmatch(folder.name) else folder.parent / SNAPSHOTS
    return place if any(place.glob(f"step-*/{CONFIG}")) else None


def iteration_of(name: str) -> int | None:
    """The iteration of a snapshot, as its name says; None for a model that is finished."""
    match = SNAPSHOT.fullmatch(name.rpartition("/")[2])
    return None if match is None else int(match[1])


@check_arguments
def of_one_tokenizer(name: str, among: Sequence[str]) -> tuple[str, ...]:
    """Those that read with the very tokenizer of a model, itself left out, as far as their files are at hand."""
    own = _tokenizer_of(name)
    return tuple(other for other in among if other != name and own and _tokenizer_of(other) == own)


def _tokenizer_of(name: str) -> str:
    folder = _folder_of(name)
    if folder is None:
        return ""
    file = (body_of(folder) or folder) / TOKENIZER
    return _digest(file, file.stat().st_mtime_ns) if file.is_file() else ""


@lru_cache(maxsize=256)
def _digest(file: Path, _changed: int) -> str:
    return hashlib.sha256(file.read_bytes()).hexdigest()


def _folder_of(name: str) -> Path | None:
    """Where the files of a model lie that is part of this repository, or of a source of models; None for any other."""
    source = source_of(name)
    if source is None:
        return embedded_folder(name)
    try:
        return source.folder_of(name)
    except ModelNotFoundError:
        return None
