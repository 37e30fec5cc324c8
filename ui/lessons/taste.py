"""One question before the list of lessons: a guess, and then the model's answer, as in every step of a lesson."""

from __future__ import annotations

import streamlit as st

from models.values.record import AttentionRecord
from models.values.results.finding import Finding
from ui.class_room.picture import ASKED, asked_showcase
from ui.state.plain import in_bold, plain
from ui.widgets.finding import finding_of_showcase
from viz.heads.words import finding_in_words
from viz.kit.language import language, tr

TAPPED = "lesson-taste-tapped"


def taste() -> None:
    """Draw the sentence with its question and, once a word is tapped, the model's answer in it and in words."""
    showcase, side = asked_showcase()
    tapped = st.session_state.get(TAPPED)
    found = finding_of_showcase(showcase, side) if tapped else None
    with st.container(border=True, key="lesson-taste", gap="small"):
        with st.container(key="large-sentences-taste"):
            st.markdown(plain(side.text) if found is None else _coloured(side.text, found[1], found[0]))
        with st.container(horizontal=True, vertical_alignment="center", gap="small"):
            question = tr("Which token does “{token}” look at most?", token=plain(side.query))
            st.markdown(question, width="content")
            st.pills(question, ASKED[language()][1], key=TAPPED, label_visibility="collapsed", width="content")
            if found is not None:
                finding, shown = found
                is_right = shown.key_tokens[finding.key].text == tapped
                answer, _ = finding_in_words(finding, shown)
                verdict = tr("**Right.**") if is_right else tr("**No.**")
                st.markdown(f"{verdict} {plain(answer)}", width="content")


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
