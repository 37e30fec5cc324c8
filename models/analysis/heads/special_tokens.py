"""How much of its attention a head gives to all special tokens together ([CLS], [SEP])."""

from __future__ import annotations

from collections.abc import Sequence

from models.analysis.analysis import HeadMeasure, is_piece
from models.values.record import Array, AttentionRecord, Token
from models.values.wording import to_say


def to_special(weights: Array, tokens: Sequence[Token]) -> Array:
    """Return the attention that word pieces give to special tokens, summed [n_heads]."""
    piece = is_piece(tokens)  # [n_tokens]
    given: Array = weights[:, piece][:, :, ~piece].sum(axis=(1, 2))
    return given


def has_special(record: AttentionRecord) -> bool:
    """Whether there is a special token to look at."""
    return any(token.is_special for token in record.key_tokens)


ANALYSIS = HeadMeasure(
    name="special",
    title=to_say("special tokens"),
    card_title="`[CLS]` and `[SEP]`",
    paper=to_say('Clark et al. 2019, "What Does BERT Look At?", section 3.2'),
    order=40,
    compute=to_special,
    applies=has_special,
)
