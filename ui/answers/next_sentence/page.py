"""The page "Next sentence": whether B follows A, and the attention between the two.

Everything below the sentences is a fragment: another head or direction redraws it, and nothing else of the page.
"""

from __future__ import annotations

import pandas as pd
import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from models.opening.registry import Model
from models.values.record import Recording
from ui.answers.next_sentence.second_sentences import EVEN, SENTENCES, offer_sentences
from ui.answers.next_sentence.short_pairs import say_short_pairs
from ui.desk.ask import ask, open_model, record_selection
from ui.desk.cache import Kept
from ui.state.plain import in_bold, plain
from ui.state.selection import at_most, choose, is_turned, selection, show_head
from ui.widgets.asking.pickers import layer_and_head
from ui.widgets.browser.viewport import SIDE_BY_SIDE, page_width
from ui.widgets.frame import part_of_page, theme
from ui.widgets.missing import say_why_not
from ui.widgets.notes import say_notes
from ui.widgets.pictures import clickable_picture, numbers, picture, two_columns
from ui.widgets.viewer import viewer
from viz.attention.blocks import crossing_map, pair_blocks_figure
from viz.attention.overview import picked_head
from viz.attention.sentence_pairs import CROSSING, block_shares, directions, is_pair, most_crossing
from viz.kit.language import said, to_say, tr
from viz.kit.theme import whole_percent
from viz.predictions.next_sentence import next_sentence_bar

DIRECTION_LABELS = {CROSSING: to_say("Between A and B")}
SURE = 0.9
"""From here on the model is called sure."""
FOLLOWS = to_say("The model is sure: the second sentence follows the first.")
NOT_SURE = to_say("The model is not sure whether the second sentence follows.")
DOES_NOT = to_say("The model is sure: the second sentence comes from somewhere else.")
_MAP = "crossing-map"
_SHARES: Kept[tuple[object, ...], pd.DataFrame] = Kept("block shares")


@st.fragment
def next_sentence_explorer() -> None:
    """Draw everything below the sentences."""
    with part_of_page():
        chosen = selection()
        text_b = chosen.text_b if chosen.text_b.strip() else _pick_second()
        if text_b is None:
            return
        answer, arcs, heads, width = _places()
        with answer:
            _answer(chosen.text, text_b, width)
        recording = record_selection((chosen.text, text_b))
        _blocks(recording, (chosen.text, text_b), arcs, heads, width)
        say_notes(recording.info, recording.tokens, (chosen.text, text_b), recording.note)


def _places() -> tuple[DeltaGenerator, DeltaGenerator, DeltaGenerator, int]:
    """Return the places of the answer, the arcs and the heads, and the width of the answer and the heads: the arcs
    stand beside both, or between them on a narrow page."""
    left, right, widths = two_columns()
    if page_width() < SIDE_BY_SIDE:
        return left, right, st.container(), widths[0]
    return left.container(), right, left.container(), widths[0]


def _pick_second() -> str | None:
    """Draw three sentences to choose from, and return the chosen one; None if the reader has stopped the search."""
    chosen = selection()
    if open_model(chosen.model, chosen.device).info.can_judge_next_sentence:
        offered = offer_sentences(chosen.model, chosen.device, chosen.text)
    else:
        offered = SENTENCES[:3]
    if offered is None:
        return None
    at_most("offered_b", len(offered) - 1)
    st.pills(
        tr("Which of these could be sentence B? Click one, or type your own above."),
        range(len(offered)),
        key="offered_b",
        format_func=lambda number: plain(offered[number]),
        required=True,
        wrap=True,
    )
    return offered[selection().offered_b]


def _answer(text: str, text_b: str, width: int) -> None:
    """Draw the probability that B follows A, or why there is none."""
    chosen = selection()

    def ask_probability() -> float:
        return ask(chosen.model, chosen.device, Model.next_sentence, text, text_b)

    if not open_model(chosen.model, chosen.device).info.can_judge_next_sentence:
        say_why_not(ask_probability)
        return
    probability = ask_probability()
    with st.container(key="large-sentences"):
        st.markdown(f"{plain(text)} :{'blue' if probability >= EVEN else 'orange'}[{in_bold(text_b)}]")
    st.markdown(said(_verdict(probability)))
    say_short_pairs(chosen.model, chosen.device)
    picture(next_sentence_bar(probability, theme=theme(), width=width), "next-sentence")


def _verdict(probability: float) -> str:
    """Return what the probability says of sentence B."""
    if probability >= SURE:
        return FOLLOWS
    return NOT_SURE if probability > 1 - SURE else DOES_NOT


def _blocks(
    recording: Recording, texts: tuple[str, str], arcs: DeltaGenerator, heads: DeltaGenerator, width: int
) -> None:
    """Draw the arcs of the chosen head, the heads that attend across sentences, and the blocks of the chosen one."""
    shown = recording.of(selection().kind)
    if not is_pair(shown):
        return
    key = recording.info.identity, *texts, shown.kind
    shares = _SHARES.get(key, lambda: block_shares(shown)).copy()
    possible = directions(shares)
    if selection().direction not in possible:
        choose(direction=CROSSING)
    best_layer, best_head = most_crossing(shares)
    if not is_turned():
        show_head(best_layer, best_head)
    with arcs:
        st.subheader(tr("How the two sentences look at each other"))
        _say_crossing(shares, best_layer, best_head)
        viewer(recording, key="pair_viewer", shows="picture")
    with heads:
        st.selectbox(tr("Share of the attention"), possible, key="direction", format_func=_direction)
        chosen = selection()
        figure = crossing_map(
            shares, direction=chosen.direction, selected=(chosen.layer, chosen.head_index), theme=theme(), width=width
        )
        clickable_picture(figure, _MAP, _pick)
        layer_and_head(shown)
        layer, head = selection().layer, selection().head_index
        picture(pair_blocks_figure(shown, layer=layer, head=head, theme=theme(), width=width), "sentence-pair")
        numbers(lambda: shares, "sentence-blocks", label=tr("Download the shares of all heads (CSV)"))


def _say_crossing(shares: pd.DataFrame, layer: int, head: int) -> None:
    """Say how much the head looks across that does so most, or offer to go to it."""
    if (selection().layer, selection().head) == (layer, head):
        share = whole_percent(float(shares[CROSSING].max()))
        st.markdown(
            tr(
                "In Layer {layer} · Head {head}, **{share}** of the attention of a word goes to the other sentence: "
                "more than in any other head.",
                layer=layer,
                head=head,
                share=share,
            )
        )
        return
    st.button(
        tr("Go to the head that looks across most: Layer {layer} · Head {head}", layer=layer, head=head),
        on_click=_go_to,
        args=(layer, head),
        icon=":material/star:",
    )


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
