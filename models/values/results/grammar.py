"""Which head knows which relation of grammar, chosen on one half of a treebank and judged on the other."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from models.values.head_roles import ENGLISH

Direction = Literal["from the dependent", "from the governor"]
DIRECTIONS: tuple[Direction, ...] = ("from the dependent", "from the governor")
FEWEST_WORDS = 50
"""A relation that is rarer in the half that is judged is left out."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RelationScore:
    """The head that was chosen for a relation, and the share of `n` words that it, and the offset beside it, has right.

    `title` says the relation in words, from where the head looks; `chosen_by` is its share in the half by which it was
    chosen; `offset` is that of the governor from the dependent; `language` as in HeadRole.
    """

    relation: str
    title: str
    layer: int
    head: int
    direction: Direction
    chosen_by: float
    right: float
    offset: int
    right_by_offset: float
    n: int
    language: str = ENGLISH
