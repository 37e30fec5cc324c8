"""What the views of the page "Queries, keys, values" share: where the reader is, as pictures take it, and sentences."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import streamlit as st

from ui.state.choices import Selection
from ui.widgets.plain import plain


def at(chosen: Selection) -> dict[str, Any]:
    """Layer and head, as the pictures take them."""
    return {"layer": chosen.layer, "head": chosen.head}


def where(chosen: Selection) -> dict[str, Any]:
    """Layer, head and query."""
    return at(chosen) | {"position": chosen.query}


def say(sentences: Sequence[str]) -> None:
    """What the numbers come to, in words: a list with a token in it is text."""
    st.markdown("\n".join(f"- {plain(sentence)}" for sentence in sentences))
