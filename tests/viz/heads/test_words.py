"""What is known of a head, in words: the numbers of the role, and whole sentences."""

from __future__ import annotations

from dataclasses import replace

import pytest

from models.values.results.finding import Against, Finding
from tests.models.checkpoints.test_heads_file import ROLE
from viz.heads.words import finding_in_words, role_choice, role_in_words, role_name, role_numbers
from viz.kit.demos.records import random_record, tokens_of


def test_a_role_is_said_with_its_numbers() -> None:
    assert role_name(ROLE) == "attends to the previous token"
    assert role_numbers(ROLE) == (
        "96% of its attention, on average over 12,340 word pieces; attention spread evenly: 6%"
    )
    assert role_choice(ROLE) == "L1·H5 · 96% · the previous token"


def test_each_kind_of_share_says_what_it_is_a_share_of() -> None:
    words = replace(ROLE, unit="words", title="from an object to its verb (obj)", counted_as="words")
    assert role_name(words) == "from an object to its verb (obj)"
    assert role_numbers(words).startswith("right for 96% of 12,340 words; ")


def test_the_viewer_is_told_where_and_what() -> None:
    assert role_in_words(ROLE) == {
        "kind": "encoder",
        "layer": 1,
        "head": 5,
        "name": role_name(ROLE),
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
        ("key", "The other tokens give “tired” 4% on average."),
        ("texts", "Going by what this head does over 1,000 texts, it would be 4%."),
        ("distance", "Going by what the other tokens give at this distance, it would be 4%."),
    ],
)
def test_a_finding_is_said_with_what_it_is_held_against(against: Against, said: str) -> None:
    first, second = finding_in_words(replace(FOUND, against=against), random_record(tokens=TOKENS))
    assert first == "“it” gives 88% of its attention to “tired”: Layer 2 · Head 1."
    assert second == said


def test_of_two_tokens_that_are_spelled_alike_the_position_is_said() -> None:
    first, _ = finding_in_words(replace(FOUND, query=7, key=2), random_record(tokens=TOKENS))
    assert first == "“the (7)” gives 88% of its attention to “dog”: Layer 2 · Head 1."
