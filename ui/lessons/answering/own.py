"""The question of a lesson about the reader's own sentence: its inputs, and the tokens in question."""

from __future__ import annotations

from collections.abc import Mapping

import streamlit as st

from lessons import KINDS, Ask
from lessons.parameters import LONGEST_TEXT, LONGEST_WORD
from lessons.places import labels
from models.opening.registry import Model
from models.values.answers import MASK
from ui.desk.ask import ask as ask_model
from ui.lessons.answering.own_in_class import brought_positions, take_over_own
from ui.state.plain import plain
from viz.kit.language import said, to_say, tr

NO_MASK = to_say("Write [MASK] where a word is to be guessed.")
TYPED = {
    "text": to_say("Your sentence"),
    "text_b": to_say("Your second sentence"),
    "word": to_say("A word"),
    "leave_out": to_say("The word to leave out"),
}
"""The labels of the inputs that a reader types."""
LONGEST_PASTED = 100_000
"""Streamlit takes nothing of what is longer, so that more than a question may have is said and not lost."""
BESIDE = ("text_b", "word", "leave_out")
"""The inputs beside the sentence."""
TAPPED = {
    "query": to_say("Which token looks?"),
    "key": to_say("Which token is looked at?"),
    "token": to_say("Which token?"),
}
COMPARED = "among"
LEAST_COMPARED = 2
DROPPED = (COMPARED, "options")
"""Parameters about the words of the lesson's sentence, which do not apply to another one."""


def own_question(ask: Ask, model: str, device: str, key: str) -> Ask | None:
    """Draw the inputs, and return the question about them; None until all are given."""
    take_over_own(key)
    names = ["text", *(name for name in BESIDE if _is_typed(ask, name))]
    with st.form(f"form-{key}", border=False):
        typed = {
            name: st.text_input(
                said(TYPED[name]),
                key=f"{key}-{name}",
                persist_state="session",
                placeholder=ask.text(name),
                max_chars=LONGEST_PASTED,
            ).strip()
            for name in names
        }
        is_sent = st.form_submit_button(tr("Ask the same"), icon=":material/edit:")
    if not _can_be_asked(typed, is_sent=is_sent):
        return None
    if MASK in ask.text("text") and MASK not in typed["text"]:
        st.info(plain(NO_MASK), icon=":material/edit:")
        return None
    own = ask.about(typed, without=(*DROPPED, *_names_left_out(ask)))
    return _with_tokens(own, model, device, key, compares=bool(ask.words(COMPARED)))


def _can_be_asked(typed: Mapping[str, str], *, is_sent: bool) -> bool:
    """Return whether all inputs are given and short enough; say what is not, of empty ones only once it `is_sent`."""
    for name, text in typed.items():
        most = LONGEST_TEXT if name.startswith("text") else LONGEST_WORD
        if len(text) > most:
            says = tr(
                "“{name}”: {n} letters, at most {most} can be read.", name=said(TYPED[name]), n=len(text), most=most
            )
            st.info(plain(says), icon=":material/edit:")
            return False
    missing = [said(TYPED[name]) for name, text in typed.items() if not text]
    if missing and is_sent:
        st.info(plain(tr("Still to be written: {names}.", names=", ".join(missing))), icon=":material/edit:")
    return not missing


def _is_typed(ask: Ask, name: str) -> bool:
    """Return whether the reader has to type this parameter as well."""
    parameter = KINDS[ask.what].parameter(name)
    return parameter is not None and bool(ask.text(name)) and (parameter.is_required or name == "leave_out")


def _names_left_out(ask: Ask) -> tuple[str, ...]:
    """Return the names of BESIDE that the reader does not type: empty or optional ones."""
    return tuple(name for name in BESIDE if not _is_typed(ask, name))


def _with_tokens(ask: Ask, model: str, device: str, key: str, *, compares: bool) -> Ask | None:
    """Draw the tokens to tap, and return the question with them; None until they are tapped. `compares` if the question
    of the lesson is about some tokens alone: then the reader says which."""
    asked = [name for name in TAPPED if KINDS[ask.what].parameter(name)]
    if not asked:
        return ask
    recording = ask_model(model, device, Model.record, ask.text("text"), ask.text("text_b") or None)
    names = labels(recording.attention[0].key_tokens)
    shown = [plain(name) for name in names]
    for name in asked:
        place, brought = f"{key}-{name}-{hash(names)}", brought_positions(name, len(shown))
        if brought:
            st.session_state[place] = brought[0]
        position = st.pills(said(TAPPED[name]), range(len(shown)), key=place, format_func=shown.__getitem__)
        if position is None:
            return None
        ask = ask.about({name: f"#{position}"})
    return _with_compared(ask, shown, f"{key}-{COMPARED}-{hash(names)}") if compares else ask


def _with_compared(ask: Ask, shown: list[str], place: str) -> Ask | None:
    """Draw the tokens of which the question is, and return it with them; None until there are two."""
    brought = brought_positions(COMPARED, len(shown))
    if brought:
        st.session_state[place] = brought
    tapped = st.pills(
        tr("Which tokens are compared? Tap two or more."),
        range(len(shown)),
        selection_mode="multi",
        key=place,
        format_func=shown.__getitem__,
    )
    if len(tapped) < LEAST_COMPARED:
        return None
    return ask.about({COMPARED: tuple(f"#{position}" for position in sorted(tapped))})
