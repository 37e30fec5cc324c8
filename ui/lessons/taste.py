"""One question before the list of lessons: a guess, and then the model's answer, as in every step of a lesson."""

from __future__ import annotations

import streamlit as st

from models.values.record import AttentionRecord
from models.values.results.finding import Finding
from ui.class_room.picture import ASKED, asked_showcase
from ui.state.plain import in_bold, plain
from ui.state.selection import selection
from ui.widgets.finding import finding_of_showcase
from viz.heads.words import finding_in_words
from viz.kit.language import language, tr

TAPPED = "lesson-taste-tapped"


def taste() -> None:
    """Draw the sentence with its question and, once a word is tapped, the model's answer in it and in words."""
    _, side = asked_showcase()
    tapped = st.session_state.get(TAPPED)
    found = finding_of_showcase(*asked_showcase(), selection().device) if tapped else None
    question = tr("Which token does “{token}” look at most?", token=plain(side.query))
    with st.container(border=True, key="lesson-taste", gap="small"):
        with st.container(horizontal=True, horizontal_alignment="distribute", vertical_alignment="center"):
            with st.container(key="large-sentences-taste", width="content"):
                st.markdown(plain(side.text) if found is None else _coloured(side.text, found[1], found[0]))
            with st.container(horizontal=True, vertical_alignment="center", gap="small", width="content"):
                st.markdown(question, width="content")
                st.pills(question, ASKED[language()][1], key=TAPPED, label_visibility="collapsed", width="content")
        if found is not None:
            answer, _ = finding_in_words(*found)
            is_right = found[1].key_tokens[found[0].key].text == tapped
            verdict = tr("**Right.**") if is_right else tr("**No.**")
            st.markdown(f"{verdict} {plain(answer)}")


def _coloured(text: str, shown: AttentionRecord, finding: Finding) -> str:
    """Return the sentence as Markdown, with the token that looks in blue and the one that it looks at in orange."""
    marked = {finding.query: "blue", finding.key: "orange"}
    parts, end = [], 0
    for place in sorted(marked):
        token = shown.key_tokens[place]
        if token.start is not None and token.end is not None:
            word = in_bold(text[token.start : token.end])
            parts += [plain(text[end : token.start]), f":{marked[place]}[{word}]"]
            end = token.end
    return "".join((*parts, plain(text[end:])))
