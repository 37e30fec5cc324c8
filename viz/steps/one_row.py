"""The wording of a worked example of a row: its token, the key with the largest weight, and a few numbers of a
vector."""

from __future__ import annotations

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
    """Return the key with the row's largest weight; with the largest score if the walk has no weights."""
    return int(walk.step("softmax").outputs[0].values[row].argmax()) if "softmax" in walk.names else 0


def bracket_minus(text: str) -> str:
    return f"({text})" if text.startswith(MINUS) else text


def few(vector: Array) -> str:
    """Return the beginning of a vector: "[0.1234, −0.5678, 0.9012, …]"."""
    more = ", …" if len(vector) > FEW else ""
    return f"[{', '.join(format_result(value) for value in vector[:FEW])}{more}]"
