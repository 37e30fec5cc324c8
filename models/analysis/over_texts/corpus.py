"""The texts of a corpus, one after the other: lines, a column of a table, a treebank in CoNLL-U, or a folder of them.

A sentence of a treebank that says what governs what is a `ParsedSentence`; everything else is a string. What cannot be
read raises TextError, which says what was given, what was expected and what to do.
"""

from __future__ import annotations

import csv
import json
from collections.abc import Collection, Iterable, Iterator, Sequence
from functools import cache
from itertools import chain, islice
from os import PathLike
from pathlib import Path

from models.analysis.grammar.conllu import is_meant_as_conllu, parse_dependencies, read_treebank
from models.analysis.grammar.dependencies import ParsedSentence
from models.analysis.over_texts.delimited import LONGEST_CELL, NumberedRow, TableReader, rows_of_table, table_lines
from models.analysis.over_texts.encodings import LOOKED_AT, decode, encoding_of, form_of
from models.values.arguments.check import check_arguments
from models.values.errors import TextError
from models.values.wording import Message, to_say, worded

TREEBANK, TABLES = ".conllu", (".csv", ".tsv", ".tab")
SUFFIXES = (".txt", *TABLES, TREEBANK)
"""The endings of files that are read, in any letter case."""
_SAMPLES = Path(__file__).parent / "sample"
SAMPLE = _SAMPLES / "sentences.txt"
"""A thousand sentences of books in the public domain, one a line; `LICENCE.md` beside them says where they are from."""
SAMPLE_KOREAN = _SAMPLES / "korean.txt"
"""Three hundred Korean sentences, one a line, written for this project."""
JSON = (".json", ".jsonl", ".ndjson")
FIRST_LINES = 100
CorpusText = str | ParsedSentence
"""The input of a model: a text, or a sentence whose grammar is known."""
TextColumn = str | int
"""A column of a table by the name in its first row; or by its number, from 1, where the first row is a text already."""


def sample_for(languages: Collection[str] = ()) -> Path:
    """Return the sample for a model that reads these languages (ISO 639-1 codes), in English where none is known."""
    return SAMPLE_KOREAN if languages and set(languages) <= {"ko"} else SAMPLE


@cache
def sample_texts(languages: tuple[str, ...] = ()) -> tuple[str, ...]:
    """Return the texts of the sample for a model that reads these languages."""
    return tuple(reading for reading in texts_of(sample_for(languages)) if isinstance(reading, str))


def text_of(reading: CorpusText) -> str:
    """Return the text of an entry."""
    return reading if isinstance(reading, str) else reading.text


@check_arguments
def texts_of(path: str | PathLike[str], *, column: TextColumn = "") -> Iterator[CorpusText]:
    """The texts of a file, by how it is called, or of all such files of a folder. Raises TextError."""
    if not str(path).strip():
        raise TextError(to_say("The path of the texts is empty. Give that of a file, or of a folder."))
    path = Path(path).expanduser()
    if not path.exists():
        raise TextError(worded("There is no file {name}. Check the path.", name=str(path)))
    if path.is_dir():
        files = sorted(file for file in path.iterdir() if _is_read(file))
        if not files:
            raise TextError(
                worded(
                    "The folder {name} has no file that ends in {endings}. Give one that has.",
                    name=path.name,
                    endings=", ".join(SUFFIXES),
                )
            )
        for file in files:
            yield from texts_of(file, column=column)
        return
    with path.open("rb") as beginning:
        begins = beginning.read(LOOKED_AT)
    expect_text(begins, path.name)
    try:
        with path.open(encoding=encoding_of(begins), newline="") as lines:
            yield from texts_in(lines, path.name, column=column)
    except UnicodeDecodeError as error:
        raise TextError(not_utf8(path.name)) from error


def texts_in(lines: Iterable[str], name: str, *, column: TextColumn = "") -> Iterator[CorpusText]:
    """The texts of the lines of a file, whose `name` says how they are written; empty ones are passed over. Raises
    TextError where there is none, too."""
    suffix, text_lines = suffix_of(name), _reject_binary(lines, name)
    if suffix == SUFFIXES[0]:  # a treebank may be called .txt or .conll, too
        head = list(islice(text_lines, FIRST_LINES))
        if _is_json(head):
            raise TextError(_of_json(name))
        suffix, text_lines = (TREEBANK if is_meant_as_conllu("".join(head)) else suffix), chain(head, text_lines)
    readings: Iterator[CorpusText] = (
        _of_treebank(text_lines, name)
        if suffix == TREEBANK
        else (text.strip() for text in (_cells(text_lines, name, column) if suffix in TABLES else text_lines))
    )
    n_texts = 0
    for reading in readings:
        if reading:
            n_texts += 1
            yield reading
    if not n_texts:
        raise TextError(_holds_nothing(name, suffix))


def suffix_of(name: str) -> str:
    """How a file is written, by its name: one of SUFFIXES, the first for every other."""
    return next((suffix for suffix in SUFFIXES if name.lower().endswith(suffix)), SUFFIXES[0])


def is_table(name: str) -> bool:
    """Whether the texts of a file stand in one of its columns, by its name."""
    return suffix_of(name) in TABLES


def _is_read(path: Path) -> bool:
    """Whether a file of a folder has texts, by its name; those that a system hides ("._a.txt" of macOS) have none."""
    return path.suffix.lower() in SUFFIXES and not path.name.startswith(".") and path.is_file()


def columns_of(lines: Iterable[str], name: str) -> tuple[str, ...]:
    """The cells of the first row of a table. Raises TextError for one that has none."""
    first = next(
        (row for _, row in _rows(_reject_binary(lines, name), name) if any(cell.strip() for cell in row)), None
    )
    if first is None:
        raise TextError(_empty_table(name))
    return tuple(cell.strip() for cell in first)


def _is_json(lines: Iterable[str]) -> bool:
    """Whether the first line that is not empty is an object of JSON."""
    first = next((line.strip() for line in lines if line.strip()), "").removesuffix(",")
    try:
        return first.startswith("{") and isinstance(json.loads(first), dict)
    except (ValueError, RecursionError):
        return False


def _reject_binary(lines: Iterable[str], name: str) -> Iterator[str]:
    """The lines, without the mark that begins a file. Raises TextError for what is no text at all."""
    for number, line in enumerate(lines, start=1):
        if "\0" in line:
            raise TextError(_binary(name, number))
        yield line.removeprefix("\ufeff")


def _of_treebank(lines: Iterable[str], name: str) -> Iterator[CorpusText]:
    """Sentences with their grammar where it is known, else their texts."""
    try:
        for sentence in read_treebank(lines):
            known = parse_dependencies(sentence)
            yield known or sentence.text or " ".join(word.form for word in sentence.words)
    except TextError as error:
        raise TextError(
            worded(
                "{name} is no whole treebank in CoNLL-U: {error} Mend that sentence, or leave it out.",
                name=name,
                error=str(error),
            )
        ) from error


def _cells(lines: Iterable[str], name: str, column: TextColumn) -> Iterator[str]:
    """The cells of one column of a table."""
    rows = _rows(lines, name)
    number, first = next(rows, (0, []))
    if not first:
        raise TextError(_empty_table(name))
    names = [cell.strip() for cell in first]
    if column in names:
        index = names.index(str(column))
    elif str(column).isdigit() and 1 <= int(column) <= len(names):
        index, rows = int(column) - 1, chain([(number, first)], rows)
    else:
        raise TextError(_no_column(name, column, names))
    for number, row in rows_of_table(rows, names):
        if len(row) > len(names):
            raise TextError(_too_many_cells(name, number, len(row), len(names)))
        yield row[index] if index < len(row) else ""


def _rows(lines: Iterable[str], name: str) -> Iterator[NumberedRow]:
    """The rows of a table that are not empty, with their numbers from 1."""
    table, delimiter, before = table_lines(iter(lines))
    number = before
    try:
        for number, row in enumerate(TableReader(table, delimiter, strict=True), start=before + 1):
            if row:
                yield number, row
    except csv.Error as error:
        raise TextError(_broken_table(name, number + 1)) from error


def _short(cell: str) -> str:
    return cell if len(cell) <= 30 else f"{cell[:29]}…"


def decode_text(content: bytes, name: str) -> str:
    """The text of a file in UTF-8, or in another encoding that its bytes tell. Raises TextError."""
    expect_text(content, name)
    try:
        return decode(content)
    except UnicodeDecodeError as error:
        raise TextError(not_utf8(name)) from error


def expect_text(first: bytes, name: str) -> None:
    """Raise TextError for a file that is not text, by how it begins, or one of JSON."""
    if (form := form_of(first)) is not None:
        raise TextError(
            worded(
                "{name} is {form}, and not text. Save what it holds as text in UTF-8 (in Excel: “CSV UTF-8”).",
                name=name,
                form=form,
            )
        )
    if name.lower().endswith(JSON):
        raise TextError(_of_json(name))


# -- what is wrong with a file -----------------------------------------------------------------------------------------


def not_utf8(name: str) -> Message:
    """Said of a file that is no text."""
    return worded("{name} is not text in UTF-8. Save it as UTF-8, or paste the sentences.", name=name)


def _of_json(name: str) -> Message:
    return worded("{name} is JSON. Save its texts one a line as .txt, or in a column of a table as .csv.", name=name)


def _binary(name: str, line: int) -> Message:
    return worded(
        "{name}: line {line} holds characters that no text has. Save the file as plain text in UTF-8, or paste the "
        "sentences.",
        name=name,
        line=f"{line:,}",
    )


def _holds_nothing(name: str, suffix: str) -> Message:
    if suffix in TABLES:
        return worded(
            "{name}: the column holds no text. Expected a sentence in each row: choose another column.", name=name
        )
    if suffix == TREEBANK:
        return worded(
            "{name} holds no sentence. Expected ten columns a word with tabs between, and an empty line after each "
            "sentence (universaldependencies.org/format).",
            name=name,
        )
    return worded("{name} holds no text. Expected a sentence a line.", name=name)


def _empty_table(name: str) -> Message:
    return worded("{name} is empty. Expected a table with a text in each row.", name=name)


def _no_column(name: str, column: TextColumn, names: Sequence[str]) -> Message:
    return worded(
        "{name} has no column {column}. Its first row says: {names}. Choose one of these columns; or, where the first "
        "row is a text already, a column by its number, 1 to {last}.",
        name=name,
        column=repr(column),
        names=", ".join(map(_short, names)),
        last=len(names),
    )


def _too_many_cells(name: str, row: int, n_cells: int, n_first: int) -> Message:
    return worded(
        "{name}, row {row}, has {cells} cells, the first row has {first}. Put a text that holds the separator into "
        "quotation marks.",
        name=name,
        row=f"{row:,}",
        cells=n_cells,
        first=n_first,
    )


def _broken_table(name: str, row: int) -> Message:
    return worded(
        "{name}, row {row}, cannot be read as a table: a cell has more than {most} characters, or a quotation mark "
        "that is not closed. Put quotation marks around such a text, and write those inside twice.",
        name=name,
        row=f"{row:,}",
        most=f"{LONGEST_CELL:,}",
    )
