"""Whether two recordings say the same, to 1e-5 of what is largest in them."""

from __future__ import annotations

import numpy as np

from models.values.record import Array, AttentionRecord, Recording
from tests.closeness import assert_close, assert_same_ranking

NEAR = 1e-5


def expect_same_recording(found: Recording, expected: Recording) -> None:
    for name in ("info", "tokens", "segment_b_start", "note", "kinds"):
        assert getattr(found, name) == getattr(expected, name)
    _near(found.hidden_states, expected.hidden_states)
    _near(found.final_state, expected.final_state)
    assert [guess.position for guess in found.predictions] == [guess.position for guess in expected.predictions]
    for guess, other in zip(found.predictions, expected.predictions, strict=True):
        assert_same_ranking(*([(each.text, each.probability) for each in said.choices] for said in (guess, other)))
    for record, other in zip(found.attention, expected.attention, strict=True):
        _expect_same_record(record, other)


def _expect_same_record(found: AttentionRecord, expected: AttentionRecord) -> None:
    assert (found.query_tokens, found.key_tokens) == (expected.query_tokens, expected.key_tokens)
    assert (found.scale, found.soft_cap) == (expected.scale, expected.soft_cap)
    for name in ("query", "key", "value"):
        _near(getattr(found, name), getattr(expected, name))
    assert (found.output_norms is None) == (expected.output_norms is None)
    if found.output_norms is not None and expected.output_norms is not None:
        _near(found.output_norms, expected.output_norms)
    for layer in range(found.n_layers):
        weights = found.layer_weights(layer)
        assert_close(weights, expected.layer_weights(layer), tolerance=NEAR, magnitude=1)
        sinks = np.stack([found.sink_shares(layer, head) for head in range(found.n_heads)])
        assert_close(weights.sum(axis=-1) + sinks, 1, tolerance=NEAR, magnitude=1)


def _near(found: Array, expected: Array) -> None:
    assert_close(found, expected, tolerance=NEAR)
