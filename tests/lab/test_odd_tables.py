"""Tables with odd labels, rows that are none of theirs, and other forms: each is read, or refused in a sentence."""

from __future__ import annotations

import json
from collections.abc import Callable

import pytest

from lab.data.given import Given, take_labels, take_pairs, take_text
from lab.data.words import take_words
from models.training.corpora.labelled_words import from_row
from models.values.errors import LabError

LABELS = ("bad", "good")
ROWS = [(f"The film number {n} was quite {LABELS[n % 2]}", LABELS[n % 2]) for n in range(30)]
PAIRS = [(f"I have {n} cats.", f"Tengo {n} gatos.") for n in range(30)]
WORDS = [("The", "DET"), ("dog", "NOUN"), ("barks", "VERB")]


def rows_of(given: Given) -> set[tuple[str, ...]]:
    return {*given.learned, *given.held_out}


def table(rows: list[tuple[str, str]], delimiter: str = ",") -> str:
    return "".join(f"{first}{delimiter}{second}\n" for first, second in rows)


@pytest.mark.parametrize(
    "odd", [str.title, str.upper, "{} ".format, "\u00a0{}".format, "'{}'".format, "“{}”".format, "{}.".format]
)
def test_labels_that_differ_in_capitals_spaces_or_signs_are_one(odd: Callable[[str], str]) -> None:
    given = take_labels("text,label\n" + table([(a, odd(b) if n % 3 == 0 else b) for n, (a, b) in enumerate(ROWS)]))
    assert rows_of(given) == set(ROWS)


@pytest.mark.parametrize("spellings", [("very good", "very  good"), ("1", "1.0"), ("1", "１"), ("a b", "A\u00a0B")])
def test_the_most_frequent_spelling_of_a_label_is_kept_and_it_is_said(spellings: tuple[str, str]) -> None:
    usual, odd = spellings
    rows = [(text, "bad" if n % 2 else odd if n % 6 == 0 else usual) for n, (text, _) in enumerate(ROWS)]
    given = take_labels("text,label\n" + table(rows))
    assert {label for _, label in rows_of(given)} == {"bad", usual}
    assert any(f"“{odd}” → “{usual}”" in note for note in given.notes)


def test_labels_of_signs_stay_apart() -> None:
    rows = [(text, ":)" if n % 2 else ":(") for n, (text, _) in enumerate(ROWS)]
    assert {label for _, label in rows_of(take_labels(table(rows)))} == {":)", ":("}
    signs = "\n".join(f"{n}\tNUM\n.\t.\n,\t,\n\u0060\u0060\t\u0060\u0060\n''\t''\n" for n in range(25))
    assert {label for row in rows_of(take_words(signs)) for label in from_row(row).labels} == {
        *("NUM", ".", ",", "\u0060\u0060", "''"),
    }


@pytest.mark.parametrize("missing", ["#N/A", "#VALUE!", "NaN", "NULL", "<NA>", "\\N"])
def test_a_cell_that_says_nothing_is_there_is_empty(missing: str) -> None:
    given = take_labels("text,label\n" + table([*ROWS, ("Another film", missing), (missing, "good")]))
    assert rows_of(given) == set(ROWS)
    assert "2 rows with an empty cell were left out." in given.notes


@pytest.mark.parametrize("header", ["", "text,label\n"])
@pytest.mark.parametrize("end", ["Total,30", "합계,30", "30,Total", "Summe,30", "SUM:,30", "Total,30\nMean,0.5"])
def test_a_total_at_the_end_is_no_row(header: str, end: str) -> None:
    given = take_labels(f"{header}{table(ROWS)}{end}\n")
    assert rows_of(given) == set(ROWS)
    assert any("left out" in note for note in given.notes)


def test_a_total_below_pairs_and_words_is_no_row_and_a_pair_about_totals_is_one() -> None:
    assert rows_of(take_pairs(table(PAIRS, "\t") + "Total\t30\n")) == set(PAIRS)
    assert ("Total", "Suma total") in rows_of(take_pairs(table([*PAIRS, ("Total", "Suma total")], "\t")))
    words = "\n".join("".join(f"{word}{n},{label}\n" for word, label in WORDS) for n in range(25))
    for end in ("\nTotal,75\n", "Total,75\n"):
        assert rows_of(take_words(words + end)) == rows_of(take_words(words))


@pytest.mark.parametrize(
    "below",
    ["문장,레이블", "본문,감성", "(string),(category)", "string,class", "str,str", "string,discrete\nmeta,class"],
)
def test_names_in_another_language_and_types_below_a_header_are_no_rows(below: str) -> None:
    assert rows_of(take_labels(f"text,label\n{below}\n{table(ROWS)}")) == set(ROWS)


def test_a_first_row_with_a_label_that_others_have_is_a_row() -> None:
    assert ("A film", "good") in rows_of(take_labels("text,label\nA film,good\n" + table(ROWS)))


@pytest.mark.parametrize("n_rows", [20, 30, 90])
def test_a_label_in_the_first_column_is_found_in_few_rows_too(n_rows: int) -> None:
    rows = [(f"The film number {n} was quite {LABELS[n % 2]}", LABELS[n % 2]) for n in range(n_rows)]
    assert rows_of(take_labels(table([(label, text) for text, label in rows]))) == set(rows)


@pytest.mark.parametrize(
    "text",
    [
        "sep=\\t\n" + table(PAIRS, "\t"),
        "Source Text\tTarget Text\n" + table(PAIRS, "\t"),
        "영어 문장\t스페인어 문장\n" + table(PAIRS, "\t"),
        "English\tSpanish\n영어\t스페인어\n" + table(PAIRS, "\t"),
        "en,es\n" + "".join(f'"{a}","{b}"\n' for a, b in PAIRS),
        "target\tsource\n" + table([(b, a) for a, b in PAIRS], "\t"),
        "".join(f'"{a}"\t"{b}"\n' for a, b in PAIRS),
        ",\n".join(json.dumps({"en": a, "es": b}) for a, b in PAIRS),
        "\n".join(str({"en": a, "es": b}) for a, b in PAIRS),
        str(PAIRS),
    ],
)
def test_pairs_in_other_forms_are_pairs(text: str) -> None:
    assert rows_of(take_pairs(text)) == set(PAIRS)


def test_of_two_languages_the_first_column_is_read() -> None:
    text = "Spanish\tEnglish\n" + table([(b, a) for a, b in PAIRS], "\t")
    assert rows_of(take_pairs(text)) == {(b, a) for a, b in PAIRS}


def test_a_part_of_a_list_of_json_is_read_line_by_line() -> None:
    lines = [json.dumps({"text": a, "label": b}) for a, b in ROWS]
    assert rows_of(take_labels("[\n" + ",\n".join(lines) + ",\n")) == set(ROWS)


def test_words_of_json_and_labels_with_spaces_are_read() -> None:
    rows = [{"id": n, "tokens": ["The", f"dog{n}"], "ner_tags": [0, 1]} for n in range(25)]
    for text in (json.dumps(rows), "\n".join(map(json.dumps, rows))):
        assert {from_row(row).labels for row in rows_of(take_words(text))} == {("0", "1")}
    spaced = "\n".join(f"The,common noun\ndog{n},proper noun\n" for n in range(25))
    assert {from_row(row).labels for row in rows_of(take_words(spaced))} == {("common_noun", "proper_noun")}


def test_labels_of_words_that_differ_in_capitals_are_one() -> None:
    text = "\n".join(f"The,{'det' if n % 3 else 'DET'}\ndog{n},NOUN\n" for n in range(25))
    assert {from_row(row).labels for row in rows_of(take_words(text))} == {("det", "NOUN")}


@pytest.mark.parametrize("n_columns", [8, 9, 11, 14])
def test_a_treebank_of_other_columns_is_said_to_be_one(n_columns: int) -> None:
    line = "\t".join(["1", "Hi", *["_"] * (n_columns - 2)])
    with pytest.raises(LabError, match=f"The treebank cannot be read: line 1 has {n_columns} columns"):
        take_words(f"{line}\n\n" * 25)


def test_texts_of_json_are_texts() -> None:
    texts = [f"The cat number {n} sat. It was happy." for n in range(30)]
    expected = rows_of(take_text("\n\n".join(texts)))
    for text in (json.dumps(texts), "\n".join(json.dumps({"id": n, "text": text}) for n, text in enumerate(texts))):
        assert rows_of(take_text(text)) == expected


@pytest.mark.parametrize("end", ["।", "؟ ", "۔ ", "။", "។", "።", "։ "])
def test_sentences_end_in_every_script(end: str) -> None:
    given = take_text("".join(f"kata{n} nomo{n}{end}" for n in range(40)))
    assert sum(map(len, rows_of(given))) == 40


def test_a_broken_table_is_told_in_our_words() -> None:
    for text in ('text,label\n"It was, good\n' + table(ROWS), "text,label\n" + table([("x" * 1_100_000, "good")])):
        with pytest.raises(LabError, match="cannot be read at line") as caught:
            take_labels(text)
        assert not any(word in str(caught.value) for word in ("unexpected end", "field", "limit"))


def test_the_line_of_a_word_without_a_label_is_that_of_the_file() -> None:
    words = "".join(f"The,DET\ndog{n},NOUN\n\n" for n in range(25))
    given = take_words(f"word,label\nstring,category\n{words}alone,\n\nTotal,50\n")
    assert "1 row without a word and a label left out (the first in line 78)." in given.notes
