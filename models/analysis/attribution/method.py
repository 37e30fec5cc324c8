"""The description of a method of attribution, and how it is called."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import NamedTuple

from models.analysis.analysis import Analysis, Need
from models.analysis.attribution.evidence import Evidence
from models.values.record import Array


class Estimate(NamedTuple):
    """Scores [n_tokens] that are an estimate: they moved by `off_by` of the largest when it was last made finer."""

    scores: Array
    off_by: float


@dataclass(frozen=True, slots=True, kw_only=True)
class AttributionMethod(Analysis):
    """A method that gives every token a score for one answer.

    `compute` takes the `Evidence` and returns the scores [n_tokens], or an `Estimate` of them. Those of signed methods
    speak against the answer below 0. `sums_to` says what they should add up to, where a method says so. Methods stand
    in lists by their `order`.
    """

    compute: Callable[[Evidence], Array | Estimate]
    order: int
    is_signed: bool = False
    sums_to: Callable[[Evidence], float] | None = None
    needs: Need = "a model"
    returns: str = "Attribution, scores [n_tokens]"
