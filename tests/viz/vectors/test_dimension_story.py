"""What is said of the dimensions behind a score: by hand on made-up records, and held to every embedded model."""

from __future__ import annotations

import re
from dataclasses import replace
from functools import cache

import numpy as np
import pytest

from models.opening.registry import REGISTRY
from models.values.record import AttentionRecord
from tests.closeness import assert_at_most, assert_close
from tests.loaded import load
from viz.kit.demos.records import random_record, tokens_of
from viz.kit.theme import MINUS
from viz.vectors.carriers import alike_for_others, carriers, shared_dimensions
from viz.vectors.contributions import contributions
from viz.vectors.dimension_story import dimension_story
from viz.vectors.query_key_value import look_up

EMBEDDED = [name for name, entry in REGISTRY.items() if entry.is_embedded]
SENTENCE = "The animal didn't cross the street because it was too tired."
TOKENS = tokens_of("[CLS] a b c d [SEP]")
AT = {"layer": 0, "head": 0}


def made_of(query: np.ndarray, key: np.ndarray) -> AttentionRecord:
    """One head with these queries and keys [n_tokens, d_head], a scale of 1 and no mask."""
    shape = (1, 1, len(TOKENS), query.shape[1])
    vectors = {"query": query, "key": key, "value": key}
    return AttentionRecord(
        kind="encoder",
        query_tokens=TOKENS,
        key_tokens=TOKENS,
        bias=(np.zeros((1, 1, 1), np.float32),),
        scale=(1.0,),
        **{name: np.broadcast_to(each, shape).astype(np.float32).copy() for name, each in vectors.items()},
    )


def test_the_carriers_are_the_fewest_dimensions_that_make_half_of_what_moves_the_score() -> None:
    carried = carriers(np.array([0.5, 4.0, -1.0, 3.0, 1.0], np.float32))
    assert carried is not None
    assert carried.dimensions == (1, 3)  # 4 is less than half of 8.5
    assert (carried.total, carried.towards, carried.against) == (7.5, 8.5, -1.0)
    assert (carried.n_towards, carried.n_against, carried.carried) == (4, 1, 7.0)
    lowered = carriers(np.array([0.5, -4.0, 1.0], np.float32))
    assert lowered is not None
    assert (lowered.dimensions, lowered.towards, lowered.against) == ((1,), -4.0, 1.5)
    assert carriers(np.zeros(5, np.float32)) is None


def test_a_dimension_that_marks_a_key_and_one_that_belongs_to_a_pair() -> None:
    query, key = np.zeros((6, 4)), np.zeros((6, 4))
    query[:, 0], key[3, 0] = 2, 3  # every query wants key 3
    query[1, 2], key[3, 2] = 2, 3  # and query 1 has one more reason
    said = " ".join(dimension_story(made_of(query, key), **AT, position=1))
    assert "“a” → “c” (3): the score is 10.00 above the mean of the keys in view." in said
    assert "2 of 4 dimensions push it up by 10.00 in all." in said
    assert "Dimension 0 alone pushes it up by 5.00, 50% of that." in said
    assert "In dimension 0 the query is positive and the key above the mean key." in said
    assert "Dimension 0 gives this key at least half as much for 5 of 5 other queries: it marks the key." in said
    query[1, 2] = 4
    said = " ".join(dimension_story(made_of(query, key), **AT, position=1))
    assert "Dimension 2 gives this key at least half as much for 0 of 5 other queries: it belongs to this pair." in said


def test_signs_are_those_of_query_and_key() -> None:
    query, key = np.zeros((6, 2)), np.zeros((6, 2))
    query[1], key[3] = (2, -2), (3, -2.9)  # with a third, smaller one neither of the two makes half
    record = made_of(np.c_[query, np.full((6, 1), 1)], np.c_[key, np.eye(6)[3] * 2])
    said = " ".join(dimension_story(record, **AT, position=1))
    assert "In dimension 0 the query is positive and the key above the mean key; in dimension 1 the query is" in said
    assert "negative and the key below the mean key." in said
    raw = " ".join(dimension_story(record, **AT, position=1, centred=False))
    assert "in dimension 1 the query is negative and the key negative" in raw
    away = " ".join(dimension_story(made_of(query, -key), **AT, position=1, key=3))
    assert "below the mean of the keys in view" in away
    assert "In dimension 0 the query is positive and the key below the mean key" in away


def test_what_every_key_has_alike_is_said_to_say_little() -> None:
    query, key = np.ones((6, 3)), np.zeros((6, 3))
    key[:, 1] = 9 + 0.1 * np.arange(6)
    key[3, 0] = 2
    record = made_of(query, key)
    assert shared_dimensions(look_up(record, **AT, position=1), 3) == (1,)
    said = " ".join(dimension_story(record, **AT, position=1, key=3))
    assert "Dimension 1 has a large product, +9.30, but 6 of 6 keys get about as much (+9.25 on average)" in said
    assert "says little" not in " ".join(dimension_story(made_of(query, key * (1, 0, 1)), **AT, position=1, key=3))


def test_a_constant_for_all_keys_changes_nothing_but_what_is_shared() -> None:
    record = random_record(causal=True)
    shifted = replace(record, key=record.key + np.float32(3))
    for position in (5, 9):
        story, other = (dimension_story(each, layer=1, head=2, position=position, key=3) for each in (record, shifted))
        assert story[:3] == other[:3]


def test_a_query_that_sees_one_key_has_nothing_to_compare() -> None:
    (said,) = dimension_story(random_record(causal=True), layer=0, head=0, position=0)
    assert "sees only one key" in said
    (same,) = dimension_story(made_of(np.ones((6, 2)), np.ones((6, 2))), **AT, position=1)
    assert same.startswith("Nothing sets “[CLS]” (0) apart")


# -- every embedded model ----------------------------------------------------------------------------------------------


@cache
def recorded(name: str) -> tuple[AttentionRecord, ...]:
    return load(name, device="cpu").record(SENTENCE).attention


def numbers_in(sentence: str) -> list[float]:
    return [float(each.replace(MINUS, "-")) for each in re.findall(rf"[{MINUS}+]?\d+\.\d\d", sentence)]


@pytest.mark.parametrize("name", EMBEDDED)
@pytest.mark.parametrize("centred", [True, False])
def test_without_its_carriers_a_score_moves_by_what_was_said(name: str, centred: bool) -> None:
    for record in recorded(name):
        layer, head, position = record.n_layers - 1, record.n_heads // 2, record.n_query - 2
        key = int(record.weights(layer, head)[position].argmax())
        where = {"layer": layer, "head": head, "position": position}
        said = dimension_story(record, **where, key=key, centred=centred)
        if len(said) == 1:
            continue
        carried = carriers(contributions(record, **where, centred=centred).by_key[key])
        assert carried is not None
        without = record.query.copy()
        without[layer, head, position, list(carried.dimensions)] = 0
        moved = score(record, where, key, centred) - score(replace(record, query=without), where, key, centred)
        told = numbers_in(said[1])
        assert_close(moved, carried.carried)
        assert_close(abs(told[-1]), abs(moved), step=0.01)
        assert_close(abs(told[0]), abs(score(record, where, key, centred)), step=0.01)


def score(record: AttentionRecord, where: dict[str, int], key: int, centred: bool) -> float:
    """A score before soft cap and bias, or how far it is above the mean of the keys in view."""
    look = look_up(record, **where)
    return float(look.scaled[key] - (look.scaled[look.visible].mean() if centred else 0))


@pytest.mark.parametrize("name", EMBEDDED)
def test_for_whom_a_dimension_counts_is_counted_one_query_at_a_time(name: str) -> None:
    for record in recorded(name):
        layer, head, position = 0, record.n_heads - 1, record.n_query // 2
        key = int(record.weights(layer, head)[position].argmax())
        counts = alike_for_others(record, layer=layer, head=head, position=position, key=key)
        own = contributions(record, layer=layer, head=head, position=position).by_key[key]
        expected = np.zeros(len(own) + 1, int)
        for other in set(range(record.n_query)) - {position}:
            if np.isfinite(record.scores(layer, head)[other, key]):
                theirs = contributions(record, layer=layer, head=head, position=other).by_key[key]
                expected[:-1] += theirs * np.sign(own) >= 0.5 * np.abs(own)
                expected[-1] += 1
        np.testing.assert_array_equal(counts, expected)


@pytest.mark.parametrize("name", EMBEDDED)
def test_a_dimension_that_is_said_to_say_little_moves_the_pair_less_than_its_size(name: str) -> None:
    """Without it the score of the pair, seen from the mean of the keys, moves by less than half of that mean."""
    for record in recorded(name):
        for head in range(record.n_heads):
            for position in range(record.n_query):
                where = {"layer": record.n_layers - 1, "head": head, "position": position}
                look = look_up(record, **where)
                key = int(look.weights.argmax())
                for dimension in shared_dimensions(look, key):
                    without = record.query.copy()
                    without[record.n_layers - 1, head, position, dimension] = 0
                    changed = replace(record, query=without)
                    moved = score(record, where, key, centred=True) - score(changed, where, key, centred=True)
                    mean = look.products[look.visible, dimension].mean() * look.scale
                    assert_at_most(abs(moved), 0.5 * abs(mean), magnitude=np.abs(look.scaled[look.visible]).max())
                    assert abs(score(record, where, key, False) - score(changed, where, key, False)) > abs(moved)
