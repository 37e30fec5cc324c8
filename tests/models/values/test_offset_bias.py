"""A bias that only depends on the offset of key and query takes memory in proportion to the text, with its numbers."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import torch
from numpy.lib.array_utils import byte_bounds

from models.huggingface.attention_interface import IMPLEMENTATION, running
from models.huggingface.config import kinds_of_modules, layers_of_kinds
from models.recording.assemble import MASKED_BELOW, records_from_calls
from models.recording.attention_call import AttentionCall
from models.recording.recorder import recording
from models.values.offset_bias import ROWS_AT_ONCE, offsets_of, spread_out
from models.values.record import Array, AttentionRecord, Token
from tests.models.huggingface.families import FAMILIES, build

N_TOKENS, N_READ = 40, 31
"""How many tokens an encoder, or the only stack, reads, and how many the decoder of an encoder-decoder does."""


def memory(array: Array) -> int:
    """The bytes between the first and the last number of an array, whatever its shape says."""
    low, high = byte_bounds(array)
    return int(high) - int(low)


def recorded(name: str) -> tuple[list[AttentionCall], tuple[AttentionRecord, ...]]:
    """The calls that a tiny model made for one text without padding, and their records."""
    family = FAMILIES[name]
    model = build(family, attention=IMPLEMENTATION)
    ids = torch.arange(5, 5 + N_TOKENS)[None]
    others: dict[str, Any] = {"decoder_input_ids": ids[:, :N_READ]} if model.config.is_encoder_decoder else {}
    kinds = kinds_of_modules(model, is_causal=family.is_causal)
    with torch.inference_mode(), running("tiny", kinds), recording() as calls:
        model(ids, attention_mask=torch.ones_like(ids), use_cache=False, **others)
    tokens = tuple(Token(text=str(i)) for i in range(N_TOKENS))
    read = tokens[:N_READ] if others else tokens
    n_layers = layers_of_kinds(model.config, is_causal=family.is_causal)
    return calls, records_from_calls(calls, name="tiny", tokens={"encoder": tokens, "decoder": read}, n_layers=n_layers)


@pytest.mark.parametrize("name", FAMILIES)
def test_no_family_keeps_a_matrix_for_a_text_without_padding(name: str) -> None:
    calls, records = recorded(name)
    for record in records:
        own = [call.bias for call in calls if call.kind == record.kind]
        for layer, (bias, given) in enumerate(zip(record.bias, own, strict=True)):
            n_numbers = record.n_heads * (record.n_query + record.n_key - 1)
            assert memory(bias) <= n_numbers * bias.itemsize
            expected = np.zeros((1, 1, 1), np.float32) if given is None else given[0].numpy()
            expected = np.where(expected <= MASKED_BELOW, -np.inf, expected)
            for head in range(record.n_heads):
                whole = np.broadcast_to(expected, (record.n_heads, record.n_query, record.n_key))[head]
                np.testing.assert_array_equal(record.bias_of(layer, head), whole)


@pytest.mark.parametrize(("name", "n_different"), [("gpt2", 1), ("gemma2", 2), ("gemma3_text", 2), ("t5", 1)])
def test_the_bias_by_offset_is_that_of_every_query_and_key(name: str, n_different: int) -> None:
    for record in recorded(name)[1]:
        assert len({id(bias) for bias in record.bias}) <= n_different
        for layer in range(record.n_layers):
            offsets = record.bias_by_offset(layer)
            assert offsets is not None
            places = np.subtract.outer(-np.arange(record.n_query), -np.arange(record.n_key)) + record.n_query - 1
            for head in range(record.n_heads):
                of_head = offsets[head if len(offsets) > 1 else 0]
                np.testing.assert_array_equal(of_head[places], record.bias_of(layer, head))


def test_layers_share_the_sum_of_position_bias_and_mask() -> None:
    calls, _ = recorded("t5")
    biases = [call.bias for call in calls if call.kind == "decoder" and call.bias is not None]
    assert len(biases) == 3
    assert len({bias.data_ptr() for bias in biases}) == 1


def test_a_bias_that_differs_along_a_diagonal_stays_as_it_is() -> None:
    n = ROWS_AT_ONCE + 20
    causal = np.where(np.tri(n, dtype=np.bool_), np.float32(0), np.float32(-np.inf))[None]
    assert offsets_of(causal) is not None
    for row, column in ((1, 1), (n - 1, n - 1), (n - 1, 5), (3, n - 1)):
        changed = causal.copy()
        changed[0, row, column] = 1
        assert offsets_of(changed) is None
    record = record_with(torch.from_numpy(changed)[None])
    np.testing.assert_array_equal(record.bias[0], changed)
    assert record.bias_by_offset(0) is None


@pytest.mark.parametrize("shape", [(1, 1, 1, 5), (1, 2, 5, 1), (1, 2, 1, 5), (2, 5, 5)])
def test_a_bias_of_one_row_or_column_is_no_bias_by_offset(shape: tuple[int, ...]) -> None:
    bias = torch.arange(float(np.prod(shape))).reshape(shape)
    record = record_with(bias if bias.dim() == 4 else bias[None], n=5)
    assert record.bias_by_offset(0) is None
    np.testing.assert_array_equal(record.bias_of(0, 1), bias.expand(1, 2, 5, 5)[0, 1])


def test_no_bias_at_all_is_zero_at_every_offset() -> None:
    offsets = record_with(None, n=5).bias_by_offset(0)
    assert offsets is not None
    np.testing.assert_array_equal(offsets, np.zeros((1, 9)))


@pytest.mark.parametrize(("n_query", "n_key"), [(2, 2), (3, 7), (7, 3), (200, 150)])
def test_numbers_by_offset_are_spread_out_and_found_again(n_query: int, n_key: int) -> None:
    offsets = np.random.default_rng(0).normal(size=(3, n_query + n_key - 1)).astype(np.float32)
    offsets[1, ::3] = -np.inf
    spread = spread_out(offsets, n_query)
    assert spread.shape == (3, n_query, n_key)
    assert spread[2, 1, 0] == offsets[2, n_query - 2]
    found = offsets_of(np.array(spread, order="C"))
    assert found is not None
    np.testing.assert_array_equal(found, offsets)


def record_with(bias: torch.Tensor | None, *, n: int | None = None) -> AttentionRecord:
    """A record of two heads and one layer with this bias."""
    length = n or (1 if bias is None else bias.shape[-1])
    vectors = torch.randn(1, 2, length, 4, generator=torch.Generator().manual_seed(0))
    call = AttentionCall(kind="encoder", query=vectors, key=vectors, value=vectors, bias=bias, scale=0.5)
    tokens = tuple(Token(text=str(i)) for i in range(length))
    (record,) = records_from_calls([call], name="m", tokens={"encoder": tokens}, n_layers={"encoder": 1})
    return record
