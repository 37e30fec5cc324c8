"""The walk through a layer: every step leads from its input to its output, and arrives where the model arrives."""

from __future__ import annotations

from itertools import pairwise
from typing import get_args

import numpy as np
import pytest
import torch

from models.huggingface.model import HuggingFaceModel, load_huggingface
from models.recording.watched_copy import watched_copy
from models.scratch.config import TransformerConfig
from models.scratch.pretraining import PretrainingModel
from models.scratch_models.encoder import ScratchModel
from models.values.errors import SelectionError, UnsupportedModelError
from models.values.record import Array, softmax
from models.values.steps import STEP_NAMES, STEP_OF_WHAT_IF, LayerWalk, StepName, WhatIf, WhatIfName
from tests.closeness import assert_close, is_close
from tests.loaded import load
from tests.models.huggingface.families import FAMILIES, save, wordpiece

TEXT, TEXT_B = "The animal didn't cross the street.", "It was too tired."
OF_TODAY: set[StepName] = {"rotation", "grouping", "gate"}
PRE_LN = set(STEP_NAMES) - {"embedding_norm"} - OF_TODAY
POST_LN = set(STEP_NAMES) - {"attention_norm", "feed_forward_norm"} - OF_TODAY
ATTENTION: set[StepName] = {"projections", "scores", "scaling", "mask", "softmax", "weighted_sum", "concatenation"}


@pytest.fixture(scope="module")
def mini_bert() -> ScratchModel:
    model = load("mini-bert", device="cpu")
    assert isinstance(model, ScratchModel)
    return model


@pytest.fixture(scope="module")
def models(tmp_path_factory: pytest.TempPathFactory) -> dict[str, HuggingFaceModel]:
    folders = {name: save(family, tmp_path_factory.mktemp(name)) for name, family in FAMILIES.items()}
    return {name: load_huggingface(str(folder), name=name) for name, folder in folders.items()}


def out(walk: LayerWalk, name: StepName, number: int = -1) -> Array:
    return walk.step(name).outputs[number].values


def given(walk: LayerWalk, name: StepName, number: int = 0) -> Array:
    return walk.step(name).inputs[number].values


def norm(x: Array, layer_norm: torch.nn.LayerNorm) -> Array:
    centred = x - x.mean(axis=-1, keepdims=True)
    spread = np.sqrt((centred**2).mean(axis=-1, keepdims=True) + layer_norm.eps)
    return centred / spread * layer_norm.weight.numpy() + layer_norm.bias.numpy()


def linear(x: Array, layer: torch.nn.Linear) -> Array:
    return x @ layer.weight.numpy().T + layer.bias.numpy()


@pytest.mark.parametrize("layer", [0, 2])
def test_every_step_of_the_scratch_bert_follows_from_the_one_before(mini_bert: ScratchModel, layer: int) -> None:
    head, d_head = 3, mini_bert.info.d_head
    recording = mini_bert.record(TEXT, TEXT_B)
    walk = mini_bert.walk(TEXT, TEXT_B, layer=layer, head=head)
    embeddings, block = mini_bert.model.encoder.embeddings, mini_bert.model.encoder.layers[layer]
    assert set(walk.names) == POST_LN
    assert walk.names == tuple(name for name in STEP_NAMES if name in walk.names)
    assert not walk.missing

    ids = mini_bert.prepare(TEXT, TEXT_B).input_ids
    token, position, segment = sorted(walk.step("embeddings").inputs, key=lambda array: "EPS".index(array.symbol))
    np.testing.assert_array_equal(token.values, embeddings.token.weight[list(ids)].numpy())
    np.testing.assert_array_equal(position.values, embeddings.position.weight[: len(ids)].numpy())
    np.testing.assert_array_equal(segment.values, embeddings.segment.weight[[t.segment for t in walk.query_tokens]])
    total = token.values + position.values + segment.values
    assert_close(out(walk, "embeddings"), total)
    assert_close(out(walk, "embedding_norm"), norm(total, embeddings.norm))
    assert_close(out(walk, "embedding_norm"), recording.hidden_states[0])

    x = given(walk, "projections")
    assert_close(x, recording.hidden_states[layer])
    rows = slice(head * d_head, (head + 1) * d_head)
    projections = (block.attention.query, block.attention.key, block.attention.value)
    for number, projection in enumerate(projections):
        assert_close(out(walk, "projections", number), linear(x, projection)[:, rows])
    query, key, value = (array.values for array in walk.step("projections").outputs)
    assert_close(out(walk, "scores"), query @ key.T)
    assert_close(out(walk, "scaling"), query @ key.T / np.sqrt(d_head))
    assert_close(out(walk, "softmax"), recording.of("encoder").weights(layer, head))
    assert_close(out(walk, "weighted_sum"), out(walk, "softmax") @ value)
    concatenated = out(walk, "concatenation")
    np.testing.assert_array_equal(concatenated[:, rows], out(walk, "weighted_sum"))
    assert_close(out(walk, "output_projection"), linear(concatenated, block.attention.output))
    summed = x + out(walk, "output_projection")
    assert_close(out(walk, "attention_residual", 0), summed)
    middle = norm(summed, block.attention_norm)
    assert_close(out(walk, "attention_residual"), middle)
    inner = linear(middle, block.feed_forward.expand)
    inner = torch.nn.functional.gelu(torch.from_numpy(inner)).numpy()
    assert_close(out(walk, "feed_forward", 0), inner)
    outer = linear(inner, block.feed_forward.contract)
    assert_close(out(walk, "feed_forward"), outer)
    arrived = norm(middle + outer, block.feed_forward_norm)
    assert_close(out(walk, "feed_forward_residual"), arrived)
    assert_close(out(walk, "feed_forward_residual"), recording.hidden_states[layer + 1])


def test_the_walks_of_all_layers_lead_from_the_embeddings_to_the_output(mini_bert: ScratchModel) -> None:
    walks = [mini_bert.walk(TEXT, layer=layer, head=layer) for layer in range(mini_bert.info.n_layers)]
    arrived = out(walks[0], "embedding_norm")
    for walk in walks:
        assert_close(given(walk, "projections"), arrived)
        arrived = out(walk, "feed_forward_residual")
    assert_close(arrived, mini_bert.record(TEXT).hidden_states[-1])


def test_scratch_and_hugging_face_take_the_same_steps(mini_bert: ScratchModel) -> None:
    theirs = load("models/pretrained/mini-bert", device="cpu")
    for what_if in (None, *(WhatIf(name=name, temperature=2.0, seed=4) for name in get_args(WhatIfName))):
        one = mini_bert.walk(TEXT, layer=1, head=2, what_if=what_if)
        other = theirs.walk(TEXT, layer=1, head=2, what_if=what_if)
        assert one.names == other.names
        assert (one.norm, one.scale) == (other.norm, other.scale)
        for step, same_step in zip(one.steps, other.steps, strict=True):
            for array, same_array in zip(
                sorted((*step.inputs, *step.outputs), key=lambda a: (a.symbol, a.name)),
                sorted((*same_step.inputs, *same_step.outputs), key=lambda a: (a.symbol, a.name)),
                strict=True,
            ):
                assert (array.name, array.symbol, array.columns) == (
                    same_array.name,
                    same_array.symbol,
                    same_array.columns,
                )
                assert_close(array.values, same_array.values)


COMPLETE = {
    "bert": POST_LN,
    "roberta": POST_LN,
    "distilbert": POST_LN,
    "albert": POST_LN,
    "electra": POST_LN,
    "roberta-prelayernorm": set(STEP_NAMES) - OF_TODAY,
    "esm": PRE_LN - {"embeddings"} | {"rotation"},
    "gpt2": PRE_LN,
    "opt": PRE_LN - {"embeddings"},
    "llama": PRE_LN | OF_TODAY,
    "qwen3": PRE_LN | OF_TODAY,
    "gemma2": PRE_LN | OF_TODAY,
    "gemma3_text": PRE_LN | OF_TODAY,
    "modernbert": PRE_LN | {"embedding_norm", "rotation"},
    "bart": POST_LN,
    "marian": POST_LN - {"embedding_norm"},
    "t5": PRE_LN,
    "switch_transformers": PRE_LN,
}


@pytest.mark.parametrize("name", FAMILIES)
def test_the_steps_that_a_family_shares_lead_to_its_own_numbers(models: dict[str, HuggingFaceModel], name: str) -> None:
    model = models[name]
    text_b = TEXT_B if model.is_encoder_decoder else None
    recording = model.record(TEXT, text_b)
    for kind in model.info.kinds:
        record = recording.of(kind)
        layer = record.n_layers - 1
        walk = model.walk(TEXT, text_b, kind=kind, layer=layer, head=2)
        shown = set(walk.names)
        assert shown >= COMPLETE.get(name, ATTENTION), (kind, walk.missing)
        assert walk.names == tuple(step for step in STEP_NAMES if step in shown)
        assert not shown & {missing.name for missing in walk.missing}
        assert walk.query_tokens == record.query_tokens
        assert walk.key_tokens == record.key_tokens
        assert_close(out(walk, "softmax"), record.weights(layer, 2))
        assert_close(out(walk, "weighted_sum"), record.head_output(layer, 2))
        if kind != "decoder" or not model.is_encoder_decoder:
            arrives(walk, recording.hidden_states[-1], is_stack=kind != "cross")


def arrives(walk: LayerWalk, state: Array, *, is_stack: bool) -> None:
    """Each residual step adds what it says, and the last one gives the layer's hidden state."""
    for name in ("attention_residual", "feed_forward_residual"):
        if name in walk.names:
            one, other = (array.values for array in walk.step(name).inputs)
            assert_close(out(walk, name, 0), one + other)
    if is_stack and "feed_forward_residual" in walk.names:
        assert_close(out(walk, "feed_forward_residual"), state)


@pytest.mark.parametrize("name", [name for name in get_args(WhatIfName) if name != "shuffled_positions"])
def test_a_what_if_changes_its_step_and_all_later_ones_but_none_before(
    mini_bert: ScratchModel, name: WhatIfName
) -> None:
    before = mini_bert.walk(TEXT, layer=1, head=0)
    after = mini_bert.walk(TEXT, layer=1, head=0, what_if=WhatIf(name=name, temperature=3.0))
    first = STEP_NAMES.index(STEP_OF_WHAT_IF[name])
    assert after.names == before.names
    for step in before.names:
        is_same = is_close(out(before, step), out(after, step))
        assert is_same == (STEP_NAMES.index(step) < first), step


def test_what_ifs_compute_what_they_say(mini_bert: ScratchModel) -> None:
    plain = mini_bert.walk(TEXT, layer=0, head=1)
    raw, scaled = out(plain, "scores"), out(plain, "scaling")

    def weights(name: WhatIfName, temperature: float = 1.0) -> Array:
        return out(mini_bert.walk(TEXT, layer=0, head=1, what_if=WhatIf(name=name, temperature=temperature)), "softmax")

    assert_close(weights("no_scaling"), softmax(raw))
    assert_close(weights("temperature", 2.5), softmax(scaled / np.float32(2.5)))
    causal = weights("causal")
    assert not np.triu(causal, 1).any()
    assert_close(causal.sum(axis=-1), 1)
    off = mini_bert.walk(TEXT, layer=0, head=1, what_if=WhatIf(name="head_off"))
    d_head = mini_bert.info.d_head
    assert not out(off, "concatenation")[:, d_head : 2 * d_head].any()
    kept = np.delete(out(plain, "concatenation"), range(d_head, 2 * d_head), axis=1)
    np.testing.assert_array_equal(np.delete(out(off, "concatenation"), range(d_head, 2 * d_head), axis=1), kept)
    shuffled = mini_bert.walk(TEXT, layer=0, head=1, what_if=WhatIf(name="shuffled_positions", seed=2))
    tokens, others = given(shuffled, "embeddings"), given(plain, "embeddings")
    np.testing.assert_array_equal(tokens, others)
    assert np.abs(weights("shuffled_positions") - out(plain, "softmax")).max() > 0.05


@pytest.mark.parametrize("name", ["opt", "esm"])
def test_a_model_that_scales_its_queries_shows_what_that_does(models: dict[str, HuggingFaceModel], name: str) -> None:
    model = models[name]
    (kind,) = model.info.kinds
    plain = model.walk(TEXT, kind=kind, layer=1, head=2)
    unscaled = model.walk(TEXT, kind=kind, layer=1, head=2, what_if=WhatIf(name="no_scaling"))
    assert plain.scale == model.info.d_head**-0.5
    assert_close(out(plain, "scaling"), out(plain, "scores") * plain.scale)
    assert_close(out(unscaled, "scaling"), out(plain, "scores"))
    assert np.abs(out(unscaled, "softmax") - out(plain, "softmax")).max() > 0.05
    assert np.abs(out(unscaled, "feed_forward_residual") - out(plain, "feed_forward_residual")).max() > 0.05


def test_nothing_is_left_on_a_model_that_was_watched(mini_bert: ScratchModel) -> None:
    mini_bert.walk(TEXT, layer=0, head=0)
    assert not any(module._forward_hooks or module._forward_pre_hooks for module in mini_bert.model.modules())
    copied = watched_copy(mini_bert.model)
    for (name, weight), (same_name, same_weight) in zip(
        mini_bert.model.named_parameters(), copied.named_parameters(), strict=True
    ):
        assert (name, id(weight)) == (same_name, id(same_weight))
    assert all(one is not other for one, other in zip(mini_bert.model.modules(), copied.modules(), strict=True))


def test_pre_ln_and_sinusoids_from_scratch_are_walked_too() -> None:
    config = TransformerConfig(d_vocab=600, d_model=32, n_layers=2, n_heads=4, d_ff=48, max_tokens=64, norm="pre")
    torch.manual_seed(0)
    model = ScratchModel(PretrainingModel(config), wordpiece(), name="pre", device=torch.device("cpu"))
    walk = model.walk(TEXT, layer=1, head=0)
    assert walk.norm == "pre"
    assert set(walk.names) == PRE_LN
    assert_close(out(walk, "feed_forward_residual"), model.record(TEXT).hidden_states[2])


def test_what_is_not_there_is_said(mini_bert: ScratchModel, models: dict[str, HuggingFaceModel]) -> None:
    for choice in ({"layer": 9, "head": 0}, {"layer": 0, "head": 9}, {"layer": 0, "head": 0, "kind": "cross"}):
        with pytest.raises(SelectionError):
            mini_bert.walk(TEXT, **choice)
    with pytest.raises(UnsupportedModelError, match="cannot be told"):
        models["t5"].walk(TEXT, layer=0, head=0, what_if=WhatIf(name="shuffled_positions"))
    with pytest.raises(ValueError, match="temperature"):
        WhatIf(name="temperature", temperature=0)


# -- shuffled texts ---------------------------------------------------------------------------------------------------

ORDER_FREE = ("bert", "roberta", "xlm-roberta", "albert", "electra", "roberta-prelayernorm")


@pytest.mark.parametrize("name", ["mini-bert", *ORDER_FREE])
def test_without_positions_attention_is_the_same_up_to_the_permutation(
    mini_bert: ScratchModel, models: dict[str, HuggingFaceModel], name: str
) -> None:
    model = mini_bert if name == "mini-bert" else models[name]
    for with_positions in (False, True):
        pair = model.record_shuffled(TEXT, TEXT_B, with_positions=with_positions, seed=3)
        order = list(pair.order)
        assert sorted(order) == list(range(len(order)))
        assert order != list(range(len(order)))
        assert pair.shuffled.tokens == tuple(pair.written.tokens[place] for place in order)
        assert all(place == at for at, place in enumerate(order) if pair.written.tokens[at].is_special)
        written, shuffled = pair.written.of("encoder"), pair.shuffled.of("encoder")
        pairs = [
            (written.weights(layer, head)[np.ix_(order, order)], shuffled.weights(layer, head))
            for layer in range(written.n_layers)
            for head in range(written.n_heads)
        ]
        if with_positions:
            assert max(np.abs(one - other).max() for one, other in pairs) > 0.02
        else:
            assert_close(*np.stack(pairs, axis=1))
    plain = model.record(TEXT, TEXT_B)
    assert_close(pair.written.of("encoder").weights(1, 1), plain.of("encoder").weights(1, 1))


def test_models_whose_order_cannot_be_taken_away_say_so(models: dict[str, HuggingFaceModel]) -> None:
    for name, why in (("t5", "cannot be told"), ("gpt2", "left to right")):
        with pytest.raises(UnsupportedModelError, match=why):
            models[name].record_shuffled(TEXT, with_positions=False)


def test_a_shuffled_text_is_never_the_written_one(mini_bert: ScratchModel) -> None:
    orders = [mini_bert.record_shuffled("Dogs bark.", with_positions=True, seed=seed).order for seed in range(6)]
    assert all(order != tuple(range(len(order))) for order in orders)
    assert len(set(orders)) > 1
    assert all(one != other for one, other in pairwise([*dict.fromkeys(orders)]))
