"""Read the Korean text and keep a part of it apart.

Reviews come in parts that share no film. Of prose and sentences whole blocks of neighbouring lines are held out, chosen
by a hash of where they stand, so that what is measured does not stand beside what is learned.
"""

from __future__ import annotations

import hashlib
import lzma
import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

REVIEWS, PROSE, SENTENCES, PARALLEL = "reviews-train", "prose", "sentences", "eng-kor"
HELD_OUT_REVIEWS = "reviews-dev"
BLOCK_LINES = 24
"""Neighbouring lines that are held out together, or learned from together."""
HELD_OUT_BLOCKS = 0.04
PLAIN = {
    **dict.fromkeys("“”„", '"'),
    **dict.fromkeys("‘’′", "'"),
    **dict.fromkeys("∼～", "~"),
    "…": "...",
    "‥": "..",
    "ㆍ": "·",
    "\u200b": "",
    "\u110f": "ㅋ",
    "\u1112": "ㅎ",
    "\u1172": "ㅠ",
    "\u116e": "ㅜ",
    "\u1173": "ㅡ",
    "\u1103": "ㄷ",
    "\u110b": "ㅇ",
    "\u1100": "ㄱ",
}
"""Marks that are written in several ways, and the one that is read; and letters that stand alone but were typed to be
composed, as some telephones do for ㅋㅋ."""
_TABLE = str.maketrans(PLAIN)
_SENTENCE = re.compile(r""".+?(?:[.!?]["')』」]*(?=\s)|$)\s*""")
_SPACES = re.compile(r"\s+")


@dataclass(frozen=True, slots=True)
class Line:
    """One line of a source: a review, a paragraph or a sentence."""

    source: str
    text: str
    is_held_out: bool = False


def read_rows(path: Path) -> Iterator[list[str]]:
    """Read the columns of a compressed table without a header."""
    with lzma.open(path, "rt", encoding="utf-8") as lines:
        for line in lines:
            yield line.rstrip("\n").split("\t")


def read_reviews(folder: Path, part: str = REVIEWS) -> Iterator[tuple[int, str]]:
    """Read (rating, review) of a part of the reviews."""
    for rating, text in read_rows(folder / f"{part}.tsv.xz"):
        yield int(rating), clean(text)


def read_lines(path: Path, column: int = 1) -> Iterator[Line]:
    """Read the lines of prose or of sentences, with whether they are held out."""
    for number, row in enumerate(read_rows(path)):
        source = row[0] if column else path.name
        yield Line(source, clean(row[column]), is_held_out(f"{path.name}:{source}:{number // BLOCK_LINES}"))


def read_parallel(path: Path) -> Iterator[Line]:
    """Read the Korean side of the pairs, each sentence once."""
    texts = dict.fromkeys(clean(row[1]) for row in read_rows(path))
    for number, text in enumerate(texts):
        yield Line(PARALLEL, text, is_held_out(f"{path.name}:{number // BLOCK_LINES}"))


def is_held_out(name: str) -> bool:
    """Tell by its name whether a block is held out."""
    return int(hashlib.sha256(name.encode()).hexdigest()[:8], 16) < HELD_OUT_BLOCKS * 16**8


def clean(text: str) -> str:
    """Compose the letters (NFC), make marks plain and leave single spaces, so that the tokenizer has no more to do."""
    return _SPACES.sub(" ", unicodedata.normalize("NFC", text).translate(_TABLE)).strip()


def split_sentences(paragraph: str) -> list[str]:
    """Split a paragraph after its full stops, question marks and exclamation marks, and the quotes they stand in."""
    return [sentence.strip() for sentence in _SENTENCE.findall(paragraph) if sentence.strip()]
