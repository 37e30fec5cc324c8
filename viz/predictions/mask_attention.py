"""What one token looks at: a single row of the attention, as bars over the sentence in its reading order.

The row of a mask shows where the model looks for the missing word. Every row of weights sums to 1 (Vaswani et al.
2017, "Attention Is All You Need", section 3.2.1), and so does a mean over heads and layers.
"""

from __future__ import annotations

import numpy as np
import pandas as pd
import plotly.graph_objects as go

from models.values.errors import SelectionError
from models.values.record import Array, AttentionRecord
from viz.attention.heatmap import KIND_TITLES
from viz.kit import theme as style
from viz.kit.bars import Bar, Scale, lying_bars, may_stand, standing_bars
from viz.kit.theme import Theme, four_digits, nice_maximum, percentage
from viz.kit.tokens import plain_label, shorten, token_texts


def mask_attention(
    record: AttentionRecord,
    *,
    position: int,
    layer: int | None,
    head: int | None,
    theme: Theme = "light",
    width: int = style.WIDEST,
) -> go.Figure:
    """The weights that the token at `position` gives to every token. No head: the mean over the heads of the layer;
    no layer: the mean over all layers and heads.

    A long text gives a tall figure. Raises SelectionError for a position, layer or head that is not there.
    """
    weights = row_weights(record, position=position, layer=layer, head=head)
    palette, texts = style.PALETTES[theme], token_texts(record.key_tokens)
    stands = may_stand(len(texts), width)
    own = position if record.kind != "cross" else None
    bars = [
        Bar(
            place=place,
            label=text,
            value=float(weight),
            text=f"{weight:.0%}" if stands else f"{weight:.1%}",
            hover=(f"{text} (position {place})", f"weight {four_digits(float(weight))}"),
            colour=palette.accent if place == own else palette.still if token.is_special else palette.bar,
            is_called=place == own,
        )
        for place, (token, text, weight) in enumerate(zip(record.key_tokens, texts, weights, strict=True))
    ]
    asking = shorten(token_texts(record.query_tokens)[position], 14)
    draw = standing_bars if stands else lying_bars
    return draw(
        bars,
        scale=Scale(high=nice_maximum(float(weights.max(initial=0))), title="weight"),
        title=f"Row {position}: {plain_label(asking)} · {KIND_TITLES[record.kind]}{_which(record, layer, head)}",
        note=_note(record, position, weights),
        theme=theme,
        width=width,
    )


def mask_attention_table(
    record: AttentionRecord, *, position: int, layer: int | None, head: int | None
) -> pd.DataFrame:
    """Columns position, token, is_special, weight: the bars of `mask_attention` in reading order."""
    return pd.DataFrame(
        {
            "position": range(len(record.key_tokens)),
            "token": token_texts(record.key_tokens),
            "is_special": [token.is_special for token in record.key_tokens],
            "weight": row_weights(record, position=position, layer=layer, head=head),
        }
    )


def row_weights(record: AttentionRecord, *, position: int, layer: int | None, head: int | None) -> Array:
    """One row of the weights [n_key], or its mean over the heads, or over all layers and heads; one head at a time."""
    if not 0 <= position < len(record.query_tokens):
        last = len(record.query_tokens) - 1
        raise SelectionError(f"position {position} was asked for, but this text has positions 0 to {last}.")
    layers = range(record.n_layers) if layer is None else (layer,)
    heads = range(record.n_heads) if head is None or layer is None else (head,)
    total = np.zeros(len(record.key_tokens), np.float64)
    for each_layer in layers:
        for each_head in heads:
            total += record.weights(each_layer, each_head)[position]
    mean: Array = (total / (len(layers) * len(heads))).astype(np.float32)
    return mean


def _note(record: AttentionRecord, position: int, weights: Array) -> str:
    """What the bars are, what they sum to, and what their colours say."""
    asking = shorten(token_texts(record.query_tokens)[position], 14)
    said = (
        f"Row {position} of the attention: how much “{asking}” looks at each token. "
        f"The bars sum to {percentage(float(weights.sum())).replace('.0%', '%')}."
    )
    said += " Grey: special tokens." if any(token.is_special for token in record.key_tokens) else ""
    return said + (" Orange: the token itself." if record.kind != "cross" else "")


def _which(record: AttentionRecord, layer: int | None, head: int | None) -> str:
    if layer is None:
        return f"mean over {record.n_layers} layers × {record.n_heads} heads"
    return f"Layer {layer} · " + (f"mean over {record.n_heads} heads" if head is None else f"Head {head}")


if __name__ == "__main__":
    from viz.kit.demo import plausible_record

    mask_attention(plausible_record(), position=10, layer=0, head=3).show()
