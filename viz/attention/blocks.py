"""For a pair of sentences: how much of its attention each sentence gives to itself, to the other, to special tokens.

Every kind of special token has a column of its own, because [SEP] often takes most of the attention (Clark et al. 2019,
"What Does BERT Look At?", section 3.2). [CLS] is also a row: the next-sentence head reads nothing else (Devlin et al.
2018, section 3.1).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import pandas as pd
import plotly.graph_objects as go
from numpy.typing import NDArray

from models.values.errors import SelectionError
from models.values.record import Array, AttentionRecord, Token
from viz.attention.heatmap import attention_title
from viz.attention.transform import PictureError, select
from viz.kit import theme as style
from viz.kit.bars import LETTER
from viz.kit.theme import Palette, Sizes, Theme, nice_maximum, percentage
from viz.kit.tokens import escape, plain_label, shorten, token_texts
from viz.kit.tokens import width as columns

CROSSING = "crossing"
"""The column of `block_shares` that holds the mean of A to B and B to A."""
READABLE_UNTIL = 0.5
"""The share of the scale from which on the colour of a cell is nearer to the ink than to the page."""

Members = dict[str, NDArray[np.bool_]]


def is_pair(record: AttentionRecord) -> bool:
    """Whether both axes hold words of a sentence A and of a sentence B."""
    return all(_of(tokens, 0).any() and _of(tokens, 1).any() for tokens in (record.query_tokens, record.key_tokens))


def pair_blocks(record: AttentionRecord, *, layer: int, head: int | None = None) -> pd.DataFrame:
    """Shares of attention from "A", "B" and "[CLS]" (rows) to "A", "B", "[CLS]" and "[SEP]" (columns).

    Special tokens bear the names that the model gives them; the row is that of the first token, if it is special. A
    cell is the attention that a token of the row gives to all tokens of the column, on average; every row sums to 1.
    Raises PictureError for a single text, SelectionError for a layer or head that is not there.
    """
    rows, targets = _groups(record)
    return _shares(select(record, layer=layer, head=head).values, rows, targets)


def block_shares(record: AttentionRecord) -> pd.DataFrame:
    """`pair_blocks` of every head in one row: layer, head, "A to A", "A to B", ... and `crossing`.

    `crossing` is the mean of "A to B" and "B to A". One head at a time is computed. Raises PictureError for a single
    text.
    """
    rows, targets = _groups(record)
    names = [f"{row} to {column}" for row in rows for column in targets]
    found = []
    for layer in range(record.n_layers):
        for head in range(record.n_heads):
            shares = _shares(record.weights(layer, head), rows, targets).to_numpy(np.float64).ravel()
            flat = {name: float(share) for name, share in zip(names, shares, strict=True)}
            crossing = (flat["A to B"] + flat["B to A"]) / 2
            found.append({"layer": layer, "head": head, **flat, CROSSING: crossing})
    return pd.DataFrame(found)


def directions(shares: pd.DataFrame) -> tuple[str, ...]:
    """The shares that a `crossing_map` can show, `crossing` first."""
    named = [str(name) for name in shares.columns if name not in {"layer", "head", CROSSING}]
    return (CROSSING, *named)


def most_crossing(shares: pd.DataFrame) -> tuple[int, int]:
    """The (layer, head) in which the two sentences look at each other most."""
    best = int(shares[CROSSING].to_numpy().argmax())
    return int(shares["layer"].to_numpy()[best]), int(shares["head"].to_numpy()[best])


def pair_blocks_figure(
    record: AttentionRecord, *, layer: int, head: int | None = None, theme: Theme = "light", width: int = style.WIDEST
) -> go.Figure:
    """The table of `pair_blocks` as coloured cells with their percentages. Raises what `pair_blocks` raises."""
    shares = pair_blocks(record, layer=layer, head=head)
    size, palette = style.sizes(width), style.PALETTES[theme]
    rows, targets = [str(name) for name in shares.index], [str(name) for name in shares.columns]
    left = LETTER * size.label * (5 + max(columns(shorten(name, 8)) for name in rows)) + 2 * size.gap
    cell = min(120.0, (size.page - left - size.gap) / len(targets))
    wide, tall = cell * len(targets), min(cell, 3.4 * size.word) * len(rows)
    text = (
        "The share of its attention that a token of A, of B or of a special token gives away, on average; every row "
        "sums to 1. A longer sentence gets more by its length alone."
    )
    shown = max(left + wide + size.gap, min(size.page, 420))
    lines = style.wrapped(text, size, pixels=shown - size.gap)
    top, bottom = 2.6 * size.title + 2 * size.label, size.gap + 1.5 * size.caption * len(lines)
    note = style.caption("<br>".join(lines), theme, size, below=size.gap // 2) | {"xshift": size.gap // 2 - left}
    fits = cell > LETTER * size.label * (3 + max(columns(shorten(name, 8)) for name in targets)) + 10
    figure = go.Figure(
        go.Heatmap(
            z=shares.to_numpy(np.float32),
            zmin=0,
            zmax=1,
            xgap=4,
            ygap=4,
            colorscale=style.colour_scale(palette.sequential),
            showscale=False,
            customdata=[[f"from {escape(row)} to {escape(column)}" for column in targets] for row in rows],
            hovertemplate=f"%{{customdata}}: %{{z:{style.WEIGHT_FORMAT}}}<extra></extra>",
        )
    )
    return figure.update_layout(
        style.base_layout(theme, size, title=attention_title(record, layer, head))
        | {
            "width": shown,
            "height": top + tall + bottom,
            "margin": {"l": left, "r": shown - left - wide, "t": top, "b": bottom, "pad": 0},
            "dragmode": False,
            "annotations": [note, *_percentages(shares.to_numpy(np.float64), palette, size.word)],
            "xaxis": _names([f"{'to ' if fits else ''}{plain_label(name, limit=8)}" for name in targets], size)
            | {"side": "top", "range": [-0.5, len(targets) - 0.5]},
            "yaxis": _names([f"from {plain_label(name, limit=8)}" for name in rows], size)
            | {"range": [len(rows) - 0.5, -0.5], "ticklabelstandoff": size.gap // 2},
        }
    )


def crossing_map(
    shares: pd.DataFrame,
    *,
    direction: str = CROSSING,
    selected: tuple[int, int | None] | None = None,
    theme: Theme = "light",
    width: int = style.WIDEST,
) -> go.Figure:
    """Layers x heads, coloured by one of the shares of `block_shares`; `viz.attention.overview.picked` reads a click.

    The scale runs from 0 to the round number above the largest share, as its colour bar says. A frame is around the
    `selected` (layer, head), a star on the most crossing head. Raises SelectionError for a direction or a head that is
    not there.
    """
    if direction not in directions(shares):
        raise SelectionError(f"{direction!r} was asked for, but there are only {', '.join(directions(shares))}.")
    size, palette = style.sizes(width), style.PALETTES[theme]
    values: Array = shares.pivot(index="layer", columns="head", values=direction).to_numpy(np.float32)
    n_layers, n_heads = values.shape
    high = nice_maximum(float(values.max()))
    best = most_crossing(shares)
    on_best = _readable_on(float(values[best]) / high, palette)
    left = (3.6 if size.compact else 5.4) * size.label
    right = 2 * size.gap if size.compact else 96
    cell = min((size.page - left - right) / n_heads, 84.0)
    wide, pitch = cell * n_heads, min(cell, 3 * size.label)
    tall = max(pitch * n_layers, 40.0)
    words = "between A and B, the mean of both directions" if direction == CROSSING else direction
    text = (
        f"Share of the attention {words}. Colours run from 0 to {percentage(high).replace('.0%', '%')}. "
        "★: the head that looks across most. Click on a head to see it."
    )
    shown = max(left + wide + right, min(size.page, 420))
    lines = style.wrapped(text, size, pixels=shown - size.gap)
    top = 2.6 * size.title + 2.4 * size.label
    bar_height = 4.5 * size.bar if size.compact else 0
    bottom = size.gap + 1.5 * size.caption * len(lines) + bar_height
    note = style.caption("<br>".join(escape(line) for line in lines), theme, size, below=size.gap // 2) | {
        "xshift": size.gap // 2 - left
    }
    roomy = cell > LETTER * size.label * 4.2
    numbers = _percentages(values.astype(np.float64), palette, size.label, high=high) if roomy else []
    title = "Attention across" if direction == CROSSING else f"Attention {direction}"
    figure = go.Figure(
        go.Heatmap(
            z=values,
            zmin=0,
            zmax=high,
            xgap=2,
            ygap=2,
            colorscale=style.colour_scale(palette.sequential),
            colorbar=_colour_bar(palette, size),
            hoverinfo="skip",
        )
    )
    figure.add_trace(_click_layer(values, direction))
    figure.update_layout(
        style.base_layout(theme, size, title=f"{escape(title)} · all heads")
        | {
            "width": shown,
            "height": top + tall + bottom,
            "margin": {"l": left, "r": shown - left - wide, "t": top, "b": bottom, "pad": 0},
            "hovermode": "closest",
            "hoverdistance": -1,
            "dragmode": False,
            "clickmode": "event+select",
            "annotations": [note, *numbers, _star(*best, colour=on_best, font=size.label, beside=roomy)],
            "xaxis": _names([str(head) for head in range(n_heads)], size)
            | {"side": "top", "range": [-0.5, n_heads - 0.5], "title": _axis_title("head", palette, size)},
            "yaxis": _names([str(layer) for layer in range(n_layers)], size)
            | {"range": [n_layers - 0.5, -0.5], "title": _axis_title("layer", palette, size)},
        }
    )
    if selected is not None:
        figure.add_shape(_frame(selected, n_layers, n_heads), line={"color": palette.accent, "width": 3})
    return figure


def next_sentence_bar(probability: float, *, theme: Theme = "light", width: int = style.WIDEST) -> go.Figure:
    """One bar, divided into "is next" and "not next", the likelier answer in large letters above it.

    Raises PictureError for what is not a probability.
    """
    if not 0 <= probability <= 1:
        raise PictureError(f"{probability} was given as the probability of the next sentence, expected 0 to 1.")
    size, palette = style.sizes(width), style.PALETTES[theme]
    yes = probability >= 0.5
    parts = [
        ("B is next", probability, palette.bar, "left", yes),
        ("not next", 1 - probability, palette.accent, "right", not yes),
    ]
    figure = go.Figure(
        [
            go.Bar(
                x=[share],
                y=[0],
                orientation="h",
                width=1,
                marker={"color": colour, "line": {"width": 0}},
                hovertemplate=f"{name}: {share:{style.WEIGHT_FORMAT}}<extra></extra>",
            )
            for name, share, colour, *_ in parts
        ]
    )
    large = int(1.7 * size.word)
    labels = [
        {
            "xref": "paper",
            "x": 0 if side == "left" else 1,
            "xanchor": side,
            "yref": "paper",
            "y": 1 if strong else 0,
            "yanchor": "bottom" if strong else "top",
            "yshift": 4 if strong else -4,
            "showarrow": False,
            "text": f'<b><span style="font-size:{large if strong else size.word}px;color:{colour}">'
            f"{_sure(share)}</span></b> {name}",
            "font": {"size": size.word if strong else size.label, "color": palette.ink if strong else palette.quiet},
        }
        for name, share, colour, side, strong in parts
    ]
    axis = {"visible": False, "fixedrange": True}
    half = {"type": "line", "xref": "x", "x0": 0.5, "x1": 0.5, "yref": "paper", "y0": -0.12, "y1": 1.12}
    top, bottom = 2.4 * size.title + 1.5 * large, 1.9 * size.word
    return figure.update_layout(
        style.base_layout(theme, size, title="Does B follow A?")
        | {
            "barmode": "stack",
            "width": size.page,
            "height": top + 3 * size.word + bottom,
            "margin": {"l": size.gap, "r": size.gap, "t": top, "b": bottom, "pad": 0},
            "dragmode": False,
            "annotations": labels,
            "shapes": [half | {"line": {"color": palette.ink, "width": 2, "dash": "dot"}}],
            "xaxis": axis | {"range": [0, 1]},
            "yaxis": axis | {"range": [-0.5, 0.5]},
        }
    )


def _sure(share: float) -> str:
    """A percentage that says 100% only of what is certain, and 0% of what is impossible."""
    if 0 < share < 0.001:
        return "under 0.1%"
    return "over 99.9%" if 0.999 < share < 1 else percentage(share)


def _groups(record: AttentionRecord) -> tuple[Members, Members]:
    """Which queries belong to a row of the blocks and which keys to a column. Raises PictureError without a pair."""
    if not is_pair(record):
        raise PictureError("This text has no sentence B; blocks from sentence to sentence need a pair.")
    rows = {"A": _of(record.query_tokens, 0), "B": _of(record.query_tokens, 1)}
    if record.query_tokens[0].is_special:
        first = np.arange(len(record.query_tokens)) == 0
        rows[token_texts(record.query_tokens)[0]] = first
    targets = {"A": _of(record.key_tokens, 0), "B": _of(record.key_tokens, 1)}
    for place, (token, text) in enumerate(zip(record.key_tokens, token_texts(record.key_tokens), strict=True)):
        if token.is_special:
            targets.setdefault(text, np.zeros(len(record.key_tokens), np.bool_))[place] = True
    return rows, targets


def _shares(weights: Array, rows: Members, targets: Members) -> pd.DataFrame:
    shares = [
        [float(weights[row][:, target].sum(axis=1).mean()) for target in targets.values()] for row in rows.values()
    ]
    return pd.DataFrame(shares, index=pd.Index(rows, name="from"), columns=pd.Index(targets, name="to"))


def _of(tokens: Sequence[Token], segment: int) -> NDArray[np.bool_]:
    """Which tokens are words of a segment; special tokens are of none."""
    return np.array([token.segment == segment and not token.is_special for token in tokens], dtype=np.bool_)


def _percentages(
    shares: NDArray[np.float64], palette: Palette, font: int, *, high: float = 1.0
) -> list[dict[str, Any]]:
    """What stands in the cells, in the one of the page's two colours that can be read there: plotly takes a grey."""
    return [
        {
            "x": column,
            "y": row,
            "text": format(share, style.SHARE_FORMAT),
            "showarrow": False,
            "font": {"size": font, "color": _readable_on(share / high, palette)},
        }
        for (row, column), share in np.ndenumerate(shares)
    ]


def _readable_on(strength: float, palette: Palette) -> str:
    return palette.ground if strength > READABLE_UNTIL else palette.ink


def _star(layer: int, head: int, *, colour: str, font: int, beside: bool) -> dict[str, Any]:
    """A star on a cell, in its corner if a number stands in its middle."""
    corner = {"x": head + 0.46, "xanchor": "right", "y": layer - 0.5, "yanchor": "top"} if beside else {}
    star = {"x": head, "y": layer, "text": "★", "showarrow": False, "font": {"size": font, "color": colour}}
    return star | corner


def _click_layer(values: Array, direction: str) -> go.Scatter:
    """An invisible marker on every cell: plotly reports clicks on markers but not on heatmaps."""
    places = list(np.ndindex(*values.shape))
    unseen = {"marker": {"opacity": 0}}
    return go.Scatter(
        x=[head for _, head in places],
        y=[layer for layer, _ in places],
        mode="markers",
        marker={"symbol": "square", "size": 24, "opacity": 0},
        selected=unseen,
        unselected=unseen,
        customdata=places,
        text=[
            f"Layer {layer} · Head {head}<br>{escape(direction)} {values[layer, head]:{style.WEIGHT_FORMAT}}"
            for layer, head in places
        ],
        hovertemplate="%{text}<br>click to see this head<extra></extra>",
    )


def _frame(selected: tuple[int, int | None], n_layers: int, n_heads: int) -> dict[str, Any]:
    """A rectangle around one head, or around its layer where no head is chosen."""
    layer, head = selected
    if not 0 <= layer < n_layers or (head is not None and not 0 <= head < n_heads):
        raise SelectionError(
            f"layer {layer}, head {head} was asked for, but there are {n_layers} layers of {n_heads} heads."
        )
    start, end = (0, n_heads - 1) if head is None else (head, head)
    return {"type": "rect", "x0": start - 0.5, "x1": end + 0.5, "y0": layer - 0.5, "y1": layer + 0.5}


def _names(labels: Sequence[str], size: Sizes) -> dict[str, Any]:
    """An axis of names, which are escaped."""
    return {
        "tickvals": list(range(len(labels))),
        "ticktext": list(labels),
        "tickangle": 0,
        "tickfont": {"size": size.label},
        "showgrid": False,
        "zeroline": False,
        "ticks": "",
        "fixedrange": True,
    }


def _axis_title(text: str, palette: Palette, size: Sizes) -> dict[str, Any]:
    return {"text": text, "font": {"size": size.axis, "color": palette.quiet}, "standoff": 4}


def _colour_bar(palette: Palette, size: Sizes) -> dict[str, Any]:
    """The scale beside the map, or under its caption on a telephone."""
    quiet = {"size": size.caption, "color": palette.quiet}
    shared = {"thickness": size.bar, "outlinewidth": 0, "tickfont": quiet, "tickformat": "~%", "nticks": 5}
    if size.compact:
        place = {"orientation": "h", "yref": "container", "y": 0, "yanchor": "bottom", "ypad": 4, "len": 1}
        return shared | place | {"tickangle": 0}
    return shared | {"x": 1, "xpad": size.gap, "y": 1, "yanchor": "top", "lenmode": "pixels", "len": 160}


if __name__ == "__main__":
    from viz.kit.demo import PAIR, plausible_record

    pair_blocks_figure(plausible_record(PAIR), layer=0, head=3).show()
    crossing_map(block_shares(plausible_record(PAIR)), selected=(1, 2)).show()
    next_sentence_bar(0.973).show()
