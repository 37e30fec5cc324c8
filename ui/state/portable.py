"""The models that a browser computes: embedded ones with an LM head. In a page that reads their weights have 8 bits."""

from __future__ import annotations

import hashlib
from dataclasses import replace
from functools import cache, lru_cache
from pathlib import Path

from models.analysis.one_text.tables import finding_tables
from models.analysis.over_texts.atlas_file import FILE as ATLAS
from models.analysis.over_texts.atlas_file import read_atlas
from models.checkpoints import eight_bits
from models.checkpoints.folder import CONFIG, WEIGHTS
from models.checkpoints.on_body import body_of, classifier_alone
from models.opening.registry import embedded_folder, is_embedded
from models.values.errors import MissingCapabilityError
from models.values.record.portable import PortableModel
from models.values.wording import worded

TAGGER = "tagger"
"""The embedded model that names the part of speech of English words."""


@cache
def is_portable(name: str) -> bool:
    """Return whether a browser can compute a model."""
    folder = embedded_folder(name) if is_embedded(name) else None
    return folder is not None and eight_bits.is_portable(folder)


def portable_folder(name: str) -> Path:
    """Return the folder of a model that can travel. Raises MissingCapabilityError for any other."""
    folder = embedded_folder(name) if is_portable(name) else None
    if folder is None:
        raise MissingCapabilityError(name, worded("This model cannot be put into a page that reads by itself."))
    return folder


@cache
def content_digest(name: str) -> str:
    """Return a digest of the files that a browser reads. Raises MissingCapabilityError for any other model."""
    folder, digest = portable_folder(name), hashlib.sha256()
    for file in (WEIGHTS, eight_bits.TOKENIZER, CONFIG):
        digest.update((folder / file).read_bytes())
    return digest.hexdigest()[:16]


@lru_cache(maxsize=2)
def portable_model(name: str) -> PortableModel:
    """Return a model that can travel, in 8 bits. Raises MissingCapabilityError for any other."""
    folder = portable_folder(name)
    portable = eight_bits.portable_model(folder, name)
    file = folder / ATLAS
    atlases = read_atlas(file.read_text(encoding="utf-8")) if file.is_file() else ()
    if len(atlases) != 1:
        return portable  # of a translator's kinds of attention the page says no finding
    (atlas,) = atlases
    tagger = embedded_folder(TAGGER)
    is_tagged = tagger is not None and body_of(tagger) == folder
    tables = finding_tables(atlas, portable.languages, classifier_alone(tagger) if tagger and is_tagged else None)
    return replace(portable, findings=tables)
