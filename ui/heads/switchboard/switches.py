"""The part "Switches": all heads as switches, beside the answers with and without them."""

from __future__ import annotations

from difflib import SequenceMatcher

import numpy as np
import streamlit as st

from models.values.probing.changes import HeadPlace
from models.values.probing.contrast import AnswerLogits
from models.values.record import AttentionRecord
from models.values.results.effects import Ablation, HeadMap, map_of
from ui.heads.switchboard.asks import Way, answers_without, every_head_away, every_layer_away, write_without_heads
from ui.heads.switchboard.off import all_heads, read_heads, toggle_heads, write_heads
from ui.heads.switchboard.question import begin_with_kind
from ui.heads.switchboard.ways import pick_way
from ui.state.patterns import ALL_ON
from ui.state.plain import plain
from ui.state.selection import choose, selection
from ui.widgets.about import say_about
from ui.widgets.asking.answer_line import answer_line
from ui.widgets.asking.pickers import pick_kind
from ui.widgets.asking.which_answer import AskedAnswer
from ui.widgets.frame import theme
from ui.widgets.pictures import clickable_picture, numbers, picture, two_columns
from ui.widgets.words import link_words
from viz.attention.overview import picked_head
from viz.heads.findings import (
    deciding_head,
    finding_without,
    head_name,
    logits_without,
    names_of,
    strongest_head,
    strongest_layer,
)
from viz.heads.switches import answers_beside, switch_board
from viz.heads.tables import answers_table
from viz.kit.language import said, to_say, tr, trn

_BOARD = "switch-board"
_OFF = "switched-off"
_LAST = "headlight_last_switched"
NOT_RESAMPLED = to_say(
    "What it writes without them is not shown: a head of the decoder gives nothing in another text for tokens that are "
    "still to be written. Choose what else a head gives that is off."
)
NONE_OFF = to_say("All heads are on. Click a head, and read what the model says without it.")


def switches_part(asked: AskedAnswer) -> None:
    """Draw the sentence with the answers, the finding, the switches, and the answers as bars."""
    left, right, widths = two_columns()
    with left:
        with st.container(key="switch-words", gap="xxsmall"):
            sentences, finding = st.container(key="large-sentences", gap="xxsmall"), st.empty()
        board = st.container(key="switch-place")
        board.empty()  # so that its room is kept from the first moment on
        buttons = st.container()
        way = pick_way()
    if way is None:
        return
    chosen = selection()
    heads = every_head_away(chosen.model, chosen.device, asked.text, asked.text_b, contrast=asked.contrast, way=way)
    off = _off(asked, heads, way)
    with buttons:
        _buttons(asked, off, heads)
    with board:
        _board(asked, off, heads, widths[0])
    with right:
        if asked.info.can_translate or asked.info.can_continue:
            _writing(asked, off, way)
        without = _answers(asked, off, way, widths[1])
    if without is not None:
        with sentences:
            _sentences(asked, without, off)
        with finding.container():
            _say_change(asked, without, off)


def _sentences(asked: AskedAnswer, without: AnswerLogits, off: tuple[HeadPlace, ...]) -> None:
    """Draw the sentence with the model's answer in it, with all heads and without some, in the colours of the bars."""
    answer_line(asked, asked.whole, "blue", tr("with all heads"))
    if off:
        answer_line(asked, without, "orange", trn("with {n} head off", "with {n} heads off", len(off)))


def _say_change(asked: AskedAnswer, without: AnswerLogits, off: tuple[HeadPlace, ...]) -> None:
    """Draw the finding, with its logits behind the "?"."""
    if not off:
        st.markdown(said(NONE_OFF))
        return
    changes = finding_without(asked.whole, without, asked.contrast, off=_names(asked, off))
    st.markdown(link_words(plain(changes)), help=plain(logits_without(asked.whole, without, asked.contrast)))


def _names(asked: AskedAnswer, off: tuple[HeadPlace, ...]) -> str:
    shapes = [(record.kind, record.n_layers, record.n_heads) for record in asked.recording.attention]
    return names_of(off, shapes)


def _off(asked: AskedAnswer, heads: Ablation | None, way: Way) -> tuple[HeadPlace, ...]:
    """Return the heads that are off.

    By default it is the one that decides the answer; for a translator, which writes the same without most single heads,
    it is the strongest layer of cross attention.
    """
    chosen = selection()
    chosen_heads = read_heads(chosen.off, asked.recording)
    if chosen_heads or chosen.off == ALL_ON:
        return chosen_heads
    if not asked.info.can_translate:
        return () if heads is None else (deciding_head(heads),)
    layers = every_layer_away(chosen.model, chosen.device, asked.text, asked.text_b, contrast=asked.contrast, way=way)
    return () if layers is None else strongest_layer(layers, "cross")


def _board(asked: AskedAnswer, off: tuple[HeadPlace, ...], heads: Ablation | None, width: int) -> None:
    """Draw the heads of one kind of attention as switches."""
    if off and not selection().off:
        begin_with_kind(asked, off[0][0])
    pick_kind(asked.recording.kinds)
    shown = asked.recording.of(selection().kind)
    effects = _no_effects(shown) if heads is None else HeadMap(kind=shown.kind, values=map_of(heads.maps(), shown.kind))
    of_kind = {(layer, head) for kind, layer, head in off if kind == shown.kind}
    figure = switch_board(effects, off=of_kind, theme=theme(), width=width)
    clickable_picture(figure, _BOARD, lambda: _click(shown, off))


def _no_effects(shown: AttentionRecord) -> HeadMap:
    return HeadMap(kind=shown.kind, values=np.full((shown.n_layers, shown.n_heads), np.nan, np.float32))


def _click(shown: AttentionRecord, off: tuple[HeadPlace, ...]) -> None:
    """Toggle the head or the layer that was clicked. Plotly reports a repeated click as no selection, hence _LAST."""
    choice = picked_head(st.session_state[_BOARD]) or st.session_state.get(_LAST)
    if choice is not None:
        layer, head = st.session_state[_LAST] = choice
        group = [(shown.kind, layer, number) for number in (range(shown.n_heads) if head is None else (head,))]
        _switch(toggle_heads(off, group))


def _buttons(asked: AskedAnswer, off: tuple[HeadPlace, ...], heads: Ablation | None) -> None:
    """Draw buttons for all, none or the strongest, and the heads as a list for the keyboard."""
    everything, with_kind = all_heads(asked.recording), len(asked.recording.kinds) > 1
    strongest = () if heads is None else (strongest_head(heads),)
    with st.container(horizontal=True, gap="small"):
        st.button(tr("All on"), icon=":material/check_circle:", on_click=_switch, args=((),), disabled=not off)
        st.button(
            tr("All off"),
            icon=":material/block:",
            on_click=_switch,
            args=(tuple(everything),),
            disabled=len(off) == len(everything),
        )
        st.button(
            tr("Only the strongest off"),
            icon=":material/star:",
            on_click=_switch,
            args=(strongest,),
            disabled=not strongest or off == strongest,
            help=tr("The head whose absence changes the answer most."),
        )
    st.session_state[_OFF] = list(off)
    st.multiselect(
        tr("Switched off"),
        everything,
        key=_OFF,
        format_func=lambda place: head_name(place, with_kind=with_kind),
        placeholder=tr("none"),
        on_change=lambda: _switch(tuple(st.session_state[_OFF])),
    )


def _switch(off: tuple[HeadPlace, ...]) -> None:
    choose(off=write_heads(off) if off else ALL_ON)


def _answers(asked: AskedAnswer, off: tuple[HeadPlace, ...], way: Way, width: int) -> AnswerLogits | None:
    """Draw the answers with and without some heads, and return the latter; None if the reader has stopped it."""
    chosen = selection()
    without: AnswerLogits | None = asked.whole
    if off:
        without = answers_without(
            chosen.model,
            chosen.device,
            asked.text,
            asked.text_b,
            of=asked.whole.of,
            position=asked.whole.position,
            off=off,
            way=way,
        )
    if without is not None:
        answers = without
        picture(answers_beside(asked.whole, answers, theme=theme(), width=width), "answers-without")
        say_about("ablation")
        numbers(lambda: answers_table(asked.whole, answers), "answers-without", label=tr("Download the answers (CSV)"))
    return without


def _writing(asked: AskedAnswer, off: tuple[HeadPlace, ...], way: Way) -> None:
    """Draw the continuations with and without some heads; words that differ are highlighted."""
    if way.by == "resample" and any(kind != "encoder" for kind, _, _ in off):
        st.caption(tr(NOT_RESAMPLED))
        return
    chosen = selection()
    whole = write_without_heads(chosen.model, chosen.device, asked.text, off=(), way=Way())
    without = write_without_heads(chosen.model, chosen.device, asked.text, off=off, way=way if off else Way())
    if whole is None or without is None:
        return
    st.markdown(tr("**What it writes with all heads:** {text}", text=plain(whole.text)))
    marked = _mark_changes(whole.text.split(), without.text.split()) or tr("nothing")
    st.markdown(tr("**Without them:** {text}", text=marked))
    if whole.text == without.text:
        st.caption(tr("The same, word for word: what it writes does not hang on these heads."))


def _mark_changes(before: list[str], after: list[str]) -> str:
    """Return the second text as Markdown, with the words that differ from the first highlighted."""
    parts: list[str] = []
    for operation, _, _, start, end in SequenceMatcher(a=before, b=after, autojunk=False).get_opcodes():
        words = " ".join(plain(word) for word in after[start:end])
        if words:
            parts.append(words if operation == "equal" else f":orange-background[{words}]")
    return " ".join(parts)
