"""All queries and keys of a head in one plane: their two principal components, and which keys a query finds.

Pearson 1901, "On lines and planes of closest fit"; computed by a singular value decomposition. Queries and keys are
centred together, on the mean of both. What the plane leaves out counts in the scores, too: the axes say how much it is.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import pandas as pd
import plotly.graph_objects as go

from models.values.arguments.check import check_arguments
from models.values.record import Array, AttentionRecord
from viz.attention.heatmap import attention_title
from viz.kit import theme as style
from viz.kit.figures.still import Figure
from viz.kit.language import tr
from viz.kit.theme import WEIGHT_FORMAT, Palette, Sizes, Theme
from viz.kit.tokens import token_labels, token_texts
from viz.vectors.plane import Plane, project
from viz.vectors.point_names import point_names
from viz.vectors.query_bands import query_title
from viz.vectors.query_key_value import Lookup, look_up

LEAST_LINE = 0.01
"""A smaller weight gets no line."""
MOST_CHOICES = 64
"""In a longer text the lines of all queries would be a thicket; the legend brings them."""
THICKEST = 9.0
"""Pixels of the line of a weight of 1."""


@check_arguments
def query_key_plane(
    record: AttentionRecord,
    *,
    layer: int,
    head: int,
    position: int,
    theme: Theme = "light",
    width: int = style.WIDEST,
) -> go.Figure:
    """Draw the plane of a head, with lines from the query at `position` to the keys it looks at, as thick as the
    weight.

    Raises SelectionError for a layer, head or position out of range.
    """
    look = look_up(record, layer=layer, head=head, position=position)
    plane = project(record, layer=layer, head=head)
    size, palette = style.sizes(width), style.PALETTES[theme]
    figure = Figure(layout=_layout(record, look, plane, layer=layer, head=head, theme=theme, size=size))
    start = plane.queries[position]
    figure.add_trace(_first_choices(record.weights(layer, head), plane, palette))
    for key in np.argsort(look.weights)[::-1]:
        if look.weights[key] < LEAST_LINE:
            break
        figure.add_trace(_line(start, plane.keys[key], float(look.weights[key]), palette))
    of_keys, of_queries = _keys(record, look), _queries(record)
    figure.add_trace(_points(plane.keys, tr("key"), of_keys, size, symbol="diamond", colour=palette.bar))
    circles = {"symbol": "circle-open", "colour": palette.accent}
    figure.add_trace(_points(plane.queries, tr("query"), of_queries, size, **circles))
    figure.add_trace(_chosen(start, palette, size))
    figure.update_layout(annotations=[*figure.layout.annotations, *point_names(figure, look, plane, palette, size)])
    return figure


@check_arguments
def plane_table(record: AttentionRecord, *, layer: int, head: int, position: int) -> pd.DataFrame:
    """Return one row for each point: "query" or "key", position, token, both coordinates, the weight from the chosen
    query."""
    look, plane = look_up(record, layer=layer, head=head, position=position), project(record, layer=layer, head=head)
    blocks = [
        pd.DataFrame(
            {
                "vector": name,
                "position": range(len(tokens)),
                "token": token_texts(tokens),
                "component_1": places[:, 0],
                "component_2": places[:, 1],
                "weight": weights,
            }
        )
        for name, tokens, places, weights in (
            ("query", record.query_tokens, plane.queries, np.full(len(plane.queries), np.nan)),
            ("key", record.key_tokens, plane.keys, look.weights),
        )
    ]
    return pd.concat(blocks, ignore_index=True)


def _first_choices(weights: Array, plane: Plane, palette: Palette) -> go.Scatter:
    """Return a dotted line from every query to the key with its largest weight; a click on the legend hides them."""
    places = np.full((len(weights), 3, 2), np.nan, np.float32)  # the third point of each is the gap to the next line
    places[:, 0], places[:, 1] = plane.queries, plane.keys[weights.argmax(axis=1)]
    return go.Scatter(
        x=places[..., 0].ravel(),
        y=places[..., 1].ravel(),
        mode="lines",
        name=tr("each query's first choice"),
        line={"color": palette.quiet, "width": 1, "dash": "dot"},
        visible=True if len(weights) <= MOST_CHOICES else "legendonly",
        hoverinfo="skip",
    )


def _line(start: Array, end: Array, weight: float, palette: Palette) -> go.Scatter:
    return go.Scatter(
        x=[start[0], end[0]],
        y=[start[1], end[1]],
        mode="lines",
        line={"color": palette.accent, "width": max(THICKEST * weight, 0.6)},
        opacity=0.35 + 0.45 * weight,
        hoverinfo="skip",
        showlegend=False,
        meta=weight,
    )


def _queries(record: AttentionRecord) -> list[str]:
    """Return the hover text of every query, as markup."""
    return [
        tr("query of {token} (position {position})", token=f"<b>{label}</b>", position=place)
        for place, label in enumerate(token_labels(record.query_tokens, limit=None))
    ]


def _keys(record: AttentionRecord, look: Lookup) -> list[str]:
    """Return the hover text of every key, with its weight, as markup."""
    names = [
        tr("key of {token} (position {position})", token=f"<b>{label}</b>", position=place)
        for place, label in enumerate(token_labels(record.key_tokens, limit=None))
    ]
    details = [tr("weight from the query {weight}", weight=f"{weight:{WEIGHT_FORMAT}}") for weight in look.weights]
    return [f"{name}<br>{detail}" for name, detail in zip(names, details, strict=True)]


def _points(places: Array, name: str, hovers: Sequence[str], size: Sizes, *, colour: str, symbol: str) -> go.Scatter:
    return go.Scatter(
        x=places[:, 0],
        y=places[:, 1],
        mode="markers",
        name=name,
        marker={
            "symbol": symbol,
            "size": 9 if size.compact else 12,
            "color": colour,
            "line": {"width": 2 if symbol.endswith("-open") else 0},
        },
        text=hovers,
        hovertemplate="%{text}<br>(%{x:.4f}, %{y:.4f})<extra></extra>",
    )


def _chosen(place: Array, palette: Palette, size: Sizes) -> go.Scatter:
    """Return the chosen query: filled, with a ring around it."""
    return go.Scatter(
        x=[place[0]],
        y=[place[1]],
        mode="markers",
        marker={
            "symbol": "circle",
            "size": 13 if size.compact else 18,
            "color": palette.accent,
            "line": {"width": 2, "color": palette.ink},
        },
        hoverinfo="skip",
        showlegend=False,
    )


def _ranges(plane: Plane, wide: float, tall: float) -> tuple[list[float], list[float]]:
    """Return the ends of both axes, in the same units a pixel, so that distances are comparable in every direction."""
    points = np.concatenate([plane.queries, plane.keys])
    low, high = points.min(axis=0), points.max(axis=0)
    unit = max(float((high - low)[0]) / wide, float((high - low)[1]) / tall, 1e-6) * 1.16
    middle = (low + high) / 2
    reach = np.array([unit * wide, unit * tall]) / 2
    (left, bottom), (right, top) = (middle - reach).tolist(), (middle + reach).tolist()
    return [left, right], [bottom, top]


def _layout(
    record: AttentionRecord, look: Lookup, plane: Plane, *, layer: int, head: int, theme: Theme, size: Sizes
) -> dict[str, object]:
    palette = style.PALETTES[theme]
    left, right, top = 4.5 * size.label, 1.5 * size.gap, 2.6 * size.title + 2 * size.word
    wide = size.page - left - right
    spans = np.ptp(np.concatenate([plane.queries, plane.keys]), axis=0)
    tall = float(np.clip(wide * spans[1] / max(float(spans[0]), 1e-6), 0.45 * size.side, min(size.side, wide)))
    across, along = _ranges(plane, wide, tall)
    lines = style.wrap_text(_note(look, plane), size, pixels=size.page - 2 * size.gap)
    bottom = 3.6 * size.label + 1.5 * size.gap + 1.5 * size.caption * len(lines)
    finds = tr("what {token} finds", token=query_title(look, size.page))
    caption = style.caption("<br>".join(lines), theme, size, below=3.6 * size.label)
    titles = [
        tr("component {n} ({share} of the variance)", n=number, share=f"{share:.0%}")
        for number, share in enumerate(plane.shares, start=1)
    ]
    return style.base_layout(theme, size, title=f"{attention_title(record, layer, head)} · {finds}") | {
        "width": size.page,
        "height": top + tall + bottom,
        "margin": {"l": left, "r": right, "t": top, "b": bottom, "pad": 0},
        "showlegend": True,
        "legend": {"orientation": "h", "x": 0, "y": 1, "yanchor": "bottom", "font": {"size": size.label}},
        "hovermode": "closest",
        "dragmode": False if size.compact else "zoom",
        "annotations": [caption | {"xshift": size.gap // 2 - left}],
        "xaxis": _axis(titles[0], across, palette, size),
        "yaxis": _axis(titles[1], along, palette, size),
    }


def _note(look: Lookup, plane: Plane) -> str:
    return tr(
        "Queries and keys share one space. Lines run from the chosen query to the keys that it looks at; the thicker "
        "the line, the larger the weight ({n} of {all} have {least} or more). The plane shows {share} of the variance, "
        "so a match can also be in what it leaves out. And a query finds keys far out in its own direction, not just "
        "near ones.",
        n=int((look.weights >= LEAST_LINE).sum()),
        all=len(look.weights),
        least=LEAST_LINE,
        share=f"{sum(plane.shares):.0%}",
    )


def _axis(title: str, ends: list[float], palette: Palette, size: Sizes) -> dict[str, Any]:
    return {
        "range": ends,
        "title": {"text": title, "font": {"size": size.axis, "color": palette.quiet}, "standoff": 6},
        "zeroline": True,
        "zerolinecolor": palette.masked,
        "gridcolor": palette.masked,
        "griddash": "dot",
        "ticks": "",
        "tickfont": {"size": size.caption, "color": palette.quiet},
        "nticks": 6,
        "automargin": False,
    }


if __name__ == "__main__":
    from viz.kit.demos.records import random_record

    query_key_plane(random_record(), layer=0, head=0, position=2).show()
