"""The baseline of a guess without knowledge: what is frequent, whatever stands around it."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from torch import Tensor


def score_frequencies(counts: NDArray[np.int64], targets: Tensor) -> tuple[float, float]:
    """Return the loss in nats, and the share that is right, of a baseline that always predicts the frequencies of
    pieces by their `counts` [d_vocab]; every piece of the vocabulary counts as seen once more."""
    seen = counts + 1.0  # [d_vocab]
    asked = targets.cpu().numpy()  # [n_asked]
    if not asked.size:
        return 0.0, 0.0
    costs = -np.log(seen[asked] / seen.sum())  # [n_asked], in nats
    return float(costs.mean()), float((asked == seen.argmax()).mean())
