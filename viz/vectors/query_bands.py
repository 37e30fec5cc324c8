"""One query and all keys and values of a head as coloured bands; and two queries, with what tells them apart.

The rows of the product sum to the dot product, the columns of the weighted values to the output. For two queries,
(q₁ − q₂) × k is the difference of their products: the keys are the same.
"""

from __future__ import annotations

import numpy as np
import plotly.graph_objects as go
from numpy.typing import NDArray

from models.values.record import Array, AttentionRecord
from viz.attention.heatmap import attention_title
from viz.kit.panel_layout import Band, Column, Rows, WeightBars
from viz.kit.panels import WIDEST, panel_figure
from viz.kit.theme import NARROW, SCORE_FORMAT, Theme, colour_end
from viz.kit.tokens import SHORT, plain_label, shorten
from viz.vectors.query_key_value import Lookup, Order, look_up, ordered_keys

MOST_KEYS, MOST_KEYS_NARROW = 64, 24
"""So many keys get a row that can be read; of a longer text those with the largest weights."""
_NUMBER = f"%{{z:{SCORE_FORMAT}}}"
_MASKED = "Grey: masked, the query cannot look there."


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
    """Query, keys, their product, the scores, the weights, the values and their weighted sum, one row a key token.

    Raises SelectionError for a layer, head or position that is not there.
    """
    look = look_up(record, layer=layer, head=head, position=position)
    keys = ordered_keys(look, order, most=_most(width))
    note = " ".join(
        [
            "Blue is positive, orange negative; point at a cell for the exact number. A row of q × k sums to q · k;",
            f"{_steps(look)}; the weights sum to 1; a column of weight × v sums to the output.",
            *_left_out(look, keys),
            *([_MASKED] if not look.visible.all() else []),
        ]
    )
    title = f"{attention_title(record, layer, head)} · query {called(look, width)}"
    return panel_figure(_columns(look, keys), _rows(look, keys), title=title, note=note, theme=theme, width=width)


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
    """The query at `position` beside the `frozen` one: products with the same keys, their difference, and the weights.

    Raises SelectionError for a layer, head or position that is not there.
    """
    look = look_up(record, layer=layer, head=head, position=position)
    held = look_up(record, layer=layer, head=head, position=frozen)
    keys = ordered_keys(look, order, most=_most(width))
    names = tuple(f"{_plain(one)} ({one.position})" for one in (look, held))
    note = " ".join(
        [
            f"The difference is {names[0]} minus {names[1]}, which is frozen: the same keys times the difference",
            f"between the two queries. Weights: orange, above, is {names[0]}; blue, below, is {names[1]};",
            "each sums to 1.",
            *_left_out(look, keys),
            *([_MASKED] if not (look.visible & held.visible).all() else []),
        ]
    )
    title = f"{attention_title(record, layer, head)} · {called(look, width)} beside {called(held, width)}"
    columns = [
        *_compared_products(look, held, keys, names),
        Column(panel=_two_scores(look, held, keys, names)),
        Column(panel=_two_weights(look, held, keys, names)),
    ]
    return panel_figure(columns, _rows(look, keys, held), title=title, note=note, theme=theme, width=width)


def _columns(look: Lookup, keys: NDArray[np.intp]) -> list[Column]:
    """The panels of one query, from its keys to its output."""
    hidden = ~look.visible[keys]
    query = np.broadcast_to(look.query, (len(keys), len(look.query)))
    return [
        Column(
            panel=Band(name="key k", values=look.keys[keys], hover=f"key, dimension %{{x}}: {_NUMBER}"),
            above=_single("query q", look.query, f"query, dimension %{{x}}: {_NUMBER}"),
        ),
        Column(
            panel=Band(
                name="q × k",
                values=_without(look.products[keys], hidden),
                extra=np.stack([query, look.keys[keys]], axis=-1),
                hover=_product_hover("query"),
            )
        ),
        Column(panel=_numbers(look, keys)),
        Column(panel=WeightBars(name="weight", series=(("weight", look.weights[keys]),))),
        Column(panel=Band(name="value v", values=look.values[keys], hover=f"value, dimension %{{x}}: {_NUMBER}")),
        Column(
            panel=Band(
                name="weight × v",
                values=_without(look.weighted_values[keys], hidden),
                hover=f"weight × value, dimension %{{x}}: {_NUMBER}",
                reach=max(float(np.abs(look.weighted_values).max()), 1e-6),  # a few strong rows are the point here
            ),
            below=_single("Σ = output", look.output, f"output, dimension %{{x}}: {_NUMBER}"),
        ),
    ]


def _compared_products(look: Lookup, held: Lookup, keys: NDArray[np.intp], names: tuple[str, ...]) -> list[Column]:
    """The products of both queries with the same keys, and their difference, on one scale."""
    products = [_without(one.products[keys], ~one.visible[keys]) for one in (look, held)]
    queries = [look.query, held.query]
    product_end, query_end = colour_end(*products), colour_end(*queries)
    each = [
        Column(
            panel=Band(
                name=f"{name} × k",
                values=product,
                extra=np.stack([np.broadcast_to(query, product.shape), look.keys[keys]], axis=-1),
                hover=_product_hover("query"),
                reach=product_end,
            ),
            above=_single(f"query {name}", query, f"query, dimension %{{x}}: {_NUMBER}", reach=query_end),
        )
        for name, product, query in zip(names, products, queries, strict=True)
    ]
    difference = Column(
        panel=Band(
            name="difference × k",
            values=products[0] - products[1],
            hover=f"difference of the products, dimension %{{x}}: {_NUMBER}",
            reach=product_end,
        ),
        above=_single(
            "difference", look.query - held.query, f"difference, dimension %{{x}}: {_NUMBER}", reach=query_end
        ),
    )
    return [*each, difference]


def called(look: Lookup, width: int) -> str:
    """ "it" (position 8), escaped for a title."""
    text = shorten(look.text, SHORT)
    place = f"({look.position})" if width < NARROW else f"(position {look.position})"
    return f"“{plain_label(text)}” {place}"


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


def _product_hover(name: str) -> str:
    factors = f"%{{customdata[0]:{SCORE_FORMAT}}} × key %{{customdata[1]:{SCORE_FORMAT}}}"
    return f"dimension %{{x}}<br>{name} {factors}<br>= {_NUMBER}"


def _without(values: Array, hidden: NDArray[np.bool_]) -> Array:
    """The values with NaN in the rows that are hidden from the query."""
    shown: Array = np.where(hidden[:, None], np.float32(np.nan), values)
    return shown


def _numbers(look: Lookup, keys: NDArray[np.intp]) -> Band:
    """The dot product, and every step from it to the score: scale, soft cap and bias where the model has them."""
    steps = {"q · k": look.dots}
    if look.scale != 1:
        steps[f"× {look.scale:.3g}"] = look.scaled
    if look.soft_cap is not None:
        steps[f"cap ±{look.soft_cap:g}"] = look.capped
    if look.has_bias:
        steps |= {"bias": np.where(look.visible, look.bias, np.float32(np.nan)), "score": look.scores}
    values = np.stack([step[keys] for step in steps.values()], axis=1)
    *before, _ = steps
    headings = (*before, "score" if before else "q · k = score")
    return Band(
        name="q · k → score",
        values=_without(values, ~look.visible[keys]),
        hover=f"%{{x}}: {_NUMBER}",
        headings=headings,
        share=0.36 * len(headings),
    )


def _two_scores(look: Lookup, held: Lookup, keys: NDArray[np.intp], names: tuple[str, ...]) -> Band:
    values = np.stack([_without(one.scores[keys][:, None], ~one.visible[keys])[:, 0] for one in (look, held)], axis=1)
    return Band(name="score", values=values, hover=f"score of %{{x}}: {_NUMBER}", headings=names, share=0.7)


def _two_weights(look: Lookup, held: Lookup, keys: NDArray[np.intp], names: tuple[str, ...]) -> WeightBars:
    weights = ((f"weight from {name}", one.weights[keys]) for name, one in zip(names, (look, held), strict=True))
    return WeightBars(name="weights", series=tuple(weights))


def _steps(look: Lookup) -> str:
    """How the score comes from q · k, in words."""
    parts = ["q · k" if look.scale == 1 else f"q · k × {look.scale:.4g}"]
    parts += [f"bounded at ±{look.soft_cap:g}"] if look.soft_cap is not None else []
    parts += ["plus the position bias"] if look.has_bias else []
    return ", ".join(parts) + " is the score"


def _left_out(look: Lookup, keys: NDArray[np.intp]) -> list[str]:
    if len(keys) == len(look.key_tokens):
        return []
    drawn = f"{len(keys)} of {len(look.key_tokens)} tokens are shown, those with the largest weights, in total"
    return [f"{drawn} {float(look.weights[keys].sum()):.4f}. The sums and the files include all of them."]


if __name__ == "__main__":
    from viz.kit.demo import random_record

    query_bands(random_record(), layer=0, head=0, position=2).show()
    compared_bands(random_record(), layer=0, head=0, position=2, frozen=8).show()
