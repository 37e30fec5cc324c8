"""The values that cross from models to pictures."""

from __future__ import annotations

import pickle
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from models.values.errors import RecordError, SelectionError
from models.values.record import Array, AttentionRecord, Token, softmax
from tests.closeness import assert_close


def tokens(n: int) -> tuple[Token, ...]:
    return tuple(Token(text=f"t{i}") for i in range(n))


def record(**changes: Any) -> AttentionRecord:
    random = np.random.default_rng(0)
    arrays = {
        name: random.normal(size=(2, 3, n, 4)).astype(np.float32)
        for name, n in (("query", 5), ("key", 6), ("value", 6))
    }
    bias = np.zeros((1, 5, 6), dtype=np.float32)
    bias[:, :, 4:] = -np.inf
    fields = {
        "kind": "encoder",
        "query_tokens": tokens(5),
        "key_tokens": tokens(6),
        **arrays,
        "bias": (bias, bias),
        "scale": (0.5, 0.25),
    }
    return AttentionRecord(**(fields | changes))


def test_weights_are_the_softmax_of_the_scaled_and_masked_products() -> None:
    given = record()
    for layer, scale in enumerate((0.5, 0.25)):
        raised = np.exp(given.query[layer, 2].astype(np.float64) @ given.key[layer, 2].T * scale)
        raised[:, 4:] = 0
        expected = raised / raised.sum(axis=-1, keepdims=True)
        assert_close(given.weights(layer, 2), expected)
        assert_close(given.head_output(layer, 2), expected @ given.value[layer, 2])


def test_the_mean_over_the_heads_is_the_mean_over_the_heads() -> None:
    given = record()
    assert_close(given.mean_weights(1), given.layer_weights(1).mean(axis=0))


def test_a_soft_cap_bounds_the_scores_before_the_mask() -> None:
    capped = record(soft_cap=0.1).scores(0, 0)
    assert np.abs(capped[:, :4]).max() <= 0.1
    assert np.isneginf(capped[:, 4:]).all()


@pytest.mark.parametrize("rows", [slice(2, 3), slice(1, 4), slice(None, None, 2), slice(4, 9)])
@pytest.mark.parametrize("soft_cap", [None, 0.5])
def test_some_rows_are_those_of_the_whole_matrix(rows: slice, soft_cap: float | None) -> None:
    given = record(soft_cap=soft_cap)
    for head in range(3):
        assert_close(given.scores(1, head, rows), given.scores(1, head)[rows])
        assert_close(given.weights(1, head, rows), given.weights(1, head)[rows])
        np.testing.assert_array_equal(given.bias_of(1, head, rows), given.bias_of(1, head)[rows])
        assert_close(given.layer_weights(1, rows)[head], given.weights(1, head)[rows])
    assert_close(given.mean_weights(1, rows), given.mean_weights(1)[rows])


SINKS = np.random.default_rng(3).normal(size=(2, 3, 5)).astype(np.float32)


@pytest.mark.parametrize("sinks", [SINKS, SINKS[:, :, :1]], ids=["of a query", "of a head"])
def test_a_sink_takes_its_share_of_every_row(sinks: Array) -> None:
    given = record(sinks=sinks)
    raised = np.exp(given.query[1, 2].astype(np.float64) @ given.key[1, 2].T * 0.25)
    raised[:, 4:] = 0
    of_sink = np.exp(sinks[1, 2].astype(np.float64))  # [n_query or 1]
    total = raised.sum(axis=-1) + of_sink
    assert_close(given.weights(1, 2), raised / total[:, None])
    assert_close(given.sink_shares(1, 2), of_sink / total)
    assert_close(given.layer_weights(1)[2], given.weights(1, 2))
    shares = [given.sink_shares(1, head) for head in range(3)]
    assert_close(given.sink_shares(1, None), np.mean(shares, axis=0))
    assert_close(given.mean_weights(1).sum(axis=-1) + given.sink_shares(1, None), 1)
    rows = slice(1, 4)
    assert_close(given.weights(1, 2, rows), given.weights(1, 2)[rows])
    assert_close(given.sink_shares(1, 2, rows), given.sink_shares(1, 2)[rows])
    again = pickle.loads(pickle.dumps(given))
    np.testing.assert_array_equal(again.sinks, sinks)


def test_a_sink_of_minus_infinity_is_none_and_takes_all_of_a_row_that_sees_nothing() -> None:
    sinks = SINKS.copy()
    sinks[0] = -np.inf
    given = record(sinks=sinks, bias=(record().bias[0], np.full((1, 1, 1), -np.inf, np.float32)))
    assert (given.has_sinks(), given.has_sinks(0), given.has_sinks(1)) == (True, False, True)
    np.testing.assert_array_equal(given.layer_weights(0), record().layer_weights(0))
    assert not given.sink_shares(0, 1).any()
    assert not given.layer_weights(1).any()
    np.testing.assert_array_equal(given.sink_shares(1, 1), 1)
    assert not record().has_sinks()
    np.testing.assert_array_equal(record().sink_shares(0, 1, slice(1, 9)), np.zeros(4))


@pytest.mark.parametrize("shape", [(2, 3), (2, 3, 2), (2, 1, 5), (1, 3, 5)])
def test_sinks_of_another_shape_are_named(shape: tuple[int, ...]) -> None:
    with pytest.raises(RecordError, match="sinks has shape"):
        record(sinks=np.zeros(shape, np.float32))


def test_the_weights_of_a_layer_are_those_of_its_heads() -> None:
    given = record(soft_cap=0.5, bias=(np.random.default_rng(1).normal(size=(3, 5, 6)).astype(np.float32),) * 2)
    assert_close(given.layer_weights(1), np.stack([given.weights(1, head) for head in range(3)]))


def test_the_bias_of_a_head_takes_no_memory() -> None:
    given = record()
    bias = given.bias_of(0, 2)
    assert bias.shape == (5, 6)
    assert np.shares_memory(bias, given.bias[0])
    assert not bias.flags.writeable


def test_softmax_leaves_the_scores_alone_unless_they_are_to_be_overwritten() -> None:
    given = np.array([[1.0, 2.0, -np.inf]], dtype=np.float32)
    scores = given.copy()
    weights = softmax(scores)
    np.testing.assert_array_equal(scores, given)
    assert softmax(scores, out=scores) is scores
    np.testing.assert_array_equal(scores, weights)


def test_softmax_of_huge_scores_and_of_a_row_that_sees_nothing() -> None:
    weights = softmax(np.array([[1e4, 1e4], [-np.inf, -np.inf]], dtype=np.float32))
    np.testing.assert_array_equal(weights, [[0.5, 0.5], [0, 0]])


def test_arrays_are_read_only() -> None:
    given = record()
    for array in (given.query, given.key, given.value, *given.bias):
        with pytest.raises(ValueError, match="read-only"):
            array[...] = 0


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("kind", "sideways"),
        ("query", np.zeros((2, 3, 4), dtype=np.float32)),
        ("query_tokens", tokens(4)),
        ("key", np.zeros((2, 3, 5, 4), dtype=np.float32)),
        ("value", np.zeros((2, 2, 6, 4), dtype=np.float32)),
        ("bias", (np.zeros((1, 5, 6), dtype=np.float32),)),
        ("bias", (np.zeros((5, 5), dtype=np.float32),) * 2),
        ("scale", (1.0,)),
    ],
)
def test_a_field_that_does_not_fit_is_named(field: str, value: object) -> None:
    with pytest.raises(RecordError, match=field):
        replace(record(), **{field: value})


@pytest.mark.parametrize(("layer", "head", "wrong"), [(2, 0, "layer 2"), (-1, 0, "layer -1"), (0, 3, "head 3")])
def test_a_layer_or_head_that_is_not_there(layer: int, head: int, wrong: str) -> None:
    with pytest.raises(SelectionError, match=wrong):
        record().weights(layer, head)


def test_values_with_arrays_are_equal_to_themselves_alone() -> None:
    one, other = record(), record()
    assert one != other
    assert one in [other, one]
    assert len({one, other, one}) == 2
