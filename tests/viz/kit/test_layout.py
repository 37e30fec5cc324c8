"""A figure is described in words, by its title and its caption, for somebody who hears the page."""

from __future__ import annotations

import plotly.graph_objects as go

from viz.kit.layout import describe, note
from viz.kit.theme import base_layout, sizes
from viz.kit.tokens import escape


def figure(title: str, *lines: str) -> go.Figure:
    size = sizes(600)
    return go.Figure(
        layout=base_layout("light", size, title=title)
        | {"annotations": [{"text": "95%"}, note(lines, "light", size, below=0, left=0)]}
    )


def test_a_figure_is_described_by_its_title_and_its_caption() -> None:
    described = describe(figure("Layer 3 · <b>Head 1</b>", "Every row sums to 1.", "Scale: 0 to 1."))
    assert described == "Layer 3 · Head 1. Every row sums to 1. Scale: 0 to 1"


def test_markup_in_a_token_is_read_as_it_was_written() -> None:
    assert describe(figure(escape("<b>“it” & she</b>"), "a < b")) == "<b>“it” & she</b>. a < b"


def test_a_figure_without_words_has_no_description() -> None:
    assert describe(go.Figure()) == ""
