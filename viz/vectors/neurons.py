"""The dimensions ("neurons") of a head that carry its attention: contributions to the scores, ranked and summed.

The score of a key is a sum over dimensions, scale · q_d · k_d (before a soft cap and a bias). What every key gets alike
cancels in the softmax, so a contribution is centred: scale · q_d · (k_d − mean of k_d over the keys in view). Weighted
by the attention and summed over the keys, it says how much of the choice of the query is due to that dimension.
Vig 2019, "A Multiscale Visualization of Attention in the Transformer Model", section 3.3, shows the products alone.
"""

from __future__ import annotations

import numpy as np
import pandas as pd
import plotly.graph_objects as go
from numpy.typing import NDArray

from models.values.arguments.check import check_arguments
from models.values.errors import SelectionError
from models.values.record import Array, AttentionRecord
from viz.attention.heatmap import attention_title
from viz.kit import theme as style
from viz.kit.figures.bars import Bar, Scale, lying_bars
from viz.kit.figures.panel_layout import Band, Column, Rows, WeightBars
from viz.kit.figures.panels import WIDEST, panel_figure
from viz.kit.language import tr
from viz.kit.theme import NARROW, SCORE_FORMAT, Theme, number
from viz.kit.tokens import plain_label, token_texts
from viz.vectors.contributions import Contributions, contributions, sentence_contributions, unsigned_contributions
from viz.vectors.query_bands import MOST_KEYS, MOST_KEYS_NARROW, query_title
from viz.vectors.query_key_value import Lookup, Order, look_up, ordered_keys

MOST_BARS = 12
"""The number of dimensions with a bar; the table holds all."""


@check_arguments
def dimension_bars(
    record: AttentionRecord,
    *,
    layer: int,
    head: int,
    position: int,
    key: int | None = None,
    centred: bool = True,
    theme: Theme = "light",
    width: int = style.WIDEST,
) -> go.Figure:
    """Draw the dimensions that contribute most to the attention of one query, ranked; with `key`, to the score of that
    key."""
    look = look_up(record, layer=layer, head=head, position=position)
    score_parts = contributions(record, layer=layer, head=head, position=position, centred=centred)
    if key is not None and not 0 <= key < len(look.key_tokens):
        raise SelectionError(f"key {key} was asked for, but this text has keys 0 to {len(look.key_tokens) - 1}.")
    if key is not None and not look.visible[key]:
        key = None
    values = score_parts.of_query if key is None else score_parts.by_key[key]
    title = tr("What guides {token}", token=query_title(look, width))
    if key is not None:
        title = tr("What draws {token} to {key}", token=query_title(look, width), key=_name_key(look, key))
    note = _sum_of(values, n_keys=int(look.visible.sum()) if centred else None, is_key=key is not None)
    return _bars(values, title=title, note=f"{note} {_concentration(values)}", theme=theme, width=width)


def _sum_of(values: Array, *, n_keys: int | None, is_key: bool) -> str:
    """Return a sentence on the sum of contributions: the score of a key, or all scores with their weights; without the
    mean over `n_keys` keys, if they are centred."""
    said: dict[str, object] = {"n": len(values), "total": number(values.sum(), plus=True), "keys": n_keys}
    if is_key and n_keys is not None:
        return tr(
            "All {n} dimensions sum to {total}: its score before soft cap and bias, minus the mean over the {keys} "
            "keys in view.",
            **said,
        )
    if is_key:
        return tr("All {n} dimensions sum to {total}: its score before soft cap and bias.", **said)
    if n_keys is not None:
        return tr(
            "All {n} dimensions sum to {total}: the weighted scores before soft cap and bias, minus the mean over the "
            "{keys} keys in view.",
            **said,
        )
    return tr("All {n} dimensions sum to {total}: the weighted scores before soft cap and bias.", **said)


@check_arguments
def sentence_bars(
    record: AttentionRecord,
    *,
    layer: int,
    head: int,
    centred: bool = True,
    theme: Theme = "light",
    width: int = style.WIDEST,
) -> go.Figure:
    """Draw the dimensions that contribute most to the attention of the whole text: summed over its queries, ranked."""
    values = sentence_contributions(record, layer=layer, head=head, centred=centred)
    note = tr(
        "The same sum, added up over all {queries} queries of the text. All {n} dimensions sum to {total}.",
        queries=len(record.query_tokens),
        n=len(values),
        total=number(values.sum(), plus=True),
    )
    return _bars(
        values, title=tr("What guides all tokens"), note=f"{note} {_concentration(values)}", theme=theme, width=width
    )


@check_arguments
def ranked_contributions(
    record: AttentionRecord,
    *,
    layer: int,
    head: int,
    position: int,
    order: Order = "sentence",
    centred: bool = True,
    theme: Theme = "light",
    width: int = WIDEST,
) -> go.Figure:
    """Draw the contribution of each dimension to the score of each key, dimensions ranked from the left, beside the
    weights."""
    look = look_up(record, layer=layer, head=head, position=position)
    score_parts = contributions(record, layer=layer, head=head, position=position, centred=centred)
    keys = ordered_keys(look, order, most=MOST_KEYS_NARROW if width < NARROW else MOST_KEYS)
    columns = [
        _contribution_column(score_parts, keys),
        Column(panel=WeightBars(name=tr("weight"), series=((tr("weight"), look.weights[keys]),))),
    ]
    note = (
        tr(
            "Dimensions are ordered from the left by their contribution. Blue draws the query to a key, above or below "
            "the mean of the keys."
        )
        if centred
        else tr(
            "Dimensions are ordered from the left by their contribution. Blue draws the query to a key, as it is, "
            "including what all keys share."
        )
    )
    if len(keys) < len(look.key_tokens):
        drawn = tr("Shown: {n} of {all} tokens.", n=len(keys), all=len(look.key_tokens))
        note = f"{note} {drawn}"
    rows = Rows(tokens=look.key_tokens, positions=tuple(map(int, keys)), called=position if look.is_self else None)
    query = tr("query {token}", token=query_title(look, width))
    title = f"{attention_title(record, layer, head)} · {query}"
    return panel_figure(columns, rows, title=title, note=note, theme=theme, width=width)


def _contribution_column(score_parts: Contributions, keys: NDArray[np.intp]) -> Column:
    """Return the contributions to the scores of some keys, and above them their weighted sum."""
    ranking, added = score_parts.ranking, {"dimension": "%{x}", "number": f"%{{z:{SCORE_FORMAT}}}"}
    dimensions = tuple(int(dimension) for dimension in ranking)
    return Column(
        panel=Band(
            name=tr("what each dimension adds to the score"),
            values=score_parts.by_key[keys][:, ranking],
            hover=tr("dimension {dimension} adds {number}", **added),
            columns=dimensions,
            share=3.0,
        ),
        above=Band(
            name=tr("Σ weight × what it adds"),
            values=score_parts.of_query[ranking][None],
            hover=tr("dimension {dimension} adds {number}, weighted and summed over the keys", **added),
            columns=dimensions,
        ),
    )


@check_arguments
def dimension_table(
    record: AttentionRecord, *, layer: int, head: int, position: int, centred: bool = True
) -> pd.DataFrame:
    """Return one row for each dimension, ranked by the query: its contribution, that of the whole text, and to each
    key."""
    look = look_up(record, layer=layer, head=head, position=position)
    score_parts = contributions(record, layer=layer, head=head, position=position, centred=centred)
    ranking = score_parts.ranking
    table = pd.DataFrame(
        {
            "rank": range(1, len(ranking) + 1),
            "dimension": ranking,
            "query": look.query[ranking],
            "contribution": score_parts.of_query[ranking],
            "whole_text": sentence_contributions(record, layer=layer, head=head, centred=centred)[ranking],
            "whole_text_unsigned": unsigned_contributions(record, layer=layer, head=head, centred=centred)[ranking],
        }
    )
    names = [f"key {place} · {text}" for place, text in enumerate(token_texts(look.key_tokens))]
    return table.join(pd.DataFrame(score_parts.by_key.T[ranking], columns=names))


def _bars(values: Array, *, title: str, note: str, theme: Theme, width: int) -> go.Figure:
    palette = style.PALETTES[theme]
    positive, negative = palette.diverging[-3], palette.diverging[2]
    ranking = np.argsort(-np.abs(values), kind="stable")[:MOST_BARS]
    reach = max(float(np.abs(values[ranking]).max()), 1e-6)
    bars = [
        Bar(
            place=place,
            label=tr("dim {dimension}", dimension=dimension),
            value=float(values[dimension]),
            text=number(values[dimension], digits=2, plus=True),
            hover=(
                tr("dimension {dimension}", dimension=dimension),
                tr("adds {number}", number=number(values[dimension], plus=True)),
            ),
            colour=positive if values[dimension] >= 0 else negative,
        )
        for place, dimension in enumerate(ranking)
    ]
    ends = ((tr("away"), negative), (tr("towards"), positive))
    scale = Scale(low=-reach, high=reach, title="", number="+.2~f")
    return lying_bars(bars, scale=scale, title=title, note=note, ends=ends, row=1.5, theme=theme, width=width)


def _concentration(values: Array) -> str:
    """Return a sentence on how few dimensions make up half of the total."""
    sizes = np.sort(np.abs(values))[::-1]
    total = float(sizes.sum())
    if total == 0:
        return tr("Nothing sets the keys apart.")
    few = int(np.searchsorted(np.cumsum(sizes), total / 2)) + 1
    return tr("{few} of {n} make up half of it, leaving signs aside.", few=few, n=len(values))


def _name_key(look: Lookup, key: int) -> str:
    """Return a key for a title, escaped."""
    return f"“{plain_label(token_texts(look.key_tokens, limit=14)[key])}” ({key})"


if __name__ == "__main__":
    from viz.kit.demos.records import random_record

    dimension_bars(random_record(), layer=0, head=0, position=2).show()
    ranked_contributions(random_record(), layer=0, head=0, position=2).show()
