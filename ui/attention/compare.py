"""The view "Compare" of the Attention page: two sentences, heads, models or moments of a training side by side."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace

import streamlit as st

from models.opening.registry import REGISTRY
from models.opening.relatives import of_one_tokenizer, snapshots_beside
from models.opening.restriction import is_restricted
from models.values.errors import HeadlightError
from models.values.record import AttentionRecord, Recording
from ui.attention.comparing import compare_sides, head_in_words, shifts_of, two_sides, words_of, words_to_mask
from ui.desk.ask import record_selection
from ui.state.choices import COMPARED, DEFAULTS, Selection
from ui.state.plain import plain
from ui.state.selection import at_most, choose, is_turned, selection, show_head
from ui.state.sources import listed_models, short_name
from ui.widgets.asking.pickers import turned_to
from ui.widgets.asking.showcases import other_side
from ui.widgets.browser.comparison import draw_comparison
from ui.widgets.finding import record_at_finding
from ui.widgets.frame import readable_errors
from viz.attention.hybrid import other_layers_note
from viz.kit.language import said, to_say, tr
from viz.kit.parsing import MEAN

LABELS = {
    "text": to_say("Sentence"),
    "mask": to_say("A word masked"),
    "head": to_say("Layer or head"),
    "model": to_say("Model"),
    "snapshot": to_say("Snapshot"),
}
MOST_OFFERED = 3
"""The heads that differ most: the one that opens, and the next ones."""


def compare_view(recording: Recording) -> None:
    """Show the choice of the comparison, and the chosen head beside the other side."""
    first, second = st.columns([8, 6], vertical_alignment="bottom")
    first.segmented_control(
        tr("What is changed"),
        COMPARED,
        key="compared",
        format_func=lambda what: said(LABELS[what]),
        required=True,
        wrap=True,
        label_visibility="collapsed",
    )
    with second:
        PICKERS[selection().compared](recording, recording.of(selection().kind))
    with readable_errors():
        _show(recording, selection())
        _offer_other_heads(recording, selection())


def record_at_difference() -> Recording:
    """Record the chosen texts, and show the head that differs most from the other side unless the reader has chosen
    one; that of the finding where no head does."""
    recording = record_selection()
    if is_turned():
        return recording
    begin_other_text()
    with suppress(HeadlightError):  # what cannot be compared is said below the pickers
        shifts = shifts_of(recording, selection())
        if shifts:
            show_head(shifts[0].layer, shifts[0].head)
            return recording
    return record_at_finding()


def _offer_other_heads(recording: Recording, chosen: Selection) -> None:
    """Draw a button for each of the heads that differ most, but the one that is shown."""
    one, other = two_sides(recording, chosen)
    places = [(shift.layer, shift.head) for shift in shifts_of(recording, chosen)[:MOST_OFFERED]]
    if not places:
        return
    with st.container(horizontal=True, vertical_alignment="center", gap="small", key="other-heads"):
        st.caption(tr("Others that differ most:"), width="content")
        for layer, head in places:
            if (layer, head) == (chosen.layer, chosen.head):
                continue
            sides = replace(one, layer=layer, head=head), replace(other, layer=layer, head=head)
            st.button(
                plain(head_in_words(*sides, chosen)),
                key=f"differs-{layer}-{head}",
                on_click=choose,
                kwargs={"layer": layer, "head": head},
            )


def _show(recording: Recording, chosen: Selection) -> None:
    one, other = two_sides(recording, chosen)
    known = (recording.note, other_layers_note(recording.info))
    for note in (other.recording.note, other_layers_note(other.recording.info)):
        if note and note not in known:
            st.info(plain(note), icon=":material/info:")
    draw_comparison(compare_sides(one, other, chosen), words_of(one, other, chosen))


def _pick_text(_recording: Recording, _shown: AttentionRecord) -> None:
    begin_other_text()
    st.text_input(
        tr("Other sentence"),
        key="other_text",
        placeholder=tr("Type a second sentence"),
        label_visibility="collapsed",
    )


def begin_other_text() -> None:
    """Begin the other sentence with the one that the app has for this sentence, or with the same: a word of it is soon
    changed. A sentence of the reader stays."""
    chosen = selection()
    if chosen.other_text == DEFAULTS["other_text"] or other_side(chosen.other_text):
        choose(other_text=other_side(chosen.text) or chosen.text)


def _pick_word(recording: Recording, _shown: AttentionRecord) -> None:
    words = words_to_mask(recording)
    if words:
        at_most("masked_word", len(words) - 1)
        st.selectbox(
            tr("Word to mask"), range(len(words)), key="masked_word", format_func=lambda n: plain(words[n].text)
        )


def _pick_head(_recording: Recording, shown: AttentionRecord) -> None:
    at_most("other_layer", shown.n_layers - 1)
    if selection().other_head != MEAN:
        at_most("other_head", shown.n_heads - 1)
    layer, head = st.columns(2)
    if shown.n_layers > 1:
        layer.select_slider(tr("Other layer"), range(shown.n_layers), key="other_layer")
    head.select_slider(
        tr("Other head"),
        [MEAN, *range(shown.n_heads)],
        key="other_head",
        format_func=turned_to,
    )


def _pick_model(_recording: Recording, _shown: AttentionRecord) -> None:
    offered = of_one_tokenizer(selection().model, (*listed_models(), *REGISTRY))
    _pick_of(tr("Other model, of the same tokenizer"), offered, says=short_name, with_new=not is_restricted())


def _pick_snapshot(_recording: Recording, _shown: AttentionRecord) -> None:
    iterations = {name: iteration for iteration, name in snapshots_beside(selection().model).items()}
    if selection().other_model not in iterations:
        choose(other_model=next(iter(iterations), ""))
    if iterations:
        _pick_of(
            tr("Snapshot"),
            tuple(iterations),
            says=lambda name: tr("Iteration {n}", n=f"{iterations[name]:,}"),
            with_new=False,
        )


def _pick_of(label: str, offered: tuple[str, ...], *, says: Callable[[str], str], with_new: bool) -> None:
    """Draw the choice of another model; where a name may be typed, an unlisted one stays."""
    shown = selection()
    chosen = shown.other_model
    if chosen in {"", shown.model}:
        chosen = next(iter(offered), "")
        choose(other_model=chosen)
    options = offered if chosen in offered or not chosen else (*offered, chosen)
    if not options:
        st.text_input(label, key="other_model", disabled=not with_new)
        return
    st.selectbox(label, options, key="other_model", format_func=says, accept_new_options=with_new)


PICKERS: dict[str, Callable[[Recording, AttentionRecord], None]] = {
    "text": _pick_text,
    "mask": _pick_word,
    "head": _pick_head,
    "model": _pick_model,
    "snapshot": _pick_snapshot,
}
