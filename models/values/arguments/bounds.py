"""Annotations that say more than a type: numbers within bounds, and what a type is called in a sentence."""

from __future__ import annotations

from dataclasses import dataclass
from math import inf
from typing import Annotated, Any


@dataclass(frozen=True, slots=True)
class Between:
    """The least and the most that a number may be, both included."""

    least: float
    most: float = inf

    def holds(self, value: Any) -> bool:
        """Whether a number is within them; NaN is not."""
        return bool(self.least <= value <= self.most)


@dataclass(frozen=True, slots=True)
class AtLeastOne:
    """Says of a row that it may not be empty."""

    @staticmethod
    def holds(value: Any) -> bool:
        """Whether a row has an item; one whose items come one after the other is not looked at."""
        return not hasattr(value, "__len__") or len(value) > 0


@dataclass(frozen=True, slots=True)
class Called:
    """What a sentence calls a type, and what else may be done; both marked by `models.values.wording.to_say`."""

    name: str
    instead: str = ""


Index = Annotated[int, Between(0)]
Count = Annotated[int, Between(1)]
Seed = Annotated[int, Between(0, 2**63 - 1)]
NotNegative = Annotated[float, Between(0)]
Share = Annotated[float, Between(0, 1)]
