"""The equation of the textbook: by its lines, by the fused kernel, by the record's NumPy, all the same."""

from __future__ import annotations

import math
import re
from pathlib import Path
from typing import get_args

import numpy as np
import pytest
import torch
from torch import Tensor

from models.recording.assemble import records_from_calls
from models.recording.recorder import recording
from models.scratch import attention as textbook
from models.scratch.attention import (
    attention,
    causal_mask,
    fused_attention,
    mask_to_bias,
    scaled_dot_product_attention,
    with_future_hidden,
)
from models.values.record import KINDS, Kind, Token
from tests.closeness import assert_close, is_close

N_HEADS, N_KEY, D_HEAD = 3, 7, 16
TOLERANCE = {torch.float32: 1e-5, torch.bfloat16: 2e-2, torch.float16: 3e-3}
"""One unit in the last place of a number near 1, twice: the kernel rounds once, the lines at every step."""


def padding() -> Tensor:
    """The second text of two has three tokens less."""
    visible = torch.ones(2, 1, 1, N_KEY, dtype=torch.bool)
    visible[1, ..., -3:] = False
    return mask_to_bias(visible)


BIASES = {
    "no mask": lambda _: None,
    "causal": lambda n_query: mask_to_bias(causal_mask(n_query, N_KEY))[None, None],
    "padding": lambda _: padding(),
    "position bias": lambda n_query: torch.linspace(-2, 2, N_HEADS * n_query * N_KEY).view(1, N_HEADS, n_query, N_KEY),
}


def given(n_query: int, dtype: torch.dtype = torch.float32) -> dict[str, Tensor]:
    random = torch.Generator().manual_seed(0)
    sizes = {"query": n_query, "key": N_KEY, "value": N_KEY}
    return {name: torch.randn(2, N_HEADS, n, D_HEAD, generator=random).to(dtype) for name, n in sizes.items()}


@pytest.mark.parametrize("dtype", TOLERANCE, ids=str)
@pytest.mark.parametrize("n_query", [N_KEY, 4, 1])
@pytest.mark.parametrize("bias", BIASES)
def test_the_lines_and_the_fused_kernel_agree(bias: str, n_query: int, dtype: torch.dtype) -> None:
    added = BIASES[bias](n_query)
    asked = given(n_query, dtype) | {"bias": added if added is None else added.to(dtype)}
    output, weights = attention(**asked, scale=D_HEAD**-0.5, dropout=0.0)
    fused = fused_attention(**asked, scale=D_HEAD**-0.5, dropout=0.0)
    assert output.dtype == fused.dtype == dtype
    assert_close(fused, output, tolerance=TOLERANCE[dtype])
    assert_close(weights.float().sum(dim=-1), torch.ones(2, N_HEADS, n_query), tolerance=2e-2, magnitude=1)
    assert added is None or not weights.masked_select(added.isneginf().expand_as(weights)).any()


def test_the_lines_are_the_equation_by_hand() -> None:
    """Two keys with the scores 0 and ln 3 have the weights 1/4 and 3/4."""
    query, key = torch.tensor([[[[2.0]]]]), torch.tensor([[[[0.0], [math.log(3)]]]])
    value = torch.tensor([[[[0.0, 4.0], [4.0, 0.0]]]])
    output, weights = attention(query=query, key=key, value=value, scale=0.5)
    assert_close(weights, torch.tensor([[[[0.25, 0.75]]]]))
    assert_close(output, torch.tensor([[[[3.0, 1.0]]]]))
    capped = attention(query=query, key=key, value=value, scale=0.5, soft_cap=0.5)[1]
    expected = torch.tensor([0.0, 0.5 * math.tanh(math.log(3) / 0.5)]).softmax(dim=-1)
    assert_close(capped[0, 0, 0], expected)


SINKS = {
    "a logit a head": torch.tensor([-1.0, 0.5, 3.0]).view(1, N_HEADS, 1, 1),
    "a logit a query": torch.linspace(-2, 4, 2 * N_HEADS * N_KEY).view(2, N_HEADS, N_KEY, 1),
}


@pytest.mark.parametrize("sinks", SINKS)
@pytest.mark.parametrize("bias", BIASES)
@pytest.mark.parametrize("is_causal", [False, True])
def test_the_lines_and_the_fused_kernel_agree_about_sinks(bias: str, sinks: str, *, is_causal: bool) -> None:
    asked = given(N_KEY) | {"sinks": SINKS[sinks]}
    added = BIASES[bias](N_KEY)
    whole = with_future_hidden(added, N_KEY, N_KEY) if is_causal else added
    output, weights = attention(**asked, bias=whole, scale=0.3)
    fused = fused_attention(**asked, bias=added, is_causal=is_causal, scale=0.3)
    assert_close(fused, output)
    assert float(weights.sum(dim=-1).mean()) < 0.95


def test_a_sink_stands_in_the_denominator_alone_by_hand() -> None:
    """Two keys with the scores 0 and ln 3 beside a sink of ln 4 have the weights 1/8 and 3/8; half goes nowhere."""
    query, key = torch.tensor([[[[2.0]]]]), torch.tensor([[[[0.0], [math.log(3)]]]])
    value = torch.tensor([[[[0.0, 4.0], [4.0, 0.0]]]])
    sinks = torch.full((1, 1, 1, 1), math.log(4))
    output, weights = attention(query=query, key=key, value=value, scale=0.5, sinks=sinks)
    assert_close(weights, torch.tensor([[[[0.125, 0.375]]]]))
    assert_close(output, torch.tensor([[[[1.5, 0.5]]]]))


@pytest.mark.parametrize("sinks", SINKS)
def test_a_record_derives_the_weights_beside_sinks_and_what_these_take(sinks: str) -> None:
    bias = mask_to_bias(causal_mask(N_KEY, N_KEY))[None, None]
    asked = given(N_KEY)
    with recording() as calls:
        scaled_dot_product_attention(**asked, bias=bias, scale=0.3, kind="decoder", sinks=SINKS[sinks])
        scaled_dot_product_attention(**asked, bias=bias, scale=0.3, kind="decoder")
    tokens = tuple(Token(text=str(at)) for at in range(N_KEY))
    (record,) = records_from_calls(calls, name="m", tokens={"decoder": tokens}, n_layers={"decoder": 2}, batch_index=1)
    output, weights = attention(**asked, bias=bias, scale=0.3, sinks=SINKS[sinks])
    assert_close(record.layer_weights(0), weights[1])
    assert_close(record.head_output(0, 1), output[1, 1])
    shares = np.stack([record.sink_shares(0, head) for head in range(N_HEADS)])
    assert_close(record.layer_weights(0).sum(axis=-1) + shares, 1)
    assert (shares > 0).all()
    assert shares.mean() > 0.05
    assert (record.has_sinks(0), record.has_sinks(1)) == (True, False)
    assert not record.sink_shares(1, 0).any()
    assert_close(record.layer_weights(1).sum(axis=-1), 1)


def test_dropout_takes_from_the_output_and_never_from_the_weights_that_are_shown() -> None:
    torch.manual_seed(0)
    asked = given(N_KEY)
    output, weights = attention(**asked, scale=0.25, dropout=0.5)
    without, same = attention(**asked, scale=0.25)
    assert_close(weights, same)
    assert not is_close(output, without)


def test_the_record_derives_the_weights_of_these_lines() -> None:
    bias = mask_to_bias(causal_mask(N_KEY, N_KEY))[None, None]
    asked = given(N_KEY)
    for soft_cap in (None, 1.5):
        with recording() as calls:
            scaled_dot_product_attention(**asked, bias=bias, scale=0.3, kind="decoder", soft_cap=soft_cap)
        tokens = tuple(Token(text=str(at)) for at in range(N_KEY))
        (record,) = records_from_calls(calls, name="m", tokens={"decoder": tokens}, n_layers={"decoder": 1})
        output, weights = attention(**asked, bias=bias, scale=0.3, soft_cap=soft_cap)
        assert_close(record.layer_weights(0), weights[0])
        assert_close(record.head_output(0, 1), output[0, 1])


def test_whoever_stands_in_computes_the_attention_of_a_layer() -> None:
    seen: list[Kind] = []

    def instead(*, kind: Kind, query: Tensor, **_: object) -> Tensor:
        seen.append(kind)
        return torch.zeros_like(query)

    token = textbook.attends_instead.set(instead)
    try:
        output = scaled_dot_product_attention(**given(2), bias=None, scale=1.0, kind="cross")
    finally:
        textbook.attends_instead.reset(token)
    assert seen == ["cross"]
    assert not output.any()
    assert scaled_dot_product_attention(**given(2), bias=None, scale=1.0).any()


def test_the_kinds_of_the_textbook_are_those_of_a_record() -> None:
    assert get_args(textbook.Kind) == KINDS


def test_the_reading_list_names_every_file_of_the_textbook() -> None:
    folder = Path(textbook.__file__).parent
    listed = (folder / "__init__.py").read_text(encoding="utf-8").split("in this order: ")[1].split(". How")[0]
    files = {file.stem for file in folder.glob("*.py")} - {"__init__"}
    assert {word for word in re.findall(r"\w+", listed) if word in files} == files
    places = {name: re.search(rf"\b{name}\b", listed) for name in files}
    for file in sorted(files):
        code = (folder / f"{file}.py").read_text(encoding="utf-8")
        for needed in re.findall(r"^from models\.scratch\.(\w+) import", code, re.MULTILINE):
            before, after = places[needed], places[file]
            assert before is not None
            assert after is not None
            assert before.start() < after.start(), f"{file} is read before {needed}, which it builds on"
