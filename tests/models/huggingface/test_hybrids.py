"""Families that have attention in some of their layers only, or something else beside it in all."""

from __future__ import annotations

import io
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch

from models.analysis import ablate, attribute, attribution_methods, patch
from models.huggingface.model import HuggingFaceModel, load_huggingface
from models.huggingface.recorded import sample_tokens
from models.huggingface.trial import expect_calls_of_these_layers
from models.values.errors import HeadlightError, SelectionError, UnsupportedModelError
from models.values.probing.changes import Changes, HeadEdit
from tests.closeness import assert_close
from tests.models.huggingface.eager import expect_own_weights
from tests.models.huggingface.families import BESIDE_ATTENTION, HYBRIDS, save
from viz.attention.hybrid import other_layers_note
from viz.viewer.files import all_heads_npz
from viz.viewer.html import viewer_html

TEXT = "The animal didn't cross the street because it was too tired."
OWN = (1, 3)
"""The layers of HYBRIDS that have attention, of 0 to 4."""
OUTPUTS = {
    "jamba": "self_attn.o_proj",
    "qwen3_next": "self_attn.o_proj",
    "lfm2": "self_attn.out_proj",
    "nemotron_h": "mixer.o_proj",
}
"""What reads the heads of a layer side by side."""
hybrids = pytest.mark.parametrize("name", HYBRIDS)


@pytest.fixture(scope="module")
def folders(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    return {name: save(family, tmp_path_factory.mktemp(name)) for name, family in (HYBRIDS | BESIDE_ATTENTION).items()}


def opened(folders: dict[str, Path], name: str) -> HuggingFaceModel:
    return _opened(folders[name], name)


@cache
def _opened(folder: Path, name: str) -> HuggingFaceModel:
    return load_huggingface(str(folder), name=name)


def own_pass(model: HuggingFaceModel, **options: bool) -> Any:
    """What the model says of TEXT by itself."""
    ids = torch.tensor([model.prepare(TEXT).input_ids])
    with torch.inference_mode():
        return model.model(input_ids=ids, attention_mask=torch.ones_like(ids), use_cache=False, **options)


@hybrids
def test_the_layers_with_attention_are_recorded_and_know_their_own_numbers(folders: dict[str, Path], name: str) -> None:
    model = opened(folders, name)
    recorded = model.record(TEXT)
    expect_own_weights(model, folders[name], recorded)
    assert (model.info.n_layers, model.info.layer_numbers) == (len(OWN), OWN)
    own = own_pass(model, output_hidden_states=True).hidden_states
    assert len(own) == 6
    expected = np.stack([own[at][0].numpy() for at in (0, *(number + 1 for number in OWN))])
    assert_close(recorded.hidden_states, expected)
    assert_close(recorded.final_state, own[-1][0].numpy())


@hybrids
def test_a_model_whose_calls_come_out_of_other_layers_is_refused(
    folders: dict[str, Path], name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    model = opened(folders, name)
    monkeypatch.setattr(model.network, "layer_numbers", (0, 3))
    with pytest.raises(UnsupportedModelError, match=f"^{name} is of the family"):
        expect_calls_of_these_layers(model.network, sample_tokens(model.network))


@hybrids
def test_a_head_that_is_switched_off_is_one_of_the_layer_that_the_model_calls_so(
    folders: dict[str, Path], name: str
) -> None:
    model = opened(folders, name)
    edit = HeadEdit(kind="decoder", layer=1, head=2, by="zero")
    found = model.answer_logits(TEXT, changes=Changes(heads=(edit,)))

    def off(_module: torch.nn.Module, given: tuple[torch.Tensor, ...]) -> tuple[torch.Tensor, ...]:
        heads = given[0].clone()  # [b, n_tokens, n_heads * d_head]
        heads[..., 2 * 8 : 3 * 8] = 0
        return (heads, *given[1:])

    whole = own_pass(model).logits[0, found.position].numpy()
    module = model.model.base_model.get_submodule(f"layers.{OWN[1]}.{OUTPUTS[name]}")
    hook = module.register_forward_pre_hook(off)
    try:
        expected = own_pass(model).logits[0, found.position].numpy()
    finally:
        hook.remove()
    assert_close(found.logits, expected)
    assert np.abs(expected - whole).max() > 1e-2


@pytest.mark.parametrize("name", HYBRIDS | BESIDE_ATTENTION)
def test_a_text_is_continued_with_what_the_model_itself_finds_likeliest(folders: dict[str, Path], name: str) -> None:
    model = opened(folders, name)
    written = model.continue_text(TEXT, n_new=5, temperature=0.0)
    prompt = [token.text for token in written.recording.tokens[: written.written[0].position + 1]]
    said = [token.token_id for token in written.written]
    ids = torch.tensor([[*model.tokenizer.convert_tokens_to_ids(prompt), *said]])
    with torch.inference_mode():
        likeliest = model.model(input_ids=ids, use_cache=False).logits[0].argmax(-1)
    assert len(said) > 1
    assert said == [int(likeliest[each.position]) for each in written.written]


@hybrids
def test_the_walk_begins_with_what_the_layer_of_the_model_reads(folders: dict[str, Path], name: str) -> None:
    model = opened(folders, name)
    walk = model.walk(TEXT, kind="decoder", layer=1, head=2)
    steps = {step.name: step for step in walk.steps}
    weights = model.record(TEXT).attention[0].weights(1, 2)
    assert_close(steps["softmax"].outputs[0].values, weights)
    why = {missing.name: str(missing.why) for missing in walk.missing}
    if name == "qwen3_next":  # a gate stands between the heads and W_O
        assert "No matrix W_O" in why["output_projection"]
    else:
        reads = own_pass(model, output_hidden_states=True).hidden_states[OWN[1]][0].numpy()
        assert_close(steps["attention_norm"].inputs[0].values, reads)
    assert ("all of this layer" in why.get("feed_forward", "")) == (name == "nemotron_h")
    with pytest.raises(SelectionError, match="layers 0 to 1"):
        model.walk(TEXT, kind="decoder", layer=3, head=0)


@hybrids
def test_heads_are_switched_off_and_patched_one_by_one(folders: dict[str, Path], name: str) -> None:
    model = opened(folders, name)
    found = ablate(model, TEXT)
    assert len(found.groups) == len(OWN) * 4
    assert np.isfinite(found.differences).all()
    assert np.ptp(found.differences) > 0
    patched = patch(model, TEXT, TEXT.replace("it was", "was it"), what="states")
    assert patched.effects.shape[0] == len(OWN)


@pytest.mark.parametrize("name", HYBRIDS | BESIDE_ATTENTION)
def test_what_follows_tokens_through_attention_alone_is_refused_in_a_sentence(
    folders: dict[str, Path], name: str
) -> None:
    model = opened(folders, name)
    answered, refused = set[str](), dict[str, str]()
    for method in attribution_methods():
        try:
            found = attribute(model, TEXT, method.name)
        except HeadlightError as error:
            refused[method.name] = str(error)
        else:
            assert np.isfinite(found.scores).all()
            answered.add(method.name)
    assert {"rollout", "flow", "gradient_attention", "alti", "leave_out"} <= set(refused)
    assert {"raw", "gradient_input", "integrated"} <= answered
    assert all(name in said and said.endswith(".") for said in refused.values()), refused
    assert "without attention" in refused["leave_out"]


# -- what the pages and the files say ---------------------------------------------------------------------------------


def test_a_note_names_the_layers_and_says_that_others_are_not_shown(folders: dict[str, Path]) -> None:
    note = other_layers_note(opened(folders, "jamba").info)
    assert "Layers 0 to 1 here are its own layers 1 and 3." in note
    assert "not shown" in note
    beside = other_layers_note(opened(folders, "falcon_h1").info)
    assert "beside the attention" in beside


def test_files_to_take_away_have_the_numbers_of_the_layers(folders: dict[str, Path]) -> None:
    recorded = opened(folders, "lfm2").record(TEXT)
    with np.load(io.BytesIO(b"".join(all_heads_npz(recorded, kind="decoder")))) as arrays:
        assert tuple(arrays["layer_numbers"]) == OWN
        assert arrays["weights"].shape[0] == len(OWN)
        assert any("layer_numbers" in line for line in arrays["README"].tolist())
    assert "own layers 1 and 3" in viewer_html(recorded)
