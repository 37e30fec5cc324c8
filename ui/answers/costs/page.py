"""The page "What attention costs": four parts, each a fragment of its own, so that a picture that plays redraws nothing
else."""

from __future__ import annotations

from collections.abc import Callable

import streamlit as st

from ui.answers.costs.blocks import blocks_part
from ui.answers.costs.memory import memory_part
from ui.answers.costs.sampling import sampling_part
from ui.answers.costs.writing import writing_part
from ui.state.choices import CAUSAL_MODEL, COST_PARTS
from ui.state.selection import selection
from ui.widgets.browser.player import stop_playing
from ui.widgets.frame import part_of_page
from viz.kit.language import said, to_say, tr

_PARTS = (to_say("Writing"), to_say("Memory"), to_say("FlashAttention"), to_say("Sampling"))
PART_LABELS = dict(zip(COST_PARTS, _PARTS, strict=True))
DRAWN: dict[str, Callable[[], None]] = dict(
    zip(COST_PARTS, (writing_part, memory_part, blocks_part, sampling_part), strict=True)
)


@st.fragment
def costs_explorer() -> None:
    """Draw everything below the sentence."""
    with part_of_page(CAUSAL_MODEL):
        st.segmented_control(
            tr("View"),
            list(PART_LABELS),
            key="cost",
            format_func=lambda part: said(PART_LABELS[part]),
            required=True,
            wrap=True,
            label_visibility="collapsed",
            on_change=stop_playing,
        )
        DRAWN[selection().cost]()
