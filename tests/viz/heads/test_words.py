"""What is known of a head, in words: the numbers of the role, and whole sentences."""

from __future__ import annotations

from dataclasses import replace

from tests.models.checkpoints.test_heads_file import ROLE
from viz.heads.words import role_choice, role_in_words, role_name, role_numbers


def test_a_role_is_said_with_its_numbers() -> None:
    assert role_name(ROLE) == "attends to the previous token"
    assert role_numbers(ROLE) == (
        "96% of its attention, on average over 12,340 word pieces; attention spread evenly: 6%"
    )
    assert role_choice(ROLE) == "attends to the previous token · Layer 1 · Head 5 · 96%"


def test_each_kind_of_share_says_what_it_is_a_share_of() -> None:
    words = replace(ROLE, unit="words", title="from an object to its verb (obj)", counted_as="words")
    assert role_name(words) == "from an object to its verb (obj)"
    assert role_numbers(words).startswith("right for 96% of 12,340 words; ")
    pairs = replace(ROLE, unit="pairs", counted_as="pairs of sentences")
    assert role_numbers(pairs).startswith("both times in 96% of 12,340 pairs of sentences; ")


def test_the_viewer_is_told_where_and_what() -> None:
    assert role_in_words(ROLE) == {
        "kind": "encoder", "layer": 1, "head": 5, "name": role_name(ROLE), "numbers": role_numbers(ROLE),
    }  # fmt: skip
