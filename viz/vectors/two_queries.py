"""Two queries and the same keys: (q₁ − q₂) × k is the difference of their products."""

from __future__ import annotations

import numpy as np
import plotly.graph_objects as go
from numpy.typing import NDArray

from models.values.arguments.check import check_arguments
from models.values.record import AttentionRecord
from viz.attention.heatmap import attention_title
from viz.kit.figures.panel_layout import Band, Column, WeightBars
from viz.kit.figures.panels import WIDEST, panel_figure
from viz.kit.language import tr
from viz.kit.row_sums import sum_of_weights
from viz.kit.theme import Theme, colour_end
from viz.vectors.query_bands import (
    NUMBER,
    hide_masked,
    hover_line,
    n_shown_keys,
    note_grey,
    note_left_out,
    product_hover,
    query_title,
    short_text,
    single_band,
    token_rows,
)
from viz.vectors.query_key_value import Lookup, Order, look_up, ordered_keys


@check_arguments
def compared_bands(
    record: AttentionRecord,
    *,
    layer: int,
    head: int,
    position: int,
    frozen: int,
    order: Order = "sentence",
    theme: Theme = "light",
    width: int = WIDEST,
) -> go.Figure:
    """Draw the query at `position` beside the `frozen` one: products with the same keys, their difference, and the
    weights.

    Raises SelectionError for a layer, head or position out of range.
    """
    look = look_up(record, layer=layer, head=head, position=position)
    held = look_up(record, layer=layer, head=head, position=frozen)
    keys = ordered_keys(look, order, most=n_shown_keys(width))
    names = _names((look, held))
    beside = tr("{query} beside {frozen}", query=query_title(look, width), frozen=query_title(held, width))
    title = f"{attention_title(record, layer, head)} · {beside}"
    return panel_figure(
        _compared_columns(look, held, keys, names),
        token_rows(look, keys, held),
        title=title,
        note=_note(record, layer, (look, held), keys),
        theme=theme,
        width=width,
    )


def _names(looks: tuple[Lookup, Lookup]) -> tuple[str, ...]:
    return tuple(f"{short_text(look)} ({look.position})" for look in looks)


def _note(record: AttentionRecord, layer: int, looks: tuple[Lookup, Lookup], keys: NDArray[np.intp]) -> str:
    names = _names(looks)
    return " ".join(
        [
            tr(
                "The difference is {query} minus {frozen}, which is frozen: the same keys times the difference between "
                "the two queries. Weights: orange, above, is {query}; blue, below, is {frozen}; each sums to {sum}.",
                sum=sum_of_weights(record, layer),
                query=names[0],
                frozen=names[1],
            ),
            *note_left_out(looks[0], keys),
            *note_grey(*looks),
        ]
    )


def _compared_columns(look: Lookup, held: Lookup, keys: NDArray[np.intp], names: tuple[str, ...]) -> list[Column]:
    """Return the products of both queries with the same keys and their difference, on one scale, the scores and the
    weights."""
    products = [hide_masked(one.products[keys], ~one.visible[keys]) for one in (look, held)]
    queries = [look.query, held.query]
    product_end, query_end = colour_end(*products), colour_end(*queries)
    product_columns = [
        Column(
            panel=Band(
                name=f"{name} × k",
                values=product,
                extra=np.stack([np.broadcast_to(query, product.shape), look.keys[keys]], axis=-1),
                hover=product_hover(),
                reach=product_end,
            ),
            above=single_band(tr("query {token}", token=name), query, hover_line(tr("query")), reach=query_end),
        )
        for name, product, query in zip(names, products, queries, strict=True)
    ]
    difference = Column(
        panel=Band(
            name=tr("difference × k"),
            values=products[0] - products[1],
            hover=hover_line(tr("difference of the products")),
            reach=product_end,
        ),
        above=single_band(tr("difference"), look.query - held.query, hover_line(tr("difference")), reach=query_end),
    )
    scores, weights = (draw(look, held, keys, names) for draw in (_two_scores, _two_weights))
    return [*product_columns, difference, Column(panel=scores), Column(panel=weights)]


def _two_scores(look: Lookup, held: Lookup, keys: NDArray[np.intp], names: tuple[str, ...]) -> Band:
    values = np.stack(
        [hide_masked(one.scores[keys][:, None], ~one.visible[keys])[:, 0] for one in (look, held)], axis=1
    )
    hover = tr("score of {query}: {number}", query="%{x}", number=NUMBER)
    return Band(name=tr("score"), values=values, hover=hover, headings=names, share=0.7)


def _two_weights(look: Lookup, held: Lookup, keys: NDArray[np.intp], names: tuple[str, ...]) -> WeightBars:
    weights = [
        (tr("weight from {token}", token=name), one.weights[keys])
        for name, one in zip(names, (look, held), strict=True)
    ]
    return WeightBars(name=tr("weights"), series=tuple(weights))
