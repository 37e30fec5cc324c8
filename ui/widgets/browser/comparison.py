"""Two heads or texts side by side, drawn by `comparison.js`: arcs over both texts, or three maps."""

from __future__ import annotations

import streamlit as st

from models.values.results.comparison import AttentionComparison
from ui.state.routes import STYLE
from ui.state.selection import choose, selection
from ui.widgets.browser.browser_side import in_each_language
from viz.viewer.comparison import ENTRY, ComparedPicture, ComparedWords, comparison_data, comparison_html

_KEY = "comparison"
_WANTED = "comparison-page"
"""Set for one run when the reader takes the comparison away as a page."""
_component = in_each_language("headlight_comparison", module=ENTRY, html="<div data-root></div>", styles=(STYLE,))


def draw_comparison(comparison: AttentionComparison, words: ComparedWords) -> None:
    """Draw a comparison as the chosen picture, on the chosen scale; a page has one."""
    chosen = selection()
    fits = chosen.scale != "one"
    drawn: ComparedPicture = "map" if chosen.picture == "map" else "arcs"
    data = comparison_data(comparison, words) | {"picture": drawn, "fits": fits}
    if st.session_state.pop(_WANTED, False):
        data["page"] = comparison_html(comparison, words, picture=drawn, fits=fits)
    _component(
        key=_KEY,
        data=data,
        on_picture_change=_turn_picture,
        on_fits_change=_rescale,
        on_page_change=lambda: st.session_state.update({_WANTED: True}),
    )


def _turn_picture() -> None:
    """Set the picture, of which the viewer has more, from the switch of the comparison."""
    choose(picture="map" if st.session_state[_KEY]["picture"] == "map" else "arcs")


def _rescale() -> None:
    """Set the viewer's scale, which has more options, from the switch of the comparison."""
    choose(scale="map" if st.session_state[_KEY]["fits"] is True else "one")
