"""A model that travels in one file: what a browser needs to read with it, and where it comes from."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True, slots=True, kw_only=True)
class PortableModel:
    """A model with its weights in 8 bits.

    `weights` are a safetensors file: matrices are whole numbers, and a scale for each of their rows is beside them;
    `tokenizer` and `config` are the contents of tokenizer.json and config.json. `license` is its short name, `notice`
    the text that has to go along with the weights, empty if there is none, and `sha256` the digest of the file of
    weights that these were rounded from. `languages` are the ISO 639-1 codes of those that it has learned, `findings`
    the tables of `models.analysis.one_text.tables`, empty for a model without an atlas. `source_words` are all words of
    the sentences that a translator has learned from, empty where they were not written down.
    """

    name: str
    weights: bytes
    tokenizer: Mapping[str, Any]
    config: Mapping[str, Any]
    license: str
    notice: str
    sha256: str
    languages: tuple[str, ...] = ()
    findings: Mapping[str, Any] = field(default_factory=dict)
    source_words: tuple[str, ...] = ()
