"""Pictures with their buttons: zoom, download as a file, and the numbers as a table."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pandas as pd
import plotly.graph_objects as go
import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from ui.widgets.browser.viewport import SIDE_BY_SIDE, column_widths, page_width
from viz.kit.language import said, to_say
from viz.kit.layout import describe
from viz.kit.tables import table_csv
from viz.kit.theme import title_width

NUMBERS = to_say("Download the numbers (CSV)")
BUTTONS_WIDE, BUTTONS_TALL = 240, 36
"""The size in CSS pixels of plotly's buttons at the top right of a picture."""
LINE = 1.3
"""The height of a line of a title, of its letters."""


def picture(figure: go.Figure, name: str, *, alt: str = "") -> None:
    """Draw a figure; its camera button saves it as `name`.png, large enough to print. `alt` says in plain text what it
    shows, by default its title and caption do."""
    _draw(figure, name, alt)


def clickable_picture(figure: go.Figure, name: str, picked_something: Callable[[], None], *, alt: str = "") -> None:
    """Draw a figure; a click on a point is stored in the session under `name` and calls `picked_something`."""
    _draw(figure, name, alt, on_select=picked_something, selection_mode="points")


def _draw(figure: go.Figure, name: str, alt: str, **selecting: Any) -> None:
    """Draw a figure with its buttons beside its title."""
    wrap_title(figure)
    below_buttons(figure)
    st.plotly_chart(
        figure,
        key=name,
        theme=None,
        width="content",
        height=round(figure.layout.height),  # its place is kept until plotly draws it
        config=_config(name),
        alt=alt or describe(figure) or None,
        **selecting,
    )


def wrap_title(figure: go.Figure) -> None:
    """Break a title that is written smaller than the labels, to fit a narrow picture, into lines of their size."""
    layout, title, letters = figure.layout, figure.layout.title, figure.layout.font.size
    if title.font.size >= letters or title_width(title.text, letters) <= layout.width:
        return
    lines = [""]
    for word in title.text.split(" "):
        longer = f"{lines[-1]} {word}".strip()
        if title_width(longer, letters) > layout.width - 2 * title.pad.t:
            lines.append(word)
        else:
            lines[-1] = longer
    more = LINE * letters * len(lines) - LINE * title.font.size
    figure.update_layout(
        title_text="<br>".join(filter(None, lines)),
        title_font_size=letters,
        height=layout.height + more,
        margin_t=layout.margin.t + more,
    )


def below_buttons(*figures: go.Figure) -> None:
    """Move figures that stand beside each other down if plotly's buttons would cover the title of one of them."""
    if not any(_is_covered(figure) for figure in figures):
        return
    for figure in figures:
        layout, missing = figure.layout, BUTTONS_TALL - figure.layout.title.pad.t
        if missing > 0:
            figure.update_layout(
                height=layout.height + missing, margin_t=layout.margin.t + missing, title_pad_t=BUTTONS_TALL
            )


def _is_covered(figure: go.Figure) -> bool:
    """Return whether plotly's buttons would cover the title, or on a telephone, where they stay, what is there without
    one."""
    title = figure.layout.title
    if not title.text:
        return page_width() < SIDE_BY_SIDE
    longest = max(title.text.split("<br>"), key=len)
    return bool(title_width(longest, title.font.size) > figure.layout.width - BUTTONS_WIDE)


def numbers(table: Callable[[], bytes | pd.DataFrame], name: str, *, label: str = NUMBERS) -> None:
    """Draw a download button for `name`.csv; `table` is called when it is pressed."""

    def content() -> bytes:
        data = table()
        return data if isinstance(data, bytes) else table_csv(data)

    st.download_button(
        said(label),
        content,
        file_name=f"{name}.csv",
        mime="text/csv",
        icon=":material/download:",
        on_click="ignore",
        key=f"download-{name}",
    )


def _config(name: str) -> dict[str, object]:
    """Configure plotly's buttons: zoom, and the picture as a file; nothing that contacts another host."""
    return {
        "displaylogo": False,
        "modeBarButtonsToRemove": ["select2d", "lasso2d"],
        "toImageButtonOptions": {"format": "png", "filename": name, "scale": 3},
    }


def two_columns(left: int = 1, right: int = 1) -> tuple[DeltaGenerator, DeltaGenerator, list[int]]:
    """Return two containers with these shares of the width and their widths in pixels; side by side where there is
    room."""
    widths = column_widths(left, right)
    if page_width() < SIDE_BY_SIDE:
        return st.container(), st.container(), widths
    first, second = st.columns([left, right], gap="medium")
    return first, second, widths
