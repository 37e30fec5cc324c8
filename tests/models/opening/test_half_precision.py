"""Models in bfloat16 and float16: every question has an answer, near that of float32, in float32 arrays."""

from __future__ import annotations

from dataclasses import fields, is_dataclass, replace
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from torch import nn

from models.huggingface.model import load_huggingface
from models.model import Model
from models.recording.attention_call import AttentionCall, cast_bias, fused_output, output_and_weights
from models.recording.recorder import attend, recording
from models.recording.weights_alone import records_from_weights
from models.values.errors import DeviceError, UnsupportedModelError
from models.values.probing.contrast import Contrast
from models.values.record import Recording, Token
from tests.closeness import assert_at_most, assert_close
from tests.loaded import load
from tests.models.huggingface.families import FAMILIES, WEIGHTS_ALONE, WRITTEN_OUT, save

HALF = ("bfloat16", "float16")
NEAR = {"bfloat16": 0.05, "float16": 0.01}
TEXT, MASKED = "The man had a red car.", "The [MASK] had a red car."
CONTRAST = Contrast(of="sentence", position=None, answer=0, rival=1)
NEXT = Contrast(of="next", position=3, answer=5, rival=6)
PAIR: dict[str, Any] = {"text_b": TEXT}
ASKED: dict[str, tuple[tuple[str, tuple[Any, ...], dict[str, Any]], ...]] = {
    "mini-bert": (
        ("record_shuffled", (TEXT,), {"with_positions": False}),
        ("masked_words", (MASKED,), {}),
        ("fill_mask", (MASKED,), {}),
        ("predict_by_layer", (MASKED,), {}),
        ("fill_jointly", (MASKED,), {}),
        ("next_sentence", (TEXT, TEXT), {}),
        ("guess_tokens", (TEXT,), {}),
        ("answer_logits", (TEXT,), PAIR),
        ("layer_inputs", (MASKED,), {}),
        ("head_circuits", (MASKED,), {}),
        ("gradients", (TEXT,), PAIR | {"contrast": CONTRAST}),
        ("gradients", (TEXT,), PAIR | {"contrast": CONTRAST, "by": "outputs"}),
        ("answer_streams", (TEXT,), PAIR | {"contrast": CONTRAST}),
        ("score_streams", (TEXT,), {"place": ("encoder", 1, 2), "query": 3, "key": 1}),
        ("positions", (), {}),
    ),
    "mini-llama": (
        ("guess_tokens", (TEXT,), {}),
        ("answer_logits", (TEXT,), {}),
        ("positions", (), {}),
        ("gradients", (TEXT,), {"contrast": NEXT}),
        ("answer_streams", (TEXT,), {"contrast": NEXT}),
    ),
    "sentiment": (("label_text", (TEXT,), {}),),
    "tagger": (("label_tokens", (TEXT,), {}),),
}


@cache
def opened(name: str, dtype: str = "float32") -> Model:
    return load(name, device="cpu", dtype=dtype)


def arrays_in(value: Any) -> list[np.ndarray]:
    """Every array of numbers in a value, in its order."""
    if isinstance(value, np.ndarray):
        return [value]
    if is_dataclass(value):
        return [found for each in fields(value) for found in arrays_in(getattr(value, each.name))]
    return [found for item in value for found in arrays_in(item)] if isinstance(value, tuple | list) else []


@pytest.mark.parametrize("dtype", HALF)
@pytest.mark.parametrize("name", ["mini-bert", "mini-gpt", "mini-llama", "translator-es"])
def test_a_recording_is_near_that_of_float32_and_says_in_what_it_was_made(name: str, dtype: str) -> None:
    found, expected = opened(name, dtype).record(TEXT), opened(name).record(TEXT)
    assert (found.info.dtype, expected.info.dtype) == (dtype, "float32")
    assert found.info.place == f"cpu {dtype}"
    assert found.kinds == expected.kinds
    for array in arrays_in(found):
        assert array.dtype == np.float32
    assert_close(found.final_state, expected.final_state, tolerance=NEAR[dtype])
    for one, other in zip(found.attention, expected.attention, strict=True):
        assert [np.isneginf(bias).sum() for bias in one.bias] == [np.isneginf(bias).sum() for bias in other.bias]
        for layer in range(one.n_layers):
            weights = one.layer_weights(layer)
            assert_close(weights, other.layer_weights(layer), tolerance=2 * NEAR[dtype], magnitude=1)
            assert_close(weights.sum(axis=-1), 1, tolerance=1e-5, magnitude=1)


@pytest.mark.parametrize("dtype", HALF)
@pytest.mark.parametrize("name", ASKED)
def test_every_question_is_answered_as_in_float32(name: str, dtype: str) -> None:
    for question, words, choices in ASKED[name]:
        found, expected = (getattr(opened(name, each), question)(*words, **choices) for each in (dtype, "float32"))
        pairs = list(zip(arrays_in(found), arrays_in(expected), strict=True))
        for one, other in pairs:
            assert one.dtype == other.dtype
            if one.dtype == np.float32 and np.isfinite(other).all():
                assert_close(one, other, tolerance=0.15, magnitude=max(1.0, float(np.abs(other).max(initial=0))))
        if isinstance(expected, float):
            assert_close(found, expected, tolerance=NEAR[dtype], magnitude=1)


@pytest.mark.parametrize("dtype", HALF)
@pytest.mark.parametrize("name", ["mini-bert", "mini-gpt", "mini-llama", "translator-es"])
def test_a_walk_finds_the_same_steps_by_their_numbers(name: str, dtype: str) -> None:
    for kind in opened(name).info.kinds:
        found, expected = (opened(name, each).walk(TEXT, kind=kind, layer=0, head=1) for each in (dtype, "float32"))
        assert [step.name for step in found.steps] == [step.name for step in expected.steps]
        assert (found.norm, found.norm_kind, found.missing) == (expected.norm, expected.norm_kind, expected.missing)
        assert dtype in found.note
        assert "float32" not in expected.note


def test_probabilities_of_labels_sum_to_1_whatever_the_precision() -> None:
    labels: Any = opened("tagger", "bfloat16").label_tokens(TEXT)
    assert_close(labels.probabilities.sum(axis=-1), 1, tolerance=1e-5, magnitude=1)


# -- transformers -----------------------------------------------------------------------------------------------------

BY_NUMBERS = ("opt", "t5", "gpt_oss", "gemma2", "gptj", "gpt_neo", "deberta-v2", "distilbert")
"""Scales in the queries, weights that stay in float32, sinks and soft caps, queries in float32 beside values in half
precision, weights alone, and a table of sinusoids."""


@pytest.mark.parametrize("name", BY_NUMBERS)
def test_what_is_found_by_numbers_is_found_in_half_precision_too(name: str, tmp_path: Path) -> None:
    folder = str(save((FAMILIES | WRITTEN_OUT | WEIGHTS_ALONE)[name], tmp_path))
    exact = load_huggingface(folder, name="tiny")
    expected = exact.record(TEXT)
    for dtype in HALF:
        model = load_huggingface(folder, name="tiny", dtype=dtype)
        found = model.record(TEXT)
        assert_close(found.hidden_states, expected.hidden_states, tolerance=NEAR[dtype])
        for one, other in zip(found.attention, expected.attention, strict=True):
            assert (one.scale, one.soft_cap, one.has_vectors) == (other.scale, other.soft_cap, other.has_vectors)
            assert (one.output_norms is None) == (other.output_norms is None)
            if one.has_vectors:
                masks = [[np.isneginf(bias) for bias in each.bias] for each in (one, other)]
                assert all(map(np.array_equal, *masks))
            for layer in range(one.n_layers):
                sinks = np.stack([one.sink_shares(layer, head) for head in range(one.n_heads)])
                assert_close(one.layer_weights(layer).sum(axis=-1) + sinks, 1, tolerance=1e-5, magnitude=1)
        assert model.positions().scheme == exact.positions().scheme
        assert model.info.can_fill_mask == exact.info.can_fill_mask


def test_weights_that_a_family_keeps_in_float32_stay_so(tmp_path: Path) -> None:
    folder = str(save(FAMILIES["t5"], tmp_path))
    kept: dict[str, set[torch.dtype]] = {}
    for dtype in HALF:
        model = load_huggingface(folder, name="tiny", dtype=dtype)
        kept[dtype] = {weight.dtype for name, weight in model.model.named_parameters() if ".wo." in name}
    assert kept == {"bfloat16": {torch.bfloat16}, "float16": {torch.float32}}


def test_numbers_too_large_for_float16_are_refused_with_a_way_out(tmp_path: Path) -> None:
    folder = str(save(FAMILIES["bert"], tmp_path))

    def load_large(dtype: str) -> Recording:
        own = nn.Embedding.forward
        with pytest.MonkeyPatch.context() as patched:
            patched.setattr(nn.LayerNorm, "forward", lambda self, given: given * 1e3)
            patched.setattr(nn.Embedding, "forward", lambda self, given: own(self, given) * 1e3)
            return load_huggingface(folder, name="tiny", dtype=dtype).record(TEXT)

    assert np.isfinite(load_large("bfloat16").final_state).all()
    with pytest.raises(DeviceError, match="bfloat16") as told:
        load_large("float16")
    assert "tiny" in str(told.value)


# -- masks ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("dtype", [torch.bfloat16, torch.float16])
def test_masks_take_the_numbers_of_the_queries(dtype: torch.dtype) -> None:
    lowest = torch.finfo(torch.float32).min
    bias = torch.tensor([0.0, 1.5, lowest, -torch.inf, -1e6])[None, None, None]
    found = cast_bias(bias, dtype)[0, 0, 0]
    assert found.dtype == dtype
    assert found[2] == torch.finfo(dtype).min
    assert found[3] == -torch.inf
    assert found[:2].tolist() == [0.0, 1.5]
    assert cast_bias(found, torch.float32)[2] == lowest
    assert torch.isfinite(cast_bias(torch.full((1,), lowest), dtype)).all()


@pytest.mark.parametrize("dtype", [torch.bfloat16, torch.float16])
def test_float32_biases_stand_beside_half_precision_queries_everywhere(dtype: torch.dtype) -> None:
    torch.manual_seed(0)
    query, key, value = (torch.randn(1, 2, 4, 8, dtype=torch.float64) for _ in range(3))
    bias, sinks = torch.randn(1, 1, 4, 4).tril() + torch.full((4, 4), -torch.inf).triu(1), torch.randn(1, 2, 1, 1)
    for soft_cap, with_sinks in ((None, None), (2.0, None), (None, sinks)):
        exact = AttentionCall(
            kind="encoder",
            query=query,
            key=key,
            value=value,
            bias=bias.double(),
            scale=0.3,
            soft_cap=soft_cap,
            sinks=None if with_sinks is None else with_sinks.double(),
        )
        call = replace(exact.in_dtype(dtype), bias=bias, sinks=with_sinks)
        with recording() as calls:
            outputs = [attend(call)]
        outputs += [output_and_weights(calls[0])[0], fused_output(calls[0])]
        for output in outputs:
            assert output.dtype == dtype
            assert_close(output.double(), output_and_weights(exact)[0], tolerance=0.04)
        assert calls[0].bias is not None
        assert calls[0].bias.dtype == dtype
    causal = fused_output(replace(call, bias=None, is_causal=True, sinks=None, soft_cap=2.0))
    assert causal.dtype == dtype


# -- weights alone ----------------------------------------------------------------------------------------------------


def handed_out(weights: torch.Tensor) -> Any:
    tokens = tuple(Token(text=str(at)) for at in range(weights.shape[-1]))
    given = {"encoder": (weights,)}
    return records_from_weights(given, name="tiny", tokens={"encoder": tokens}, n_layers={"encoder": 1})[0]


@pytest.mark.parametrize("dtype", [torch.bfloat16, torch.float16])
def test_rows_sum_to_1_as_far_as_the_precision_of_weights_alone_goes(dtype: torch.dtype) -> None:
    torch.manual_seed(0)
    exact = (3 * torch.randn(1, 4, 50, 50)).softmax(dim=-1)
    rounded = exact.to(dtype)
    off = (rounded.float().sum(dim=-1) - 1).abs().max()
    assert off > 1e-4, "this precision needs no more room than float32"
    assert_at_most(off, torch.finfo(dtype).eps)
    record = handed_out(rounded)
    assert_close(record.layer_weights(0).sum(axis=-1), 1, tolerance=1e-5, magnitude=1)
    assert_close(record.layer_weights(0), exact[0].numpy(), tolerance=0.01, magnitude=1)
    for wrong in (rounded * 0.9, rounded.float() * (1 + torch.finfo(dtype).eps)):
        with pytest.raises(UnsupportedModelError, match="sum to 1"):
            handed_out(wrong)
