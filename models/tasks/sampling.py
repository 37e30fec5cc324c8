"""The settings of sampling, one after the other on one distribution, in the order in which transformers applies them.

Repetition penalty: Keskar et al. 2019, "CTRL", section 4.1. Temperature: Ackley et al. 1985, section 2. Top-k: Fan et
al. 2018, section 5.4. Top-p: Holtzman et al. 2020, "The Curious Case of Neural Text Degeneration", section 3.1. Min-p:
Nguyen et al. 2024, "Turning Up the Heat", section 3.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Annotated

import numpy as np
from numpy.typing import NDArray

from models.values.arguments.bounds import Between, Index, NotNegative, Share
from models.values.arguments.check import check_arguments
from models.values.probing.contrast import AnswerLogits
from models.values.results.sampling import SamplingStep, Setting
from models.values.writing import Numbers, apply_temperature


@check_arguments
def sampling_steps(
    logits: NDArray[np.floating],
    read: Sequence[int] = (),
    *,
    repetition_penalty: Annotated[float, Between(0.01, 100)] = 1.0,
    temperature: NotNegative = 1.0,
    top_k: Index = 0,
    top_p: Share = 1.0,
    min_p: Share = 0.0,
) -> tuple[SamplingStep, ...]:
    """Return the model's distribution of logits [n_choices], and what is left of it after each setting that is on.

    Choices that were already `read`, by their numbers, are those that the repetition penalty makes less likely. A
    `top_k` of 0, a `top_p` of 1 and a `min_p` of 0 cut nothing; a temperature of 0 keeps the likeliest alone.
    """
    on: list[tuple[Setting, bool, float]] = [
        ("repetition_penalty", repetition_penalty != 1, repetition_penalty),
        ("temperature", temperature != 1, temperature),
        ("top_k", top_k > 0, top_k),
        ("top_p", top_p < 1, top_p),
        ("min_p", min_p > 0, min_p),
    ]
    settings = [(setting, value) for setting, is_on, value in on if is_on]
    return tuple(_steps(logits.astype(np.float64), np.unique(np.array(read, np.int64)), settings))


def _steps(
    logits: Numbers, read: NDArray[np.int64], settings: Sequence[tuple[Setting, float]]
) -> Iterator[SamplingStep]:
    before = apply_temperature(logits, temperature=1)  # [n_choices]
    yield SamplingStep(setting="model", probabilities=before)
    for setting, value in settings:
        if setting == "temperature":
            logits = logits / value if value else np.where(logits == logits.max(), logits, -np.inf)
        elif setting == "repetition_penalty":
            logits = logits.copy()
            logits[read] = np.where(logits[read] > 0, logits[read] / value, logits[read] * value)
        else:
            logits = np.where(_keep(before, setting, value), logits, -np.inf)
        after = apply_temperature(logits, temperature=1)
        is_cut = (after == 0) & (before > 0) & np.isneginf(logits)
        yield SamplingStep(
            setting=setting, probabilities=after, n_cut=int(is_cut.sum()), cut=float(before[is_cut].sum())
        )
        before = after


def _keep(probabilities: Numbers, setting: Setting, value: float) -> NDArray[np.bool_]:
    """Return which choices [n_choices] a setting keeps; of equally likely ones all or none."""
    if setting == "min_p":
        return np.asarray(probabilities >= value * probabilities.max())
    ordered = np.sort(probabilities)[::-1]
    n_kept = min(int(value), len(ordered)) if setting == "top_k" else n_for_share(ordered, value)
    return np.asarray(probabilities >= ordered[n_kept - 1])


def read_choices(answer: AnswerLogits) -> tuple[int, ...]:
    """Return the numbers, among the choices, of the tokens that the model has read."""
    texts = {token.text for token in answer.tokens}
    return tuple(number for number, choice in enumerate(answer.choices) if choice in texts)


def n_for_share(ordered: Numbers, part: float) -> int:
    """Return how many choices it takes for a part of the probability; `ordered` are their shares, largest first."""
    return min(1 + int((ordered.cumsum() < part).sum()), len(ordered))
