"""The page "Make a lesson": its text, every mistake with its line, a preview, and the lesson as a file or a link."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import streamlit as st

from lessons import KINDS, Condition, Fact, Lesson, facts_of, in_words, untrue
from lessons.parameters import Parameter
from lessons.yaml_lines import MOST_BYTES
from models.values.errors import HeadlightError, LessonError
from models.values.wording import worded
from ui.lessons.computed import outcomes_of
from ui.lessons.library import (
    NamedLesson,
    first_lesson,
    fits_a_link,
    lesson_of,
    own_lessons,
    pack_lesson,
    unpack_lesson,
)
from ui.lessons.reading import draw_step
from ui.state.choices import GIVEN_LESSON
from ui.state.navigation import LESSONS, link
from ui.state.plain import plain
from ui.state.selection import selection
from ui.widgets.words import link_words
from viz.kit.language import said, to_say, tr, trn

TEXT = "headlight_lesson_being_made"
_AREA = "lesson-area"
TOO_LONG = to_say("This lesson is too long for a link: give the file away.")
HOW = to_say(
    "A lesson is a text in YAML: a title, and steps that ask. You write the questions and the claims; the answers are "
    "computed by the model when somebody reads it. What you write here is checked when you leave the field."
)


def making_page() -> None:
    """Draw the text of the lesson, its mistakes, and a preview."""
    _begin_with()
    text = _text()
    lesson = _check_text(text)
    with st.expander(tr("The questions that can be asked")):
        _kinds()
    if lesson is not None:
        _give_away(text)
        _check_claims(lesson)
        _try(lesson, text)


def _text() -> str:
    """Draw the text area, and return its text; it begins with the lesson of a link."""
    state = st.session_state
    if TEXT not in state:
        brought = selection().lesson_text
        try:
            state[TEXT] = unpack_lesson(brought) if brought else first_lesson()
        except LessonError:
            state[TEXT] = first_lesson()
    if _AREA not in state:
        state[_AREA] = state[TEXT]
    st.text_area(tr("The lesson"), key=_AREA, height=440, max_chars=MOST_BYTES)
    state[TEXT] = state[_AREA]
    return str(state[TEXT])


def _begin_with() -> None:
    """Draw the choice of a lesson to copy into the text area."""
    lessons = {name: named.lesson.title for name, named in own_lessons().items()}
    names, first = ["", *lessons], tr("A lesson of one step, explained")
    with st.container(horizontal=True, vertical_alignment="bottom"):
        st.selectbox(
            tr("Begin with"), names, key="lesson-to-copy", width=420, format_func=lambda name: lessons.get(name, first)
        )
        st.button(tr("Copy it here"), icon=":material/content_copy:", on_click=_copy)


def _copy() -> None:
    name = st.session_state["lesson-to-copy"]
    named = own_lessons().get(name)
    st.session_state[_AREA] = st.session_state[TEXT] = first_lesson() if named is None else named.text


def _check_text(text: str) -> Lesson | None:
    """Parse the lesson; None, with every mistake and its line shown, if it is invalid."""
    try:
        lesson = lesson_of(text)
    except LessonError as error:
        lines = text.splitlines()
        st.error(tr("{n} to mend:", n=len(error.mistakes)), icon=":material/rule:")
        for line, says in error.mistakes:
            source_line = lines[line - 1].strip() if 0 < line <= len(lines) else ""
            st.markdown("- " + tr("**Line {line}:** {says}", line=line, says=plain(says)))
            if source_line:
                st.text(source_line[:200])
        return None
    steps = trn("This is a lesson of {n} step.", "This is a lesson of {n} steps.", len(lesson.steps))
    st.success(steps, icon=":material/check:")
    return lesson


def _give_away(text: str) -> None:
    """Draw the lesson as a file, and as a link."""
    with st.container(horizontal=True, vertical_alignment="center"):
        st.download_button(
            tr("Download the lesson (YAML)"),
            text,
            file_name="lesson.yaml",
            mime="application/yaml",
            on_click="ignore",
            icon=":material/download:",
        )
        if fits_a_link(text):
            query = {"lesson": GIVEN_LESSON, "lesson_text": pack_lesson(text)}
            link(LESSONS, query, label=tr("Read it: the link to give away"))
        else:
            st.caption(said(TOO_LONG))


def _check_claims(lesson: Lesson) -> None:
    """Check on request whether the claims are true, for every model that the lesson allows."""
    if not st.button(tr("Check the claims with every model"), icon=":material/fact_check:"):
        return
    device = selection().device
    for model in lesson.models:
        for step in lesson.steps:
            where = worded("{model}, step “{title}” (line {line})", model=model, title=step.title, line=step.line)
            try:
                outcomes = outcomes_of(step, model, device)
            except HeadlightError as error:
                refused = worded("{where}: {says}", where=where, says=str(error))
                st.markdown(f":material/error: {plain(refused)}")
                continue
            if outcomes is None:
                return
            facts = facts_of(outcomes)
            wrong = untrue(step.holds, facts)
            icon = ":material/error:" if wrong else ":material/check:"
            checked = worded("{where}: {says}", where=where, says=_mistakes(wrong, facts))
            st.markdown(f"{icon} {plain(checked)}")


def _mistakes(wrong: Sequence[Condition], facts: Mapping[str, Fact]) -> str:
    """Describe the untrue parts of a claim; "true" if there are none."""
    sentences = [
        worded("line {line}: {says}", line=condition.line, says=in_words(condition, facts)) for condition in wrong
    ]
    return " · ".join(said(sentence) for sentence in sentences) or to_say("true")


def _try(lesson: Lesson, text: str) -> None:
    """Draw one step as a reader sees it."""
    st.subheader(tr("Try it"), anchor=False)
    number = st.selectbox(
        tr("Step"), range(len(lesson.steps)), format_func=lambda place: f"{place + 1} · {lesson.steps[place].title}"
    )
    named = NamedLesson(name=GIVEN_LESSON, text=text, lesson=lesson)
    with st.container(border=True):
        st.header(plain(lesson.steps[number].title), anchor=False)
        draw_step(named, number, model=lesson.models[0], device=selection().device)


def _kinds() -> None:
    """Draw every kind of question with its parameters and facts."""
    for kind in KINDS.values():
        parameters = "\n".join(f"- {_describe_parameter(parameter)}" for parameter in kind.parameters)
        facts = "\n".join(f"- **{plain(name)}**: {plain(about)}" for name, about in kind.facts.items())
        about = f"**{plain(kind.name)}** · {plain(kind.about)}"
        st.markdown(link_words("\n\n".join((about, tr("Given:"), parameters, tr("Facts:"), facts))))


def _describe_parameter(parameter: Parameter) -> str:
    about = plain(parameter.about)
    needed = about if parameter.is_required else tr("{about} (may be left out)", about=about)
    return f"**{plain(parameter.name)}**: {needed}"
