"""A slider, equations and the name of a model, for all sections of the page "Positions"."""

from __future__ import annotations

import streamlit as st

from models.values.positions import ModelPositions
from ui.state.plain import plain
from ui.widgets.browser.viewport import SIDE_BY_SIDE, page_width
from viz.kit.language import tr

BASE = 10000
"""The default base of sinusoids and rotary angles."""


def pick(label: str, key: str, n_choices: int) -> None:
    """Draw a slider from 0 to n_choices - 1, and clamp the choice; a single choice needs none."""
    st.session_state[key] = min(st.session_state[key], n_choices - 1)
    if n_choices > 1:
        st.slider(label, 0, n_choices - 1, key=key)


def equations(*parts: str) -> None:
    """Draw formulas in LaTeX, in one line or, on a narrow page, below each other."""
    for line in parts if page_width() < SIDE_BY_SIDE else (r" \qquad ".join(parts),):
        st.latex(line)


def name_of(model_positions: ModelPositions | None) -> str:
    return tr("This model") if model_positions is None else plain(model_positions.info.name)
