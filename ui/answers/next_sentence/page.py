"""The page "Next sentence": whether B follows A, and the attention between the two.

Everything below the sentences is a fragment: another head or direction redraws it, and nothing else of the page.
"""

from __future__ import annotations

import pandas as pd
import streamlit as st

from models.opening.registry import Model
from models.values.record import Recording
from ui.desk.ask import ask, open_model, record_selection
from ui.desk.cache import Kept
from ui.state.selection import choose, selection
from ui.widgets.asking.pickers import layer_and_head
from ui.widgets.browser.viewport import column_widths
from ui.widgets.frame import part_of_page, theme
from ui.widgets.missing import say_why_not
from ui.widgets.notes import say_notes
from ui.widgets.pictures import clickable_picture, numbers, picture, two_columns
from ui.widgets.viewer import viewer
from viz.attention.blocks import crossing_map, pair_blocks_figure
from viz.attention.overview import picked_head
from viz.attention.sentence_pairs import CROSSING, block_shares, directions, is_pair, most_crossing
from viz.kit.language import said, to_say, tr
from viz.predictions.next_sentence import next_sentence_bar

DIRECTION_LABELS = {CROSSING: to_say("Between A and B")}
NO_SECOND = to_say("Type a sentence B: this page asks whether it follows sentence A.")
_MAP = "crossing-map"
_SHARES: Kept[tuple[object, ...], pd.DataFrame] = Kept("block shares")


@st.fragment
def next_sentence_explorer() -> None:
    """Draw everything below the sentences."""
    with part_of_page():
        chosen = selection()
        if not chosen.text_b.strip():
            st.info(said(NO_SECOND), icon=":material/edit:")
            return
        _answer()
        recording = record_selection()
        _blocks(recording)
        say_notes(recording.info, recording.tokens, (chosen.text, chosen.text_b), recording.note)


def _answer() -> None:
    """Draw the probability that B follows A, or why there is none."""
    chosen = selection()

    def probability() -> float:
        return ask(chosen.model, chosen.device, Model.next_sentence, chosen.text, chosen.text_b)

    if open_model(chosen.model, chosen.device).info.can_judge_next_sentence:
        bar = next_sentence_bar(probability(), theme=theme(), width=column_widths(1)[0])
        picture(bar, "next-sentence")
    else:
        say_why_not(probability)


def _blocks(recording: Recording) -> None:
    """Draw the heads that attend across sentences, the blocks of the chosen one, and its map."""
    shown = recording.of(selection().kind)
    if not is_pair(shown):
        return
    chosen = selection()
    key = recording.info.identity, *chosen.texts, shown.kind
    shares = _SHARES.get(key, lambda: block_shares(shown)).copy()
    possible = directions(shares)
    if chosen.direction not in possible:
        choose(direction=CROSSING)
    st.subheader(tr("How the two sentences look at each other"))
    left, right, widths = two_columns()
    with left:
        st.selectbox(tr("Share of the attention"), possible, key="direction", format_func=_direction)
        best_layer, best_head = most_crossing(shares)
        st.button(
            tr("Go to the head that looks across most: Layer {layer} · Head {head}", layer=best_layer, head=best_head),
            on_click=_go_to,
            args=(best_layer, best_head),
            icon=":material/star:",
        )
        figure = crossing_map(
            shares,
            direction=selection().direction,
            selected=(chosen.layer, chosen.head_index),
            theme=theme(),
            width=widths[0],
        )
        clickable_picture(figure, _MAP, _pick)
        layer_and_head(shown)
        layer, head = selection().layer, selection().head_index
        picture(pair_blocks_figure(shown, layer=layer, head=head, theme=theme(), width=widths[0]), "sentence-pair")
        numbers(lambda: shares, "sentence-blocks", label=tr("Download the shares of all heads (CSV)"))
    with right:
        viewer(recording, key="pair_viewer", shows="picture")


def _direction(name: str) -> str:
    """Return the label of a column of the shares; "A to B" names the rows and columns of a block."""
    if name in DIRECTION_LABELS:
        return said(DIRECTION_LABELS[name])
    row, _, column = name.partition(" to ")
    return tr("{row} to {column}", row=row, column=column)


def _go_to(layer: int, head: int) -> None:
    choose(layer=layer, head=head)


def _pick() -> None:
    """Choose the head that was clicked in the map."""
    choice = picked_head(st.session_state[_MAP])
    if choice is not None and choice[1] is not None:
        _go_to(choice[0], choice[1])
