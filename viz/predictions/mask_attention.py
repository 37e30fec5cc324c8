"""The attention of one token, or the mean of several: a row of the weights, as bars over the sentence.

The row of a mask shows where the model looks for the missing word. Every row of weights sums to 1 (Vaswani et al.
2017, "Attention Is All You Need", section 3.2.1), and so does a mean over heads and layers.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pandas as pd
import plotly.graph_objects as go

from models.values.arguments.check import check_arguments
from models.values.record import Array, AttentionRecord
from viz.attention.heatmap import attention_title
from viz.attention.transform import rows_of_weights
from viz.kit import theme as style
from viz.kit.figures.bars import Bar, Scale, lying_bars, may_stand, standing_bars
from viz.kit.language import tr
from viz.kit.theme import Palette, Theme, nice_maximum, percentage
from viz.kit.tokens import token_texts
from viz.predictions.asking import rows_title, what_is_shown

NEAREST = 2
"""Neighbours are what heads look at by habit: a head is chosen for what it looks at farther away."""


@check_arguments
def strongest_look(record: AttentionRecord, positions: Sequence[int]) -> tuple[int, int, int]:
    """Return the layer, head and key of the largest mean weight from `positions` to another word, without special
    tokens, signs and neighbours where there is more."""
    best = np.stack(
        [
            rows_of_weights(record, positions, layer=layer, head=head).mean(axis=0)
            for layer, head in np.ndindex(record.n_layers, record.n_heads)
        ]
    )  # [n_layers * n_heads, n_key]
    is_word = np.array([not token.is_special and any(map(str.isalnum, token.text)) for token in record.key_tokens])
    apart = np.abs(np.arange(record.n_key) - np.asarray(positions)[:, None]).min(axis=0)
    possible = is_word & (apart >= (0 if record.kind == "cross" else NEAREST))
    best *= possible if possible.any() else 1
    place, key = np.unravel_index(int(np.argmax(best)), best.shape)
    layer, head = divmod(int(place), record.n_heads)
    return layer, head, int(key)


@check_arguments
def mask_attention(
    record: AttentionRecord,
    *,
    positions: Sequence[int],
    layer: int | None,
    head: int | None,
    theme: Theme = "light",
    width: int = style.WIDEST,
) -> go.Figure:
    """Draw the mean weights from the tokens at `positions` to every token. Without a head: the mean over the heads of
    the layer; without a layer: over all layers and heads.

    A long text gives a tall figure. Raises SelectionError for a position, layer or head out of range.
    """
    weights = rows_of_weights(record, positions, layer=layer, head=head).mean(axis=0)
    stands = may_stand(record.n_key, width)
    own = positions[0] if _is_one_of_its_keys(record, positions) else None
    draw = standing_bars if stands else lying_bars
    return draw(
        _bars(record, weights, own, decimals=0 if stands else 1, palette=style.PALETTES[theme]),
        scale=Scale(high=nice_maximum(float(weights.max(initial=0))), title=tr("weight")),
        title=f"{rows_title(record, positions)} · {_which(record, layer, head)}",
        note=_note(record, positions, weights),
        theme=theme,
        width=width,
    )


def _bars(record: AttentionRecord, weights: Array, own: int | None, *, decimals: int, palette: Palette) -> list[Bar]:
    """Return a bar for the weight of every key; that of the token itself, if it is among them, is highlighted."""
    texts = token_texts(record.key_tokens)
    return [
        Bar(
            place=place,
            label=text,
            value=float(weight),
            text=f"{weight:.{decimals}%}",
            hover=(
                tr("{token} (position {place})", token=text, place=place),
                tr("weight {number}", number=percentage(float(weight))),
            ),
            colour=palette.accent if place == own else palette.still if token.is_special else palette.bar,
            is_called=place == own,
        )
        for place, (token, text, weight) in enumerate(zip(record.key_tokens, texts, weights, strict=True))
    ]


@check_arguments
def mask_attention_table(
    record: AttentionRecord, *, positions: Sequence[int], layer: int | None, head: int | None
) -> pd.DataFrame:
    """Return the columns position, token, is_special, weight: the bars of `mask_attention` in reading order."""
    return pd.DataFrame(
        {
            "position": range(len(record.key_tokens)),
            "token": token_texts(record.key_tokens),
            "is_special": [token.is_special for token in record.key_tokens],
            "weight": rows_of_weights(record, positions, layer=layer, head=head).mean(axis=0),
        }
    )


def _is_one_of_its_keys(record: AttentionRecord, positions: Sequence[int]) -> bool:
    """Return whether it is a single token, which is among its own keys."""
    return len(positions) == 1 and record.kind != "cross"


def _note(record: AttentionRecord, positions: Sequence[int], weights: Array) -> str:
    """Return the note: the meaning of the bars, their sum, and the meaning of their colours."""
    whole = percentage(float(weights.sum())).replace(".0%", "%")
    parts = [what_is_shown(record, positions), tr("The bars sum to {share}.", share=whole)]
    if any(token.is_special for token in record.key_tokens):
        parts.append(tr("Grey: special tokens."))
    if _is_one_of_its_keys(record, positions):
        parts.append(tr("Orange: the token itself."))
    return " ".join(parts)


def _which(record: AttentionRecord, layer: int | None, head: int | None) -> str:
    """Return the name of the head or of the mean."""
    if layer is None:
        layers, heads = record.n_layers, record.n_heads
        if record.kind == "decoder":
            return tr("Decoder · mean over {layers} layers × {heads} heads", layers=layers, heads=heads)
        if record.kind == "cross":
            return tr("Cross-attention · mean over {layers} layers × {heads} heads", layers=layers, heads=heads)
        return tr("mean over {layers} layers × {heads} heads", layers=layers, heads=heads)
    return attention_title(record, layer, head)


if __name__ == "__main__":
    from viz.kit.demos.records import plausible_record

    mask_attention(plausible_record(), positions=[10], layer=0, head=3).show()
