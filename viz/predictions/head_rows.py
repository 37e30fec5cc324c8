"""The attention of one token, or the mean of several, in every head of a layer: rows of each map, as a column.

Where a classifier reads nothing but the state of [CLS] (Devlin et al. 2018, section 4.1), that row shows what a label
is made of; where it takes the mean over the words, the mean of their rows does.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pandas as pd
import plotly.graph_objects as go

from models.values.arguments.check import check_arguments
from models.values.record import Array, AttentionRecord
from viz.attention.transform import rows_of_weights
from viz.kit import theme as style
from viz.kit.language import tr
from viz.kit.row_sums import sum_of_weights
from viz.kit.theme import Theme
from viz.kit.tokens import token_texts
from viz.predictions.asking import rows_title, what_is_shown
from viz.predictions.token_map import token_map

MOST_TOKENS = 64
"""Tokens that are drawn; the table holds all of them."""


@check_arguments
def head_rows(
    record: AttentionRecord, *, positions: Sequence[int], layer: int, theme: Theme = "light", width: int = style.WIDEST
) -> go.Figure:
    """Draw the mean weights of the tokens at `positions`: a row for each token looked at, a column for each head.

    Of a long text only the tokens with the largest weights are drawn, in their order. Raises SelectionError.
    """
    weights = rows_of_heads(record, positions=positions, layer=layer)
    texts = token_texts(record.key_tokens)
    shown = np.sort(np.argsort(-weights.max(axis=1), kind="stable")[:MOST_TOKENS])  # [n_shown]
    left_out = len(texts) - len(shown)
    notes = [what_is_shown(record, positions), tr("Every column sums to {sum}.", sum=sum_of_weights(record, layer))]
    if left_out:
        notes.append(tr("{n} tokens with smaller weights are not drawn.", n=left_out))
    return token_map(
        weights[shown],
        texts=[texts[place] for place in shown],
        positions=shown.tolist(),
        columns=[tr("Head {head}", head=head) for head in range(record.n_heads)],
        number=tr("weight"),
        title=tr("{rows} · all heads of layer {layer}", rows=rows_title(record, positions), layer=layer),
        note=" ".join(notes),
        theme=theme,
        width=width,
    )


@check_arguments
def head_rows_table(record: AttentionRecord, *, positions: Sequence[int], layer: int) -> pd.DataFrame:
    """Return the columns position, token, is_special, then the weight in every head: all tokens in reading order."""
    weights = rows_of_heads(record, positions=positions, layer=layer)
    table = pd.DataFrame(
        {
            "position": range(len(record.key_tokens)),
            "token": token_texts(record.key_tokens),
            "is_special": [token.is_special for token in record.key_tokens],
        }
    )
    return pd.concat([table, pd.DataFrame(weights, columns=[f"head {head}" for head in range(record.n_heads)])], axis=1)


@check_arguments
def rows_of_heads(record: AttentionRecord, *, positions: Sequence[int], layer: int) -> Array:
    """Return the mean of some rows of the weights of every head [n_key, n_heads]. Raises SelectionError for a position
    or layer out of range."""
    means = [rows_of_weights(record, positions, layer=layer, head=head).mean(axis=0) for head in range(record.n_heads)]
    return np.stack(means, axis=1)


if __name__ == "__main__":
    from viz.kit.demos.records import plausible_record

    head_rows(plausible_record(), positions=[0], layer=0).show()
