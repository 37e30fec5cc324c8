"""Labels that are one, however they are written: “Positive” and “positive ”, “1” and “1.0”."""

from __future__ import annotations

import re
import unicodedata
from collections import Counter, defaultdict
from collections.abc import Collection, Mapping, Sequence

from models.values.wording import worded

_ENDS = " .'\"“”‘’"
_WHOLE = re.compile(r"([-+]?\d+)[.,]0+")
MOST_SHOWN = 3


def merge_spellings(rows: Sequence[tuple[str, str]]) -> tuple[tuple[tuple[str, str], ...], tuple[str, ...]]:
    """Return rows of texts and labels with one spelling for each label, and a note on those that are read as another.

    Labels are one that differ in capitals, spaces, the width of signs, quotes or a full stop around them, or ".0".
    """
    usual = usual_spellings([label for _, label in rows])
    return tuple((text, usual.get(label, label)) for text, label in rows), notes_on_spellings(usual)


def usual_spellings(labels: Collection[str]) -> dict[str, str]:
    """Return for each label that has a more frequent spelling which one that is."""
    counts = Counter(labels)
    alike = defaultdict[str, list[str]](list)
    for label in counts:
        alike[_key(label)].append(label)
    best = {key: max(spellings, key=counts.__getitem__) for key, spellings in alike.items()}
    return {label: best[_key(label)] for label in counts if best[_key(label)] != label}


def notes_on_spellings(usual: Mapping[str, str]) -> tuple[str, ...]:
    """Return a note on labels that are read as another, none if there are none."""
    if not usual:
        return ()
    shown = ", ".join(f"“{label}” → “{best}”" for label, best in list(usual.items())[:MOST_SHOWN])
    return (worded("Labels that differ in capitals, spaces or signs alone were read as one: {some}.", some=shown),)


def _key(label: str) -> str:
    words = " ".join(unicodedata.normalize("NFKC", label).casefold().split())
    return _WHOLE.sub(r"\1", words) if _WHOLE.fullmatch(words) else words.strip(_ENDS) or words
