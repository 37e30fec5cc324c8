"""One query and all keys and values of a head as coloured bands; and two queries, with their difference.

The rows of the product sum to the dot product, the columns of the weighted values to the output. For two queries,
(q₁ − q₂) × k is the difference of their products: the keys are the same.
"""

from __future__ import annotations

import numpy as np
import plotly.graph_objects as go
from numpy.typing import NDArray

from models.values.arguments.check import check_arguments
from models.values.record import Array, AttentionRecord
from viz.attention.heatmap import attention_title
from viz.kit.figures.panel_layout import Band, Column, Rows, WeightBars
from viz.kit.figures.panels import WIDEST, panel_figure
from viz.kit.language import tr
from viz.kit.row_sums import sum_of_weights
from viz.kit.theme import NARROW, SCORE_FORMAT, Theme, colour_end
from viz.kit.tokens import SHORT, plain_label, shorten
from viz.vectors.query_key_value import Lookup, Order, look_up, ordered_keys

MOST_KEYS, MOST_KEYS_NARROW = 64, 24
"""The most keys with a readable row; of a longer text those with the largest weights are drawn."""
_NUMBER = f"%{{z:{SCORE_FORMAT}}}"


@check_arguments
def query_bands(
    record: AttentionRecord,
    *,
    layer: int,
    head: int,
    position: int,
    order: Order = "sentence",
    theme: Theme = "light",
    width: int = WIDEST,
) -> go.Figure:
    """Draw query, keys, their product, the scores, the weights, the values and their weighted sum, a row for each key
    token.

    Raises SelectionError for a layer, head or position out of range.
    """
    look = look_up(record, layer=layer, head=head, position=position)
    keys = ordered_keys(look, order, most=_most(width))
    note = " ".join(
        [
            tr(
                "Blue is positive, orange negative; point at a cell for the exact number. A row of q × k sums to q · "
                "k; {steps}; the weights sum to {sum}; a column of weight × v sums to the output.",
                steps=_steps(look),
                sum=_sum_of_weights(look),
            ),
            *_left_out(look, keys),
            *_explain_grey(look),
        ]
    )
    query = tr("query {token}", token=query_title(look, width))
    title = f"{attention_title(record, layer, head)} · {query}"
    return panel_figure(_columns(look, keys), _rows(look, keys), title=title, note=note, theme=theme, width=width)


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
    keys = ordered_keys(look, order, most=_most(width))
    names = tuple(f"{_plain(one)} ({one.position})" for one in (look, held))
    note = " ".join(
        [
            tr(
                "The difference is {query} minus {frozen}, which is frozen: the same keys times the difference between "
                "the two queries. Weights: orange, above, is {query}; blue, below, is {frozen}; each sums to {sum}.",
                sum=sum_of_weights(record, layer),
                query=names[0],
                frozen=names[1],
            ),
            *_left_out(look, keys),
            *_explain_grey(look, held),
        ]
    )
    beside = tr("{query} beside {frozen}", query=query_title(look, width), frozen=query_title(held, width))
    title = f"{attention_title(record, layer, head)} · {beside}"
    columns = [
        *_compared_products(look, held, keys, names),
        Column(panel=_two_scores(look, held, keys, names)),
        Column(panel=_two_weights(look, held, keys, names)),
    ]
    return panel_figure(columns, _rows(look, keys, held), title=title, note=note, theme=theme, width=width)


def _columns(look: Lookup, keys: NDArray[np.intp]) -> list[Column]:
    """Return the panels of one query, from its keys to its output."""
    hidden = ~look.visible[keys]
    query = np.broadcast_to(look.query, (len(keys), len(look.query)))
    return [
        Column(
            panel=Band(name=tr("key k"), values=look.keys[keys], hover=_hover(tr("key"))),
            above=_single(tr("query q"), look.query, _hover(tr("query"))),
        ),
        Column(
            panel=Band(
                name="q × k",
                values=_without(look.products[keys], hidden),
                extra=np.stack([query, look.keys[keys]], axis=-1),
                hover=_product_hover(),
            )
        ),
        Column(panel=_numbers(look, keys)),
        Column(panel=WeightBars(name=tr("weight"), series=((tr("weight"), look.weights[keys]),))),
        Column(panel=Band(name=tr("value v"), values=look.values[keys], hover=_hover(tr("value")))),
        Column(
            panel=Band(
                name=tr("weight × v"),
                values=_without(look.weighted_values[keys], hidden),
                hover=_hover(tr("weight × value")),
                reach=max(float(np.abs(look.weighted_values).max()), 1e-6),  # a few strong rows are the point here
            ),
            below=_single(tr("Σ = output"), look.output, _hover(tr("output"))),
        ),
    ]


def _compared_products(look: Lookup, held: Lookup, keys: NDArray[np.intp], names: tuple[str, ...]) -> list[Column]:
    """Return the products of both queries with the same keys, and their difference, on one scale."""
    products = [_without(one.products[keys], ~one.visible[keys]) for one in (look, held)]
    queries = [look.query, held.query]
    product_end, query_end = colour_end(*products), colour_end(*queries)
    product_columns = [
        Column(
            panel=Band(
                name=f"{name} × k",
                values=product,
                extra=np.stack([np.broadcast_to(query, product.shape), look.keys[keys]], axis=-1),
                hover=_product_hover(),
                reach=product_end,
            ),
            above=_single(tr("query {token}", token=name), query, _hover(tr("query")), reach=query_end),
        )
        for name, product, query in zip(names, products, queries, strict=True)
    ]
    difference = Column(
        panel=Band(
            name=tr("difference × k"),
            values=products[0] - products[1],
            hover=_hover(tr("difference of the products")),
            reach=product_end,
        ),
        above=_single(tr("difference"), look.query - held.query, _hover(tr("difference")), reach=query_end),
    )
    return [*product_columns, difference]


def query_title(look: Lookup, width: int) -> str:
    """Return a token and its position for a title, escaped: "it" (position 8)."""
    text = shorten(look.text, SHORT)
    token = f"“{plain_label(text)}”"
    if width < NARROW:
        return f"{token} ({look.position})"
    return tr("{token} (position {position})", token=token, position=look.position)


def _plain(look: Lookup) -> str:
    return shorten(look.text, 10)


def _most(width: int) -> int:
    return MOST_KEYS_NARROW if width < NARROW else MOST_KEYS


def _rows(look: Lookup, keys: NDArray[np.intp], held: Lookup | None = None) -> Rows:
    return Rows(
        tokens=look.key_tokens,
        positions=tuple(int(key) for key in keys),
        called=look.position if look.is_self else None,
        held=held.position if held and look.is_self else None,
    )


def _single(name: str, vector: Array, hover: str, *, reach: float | None = None) -> Band:
    return Band(name=name, values=vector[None], hover=hover, reach=reach)


def _hover(vector: str) -> str:
    """Return the hover text of a number of a vector."""
    return tr("{vector}, dimension {dimension}: {number}", vector=vector, dimension="%{x}", number=_NUMBER)


def _product_hover() -> str:
    factors = tr(
        "query {query} × key {key}",
        query=f"%{{customdata[0]:{SCORE_FORMAT}}}",
        key=f"%{{customdata[1]:{SCORE_FORMAT}}}",
    )
    dimension = tr("dimension {dimension}", dimension="%{x}")
    return f"{dimension}<br>{factors}<br>= {_NUMBER}"


def _without(values: Array, hidden: NDArray[np.bool_]) -> Array:
    """Return the values with NaN in the rows that are hidden from the query."""
    shown: Array = np.where(hidden[:, None], np.float32(np.nan), values)
    return shown


def _numbers(look: Lookup, keys: NDArray[np.intp]) -> Band:
    """Return the dot product, and every step from it to the score: scale, soft cap and bias where the model has
    them."""
    steps = {"q · k": look.dots}
    if look.scale != 1:
        steps[f"× {look.scale:.3g}"] = look.scaled
    if look.soft_cap is not None:
        steps[tr("cap ±{cap}", cap=f"{look.soft_cap:g}")] = look.capped
    if look.has_bias:
        steps |= {tr("bias"): np.where(look.visible, look.bias, np.float32(np.nan)), tr("score"): look.scores}
    values = np.stack([step[keys] for step in steps.values()], axis=1)
    *before, _ = steps
    headings = (*before, tr("score") if before else tr("q · k = score"))
    return Band(
        name=tr("q · k → score"),
        values=_without(values, ~look.visible[keys]),
        hover=f"%{{x}}: {_NUMBER}",
        headings=headings,
        share=0.36 * len(headings),
    )


def _two_scores(look: Lookup, held: Lookup, keys: NDArray[np.intp], names: tuple[str, ...]) -> Band:
    values = np.stack([_without(one.scores[keys][:, None], ~one.visible[keys])[:, 0] for one in (look, held)], axis=1)
    hover = tr("score of {query}: {number}", query="%{x}", number=_NUMBER)
    return Band(name=tr("score"), values=values, hover=hover, headings=names, share=0.7)


def _two_weights(look: Lookup, held: Lookup, keys: NDArray[np.intp], names: tuple[str, ...]) -> WeightBars:
    weights = [
        (tr("weight from {token}", token=name), one.weights[keys])
        for name, one in zip(names, (look, held), strict=True)
    ]
    return WeightBars(name=tr("weights"), series=tuple(weights))


def _steps(look: Lookup) -> str:
    """Return the steps from q · k to the score, in words."""
    product = "q · k" if look.scale == 1 else f"q · k × {look.scale:.4g}"
    if look.soft_cap is not None:
        cap = f"{look.soft_cap:g}"
        if look.has_bias:
            return tr("{product}, bounded at ±{cap}, plus the position bias is the score", product=product, cap=cap)
        return tr("{product}, bounded at ±{cap} is the score", product=product, cap=cap)
    if look.has_bias:
        return tr("{product}, plus the position bias is the score", product=product)
    return tr("{product} is the score", product=product)


def _sum_of_weights(look: Lookup) -> str:
    """Return the sum of the weights as text: "1", or "0.9123, the sink takes 0.0877"."""
    if not look.has_sink:
        return "1"
    return tr("{sum}, the sink takes {share}", sum=f"{1 - look.sink_share:.4f}", share=f"{look.sink_share:.4f}")


def _explain_grey(*looks: Lookup) -> list[str]:
    """Return a note on grey cells, if a query cannot look at every key."""
    return [] if all(look.visible.all() for look in looks) else [tr("Grey: masked, the query cannot look there.")]


def _left_out(look: Lookup, keys: NDArray[np.intp]) -> list[str]:
    if len(keys) == len(look.key_tokens):
        return []
    left_out = tr(
        "{n} of {all} tokens are shown, those with the largest weights, in total {weight}. The sums and the files "
        "include all of them.",
        n=len(keys),
        all=len(look.key_tokens),
        weight=f"{float(look.weights[keys].sum()):.4f}",
    )
    return [left_out]


if __name__ == "__main__":
    from viz.kit.demo import random_record

    query_bands(random_record(), layer=0, head=0, position=2).show()
    compared_bands(random_record(), layer=0, head=0, position=2, frozen=8).show()
