"""The equation of the textbook: by its lines and by PyTorch's kernel, and the order in which the textbook is read."""

from __future__ import annotations

import math
import re
from pathlib import Path
from typing import Any, get_args

import pytest
import torch
from torch import Tensor

from models.scratch import attention as textbook
from models.scratch.attention import (
    Kind,
    MultiHeadAttention,
    attention,
    attention_function,
    causal_mask,
    mask_to_bias,
    scaled_dot_product_attention,
)
from models.scratch.config import TransformerConfig
from models.values.record import KINDS
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


def arrays(n_query: int, dtype: torch.dtype = torch.float32) -> dict[str, Tensor]:
    random = torch.Generator().manual_seed(0)
    sizes = {"query": n_query, "key": N_KEY, "value": N_KEY}
    return {name: torch.randn(2, N_HEADS, n, D_HEAD, generator=random).to(dtype) for name, n in sizes.items()}


@pytest.mark.parametrize("dtype", TOLERANCE, ids=str)
@pytest.mark.parametrize("n_query", [N_KEY, 4, 1])
@pytest.mark.parametrize("bias", BIASES)
def test_the_lines_and_the_kernel_agree(bias: str, n_query: int, dtype: torch.dtype) -> None:
    added = BIASES[bias](n_query)
    cast = None if added is None else added.to(dtype)
    output, weights = attention(**arrays(n_query, dtype), bias=cast, scale=D_HEAD**-0.5)
    kernel = scaled_dot_product_attention(**arrays(n_query, dtype), bias=added, scale=D_HEAD**-0.5)
    assert output.dtype == kernel.dtype == dtype
    assert_close(kernel, output, tolerance=TOLERANCE[dtype])
    assert_close(weights.float().sum(dim=-1), torch.ones(2, N_HEADS, n_query), tolerance=2e-2, magnitude=1)
    assert added is None or not weights.masked_select(added.isneginf().expand_as(weights)).any()


@pytest.mark.parametrize("n_query", [N_KEY, 4, 1])
def test_a_decoder_hides_the_future_where_no_bias_says_otherwise(n_query: int) -> None:
    given = arrays(n_query) | {"scale": 0.25}
    causal = BIASES["causal"](n_query)
    assert_close(scaled_dot_product_attention(kind="decoder", **given), attention(**given, bias=causal)[0])
    assert_close(
        scaled_dot_product_attention(kind="decoder", **given, bias=padding()), attention(**given, bias=padding())[0]
    )
    for kind in ("encoder", "cross"):
        assert_close(scaled_dot_product_attention(kind=kind, **given), attention(**given)[0])


def test_the_lines_are_the_equation_by_hand() -> None:
    """Two keys with the scores 0 and ln 3 have the weights 1/4 and 3/4."""
    query, key = torch.tensor([[[[2.0]]]]), torch.tensor([[[[0.0], [math.log(3)]]]])
    value = torch.tensor([[[[0.0, 4.0], [4.0, 0.0]]]])
    output, weights = attention(query=query, key=key, value=value, scale=0.5)
    assert_close(weights, torch.tensor([[[[0.25, 0.75]]]]))
    assert_close(output, torch.tensor([[[[3.0, 1.0]]]]))


def test_dropout_takes_from_the_output_and_never_from_the_weights_that_are_shown() -> None:
    torch.manual_seed(0)
    output, weights = attention(**arrays(N_KEY), scale=0.25, dropout=0.5)
    without, same = attention(**arrays(N_KEY), scale=0.25)
    assert_close(weights, same)
    assert not is_close(output, without)


def test_another_function_computes_the_attention_of_every_layer() -> None:
    config = TransformerConfig(d_vocab=5, d_model=N_HEADS * D_HEAD, n_layers=1, n_heads=N_HEADS, dropout=0.5)
    calls: list[dict[str, Any]] = []

    def compute(**arguments: Any) -> Tensor:
        calls.append(arguments)
        return torch.zeros_like(arguments["query"])

    layers = [MultiHeadAttention(config, kind=kind) for kind in KINDS]
    x = torch.randn(2, N_KEY, config.d_model)
    token = attention_function.set(compute)
    try:
        outputs = [layer(x) for layer in layers]
    finally:
        attention_function.reset(token)
    assert [call["kind"] for call in calls] == list(KINDS)
    assert [call["dropout"] for call in calls] == [0.5] * len(KINDS)
    for layer, output, call in zip(layers, outputs, calls, strict=True):
        assert_close(output, layer.output.bias.expand_as(output))
        assert not is_close(layer.eval()(x), output)
        assert_close(layer(x), layer.output(layer._merge(scaled_dot_product_attention(**call | {"dropout": 0.0}))))


def test_the_kinds_of_the_textbook_are_those_of_a_record() -> None:
    assert get_args(Kind) == KINDS


def test_the_reading_list_names_every_file_of_the_textbook() -> None:
    folder = Path(textbook.__file__).parent
    listed = (folder / "__init__.py").read_text(encoding="utf-8").split("in this order: ")[1].split("Sources:")[0]
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


APP_WORDS = re.compile(r"\b(record|interven|soft.?cap|sink|checkpoint|somebody|streamlit)", re.IGNORECASE)


def test_the_textbook_has_no_word_that_only_the_app_needs() -> None:
    for file in Path(textbook.__file__).parent.glob("*.py"):
        code = file.read_text(encoding="utf-8")
        assert not APP_WORDS.search(code), file.name
        assert not re.search(r"^(from|import) models\.(?!scratch\.)", code, re.MULTILINE), file.name
