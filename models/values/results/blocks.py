"""One row of attention as FlashAttention computes it, block by block of its keys."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from models.values.arguments.check import check_fields
from models.values.arguments.shapes import fix_arrays
from models.values.errors import RecordError
from models.values.writing import Numbers


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class KeyBlock:
    """A row of attention after the keys `start` to `stop`, the last not included.

    `scores` [n_block] are those of the block. `maximum` is the largest score so far, `total` the sum of
    exp(score - maximum) so far; both stand for all earlier keys. `correction` is exp(old maximum - new maximum), with
    which the earlier sum and output were multiplied. `weights` [n_key] are those of all keys so far, as the row would
    be if it ended here, and `output` [d_head] is the output for them.
    """

    start: int
    stop: int
    scores: Numbers
    maximum: float
    total: float
    correction: float
    weights: Numbers
    output: Numbers

    def __post_init__(self) -> None:
        check_fields(self, RecordError)
        fix_arrays(self, scores=(self.stop - self.start,), weights=("n_key",), output=("d_head",))

    @property
    def is_masked(self) -> bool:
        """Whether the query may see none of these keys, so that the block is skipped."""
        return bool(np.isneginf(self.scores).all())
