"""How many of the 200 short pairs a checkpoint tells."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from tokenizers import Tokenizer

from models.scratch.pretraining import PretrainingModel
from recipes.evaluation.short_pairs.asked import ShortPair, probability_of_next, read_short_pairs

HALF = 0.5
CHOOSING, REPORTING = "half to choose by", "half to report"


@dataclass(frozen=True, slots=True, kw_only=True)
class ShortPairScores:
    """`shares` right of all, of each half, and of each kind, with the area under the curve of all; and `wrong`, the
    pairs that were not told, with the probability that B follows."""

    shares: Mapping[str, float]
    wrong: Sequence[tuple[ShortPair, float]]


def score_short_pairs(model: PretrainingModel, tokenizer: Tokenizer) -> ShortPairScores:
    """Ask a model all 200 pairs, at the threshold of one half."""
    pairs = read_short_pairs()
    p = probability_of_next(model, tokenizer, [(pair.first, pair.second) for pair in pairs])
    follows = np.array([pair.follows for pair in pairs])
    right = (p > HALF) == follows  # [n_pairs]
    chooses = np.arange(len(pairs)) % 2 == 0
    groups = {"all": np.ones_like(right), CHOOSING: chooses, REPORTING: ~chooses} | {
        kind: np.array([pair.kind == kind for pair in pairs]) for kind in dict.fromkeys(pair.kind for pair in pairs)
    }
    shares = {name: float(right[group].mean()) for name, group in groups.items()}
    wrong = [(pair, float(each)) for pair, each, hit in zip(pairs, p, right, strict=True) if not hit]
    return ShortPairScores(shares=shares | {"area under the curve": area_under_curve(p, follows)}, wrong=wrong)


def area_under_curve(p: NDArray[np.float64], follows: NDArray[np.bool_]) -> float:
    """Compute how often a pair that follows is held likelier than one that does not; a tie counts half."""
    of_true, of_false = p[follows][:, None], p[~follows][None]  # [n_true, 1], [1, n_false]
    return float((of_true > of_false).mean() + HALF * (of_true == of_false).mean())
