"""How much of its attention a piece that stands in a text more than once gives to its other occurrences, before it and
after it: duplicate-token heads, that look both ways."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from models.analysis.analysis import HeadMeasure, is_piece
from models.values.record import Array, Token
from models.values.wording import to_say


def occurrences(tokens: Sequence[Token]) -> NDArray[np.bool_]:
    """Whether two tokens are the same piece at two places [n_tokens, n_tokens]."""
    names = np.array([token.text for token in tokens])  # [n_tokens]
    piece = is_piece(tokens)
    same: NDArray[np.bool_] = (names[:, None] == names) & piece[:, None] & piece
    np.fill_diagonal(same, val=False)
    return same


def to_elsewhere(weights: Array, tokens: Sequence[Token]) -> Array:
    """Return the attention that repeated pieces give to their other occurrences, summed [n_heads]."""
    given: Array = weights[:, occurrences(tokens)].sum(axis=1)
    return given


def count_recurring(tokens: Sequence[Token]) -> int:
    """How many pieces stand in the text more than once."""
    return int(occurrences(tokens).any(axis=1).sum())


def count_seen_before(tokens: Sequence[Token]) -> int:
    """How many pieces have stood in the text before."""
    return int(np.tril(occurrences(tokens)).any(axis=1).sum())


ANALYSIS = HeadMeasure(
    name="elsewhere",
    title=to_say("the same token elsewhere, of those that stand there again"),
    paper=to_say(
        'Wang et al. 2022, "Interpretability in the Wild", section 3: duplicate-token heads; here in both directions'
    ),
    order=70,
    needs="a corpus",
    compute=to_elsewhere,
    counted=count_recurring,
    counted_causal=count_seen_before,
    counted_as=to_say("word pieces that stand in a text more than once"),
)
