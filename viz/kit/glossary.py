"""The terms of the field from `docs/glossary.md`: one table, whose entries open beside a word.

Another language has the same table beside it, row by row, as `glossary.ko.md`.
"""

from __future__ import annotations

import re
from dataclasses import asdict, dataclass, replace
from functools import cache
from pathlib import Path

from viz.kit.language import ENGLISH, language, read_in, said, to_say

DOCS = Path(__file__).resolve().parents[2] / "docs"
FIRST_WORDS = (
    "token",
    "word piece",
    "[CLS]",
    "[SEP]",
    "[MASK]",
    "layer",
    "head",
    "query",
    "key",
    "value",
    "scores",
    "softmax",
    "weights",
    "logit",
)
"""The words that a newcomer meets on every page, which can be opened in place."""
WORDS_FOR_FORMULAS = (
    to_say("0 to n_layers − 1"),
    to_say("0 to n_heads − 1"),
    to_say("rows sum to 1"),
    to_say("[d_vocab] or [n_labels]"),
)
"""Words shown in place of a formula beside FIRST_WORDS: the table has them in English in all languages."""
_CELL = re.compile(r"(?<!\\)\|")
_MARKDOWN = re.compile(r"\*\*|`|\\(?=[|*_])")


@dataclass(frozen=True, slots=True, kw_only=True)
class GlossaryEntry:
    """A word, its meaning, and its shape or formula, which may be empty. Plain text."""

    word: str
    meaning: str
    formula: str


def entry(word: str) -> GlossaryEntry:
    """Return the entry of an English word, in the current language. Raises KeyError for a word that the glossary
    lacks."""
    return entries()[slug(word)]


def entries() -> dict[str, GlossaryEntry]:
    """Return all entries in the current language, in the order of the glossary, by the slugs of their English words."""
    return _entries(language())


def rows(name: str) -> tuple[GlossaryEntry, ...]:
    """Return the rows of a language's table as written; of the English one if the language has none."""
    file = DOCS / f"glossary.{name}.md"
    text = (file if file.is_file() else DOCS / "glossary.md").read_text(encoding="utf-8")
    return tuple(_entry(line) for line in text.splitlines() if line.startswith("| **"))


def first_words() -> dict[str, dict[str, str]]:
    """Return the entries of FIRST_WORDS as JSON types, in the current language, by the slugs of their English words."""
    return {slug(word): asdict(entry(word)) for word in FIRST_WORDS}


def slug(word: str) -> str:
    """Return the slug of a word for a link: "word piece" is "word-piece", "[MASK]" is "mask-token", since a mask is
    another thing."""
    plain = re.sub(r"\W+", "-", word.lower()).strip("-")
    return f"{plain}-token" if word.startswith("[") else plain


@cache
def _entries(name: str) -> dict[str, GlossaryEntry]:
    with read_in(name):
        said_in = [replace(entry, formula=said(entry.formula)) for entry in rows(name)]
    return {slug(entry.word): other for entry, other in zip(rows(ENGLISH), said_in, strict=True)}


def _entry(row: str) -> GlossaryEntry:
    word, meaning, formula = (_MARKDOWN.sub("", cell).strip() for cell in _CELL.split(row)[1:4])
    return GlossaryEntry(word=word, meaning=meaning, formula=formula)
