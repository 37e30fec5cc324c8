"""A caption beside every result: its paper, and on request its formula and cost, from the registry of analyses."""

from __future__ import annotations

import streamlit as st

from models.analysis.analysis import Analysis
from models.analysis.registry import find_analysis
from ui.state.plain import plain
from viz.kit.language import tr


def say_about(about: Analysis | str, *, of: str = "") -> None:
    """Draw a caption about an analysis, given or by its name; `of` names the result, if there are several."""
    analysis = find_analysis(about) if isinstance(about, str) else about
    formula = f"**{plain(analysis.formula)}** · " if analysis.formula else ""
    takes = tr("It takes {cost}.", cost=plain(analysis.cost))
    st.caption(f"{plain(of)}{': ' if of else ''}{plain(analysis.paper)}", help=f"{formula}{takes}")
