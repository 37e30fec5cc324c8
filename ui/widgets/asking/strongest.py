"""The head that a row of attention opens with: the one that looks most at one other word."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from models.values.record import AttentionRecord
from ui.state.plain import in_bold
from ui.state.selection import is_turned, selection, show_head
from ui.widgets.asking.pickers import layer_and_head
from viz.attention.transform import rows_of_weights
from viz.kit.language import tr
from viz.kit.theme import whole_percent
from viz.kit.tokens import token_texts
from viz.predictions.mask_attention import strongest_look


def begin_with_strongest(shown: AttentionRecord, positions: Sequence[int]) -> None:
    """Draw the sliders of layer and head, on the head in which `positions` look most at one other word until the reader
    chooses one, and that word."""
    layer, head, key = strongest_look(shown, positions)
    if not is_turned():
        show_head(layer, head)
    layer_and_head(shown)
    if (selection().layer, selection().head) != (layer, head):
        return
    share = float(rows_of_weights(shown, positions, layer=layer, head=head).mean(axis=0)[key])
    st.markdown(
        tr(
            "Of all heads, this one looks most at one word: {word}, {share}.",
            word=in_bold(token_texts(shown.key_tokens)[key]),
            share=whole_percent(share),
        )
    )
