"""Gradients of the logit difference of two answers by the weights of every head, and by the embeddings."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from models.values.arguments.shapes import fix_arrays
from models.values.probing.changes import Stack
from models.values.probing.contrast import Contrast
from models.values.record import Array, Kind, Token

GradientsBy = Literal["weights", "outputs", "embeddings"]
"""What gradients are taken by beside the embeddings: the weights of all heads, their outputs, or nothing more. Memory
grows with the square of the tokens for weights alone."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class WeightGradients:
    """For one kind of attention the `weights` [n_layers, n_heads, n_query, n_key] and dm/dweights, of the same shape.

    Of a head that is pushed upwards at a place by `gradient`, m grows by so much for each unit of attention there, with
    all that the later layers make of it.
    """

    kind: Kind
    query_tokens: tuple[Token, ...]
    key_tokens: tuple[Token, ...]
    weights: Array
    gradient: Array

    def __post_init__(self) -> None:
        shape = ("n_layers", "n_heads", len(self.query_tokens), len(self.key_tokens))
        fix_arrays(self, weights=shape, gradient=shape)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class OutputGradients:
    """For one kind of attention what the heads give before W_O, `outputs` [n_layers, n_heads, n_query, d_head], and
    dm/doutputs."""

    kind: Kind
    query_tokens: tuple[Token, ...]
    outputs: Array
    gradient: Array

    def __post_init__(self) -> None:
        shape = ("n_layers", "n_heads", len(self.query_tokens), "d_head")
        fix_arrays(self, outputs=shape, gradient=shape)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class EmbeddingGradients:
    """For one stack what its first layer reads, `embeddings` [n_tokens, d_model], positions included, and
    dm/dembeddings."""

    stack: Stack
    tokens: tuple[Token, ...]
    embeddings: Array
    gradient: Array

    def __post_init__(self) -> None:
        shape = (len(self.tokens), "d_model")
        fix_arrays(self, embeddings=shape, gradient=shape)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Gradients:
    """The logit difference m of one pass, and its gradients; `weights` and `outputs` are empty where nobody
    asked for them."""

    contrast: Contrast
    difference: float
    embeddings: tuple[EmbeddingGradients, ...]
    weights: tuple[WeightGradients, ...] = ()
    outputs: tuple[OutputGradients, ...] = ()
