"""Notes beside every result: its formula, its paper and its cost, from the registry of analyses."""

from __future__ import annotations

import streamlit as st

from models.analysis.analysis import Analysis
from models.analysis.registry import find_analysis
from ui.state.plain import plain
from ui.widgets.words import linked
from viz.kit.language import tr


def say_about(about: Analysis | str, *, of: str = "") -> None:
    """A line about an analysis, or about that of a name; `of` says of which of several results."""
    named = find_analysis(about) if isinstance(about, str) else about
    formula = f"**{linked(plain(named.formula))}** · " if named.formula else ""
    takes = tr("It takes {cost}.", cost=plain(named.cost))
    st.caption(f"{plain(of)}{': ' if of else ''}{formula}{plain(named.paper)} · {takes}")
