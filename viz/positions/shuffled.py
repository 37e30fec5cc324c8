"""A sentence and the same tokens in another order: what an encoder without positions can and cannot see.

Attention is a function of a set: if the tokens change places, its rows and columns do, and nothing else ("permutation
equivariance", Lee et al. 2019, "Set Transformer", section 3.1). Only positions tell an encoder the order.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pandas as pd
import plotly.graph_objects as go

from models.values.arguments.check import check_arguments
from models.values.positions import ShuffledPair
from models.values.record import Array, AttentionRecord
from viz.attention.heatmap import attention_title, matrix_figure
from viz.attention.matrix import Matrix
from viz.attention.transform import select
from viz.kit import theme as style
from viz.kit.language import tr
from viz.kit.theme import Theme
from viz.kit.tokens import token_texts


@check_arguments
def written_map(
    pair: ShuffledPair, *, layer: int, head: int | None, theme: Theme = "light", width: int = style.WIDEST
) -> go.Figure:
    """Draw the weights of the original sentence; `head=None` is the mean over the heads of the layer."""
    matrix = select(_written_attention(pair), layer=layer, head=head)
    return matrix_figure(matrix, title=_title(pair, tr("As written"), layer, head), theme=theme, width=width)


@check_arguments
def shuffled_map(
    pair: ShuffledPair,
    *,
    layer: int,
    head: int | None,
    is_brought_back: bool = True,
    theme: Theme = "light",
    width: int = style.WIDEST,
) -> go.Figure:
    """Draw the weights of the shuffled tokens, in their own order, or with rows and columns back in the original
    one."""
    matrix = select(_shuffled_attention(pair), layer=layer, head=head)
    name = tr("Shuffled, brought back") if is_brought_back else tr("Shuffled")
    drawn = _brought_back(matrix, pair) if is_brought_back else matrix
    return matrix_figure(drawn, title=_title(pair, name, layer, head), theme=theme, width=width)


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


def restore_order(shuffled: Array, order: tuple[int, ...]) -> Array:
    """Return rows and columns [n, n] of the shuffled tokens, back in the original order."""
    places = np.argsort(order)
    back: Array = shuffled[places][:, places]
    return back


def moved_tokens(pair: ShuffledPair) -> tuple[str, ...]:
    """Return the shuffled tokens as people read them, in their new order. NOT escaped for HTML."""
    texts = token_texts(pair.written.tokens)
    return tuple(texts[place] for place in pair.order)


def difference_table(pair: ShuffledPair, *, layer: int, head: int | None) -> pd.DataFrame:
    """Return a row for each query and key: positions and tokens as written, both weights, and their difference."""
    written, shuffled = (
        select(record, layer=layer, head=head).values
        for record in (_written_attention(pair), _shuffled_attention(pair))
    )
    back = restore_order(shuffled, pair.order)
    texts = np.array(token_texts(pair.written.tokens), dtype=object)
    query, key = (axis.ravel() for axis in np.indices(written.shape))
    return pd.DataFrame(
        {
            "query_position": query,
            "query_token": texts[query],
            "key_position": key,
            "key_token": texts[key],
            "weight_written": written.ravel(),
            "weight_shuffled": back.ravel(),
            "difference": (back - written).ravel(),
        }
    )


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
