"""One step of a lesson: text, question, prediction, view, claim, and the reader's own sentence."""

from __future__ import annotations

import re
from collections.abc import Hashable, Iterable, Mapping
from dataclasses import dataclass, field, replace

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from lessons import KINDS, Ask, Fact, LessonStep, Outcome, facts_of, fill_template, in_words, parts, untrue
from lessons.picture_files import read_picture
from models.values.wording import to_say, worded
from ui.class_room.of_lesson import offer_to_class
from ui.lessons.answering.own import own_question
from ui.lessons.answering.own_in_class import agree_on_own, offer_own, show_own
from ui.lessons.answering.predicting import agree_with_class, ask_for_prediction, is_predicted, mark_of, say_verdict
from ui.lessons.answering.receipts import READ
from ui.lessons.computed import lesson_answer, outcomes_of
from ui.lessons.covered import draw_covered, draw_covered_bars
from ui.lessons.library import NamedLesson, answer_in_words, question_in_words, step_in_language
from ui.lessons.pictures import DRAWN, SHARES, Shown, draw_bars, draw_view
from ui.lessons.views import complete_choices, read_view
from ui.state.plain import in_bold, plain
from ui.widgets.browser.viewport import SIDE_BY_SIDE, page_width
from ui.widgets.frame import readable_errors
from ui.widgets.words import FORMS, form_of, link_words
from viz.kit.language import said, shown, tr

WhoAnswers = tuple[str, str]
"""The model and the device that answer."""


@dataclass(frozen=True, slots=True, kw_only=True)
class StepDrawn:
    """A step on the page: how its question is answered, one of `receipts.SIGNS` or empty, and the facts that were
    computed."""

    mark: str = ""
    facts: Mapping[str, Fact] = field(default_factory=dict)


UNTRUE = to_say("The claim of this step does not hold here. That is a mistake in the lesson; its author can mend it:")


def draw_step(named: NamedLesson, number: int, *, model: str, device: str, stacked: bool = False) -> StepDrawn:
    """Draw a step of a lesson, up to where the reader has come; `stacked` puts its view under its words."""
    step = named.lesson.steps[number]
    about = (named.key, number, model, step.ask)
    facts: dict[str, Fact] = {}
    mark = ""
    with readable_errors():
        outcomes = outcomes_of(step, model, device)
        if outcomes is None:
            return StepDrawn()
        facts |= facts_of(outcomes)
        if not KINDS[step.ask.what].has_question:
            return _draw_words(step, about, outcomes[""], (step.ask.model or model, device), stacked=stacked)
        agree_with_class(about, outcomes[""])
        mark = mark_of(about, outcomes[""])
        asked = step.ask.model or model, device
        words, view = _places(step, about, outcomes[""], stacked=stacked)
        with words:
            _say(step.text, facts, step.asks.values())
            _own_picture(step)
            _question(step, outcomes)
            _offer(named, number, outcomes, is_open=not is_predicted(about))
            _prediction(step, about, outcomes[""])
        if is_predicted(about):
            with words:
                _claim(step, facts)
            with view:
                _view(step, step.ask, outcomes[""], asked)
            if step.own and not _draw_own(step, named, asked, stacked=stacked):
                show_own({})
        else:
            show_own({})
            with view:
                _view_before(step, outcomes[""], asked)
    return StepDrawn(mark=mark, facts=facts)


def _draw_words(step: LessonStep, about: Hashable, outcome: Outcome, asked: WhoAnswers, *, stacked: bool) -> StepDrawn:
    """Draw a step without a question: its words, and its pictures."""
    show_own({})
    words, view = _places(step, about, outcome, stacked=stacked)
    with words:
        _say(step.text, {}, step.asks.values())
        _own_picture(step)
        if step.claim:
            _claim(step, {})
    with view:
        _view(step, step.ask, outcome, asked)
    return StepDrawn(mark=READ)


def _own_picture(step: LessonStep) -> None:
    """Draw the picture that the author has brought."""
    if step.picture:
        st.image(read_picture(step.picture), width="content")


def _places(
    step: LessonStep, about: Hashable, outcome: Outcome, *, stacked: bool
) -> tuple[DeltaGenerator, DeltaGenerator]:
    """Return the containers of the words and of the view, side by side if there is a view and the page is wide."""
    is_beside = step.view or outcome.bars
    if is_beside and not stacked and page_width() >= SIDE_BY_SIDE:
        left, right = st.columns(SHARES, gap="medium")
        return left.container(key=f"lesson-words-{step.line}-{hash(about)}"), right.container()
    return st.container(key=f"lesson-words-{step.line}-{hash(about)}"), st.container()


def _question(step: LessonStep, outcomes: Mapping[str, Outcome]) -> None:
    """Draw the question, and its sentence."""
    st.subheader(_fill_in_bold(step.question, facts_of(outcomes)), anchor=False)
    if step.ask.text("text"):
        st.markdown(f"**{plain(_sentence(step.ask))}**")


def _offer(named: NamedLesson, number: int, outcomes: Mapping[str, Outcome], *, is_open: bool) -> None:
    """Draw the button that asks the class this question, in the languages of the lesson; `is_open` if the page does not
    show the answer yet."""
    step = named.lesson.steps[number]
    is_about_view = is_open and step.first == "view"
    kind = KINDS[step.ask.what].tap
    offer_to_class(
        lambda: for_class(named, number, facts_of(outcomes)), kind, outcomes[""], is_about_view=is_about_view
    )


def for_class(named: NamedLesson, number: int, facts: Mapping[str, Fact]) -> tuple[str, str]:
    """Return the question of a step with its sentence, and the model's answer in words, in the current language. In the
    place of a claim that does not hold stands what was computed."""
    step = step_in_language(named, number)
    text = f"{fill_template(step.question, facts, shown)} {_sentence(step.ask)}".strip()
    return text, answer_in_words(step, facts)


def _prediction(step: LessonStep, about: Hashable, outcome: Outcome) -> None:
    """Ask for the reader's prediction, or show the verdict."""
    key = f"step-{step.line}"
    if not is_predicted(about):
        ask_for_prediction(about, step.ask, outcome, key)
        return
    say_verdict(about, outcome, key)


def _claim(step: LessonStep, facts: Mapping[str, Fact]) -> None:
    """Show the claim with the computed facts, or a warning if they contradict it."""
    wrong = untrue(step.holds, facts)
    if wrong:
        mistakes = [
            worded("Line {line}: {says}", line=condition.line, says=in_words(condition, facts)) for condition in wrong
        ]
        lines = "\n".join(f"- {plain(mistake)}" for mistake in mistakes)
        st.warning(f"{said(UNTRUE)}\n\n{lines}", icon=":material/rule:")
        return
    with st.container(border=True):
        _say(step.claim, facts, step.asks.values())


def _draw_own(step: LessonStep, named: NamedLesson, asked: WhoAnswers, *, stacked: bool) -> bool:
    """Ask the question again about the reader's own sentence, with a new prediction. Return whether there is one."""
    st.subheader(tr("Now your own sentence"), anchor=False)
    key = f"own-{step.line}"
    with readable_errors():
        ask = own_question(step.ask, *asked, key)
        outcome = None if ask is None else lesson_answer(*asked, ask)
        if ask is None or outcome is None:
            return False
        about = (named.key, "own", asked, ask)
        agree_on_own(about, ask, outcome)
        offer_own(about, ask, facts_of({"": outcome}), outcome)
        if not is_predicted(about):
            st.markdown(plain(question_in_words(ask, facts_of({"": outcome}))))
            ask_for_prediction(about, ask, outcome, f"{key}-{hash(ask)}")
            return True
        words, view = _places(step, about, outcome, stacked=stacked)
        with words:
            say_verdict(about, outcome, key)
            _say(said(KINDS[ask.what].says), facts_of({"": outcome}), [ask])
        with view:
            _view(step, ask, outcome, asked)
    return True


def _view(step: LessonStep, ask: Ask, outcome: Outcome, asked: WhoAnswers) -> None:
    key = f"{step.line}-{'step' if ask is step.ask else 'own'}"
    if _has_bars(step, outcome):
        draw_bars(outcome, title=said(KINDS[ask.what].about), key=key)
    if step.view:
        draw_view(read_view(step.view), ask, outcome, asked=asked, key=key)


def _has_bars(step: LessonStep, outcome: Outcome) -> bool:
    """Return whether the picture of a step are bars: where it has no view that the lesson can draw."""
    return bool(outcome.bars) and (not step.view or read_view(step.view).page not in DRAWN)


def _view_before(step: LessonStep, outcome: Outcome, asked: WhoAnswers) -> None:
    """Draw the view before the answer: covered, unless the question is about what is seen in it."""
    if _has_bars(step, outcome) and step.first != "view":
        draw_covered_bars(outcome, title=said(KINDS[step.ask.what].about), key=str(step.line))
    elif step.first == "view":
        _view(step, step.ask, replace(outcome, head=None), asked)
    elif step.view:
        view = read_view(step.view)
        choices = complete_choices(view, step.ask, outcome, asked[0])
        shown = Shown(choices=choices, ask=step.ask, asked=asked, key=str(step.line))
        draw_covered(view.page, shown, outcome)


def _sentence(ask: Ask) -> str:
    texts = [ask.text("text"), ask.text("text_b")]
    return " ".join(f"“{text}”" for text in dict.fromkeys(texts) if text)


def _say(text: str, facts: Mapping[str, Fact], asks: Iterable[Ask]) -> None:
    """Draw paragraphs of a lesson with facts in bold; the text is untrusted, and escaped.

    A technical word that the sentences in question have in another sense, as Anna's key, is not linked.
    """
    sentences = " ".join(map(_sentence, asks))
    words = [word for word in FORMS if not re.search(form_of(word), sentences, re.IGNORECASE)]
    for paragraph in re.split(r"\n\s*\n", text):
        st.markdown(link_words(_fill_in_bold(paragraph, facts), *words))


def _fill_in_bold(template: str, facts: Mapping[str, Fact]) -> str:
    """Fill a template with facts in bold, as Markdown."""
    pieces = parts(" ".join(template.split()), facts, shown)
    return "".join(in_bold(part) if is_fact else plain(part) for part, is_fact in pieces)
