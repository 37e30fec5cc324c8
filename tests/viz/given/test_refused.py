"""Each refusal of `show` says what was given, what was expected, and what to do."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
import torch

from models.values.errors import ArgumentError, HeadlightError, RecordError, SelectionError
from tests.viz.given.weights import TOKENS, real_model, softmaxed, some_ids, token_names
from viz import show
from viz.kit.errors import PictureError

N = len(TOKENS)
ONE, LAYERS = softmaxed(N, N), softmaxed(2, 3, N, N)


def with_cell(value: float) -> Any:
    """Return weights of which one is another number."""
    changed = LAYERS.copy()
    changed[1, 2, 3, 4] = value
    return changed


CASES: dict[str, tuple[Any, dict[str, Any], type[HeadlightError], tuple[str, ...]]] = {
    "NaN": (with_cell(np.nan), {}, RecordError, ("Layer 1, head 2", "nan", "row 3, column 4", "mask=")),
    "infinite": (with_cell(np.inf), {}, RecordError, ("inf", "from 0 to 1")),
    "negative": (with_cell(-0.5), {}, RecordError, ("-0.5", "after the softmax")),
    "over 1": (with_cell(1.5), {}, RecordError, ("1.5", "model.eval()")),
    "too few tokens": (ONE, {"tokens": TOKENS[1:]}, RecordError, (f"{N - 1} tokens", f"{N} queries", "mask=")),
    "too many tokens": (ONE, {"tokens": [*TOKENS, "x"]}, RecordError, (f"{N + 1} tokens", "'[CLS]'")),
    "one axis": (ONE[0], {}, RecordError, (f"[{N}]", "[n_query, n_key]")),
    "six axes": (ONE[None, None, None, None], {}, RecordError, ("[1, 1, 1, 1,", "list with an array for each layer")),
    "a batch in a list": ([softmaxed(4, 3, N, N)] * 2, {}, RecordError, ("attention[0]", "batch of 4", "item=0")),
    "a batch of layers": (softmaxed(2, 4, 3, N, N), {}, RecordError, ("batch of 4 texts", "item=0")),
    "an item too many": (
        softmaxed(2, 4, 3, N, N),
        {"item": 4},
        SelectionError,
        ("item is 4", "from 0 to 3"),
    ),
    "an item without a batch": (ONE, {"item": 0}, RecordError, ("no axis of a batch", "Leave item= out")),
    "layers of several shapes": ([LAYERS[0], LAYERS[1][:2]], {}, RecordError, ("Layer 1", f"[2, {N}, {N}]")),
    "nothing": ([], {}, RecordError, ("holds no weights", "output_attentions=True")),
    "None": (None, {}, ArgumentError, ("attention holds no weights", "output_attentions=True", "need_weights=True")),
    "no numbers": (np.zeros((0, 0)), {}, RecordError, ("[1, 0, 0]", "one token at least")),
    "a model": (torch.nn.Linear(2, 2), {}, ArgumentError, ("a model (Linear)", "show(model(**inputs")),
    "a tensor without numbers": (torch.empty(2, 2, device="meta"), {}, ArgumentError, ('the device "meta"', "run it")),
    "no tokens": (ONE, {"tokens": []}, RecordError, ("tokens is empty", f"{N} queries", "positions")),
    "tokens of ids": (ONE, {"tokens": [101, 102]}, ArgumentError, ("tokens[0] is 101", "convert_ids_to_tokens")),
    "tokens as a tensor": (ONE, {"tokens": torch.arange(N)}, ArgumentError, ("Tensor [10]", "convert_ids_to_tokens")),
    "tokens of one text twice": (
        ONE,
        {"tokens": TOKENS, "query_tokens": TOKENS},
        ArgumentError,
        ("tokens= names", "query_tokens="),
    ),
    "a sentence B between two texts": (
        softmaxed(3, 5),
        {"sentence_b_start": 2},
        ArgumentError,
        ("sentence_b_start is 2", "two texts", "Leave it out"),
    ),
    "a dictionary of something else": (
        {1: "one", "blocks.0.hook_q": softmaxed(4, 4)},
        {},
        ArgumentError,
        ("dict has no attention weights", "1, 'blocks.0.hook_q'"),
    ),
    "a dictionary with odd tokens": (
        {"attention": ONE, "tokens": [1, 2]},
        {},
        ArgumentError,
        ("tokens[0] is 1", "a text (str)"),
    ),
    "a mask in words": (ONE, {"mask": "110"}, ArgumentError, ("mask is '110'", "inputs.attention_mask")),
    "a path of an image": (
        ONE,
        {"image": "cat.png", "grid": (3, 3)},
        ArgumentError,
        ("image is 'cat.png'", "PIL.Image.open"),
    ),
    "ragged lists": ([[0.5, 0.5], [1.0]], {}, ArgumentError, ("attention", "nested lists of equal length")),
    "words": (np.array([["a", "b"]]), {}, ArgumentError, ("ndarray [1, 2] <U1", "no array of numbers")),
    "complex numbers": (np.ones((2, 2), complex), {}, ArgumentError, ("complex128", "no array of numbers")),
    "objects": (ONE.astype(object), {}, ArgumentError, ("object, which is no array of numbers",)),
    "None for all layers": ((None, None), {}, RecordError, ("holds no weights", 'attn_implementation="eager"')),
    "an output without weights": (
        {"logits": np.zeros(3)},
        {},
        ArgumentError,
        ("dict has no attention", "logits", "output_attentions=True"),
    ),
    "two texts with one list": (softmaxed(3, 5), {"tokens": token_names(5)}, RecordError, ("3 queries and 5 keys",)),
    "a grid too large": (ONE, {"grid": (4, 4)}, RecordError, ("4 rows × 4 columns", "16 patches", f"{N} tokens")),
    "an image without a grid": (ONE, {"image": np.zeros((4, 4, 3))}, ArgumentError, ("grid=(rows, columns)",)),
    "an image of two channels": (
        softmaxed(4, 4),
        {"image": np.zeros((4, 4, 2)), "grid": (2, 2)},
        ArgumentError,
        ("[4, 4, 2]", "[height, width, 3]"),
    ),
    "a normalised image": (
        softmaxed(4, 4),
        {"image": np.full((4, 4, 3), -1.0), "grid": (2, 2)},
        ArgumentError,
        ("from -1 to -1", "before it was normalised"),
    ),
    "a mask too short": (ONE, {"mask": [1, 1, 0]}, RecordError, ("[3]", f"{N} keys")),
    "a mask of padding alone": (ONE, {"mask": [0] * N}, RecordError, ("0 ones",)),
    "a second sentence outside": (
        ONE,
        {"tokens": TOKENS, "sentence_b_start": N},
        RecordError,
        (f"sentence_b_start is {N}", f"from 1 to {N - 1}"),
    ),
    "no such layer": (ONE, {"layer": 1}, SelectionError, ("layer 1",)),
    "no such choice": (ONE, {"colour": "red"}, PictureError, ("'colour'",)),
    "scores of weights": (ONE, {"quantity": "scores"}, PictureError, ("only its weights",)),
    "no file": ("nowhere.npz", {}, ArgumentError, ("nowhere.npz", "NPZ or safetensors")),
    "beams": (
        SimpleNamespace(beam_indices=torch.zeros(1, 3), attentions=()),
        {},
        RecordError,
        ("beams", "num_beams=1"),
    ),
    "steps of several depths": (
        ((LAYERS[:1], LAYERS[:1]), (LAYERS[:1],)),
        {},
        RecordError,
        ("attention[1] has 1 layers", "attention[0] has 2"),
    ),
    "steps that do not follow": (
        ((softmaxed(1, 2, 4, 4),), (softmaxed(1, 2, 3, 5),)),
        {},
        RecordError,
        ("attention[1] has 3 rows", "expected 1 or 5"),
    ),
}


@pytest.mark.parametrize("case", CASES)
def test_a_message_says_what_was_given_expected_and_what_to_do(case: str) -> None:
    attention, arguments, error, said = CASES[case]
    with pytest.raises(error) as raised:
        show(attention, **arguments)
    assert [part for part in said if part not in str(raised.value)] == []


def test_a_model_with_a_fast_kernel_returns_no_weights() -> None:
    model = real_model("bert")
    model.set_attn_implementation("sdpa")
    with pytest.raises(HeadlightError, match="eager"):
        show(model(some_ids(4)))


def test_dropout_that_scales_weights_over_1_is_told_as_such() -> None:
    torch.manual_seed(0)
    layer = torch.nn.MultiheadAttention(8, 2, dropout=0.5, batch_first=True).train()
    states = torch.randn(1, 2, 8)
    weights = max((layer(states, states, states, average_attn_weights=False)[1] for _ in range(20)), key=torch.amax)
    with pytest.raises(RecordError, match=r"model\.eval\(\)"):
        show(weights)
