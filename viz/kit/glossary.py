"""The words of the field, as `docs/glossary.md` explains them: one table, which a reader opens where a word stands."""

from __future__ import annotations

import re
from dataclasses import asdict, dataclass
from functools import cache
from pathlib import Path

GLOSSARY = Path(__file__).resolve().parents[2] / "docs" / "glossary.md"
FIRST_WORDS = (
    "token", "word piece", "[CLS]", "[SEP]", "[MASK]", "layer", "head", "query", "key", "value", "scores", "softmax",
    "weights", "logit",
)  # fmt: skip
"""What a newcomer meets on every page: the words that open where they stand."""
_CELL = re.compile(r"(?<!\\)\|")
_MARKDOWN = re.compile(r"\*\*|`|\\(?=[|*_])")


@dataclass(frozen=True, slots=True, kw_only=True)
class GlossaryEntry:
    """A word, what it means, and its shape or formula, which may be empty. Plain text."""

    word: str
    meaning: str
    formula: str


def entry(word: str) -> GlossaryEntry:
    """The entry of a word. Raises KeyError for a word that the glossary does not have."""
    return entries()[slug(word)]


@cache
def entries() -> dict[str, GlossaryEntry]:
    """All entries by their slugs, in the order of the glossary."""
    rows = [line for line in GLOSSARY.read_text(encoding="utf-8").splitlines() if line.startswith("| **")]
    found = [_entry(row) for row in rows]
    return {slug(each.word): each for each in found}


def first_words() -> dict[str, dict[str, str]]:
    """The entries of FIRST_WORDS as JSON types, by their slugs."""
    return {slug(word): asdict(entry(word)) for word in FIRST_WORDS}


def slug(word: str) -> str:
    """What stands for a word in a link: "word piece" is "word-piece", "[MASK]" is "mask-token", for a mask is another
    thing."""
    plain = re.sub(r"\W+", "-", word.lower()).strip("-")
    return f"{plain}-token" if word.startswith("[") else plain


def _entry(row: str) -> GlossaryEntry:
    word, meaning, formula = (_MARKDOWN.sub("", cell).strip() for cell in _CELL.split(row)[1:4])
    return GlossaryEntry(word=word, meaning=meaning, formula=formula)
