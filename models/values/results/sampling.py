"""A next-token distribution before sampling, after each setting that changes it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from models.values.arguments.check import check_fields
from models.values.arguments.shapes import fix_arrays
from models.values.errors import RecordError
from models.values.writing import Numbers

Setting = Literal["model", "repetition_penalty", "temperature", "top_k", "top_p", "min_p"]
"""The setting that has changed a distribution; "model" is none, for the model's own."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class SamplingStep:
    """The distribution after one setting: `probabilities` [n_choices], 0 for a choice that was cut.

    `n_cut` choices were cut by this setting, which had the share `cut` of the probability before it.
    """

    setting: Setting
    probabilities: Numbers
    n_cut: int = 0
    cut: float = 0.0

    def __post_init__(self) -> None:
        check_fields(self, RecordError)
        fix_arrays(self, probabilities=("n_choices",))

    @property
    def n_kept(self) -> int:
        """The number of choices that may still be drawn."""
        return int((self.probabilities > 0).sum())
