"""Labels, the order of keys and arguments of figures, for all views of the page "Queries, keys, values"."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from models.values.record import Token
from ui.state.choices import Selection
from ui.state.plain import plain
from viz.kit.language import said, to_say, tr
from viz.kit.tokens import positioned_texts

ORDER_LABELS = {"sentence": to_say("As in the sentence"), "weight": to_say("By weight")}


def at(chosen: Selection) -> dict[str, Any]:
    """Return the selected layer and head as arguments of figures."""
    return {"layer": chosen.layer, "head": chosen.head}


def where(chosen: Selection) -> dict[str, Any]:
    """Return the selected layer, head and query as arguments of figures."""
    return at(chosen) | {"position": chosen.query}


def say(sentences: Sequence[str]) -> None:
    """Show sentences about the numbers as a list; tokens in them are escaped."""
    st.markdown("\n".join(f"- {plain(sentence)}" for sentence in sentences))


def position_labels(tokens: Sequence[Token]) -> tuple[str, ...]:
    """Return token texts with their positions."""
    return positioned_texts(tokens, range(len(tokens)))


def pick_order(place: DeltaGenerator) -> None:
    """Draw the choice of the order of the keys."""
    place.segmented_control(
        tr("Keys"), list(ORDER_LABELS), key="order", format_func=lambda order: said(ORDER_LABELS[order]), required=True
    )
