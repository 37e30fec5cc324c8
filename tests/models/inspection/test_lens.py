"""The lenses: a layer says what the rest of the model makes of its state; a Jacobian is the effect of a small step."""

from __future__ import annotations

import copy
from pathlib import Path

import numpy as np
import pytest
import torch
from torch import nn

from models.analysis import jacobian_lens, read_lens, write_lens
from models.analysis.over_texts.lens_file import FILE
from models.model import Model
from models.opening.entries import PRETRAINED
from models.values.errors import MissingCapabilityError, RecordError, SelectionError, TextError
from models.values.results.lens import JacobianLens
from tests.closeness import PARITY, assert_close
from tests.loaded import load
from tests.models.probed import opened

MASKED = "The [MASK] barked at the cat all night."
PREFIX = "The old dog barked at the"
TEXTS = ("The dog barked at the cat.", "She opened the door and went in.", "", "He ate an apple.", "It rained all day.")
FAMILIES = ("bert", "roberta", "modernbert", "albert", "gpt2", "llama", "gemma2")
BLOCKS = {"bert": "encoder.layer", "gpt2": "h"}
"""Families that compute in float64 throughout: an RMSNorm goes down to float32."""


def text_for(model: Model) -> str:
    return PREFIX if model.info.can_continue else MASKED


def lens_of(matrices: np.ndarray[tuple[int, ...], np.dtype[np.float32]], model: str = "any") -> JacobianLens:
    shares = np.zeros(len(matrices) + 1, np.float32)
    return JacobianLens(model=model, n_texts=1, n_answers=1, matrices=matrices, as_they_are=shares, carried=shares)


@pytest.mark.parametrize("name", FAMILIES)
def test_with_identities_the_jacobian_lens_is_the_logit_lens(name: str) -> None:
    model = opened(name)
    identities = np.stack([np.eye(model.info.d_model, dtype=np.float32)] * model.info.n_layers)
    plain = model.predict_by_layer(text_for(model))
    assert_close(
        model.predict_by_layer(text_for(model), lens=lens_of(identities)).log_probabilities, plain.log_probabilities
    )
    answer = model.answer_logits(text_for(model), position=plain.position)
    logits = answer.logits.astype(np.float64)
    assert_close(plain.log_probabilities[-1], logits - np.log(np.exp(logits).sum()), tolerance=PARITY)


@pytest.mark.parametrize("name", ["mini-gpt", "mini-llama"])
def test_after_the_last_layer_a_causal_model_says_what_it_goes_on_with(name: str) -> None:
    model = load(name, device="cpu")
    by_layer, guesses = model.predict_by_layer(PREFIX), model.guess_tokens(PREFIX)
    assert by_layer.position == len(by_layer.tokens) - 1
    best = by_layer.best(model.info.n_layers, 3)
    assert [choice.text for choice in best] == [choice.text for choice in guesses.next_choices[:3]]
    assert_close([choice.probability for choice in best], [choice.probability for choice in guesses.next_choices[:3]])


@pytest.mark.parametrize("name", BLOCKS)
def test_a_jacobian_is_what_a_small_step_does(name: str) -> None:
    """By central differences in float64, with hooks on the layers."""
    model = opened(name)
    text = text_for(model)
    position = model.predict_by_layer(text).position
    network = copy.deepcopy(model.model).double()
    blocks = list(network.base_model.get_submodule(BLOCKS[name]))
    ids = model.inputs(model.prepare(text))
    direction = torch.randn(model.info.d_model, generator=torch.Generator().manual_seed(0), dtype=torch.float64)

    def last_state(layer: int, step: float) -> torch.Tensor:
        states: list[torch.Tensor] = []

        def moved(_block: nn.Module, args: tuple[torch.Tensor, ...]) -> tuple[torch.Tensor, ...]:
            states_now = args[0].clone()
            states_now[0, position] += step * direction
            return (states_now, *args[1:])

        def keep(_block: nn.Module, _args: object, output: torch.Tensor | tuple[torch.Tensor, ...]) -> None:
            states.append((output[0] if isinstance(output, tuple) else output)[0, position])

        hooks = [blocks[layer].register_forward_pre_hook(moved), blocks[-1].register_forward_hook(keep)]
        with torch.no_grad():
            network(**ids)
        for hook in hooks:
            hook.remove()
        return states[0]

    jacobians = model.jacobians(text)
    for layer, jacobian in enumerate(jacobians):
        slope = (last_state(layer, 1e-7) - last_state(layer, -1e-7)) / 2e-7
        assert_close(jacobian.astype(np.float64) @ direction.numpy(), slope.numpy(), tolerance=1e-4)


@pytest.mark.parametrize("name", ["mini-bert", "mini-llama"])
def test_a_lens_is_the_mean_of_jacobians_and_its_shares_are_counted(name: str) -> None:
    model, told = load(name, device="cpu"), list[tuple[int, int]]()
    lens = jacobian_lens(model, TEXTS, progress=lambda done, of: told.append((done, of)))
    assert (lens.model, lens.n_texts, lens.n_answers) == (name, 2, 2)
    assert told == [(1, 4), (2, 4), (3, 4), (4, 4)]
    assert lens.carried[-1] == lens.as_they_are[-1] == 1
    asked = {
        "mini-bert": ("[MASK] dog barked at the cat.", "He [MASK] an apple."),
        "mini-llama": ("The", "He ate"),
    }[name]
    assert_close(lens.matrices, np.mean([model.jacobians(text) for text in asked], axis=0))
    assert set((lens.as_they_are * 2).tolist()) <= {0, 1, 2}
    wrong = lens_of(lens.matrices[:-1])
    with pytest.raises(SelectionError, match="this model needs"):
        model.predict_by_layer(text_for(model), lens=wrong)


def test_a_lens_comes_back_from_its_file(tmp_path: Path) -> None:
    lens = jacobian_lens(load("mini-bert", device="cpu"), TEXTS)
    write_lens(lens, tmp_path / FILE)
    again = read_lens(tmp_path / FILE)
    assert (again.model, again.n_texts, again.n_answers) == (lens.model, lens.n_texts, lens.n_answers)
    assert_close(again.matrices, lens.matrices, tolerance=1e-3)
    np.testing.assert_array_equal(again.carried, lens.carried)
    (tmp_path / "other").write_bytes(b"no safetensors")
    with pytest.raises(RecordError, match="other is no Jacobian lens"):
        read_lens(tmp_path / "other")
    lens.matrices[0, 0, 0] = np.inf
    write_lens(lens, tmp_path / FILE)
    with pytest.raises(RecordError, match="not finite"):
        read_lens(tmp_path / FILE)


def test_what_cannot_have_a_lens_says_so() -> None:
    with pytest.raises(TextError, match="two texts"):
        jacobian_lens(load("mini-bert", device="cpu"), ["One sentence.", " "])
    with pytest.raises(MissingCapabilityError, match="continue a text"):
        load("sentiment", device="cpu").jacobians("A good film.")
    with pytest.raises(RecordError, match="n_layers"):
        lens_of(np.zeros((2, 3, 4), np.float32))


@pytest.mark.parametrize("file", sorted(PRETRAINED.glob(f"*/{FILE}")), ids=lambda file: file.parent.name)
def test_the_embedded_lenses_are_those_of_their_models(file: Path) -> None:
    model, lens = load(file.parent.name, device="cpu"), read_lens(file)
    assert lens.model == model.info.name
    assert lens.matrices.shape == (model.info.n_layers, model.info.d_model, model.info.d_model)
    assert lens.n_answers >= 100
    assert lens.carried[-1] == lens.as_they_are[-1] == 1
