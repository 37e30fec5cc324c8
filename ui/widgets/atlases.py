"""The atlases in the folders of the embedded models, read once for all readers."""

from __future__ import annotations

from pathlib import Path

from models.analysis.over_texts.atlas_file import FILE, read_atlas
from models.opening.registry import embedded_folder
from models.values.record import Kind
from models.values.results.atlas import HeadAtlas
from ui.desk.cache import Kept

_READ: Kept[str, tuple[HeadAtlas, ...]] = Kept("atlas of an embedded model")


def embedded_atlases(name: str) -> tuple[HeadAtlas, ...]:
    """Return an atlas for each self-attention of a model; empty for a model without a file."""
    folder = embedded_folder(name)
    return () if folder is None else _READ.get(str(folder), lambda: _read_file(folder / FILE))


def embedded_atlas(name: str, kind: Kind) -> HeadAtlas | None:
    """Return the atlas of one kind of attention; None if there is none."""
    return next((atlas for atlas in embedded_atlases(name) if atlas.kind == kind), None)


def _read_file(file: Path) -> tuple[HeadAtlas, ...]:
    return read_atlas(file.read_text(encoding="utf-8")) if file.is_file() else ()
