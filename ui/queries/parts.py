"""The selection as arguments of figures, and sentences, for all views of the page "Queries, keys, values"."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import streamlit as st

from ui.state.choices import Selection
from ui.state.plain import plain


def at(chosen: Selection) -> dict[str, Any]:
    """Return the selected layer and head as arguments of figures."""
    return {"layer": chosen.layer, "head": chosen.head}


def where(chosen: Selection) -> dict[str, Any]:
    """Return the selected layer, head and query as arguments of figures."""
    return at(chosen) | {"position": chosen.query}


def say(sentences: Sequence[str]) -> None:
    """Show sentences about the numbers as a list; tokens in them are escaped."""
    st.markdown("\n".join(f"- {plain(sentence)}" for sentence in sentences))
