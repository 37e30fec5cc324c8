"""The known roles of the heads of a model, measured over many texts: never by one sentence."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal

from models.values.errors import RecordError

ENGLISH = "en"
Unit = Literal["weight", "words"]
"""The whole of a share: the attention that a head gives away, or the words that it gets right."""


@dataclass(frozen=True, slots=True, kw_only=True)
class HeadRole:
    """One role of a head, over many texts.

    `name` stands in files, `title` is for people ("the previous token", "from a verb to its object (obj)"). `share`, 0
    to 1, is the evidence, over `n` of what `counted_as` says; `baseline` is the share of a guess without knowledge, and
    `baseline_of` names that guess. `kind` is the kind of attention. `language` is that of the texts, by its ISO 639-1
    code: no file holds it, the card of the model says it. Raises RecordError for a share that is none.
    """

    layer: int
    head: int
    name: str
    title: str
    unit: Unit
    share: float
    baseline: float
    baseline_of: str
    n: int
    counted_as: str
    kind: str = "encoder"
    language: str = ENGLISH

    def __post_init__(self) -> None:
        for field in ("share", "baseline"):
            if not 0 <= getattr(self, field) <= 1:
                raise RecordError(f"{field} is {getattr(self, field)}, expected a share from 0 to 1.")

    @property
    def gain(self) -> float:
        """The distance of the share above its baseline."""
        return self.share - self.baseline


@dataclass(frozen=True, slots=True, kw_only=True)
class RoleByHand:
    """A role measured again on sentences written by hand: its `share` and `baseline` there, over `n` words or pieces.

    A head keeps the role if it `holds` there, too.
    """

    layer: int
    head: int
    name: str
    share: float
    baseline: float
    n: int
    holds: bool


SPECIAL = "special"
"""The measure of what goes to special tokens: where many heads look that find nothing else (Clark et al. 2019, section
3.2), so it says least of a head."""


def sort_roles(roles: Iterable[HeadRole]) -> tuple[HeadRole, ...]:
    """Sort roles by their distance above the baseline, the largest first, and special tokens last."""
    return tuple(sorted(roles, key=lambda role: (role.name == SPECIAL, -role.gain, role.title)))


def head_places(n_layers: int, n_heads: int) -> list[tuple[int, int]]:
    """Return (layer, head) of every head, in the order in which heads are always listed: layer by layer."""
    return [(layer, head) for layer in range(n_layers) for head in range(n_heads)]
