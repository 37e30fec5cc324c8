"""One step of a lesson: words, a question, a prediction, the view, what was right, and the reader's own sentence."""

from __future__ import annotations

import re
from collections.abc import Hashable, Mapping
from dataclasses import replace

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from models.lessons import KINDS, Ask, Fact, LessonStep, Outcome, facts_of, filled, in_words, parts, untrue
from ui.class_room.of_lesson import offer_to_class
from ui.lessons.computed import lesson_answer, outcomes_of
from ui.lessons.own import own_question
from ui.lessons.pictures import SHARES, draw_view
from ui.lessons.predicting import ask_for_prediction, is_predicted, say_verdict
from ui.lessons.views import read_view
from ui.widgets.frame import readable_errors
from ui.widgets.plain import marked, plain
from ui.widgets.viewport import SIDE_BY_SIDE, page_width
from ui.widgets.words import linked

WhoAnswers = tuple[str, str]
"""Model and device."""
UNTRUE = "The claim of this step does not hold here. That is a mistake in the lesson; its author can mend it:"


def draw_step(step: LessonStep, *, lesson: str, model: str, device: str) -> None:
    """A step, as far as the reader has come. `lesson` tells it from the steps of others."""
    with readable_errors():
        outcomes = outcomes_of(step, model, device)
        if outcomes is None:
            return
        about = (lesson, step.line, model, step.ask)
        asked = step.ask.model or model, device
        words, view = _places(step, about)
        with words:
            _say(step.text, facts_of(outcomes))
            _question(step, about, outcomes)
        if is_predicted(about):
            with words:
                _claim(step, facts_of(outcomes))
            with view:
                _view(step, step.ask, outcomes[""], asked)
            if step.own:
                _own(step, lesson, asked)
        elif step.first == "view":
            with view:
                _view(step, step.ask, replace(outcomes[""], head=None), asked)


def _places(step: LessonStep, about: Hashable) -> tuple[DeltaGenerator, DeltaGenerator]:
    """Where the words and the view stand: beside each other where there is room and something to see."""
    is_seen = bool(step.view) and (is_predicted(about) or step.first == "view")
    if is_seen and page_width() >= SIDE_BY_SIDE:
        left, right = st.columns(SHARES, gap="medium")
        return left.container(key=f"lesson-words-{step.line}-{hash(about)}"), right.container()
    return st.container(key=f"lesson-words-{step.line}-{hash(about)}"), st.container()


def _question(step: LessonStep, about: Hashable, outcomes: Mapping[str, Outcome]) -> None:
    """The question with its prediction, or what was predicted."""
    key, outcome = f"step-{step.line}", outcomes[""]
    st.subheader(_in_bold(step.question, facts_of(outcomes)), anchor=False)
    if step.ask.text("text"):
        st.markdown(f"**{_sentence(step.ask)}**")
    offer_to_class(
        filled(step.question, facts_of(outcomes)), _sentence_of(step.ask), KINDS[step.ask.what].tap, outcome,
        says=filled(step.claim, facts_of(outcomes)),
    )  # fmt: skip
    if not is_predicted(about):
        ask_for_prediction(about, step.ask, outcome, key)
        return
    say_verdict(about, outcome, key)


def _claim(step: LessonStep, facts: Mapping[str, Fact]) -> None:
    """What follows, with the numbers that were computed; if they say otherwise, that."""
    wrong = untrue(step.holds, facts)
    if wrong:
        lines = "\n".join(f"- {plain(f'Line {each.line}: {in_words(each, facts)}')}" for each in wrong)
        st.warning(f"{UNTRUE}\n\n{lines}", icon=":material/rule:")
        return
    with st.container(border=True):
        _say(step.claim, facts)


def _own(step: LessonStep, lesson: str, asked: WhoAnswers) -> None:
    """The same question about a sentence of the reader's own, which is predicted anew."""
    st.subheader("Now your own sentence", anchor=False)
    key = f"own-{step.line}"
    with readable_errors():
        ask = own_question(step.ask, *asked, key)
        outcome = None if ask is None else lesson_answer(*asked, ask)
        if ask is None or outcome is None:
            return
        about = (lesson, "own", asked, ask)
        if not is_predicted(about):
            st.markdown(plain(KINDS[ask.what].about))
            ask_for_prediction(about, ask, outcome, f"{key}-{hash(ask)}")
            return
        words, view = _places(step, about)
        with words:
            say_verdict(about, outcome, key)
            _say(KINDS[ask.what].says, facts_of({"": outcome}))
        with view:
            _view(step, ask, outcome, asked)


def _view(step: LessonStep, ask: Ask, outcome: Outcome, asked: WhoAnswers) -> None:
    if step.view:
        key = f"{step.line}-{'step' if ask is step.ask else 'own'}"
        draw_view(read_view(step.view), ask, outcome, asked=asked, key=key)


def _sentence(ask: Ask) -> str:
    """What the model reads, escaped."""
    return plain(_sentence_of(ask))


def _sentence_of(ask: Ask) -> str:
    texts = [ask.text("text"), ask.text("text_b")]
    return " ".join(f"“{text}”" for text in texts if text)


def _say(text: str, facts: Mapping[str, Fact]) -> None:
    """Paragraphs of a lesson; its author may be anybody, so every sign stands for itself. Facts are in bold."""
    for paragraph in re.split(r"\n\s*\n", text):
        st.markdown(linked(_in_bold(paragraph, facts)))


def _in_bold(template: str, facts: Mapping[str, Fact]) -> str:
    """Markdown of a template with its facts in bold."""
    found = parts(" ".join(template.split()), facts)
    return "".join(marked(part) if is_fact else plain(part) for part, is_fact in found)
