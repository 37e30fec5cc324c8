"""One query and all keys and values of a head as coloured bands; and two queries, with their difference.

The rows of the product sum to the dot product, the columns of the weighted values to the output. For two queries,
(q₁ − q₂) × k is the difference of their products: the keys are the same.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import plotly.graph_objects as go
from numpy.typing import NDArray

from models.values.arguments.check import check_arguments
from models.values.record import Array, AttentionRecord
from viz.attention.heatmap import attention_title
from viz.kit.figures.panel_layout import Band, Column, Rows, WeightBars
from viz.kit.figures.panels import WIDEST, panel_figure
from viz.kit.language import tr
from viz.kit.theme import NARROW, SCORE_FORMAT, Theme
from viz.kit.tokens import SHORT, plain_label, shorten
from viz.vectors.query_key_value import Lookup, Order, look_up, ordered_keys

MOST_KEYS, MOST_KEYS_NARROW = 64, 24
"""The most keys with a readable row; of a longer text those with the largest weights are drawn."""
NUMBER = f"%{{z:{SCORE_FORMAT}}}"


@check_arguments
def query_bands(
    record: AttentionRecord,
    *,
    layer: int,
    head: int,
    position: int,
    order: Order = "sentence",
    answer: int | None = None,
    theme: Theme = "light",
    width: int = WIDEST,
) -> go.Figure:
    """Draw query, keys, their product, the scores, the weights, the values and their weighted sum, a row for each key
    token. The name of the key token at position `answer` is set off.

    Raises SelectionError for a layer, head or position out of range.
    """
    look = look_up(record, layer=layer, head=head, position=position)
    keys = ordered_keys(look, order, most=n_shown_keys(width))
    columns = _columns(look, keys)
    note = " ".join(
        [
            tr(
                "Each stripe is one number of a vector: blue is positive, orange negative; point at one to read it. A "
                "row of q × k sums to q · k; {steps}; the weights sum to {sum}; a column of weight × v sums to the "
                "output.",
                steps=_steps(look),
                sum=_sum_of_weights(look),
            ),
            *note_left_out(look, keys),
            *note_grey(look),
        ]
    )
    query = tr("query {token}", token=query_title(look, width))
    title = f"{attention_title(record, layer, head)} · {query}"
    rows = replace(token_rows(look, keys), held=answer)
    return panel_figure(columns, rows, title=title, note=note, theme=theme, width=width)


def _columns(look: Lookup, keys: NDArray[np.intp]) -> list[Column]:
    """Return the panels of one query, from its keys to its output."""
    hidden = ~look.visible[keys]
    query = np.broadcast_to(look.query, (len(keys), len(look.query)))
    return [
        Column(
            panel=Band(
                name=tr("key k"), values=look.keys[keys], hover=hover_line(tr("key")), about=tr("what it is found by")
            ),
            above=replace(
                single_band(tr("query q"), look.query, hover_line(tr("query"))), about=tr("what it looks for")
            ),
        ),
        Column(
            panel=Band(
                name="q × k",
                values=hide_masked(look.products[keys], hidden),
                extra=np.stack([query, look.keys[keys]], axis=-1),
                hover=product_hover(),
                about=tr("blue where both agree"),
            )
        ),
        Column(panel=_numbers(look, keys)),
        Column(
            panel=WeightBars(name=tr("weight"), series=((tr("weight"), look.weights[keys]),), about=tr("its share"))
        ),
        *_value_columns(look, keys, hidden),
    ]


def _value_columns(look: Lookup, keys: NDArray[np.intp], hidden: NDArray[np.bool_]) -> tuple[Column, Column]:
    """Return the panels of the values, and of what the weights make of them."""
    return (
        Column(
            panel=Band(
                name=tr("value v"),
                values=look.values[keys],
                hover=hover_line(tr("value")),
                about=tr("what it hands on"),
            )
        ),
        Column(
            panel=Band(
                name=tr("weight × v"),
                values=hide_masked(look.weighted_values[keys], hidden),
                hover=hover_line(tr("weight × value")),
                reach=max(float(np.abs(look.weighted_values).max()), 1e-6),  # a few strong rows are the point here
                about=tr("what the query takes"),
            ),
            below=replace(
                single_band(tr("Σ = output"), look.output, hover_line(tr("output"))), about=tr("all of it, added up")
            ),
        ),
    )


def query_title(look: Lookup, width: int) -> str:
    """Return a token and its position for a title, escaped: "it" (position 8)."""
    text = shorten(look.text, SHORT)
    token = f"“{plain_label(text)}”"
    if width < NARROW:
        return f"{token} ({look.position})"
    return tr("{token} (position {position})", token=token, position=look.position)


def short_text(look: Lookup) -> str:
    return shorten(look.text, 10)


def n_shown_keys(width: int) -> int:
    return MOST_KEYS_NARROW if width < NARROW else MOST_KEYS


def token_rows(look: Lookup, keys: NDArray[np.intp], held: Lookup | None = None) -> Rows:
    return Rows(
        tokens=look.key_tokens,
        positions=tuple(int(key) for key in keys),
        called=look.position if look.is_self else None,
        held=held.position if held and look.is_self else None,
    )


def single_band(name: str, vector: Array, hover: str, *, reach: float | None = None) -> Band:
    return Band(name=name, values=vector[None], hover=hover, reach=reach)


def hover_line(vector: str) -> str:
    """Return the hover text of a number of a vector."""
    return tr("{vector}, dimension {dimension}: {number}", vector=vector, dimension="%{x}", number=NUMBER)


def product_hover() -> str:
    factors = tr(
        "query {query} × key {key}",
        query=f"%{{customdata[0]:{SCORE_FORMAT}}}",
        key=f"%{{customdata[1]:{SCORE_FORMAT}}}",
    )
    dimension = tr("dimension {dimension}", dimension="%{x}")
    return f"{dimension}<br>{factors}<br>= {NUMBER}"


def hide_masked(values: Array, hidden: NDArray[np.bool_]) -> Array:
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
        values=hide_masked(values, ~look.visible[keys]),
        hover=f"%{{x}}: {NUMBER}",
        headings=headings,
        share=0.36 * len(headings),
        about=tr("how well it fits"),
    )


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


def note_grey(*looks: Lookup) -> list[str]:
    """Return a note on grey cells, if a query cannot look at every key."""
    return [] if all(look.visible.all() for look in looks) else [tr("Grey: masked, the query cannot look there.")]


def note_left_out(look: Lookup, keys: NDArray[np.intp]) -> list[str]:
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
    from viz.kit.demos.records import random_record
    from viz.vectors.two_queries import compared_bands

    query_bands(random_record(), layer=0, head=0, position=2).show()
    compared_bands(random_record(), layer=0, head=0, position=2, frozen=8).show()
