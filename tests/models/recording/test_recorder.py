"""The one place to record and to intervene."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

import numpy as np
import pytest
import torch
from torch import Tensor, nn

from models.huggingface.attention_interface import IMPLEMENTATION, running
from models.huggingface.config import kinds_of_modules
from models.recording.assemble import records_from_calls
from models.recording.attention_call import AttentionCall, output_and_weights, uniform_weights
from models.recording.recorder import attend, intervening, recording, suspend_observer
from models.values.errors import UnsupportedModelError
from models.values.record import Kind, Token
from tests.closeness import assert_close
from tests.models.huggingface.families import FAMILIES, build

N_HEADS, N_TOKENS, D_HEAD = 4, 6, 8


def call(kind: Kind = "encoder", *, bias: Tensor | None = None, soft_cap: float | None = None) -> AttentionCall:
    generator = torch.Generator().manual_seed(0)
    query, key, value = torch.randn(3, 2, N_HEADS, N_TOKENS, D_HEAD, generator=generator)
    return AttentionCall(kind=kind, query=query, key=key, value=value, bias=bias, scale=0.5, soft_cap=soft_cap)


def causal() -> Tensor:
    return torch.full((N_TOKENS, N_TOKENS), -torch.inf).triu(1)[None, None]


def test_calls_are_kept_in_order_and_only_while_asked_for() -> None:
    first, second = call("encoder"), call("cross")
    with recording() as outer:
        attend(first)
        with recording() as inner, suspend_observer():
            attend(second)
        attend(second)
    attend(first)
    assert [(each.kind, each.query) for each in outer] == [(first.kind, first.query), (second.kind, second.query)]
    assert inner == []


def test_a_block_inside_another_keeps_what_the_outer_one_changes() -> None:
    with intervening({("encoder", 1, 2): "zero"}):
        with recording() as calls:
            first, second = attend(call()), attend(call())
        third = attend(call())
    assert len(calls) == 2
    assert [bool(output[:, 2].any()) for output in (first, second, third)] == [True, False, True]


def test_a_zeroed_head_gives_nothing_and_the_others_stay() -> None:
    given = call()
    before = attend(given)
    with intervening({("encoder", 1, 2): "zero"}):
        untouched, changed = attend(given), attend(given)
    assert_close(untouched, before)
    assert not changed[:, 2].any()
    others = [0, 1, 3]
    assert_close(changed[:, others], before[:, others])


def test_layers_are_counted_for_each_kind() -> None:
    with intervening({("cross", 0, 0): "zero"}):
        encoder, cross = attend(call("encoder")), attend(call("cross"))
    assert encoder[:, 0].any()
    assert not cross[:, 0].any()


def test_a_uniform_head_looks_only_where_it_may() -> None:
    given = call(bias=causal())
    with intervening({("encoder", 0, 1): "uniform"}):
        output = attend(given)
    expected = torch.ones(N_TOKENS, N_TOKENS).tril() / torch.arange(1, N_TOKENS + 1)[:, None]
    assert_close(output[:, 1], expected @ given.value[:, 1])


def test_a_patched_head_has_the_weights_it_is_given() -> None:
    weights = torch.eye(N_TOKENS).flip(0)
    with intervening({("encoder", 0, 1): weights}):
        output = attend(call(soft_cap=2.0))
    assert_close(output[:, 1], call().value[:, 1].flip(1))


def test_threads_neither_record_nor_change_each_other() -> None:
    def work(index: int) -> tuple[int, bool]:
        with recording() as calls, intervening({("encoder", layer, index % N_HEADS): "zero" for layer in range(50)}):
            outputs = [attend(call()) for _ in range(50)]
        return len(calls), all(not output[:, index % N_HEADS].any() for output in outputs)

    with ThreadPoolExecutor(8) as pool:
        assert list(pool.map(work, range(8))) == [(50, True)] * 8


def test_zeroing_a_head_is_zeroing_its_part_of_the_input_of_w_o() -> None:
    family = FAMILIES["bert"]
    model, by_hand = build(family, attention=IMPLEMENTATION), build(family, attention="eager")
    ids = torch.arange(5, 25)[None]
    layer, head = 1, 2

    def without_head(_module: nn.Module, inputs: tuple[Tensor, ...]) -> tuple[Tensor, ...]:
        merged = inputs[0].clone()
        merged[..., head * D_HEAD : (head + 1) * D_HEAD] = 0
        return (merged, *inputs[1:])

    w_o = by_hand.get_submodule(f"bert.encoder.layer.{layer}.attention.output.dense")
    w_o.register_forward_pre_hook(without_head)
    with torch.inference_mode(), running("tiny", kinds_of_modules(model, is_causal=False)):
        unchanged = model(ids).prediction_logits
        with intervening({("encoder", layer, head): "zero"}):
            changed = model(ids).prediction_logits
        expected = by_hand(ids).prediction_logits
    assert_close(changed, expected)
    assert float((changed - unchanged).abs().max()) > 1e-2


# -- assembling -------------------------------------------------------------------------------------------------------

TOKENS = tuple(Token(text=str(i)) for i in range(N_TOKENS))


def test_equal_biases_are_one_array_and_empty_ones_are_small() -> None:
    calls = [call(bias=causal()), call(), call(bias=causal().clone()), call(bias=torch.zeros(1, 1, N_TOKENS, N_TOKENS))]
    (record,) = records_from_calls(calls, name="m", tokens={"encoder": TOKENS}, n_layers={"encoder": 4})
    assert record.bias[0] is record.bias[2]
    assert record.bias[1].shape == record.bias[3].shape == (1, 1, 1)
    assert_close(record.weights(2, 1), output_and_weights(calls[2])[1][0, 1].numpy())


def test_the_lowest_float_is_recorded_as_minus_infinity() -> None:
    lowest = causal().clamp(min=torch.finfo(torch.float32).min)
    (record,) = records_from_calls([call(bias=lowest)], name="m", tokens={"encoder": TOKENS}, n_layers={"encoder": 1})
    assert np.isneginf(record.scores(0, 0)[0, 1])


@pytest.mark.parametrize("n_calls", [0, 1, 3])
def test_a_wrong_number_of_calls_is_an_error_with_the_name(n_calls: int) -> None:
    with pytest.raises(UnsupportedModelError, match=f"my-model made {n_calls} .* expected 2"):
        records_from_calls([call()] * n_calls, name="my-model", tokens={"encoder": TOKENS}, n_layers={"encoder": 2})


def test_calls_of_an_unexpected_kind_or_length_are_errors() -> None:
    with pytest.raises(UnsupportedModelError, match="cross"):
        records_from_calls([call(), call("cross")], name="m", tokens={"encoder": TOKENS}, n_layers={"encoder": 1})
    with pytest.raises(UnsupportedModelError, match="labelled"):
        records_from_calls([call()], name="m", tokens={"encoder": TOKENS[1:]}, n_layers={"encoder": 1})


def test_a_head_that_looks_everywhere_alike_leaves_to_the_sink_what_it_takes() -> None:
    sinks = torch.linspace(-1, 2, N_HEADS).view(1, N_HEADS, 1, 1)
    beside = replace(call("decoder", bias=causal()), sinks=sinks)
    alike, own = uniform_weights(beside), output_and_weights(beside)[1]
    assert_close(alike.sum(dim=-1), own.sum(dim=-1))
    assert_close(alike[..., 3, :4], (own.sum(dim=-1)[..., 3, None] / 4).expand(-1, -1, 4))
    assert not alike[..., 3, 4:].any()
    with intervening({("decoder", 0, 2): "uniform"}):
        changed = attend(beside)
    assert_close(changed[:, 2], alike[:, 2] @ beside.value[:, 2])
    assert_close(changed[:, 1], own[:, 1] @ beside.value[:, 1])
