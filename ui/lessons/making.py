"""The page "Make a lesson": a form or its YAML, beside a preview; and what can be done with the lesson."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from lessons import KINDS, Condition, Fact, Lesson, facts_of, in_words, untrue
from lessons.drafts import complete_draft, find_mistakes, n_steps, part_at, put, read_draft, texts_at, write_draft
from lessons.parameters import Parameter
from lessons.yaml_lines import MOST_BYTES, Entries
from models.opening.registry import is_embedded
from models.values.errors import HeadlightError, LessonError
from models.values.wording import worded
from ui.lessons.answer_form import answer_fields
from ui.lessons.computed import outcomes_of
from ui.lessons.draft import can_undo, draft_text, is_draft_known, keep_in_browser, know_link, replace_draft, undo
from ui.lessons.fields import LessonForm
from ui.lessons.form import lesson_fields, part_of_form, pick_step, say_what_is_kept, step_buttons, words_fields
from ui.lessons.library import (
    KNOWN,
    NamedLesson,
    first_lesson,
    fits_a_link,
    lesson_of,
    own_lessons,
    pack_lesson,
    text_of_file,
)
from ui.lessons.pictures import SHARES
from ui.lessons.question_form import question_fields
from ui.lessons.reading import draw_step
from ui.state.choices import GIVEN_LESSON
from ui.state.navigation import LESSONS, go_to
from ui.state.plain import plain
from ui.state.selection import choose, selection
from ui.widgets.browser.viewport import SIDE_BY_SIDE, page_width
from ui.widgets.frame import readable_errors
from ui.widgets.pictures import two_columns
from ui.widgets.words import link_words
from viz.kit.language import said, to_say, tr

_AREA, _AS_YAML, _FILE, _COPIED = "lesson-area", "lesson-as-yaml", "lesson-file", "lesson-to-copy"
HOW = to_say("Write a question about a sentence; the model computes the answer. Your browser keeps what you write.")
NO_YAML = to_say("The form comes back when the text can be read again.")
NO_PREVIEW = to_say("The preview comes when everything that is marked is filled in.")
TOO_LONG = to_say("This lesson is too long for a link: give the file away.")
FILLER = "…"


def making_page() -> None:
    """Draw the form or its text, and beside it the buttons above the preview of a step; on a narrow page the buttons
    come first."""
    left, right, _ = two_columns(*SHARES)
    buttons = left if page_width() < SIDE_BY_SIDE else right
    place = buttons.container(key="lesson-actions", horizontal=True, vertical_alignment="center", gap="small")
    if not is_draft_known():  # for a moment, in which the buttons have their room already
        place.skeleton(43)
        return
    with place:
        checks = _buttons()
    with right:
        if not fits_a_link(draft_text()):
            st.caption(said(TOO_LONG))
        if checks:
            _check_claims(lesson_of(draft_text()))
    try:
        draft = complete_draft(read_draft(draft_text()))
    except LessonError as error:
        with left:
            _text_area()
            _say_mistakes(error)
            st.caption(said(NO_YAML))
    else:
        _form_and_preview(LessonForm(draft=draft, mistakes=find_mistakes(draft, KNOWN)), left, right)
    keep_in_browser()


# -- the buttons ------------------------------------------------------------------------------------------------------


def _buttons() -> bool:
    """Draw what is done with a lesson, in one row; what is seldom done is in a menu. Return whether its claims are to
    be checked."""
    if page_width() >= SIDE_BY_SIDE:
        st.markdown(tr("**What a reader sees**"), width="stretch")
    if can_undo():
        st.button(tr("Undo"), key="lesson-undo", icon=":material/undo:", on_click=undo)
    is_whole = _is_whole()
    if st.button(tr("Read it"), key="lesson-read", icon=":material/school:", type="primary", disabled=not is_whole):
        _read()
    st.download_button(
        tr("Save"),
        draft_text(),
        file_name="lesson.yaml",
        mime="application/yaml",
        on_click="ignore",
        icon=":material/download:",
    )
    with st.popover(tr("More")):
        checks = st.button(
            tr("Check with every model"), key="lesson-check", icon=":material/fact_check:", disabled=not is_whole
        )
        st.toggle(tr("As YAML"), key=_AS_YAML, persist_state="session")
        _open()
    return checks


def _read() -> None:
    """Open the lesson as its reader sees it."""
    packed = pack_lesson(draft_text())
    know_link(packed)
    choose(lesson=GIVEN_LESSON, lesson_text=packed, lesson_step=0)
    go_to(LESSONS)


def _is_whole() -> bool:
    try:
        lesson_of(draft_text())
    except LessonError:
        return False
    return True


def _open() -> None:
    """Draw the ways to begin: a file, or a copy of a lesson of the app."""
    with readable_errors():
        file = st.file_uploader(tr("A lesson from a file"), type=["yaml", "yml"], max_upload_size=1)
        if file is not None and st.session_state.get(_FILE) != file.file_id:
            st.session_state[_FILE] = file.file_id
            replace_draft(text_of_file(file.getvalue()))
    lessons = {name: named.lesson.title for name, named in own_lessons().items()}
    first = tr("A lesson of one step")
    st.selectbox(
        tr("A copy of a lesson of the app"),
        ["", *lessons],
        key=_COPIED,
        format_func=lambda name: lessons.get(name, first),
    )
    st.button(tr("Copy it here"), key="lesson-copy", icon=":material/content_copy:", on_click=_copy)


def _copy() -> None:
    named = own_lessons().get(st.session_state[_COPIED])
    replace_draft(first_lesson() if named is None else named.text)


def _check_claims(lesson: Lesson) -> None:
    """Check whether the claims are true, for every model that the lesson allows."""
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
            checked = worded("{where}: {says}", where=where, says=_describe_untrue(wrong, facts))
            st.markdown(f"{icon} {plain(checked)}")


def _describe_untrue(wrong: Sequence[Condition], facts: Mapping[str, Fact]) -> str:
    """Describe the untrue parts of a claim; "true" if there are none."""
    sentences = [
        worded("line {line}: {says}", line=condition.line, says=in_words(condition, facts)) for condition in wrong
    ]
    return " · ".join(said(sentence) for sentence in sentences) or to_say("true")


# -- the lesson -------------------------------------------------------------------------------------------------------


def _form_and_preview(form: LessonForm, left: DeltaGenerator, right: DeltaGenerator) -> None:
    """Draw the form, or the text in its place, and beside it the chosen step as a reader sees it."""
    as_yaml = st.session_state[_AS_YAML]
    with left:
        if as_yaml:
            _text_area()
        else:
            lesson_fields(form)
        with st.container(key="lesson-steps", horizontal=True, vertical_alignment="center", gap="small"):
            number = pick_step(form)
            if not as_yaml:
                step_buttons(number, n_steps(form.draft))
        step = ("steps", number)
        if not as_yaml:
            with part_of_form(to_say("1 · What is said and asked")):
                words_fields(form, step)
            with part_of_form(to_say("2 · What the model computes")):
                question_fields(form, step)
    with right, st.container(key="lesson-preview", border=True):
        facts = _preview(form.draft, number)
    with left:
        if as_yaml:
            _check_text(form.draft, number, facts)
            with st.expander(tr("The questions that can be asked")):
                _kinds()
        else:
            with part_of_form(to_say("3 · What is right, and what follows from it")):
                answer_fields(form, step, facts)
            say_what_is_kept(form, step)


def _text_area() -> None:
    """Draw the text of the lesson."""
    if st.session_state.get(_AREA) != draft_text():
        st.session_state[_AREA] = draft_text()
    st.text_area(
        tr("The lesson"),
        key=_AREA,
        height=440,
        max_chars=MOST_BYTES,
        on_change=lambda: replace_draft(st.session_state[_AREA]),
    )


def _check_text(draft: Entries, number: int, facts: Mapping[str, Fact]) -> None:
    """Say every mistake of the text with its line, and what is not true of the step that is shown."""
    try:
        lesson_of(draft_text())
    except LessonError as error:
        _say_mistakes(error)
    shown = _lesson_of_step(draft, number)
    wrong = untrue(shown.steps[0].holds, facts) if shown is not None and facts else ()
    for condition in wrong:
        st.error(plain(in_words(condition, facts)), icon=":material/rule:")


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


def _say_mistakes(error: LessonError) -> None:
    lines = draft_text().splitlines()
    st.error(tr("{n} to mend:", n=len(error.mistakes)), icon=":material/rule:")
    for line, says in error.mistakes:
        source_line = lines[line - 1].strip() if 0 < line <= len(lines) else ""
        st.markdown("- " + tr("**Line {line}:** {says}", line=line, says=plain(says)))
        if source_line:
            st.text(source_line[:200])


def _preview(draft: Entries, number: int) -> Mapping[str, Fact]:
    """Draw one step as a reader sees it, whatever the others are like. Return what the model has computed."""
    lesson = _lesson_of_step(draft, number)
    if lesson is None:
        st.caption(said(NO_PREVIEW))
        return {}
    st.header(plain(lesson.steps[0].title), anchor=False)
    named = NamedLesson(name=f"preview-{number}", text="", lesson=lesson)
    return draw_step(named, 0, model=lesson.models[0], device=selection().device, stacked=True).facts


def _lesson_of_step(draft: Entries, number: int) -> Lesson | None:
    """Return a lesson of this step alone, with a filler for words that are still missing; None if it is invalid."""
    models = [model for model in texts_at(draft, "models") if is_embedded(model)]
    alone = put(draft, ("steps",), [part_at(draft, ("steps", number)) or {}])
    for name, value in (("title", FILLER), ("about", FILLER), ("minutes", "1"), ("models", models)):
        alone = put(alone, (name,), value)
    try:
        return lesson_of(write_draft(complete_draft(alone, FILLER))) if isinstance(alone, Entries) else None
    except LessonError:
        return None
