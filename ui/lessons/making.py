"""The page "Make a lesson": its text, every mistake with its line, a try, and the lesson as a file or a link."""

from __future__ import annotations

import streamlit as st

from models.lessons import KINDS, Lesson, facts_of, in_words, untrue
from models.lessons.parameters import Parameter
from models.lessons.yaml_lines import MOST_BYTES
from models.values.errors import HeadlightError, LessonError
from ui.lessons.computed import outcomes_of
from ui.lessons.library import FOLDER, fits_a_link, lesson_of, own_lessons, packed, unpacked
from ui.lessons.reading import draw_step
from ui.state.choices import GIVEN_LESSON
from ui.state.navigation import LESSONS, link
from ui.state.selection import selection
from ui.widgets.plain import plain
from ui.widgets.words import linked

TEXT = "headlight_lesson_being_made"
_AREA = "lesson-area"
BEGIN = (FOLDER / "template" / "first-lesson.yaml").read_text(encoding="utf-8")
"""What the page opens with: a lesson of one step that says what each line is for."""
TOO_LONG = "This lesson is too long for a link: give the file away."
HOW = (
    "A lesson is a text in YAML: a title, and steps that ask. You write the questions and the claims; the answers are "
    "computed by the model when somebody reads it. What you write here is checked when you leave the field."
)


def making_page() -> None:
    """The text, what is wrong with it, and a try."""
    _begin_with()
    text = _text()
    lesson = _checked(text)
    with st.expander("The questions that can be asked"):
        _kinds()
    if lesson is not None:
        _give_away(text)
        _check_claims(lesson)
        _try(lesson, text)


def _text() -> str:
    """The lesson as it stands; one that a link has brought first."""
    state = st.session_state
    if TEXT not in state:
        brought = selection().lesson_text
        try:
            state[TEXT] = unpacked(brought) if brought else BEGIN
        except LessonError:
            state[TEXT] = BEGIN
    if _AREA not in state:
        state[_AREA] = state[TEXT]
    st.text_area("The lesson", key=_AREA, height=440, max_chars=MOST_BYTES)
    state[TEXT] = state[_AREA]
    return str(state[TEXT])


def _begin_with() -> None:
    """Another lesson to begin with, in place of what is written."""
    lessons = {name: found.lesson.title for name, found in own_lessons().items()}
    names = ["", *lessons]
    with st.container(horizontal=True, vertical_alignment="bottom"):
        st.selectbox(
            "Begin with", names, key="lesson-to-copy", width=420,
            format_func=lambda name: lessons.get(name, "A lesson of one step, explained"),
        )  # fmt: skip
        st.button("Copy it here", icon=":material/content_copy:", on_click=_copy)


def _copy() -> None:
    name = st.session_state["lesson-to-copy"]
    found = own_lessons().get(name)
    st.session_state[_AREA] = st.session_state[TEXT] = BEGIN if found is None else found.text


def _checked(text: str) -> Lesson | None:
    """The lesson, or every mistake in it with its line and what stands there."""
    try:
        lesson = lesson_of(text)
    except LessonError as error:
        lines = text.splitlines()
        st.error(f"{len(error.mistakes)} to mend:", icon=":material/rule:")
        for line, says in error.mistakes:
            there = lines[line - 1].strip() if 0 < line <= len(lines) else ""
            st.markdown(f"- **Line {line}:** {plain(says)}")
            if there:
                st.text(there[:200])
        return None
    n_steps = len(lesson.steps)
    st.success(f"This is a lesson of {n_steps} step{'s' if n_steps > 1 else ''}.", icon=":material/check:")
    return lesson


def _give_away(text: str) -> None:
    """The lesson as a file, and as a link."""
    with st.container(horizontal=True, vertical_alignment="center"):
        st.download_button(
            "Download the lesson (YAML)", text, file_name="lesson.yaml", mime="application/yaml", on_click="ignore",
            icon=":material/download:",
        )  # fmt: skip
        if fits_a_link(text):
            link(LESSONS, {"lesson": GIVEN_LESSON, "lesson_text": packed(text)}, label="Read it: the link to give away")
        else:
            st.caption(TOO_LONG)


def _check_claims(lesson: Lesson) -> None:
    """Whether the claims are true, for every model that the lesson allows."""
    if not st.button("Check the claims with every model", icon=":material/fact_check:"):
        return
    device = selection().device
    for model in lesson.models:
        for step in lesson.steps:
            where = f"{model}, step “{step.title}” (line {step.line})"
            try:
                outcomes = outcomes_of(step, model, device)
            except HeadlightError as error:
                st.markdown(f":material/error: {plain(f'{where}: {error}')}")
                continue
            if outcomes is None:
                return
            facts = facts_of(outcomes)
            wrong = untrue(step.holds, facts)
            said = " · ".join(f"line {each.line}: {in_words(each, facts)}" for each in wrong) or "true"
            st.markdown(f"{':material/error:' if wrong else ':material/check:'} {plain(f'{where}: {said}')}")


def _try(lesson: Lesson, text: str) -> None:
    """One step as a reader sees it."""
    st.subheader("Try it", anchor=False)
    at = st.selectbox(
        "Step", range(len(lesson.steps)), format_func=lambda place: f"{place + 1} · {lesson.steps[place].title}"
    )
    step = lesson.steps[at]
    with st.container(border=True):
        st.header(plain(step.title), anchor=False)
        draw_step(step, lesson=text, model=lesson.models[0], device=selection().device)


def _kinds() -> None:
    """Every kind of question, with what is given to it and what it computes."""
    for kind in KINDS.values():
        given = "\n".join(f"- {_named(each)}" for each in kind.parameters)
        facts = "\n".join(f"- **{plain(name)}**: {plain(about)}" for name, about in kind.facts.items())
        st.markdown(linked(f"**{plain(kind.name)}** · {plain(kind.about)}\n\nGiven:\n\n{given}\n\nFacts:\n\n{facts}"))


def _named(parameter: Parameter) -> str:
    needed = "" if parameter.is_required else " (may be left out)"
    return f"**{plain(parameter.name)}**: {plain(parameter.about)}{needed}"
