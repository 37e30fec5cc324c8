"""The layer and the head of the page "Translation", or their mean."""

from __future__ import annotations

import streamlit as st

from models.values.record import AttentionRecord
from ui.state.selection import fit_heads, selection
from ui.widgets.asking.pickers import layer_and_head
from ui.widgets.words import help_of
from viz.kit.language import said, to_say

MEAN_OF_ALL = to_say("Mean over all layers and heads")


def pick_mean() -> None:
    """Draw the switch between the mean over all layers and heads, and one of them."""
    st.toggle(said(MEAN_OF_ALL), key="averaged", help=help_of("layer", "head"))


def pick_heads(shown: AttentionRecord) -> tuple[int | None, int | None]:
    """Draw the pickers of layer and head, and return the chosen ones; None for a mean."""
    fit_heads(shown.n_layers, shown.n_heads)
    if selection().averaged:
        return None, None
    layer_and_head(shown)
    chosen = selection()
    return chosen.layer, chosen.head_index
