"""The sums of one text for an atlas, and how the sums of two parts of a corpus merge.

The sums are associative, so a corpus may be read in any order, on any number of machines, and memory does not grow with
it. The weights of every head are made once for all of them.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from models.analysis.analysis import HeadMeasure, is_piece
from models.analysis.grammar.dependencies import ParsedSentence
from models.analysis.heads.measuring import HeadSums, measures_of, sums_from, sums_of_even_attention
from models.analysis.jensen_shannon import entropies
from models.analysis.over_texts.examples import ExampleSums, example_sums
from models.analysis.over_texts.grammar import GrammarSums, grammar_sums
from models.analysis.over_texts.likeness import LikenessSums, likeness_sums, rows_to_compare
from models.analysis.over_texts.pieces import PieceSums, looks_and_gifts, piece_sums
from models.values.head_roles import head_places
from models.values.record import Array, AttentionRecord, Kind
from models.values.results.atlas import FURTHEST

Totals = NDArray[np.float64]
MOMENTS = ("entropy", "confidence", "distance")
"""Quantities that are averaged over the rows of word pieces, beside the shares of attention."""
CELLS_AT_ONCE = 1 << 24
"""So many weights are in memory at once: those of one head over 4,096 tokens."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class AtlasSums:
    """The sums of some texts for one kind of attention.

    `shares` and `even` hold the measures of texts and of a corpus, and what evenly spread attention gives to them;
    `moments` [3, n_layers, n_heads] those of MOMENTS and `offsets` [n_layers, n_heads, 2 · FURTHEST + 1] attention by
    offset, both over `n_pieces` rows; `grammar` counts relations, where the texts are those of a treebank.
    """

    kind: Kind
    n_texts: int
    n_pieces: int
    shares: tuple[HeadSums, HeadSums]
    even: tuple[HeadSums, HeadSums]
    moments: Totals
    offsets: Totals
    pieces: PieceSums
    likeness: LikenessSums
    examples: ExampleSums
    grammar: GrammarSums = field(default_factory=GrammarSums)

    def __add__(self, other: AtlasSums) -> AtlasSums:
        """Both together. Raises ValueError if they are not of one model, measured alike."""
        return AtlasSums(
            kind=self.kind,
            n_texts=self.n_texts + other.n_texts,
            n_pieces=self.n_pieces + other.n_pieces,
            shares=(self.shares[0] + other.shares[0], self.shares[1] + other.shares[1]),
            even=(self.even[0] + other.even[0], self.even[1] + other.even[1]),
            moments=self.moments + other.moments,
            offsets=self.offsets + other.offsets,
            pieces=self.pieces + other.pieces,
            likeness=self.likeness + other.likeness,
            examples=self.examples + other.examples,
            grammar=self.grammar + other.grammar,
        )


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class _OfHeads:
    """Return the sums of some heads over one text, each array with a place for each head in its last but `n`
    dimensions: `shares` (n = 0) of texts and of a corpus, `moments` (0), `offsets` (1), `tokens` (1), `rows` (2)."""

    shares: tuple[Totals, Totals]
    moments: Totals
    offsets: Totals
    tokens: Array
    rows: Array


def atlas_sums(record: AttentionRecord, text: str, parsed: ParsedSentence | None = None) -> AtlasSums:
    """Return the sums of one text's self-attention, and of a `parsed` one its grammar. A text of thousands of tokens is
    read head by head, so that never more than the weights of one are in memory.

    Raises ValueError for cross attention, whose queries are no keys.
    """
    if record.kind == "cross":
        raise ValueError("a record of cross-attention was given, expected self-attention.")
    tokens = record.key_tokens
    asked = measures_of(record, "texts"), measures_of(record, "a corpus")
    parts = [_of_heads(record, weights, asked) for weights in _head_by_head(record)]
    heads = record.n_layers, record.n_heads
    shares = tuple(
        sums_from(record, of, np.concatenate([part.shares[side] for part in parts], axis=1).reshape(-1, *heads))
        for side, of in enumerate(asked)
    )
    return AtlasSums(
        kind=record.kind,
        n_texts=1,
        n_pieces=int(is_piece(tokens).sum()),
        shares=(shares[0], shares[1]),
        even=(sums_of_even_attention(record), sums_of_even_attention(record, needs="a corpus")),
        moments=np.concatenate([part.moments for part in parts], axis=1).reshape(-1, *heads),
        offsets=np.concatenate([part.offsets for part in parts]).reshape(*heads, -1),
        pieces=piece_sums(np.concatenate([part.tokens for part in parts], axis=1).reshape(2, *heads, -1), tokens),
        likeness=likeness_sums(np.concatenate([part.rows for part in parts])),
        examples=example_sums(text, shares),
        grammar=GrammarSums() if parsed is None else grammar_sums(parsed, _layers(record), tokens),
    )


def _head_by_head(record: AttentionRecord) -> Iterator[Array]:
    """The weights of all heads, layer by layer [n_heads, n_tokens, n_tokens], or where a text is long each by itself
    [1, n_tokens, n_tokens]."""
    if record.n_heads * record.n_key**2 <= CELLS_AT_ONCE:
        yield from _layers(record)
        return
    for layer, head in head_places(record.n_layers, record.n_heads):
        yield record.weights(layer, head)[None]


def _layers(record: AttentionRecord) -> Iterator[Array]:
    """The weights of the layers [n_heads, n_tokens, n_tokens]."""
    return (record.layer_weights(layer) for layer in range(record.n_layers))


def _of_heads(record: AttentionRecord, weights: Array, asked: tuple[tuple[HeadMeasure, ...], ...]) -> _OfHeads:
    """Return the sums of some heads [n_heads, n_tokens, n_tokens]."""
    tokens = record.key_tokens
    piece, whole = is_piece(tokens), _with_sink(record, weights)  # [n_tokens], [n_heads, n_tokens, n_tokens (+ 1)]
    texts, corpus = (
        np.array([measure.compute(weights, tokens) for measure in of], dtype=np.float64).reshape(len(of), len(weights))
        for of in asked
    )
    return _OfHeads(
        shares=(texts, corpus),
        moments=_moments(whole[:, piece], piece),
        offsets=_by_offset(weights[:, piece], piece),
        tokens=looks_and_gifts(weights, piece),
        rows=whole[:, rows_to_compare(tokens)],
    )


def _with_sink(record: AttentionRecord, weights: Array) -> Array:
    """Return rows that sum to 1: what goes to an attention sink, and so to no token (Xiao et al. 2023, section 3.3), is
    one outcome more [n_heads, n_query, n_key + 1]. Without sinks the weights are returned unchanged."""
    if not record.has_sinks():
        return weights
    left = (1 - weights.sum(axis=-1, keepdims=True)).clip(min=0)  # [n_heads, n_query, 1]
    whole: Array = np.concatenate([weights, left], axis=-1)
    return whole


def _moments(rows: Array, piece: NDArray[np.bool_]) -> Totals:
    """Entropy in bits, largest weight and distance of key and query, each summed over rows [n_heads, n_rows, n_tokens]:
    [3, n_heads]. The distance is that of the attention to pieces, weighed by it. The share of a sink, in one column
    more, is an outcome for the entropy alone."""
    to_tokens = rows[:, :, : len(piece)]  # [n_heads, n_rows, n_tokens]
    far = np.abs(_offsets_of(piece))[:, piece]  # [n_rows, n_pieces]
    near = to_tokens[:, :, piece].astype(np.float64)  # [n_heads, n_rows, n_pieces]
    seen = near.sum(axis=2)  # [n_heads, n_rows]
    distance = np.divide((near * far).sum(axis=2), seen, out=np.zeros_like(seen), where=seen > 0)
    moments: Totals = np.stack((entropies(rows), to_tokens.max(axis=2).astype(np.float64), distance)).sum(axis=2)
    return moments


def _by_offset(rows: Array, piece: NDArray[np.bool_]) -> Totals:
    """Attention of rows [n_heads, n_rows, n_tokens] to pieces, by the offset of key and query, summed:
    [n_heads, 2 · FURTHEST + 1]."""
    offsets = _offsets_of(piece)[:, piece].clip(-FURTHEST, FURTHEST) + FURTHEST  # [n_rows, n_pieces]
    to_pieces = rows[:, :, piece].reshape(len(rows), -1)
    counted = [np.bincount(offsets.ravel(), weights=of_head, minlength=2 * FURTHEST + 1) for of_head in to_pieces]
    totals: Totals = np.stack(counted)
    return totals


def _offsets_of(piece: NDArray[np.bool_]) -> NDArray[np.intp]:
    """Key position - query position for the rows of pieces [n_rows, n_tokens]."""
    positions = np.arange(len(piece))
    offsets: NDArray[np.intp] = positions[None] - positions[piece][:, None]
    return offsets
