"""Parts that figures share beside their traces: titles of axes, the note below, the colour bar, masked cells."""

from __future__ import annotations

import html
import re
from collections.abc import Sequence
from typing import Any

import numpy as np
import plotly.graph_objects as go
from numpy.typing import NDArray

from viz.kit import theme as style
from viz.kit.figures.still import Figure
from viz.kit.language import said, shown, to_say
from viz.kit.theme import Palette, Sizes, Theme
from viz.kit.tokens import escape

MASKED = to_say("masked: this query cannot look here")
"""The hover text of a masked cell."""
Places = Sequence[int] | NDArray[np.int64]
UNMARKED: dict[str, Any] = {"showgrid": False, "zeroline": False, "ticks": ""}
"""An axis of labels alone."""
_MARKUP = re.compile("<[^>]*>")


def axis_title(text: str, palette: Palette, size: Sizes, *, standoff: int = 6) -> dict[str, Any]:
    """Return plotly's settings for the title of an axis; `text` is already escaped."""
    return {"text": shown(text), "font": {"size": size.axis, "color": palette.quiet}, "standoff": standoff}


def note(lines: Sequence[str], theme: Theme, size: Sizes, *, below: float, left: float) -> dict[str, Any]:
    """Return a caption of plain lines `below` pixels under the picture, at the left edge of a figure whose picture
    begins at `left`."""
    text = "<br>".join(escape(line) for line in lines)
    return style.caption(text, theme, size, below=below) | {"xshift": size.gap // 2 - left}


def describe(figure: go.Figure) -> str:
    """Return the title and the captions of a figure as plain text, for who hears a page; empty if it has neither."""
    captions = [note.text for note in figure.layout.annotations if note.name == style.CAPTION]
    parts = [figure.layout.title.text, *captions]
    plain = [" ".join(html.unescape(_MARKUP.sub(" ", part)).split()) for part in parts if part]
    return ". ".join(part.rstrip(".") for part in plain)


def colour_bar(
    palette: Palette, size: Sizes, *, title: str = "", n_ticks: int = 5, length: int = 190, number: str = ""
) -> dict[str, Any]:
    """Return a colour bar beside a picture, `length` pixels long, or under its note on a phone; `title` is plain
    text."""
    quiet = {"size": size.caption, "color": palette.quiet}
    shared: dict[str, Any] = {"thickness": size.bar, "outlinewidth": 0, "tickfont": quiet, "nticks": n_ticks}
    shared |= {"tickformat": number} if number else {}
    if title:
        side = {} if size.compact else {"side": "right"}
        shared["title"] = {"text": escape(title) + "  ", "font": quiet} | side
    if size.compact:
        below = {"orientation": "h", "yref": "container", "y": 0, "yanchor": "bottom", "ypad": 4, "len": 1}
        return shared | below | {"tickangle": 0}
    return shared | {"x": 1, "xpad": size.gap, "y": 1, "yanchor": "top", "lenmode": "pixels", "len": length}


def colour_bar_below(
    x: float, y: float, *, length: float, ticks: dict[float, str], palette: Palette, size: Sizes
) -> dict[str, Any]:
    """Return a thin colour bar whose upper left corner is at (x, y), shares of the figure, `length` pixels long."""
    return {
        "orientation": "h",
        "x": x,
        "xanchor": "left",
        "xpad": 0,
        "y": y,
        "yanchor": "top",
        "ypad": 0,
        "lenmode": "pixels",
        "len": length,
        "thickness": size.bar / 2,
        "outlinewidth": 0,
        "tickvals": list(ticks),
        "ticktext": list(ticks.values()),
        "tickangle": 0,
        "tickfont": {"size": size.caption, "color": palette.quiet},
    }


def masked_cells(masked: NDArray[np.bool_], *, x: Places, y: Places, hover: str, palette: Palette) -> go.Heatmap:
    """Return grey cells where a query may not look [n_rows, n_columns]; `hover` begins the hover text, as markup."""
    return go.Heatmap(
        z=np.where(masked, np.float32(1), np.float32(np.nan)),
        x=x,
        y=y,
        colorscale=style.colour_scale((palette.masked, palette.masked)),
        showscale=False,
        hoverongaps=False,
        hovertemplate=f"{hover}{said(MASKED)}<extra></extra>",
    )


def click_marks(
    x: Sequence[float], y: Sequence[float], *, data: Sequence[Any], texts: Sequence[str], hover: str, side: int
) -> go.Scatter:
    """Return invisible squares of `side` pixels over a picture: plotly reports clicks on markers but not on heatmaps,
    and takes the marker nearest to the pointer.

    `data` is what a click hands back, `texts` what the pointer reads as `%{text}` of the template `hover`.
    """
    unseen = {"marker": {"opacity": 0}}
    return go.Scatter(
        x=x,
        y=y,
        mode="markers",
        marker={"symbol": "square", "size": side, "opacity": 0},
        selected=unseen,
        unselected=unseen,
        customdata=data,
        text=texts,
        hovertemplate=f"{hover}<extra></extra>",
    )


def message(title: str, text: str, *, theme: Theme, width: int) -> go.Figure:
    """Draw an empty figure with a text that explains why there is nothing to see."""
    size = style.sizes(width)
    lines = style.wrap_text(text, size, pixels=size.page - 4 * size.gap)
    top = 2.6 * size.title
    figure = Figure(layout=style.base_layout(theme, size, title=title))
    return figure.update_layout(
        width=size.page,
        height=top + 2 * size.caption * (len(lines) + 1),
        margin={"l": size.gap, "r": size.gap, "t": top, "b": 0},
        xaxis={"visible": False},
        yaxis={"visible": False},
        annotations=[
            style.caption("<br>".join(escape(line) for line in lines), theme, size, below=0) | {"y": 1, "x": 0}
        ],
    )
