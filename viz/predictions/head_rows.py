"""What one token looks at in every head of a layer, side by side: one row of each attention map, as a column.

The row of [CLS] shows what the label of a text is made of, because the head for labels reads nothing but the state of
that token (Devlin et al. 2018, section 4.1).
"""

from __future__ import annotations

import numpy as np
import pandas as pd
import plotly.graph_objects as go

from models.values.errors import SelectionError
from models.values.record import Array, AttentionRecord
from viz.kit import theme as style
from viz.kit.theme import Theme
from viz.kit.tokens import plain_label, shorten, token_texts
from viz.predictions.token_map import token_map

MOST_TOKENS = 64
"""Tokens that are drawn; the table holds all of them."""


def head_rows(
    record: AttentionRecord, *, position: int, layer: int, theme: Theme = "light", width: int = style.WIDEST
) -> go.Figure:
    """The weights that the token at `position` gives, a row for each token it looks at and a column for each head.

    Of a long text only the tokens with the largest weights are drawn, in their order. Raises SelectionError.
    """
    weights = rows_of_heads(record, position=position, layer=layer)
    texts = token_texts(record.key_tokens)
    shown = np.sort(np.argsort(-weights.max(axis=1), kind="stable")[:MOST_TOKENS])  # [n_shown]
    asking = shorten(token_texts(record.query_tokens)[position], 14)
    left_out = len(texts) - len(shown)
    return token_map(
        weights[shown],
        texts=[texts[place] for place in shown],
        positions=shown.tolist(),
        columns=[f"Head {head}" for head in range(record.n_heads)],
        number="weight",
        title=f"Row {position}: {plain_label(asking)} · all heads of layer {layer}",
        note=f"How much “{asking}” looks at each token. Every column sums to 1."
        + (f" {left_out} tokens with smaller weights are not drawn." if left_out else ""),
        theme=theme,
        width=width,
    )


def head_rows_table(record: AttentionRecord, *, position: int, layer: int) -> pd.DataFrame:
    """Columns position, token, is_special, then the weight in every head: all tokens in reading order."""
    weights = rows_of_heads(record, position=position, layer=layer)
    table = pd.DataFrame(
        {
            "position": range(len(record.key_tokens)),
            "token": token_texts(record.key_tokens),
            "is_special": [token.is_special for token in record.key_tokens],
        }
    )
    return pd.concat([table, pd.DataFrame(weights, columns=[f"head {head}" for head in range(record.n_heads)])], axis=1)


def rows_of_heads(record: AttentionRecord, *, position: int, layer: int) -> Array:
    """One row of the weights of every head [n_key, n_heads]. Raises SelectionError for what is not there."""
    if not 0 <= position < record.n_query:
        raise SelectionError(
            f"position {position} was asked for, but this text has positions 0 to {record.n_query - 1}."
        )
    row = slice(position, position + 1)
    return np.stack([record.weights(layer, head, row)[0] for head in range(record.n_heads)], axis=1)


if __name__ == "__main__":
    from viz.kit.demo import plausible_record

    head_rows(plausible_record(), position=0, layer=0).show()
