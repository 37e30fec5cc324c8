"""Everyday and classroom sentences, made from small tables: what old books seldom say, a class asks first.

    python -m recipes.sentences.classroom.passages --out runs/classroom --passages 4000     # writes learned.txt and
    held-out.txt

A family is a handful of patterns; a pattern is a passage of one to four sentences ("|" stands between them). `{animal}`
draws a row of the table "animal" of `lexicon.py`, `{animal.young}` another column of that row, `{animal2}` a second
row. `<...>` marks a word that the rest of the passage decides: the question that a mask asks there has one answer.

Everything follows from a seed. A tenth of the combinations of pattern and rows is held out, whatever names are drawn:
a model may have read "Paris" beside "France" in another pattern, never in this one.
"""

from __future__ import annotations

import argparse
import hashlib
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from string import Formatter

import numpy as np

from recipes.sentences.classroom.families import FAMILIES, Family
from recipes.sentences.classroom.lexicon import TABLES
from recipes.sentences.classroom.lexicon_rows import LexiconRow
from recipes.sentences.classroom.retold import RETOLD, times

HELD_OUT = 0.1
"""The fraction of combinations that are never trained on."""
BORDER = "|"


@dataclass(frozen=True, slots=True, kw_only=True)
class Passage:
    """One to four sentences. `answers` are the spans, sentence by sentence, of the words that the rest decides:
    (sentence, start, end), in characters, end exclusive."""

    family: str
    sentences: tuple[str, ...]
    answers: tuple[tuple[int, int, int], ...]


class Classroom:
    """The generator: passages of all families in turn, each from a random stream that `seed` starts.

    With `retold`, what is learned from some families is told in more patterns (RETOLD), and more often.
    """

    def __init__(self, seed: int, *, retold: bool = False) -> None:
        self.random = np.random.default_rng(seed)
        self.retold = RETOLD if retold else {}

    def passages(self, per_family: int, *, held_out: bool) -> Iterator[Passage]:
        """`per_family` distinct passages of every family, from the combinations that are held out, or from the others.

        A family that has fewer gives all that twenty times as many draws find. One that is retold gives more to learn
        from (`times`), of all patterns alike: what is short comes again.
        """
        for family in FAMILIES:
            is_retold = family.name in self.retold and not held_out
            wanted = per_family * (times(family.name) if is_retold else 1)
            seen: set[tuple[str, ...]] = set()
            n = 0
            for _ in range(20 * wanted):
                passage = self.draw(family, held_out=held_out)
                if passage is not None and (is_retold or passage.sentences not in seen):
                    seen.add(passage.sentences)
                    n += 1
                    yield passage
                if n == wanted:
                    break

    def draw(self, family: Family, *, held_out: bool) -> Passage | None:
        """A passage of a family, None if the combination drawn is on the other side of the split."""
        retold = () if held_out else self.retold.get(family.name, ())
        patterns = (*family.patterns, *retold)
        pattern = patterns[int(self.random.integers(len(patterns)))]
        rows = self._rows(family, slots(pattern))
        is_of_split = pattern in retold or is_held_out(pattern, rows) == held_out
        return fill(family.name, pattern, rows) if is_of_split else None

    def _rows(self, family: Family, names: tuple[str, ...]) -> dict[str, LexiconRow]:
        """A row for every slot; slots of one table get different rows."""
        rows: dict[str, LexiconRow] = {}
        for table in dict.fromkeys(table_of(name) for name in names):
            wanted = [name for name in names if table_of(name) == table]
            drawn = self.random.choice(len(TABLES[table]), size=len(wanted), replace=False).tolist()
            ordered = sorted(drawn) if family.is_ordered else drawn
            rows |= {name: TABLES[table][at] for name, at in zip(sorted(wanted), ordered, strict=True)}
        return rows


def slots(pattern: str) -> tuple[str, ...]:
    """The slots of a pattern, each once: "{animal.young} {animal}" has one, "animal"."""
    names = (name.split(".")[0] for _, name, _, _ in Formatter().parse(pattern) if name)
    return tuple(dict.fromkeys(names))


def table_of(slot: str) -> str:
    """The table that a slot draws from: "animal2" draws a second animal."""
    return slot.rstrip("0123456789")


def is_held_out(pattern: str, rows: Mapping[str, LexiconRow]) -> bool:
    """Whether a combination belongs to the part that is never trained on: it depends on its text alone, names apart."""
    names = iter(TABLES["name"])
    nameless = {slot: next(names) if table_of(slot) == "name" else rows[slot] for slot in sorted(rows)}
    digest = hashlib.blake2b(pattern.format_map(nameless).encode(), digest_size=8).digest()
    return int.from_bytes(digest) < HELD_OUT * 2**64


def fill(family: str, pattern: str, rows: Mapping[str, LexiconRow]) -> Passage:
    """The passage of a family's pattern with these rows in its slots."""
    sentences: list[str] = []
    answers: list[tuple[int, int, int]] = []
    for number, marked in enumerate(pattern.split(BORDER)):
        sentence, spans = _unmarked(_with_articles(marked.format_map(rows)))
        sentences.append(with_capitals(sentence))
        answers += [(number, start, end) for start, end in spans]
    return Passage(family=family, sentences=tuple(sentences), answers=tuple(answers))


def _unmarked(marked: str) -> tuple[str, list[tuple[int, int]]]:
    """The text without its "<" and ">", and the spans that stood between them."""
    text, spans, start = "", [], 0
    for part in re.split("([<>])", marked):
        if part == "<":
            start = len(text)
        elif part == ">":
            spans.append((start, len(text)))
        else:
            text += part
    return text, spans


def _with_articles(text: str) -> str:
    """ "an" for "a" before the sound of a vowel, in a text that may still be marked."""
    return re.sub(r"\b([Aa])(?= <?(?!uni|eu|one)[aeio])", r"\1n", text)


def with_capitals(text: str) -> str:
    """A capital letter at the start and after ". ": as many letters as before, so spans stay right."""
    return re.sub(r"(^|[.?!] )([a-z])", lambda match: match.group(1) + match.group(2).upper(), text)


def main() -> None:
    """Write both parts as text, one passage a paragraph, to read or to train on elsewhere."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--out", type=Path, required=True, help="folder for learned.txt and held-out.txt")
    parser.add_argument("--passages", type=int, default=4000, help="passages of every family to learn from")
    parser.add_argument("--seed", type=int, default=0)
    arguments = parser.parse_args()
    arguments.out.mkdir(parents=True, exist_ok=True)
    generator = Classroom(arguments.seed)
    for name, held_out, per_family in (
        ("learned", False, arguments.passages),
        ("held-out", True, arguments.passages // 20),
    ):
        passages = generator.passages(per_family, held_out=held_out)
        lines = "\n\n".join(" ".join(passage.sentences) for passage in passages)
        (arguments.out / f"{name}.txt").write_text(lines + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
