"""Tables as people bring them: from Excel, from Tatoeba, from Anki, with more columns than two, with odd ends."""

from __future__ import annotations

import json
from collections.abc import Callable

import pytest

from lab.data.cleaning import decode
from lab.data.given import Given, take_labels, take_pairs
from lab.data.words import take_words
from models.training.corpora.labelled_words import from_row
from models.values.errors import LabError

ROWS = [(f"It cost {n},5 and was {label}.", label) for label in ("good", "bad") for n in range(30)]
PAIRS = [(f"I have {n} cats.", f"Tengo {n} gatos.") for n in range(40)]
SEMICOLONS = "".join(f"{text};{label}\n" for text, label in ROWS)
TABS = "".join(f"{source}\t{target}\n" for source, target in PAIRS)
SENTENCES = "".join(f"The;DET\ndog;NOUN\n{n},5;NUM\n\n" for n in range(30))


def rows_of(given: Given) -> set[tuple[str, ...]]:
    return {*given.learned, *given.held_out}


@pytest.mark.parametrize(
    "front",
    [
        "sep=;\n",
        "\ufeffsep=;\r\n",
        '"sep=;"\n',
        "SEP=;\n\n",
        "sep=;;\ntext;label\n",
        "\n \u00a0\nsep=;\n",
        "#separator:semicolon\n#html:false\n",
        "# exported, 2024; all of it\n",
        "Reviews of 2024, all\n\ntext;label\n",
        "Reviews;\nof 2024;\ntext;label\n",
        "utterance;emotion\n",
    ],
)
@pytest.mark.parametrize("end", ["\n", "\r\n", "\r", ";\n", ";;;\n", "\u00a0\n\n\u00a0\n"])
def test_what_stands_in_front_of_a_table_is_no_row_and_its_ends_are_no_columns(front: str, end: str) -> None:
    assert rows_of(take_labels(front + SEMICOLONS.replace("\n", end))) == set(ROWS)


def test_the_delimiter_of_a_hint_is_honoured_whatever_is_likelier() -> None:
    assert rows_of(take_labels("sep=|\n" + SEMICOLONS.replace(";", "|"))) == set(ROWS)
    assert rows_of(take_pairs("sep=;\n" + TABS.replace("\t", ";"))) == set(PAIRS)
    assert rows_of(take_pairs("sep=\t\n" + TABS)) == set(PAIRS)
    assert take_words("sep=;\n" + SENTENCES) == take_words(SENTENCES)


def test_a_comment_in_front_is_said() -> None:
    assert "1 line of comments in front was left out." in take_pairs("# of Tatoeba\n" + TABS).notes
    assert rows_of(take_labels("".join(f"#{n} it is {label},{label}\n" for n, (_, label) in enumerate(ROWS))))


@pytest.mark.parametrize(
    "line",
    [
        "{a}\t{b}\tCC-BY 2.0 (France) Attribution: tatoeba.org #{n} (CM) & #1158250 (Wourinaï)\n",
        "{n}\t{a}\t1{n}\t{b}\n",
        "{n}\teng\t{a}\t1{n}\tspa\t{b}\tCK\n",
        "{a}\t{b}\tas they say, “{n}”\n",
        "{a}\t{b}\t\t\n",
        "{n}\t{a}\t{b}\n",
    ],
)
def test_pairs_are_found_among_more_columns(line: str) -> None:
    table = "".join(line.format(a=a, b=b, n=n) for n, (a, b) in enumerate(PAIRS))
    assert rows_of(take_pairs(table)) == set(PAIRS)
    assert any("the others left out" in note for note in take_pairs(table).notes) is not table.endswith("\t\t\n")


def test_a_third_column_may_be_there_in_some_rows_alone() -> None:
    table = "".join("\t".join([a, b, *["CC-BY"] * (n % 2)]) + "\n" for n, (a, b) in enumerate(PAIRS))
    assert rows_of(take_pairs(table)) == set(PAIRS)


@pytest.mark.parametrize(
    "line", ["{n};1,5;{text};{label}\n", "{label}\t{text}\t2024-11-0{n}\n", '{n},"{text}",{label}\n']
)
def test_a_label_is_found_among_more_columns_and_they_are_named(line: str) -> None:
    table = "".join(line.format(n=n, text=text, label=label) for n, (text, label) in enumerate(ROWS))
    given = take_labels(table)
    assert rows_of(given) == set(ROWS)
    assert any("columns and no header" in note for note in given.notes)


def test_texts_with_commas_and_no_quotes_are_no_columns() -> None:
    with pytest.raises(LabError, match="double quotes around a text with a comma"):
        take_labels("".join(f"a, b, c {n},x\n" for n in range(40)))


def test_of_a_table_with_tabs_it_is_not_said_that_commas_want_quotes() -> None:
    table = "".join(f"a{n}{chr(9) * (n % 3)}b\n" for n in range(40))
    with pytest.raises(LabError, match="do not have two columns") as caught:
        take_pairs(table)
    assert "comma" not in str(caught.value)


def row(number: str, form: str, part: str = "_", head: str = "_", relation: str = "_") -> str:
    """A line of a treebank."""
    return f"{number}\t{form}\t_\t{part}\t_\t_\t{head}\t{relation}\t_\t_\n"


def treebank(n: int) -> str:
    """A sentence with an empty node in front and one in the middle, a contraction, and a word with an odd sign."""
    return (
        f"#text = {n}\n"
        + row("0.1", "e")
        + row("1-2", "del")
        + row("1", "de", "ADP", "2", "case")
        + row("2", "el", "DET", "0", "root")
        + row("2.1", "e")
        + row("3", f"a\u2028b{n}", "NOUN", "2", "dep")
        + "\n"
    )


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
@pytest.mark.parametrize("mark", ["", "\ufeff"])
def test_a_treebank_with_empty_nodes_and_odd_signs_is_one(mark: str, end: str) -> None:
    sentences = [
        from_row(row) for row in rows_of(take_words(mark + "".join(map(treebank, range(30))).replace("\n", end)))
    ]
    assert {sentence.labels for sentence in sentences} == {("ADP+DET", "NOUN")}
    assert {sentence.words for sentence in sentences} == {("del", f"a\u2028b{n}") for n in range(30)}


@pytest.mark.parametrize("take", [take_labels, take_pairs, take_words])
def test_a_table_of_nothing_but_what_stands_in_front_is_an_error_of_ours(take: Callable[[str], Given]) -> None:
    for text in ("sep=;\n", "# nothing\n", "sep=\t\n\n", "#separator:tab\n"):
        with pytest.raises(LabError):
            take(text)


def rows_of_json(names: tuple[str, str], rows: list[tuple[str, str]]) -> list[dict[str, object]]:
    return [{"id": n} | dict(zip(names, row, strict=True)) | {"tags": ["x"]} for n, row in enumerate(rows)]


@pytest.mark.parametrize("names", [("text", "label"), ("sms", "spam")])
def test_rows_of_json_are_a_table(names: tuple[str, str]) -> None:
    rows = rows_of_json(names, ROWS)
    assert rows_of(take_labels("\n".join(map(json.dumps, rows)))) == set(ROWS)
    assert rows_of(take_labels(json.dumps(rows, indent=1))) == set(ROWS)


def test_pairs_of_json_may_lie_in_a_table_of_each_row() -> None:
    rows = [json.dumps({"translation": {"en": source, "es": target}}, ensure_ascii=False) for source, target in PAIRS]
    assert rows_of(take_pairs("\n".join(rows))) == set(PAIRS)


def test_a_line_that_is_not_json_among_others_is_named() -> None:
    lines = [*map(json.dumps, rows_of_json(("text", "label"), ROWS)), "{oops"]
    with pytest.raises(LabError, match="Line 61 is not a row of JSON"):
        take_labels("\n".join(lines))


@pytest.mark.parametrize("sign", ["{", "[", '{"a": 1} '])
def test_a_text_that_only_begins_like_json_is_a_text(sign: str) -> None:
    rows = [(sign + text.replace(",", "."), label) for text, label in ROWS]
    assert rows_of(take_labels("".join(f"{text};{label}\n" for text, label in rows))) == set(rows)


WORDS = [("The", "DT", "O"), ("dog", "NN", "B-ANIMAL"), ("barks", "VB", "O")]


def test_words_between_spaces_have_their_label_last() -> None:
    sentences = "\n\n".join("\n".join(f"{word}{n} {pos} x {label}" for word, pos, label in WORDS) for n in range(30))
    given = take_words("-DOCSTART- -X- -X- O\n\n" + sentences)
    assert {from_row(row).labels for row in rows_of(given)} == {("O", "B-ANIMAL", "O")}
    assert len(rows_of(given)) == 30
    assert any("columns 1 and 4 were read" in note for note in given.notes)


def test_sentences_may_be_numbered_in_a_column() -> None:
    numbered = [
        f"{f'Sentence: {n}' if place == 0 else ''},{word}{n},{pos},{label}"
        for n in range(30)
        for place, (word, pos, label) in enumerate(WORDS)
    ]
    given = take_words("Sentence #,Word,POS,Tag\n" + "\n".join(numbered))
    assert {from_row(row).labels for row in rows_of(given)} == {("O", "B-ANIMAL", "O")}
    assert "Of its columns, “Word”, “Tag” were read." in given.notes


@pytest.mark.parametrize("begins", [b"PK\x03\x04", b"\xd0\xcf\x11\xe0", b"\x1f\x8b", b"PAR1", b"%PDF"])
def test_a_file_that_is_no_text_is_said_to_be_what_it_is(begins: bytes) -> None:
    with pytest.raises(LabError, match=r"The file is .*, and not text"):
        decode(begins + bytes(20), most_bytes=1000)


AS_TABLES = {
    "pipes": "{text}|{label}",
    "Markdown": "| {text} | {label} |",
    "fastText": "__label__{label} {text}",
    "single quotes": "'{text}','{label}'",
    "a space before quotes": '"{text}", "{label}"',
}


@pytest.mark.parametrize("form", AS_TABLES)
def test_rows_in_other_signs_are_rows(form: str) -> None:
    assert rows_of(take_labels("\n".join(AS_TABLES[form].format(text=a, label=b) for a, b in ROWS))) == set(ROWS)


def test_pairs_of_moses_are_pairs() -> None:
    assert rows_of(take_pairs("\n".join(f"{a} ||| {b}" for a, b in PAIRS))) == set(PAIRS)


@pytest.mark.parametrize(
    "value",
    [
        {"text": [a for a, _ in ROWS], "label": [b for _, b in ROWS]},
        {"text": {n: a for n, (a, _) in enumerate(ROWS)}, "label": {n: b for n, (_, b) in enumerate(ROWS)}},
        {"data": [{"text": a, "label": b} for a, b in ROWS]},
        {"columns": ["text", "label"], "index": [0], "data": ROWS},
        {n: {"text": a, "label": b} for n, (a, b) in enumerate(ROWS)},
        {"features": [], "rows": [{"row_idx": n, "row": {"text": a, "label": b}} for n, (a, b) in enumerate(ROWS)]},
        [{"text": a, "labels": [b]} for a, b in ROWS],
        ROWS,
    ],
)
def test_a_table_as_one_value_of_json_is_read(value: object) -> None:
    assert rows_of(take_labels(json.dumps(value))) == set(ROWS)


def test_unknown_names_above_numbers_are_a_header() -> None:
    rows = "".join(f"{n}\t{source}\t{n + 7}\t{target}\n" for n, (source, target) in enumerate(PAIRS))
    given = take_pairs(f"Sentence id\tSentence\tTranslation id\tTranslation\n{rows}")
    assert rows_of(given) == {*PAIRS}
    assert "Of its columns, “Sentence”, “Translation” were read." in given.notes


@pytest.mark.parametrize("header", ["Review Text,Sentiment", "내용,정답"])
def test_a_name_over_the_labels_alone_makes_a_header(header: str) -> None:
    given = take_labels(f"{header}\n" + "".join(f'"{text}",{label}\n' for text, label in ROWS))
    assert rows_of(given) == set(ROWS)
    assert any("header" in note for note in given.notes)


def test_invisible_signs_between_words_do_not_make_a_text_one_of_a_word_processor() -> None:
    khmer = "".join(f"ខ្ញុំ\u200bស្រឡាញ់\u200bភាសា{n},{'a' if n % 2 else 'b'}\n" for n in range(40))
    assert len(rows_of(take_labels(khmer))) == 40


FILMS = [(f"The film number {number} was quite {('bad', 'good')[number % 2]}", number % 2) for number in range(24)]
LABELLED = [f"{text},{('bad', 'good')[label]}" for text, label in FILMS]
HEADER = "text,label"


@pytest.mark.parametrize(
    "lines",
    [
        ["Reviews, collected in 2024, by us", "", HEADER, *LABELLED],
        ["Reviews, 2024", HEADER, *LABELLED],
        ["Reviews, 2024", "Made by A, B and C", HEADER, *LABELLED],
        ["Exported 2024-01-02, 10:30", HEADER, *LABELLED],
        [HEADER, *LABELLED, "Total,24"],
        [HEADER, *LABELLED, "합계,24"],
        [HEADER, *LABELLED, "", "Total: 24"],
        [HEADER, *LABELLED, "", "Source: somebody, 2024"],
        [HEADER, *LABELLED, "Mean,0.5", "Total,24", "Source: us, 2024"],
        [HEADER, *LABELLED[:12], HEADER, *LABELLED[12:]],
        [HEADER, *LABELLED[:12], "---,---", *LABELLED[12:]],
        [HEADER, *LABELLED, "one,more,good"],
        ['"the', 'text",label', *LABELLED],
        [HEADER, *(f"{number},{line}" for number, line in enumerate(LABELLED))],
    ],
)
@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_lines_that_are_no_rows_of_a_table_are_left_out(lines: list[str], end: str) -> None:
    given = take_labels(end.join(lines))
    assert sorted((*given.learned, *given.held_out)) == sorted((text, ("bad", "good")[label]) for text, label in FILMS)


def test_a_row_that_begins_as_a_total_and_has_a_label_is_a_row() -> None:
    given = take_labels("\n".join([HEADER, *LABELLED, "Total nonsense,bad"]))
    assert ("Total nonsense", "bad") in (*given.learned, *given.held_out)


@pytest.mark.parametrize("form", ["It cost 1,{:03d} dollars", "“Number {}, yes”", "Number {}, yes"])
def test_commas_in_texts_below_a_header_are_not_taken_for_columns(form: str) -> None:
    rows = [f"{form.format(number)},{('bad', 'good')[label]}" for number, (_, label) in enumerate(FILMS)]
    with pytest.raises(LabError, match=r"24 of 24 rows do not have two columns .* Put double quotes around a text"):
        take_labels("\n".join([HEADER, *rows]))
