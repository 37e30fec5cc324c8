"""Shared parts of the sections of the page "Positions": a slider, equations, the name of a model."""

from __future__ import annotations

import streamlit as st

from models.values.positions import ModelPositions
from ui.state.plain import plain
from ui.widgets.viewport import SIDE_BY_SIDE, page_width
from viz.kit.language import tr

BASE = 10000
"""Of the sinusoids and the rotary angles, where neither the reader nor the model says another one."""


def pick(label: str, key: str, n_choices: int) -> None:
    """A slider from 0 to n_choices - 1, whatever the address says; a single choice needs none."""
    st.session_state[key] = min(st.session_state[key], n_choices - 1)
    if n_choices > 1:
        st.slider(label, 0, n_choices - 1, key=key)


def equations(*parts: str) -> None:
    """Formulas in LaTeX: in one line where there is room, below each other on a telephone."""
    for line in parts if page_width() < SIDE_BY_SIDE else (r" \qquad ".join(parts),):
        st.latex(line)


def name_of(found: ModelPositions | None) -> str:
    return tr("This model") if found is None else plain(found.info.name)
