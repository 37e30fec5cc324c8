"""The wording of a worked example of a row: its token, the word with the largest weight, and a few numbers of a
vector."""

from __future__ import annotations

import numpy as np

from models.values.record import Array
from models.values.steps import LayerWalk
from viz.kit.calculation import format_result
from viz.kit.theme import MINUS
from viz.kit.tokens import token_texts

FEW = 3
"""Numbers of a vector that a line has room for."""


def token_of(walk: LayerWalk, row: int) -> str:
    return token_texts(walk.query_tokens)[row]


def key_of(walk: LayerWalk, column: int) -> str:
    return token_texts(walk.key_tokens)[column]


def looked_at(walk: LayerWalk, row: int) -> int:
    """Return the key with the row's largest weight: a word before a special token, unless all words have none; 0 if
    the walk has no weights."""
    if "softmax" not in walk.names:
        return 0
    weights = walk.step("softmax").outputs[0].values[row]
    of_words = np.where([token.is_special for token in walk.key_tokens], 0, weights)
    return int(of_words.argmax() if of_words.any() else weights.argmax())


def bracket_minus(text: str) -> str:
    return f"({text})" if text.startswith(MINUS) else text


def few(vector: Array) -> str:
    """Return the beginning of a vector: "[0.1234, −0.5678, 0.9012, …]"."""
    more = ", …" if len(vector) > FEW else ""
    return f"[{', '.join(format_result(value) for value in vector[:FEW])}{more}]"
