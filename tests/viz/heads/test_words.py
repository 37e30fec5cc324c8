"""What is known of a head, in words: the numbers of the role, and whole sentences."""

from __future__ import annotations

import re
from dataclasses import replace

import numpy as np
import pytest

from models.analysis.one_text.word_pairs import WORTH
from models.opening.registry import REGISTRY
from models.values.results.finding import Against, Finding
from models.values.results.grammar import DIRECTIONS
from models.values.results.habits import HeadHabits
from tests.loaded import load
from tests.models.checkpoints.test_heads_file import ROLE
from viz.heads.words import (
    finding_explained,
    finding_in_words,
    habits_in_words,
    role_choice,
    role_in_words,
    role_name,
    role_numbers,
)
from viz.kit.demos.records import random_record, record_from_scores, tokens_of


def test_a_role_is_said_with_its_numbers() -> None:
    assert role_name(ROLE) == "looks at the previous token"
    assert role_numbers(ROLE) == (
        "96% of its attention, on average over 12,340 word pieces; attention spread evenly would give 6%"
    )
    assert role_choice(ROLE) == "L1·H5 · 96% · the previous token"


def test_each_kind_of_share_says_what_it_is_a_share_of() -> None:
    name = f"obj {DIRECTIONS[0]}"
    words = replace(ROLE, name=name, unit="words", title="from an object to its verb (obj)", counted_as="words")
    assert role_name(words) == "an object looks at its verb"
    assert role_numbers(words).startswith("right for 96% of 12,340 words; ")


def test_no_head_of_our_models_is_named_by_a_term_of_linguists() -> None:
    roles = [role for name, entry in REGISTRY.items() if entry.is_embedded for role in load(name).info.head_roles]
    names = {role_name(role) for role in roles if role.unit == "words"}
    assert names
    assert not any(re.search(r"governor|dependent|complement|\([a-z]+\)$", name) for name in names)


@pytest.mark.parametrize(
    ("language", "names"), [("en", "a preposition looks at its noun"), ("ko", "a particle looks at its noun")]
)
def test_a_role_is_named_by_what_the_language_has(language: str, names: str) -> None:
    role = replace(ROLE, name=f"case {DIRECTIONS[0]}", unit="words", language=language)
    assert role_name(role) == names


def test_the_viewer_is_told_where_and_what() -> None:
    assert role_in_words(ROLE) == {
        "kind": "encoder",
        "layer": 1,
        "head": 5,
        "name": "attends to the previous token",
        "said": role_name(ROLE),
        "numbers": role_numbers(ROLE),
    }


FOUND = Finding(
    kind="encoder", layer=2, head=1, query=4, key=6, weight=0.884, expected=0.036, against="key", bits=4.1, n_texts=1000
)
TOKENS = tokens_of("[CLS] the dog saw it ##s tired the end [SEP]")


@pytest.mark.parametrize(
    ("against", "said"),
    [
        ("key", "The other words give “tired” 4% on average."),
        ("texts", "Usually it gives such a word 4%."),
        ("distance", "Here it usually gives a word at that distance 4%."),
    ],
)
def test_a_finding_is_said_with_what_it_is_held_against(against: Against, said: str) -> None:
    found = replace(FOUND, against=against)
    first, second = finding_in_words(found, random_record(tokens=TOKENS, n_layers=3))
    assert first == "In this head “its” looks most at “tired”: 88% of its attention."
    assert second == said
    assert finding_explained(found).startswith("Layer 2 · Head 1. ")
    assert ("1,000 texts" in finding_explained(found)) == (against == "texts")


def test_the_worth_of_words_is_said_as_it_is_counted() -> None:
    explained = finding_explained(FOUND)
    worths = [float(number) for number in re.findall(r"\d(?:\.\d)?(?=[;.] )", explained.split("worth is largest")[1])]
    assert sorted(worths) == sorted({WORTH[name] for name in WORTH if name != "unknown"})


def test_words_alone_are_named_where_special_tokens_get_more() -> None:
    scores = np.zeros((1, 1, len(TOKENS), len(TOKENS)), np.float32)
    scores[0, 0, 4, [0, 6]] = 8, 6
    record = record_from_scores(scores, TOKENS)
    weight = float(record.weights(0, 0)[4, 6])
    first, _ = finding_in_words(replace(FOUND, layer=0, head=0, weight=weight), record)
    assert first.startswith("Of all words ")
    assert first.endswith(f"“tired” here: {weight:.0%} of its attention.")


def test_of_two_words_that_are_spelled_alike_it_is_said_which() -> None:
    first, _ = finding_in_words(replace(FOUND, query=7, key=2), random_record(tokens=TOKENS, n_layers=3))
    assert first == "In this head the second “the” looks most at “dog”: 88% of its attention."
    many = tokens_of("[CLS] so so so so so [SEP]")
    first, _ = finding_in_words(replace(FOUND, query=5, key=1), random_record(tokens=many, n_layers=3))
    assert first.startswith("In this head “so” (5) looks most at the first “so”:")


def test_where_nothing_stands_out_it_is_said_where_the_heads_look() -> None:
    habits = HeadHabits(n_heads=72, on_special=60, on_neighbours=0, on_itself=4, special_tokens=("[CLS]", "[SEP]"))
    assert habits_in_words(habits) == "Where the 72 heads look most: 60 at [CLS] and [SEP], 4 at the word itself."
    assert not habits_in_words(replace(habits, on_special=0, on_itself=0))
