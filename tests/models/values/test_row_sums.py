"""Weights whose rows have sums of their own: kept as they are, whole, in parts, and in another process."""

from __future__ import annotations

import pickle
from dataclasses import replace

import numpy as np
import pytest

from models.values.errors import RecordError
from models.values.record import AttentionRecord, Token, record_of_weights
from tests.closeness import assert_close
from viz.attention.transform import prepare

N = 5
TOKENS = tuple(Token(text=f"t{place}") for place in range(N))
WEIGHTS = np.random.default_rng(0).uniform(0, 0.4, (2, 3, N, N)).astype(np.float32)
WEIGHTS[1, 2, 3] = 0  # a query that looks nowhere


@pytest.fixture
def record() -> AttentionRecord:
    return record_of_weights(
        kind="encoder", query_tokens=TOKENS, key_tokens=TOKENS, weights=list(WEIGHTS), keeps_sums=True
    )


def test_the_weights_are_those_that_were_given(record: AttentionRecord) -> None:
    for known in (record, pickle.loads(pickle.dumps(record))):
        for layer in range(2):
            assert_close(known.layer_weights(layer), WEIGHTS[layer])
            assert_close(known.mean_weights(layer), WEIGHTS[layer].mean(axis=0))
            assert_close(known.weights(layer, 2, slice(1, 4)), WEIGHTS[layer, 2, 1:4])
            assert_close(prepare(known, layer=layer, head=1).values, WEIGHTS[layer, 1])
            assert_close(prepare(known, layer=layer, head=1, rows=slice(2, 5)).values, WEIGHTS[layer, 1, 2:])


def test_a_note_says_that_rows_do_not_sum_to_1(record: AttentionRecord) -> None:
    assert record.has_own_sums()
    assert "Not every row sums to 1" in prepare(record, layer=0, head=0).note
    rounded = replace(record, row_sums=np.full((2, 3, N), 0.998, np.float32))  # as of half precision
    assert not rounded.has_own_sums(0)
    assert prepare(rounded, layer=0, head=0).note == "Every row sums to 1."


def test_sums_of_another_shape_are_refused(record: AttentionRecord) -> None:
    with pytest.raises(RecordError, match="row_sums"):
        replace(record, row_sums=np.ones((2, 3, N + 1), np.float32))


def test_other_sums_are_refused_where_they_would_be_lost() -> None:
    with pytest.raises(RecordError, match="sums to"):
        record_of_weights(kind="encoder", query_tokens=TOKENS, key_tokens=TOKENS, weights=list(WEIGHTS))
