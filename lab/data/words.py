"""Sentences with a label for each word, as a person gives them: a treebank in CoNLL-U, or a table of words and labels
with an empty line between sentences."""

from __future__ import annotations

import csv
import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from lab.data.cleaning import clean_text, quote_labels, split_rows
from lab.data.columns import outer_columns
from lab.data.exports import apart_by_number, words_between_tabs, words_of_json
from lab.data.given import Given, rare_labels
from lab.data.kept_rows import LEAST_ROWS, MOST_ODD
from lab.data.labels import notes_on_spellings, usual_spellings
from lab.data.no_rows import drop_totals, notes_on_lines
from lab.data.tables import columns_of, count_subheaders, front_of
from models.analysis.grammar.conllu import is_meant_as_conllu, read_treebank
from models.training.corpora.labelled_words import LabelledSentence, of_treebank, of_words
from models.values.errors import LabError
from models.values.wording import worded, worded_n

WANTED = ("word", "label")
TableWord = tuple[str, str]


def take_words(text: str) -> Given:
    """Sentences of labelled words. Raises LabError for one label, too many of them, or too few sentences."""
    plain, notes = clean_text(text)
    sentences = _of_treebank(plain) if is_meant_as_conllu(plain) else _of_table(plain, notes)
    usual = usual_spellings([label for sentence in sentences for label in sentence.labels])
    notes += notes_on_spellings(usual)
    different = tuple(dict.fromkeys(_with_labels(sentence, usual) for sentence in sentences))
    if twice := len(sentences) - len(different):
        notes.append(
            worded_n(
                "{count} sentence came twice and counted once.",
                "{count} sentences came twice and counted once.",
                twice,
                count=f"{twice:,}",
            )
        )
    if len(different) < LEAST_ROWS:
        raise LabError(
            worded_n(
                "{n} different sentence could be read, expected at least {least} with an empty line between them. "
                "Give more, or take the sample.",
                "{n} different sentences could be read, expected at least {least} with an empty line between them. "
                "Give more, or take the sample.",
                len(different),
                least=LEAST_ROWS,
            )
        )
    counts = Counter(label for sentence in different for label in sentence.labels)
    rare = rare_labels(counts, of="words")
    if rare:
        notes.append(worded("Few words are {labels}: hard to learn.", labels=quote_labels(rare)))
    told = ", ".join(f"{n:,} {label}" for label, n in counts.most_common(8))
    in_all = {"words": f"{counts.total():,}", "sentences": f"{len(different):,}"}
    notes.insert(0, worded("{words} words in {sentences} sentences: {told}.", **in_all, told=told))
    learned, held_out = split_rows([sentence.as_row() for sentence in different], key=lambda row: row[0])
    return Given(learned=learned, held_out=held_out, notes=tuple(notes))


def _with_labels(sentence: LabelledSentence, usual: Mapping[str, str]) -> LabelledSentence:
    """The sentence with each label in its usual spelling."""
    return replace(sentence, labels=tuple(usual.get(label, label) for label in sentence.labels))


def _of_treebank(text: str) -> list[LabelledSentence]:
    try:
        return [of_treebank(sentence) for sentence in read_treebank(text)]
    except ValueError as error:
        raise LabError(worded("The treebank cannot be read: {why}", why=str(error))) from error


def _of_table(text: str, notes: list[str]) -> list[LabelledSentence]:
    """Runs of rows between empty lines. Raises LabError if too many rows have no two columns."""
    rows, columns = _word_rows(words_between_tabs(words_of_json(text)), notes)
    odd = [number for number, row in enumerate(rows, start=1) if row and not _pair(row, columns)]
    n_rows = sum(1 for row in rows if row)
    if len(odd) > MOST_ODD * max(1, n_rows):
        raise LabError(
            worded_n(
                "{odd} of {rows} row are not a word and its label (the first is line {line}). Write one word in a "
                "line, then a comma or a tab, then its label, and an empty line after each sentence.",
                "{odd} of {rows} rows are not a word and its label (the first is line {line}). Write one word in a "
                "line, then a comma or a tab, then its label, and an empty line after each sentence.",
                n_rows,
                odd=f"{len(odd):,}",
                rows=f"{n_rows:,}",
                line=f"{odd[0]:,}",
            )
        )
    if odd:
        notes.append(
            worded_n(
                "{count} row without a word and a label left out (the first in line {line}).",
                "{count} rows without a word and a label left out (the first in line {line}).",
                len(odd),
                count=f"{len(odd):,}",
                line=f"{odd[0]:,}",
            )
        )
    return [of_words(words) for words in _runs(rows, columns)]


def _word_rows(text: str, notes: list[str]) -> tuple[list[list[str]], tuple[int, int] | None]:
    """Return the rows of a table, none for an empty line and for one that is no row, and the columns of the words and
    of their labels, None for the two that there are."""
    before, separator = front_of(text)
    rows = [[] if number < before.n_lines else row for number, row in enumerate(_rows(text, separator))]
    numbered = [(number, row) for number, row in enumerate(rows) if row]
    header = numbered[0][1] if numbered else []
    columns, said = columns_of(header, WANTED)
    below = numbered if columns is None else numbered[1:]
    if columns is not None:
        below = below[count_subheaders([row for _, row in below], columns, WANTED) :]
    words = drop_totals(below, has_labels=False)
    kept = {number for number, _ in words}
    rows = [row if number in kept else [] for number, row in enumerate(rows)]
    n_left_out = len(numbered) - len(words) - (columns is not None)
    if columns is not None:
        rows = list(apart_by_number(rows, header))
    else:
        columns, said = outer_columns([row for _, row in words])
    notes += (*said, *notes_on_lines(n_left_out))
    return rows, columns


def _rows(text: str, separator: str) -> Iterator[list[str]]:
    """Yield the cells of each line, none for an empty one. In a table with tabs a quote is a letter. Raises
    LabError."""
    has_quotes = separator != "\t"
    is_comment = re.compile(rf"#\s[^{re.escape(separator)}]*").fullmatch
    for number, line in enumerate(text.split("\n"), start=1):
        if is_comment(line):
            yield []
            continue
        try:
            cells = next(csv.reader([line], delimiter=separator, strict=True), []) if has_quotes else line.split("\t")
        except csv.Error as error:
            raise LabError(
                worded(
                    "The table cannot be read at line {line}. A comma as a word stands in double quotes, and a "
                    "double quote as a word is written four times.",
                    line=f"{number:,}",
                )
            ) from error
        while len(cells) > len(WANTED) and not cells[-1].strip():
            cells.pop()
        yield [cell.strip() for cell in cells] if any(cell.strip() for cell in cells) else []


def _pair(row: Sequence[str], columns: tuple[int, int] | None) -> TableWord | None:
    """Return the word and the label of a row, if it has both."""
    if columns is None:
        return (row[0], row[1]) if len(row) == len(WANTED) and all(row) else None
    word, label = ([*row[column : column + 1], ""][0] for column in columns)
    return (word, label) if word and label else None


def _runs(rows: Sequence[Sequence[str]], columns: tuple[int, int] | None) -> Iterator[list[TableWord]]:
    words: list[TableWord] = []
    for row in [*rows, []]:
        pair = _pair(row, columns) if row else None
        if pair is not None:
            words.append(pair)
        elif not row and words:
            yield words
            words = []
