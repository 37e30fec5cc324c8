"""The matrices of every head, and what they meet at both ends: embeddings and unembedding."""

from __future__ import annotations

from dataclasses import dataclass

from models.values.arguments.shapes import fix_arrays
from models.values.record import Array, Kind


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class HeadCircuits:
    """Of one kind of self-attention `value` (W_V) [n_layers, n_heads, d_model, d_head], `output` (W_O) [n_layers,
    n_heads, d_head, d_model] and, where queries and keys are what their projections give, `query` and `key` (W_Q, W_K),
    of the shape of `value`; None where something turns them after that (rotary angles).

    `matches` [d_model, d_model] is E_cᵀ E and `copies` U_cᵀ E, with the token embeddings E and the unembedding U
    [d_vocab, d_model], and the mean over the vocabulary taken from E_c and U_c: what all tokens share moves no softmax.
    Taken from one side or from both, the eigenvalues are the same.
    """

    kind: Kind
    value: Array
    output: Array
    query: Array | None
    key: Array | None
    matches: Array
    copies: Array

    def __post_init__(self) -> None:
        heads = ("n_layers", "n_heads")
        read, written, ends = (*heads, "d_model", "d_head"), (*heads, "d_head", "d_model"), ("d_model", "d_model")
        turned = (*heads, "d_model", "d_query")
        fix_arrays(self, value=read, output=written, query=turned, key=turned, matches=ends, copies=ends)
