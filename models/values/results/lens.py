"""The mean Jacobians of a model: how its last states change with those of every layer."""

from __future__ import annotations

from dataclasses import dataclass

from models.values.errors import RecordError
from models.values.record import Array


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class JacobianLens:
    """Matrices that take the states of every layer to the last one, and how often the final answer is read there.

    `matrices` [n_layers, d_model, d_model]: entry l takes the state before layer l, as a column, to the last layer; the
    mean over `n_texts`, at one token each. `as_they_are` and `carried` [n_layers + 1]: in which share of `n_answers`
    answers on other texts the likeliest word after so many layers is the final one, read by the logit lens and by this.
    """

    model: str
    n_texts: int
    n_answers: int
    matrices: Array
    as_they_are: Array
    carried: Array

    def __post_init__(self) -> None:
        """Raise RecordError for arrays that do not belong to one model."""
        n_layers = len(self.matrices)
        if self.matrices.ndim != 3 or self.matrices.shape[1] != self.matrices.shape[2] or not n_layers:
            raise RecordError(f"expected matrices [n_layers, d_model, d_model], got {self.matrices.shape}.")
        for name, shares in (("as_they_are", self.as_they_are), ("carried", self.carried)):
            if shares.shape != (n_layers + 1,):
                raise RecordError(f"expected {name} of the shape {(n_layers + 1,)}, got {shares.shape}.")
