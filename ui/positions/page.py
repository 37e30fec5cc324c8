"""The page "Positions": sinusoids, learned tables, rotary angles, ALiBi, T5's buckets, and a shuffled sentence.

What is drawn below the model is a fragment: another section or slider redraws it, and nothing else of the page.
"""

from __future__ import annotations

from collections.abc import Callable

import streamlit as st

from models.values.positions import ModelPositions
from ui.positions.added import learned_section, sinusoidal_section
from ui.positions.relative import alibi_section, bucket_section, rotary_section
from ui.positions.why import why_section
from ui.state.choices import Selection
from ui.state.selection import selection
from ui.widgets.answers import positions
from ui.widgets.frame import part_of_page, readable_errors
from ui.widgets.plain import plain

FROM_WHERE = (
    "Word order is added to the tokens, turned into the [queries](#word-query) and [keys](#word-key), or added to the "
    "[scores](#word-scores)."
)
SCHEME_LABELS = {
    "sinusoidal": "Sinusoidal",
    "learned": "Learned",
    "rotary": "Rotary",
    "alibi": "ALiBi",
    "buckets": "T5 buckets",
    "why": "Why positions",
}
SECTIONS: dict[str, Callable[[ModelPositions | None], None]] = {
    "sinusoidal": sinusoidal_section,
    "learned": learned_section,
    "rotary": rotary_section,
    "alibi": alibi_section,
    "buckets": bucket_section,
    "why": why_section,
}


@st.fragment
def position_explorer() -> None:
    """Everything below the model. Reads and writes the shared selection."""
    with part_of_page():
        found = _of_the_model(selection())
        st.segmented_control(
            "Section", list(SCHEME_LABELS), key="scheme", format_func=SCHEME_LABELS.__getitem__, required=True,
            wrap=True, label_visibility="collapsed",
        )  # fmt: skip
        SECTIONS[st.session_state["scheme"]](found)
        st.caption(FROM_WHERE)


def _of_the_model(chosen: Selection) -> ModelPositions | None:
    """What the chosen model does, in a sentence; a model that cannot be opened leaves the formulas to look at."""
    found: ModelPositions | None = None
    with readable_errors():
        found = positions(chosen.model, chosen.device)
        st.markdown(_said(found))
    return found


def _said(found: ModelPositions) -> str:
    """One sentence of Markdown about the scheme of a model."""
    name = plain(found.info.name)
    if found.table is not None:
        n_positions, width = found.table.shape
        how = "learns its positions" if found.scheme == "learned" else "adds sinusoids"
        return f"**{name} {how}:** a table of {n_positions:,} vectors of {width:,} dimensions, one for each position."
    if found.frequencies is not None:
        n_pairs = len(found.frequencies)
        return f"**{name} turns its queries and keys** (rotary positions): {n_pairs} pairs of dimensions in every head."
    if found.slopes is not None:
        return f"**{name} lowers the scores of far keys** (ALiBi): one slope for each of {len(found.slopes)} heads."
    if found.bias_by_distance is not None:
        n_heads = len(found.bias_by_distance)
        return f"**{name} adds a learned bias to its scores** (T5's relative buckets), by distance, in {n_heads} heads."
    return plain(found.why)
