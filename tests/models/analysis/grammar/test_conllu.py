"""Treebanks as they are found: marks, comments and lines in odd places, heads that lead nowhere, other columns."""

from __future__ import annotations

from io import StringIO

import pytest

from models.analysis.grammar.conllu import parse_dependencies, read_treebank
from models.analysis.grammar.dependencies import ParsedSentence
from models.analysis.over_texts.corpus import texts_in
from models.values.errors import TextError


def row(number: object, form: str, head: object, relation: str = "dep") -> str:
    return "\t".join([str(number), form, "_", "NOUN", "_", "_", str(head), relation, "_", "_"])


WHOLE = "\n".join([row(1, "The", 2), row(2, "dog", 3), row(3, "barks", 0, "root")])
MARK = "\ufeff"


@pytest.mark.parametrize(
    "text",
    [
        WHOLE,
        f"{WHOLE}\n",
        f"{WHOLE}\n\n",
        WHOLE.replace("\n", "\r\n"),
        WHOLE.replace("\n", "\r"),
        MARK + WHOLE,
        f"{MARK}# sent_id = 1\n{WHOLE}",
        f"\n\n  \n{WHOLE}\n\n\n",
        WHOLE.replace("\n", "\n# in the middle\n", 1),
        f"{WHOLE}\n# behind",
        f"# newdoc\n\n{WHOLE}",
        f"  # sent_id = 1\n{WHOLE}",
        WHOLE.replace("\n", " \n"),
        WHOLE.replace("\n", f"\n{row('1.1', 'again', '_')}\n", 1),
    ],
)
def test_a_sentence_is_read_wherever_marks_and_comments_stand(text: str) -> None:
    (sentence,) = read_treebank(text)
    parsed = parse_dependencies(sentence)
    assert parsed is not None
    assert (parsed.words, parsed.heads) == (("The", "dog", "barks"), (1, 2, -1))
    assert list(texts_in(StringIO(text, newline=""), "bank.txt")) == [parsed]


def test_files_that_were_put_together_keep_their_marks() -> None:
    assert len(list(read_treebank(f"{MARK}{WHOLE}\n\n{MARK}{WHOLE}\n"))) == 2


@pytest.mark.parametrize(
    ("rows", "says"),
    [
        ([row(1, "a", 2), row(2, "b", 1)], "circle: 1 “a”, 2 “b”. Expected a way from each to a word with the head 0"),
        ([row(1, "x", 0), row(2, "a", 3), row(3, "b", 4), row(4, "c", 2)], "circle: 2 “a”, 3 “b”, 4 “c”"),
        ([row(1, "x", 2), row(2, "a", 3), row(3, "b", 2), row(4, "c", 0)], "circle: 2 “a”, 3 “b”"),
        ([row(1, "a", 1), row(2, "b", 0)], "the head of “a” is word 1"),
        ([row(1, "a", 7), row(2, "b", 0)], "the head of “a” is word 7"),
        ([row(1, "a", -1), row(2, "b", 0)], "the head of “a” is word -1"),
        ([WHOLE, WHOLE], "the numbers 1, 2, 3, 1, 2, 3, expected 1 to 6, and an empty line between sentences"),
    ],
)
def test_heads_that_lead_nowhere_are_said(rows: list[str], says: str) -> None:
    with pytest.raises(TextError, match=says):
        list(read_treebank("\n".join(rows)))


def test_several_roots_and_words_without_heads_are_read() -> None:
    roots, partly = read_treebank("\n".join([row(1, "a", 0), row(2, "b", 0), "", row(1, "a", "_"), row(2, "b", 0)]))
    parsed = parse_dependencies(roots)
    assert parsed is not None
    assert parsed.heads == (-1, -1)
    assert parse_dependencies(partly) is None


def test_a_long_chain_of_heads_is_walked_once() -> None:
    n_words = 60_000
    rows = [row(number, "w", number + 1 if number < n_words else 0) for number in range(1, n_words + 1)]
    (sentence,) = read_treebank("\n".join(rows))
    assert len(sentence.words) == n_words


@pytest.mark.parametrize(
    "text",
    [
        WHOLE.replace("\t", " "),
        WHOLE.replace("\t", "  "),
        "\n".join(line.rpartition("\t")[0] for line in WHOLE.split("\n")),
        WHOLE.replace("\n", "\t\n"),
        "# global.columns = ID FORM UPOS HEAD DEPREL\n1\tThe\tDET\t0\troot",
    ],
)
def test_a_treebank_with_other_columns_is_not_taken_for_lines_of_text(text: str) -> None:
    with pytest.raises(TextError, match=r"is no whole treebank in CoNLL-U: line .* expected a number first and 10"):
        list(texts_in(StringIO(text, newline=""), "bank.txt"))


@pytest.mark.parametrize("text", ["1 one two three four five six seven", "# a title\nThe dog barks.", "2\tThe dog"])
def test_lines_that_begin_with_a_number_are_texts(text: str) -> None:
    readings = list(texts_in(StringIO(text, newline=""), "lines.txt"))
    assert not any(isinstance(reading, ParsedSentence) for reading in readings)
