"""Families that do not pass by transformers' attention interface: what they write out, and what they hand out."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
import torch
from torch import nn

from models.analysis import attribute, attribution_methods, measure_heads
from models.huggingface.attention_interface import headlight_attention, running
from models.huggingface.model import HuggingFaceModel, load_huggingface
from models.recording.attention_call import output_and_weights
from models.recording.recorder import intervening, recording
from models.recording.written_out import handing_over
from models.values.errors import HeadlightError, MissingCapabilityError, UnsupportedModelError
from models.values.positions import ModelPositions
from models.values.probing.changes import HeadEdit
from models.values.record import Kind
from tests.closeness import assert_close
from tests.models.huggingface.eager import expect_own_weights, expect_whole_rows
from tests.models.huggingface.families import UNRECORDABLE, WEIGHTS_ALONE, WRITTEN_OUT, byte_level, save
from tests.models.huggingface.registry import tiny_models
from viz.attention.transform import refused_quantities, select
from viz.kit.errors import NO_VECTORS, PictureError
from viz.positions.formulas import alibi_slopes
from viz.viewer.about import describe_recording
from viz.viewer.files import all_heads_npz

TEXT = "The animal didn't cross the street because it was too tired."
TOLERANCE = 1e-5
OUTPUTS = {
    "bloom": "h.1.self_attention.dense",
    "falcon": "h.1.self_attention.dense",
    "gpt_neo": "h.1.attn.attention.out_proj",
    "gptj": "h.1.attn.out_proj",
    "mpnet": "encoder.layer.1.attention.attn.o",
}
"""What reads the heads of Layer 1 side by side."""


@pytest.fixture(scope="module")
def folders(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    families = WRITTEN_OUT | WEIGHTS_ALONE | UNRECORDABLE
    return {name: save(family, tmp_path_factory.mktemp(name)) for name, family in families.items()}


def opened(folders: dict[str, Path], name: str) -> HuggingFaceModel:
    return load_huggingface(str(folders[name]), name=name)


# -- written out ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", WRITTEN_OUT)
def test_weights_that_are_written_out_are_recorded_with_their_queries_and_keys(
    folders: dict[str, Path], name: str
) -> None:
    model = opened(folders, name)
    recorded = model.record(TEXT)
    expect_own_weights(model, folders[name], recorded)
    assert model.info.has_vectors
    assert recorded.attention[0].query.shape[1:] == (4, len(recorded.tokens), 8)


@pytest.mark.parametrize("name", WRITTEN_OUT)
def test_a_head_that_is_switched_off_gives_nothing_to_what_reads_it(folders: dict[str, Path], name: str) -> None:
    model = opened(folders, name)
    kind: Kind = model.info.kinds[0]
    with intervening({(kind, 1, 2): "zero"}):
        changed = model.record(TEXT)

    def off(_module: torch.nn.Module, given: tuple[torch.Tensor, ...]) -> tuple[torch.Tensor, ...]:
        heads = given[0].clone()  # [b, n_tokens, n_heads * d_head]
        heads[..., 2 * 8 : 3 * 8] = 0
        return (heads, *given[1:])

    body = model.model.base_model
    ids = torch.tensor([model.prepare(TEXT).input_ids])
    hook = body.get_submodule(OUTPUTS[name]).register_forward_pre_hook(off)
    with torch.inference_mode():
        expected = body(input_ids=ids, attention_mask=torch.ones_like(ids)).last_hidden_state[0]
    hook.remove()
    assert_close(changed.final_state, expected.numpy())
    assert np.abs(changed.final_state - model.record(TEXT).final_state).max() > 1e-3


@pytest.mark.parametrize("name", [name for name, family in WRITTEN_OUT.items() if family.is_causal])
def test_a_text_is_continued_with_what_the_model_itself_finds_likeliest(folders: dict[str, Path], name: str) -> None:
    model = opened(folders, name)
    written = model.continue_text(TEXT, n_new=6, temperature=0.0)
    prompt = [token.text for token in written.recording.tokens[: written.written[0].position + 1]]
    ids = torch.tensor(
        [[*model.tokenizer.convert_tokens_to_ids(prompt), *(token.token_id for token in written.written)]]
    )
    with torch.inference_mode():
        likeliest = model.model(input_ids=ids, attention_mask=torch.ones_like(ids)).logits[0].argmax(-1)
    assert len(written.written) > 1
    assert [token.token_id for token in written.written] == [int(likeliest[each.position]) for each in written.written]


def test_a_model_with_alibi_shows_its_slopes_in_its_bias(folders: dict[str, Path]) -> None:
    model = opened(folders, "bloom")
    positions: ModelPositions = model.positions()
    assert positions.scheme == "alibi"
    assert positions.slopes is not None
    assert_close(np.divide(positions.slopes, alibi_slopes(4)), 1)
    record = model.record(TEXT).attention[0]
    for head, slope in enumerate(positions.slopes):
        last = record.bias_of(2, head)[-1]  # the last query sees all keys
        assert_close(np.diff(last), slope)


@pytest.mark.parametrize("given", [lambda q, k: q @ k + q @ k, lambda q, k: (q @ k).tanh(), lambda q, k: (q @ k) * q])
def test_scores_that_are_no_scaled_product_and_a_bias_are_not_handed_over(given: object) -> None:
    assert callable(given)
    query, value = torch.randn(1, 2, 4, 4), torch.randn(1, 2, 4, 4)
    with recording() as calls, handing_over("encoder", 1):
        given(query, query.transpose(-1, -2)).softmax(-1) @ value
    assert not calls


def test_factors_masks_and_changes_of_shape_are_followed() -> None:
    torch.manual_seed(0)
    query, key, value = torch.randn(3, 6, 5, 4).unbind()  # [b * n_heads, n_tokens, d_head], b = 2
    ahead = torch.ones(5, 5, dtype=torch.bool).triu(1)
    with recording() as calls, handing_over("decoder", 2):
        scores = torch.bmm(query, key.transpose(1, 2)) * 3 / torch.tensor(2.0)
        scores = (scores.view(2, 3, 5, 5) + 0.5).masked_fill_(ahead, torch.finfo(torch.float32).min)
        assert not calls
        scores = torch.bmm(query, key.transpose(1, 2)).mul_(3).div(2).view(2, 3, 5, 5)
        scores = torch.where(~ahead, scores, -1e9) + torch.linspace(0, 1, 5)
        weights = scores.softmax(-1)
        given = torch.matmul(weights, value.view(2, 3, 5, 4))
    (call,) = calls
    assert call.scale == 1.5
    assert call.query.shape == (2, 3, 5, 4)
    assert_close(output_and_weights(call)[1], weights)
    assert_close(given, weights @ value.view(2, 3, 5, 4))


# -- weights alone ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["xlnet", "deberta-v2"])
def test_weights_that_are_handed_out_are_recorded_alone(folders: dict[str, Path], name: str) -> None:
    model = opened(folders, name)
    recorded = model.record(TEXT, "He bought bread!")
    expect_own_weights(model, folders[name], recorded)
    assert not model.info.has_vectors
    record = recorded.attention[0]
    assert not record.has_vectors
    assert record.head_output(0, 0).shape == (len(recorded.tokens), 0)
    assert recorded.hidden_states.shape == (model.info.n_layers + 1, len(recorded.tokens), model.info.d_model)


@pytest.mark.parametrize("name", ["longformer", "led", "longt5"])
def test_a_band_of_weights_is_spread_over_all_tokens(folders: dict[str, Path], name: str) -> None:
    model = opened(folders, name)
    record = model.record(TEXT).of("encoder")
    reach = 2  # half of the window, and the radius, in their configurations
    apart = np.abs(np.subtract.outer(range(record.n_query), range(record.n_key)))
    for layer in range(record.n_layers):
        weights = record.layer_weights(layer)
        assert_close(weights.sum(axis=-1), 1, tolerance=TOLERANCE, magnitude=1)
        assert (weights[:, apart > reach] == 0).all()
        assert (weights[:, apart <= reach] > 0).all()


@pytest.mark.parametrize("name", WEIGHTS_ALONE)
def test_what_needs_more_than_weights_says_so(folders: dict[str, Path], name: str) -> None:
    model = opened(folders, name)
    recorded = model.record(TEXT)
    record = recorded.attention[0]
    for quantity, reason in refused_quantities(record).items():
        assert reason == NO_VECTORS
        with pytest.raises(PictureError, match="only its weights"):
            select(record, layer=0, head=0, quantity=quantity)
    with pytest.raises(MissingCapabilityError, match=rf"^{name} \(family"):
        model.walk(TEXT, kind=record.kind, layer=0, head=0)
    edit = HeadEdit(kind=record.kind, layer=0, head=0, by="zero")
    with pytest.raises(MissingCapabilityError, match="its heads cannot be changed"):
        model.write_without(TEXT, heads=[edit])


@pytest.mark.parametrize("name", WEIGHTS_ALONE)
def test_what_needs_weights_works(folders: dict[str, Path], name: str) -> None:
    recorded = opened(folders, name).record(TEXT)
    record = recorded.attention[0]
    assert select(record, layer=0, head=None).values.shape == (record.n_query, record.n_key)
    sent = describe_recording(recorded, name=name)
    assert set(sent["kinds"][0]["refused"]) == {"scores", "value_weighted", "output_weighted"}
    assert b"".join(all_heads_npz(recorded, kind=record.kind)).startswith(b"PK")
    shares = measure_heads([record])
    assert np.isfinite(shares.values).all()


def test_no_matrices_are_found_where_only_weights_are_given(folders: dict[str, Path]) -> None:
    assert opened(folders, "deberta-v2").head_circuits(TEXT) == ()


def test_every_method_of_attribution_answers_or_says_why_not(folders: dict[str, Path]) -> None:
    model = opened(folders, "deberta-v2")
    answered, refused = set[str](), dict[str, str]()
    for method in attribution_methods():
        try:
            found = attribute(model, f"The animal {model.tokenizer.mask_token} the street", method.name)
        except HeadlightError as error:
            refused[method.name] = str(error)
        else:
            assert np.isfinite(found.scores).all()
            answered.add(method.name)
    assert all("deberta-v2" in said for said in refused.values()), refused
    assert {"raw", "rollout", "gradient_input", "integrated"} <= answered


# -- attention to some tokens, or to none ----------------------------------------------------------------------------


def opened_tiny(family: str, folder: Path) -> HuggingFaceModel:
    """A tiny model of a family of the registry, from a folder."""
    next(tiny_models(family)).save_pretrained(folder)
    byte_level().save_pretrained(folder)
    return load_huggingface(str(folder), name=family)


def test_keys_that_a_query_has_not_chosen_are_hidden(tmp_path: Path) -> None:
    record = opened_tiny("deepseek_v32", tmp_path).record(TEXT).attention[0]
    for layer in range(record.n_layers):
        seen = (record.layer_weights(layer) > 0).sum(axis=-1)  # [n_heads, n_query]
        n_before = np.arange(1, record.n_query + 1)
        np.testing.assert_array_equal(seen, np.broadcast_to(np.minimum(n_before, 4), seen.shape))
    assert record.n_query > 8


def test_blocks_that_a_query_has_not_chosen_are_hidden(tmp_path: Path) -> None:
    record = opened_tiny("minimax_m3_vl_text", tmp_path).record(TEXT).attention[0]
    sparse = [layer for layer in range(record.n_layers) if np.isneginf(record.bias_of(layer, 0)[-1]).any()]
    assert sparse
    for layer in sparse:
        seen = np.isfinite(record.bias_of(layer, 0))  # [n_query, n_key]
        assert seen.sum(axis=-1).max() == 4  # two blocks of two
        assert seen.diagonal().all()  # its own among them


def test_blocks_that_nobody_can_place_are_refused_in_a_sentence() -> None:
    heads = torch.zeros(1, 2, 3, 4)
    with (
        running("tiny", {}),
        pytest.raises(UnsupportedModelError, match=r"^The attention of tiny chooses blocks .*\.$"),
    ):
        headlight_attention(nn.Identity(), heads, heads, heads, None, block_indices=torch.zeros(1, 1, 3, 1))


def test_a_layer_without_sinks_stands_beside_layers_with_them(tmp_path: Path) -> None:
    """MiMo gives sinks to its layers with a window alone."""
    record = opened_tiny("mimo_v2_flash", tmp_path).record(TEXT).attention[0]
    assert {record.has_sinks(layer) for layer in range(record.n_layers)} == {True, False}
    for layer in range(record.n_layers):
        expect_whole_rows(record, layer)


# -- neither ----------------------------------------------------------------------------------------------------------


def test_a_family_without_attention_is_refused_in_a_sentence(folders: dict[str, Path]) -> None:
    with pytest.raises(UnsupportedModelError, match=r"^fnet gives no encoder attention weights .*\.$"):
        opened(folders, "fnet")
