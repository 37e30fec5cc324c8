"""The models that a browser computes, with the server or in a page that reads: there their weights have 8 bits."""

from __future__ import annotations

import hashlib
from dataclasses import replace
from functools import cache, lru_cache
from pathlib import Path

from models.analysis.one_text.tables import finding_tables
from models.analysis.over_texts.atlas_file import FILE as ATLAS
from models.analysis.over_texts.atlas_file import read_atlas
from models.checkpoints import eight_bits, portable
from models.checkpoints.folder import CONFIG, WEIGHTS
from models.checkpoints.on_body import body_of, classifier_alone
from models.opening.locations import folder_on_disk
from models.opening.registry import embedded_folder, is_embedded, languages_of
from models.opening.sources import source_of
from models.text.source_words import known_words
from models.values.errors import MissingCapabilityError
from models.values.record.portable import PortableModel
from models.values.wording import worded

TAGGER = "tagger"
"""The embedded model that names the part of speech of English words."""


@cache
def is_portable(name: str) -> bool:
    """Return whether a browser can compute an embedded model: anybody may fetch its files."""
    folder = embedded_folder(name) if is_embedded(name) else None
    return folder is not None and eight_bits.is_portable(folder)


def portable_folder(name: str) -> Path:
    """Return the folder of a model that can travel. Raises MissingCapabilityError for any other."""
    folder = embedded_folder(name) if is_portable(name) else None
    if folder is None:
        raise _not_portable(name)
    return folder


def _not_portable(name: str) -> MissingCapabilityError:
    return MissingCapabilityError(name, worded("This model cannot be put into a page that reads by itself."))


@cache
def content_digest(name: str) -> str:
    """Return a digest of the files that a browser reads. Raises MissingCapabilityError for any other model."""
    folder, digest = portable_folder(name), hashlib.sha256()
    for file in (WEIGHTS, eight_bits.TOKENIZER, CONFIG):
        digest.update((folder / file).read_bytes())
    return digest.hexdigest()[:16]


def can_travel(name: str) -> bool:
    """Return whether a model that is open can be put into a page: an embedded one, one that was trained here, or one of
    a folder or a download whose settings the engine knows."""
    folder = None if is_embedded(name) else folder_on_disk(name)
    if folder is None:
        return is_portable(name)
    return eight_bits.is_portable(folder) if source_of(name) else _fits(folder, _written_at(folder))


def portable_model(name: str) -> PortableModel:
    """Return a model that can travel, in 8 bits. Raises MissingCapabilityError for any other, ModelLoadError for one
    whose weights do not fit its settings."""
    folder = portable_folder(name) if is_embedded(name) else folder_on_disk(name)
    if folder is None or not can_travel(name):
        raise _not_portable(name)
    return _pack_model(name, folder, _written_at(folder))


@lru_cache(maxsize=64)
def _fits(folder: Path, _at: int) -> bool:
    return portable.can_travel(folder)


@lru_cache(maxsize=2)
def _pack_model(name: str, folder: Path, _at: int) -> PortableModel:
    if not is_embedded(name) and source_of(name) is None:  # a page is for others: it tells no path of this machine
        copy = portable.portable_copy(folder, folder.name if Path(name).is_dir() else name)
        return replace(copy, languages=languages_of(name))
    ours = _with_findings(name, folder) if is_embedded(name) else eight_bits.portable_model(folder, name)
    words = tuple(sorted(known_words(folder) or ()))
    return replace(ours, languages=ours.languages or languages_of(name), source_words=words)


def _written_at(folder: Path) -> int:
    """Return when the weights in a folder were written, in nanoseconds; 0 where there are none."""
    file = folder / WEIGHTS
    return file.stat().st_mtime_ns if file.is_file() else 0


def _with_findings(name: str, folder: Path) -> PortableModel:
    """Return an embedded model with the tables of what its heads do."""
    model = eight_bits.portable_model(folder, name)
    file = folder / ATLAS
    atlases = read_atlas(file.read_text(encoding="utf-8")) if file.is_file() else ()
    if len(atlases) != 1:
        return model  # of a translator's kinds of attention the page says no finding
    (atlas,) = atlases
    tagger = embedded_folder(TAGGER)
    is_tagged = tagger is not None and body_of(tagger) == folder
    tables = finding_tables(atlas, model.languages, classifier_alone(tagger) if tagger and is_tagged else None)
    return replace(model, findings=tables)
