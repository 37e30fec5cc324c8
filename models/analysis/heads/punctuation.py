"""How much of its attention a head gives to punctuation marks: full stops and commas attract it as [SEP] does."""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from models.analysis.analysis import HeadMeasure, is_piece
from models.values.record import Array, Token
from models.values.text.spelling import attach_spelling, content_of, readable
from models.values.wording import to_say


def is_punctuation(tokens: Sequence[Token]) -> NDArray[np.bool_]:
    """Which tokens of the text are nothing but punctuation marks [n_tokens]."""
    pieces = attach_spelling([token.text for token in tokens])
    bare = [readable(content_of(piece)).strip() or piece for piece in pieces]
    marks = [all(unicodedata.category(sign).startswith("P") for sign in text) for text in bare]
    return is_piece(tokens) & np.array(marks, dtype=np.bool_)


def to_punctuation(weights: Array, tokens: Sequence[Token]) -> Array:
    """Return the attention that word pieces give to punctuation marks, summed [n_heads]."""
    given: Array = weights[:, is_piece(tokens)][:, :, is_punctuation(tokens)].sum(axis=(1, 2))
    return given


ANALYSIS = HeadMeasure(
    name="punctuation",
    title=to_say("punctuation marks"),
    paper=to_say('Clark et al. 2019, "What Does BERT Look At?", section 3.2'),
    order=45,
    needs="a corpus",
    compute=to_punctuation,
)
