"""What one text adds to an atlas, and how the sums of two parts of a corpus become those of both.

The sums are associative, so a corpus may be read in any order, on any number of machines, and memory does not grow with
it. The weights of every layer are made once for all of them.
"""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from models.analysis.analysis import is_piece
from models.analysis.dependencies import ParsedSentence
from models.analysis.jensen_shannon import entropies
from models.analysis.measuring import HeadSums, sums_of_even_attention, sums_over
from models.analysis.over_texts.examples import ExampleSums, example_sums
from models.analysis.over_texts.grammar import GrammarSums, grammar_sums
from models.analysis.over_texts.likeness import LikenessSums, likeness_sums
from models.analysis.over_texts.pieces import PieceSums, piece_sums
from models.analysis.whole_rows import whole_rows
from models.values.record import Array, AttentionRecord, Kind
from models.values.results.atlas import FURTHEST

Totals = NDArray[np.float64]
MOMENTS = ("entropy", "confidence", "distance")
"""What is averaged over the rows of word pieces, beside the shares of attention."""


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


def atlas_sums(record: AttentionRecord, text: str, parsed: ParsedSentence | None = None) -> AtlasSums:
    """What the self-attention of one text gives, and of a `parsed` one its grammar.

    Raises ValueError for cross attention, whose queries are no keys.
    """
    if record.kind == "cross":
        raise ValueError("a record of cross-attention was given, expected self-attention.")
    tokens = record.key_tokens
    layers = [record.layer_weights(layer) for layer in range(record.n_layers)]  # each [n_heads, n_tokens, n_tokens]
    rows = [whole_rows(record, weights) for weights in layers]  # each [n_heads, n_tokens, n_tokens (+ 1)]
    piece = is_piece(tokens)
    shares = sums_over(record, "texts", layers), sums_over(record, "a corpus", layers)
    return AtlasSums(
        kind=record.kind, n_texts=1, n_pieces=int(piece.sum()), shares=shares,
        even=(sums_of_even_attention(record), sums_of_even_attention(record, needs="a corpus")),
        moments=np.stack([_moments(each[:, piece], piece) for each in rows], axis=1),
        offsets=np.stack([_by_offset(weights[:, piece], piece) for weights in layers]),
        pieces=piece_sums(layers, tokens), likeness=likeness_sums(rows, tokens),
        examples=example_sums(text, shares),
        grammar=GrammarSums() if parsed is None else grammar_sums(parsed, layers, tokens),
    )  # fmt: skip


def _moments(rows: Array, piece: NDArray[np.bool_]) -> Totals:
    """Entropy in bits, largest weight and distance of key and query, each summed over rows [n_heads, n_rows, n_tokens]:
    [3, n_heads]. The distance is that of the attention to pieces, weighed by it. The share of a sink, in one column
    more, is an outcome for the entropy alone."""
    to_tokens = rows[:, :, : len(piece)]  # [n_heads, n_rows, n_tokens]
    far = np.abs(_offsets_of(piece))[:, piece]  # [n_rows, n_pieces]
    near = to_tokens[:, :, piece].astype(np.float64)  # [n_heads, n_rows, n_pieces]
    seen = near.sum(axis=2)  # [n_heads, n_rows]
    distance = np.divide((near * far).sum(axis=2), seen, out=np.zeros_like(seen), where=seen > 0)
    found: Totals = np.stack((entropies(rows), to_tokens.max(axis=2).astype(np.float64), distance)).sum(axis=2)
    return found


def _by_offset(rows: Array, piece: NDArray[np.bool_]) -> Totals:
    """Attention of rows [n_heads, n_rows, n_tokens] to pieces, by the offset of key and query, summed:
    [n_heads, 2 · FURTHEST + 1]."""
    offsets = _offsets_of(piece)[:, piece].clip(-FURTHEST, FURTHEST) + FURTHEST  # [n_rows, n_pieces]
    to_pieces = rows[:, :, piece].reshape(len(rows), -1)
    counted = [
        np.bincount(offsets.ravel(), weights=of_head, minlength=2 * FURTHEST + 1) for of_head in to_pieces
    ]  # fmt: skip
    found: Totals = np.stack(counted)
    return found


def _offsets_of(piece: NDArray[np.bool_]) -> NDArray[np.intp]:
    """Key position - query position for the rows of pieces [n_rows, n_tokens]."""
    positions = np.arange(len(piece))
    found: NDArray[np.intp] = positions[None] - positions[piece][:, None]
    return found
