"""A sentence and the same tokens in another order: what an encoder without positions can and cannot see.

Attention is a function of a set: if the tokens change places, its rows and columns do, and nothing else ("permutation
equivariance", Lee et al. 2019, "Set Transformer", section 3.1). Only positions tell an encoder the order.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Literal

import numpy as np
import plotly.graph_objects as go

from models.values.arguments.check import check_arguments
from models.values.positions import ShuffledPair
from models.values.record import Array, AttentionRecord
from models.values.results.comparison import AttentionComparison
from viz.attention.heatmap import attention_title, matrix_figure
from viz.attention.matrix import Matrix
from viz.attention.transform import select
from viz.kit import theme as style
from viz.kit.language import tr
from viz.kit.theme import Theme
from viz.kit.tokens import texts_of_words


@check_arguments
def written_map(
    pair: ShuffledPair, *, layer: int, head: int | None, theme: Theme = "light", width: int = style.WIDEST
) -> go.Figure:
    """Draw the weights of the original sentence; `head=None` is the mean over the heads of the layer."""
    matrix = select(_written_attention(pair), layer=layer, head=head)
    return matrix_figure(matrix, title=_title(pair, tr("As written"), layer, head), theme=theme, width=width)


@check_arguments
def shuffled_map(
    pair: ShuffledPair, *, layer: int, head: int | None, theme: Theme = "light", width: int = style.WIDEST
) -> go.Figure:
    """Draw the weights of the shuffled tokens, with rows and columns back in the order as written."""
    matrix = _brought_back(select(_shuffled_attention(pair), layer=layer, head=head), pair)
    title = _title(pair, tr("Shuffled, brought back"), layer, head)
    return matrix_figure(matrix, title=title, theme=theme, width=width)


def difference(pair: ShuffledPair, *, layer: int, head: int | None) -> float:
    """Return the largest difference between a weight of the shuffled tokens and that of the same two tokens as
    written."""
    written, shuffled = (
        select(record, layer=layer, head=head).values
        for record in (_written_attention(pair), _shuffled_attention(pair))
    )
    return float(np.abs(written - restore_order(shuffled, pair.order)).max(initial=0))


def differences(pair: ShuffledPair) -> Array:
    """Return `difference` for every head [n_layers, n_heads], read-only."""
    record = _written_attention(pair)
    all_heads = np.array(
        [
            [difference(pair, layer=layer, head=head) for head in range(record.n_heads)]
            for layer in range(record.n_layers)
        ],
        dtype=np.float32,
    )
    all_heads.flags.writeable = False
    return all_heads


@check_arguments
def order_finding(comparison: AttentionComparison, *, is_same: bool, n_heads: int) -> str:
    """Return a sentence about a head on a text and on its tokens in another order: that all `n_heads` attend alike, if
    it `is_same`, or where the word of the shift looks in each. Plain text with words in it: NOT escaped."""
    if is_same:
        return tr("The same attention in all {n} heads: the model cannot tell these two orders apart.", n=n_heads)
    if comparison.shift is None:
        return tr("Not the same attention: the order counts.")
    (query,) = texts_of_words(comparison.one_queries, [comparison.shift.rows])
    (one, before), (other, after) = (_most_attended(comparison, side) for side in ("one", "other"))
    return tr(
        "“{query}” looks at “{one}” ({before}), in the other order at “{other}” ({after}).",
        query=query,
        one=one,
        before=f"{before:{style.SHARE_FORMAT}}",
        other=other,
        after=f"{after:{style.SHARE_FORMAT}}",
    )


def _most_attended(comparison: AttentionComparison, side: Literal["one", "other"]) -> tuple[str, float]:
    """Return the token of one text to which the token of the shift gives most, special tokens and punctuation left out,
    with its position where the text has it more than once; and its share."""
    tokens = getattr(comparison, f"{side}_keys")
    rows = list(comparison.shift.rows) if comparison.shift else []
    weights = np.zeros(len(tokens))
    weights[[getattr(pair, side) for pair in comparison.columns]] = getattr(comparison, side)[rows].mean(axis=0)
    words = [place for place, token in enumerate(tokens) if not token.is_special and any(map(str.isalnum, token.text))]
    best = max(words, key=weights.__getitem__)
    texts = texts_of_words(tokens, [[place] for place in words])
    text = texts[words.index(best)]
    return text if texts.count(text) == 1 else f"{text} ({best})", float(weights[best])


def restore_order(shuffled: Array, order: tuple[int, ...]) -> Array:
    """Return rows and columns [n, n] of the shuffled tokens, back in the original order."""
    places = np.argsort(order)
    back: Array = shuffled[places][:, places]
    return back


def _title(pair: ShuffledPair, name: str, layer: int, head: int | None) -> str:
    return f"{name} · {attention_title(_written_attention(pair), layer, head)}"


def _brought_back(matrix: Matrix, pair: ShuffledPair) -> Matrix:
    """Return the matrix with its tokens, rows and columns back in the order of the original sentence."""
    tokens, places = pair.written.tokens, tuple(range(len(pair.order)))
    return replace(
        matrix,
        values=restore_order(matrix.values, pair.order),
        masked=restore_order(matrix.masked.astype(np.float32), pair.order) > 0,
        query_tokens=tokens,
        key_tokens=tokens,
        query_positions=places,
        key_positions=places,
    )


def _written_attention(pair: ShuffledPair) -> AttentionRecord:
    return pair.written.attention[0]


def _shuffled_attention(pair: ShuffledPair) -> AttentionRecord:
    return pair.shuffled.attention[0]


if __name__ == "__main__":
    from viz.kit.demos.records import shuffled_pair

    made_up = shuffled_pair()
    written_map(made_up, layer=0, head=3).show()
    shuffled_map(made_up, layer=0, head=3).show()
