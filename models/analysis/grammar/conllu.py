"""Treebanks in CoNLL-U (Nivre et al. 2020, "Universal Dependencies v2"): ten columns a word, an empty line between
sentences. What is no word of its own, an empty node (8.1), is passed over.

Lines end at line feeds and carriage returns alone: a word may hold a sign at which `str.splitlines` cuts, too.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from io import StringIO

from models.analysis.grammar.dependencies import ROOT, ParsedSentence
from models.values.errors import TextError
from models.values.wording import worded, worded_n

COLUMNS = 10
FEWEST_COLUMNS = 8
"""Of a row that is meant as one of a treebank."""
_COLUMNS_NAMED = re.compile(r"^#\s*global\.columns\s*=", re.MULTILINE)
"""As CoNLL-U Plus says which columns it has."""
_MARK = "\ufeff"
_TEXT = re.compile(r"\s*#\s*text\s*=")
_NUMBER = re.compile(r"[0-9]{1,6}([-.][0-9]{1,6})?")
"""Of a word, of words that are written as one (3-4), or of an empty node (8.1)."""
_HEAD = re.compile(r"[0-9]{1,6}")
_NOTHING = "_"
_NO_SPACE = "SpaceAfter=No"


@dataclass(frozen=True, slots=True, kw_only=True)
class TreebankWord:
    """A row: the word as it is written, its universal part of speech, its head (0 for the root, None where the
    file gives none), its relation."""

    form: str
    part_of_speech: str
    head: int | None
    relation: str
    before_space: bool = True


@dataclass(frozen=True, slots=True, kw_only=True)
class Contraction:
    """Words `first` to `last` (from 1) that are written as one: "don't", "del"."""

    form: str
    first: int
    last: int
    before_space: bool = True


@dataclass(frozen=True, slots=True, kw_only=True)
class TreebankSentence:
    """The words of a sentence in their order, which of them are written as one, and its text where the file has it."""

    words: tuple[TreebankWord, ...]
    contractions: tuple[Contraction, ...] = ()
    text: str = ""


def is_meant_as_conllu(text: str) -> bool:
    """Whether the first line that is no comment is a row of a treebank, if with other columns or with spaces between:
    a number, and "_" where there is nothing."""
    if _COLUMNS_NAMED.search(text):
        return True
    row = _first_row(text)
    cells, between_tabs = row.split(), row.split("\t")
    has_number = bool(cells) and _NUMBER.fullmatch(cells[0]) is not None
    return has_number and (len(between_tabs) == COLUMNS or (len(cells) >= FEWEST_COLUMNS and _NOTHING in cells))


def _first_row(text: str) -> str:
    lines = (line.lstrip(_MARK) for line in lines_of(text))
    return next((line for line in lines if line.strip() and not _is_comment(line)), "")


def _is_comment(line: str) -> bool:
    return line.lstrip().startswith("#")


def lines_of(text: str) -> Iterator[str]:
    """The lines of a text with their ends, as a file has them that is opened with newline=""."""
    return iter(StringIO(text, newline=""))


def read_treebank(given: str | Iterable[str]) -> Iterator[TreebankSentence]:
    """The sentences of a treebank, a text or its lines. Raises TextError, naming the line, for what is no CoNLL-U."""
    rows: list[list[str]] = []
    text, number = "", 0
    for number, marked in enumerate(lines_of(given) if isinstance(given, str) else given, start=1):
        line = marked.lstrip(_MARK)  # files that were put together have one in their middle
        text_comment = _TEXT.match(line)
        if text_comment is not None:
            text = line[text_comment.end() :].strip()
        elif line.strip() and not _is_comment(line):
            rows.append(_split_cells(line.rstrip("\r\n"), number))
        elif not line.strip() and (rows or text):
            yield _read_sentence(rows, text, number - 1)
            rows, text = [], ""
    if rows or text:
        yield _read_sentence(rows, text, number)


def parse_dependencies(sentence: TreebankSentence) -> ParsedSentence | None:
    """Return the words with their governors; of the name of a relation the part before ":" is kept.

    None for a sentence without words, or with a word whose head is not given.
    """
    heads = [ROOT if word.head is None else word.head - 1 for word in sentence.words]
    if not heads or any(word.head is None for word in sentence.words):
        return None
    return ParsedSentence(
        words=tuple(word.form for word in sentence.words),
        heads=tuple(heads),
        relations=tuple(word.relation.partition(":")[0] for word in sentence.words),
    )


def _split_cells(line: str, number: int) -> list[str]:
    cells = line.split("\t")
    if len(cells) != COLUMNS or _NUMBER.fullmatch(cells[0]) is None:
        raise TextError(
            worded_n(
                "line {line} has {n} column, expected a number first and {expected} with tabs.",
                "line {line} has {n} columns, expected a number first and {expected} with tabs.",
                len(cells),
                line=f"{number:,}",
                expected=COLUMNS,
            )
        )
    return cells


def _read_sentence(rows: list[list[str]], text: str, last_line: int) -> TreebankSentence:
    own = [row for row in rows if row[0].isdigit()]
    _check_numbers([int(row[0]) for row in own], last_line)
    _check_cells(own, last_line)
    _check_tree(own, last_line)
    contractions = tuple(_read_contraction(row) for row in rows if "-" in row[0])
    _check_contractions(contractions, len(own), last_line)
    return TreebankSentence(words=tuple(map(_read_word, own)), contractions=contractions, text=text)


def _read_word(row: Sequence[str]) -> TreebankWord:
    return TreebankWord(
        form=row[1],
        part_of_speech=row[3],
        head=None if row[6] == _NOTHING else int(row[6]),
        relation=row[7],
        before_space=_is_before_space(row),
    )


def _read_contraction(row: Sequence[str]) -> Contraction:
    first, _, last = row[0].partition("-")
    return Contraction(form=row[1], first=int(first), last=int(last), before_space=_is_before_space(row))


def _is_before_space(row: Sequence[str]) -> bool:
    return _NO_SPACE not in row[9].split("|")


def _check_numbers(numbers: Sequence[int], last_line: int) -> None:
    """Raise TextError unless the words are numbered from 1."""
    if numbers != list(range(1, len(numbers) + 1)):
        raise TextError(
            worded(
                "the sentence that ends in line {line} has words with the numbers {numbers}, expected 1 to {n}, "
                "and an empty line between sentences.",
                line=f"{last_line:,}",
                numbers=", ".join(map(str, numbers[:8])),
                n=len(numbers),
            )
        )


def _check_cells(rows: Sequence[Sequence[str]], last_line: int) -> None:
    """Raise TextError for a row without a word, or a head that is no other word of the sentence."""
    for row in rows:
        number, word, head = row[0], row[1], row[6]
        if not word.strip():
            raise TextError(
                worded(
                    "the sentence that ends in line {line} has no word in row {number}.",
                    line=f"{last_line:,}",
                    number=number,
                )
            )
        is_number = _HEAD.fullmatch(head) is not None
        if head != _NOTHING and (not is_number or int(head) > len(rows) or int(head) == int(number)):
            raise TextError(
                worded(
                    "the sentence that ends in line {line} has the words 1 to {n}, but the head of “{word}” is word "
                    "{head}.",
                    line=f"{last_line:,}",
                    n=len(rows),
                    word=word,
                    head=head[:20],
                )
            )


def _check_tree(rows: Sequence[Sequence[str]], last_line: int) -> None:
    """Raise TextError for words that govern each other in a circle."""
    heads = [0, *(0 if row[6] == _NOTHING else int(row[6]) for row in rows)]
    is_below_root = {0}
    for first in range(1, len(heads)):
        number, way = first, dict[int, None]()
        while number not in is_below_root:
            if number in way:
                circle = list(way)[list(way).index(number) :]
                raise TextError(
                    worded(
                        "the sentence that ends in line {line} has words that govern each other in a circle: {words}. "
                        "Expected a way from each to a word with the head 0.",
                        line=f"{last_line:,}",
                        words=", ".join(f"{word} “{rows[word - 1][1]}”" for word in circle[:8]),
                    )
                )
            way[number] = None
            number = heads[number]
        is_below_root.update(way)


def _check_contractions(contractions: Sequence[Contraction], n_words: int, last_line: int) -> None:
    """Raise TextError unless each is written for words of the sentence, no word for two of them."""
    before = 0
    for one in contractions:
        if not before < one.first <= one.last <= n_words:
            raise TextError(
                worded(
                    "the sentence that ends in line {line} has the words 1 to {n}, but “{word}” is written for "
                    "{first} to {last}.",
                    line=f"{last_line:,}",
                    n=n_words,
                    word=one.form,
                    first=one.first,
                    last=one.last,
                )
            )
        before = one.last
