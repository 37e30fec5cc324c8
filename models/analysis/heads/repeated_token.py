"""How much of its attention a word piece that stands in both texts of a pair gives to itself in the other text."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from models.analysis.analysis import HeadMeasure
from models.values.record import Array, Token
from models.values.wording import to_say


def to_other_text(weights: Array, tokens: Sequence[Token]) -> Array:
    """Return the attention of pieces in both texts to themselves in the other one, summed [n_heads]."""
    given: Array = weights[:, _again(tokens)].sum(axis=1)
    return given


def count_in_both(tokens: Sequence[Token]) -> int:
    """How many pieces stand in both texts."""
    return int(_again(tokens).any(axis=1).sum())


def _again(tokens: Sequence[Token]) -> NDArray[np.bool_]:
    """Whether two tokens are the same piece in different texts [n_tokens, n_tokens]."""
    names = np.array([token.text for token in tokens])  # [n_tokens]
    text = np.array([-1 if token.is_special else token.segment for token in tokens])  # [n_tokens]
    said = text >= 0
    again: NDArray[np.bool_] = (names[:, None] == names) & (text[:, None] != text) & said[:, None] & said
    return again


ANALYSIS = HeadMeasure(
    name="repeated",
    title=to_say("the same token in the other text, of those that stand in both"),
    paper=to_say('Olsson et al. 2022, "In-context Learning and Induction Heads": heads that match equal tokens'),
    order=60,
    needs="pairs",
    compute=to_other_text,
    counted=count_in_both,
    counted_as=to_say("word pieces that stand in both texts of a pair"),
)
