"""The sentences that Home offers to look at: a chip each, and the swing between two that differ in a word."""

from __future__ import annotations

from collections.abc import Iterator

import streamlit as st

from models.analysis.one_text.row import strongest_in_row
from models.opening.registry import Model
from models.values.record import Recording
from ui.desk.ask import ask
from ui.state.plain import plain
from ui.state.selection import choose, is_turned, selection, take_over
from ui.widgets.asking.opening import brought_by_reader
from ui.widgets.asking.showcases import (
    Showcase,
    has_showcases,
    on_show,
    query_of,
    showcases,
    take_showcase,
)
from ui.widgets.finding import finding_on_show
from viz.heads.words import finding_in_words, word_text
from viz.kit.language import said, to_say, tr
from viz.kit.theme import SHARE_FORMAT

_SIDE = "headlight_side_of_swing"
ANOTHER = to_say("Try another pair")


def offer_showcases() -> None:
    """Draw the sentences as chips, each with half a line of what there is to see; nothing for other models."""
    if not has_showcases():
        return
    shown = on_show()
    with st.container(key="showcases", horizontal=True, gap="small"):
        for showcase in showcases():
            st.button(
                f"**{plain(said(showcase.label))}** {plain(said(showcase.sees))}",
                key=f"showcase {showcase.label}",
                type="secondary" if shown is None or shown[0] is not showcase else "primary",
                on_click=take_showcase,
                args=(showcase, showcase.sides[0]),
            )


def swing(recording: Recording) -> bool:
    """Draw the control that exchanges a word of the sentence, and say where one word looks before and after; return
    False for a sentence without another side."""
    shown = on_show()
    if shown is None or len(shown[0].sides) == 1:
        return False
    showcase, side = shown
    st.session_state[_SIDE] = side.name
    finding = finding_on_show(recording)
    evidence = None if finding is None else " ".join(map(plain, finding_in_words(finding, recording.of(showcase.kind))))
    others = [other for other in showcases() if len(other.sides) > 1]
    following = others[(others.index(showcase) + 1) % len(others)]
    with st.container(key="swing", horizontal=True, vertical_alignment="center", gap="small"):
        st.segmented_control(
            tr("Exchange the word"),
            [other.name for other in showcase.sides],
            key=_SIDE,
            required=True,
            label_visibility="collapsed",
            on_change=_take_side,
            args=(showcase,),
        )
        st.markdown(_in_both(showcase), help=evidence, width="content")
        st.button(
            said(ANOTHER),
            icon=":material/arrow_forward:",
            type="tertiary",
            on_click=take_showcase,
            args=(following, following.sides[0]),
        )
    return True


def _take_side(showcase: Showcase) -> None:
    """Show the other side, with the head and the rows that the reader has chosen."""
    side = next(side for side in showcase.sides if side.name == st.session_state[_SIDE])
    held = selection().locked
    choose(text=side.text)
    take_over({"locked": held})
    brought_by_reader()


def _in_both(showcase: Showcase) -> str:
    """Say in Markdown where the word looks most in each of the two sentences, in the head on show; first in the
    sentence on show."""
    looks = list(_looks(showcase))
    queries = {query for _, query, _, _ in looks}
    if len(looks) < len(showcase.sides) or len(queries) > 1:
        return " · ".join(f"**{query}** → **{key}** {share}" for _, query, key, share in looks)
    number = [side.text for side in showcase.sides].index(selection().text)
    _, query, key, share = looks[number]
    other, _, other_key, other_share = looks[1 - number]
    return tr(
        "**{query}** looks at **{key}** ({share}); with “{other}”, at **{other_key}** ({other_share}).",
        query=query,
        key=key,
        share=share,
        other=other,
        other_key=other_key,
        other_share=other_share,
    )


def _looks(showcase: Showcase) -> Iterator[tuple[str, str, str, str]]:
    """Yield the name of each side, the word that looks, the word that it looks at most, and its share; escaped."""
    chosen = selection()
    for side in showcase.sides:
        recording = ask(chosen.model, chosen.device, Model.record, side.text)
        record, query = recording.of(showcase.kind), query_of(recording, showcase, side)
        layer, head = (chosen.layer, chosen.head_index) if is_turned() else (side.layer, side.head)
        if head is None or query is None:
            continue
        strongest = strongest_in_row(record, None, layer=layer, head=head, query=query)
        if strongest is not None:
            looks, seen = word_text(record.query_tokens, query), word_text(record.key_tokens, strongest.key)
            yield plain(side.name), plain(looks), plain(seen), f"{strongest.weight:{SHARE_FORMAT}}"
