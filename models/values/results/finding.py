"""The most striking weight of a text: one weight of one head that is much larger than what the head does on average."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from models.values.record import Kind

Against = Literal["texts", "distance", "key"]
"""What a weight is held against: what its head does over the texts of an atlas, what the other tokens of this text give
to a key at that distance, or what they give to this key."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Finding:
    """The token at `query` gives `weight` of its attention to the token at `key`, where `expected` was to be expected
    `against` what the head does otherwise; `bits` is how far it stands out, `n_texts` how many texts the atlas has."""

    kind: Kind
    layer: int
    head: int
    query: int
    key: int
    weight: float
    expected: float
    against: Against
    bits: float
    n_texts: int = 0
