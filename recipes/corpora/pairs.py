"""English sentences with their translations, as the Tatoeba Project collects them, and the part that is held out.

All translations of an English sentence are on the same side: else the sentence would be known from another pair.
"""

from __future__ import annotations

import csv
import lzma
import unicodedata
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from recipes.sentences.everyday import is_held_out

FILES = {"es": "eng-spa.tsv.xz", "ko": "eng-kor.tsv.xz"}
HELD_OUT = {"es": 0.03, "ko": 0.10}
"""Of the English sentences: where there are few, a larger part is needed to measure on."""
CHOSEN = 0.25
"""Of what is held out, the part by which something is chosen: a threshold, a layer. The rest is reported on."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Translated:
    """An English sentence with all its translations, each once."""

    source: str
    targets: tuple[str, ...]

    @property
    def n_words(self) -> int:
        """The words of the English sentence, as spaces part them."""
        return len(self.source.split())


@dataclass(frozen=True, slots=True, kw_only=True)
class PairCollection:
    """What is learned from, what something is chosen by, and what is reported on. No sentence is in two of them, in
    whatever case and with whatever marks it is written."""

    learned: tuple[Translated, ...]
    chosen: tuple[Translated, ...]
    reported: tuple[Translated, ...]


def read_pairs(path: Path) -> list[Translated]:
    """The pairs of a tab-separated table, .xz, English first, gathered by English sentence in the order of the file."""
    found: dict[str, dict[str, None]] = {}
    with lzma.open(path, "rt", encoding="utf-8", newline="") as lines:
        for row in csv.reader(lines, delimiter="\t", quoting=csv.QUOTE_NONE):
            source, target = (" ".join(unicodedata.normalize("NFC", cell).split()) for cell in row[:2])
            if source and target:
                found.setdefault(source, {})[target] = None
    return [Translated(source=source, targets=tuple(targets)) for source, targets in found.items()]


def split_pairs(sentences: Iterable[Translated], share: float) -> PairCollection:
    """Hold out this share of the sentences. Which ones depends on the words of each alone, not on the others."""
    parts: dict[str, list[Translated]] = {"learned": [], "chosen": [], "reported": []}
    for sentence in sentences:
        name = "chosen" if is_held_out(sentence.source, share * CHOSEN) else "reported"
        parts[name if is_held_out(sentence.source, share) else "learned"].append(sentence)
    return PairCollection(**{name: tuple(part) for name, part in parts.items()})


def collection(folder: Path, language: str) -> PairCollection:
    """The collection of a language in `../shared/parallel`, split."""
    return split_pairs(read_pairs(folder / FILES[language]), HELD_OUT[language])
