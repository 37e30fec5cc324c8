"""The null of an effect: the range of an effect on answers that are drawn at random."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from models.values.arguments.check import check_arguments
from models.values.arguments.shapes import fix_arrays
from models.values.record import Array

NullOf = Literal["words", "labels"]
COVERED = 95.0
"""The percentage of the random answers that lie between `low` and `high`."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class NullRange:
    """For each effect the middle 95 % of what the same change does to `n` answers drawn at random, in the units of the
    effects: from `low` to `high`, both of the shape of the effects. `drawn` says what the answers are: words of the
    vocabulary, or labels that mean nothing."""

    low: Array
    high: Array
    n: int
    drawn: NullOf = "words"

    def __post_init__(self) -> None:
        fix_arrays(self, low=self.high.shape, high=self.high.shape)

    @check_arguments
    def widen(self, by: float) -> NullRange:
        """Return the range with so much more at either end."""
        more = np.float32(by)
        return replace(self, low=np.asarray(self.low - more), high=np.asarray(self.high + more))

    @check_arguments
    def holds(self, effects: Array) -> NDArray[np.bool_]:
        """Return which effects lie inside, and so are none that could be told from chance."""
        return np.asarray((self.low <= effects) & (effects <= self.high))


def null_range(random_effects: Array, *, drawn: NullOf = "words") -> NullRange | None:
    """Return the range of effects on random answers [..., n_null]; None without any."""
    n = random_effects.shape[-1]
    if n == 0:
        return None
    outside = (100 - COVERED) / 2
    low, high = np.percentile(random_effects, [outside, 100 - outside], axis=-1).astype(np.float32)
    return NullRange(low=np.asarray(low), high=np.asarray(high), n=n, drawn=drawn)
