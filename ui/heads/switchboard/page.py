"""The page "Switchboard": an answer without some heads, with parts of another text patched in, and as a sum.

Everything below the sentences is a fragment: another head, part or answer redraws it, and nothing else of the page.
"""

from __future__ import annotations

from collections.abc import Callable

import streamlit as st

from ui.heads.switchboard.every_head import every_head_part
from ui.heads.switchboard.patching import patch_part
from ui.heads.switchboard.sums import sum_part
from ui.heads.switchboard.switches import switches_part
from ui.state.choices import BOARD_PARTS
from ui.state.selection import selection
from ui.widgets.asking.which_answer import AskedAnswer, ask_the_model
from ui.widgets.frame import part_of_page
from viz.kit.language import said, to_say, tr

PART_LABELS = dict(
    zip(
        BOARD_PARTS,
        (to_say("Switches"), to_say("Every head"), to_say("Borrow from a sentence"), to_say("Adding up")),
        strict=True,
    )
)
DRAWN: dict[str, Callable[[AskedAnswer], None]] = dict(
    zip(BOARD_PARTS, (switches_part, every_head_part, patch_part, sum_part), strict=True)
)


@st.fragment
def switchboard() -> None:
    """Draw everything below the sentences."""
    with part_of_page():
        with st.container(key="words-line", horizontal=True, vertical_alignment="bottom"):
            words = st.container()
            with st.container(horizontal=True, vertical_alignment="center", width="content", gap="small"):
                parts, box = st.container(width="content"), st.container(width="content")
        asked = ask_the_model(words, box)  # before the parts, which stand beside the words
        parts.segmented_control(
            tr("Part"),
            list(PART_LABELS),
            key="board",
            format_func=lambda part: said(PART_LABELS[part]),
            required=True,
            wrap=True,
            label_visibility="collapsed",
        )
        if asked is not None:
            DRAWN[selection().board](asked)
