"""The glossary of another language is the same table: the same words in the same order, with the same formulas."""

from __future__ import annotations

import pytest

from viz.kit.glossary import entry, first_words, rows
from viz.kit.language import ENGLISH, LANGUAGES, read_in

OTHERS = [name for name in LANGUAGES if name != ENGLISH]


@pytest.mark.parametrize("name", OTHERS)
def test_every_row_names_its_english_word_and_has_its_formula(name: str) -> None:
    english, other = rows(ENGLISH), rows(name)
    assert [each.formula for each in other] == [each.formula for each in english]
    missing = [
        each.word for each, said in zip(english, other, strict=True) if each.word.lower() not in said.word.lower()
    ]
    assert missing == []


@pytest.mark.parametrize("name", OTHERS)
def test_an_english_word_opens_its_entry_in_the_language_that_is_spoken(name: str) -> None:
    english = first_words()
    with read_in(name):
        said = first_words()
        of_query = entry("query")
    assert said.keys() == english.keys()
    assert of_query.word == said["query"]["word"] != entry("query").word
    assert all(said[word]["meaning"] != english[word]["meaning"] for word in said)
    assert first_words() == english


def test_a_language_without_a_table_has_the_english_one() -> None:
    assert rows("xx") == rows(ENGLISH)
