"""How a token is drawn, and how unsure a model is: the arithmetic beside torch's, and what a written token refuses."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest
import torch

from models.values.errors import RecordError
from models.values.record import WordChoice
from models.values.writing import WrittenToken, apply_temperature, entropy_bits
from tests.closeness import assert_close

D_VOCAB = 400


def logits(seed: int) -> torch.Tensor:
    return torch.randn(D_VOCAB, dtype=torch.float64, generator=torch.Generator().manual_seed(seed)) * 3


@pytest.mark.parametrize("temperature", [0.1, 0.7, 1.0, 2.0])
@pytest.mark.parametrize("top_k", [0, 1, 7, D_VOCAB])
def test_temperature_and_top_k_are_a_softmax_of_masked_scaled_logits(temperature: float, top_k: int) -> None:
    own = logits(top_k)
    masked = own / temperature
    if top_k:
        masked[own < own.topk(top_k).values[-1]] = -torch.inf
    expected = masked.softmax(dim=-1).numpy()
    for given in (own, own.log_softmax(dim=-1)):
        found = apply_temperature(given.numpy(), temperature=temperature, top_k=top_k)
        assert_close(found, expected, tolerance=1e-12)


def test_temperature_zero_is_the_limit() -> None:
    own = logits(0).numpy()
    cold = apply_temperature(own, temperature=0, top_k=3)
    assert cold[own.argmax()] == 1
    assert cold.sum() == 1
    assert_close(apply_temperature(own, temperature=1e-4), cold, tolerance=1e-12)
    assert list(apply_temperature(np.log([0.2, 0.4, 0.4]), temperature=0)) == [0, 1, 0]
    assert list(apply_temperature(np.array([0, -np.inf, -np.inf]), temperature=0.1, top_k=2)) == [1, 0, 0]


def test_the_entropy_is_that_of_torch_in_bits() -> None:
    own = logits(3)
    expected = float(torch.distributions.Categorical(logits=own).entropy()) / math.log(2)
    assert_close(entropy_bits(own.numpy()), expected, tolerance=1e-12)
    assert_close(entropy_bits(np.zeros(16)), 4)
    assert f"{entropy_bits(np.array([0, -np.inf])):.2f}" == "0.00"


def test_a_step_refuses_what_cannot_be() -> None:
    choices = tuple(WordChoice(text=text, probability=0.4) for text in "ab")
    token = WrittenToken(position=0, token_id=0, chosen=choices[0], candidates=choices, text_so_far="a")
    whole = replace(token, drawn=(0.7, 0.3), chosen_drawn=0.7, entropy=1.2)
    for change, why in (
        ({"drawn": (0.7,)}, "expected 2"),
        ({"drawn": ()}, "belong together"),
        ({"chosen_drawn": None}, "belong together"),
        ({"drawn": (1.7, 0.3)}, "not a probability"),
        ({"chosen_drawn": -0.1}, "not a probability"),
        ({"entropy": -1.0}, "expected 0 bits"),
    ):
        with pytest.raises(RecordError, match=why):
            replace(whole, **change)
