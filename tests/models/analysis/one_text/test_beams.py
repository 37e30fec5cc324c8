"""How close a beam search ends, by hand and on the embedded translators."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest

from models.analysis.one_text.beams import closeness, end_shares
from models.opening.registry import REGISTRY
from models.values.writing import Branch
from tests.closeness import assert_at_most, assert_close
from tests.loaded import load

TRANSLATORS = [name for name, entry in REGISTRY.items() if entry.is_embedded and name.startswith("translator-")]


def branch(text: str, log_probability: float) -> Branch:
    return Branch(
        token_ids=(1,),
        tokens=(text,),
        text=text,
        log_probability=log_probability,
        score=log_probability,
        is_finished=True,
    )


@pytest.mark.parametrize(
    ("kept", "bits"),
    [
        ((("a", -2.0),), 0.0),
        ((("a", -3.0), ("b", -3.0)), 1.0),
        ((("a", -3.0), ("b", -3.0), ("c", -3.0), ("d", -3.0)), 2.0),
        ((("a", -3.0), ("a ", -3.0), ("b", -3.0 + math.log(2))), 1.0),  # two ways to spell one text are one
        ((("a", 0.0), ("b", -1e9)), 0.0),
    ],
)
def test_the_entropy_is_that_of_the_shares_of_different_texts(kept: tuple, bits: float) -> None:
    writing = load(TRANSLATORS[0], device="cpu").translate("The dog sleeps.", width=2)
    made = replace(writing, branches=(tuple(branch(*each) for each in kept),))
    assert_close(closeness(made), bits, tolerance=1e-9)
    assert_close(end_shares(made.branches[-1]).sum(), 1)


def test_without_a_search_nothing_is_close() -> None:
    assert closeness(load(TRANSLATORS[0], device="cpu").translate("The dog sleeps.", width=1)) == 0
    assert not len(end_shares(()))


@pytest.mark.parametrize("name", TRANSLATORS)
def test_a_search_cannot_be_closer_than_its_beams_allow(name: str) -> None:
    for width in (2, 4):
        writing = load(name, device="cpu").translate("I do not drink cold water.", width=width)
        shares = end_shares(writing.branches[-1])
        assert closeness(writing) >= 0
        assert_at_most(closeness(writing), math.log2(width))
        likeliest = max(writing.branches[-1], key=lambda kept: kept.log_probability)
        assert np.argmax(shares) == [kept.text.strip() for kept in writing.branches[-1]].index(likeliest.text.strip())
