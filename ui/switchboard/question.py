"""What the model is asked: which of its answers, at which token, and which two answers are held against each other."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from models.tasks.places import answers_of
from models.text.pieces import MASK
from models.values.errors import SelectionError
from models.values.probing.contrast import AT_A_PLACE, AnswerLogits, AnswerOf, Contrast
from models.values.record import Kind, ModelInfo, Recording
from ui.state.choices import NOTHING
from ui.state.selection import selection
from ui.switchboard.asks import answers, two_answers
from ui.widgets.answers import masked_words, open_model, recorded
from ui.widgets.hide_words import hide_words
from ui.widgets.missing import say_why_not
from ui.widgets.notes import say_notes
from ui.widgets.plain import plain
from viz.kit.tokens import positioned_texts, spelled

QUESTION_LABELS: dict[AnswerOf, str] = {
    "mask": "The masked word",
    "label": "The label of the text",
    "token_label": "The label of a word",
    "replaced": "Was this word replaced?",
    "next": "The next token",
    "sentence": "Does B follow A?",
}
NO_MASK = f"There is no {MASK} in the sentence. Click a word to hide it, or type {MASK} where a word is missing."
NO_SECOND = "Type a sentence B above: the question is whether it follows sentence A."
_BEGUN = "headlight_switchboard_begun"
SAME_TWICE = "“{}” is held against itself. Choose another rival."


@dataclass(frozen=True, slots=True, kw_only=True)
class AskedAnswer:
    """What was asked and read: the chosen texts, all choices with all heads, and the two that are compared."""

    text: str
    text_b: str
    info: ModelInfo
    recording: Recording
    whole: AnswerLogits
    contrast: Contrast
    is_usual: bool
    """Whether the reader has left the question to the page, and the two answers to the model."""


def ask_the_model(box: DeltaGenerator) -> AskedAnswer | None:
    """The question that the selection asks; None, and it is said why, where there is nothing to ask. What can be chosen
    of it stands in the `box`."""
    chosen = selection()
    asked = chosen.model, chosen.device, chosen.text, chosen.text_b
    info = open_model(*asked[:2]).info
    possible = [of for of, can in answers_of(info).items() if can]
    if not possible:
        say_why_not(lambda: answers(*asked, of=None, position=None))
        return None
    opened = box.popover("Question", icon=":material/help:")
    with opened:
        of = _question(possible)
    if not _can_be_asked(of):
        return None
    recording, usual = recorded(), answers(*asked, of=of, position=None)
    with opened:
        whole = _at_the_place(usual)
        _two_answers(whole)
    say_notes(info, recording.tokens, (chosen.text, chosen.text_b), recording.note)
    return AskedAnswer(
        text=chosen.text, text_b=chosen.text_b, info=info, recording=recording, whole=whole, contrast=_contrast(whole),
        is_usual=_is_usual(),
    )  # fmt: skip


def _question(possible: Sequence[AnswerOf]) -> AnswerOf:
    """What is asked, where the model answers several questions; what it is asked first, if nothing is chosen."""
    state = st.session_state
    if state["question"] not in possible:
        state["question"] = ""
    is_pair = bool(state["text_b"].strip()) and "sentence" in possible and MASK not in state["text"] + state["text_b"]
    usual: AnswerOf = "sentence" if is_pair else possible[0]
    if len(possible) > 1:
        names = {"": f"Whichever fits ({QUESTION_LABELS[usual]})"} | {of: QUESTION_LABELS[of] for of in possible}
        st.selectbox("What the model is asked", list(names), key="question", format_func=names.__getitem__)
    return state["question"] or usual


def _can_be_asked(of: AnswerOf) -> bool:
    """Whether the texts hold what is asked about; if not, what to do."""
    texts = st.session_state["text"], st.session_state["text_b"]
    if of == "mask" and MASK not in " ".join(texts):
        st.info(plain(NO_MASK), icon=":material/touch_app:")
        return False
    if of == "sentence" and not texts[1].strip():
        st.info(NO_SECOND, icon=":material/edit:")
        return False
    return True


def _at_the_place(usual: AnswerLogits) -> AnswerLogits:
    """The answer at the token that is chosen, which can be chosen here; at the usual one, if none is."""
    if usual.of not in AT_A_PLACE or usual.position is None:
        return usual
    chosen, state = selection(), st.session_state
    places = _places(usual)
    if state["answer_at"] not in places:
        state["answer_at"] = NOTHING
    if len(places) > 1:
        tokens = [usual.tokens[place] for place in places]
        names = {NOTHING: "The usual place"} | dict(zip(places, positioned_texts(tokens, places), strict=True))
        label = "After which token" if usual.of == "next" else "At which token"
        st.selectbox(label, list(names), key="answer_at", format_func=lambda place: plain(names[place]))
    if state["answer_at"] in {NOTHING, usual.position}:
        return usual
    asked = chosen.model, chosen.device, chosen.text, chosen.text_b
    return answers(*asked, of=usual.of, position=state["answer_at"])


def _places(usual: AnswerLogits) -> list[int]:
    """The tokens that can be asked about: the masks, or all words; a decoder may be asked after every token."""
    chosen = selection()
    if usual.of == "mask":
        return list(masked_words(chosen.model, chosen.device, chosen.text, chosen.text_b).positions)
    return [place for place, token in enumerate(usual.tokens) if usual.of == "next" or not token.is_special]


def _two_answers(whole: AnswerLogits) -> None:
    """The answer that counts and its rival: typed, or out of a list where they are few."""
    best = [spelled(whole.choices[number]) for number in whole.best(2)]
    for key, label, place in (("answer", "The answer that counts", 0), ("rival", "Its rival", -1)):
        if whole.of in {"mask", "next"}:
            st.text_input(label, key=key, placeholder=best[place], help="A word of the model's vocabulary.")
        elif len(whole.choices) > 1:
            if st.session_state[key] not in whole.choices:
                st.session_state[key] = ""
            st.selectbox(label, ["", *whole.choices], key=key, format_func=lambda one: plain(one) or "the best one")


def _contrast(whole: AnswerLogits) -> Contrast:
    """The two answers that the selection names. Raises SelectionError."""
    chosen = selection()
    contrast = two_answers(
        chosen.model, chosen.device, chosen.text, chosen.text_b, of=whole.of, position=whole.position,
        answer=chosen.answer.strip() or None, rival=chosen.rival.strip() or None,
    )  # fmt: skip
    if contrast.rival == contrast.answer:
        raise SelectionError(SAME_TWICE.format(contrast.answer_text))
    return contrast


def _is_usual() -> bool:
    chosen = selection()
    return not (chosen.question or chosen.answer.strip() or chosen.rival.strip()) and chosen.answer_at == NOTHING


def begin_with_kind(asked: AskedAnswer, kind: Kind) -> None:
    """Of a new question, show the attention of this kind; what the reader chooses then stays."""
    question = asked.info.name, asked.text, asked.text_b
    if st.session_state.get(_BEGUN) != question:
        st.session_state["kind"], st.session_state[_BEGUN] = kind, question


def hide_a_word(asked: AskedAnswer | None) -> None:
    """Words to click, where a model that fills masks has none to fill."""
    info = open_model(selection().model, selection().device).info if asked is None else asked.info
    if info.can_fill_mask and (asked is None or asked.whole.of == "mask"):
        hide_words()
