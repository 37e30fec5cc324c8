"""How much of its attention a head gives to the first token of the text: causal models rest there.

It is asked where a text begins with a token of its own, and not with a special one.
"""

from __future__ import annotations

from collections.abc import Sequence

from models.analysis.analysis import HeadMeasure, is_piece
from models.values.record import Array, AttentionRecord, Token
from models.values.wording import to_say


def to_first(weights: Array, tokens: Sequence[Token]) -> Array:
    """Return the attention that word pieces give to the first token, summed [n_heads]."""
    given: Array = weights[:, is_piece(tokens), 0].sum(axis=1)
    return given


def begins_with_a_word(record: AttentionRecord) -> bool:
    """Whether the first token is one of the text."""
    return not record.key_tokens[0].is_special


ANALYSIS = HeadMeasure(
    name="first",
    title=to_say("the first token"),
    paper=to_say('Xiao et al. 2023, "Efficient Streaming Language Models with Attention Sinks", section 3.1'),
    order=50,
    compute=to_first,
    applies=begins_with_a_word,
)
