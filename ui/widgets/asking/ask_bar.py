"""The inputs in one line above the picture: the sentence, Show and the model; the rest behind two buttons."""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from ui.state.selection import selection, visit_of_page
from ui.widgets.asking.inputs import EXAMPLES, EXAMPLES_OPEN, about_models, examples, pick_device, pick_model
from ui.widgets.asking.languages import pick_languages
from ui.widgets.asking.opening import Examples, brought_by_reader, is_readers
from ui.widgets.asking.unread import offer_reader
from ui.widgets.browser.typed_text import keep_typed
from viz.kit.language import said, to_say, tr

_TYPED = ("text", "text_b")
_FILLED = "headlight_fields_filled"
"""The session key for the visit of a page in which the fields were last filled."""
AskedTexts = Literal["none", "one", "one or two", "pair"]
"""The sentences that a page reads; with "one or two", an empty second one is behind "More"."""
SECOND_HELP = to_say(
    "A model with a decoder, such as T5, reads it there; if you leave it empty, the model writes its own."
)


def ask_bar(
    offered: Examples = EXAMPLES, *, texts: AskedTexts = "one or two", models: Callable[[], object] = pick_model
) -> None:
    """Draw the sentence, Show and the model; behind buttons the examples, the second sentence and the device.

    Typed text counts once it is submitted. `models` draws other pickers in place of the one model.
    """
    with ask_line("ask"):
        wants_second = _sentences(texts) if texts != "none" else False
        models()
        pick_languages()
        _examples(offered)
        with st.popover(tr("More")):
            if wants_second:
                _second()
            pick_device()
            about_models()
    if texts != "none":
        chosen = selection()
        offer_reader(
            chosen.model, (chosen.text, "" if texts == "one" else chosen.text_b), by_name=models is not pick_model
        )


def ask_line(key: str) -> DeltaGenerator:
    """Return a line for what is asked: on a telephone, two. The style of a `key` is that of "ask"."""
    return st.container(key=key, horizontal=True, vertical_alignment="bottom", gap="small")


def _examples(offered: Examples) -> None:
    if offered:
        with st.popover(tr("Examples"), key=EXAMPLES_OPEN, on_change="rerun"):
            examples(offered)


def _sentences(texts: AskedTexts) -> bool:
    """Draw the sentence, or both side by side; return whether a second one could be asked for elsewhere."""
    _fill_in()
    keep_typed({field_key(name): st.session_state[name] for name in _TYPED}, is_readers=is_readers())
    has_second = texts == "pair" or (texts == "one or two" and bool(selection().text_b.strip()))
    with st.form("sentences", border=False), ask_line("sentences-line"):
        _field("text", tr("Sentence") if texts == "one" else tr("Sentence A"), tr("Type a sentence"))
        if has_second:
            label = tr("Sentence B") if texts == "pair" else tr("Sentence B (optional)")
            _field("text_b", label, tr("Type a second one"))
        st.form_submit_button(tr("Show"), type="primary", icon=":material/visibility:", on_click=_take_typed)
    return texts == "one or two" and not has_second


def _field(name: str, label: str, placeholder: str) -> None:
    st.text_input(
        label, key=field_key(name), placeholder=placeholder, persist_state="session", label_visibility="collapsed"
    )


def _second() -> None:
    """Draw the field for sentence B while it is empty; afterwards it is beside the first."""
    with st.form("second", border=False):
        st.text_input(
            tr("Sentence B (optional)"),
            key=field_key("text_b"),
            placeholder=tr("Type a second one to compare the two"),
            help=said(SECOND_HELP),
            persist_state="session",
        )
        st.form_submit_button(tr("Show both"), icon=":material/visibility:", on_click=_take_typed)


def _fill_in() -> None:
    """Put the chosen sentences into the fields: on a page that the reader has come to, and where others are chosen.
    Anything else leaves the reader's typing alone; what was typed on the page before `keep_typed` puts back."""
    state = st.session_state
    is_new_page = state.get(_FILLED) != visit_of_page()
    state[_FILLED] = visit_of_page()
    for name in _TYPED:
        if is_new_page or state.get(_shown_key(name)) != state[name]:
            state[field_key(name)] = state[_shown_key(name)] = state[name]


def field_key(name: str) -> str:
    """Return the key of the field of a sentence, "text" or "text_b"."""
    return f"typed_{name}"


def _shown_key(name: str) -> str:
    return f"shown_{name}"


def _take_typed() -> None:
    for name in _TYPED:
        if st.session_state[name] != st.session_state.get(field_key(name), st.session_state[name]):
            st.session_state[name] = st.session_state[field_key(name)]
            brought_by_reader()
