"""Calls of attention: by their lines, by the kernel, by the textbook and by the record's NumPy, all the same."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest
import torch

from models.recording.assemble import records_from_calls
from models.recording.attention_call import AttentionCall, fused_output, output_and_weights
from models.recording.recorder import attend, recording
from models.scratch.attention import attention, causal_mask, mask_to_bias
from models.values.record import Token
from tests.closeness import assert_close, is_close
from tests.models.scratch.test_attention import BIASES, D_HEAD, N_HEADS, N_KEY, TOLERANCE, arrays

TOKENS = tuple(Token(text=str(position)) for position in range(N_KEY))
SINKS = {
    "a logit a head": torch.tensor([-1.0, 0.5, 3.0]).view(1, N_HEADS, 1, 1),
    "a logit a query": torch.linspace(-2, 4, 2 * N_HEADS * N_KEY).view(2, N_HEADS, N_KEY, 1),
}


def causal_call() -> AttentionCall:
    bias = mask_to_bias(causal_mask(N_KEY, N_KEY))[None, None]
    return AttentionCall(kind="decoder", **arrays(N_KEY), bias=bias, scale=0.3)


def call_by_hand() -> AttentionCall:
    """Two keys with the scores 0 and ln 3."""
    query, key = torch.tensor([[[[2.0]]]]), torch.tensor([[[[0.0], [math.log(3)]]]])
    value = torch.tensor([[[[0.0, 4.0], [4.0, 0.0]]]])
    return AttentionCall(kind="encoder", query=query, key=key, value=value, bias=None, scale=0.5)


@pytest.mark.parametrize("dtype", TOLERANCE, ids=str)
@pytest.mark.parametrize("n_query", [N_KEY, 4, 1])
@pytest.mark.parametrize("bias", BIASES)
@pytest.mark.parametrize("is_causal", [False, True])
def test_a_plain_call_is_the_equation_of_the_textbook(
    bias: str, n_query: int, dtype: torch.dtype, *, is_causal: bool
) -> None:
    call = AttentionCall(
        kind="decoder", **arrays(n_query), bias=BIASES[bias](n_query), scale=D_HEAD**-0.5, is_causal=is_causal
    ).in_dtype(dtype)
    added = [call.bias, BIASES["causal"](n_query).to(dtype) if is_causal else None]
    expected, expected_weights = attention(
        **arrays(n_query, dtype),
        bias=sum((each for each in added if each is not None), torch.zeros(1, dtype=dtype)),
        scale=D_HEAD**-0.5,
    )
    output, weights = output_and_weights(call)
    fused = fused_output(call)
    assert output.dtype == fused.dtype == dtype
    assert_close(output, expected, tolerance=TOLERANCE[dtype])
    assert_close(weights, expected_weights, tolerance=TOLERANCE[dtype])
    assert_close(fused, expected, tolerance=TOLERANCE[dtype])


@pytest.mark.parametrize("soft_cap", [None, 0.8])
@pytest.mark.parametrize("sinks", SINKS)
@pytest.mark.parametrize("bias", BIASES)
@pytest.mark.parametrize("is_causal", [False, True])
def test_the_lines_and_the_kernel_agree_about_sinks(
    bias: str, sinks: str, soft_cap: float | None, *, is_causal: bool
) -> None:
    call = AttentionCall(
        kind="encoder",
        **arrays(N_KEY),
        bias=BIASES[bias](N_KEY),
        scale=0.3,
        is_causal=is_causal,
        sinks=SINKS[sinks],
        soft_cap=soft_cap,
    )
    output, weights = output_and_weights(call)
    assert_close(fused_output(call), output)
    assert float(weights.sum(dim=-1).mean()) < 0.95
    if is_causal:
        assert not weights.triu(1).any()


def test_a_soft_cap_bounds_the_scores_by_hand() -> None:
    capped = output_and_weights(replace(call_by_hand(), soft_cap=0.5))[1]
    expected = torch.tensor([0.0, 0.5 * math.tanh(math.log(3) / 0.5)]).softmax(dim=-1)
    assert_close(capped[0, 0, 0], expected)


def test_a_sink_stands_in_the_denominator_alone_by_hand() -> None:
    """Beside a sink of ln 4 the weights are 1/8 and 3/8; half goes nowhere."""
    output, weights = output_and_weights(replace(call_by_hand(), sinks=torch.full((1, 1, 1, 1), math.log(4))))
    assert_close(weights, torch.tensor([[[[0.125, 0.375]]]]))
    assert_close(output, torch.tensor([[[[1.5, 0.5]]]]))


@pytest.mark.parametrize("sinks", SINKS)
def test_a_record_derives_the_weights_beside_sinks_and_what_these_take(sinks: str) -> None:
    with_sinks = replace(causal_call(), sinks=SINKS[sinks])
    with recording() as calls:
        attend(with_sinks)
        attend(causal_call())
    (record,) = records_from_calls(calls, name="m", tokens={"decoder": TOKENS}, n_layers={"decoder": 2}, batch_index=1)
    output, weights = output_and_weights(with_sinks)
    assert_close(record.layer_weights(0), weights[1])
    assert_close(record.head_output(0, 1), output[1, 1])
    shares = np.stack([record.sink_shares(0, head) for head in range(N_HEADS)])
    assert_close(record.layer_weights(0).sum(axis=-1) + shares, 1)
    assert (shares > 0).all()
    assert shares.mean() > 0.05
    assert (record.has_sinks(0), record.has_sinks(1)) == (True, False)
    assert not record.sink_shares(1, 0).any()
    assert_close(record.layer_weights(1).sum(axis=-1), 1)


@pytest.mark.parametrize("soft_cap", [None, 1.5])
def test_a_record_derives_the_weights_of_these_lines(soft_cap: float | None) -> None:
    call = replace(causal_call(), soft_cap=soft_cap)
    with recording() as calls:
        attend(call)
    (record,) = records_from_calls(calls, name="m", tokens={"decoder": TOKENS}, n_layers={"decoder": 1})
    output, weights = output_and_weights(call)
    assert_close(record.layer_weights(0), weights[0])
    assert_close(record.head_output(0, 1), output[0, 1])


def test_dropout_takes_from_the_output_and_never_from_the_weights() -> None:
    torch.manual_seed(0)
    output, weights = output_and_weights(replace(causal_call(), dropout=0.5))
    without, same = output_and_weights(causal_call())
    assert_close(weights, same)
    assert not is_close(output, without)
