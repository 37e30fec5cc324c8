"""The pages of the app in one list; a new page is one line here.

Until `st.navigation` has run once in a server, Streamlit runs the files of a folder `pages` beside its script on its
own. The script is `ui/script.py`, which has no such folder beside it.
"""

from __future__ import annotations

from copy import copy
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import streamlit as st
from streamlit.errors import StreamlitAPIException

from viz.kit.language import said, to_say

ROOT = Path(__file__).resolve().parents[2]


@dataclass(frozen=True, slots=True, kw_only=True)
class PageEntry:
    """A page: its file, its name in the navigation, the Material icon of its links."""

    path: str
    title: str
    icon: str


HOME = PageEntry(path="pages/home.py", title=to_say("Home"), icon=":material/home:")
ATTENTION = PageEntry(path="pages/attention.py", title=to_say("Attention"), icon=":material/grid_on:")
QUERIES = PageEntry(path="pages/queries_keys_values.py", title=to_say("Queries, keys, values"), icon=":material/key:")
STEP_BY_STEP = PageEntry(path="pages/step_by_step.py", title=to_say("Step by step"), icon=":material/stairs:")
POSITIONS = PageEntry(path="pages/positions.py", title=to_say("Positions"), icon=":material/format_list_numbered:")
BY_HAND = PageEntry(path="pages/by_hand.py", title=to_say("By hand"), icon=":material/draw:")
MASKED_WORDS = PageEntry(path="pages/masked_words.py", title=to_say("Masked words"), icon=":material/edit_note:")
LABELS = PageEntry(path="pages/labels.py", title=to_say("Labels"), icon=":material/fact_check:")
NEXT_SENTENCE = PageEntry(path="pages/next_sentence.py", title=to_say("Next sentence"), icon=":material/read_more:")
BERT_AND_GPT = PageEntry(path="pages/bert_and_gpt.py", title=to_say("BERT and GPT"), icon=":material/compare_arrows:")
WHAT_ATTENTION_COSTS = PageEntry(
    path="pages/what_attention_costs.py", title=to_say("What attention costs"), icon=":material/timer:"
)
TRANSLATION = PageEntry(path="pages/translation.py", title=to_say("Translation"), icon=":material/translate:")
SWITCHBOARD = PageEntry(path="pages/switchboard.py", title=to_say("Switchboard"), icon=":material/contrast:")
EXPLANATIONS = PageEntry(path="pages/explanations.py", title=to_say("Explanations"), icon=":material/balance:")
TRAINING_LAB = PageEntry(path="pages/training_lab.py", title=to_say("Training lab"), icon=":material/model_training:")
HEAD_ATLAS = PageEntry(path="pages/head_atlas.py", title=to_say("Head atlas"), icon=":material/map:")
LESSONS = PageEntry(path="pages/lessons.py", title=to_say("Lessons"), icon=":material/school:")
MAKE_A_LESSON = PageEntry(path="pages/make_a_lesson.py", title=to_say("Make a lesson"), icon=":material/edit_document:")
CLASS_ROOM = PageEntry(path="pages/class_room.py", title=to_say("Class room"), icon=":material/meeting_room:")
SECTIONS: dict[str, tuple[PageEntry, ...]] = {
    to_say("Heads"): (HEAD_ATLAS, SWITCHBOARD),
    to_say("Inside a layer"): (QUERIES, STEP_BY_STEP, POSITIONS, BY_HAND),
    to_say("Answers"): (
        MASKED_WORDS,
        LABELS,
        NEXT_SENTENCE,
        TRANSLATION,
        BERT_AND_GPT,
        WHAT_ATTENTION_COSTS,
        EXPLANATIONS,
    ),
    to_say("Teach"): (CLASS_ROOM, MAKE_A_LESSON),
}
"""Menus of the navigation bar, which has no room for all pages. The other pages are in the bar itself."""
PAGES = (
    HOME,
    LESSONS,
    ATTENTION,
    HEAD_ATLAS,
    SWITCHBOARD,
    QUERIES,
    STEP_BY_STEP,
    POSITIONS,
    BY_HAND,
    MASKED_WORDS,
    LABELS,
    NEXT_SENTENCE,
    TRANSLATION,
    BERT_AND_GPT,
    WHAT_ATTENTION_COSTS,
    EXPLANATIONS,
    TRAINING_LAB,
    CLASS_ROOM,
    MAKE_A_LESSON,
)


def run_chosen_page() -> None:
    """Draw the navigation, which a page in a frame has none of, and run the page that the address names."""
    # No icons here: the browser would fetch them from another host, for the tab of the window.
    listed: dict[str, list[st.Page]] = {}
    for page in PAGES:
        listed.setdefault(said(section_of(page)), []).append(_copy_page(page, said(page.title)))
    st.navigation(listed, position="hidden" if st.context.is_embedded else "top").run()


def _copy_page(page: PageEntry, title: str) -> st.Page:
    """Return a page for one run. Streamlit looks up its file when it is built, so it is built once and copied for each
    run, because `st.navigation` modifies it."""
    return copy(_build_page(page, title))


@cache
def _build_page(page: PageEntry, title: str) -> st.Page:
    return st.Page(ROOT / page.path, title=title, default=page is HOME)


def section_of(page: PageEntry) -> str:
    """Return the menu of a page; empty for one in the bar itself."""
    return next((name for name, pages in SECTIONS.items() if page in pages), "")


def page_file(title: str) -> str:
    """Return the name of a page's file, as in addresses; empty for an unknown title."""
    return next((Path(page.path).stem for page in PAGES if page.title == title), "")


def go_to(page: PageEntry) -> None:
    """Switch to a page with all choices; do nothing if a page is run alone, without the app."""
    try:
        st.switch_page(ROOT / page.path)
    except StreamlitAPIException:
        return


def link(page: PageEntry, query: dict[str, str] | None = None, *, label: str = "") -> None:
    """Draw a link to a page, with choices in its address; nothing if a page is run alone, without the app."""
    try:
        st.page_link(ROOT / page.path, label=label or said(page.title), icon=page.icon, query_params=query)
    except StreamlitAPIException:
        return
