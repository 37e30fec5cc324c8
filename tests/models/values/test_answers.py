"""Answers of a model refuse a number below the first or above the last of their masks, states, pieces and heads."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest
import torch

from models.tasks.decoding import drawing
from models.values.answers import LayerwisePrediction, MaskedText
from models.values.errors import SelectionError
from viz.kit.demos.records import random_recording

RECORDING = random_recording(n_tokens=4)
N_STATES = RECORDING.info.n_layers + 1


def uniform(n_rows: int) -> np.ndarray[tuple[int, int], np.dtype[np.float32]]:
    return np.full((n_rows, 2), np.log(0.5), np.float32)


MASKED = MaskedText(
    info=RECORDING.info, tokens=RECORDING.tokens, positions=(1,), log_probabilities=uniform(1), vocabulary=("a", "b")
)
BY_LAYER = LayerwisePrediction(
    info=RECORDING.info,
    tokens=RECORDING.tokens,
    position=1,
    log_probabilities=uniform(N_STATES),
    vocabulary=("a", "b"),
)


@pytest.mark.parametrize(
    "ask",
    [
        lambda: BY_LAYER.best(-1, 1),
        lambda: BY_LAYER.best(N_STATES, 1),
        lambda: MASKED.best(1, 1),
        lambda: MASKED.choice(0, -1),
        lambda: MASKED.rank(0, 2),
    ],
)
def test_a_place_that_there_is_not_is_refused(ask: Callable[[], object]) -> None:
    with pytest.raises(SelectionError, match="was asked for, but"):
        ask()


@pytest.mark.parametrize("temperature", [1e-320, 1e-40, float("inf"), 10**30])
def test_the_coldest_and_the_warmest_temperatures_are_limits(temperature: float) -> None:
    logits = torch.tensor([0.0, 5.0, 1.0])
    drawn = {drawing(temperature=temperature, top_k=0, seed=seed)(logits) for seed in range(40)}
    assert drawn == ({1} if temperature < 1 else {0, 1, 2})
