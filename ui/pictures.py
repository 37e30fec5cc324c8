"""A picture on the page, with its buttons: zoom, the picture as a file, the numbers as a table."""

from __future__ import annotations

from collections.abc import Callable

import pandas as pd
import plotly.graph_objects as go
import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from ui.viewport import SIDE_BY_SIDE, column_widths, page_width
from viz.tables import table_csv


def picture(figure: go.Figure, name: str) -> None:
    """Draw a figure; its camera button saves it as `name`.png, large enough to print."""
    st.plotly_chart(figure, key=name, theme=None, width="content", config=picture_config(name))


def numbers(table: Callable[[], bytes | pd.DataFrame], name: str, *, label: str = "Download the numbers (CSV)") -> None:
    """A button that saves what `table` gives, asked only when the button is pressed, as `name`.csv."""

    def content() -> bytes:
        made = table()
        return made if isinstance(made, bytes) else table_csv(made)

    st.download_button(
        label, content, file_name=f"{name}.csv", mime="text/csv", icon=":material/download:", on_click="ignore",
        key=f"download-{name}",
    )  # fmt: skip


def picture_config(name: str) -> dict[str, object]:
    """Plotly's buttons: zoom, and the picture as a file; nothing that calls home."""
    return {
        "displaylogo": False,
        "modeBarButtonsToRemove": ["select2d", "lasso2d"],
        "toImageButtonOptions": {"format": "png", "filename": name, "scale": 3},
    }


def two_columns(left: int = 1, right: int = 1) -> tuple[DeltaGenerator, DeltaGenerator, list[int]]:
    """Two places in these shares and their widths in pixels: beside each other where there is room."""
    widths = column_widths(left, right)
    if page_width() < SIDE_BY_SIDE:
        return st.container(), st.container(), widths
    first, second = st.columns([left, right], gap="medium")
    return first, second, widths
