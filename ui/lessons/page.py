"""The page "Lessons": the list of lessons, and one lesson step by step."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from typing import Literal

import streamlit as st

from lessons import Lesson
from models.values.errors import LessonError
from models.values.wording import worded
from ui.lessons.answering import progress
from ui.lessons.answering.receipts import READ, RIGHT, offer_receipt
from ui.lessons.library import (
    NamedLesson,
    fits_a_link,
    lesson_after,
    lesson_of,
    named_lesson,
    own_lessons,
    pack_lesson,
    text_of_file,
)
from ui.lessons.reading import draw_step
from ui.lessons.taste import taste
from ui.state.choices import GIVEN_LESSON
from ui.state.navigation import MAKE_A_LESSON, link
from ui.state.plain import plain
from ui.state.selection import choose, selection
from ui.state.teaching import is_framed
from ui.widgets.browser.keys import letters_press
from ui.widgets.frame import readable_errors
from ui.widgets.heading import heading
from ui.widgets.words import link_words
from viz.kit.language import said, to_say, tr, trn

BACK_KEY, NEXT_KEY = "b", "n"
AFTER_KEY = "lesson-after"
"""The key of the button on the last step, so that a press of Next never skips a lesson."""
_FILE = "headlight_lesson_file"
RINGS = "○◔◑◕"
"""A ring that fills, from a lesson that is not begun to one at its last step."""
PARTS = {
    "vectors": to_say("First steps"),
    "queries-keys-values": to_say("Inside a model"),
    "masks": to_say("Kinds of models"),
    "how-it-learns": to_say("What training brings"),
    "what-a-head-does": to_say("What heads are good for"),
    "cost": to_say("Going deeper"),
}
"""The parts of the list of lessons, by the lesson that each begins with; the first lesson begins one."""
LONGEST_PART = 3
PREDICT_FIRST = to_say(
    "Each step asks first: a guess, right or wrong, makes the answer stick. The model computes every answer while you "
    "read."
)


def lessons_page() -> None:
    """Draw the chosen lesson, or the list of all."""
    _draw()
    progress.keep_progress()


def _draw() -> None:
    chosen = selection()
    with readable_errors():
        named = named_lesson(chosen.lesson, chosen.lesson_text) if chosen.lesson else None
        if named is not None:
            _show_lesson(named)
            return
    _list(unknown=chosen.lesson)


# -- the list ---------------------------------------------------------------------------------------------------------


def _list(unknown: str) -> None:
    """Draw the list, and above it what an address asks for that is in none."""
    heading(tr("Lessons"), plain(PREDICT_FIRST))
    if unknown and unknown != GIVEN_LESSON:
        st.info(tr("There is no lesson “{name}”. These are all:", name=plain(unknown)))
    lessons, is_new = list(own_lessons().items()), not (progress.steps() or progress.done_lessons())
    if is_new:
        taste()
    begins = [number for number, (name, _) in enumerate(lessons) if name in PARTS]
    for first, end in pairwise([*begins, len(lessons)]):
        st.subheader(said(PARTS[lessons[first][0]]), anchor=False)
        for place, number in zip(st.columns(LONGEST_PART), range(first, end), strict=False):
            name, named = lessons[number]
            with place:
                _line(f"{number} · {named.lesson.title}", named.lesson, name, is_first=is_new and number == 0)
    st.subheader(tr("A lesson of your own"), anchor=False)
    with readable_errors():
        _open_file()
        chosen = selection()
        if chosen.lesson_text:
            brought = named_lesson(GIVEN_LESSON, chosen.lesson_text)
            if brought is not None:
                _line(brought.lesson.title, brought.lesson, GIVEN_LESSON)
    link(MAKE_A_LESSON)


def _line(title: str, lesson: Lesson, name: str, *, is_first: bool = False) -> None:
    """Draw a lesson of the list, with a button to begin or to go on; filled where the reader should."""
    number = progress.steps().get(name)
    if number is not None:
        number = min(number, len(lesson.steps) - 1)
    about = trn(
        "{n} step · about {minutes} minutes",
        "{n} steps · about {minutes} minutes",
        len(lesson.steps),
        minutes=lesson.minutes,
    )
    with st.container(border=True, height="stretch", gap="small", key=f"lesson-card-{name}"):
        about_it = f"**{_ring(name, number, len(lesson.steps))} {plain(title)}**  \n{link_words(plain(lesson.about))}"
        st.container(height="stretch").markdown(about_it)
        with st.container(horizontal=True, horizontal_alignment="distribute", vertical_alignment="center", gap="small"):
            st.markdown(f":small[:gray[{plain(' · '.join((about, *_how_many_right(name))))}]]", width="content")
            if name in progress.done_lessons():
                label, number = tr("Read again"), 0
            elif number is None:
                label = tr("Begin")
            else:
                label = tr("Go on: step {step} of {all}", step=number + 1, all=len(lesson.steps))
            st.button(
                label,
                key=f"begin-{name}",
                on_click=_go,
                args=(name, number or 0),
                type="primary" if number or is_first else "secondary",
            )


def _ring(name: str, number: int | None, n_steps: int) -> str:
    """Return the sign of a lesson: an empty ring, one filled up to the current step, or a tick when it is done."""
    if name in progress.done_lessons():
        return ":material/check_circle:"
    return RINGS[0] if number is None else RINGS[1 + (len(RINGS) - 2) * number // max(1, n_steps - 1)]


def _how_many_right(name: str) -> Iterator[str]:
    """Yield how many of the answered steps of a lesson were right at the first try; nothing if none was answered."""
    answered = [mark for mark in progress.marks().get(name, {}).values() if mark != READ]
    if answered:
        n_right = answered.count(RIGHT)
        yield trn("{right} of {n} answer right", "{right} of {n} answers right", len(answered), right=n_right)


def _open_file() -> None:
    """Read a lesson from a file into the address, so that its link can be shared."""
    file = st.file_uploader(tr("Open a lesson from a file"), type=["yaml", "yml"], max_upload_size=1)
    if file is None or st.session_state.get(_FILE) == file.file_id:
        return
    text = text_of_file(file.getvalue())
    lesson_of(text)
    st.session_state[_FILE] = file.file_id
    choose(lesson_text=pack_lesson(text))
    if not fits_a_link(text):
        st.info(tr("This lesson is too long for a link. Give the file away."), icon=":material/link_off:")
    progress.steps().pop(GIVEN_LESSON, None)
    progress.done_lessons().discard(GIVEN_LESSON)
    progress.marks().pop(GIVEN_LESSON, None)


# -- one lesson -------------------------------------------------------------------------------------------------------


def _show_lesson(named: NamedLesson) -> None:
    lesson, chosen = named.lesson, selection()
    number = min(chosen.lesson_step, len(lesson.steps) - 1)
    progress.steps()[named.name] = number
    choose(lesson_step=number)
    step = lesson.steps[number]
    if is_framed():
        st.title(plain(step.title), anchor=False)
        draw_step(named, number, model=_chosen_model(lesson), device=chosen.device)
        return
    with st.container(horizontal=True, horizontal_alignment="distribute", vertical_alignment="center"):
        st.button(
            tr("All lessons"),
            key="all-lessons",
            icon=":material/arrow_back:",
            type="tertiary",
            on_click=_go,
            args=("", 0),
        )
        done = tr("step {step} of {all}", step=number + 1, all=len(lesson.steps))
        st.subheader(f"{plain(lesson.title)} :gray[· {plain(done)}]", anchor=False, width="content")
        model = _model(lesson, named.name)
    st.progress((number + 1) / len(lesson.steps))
    st.title(plain(step.title), anchor=False)
    mark = draw_step(named, number, model=model, device=chosen.device).mark
    marks = progress.marks().setdefault(named.name, {})
    if mark:
        marks.setdefault(str(number), mark)
    if mark and number + 1 == len(lesson.steps):
        progress.done_lessons().add(named.name)
        offer_receipt(lesson.title, marks, len(lesson.steps))
    with st.container(key="lesson-turn"):
        _turn(named, number, is_answered=bool(mark))
    letters_press({BACK_KEY: "lesson-back", NEXT_KEY: "lesson-next" if number + 1 < len(lesson.steps) else AFTER_KEY})


def _model(lesson: Lesson, name: str) -> str:
    """Draw the choice of the model that answers, and return it."""
    if len(lesson.models) == 1:
        return lesson.models[0]
    answers: str = st.segmented_control(
        tr("The model that answers"),
        lesson.models,
        default=_chosen_model(lesson),
        key=f"model-of-{name}-{'-'.join(lesson.models)}",
        required=True,
        format_func=plain,
        persist_state="session",
        label_visibility="collapsed",
        width="content",
    )
    choose(lesson_model="" if answers == lesson.models[0] else answers)
    return answers


def _chosen_model(lesson: Lesson) -> str:
    """Return the model of the address, if the lesson knows it, else the lesson's first."""
    chosen = selection().lesson_model
    return chosen if chosen in lesson.models else lesson.models[0]


def _turn(named: NamedLesson, number: int, *, is_answered: bool) -> None:
    """Draw Back and Next, filled once the step is answered; after the last step, a button for the next lesson."""
    forward: Literal["primary", "secondary"] = "primary" if is_answered else "secondary"
    with st.container(horizontal=True, horizontal_alignment="distribute"):
        st.button(
            tr("Back"),
            key="lesson-back",
            icon=":material/arrow_back:",
            shortcut=BACK_KEY,
            disabled=number == 0,
            on_click=_move,
            args=(-1,),
        )
        if number + 1 < len(named.lesson.steps):
            st.button(
                tr("Next"),
                key="lesson-next",
                icon=":material/arrow_forward:",
                shortcut=NEXT_KEY,
                type=forward,
                on_click=_move,
                args=(1,),
            )
        else:
            after, packed = _after(named)
            label = (
                worded("Next lesson: {title}", title=title)
                if after and (title := _title_of(after, packed))
                else to_say("All lessons")
            )
            st.button(
                plain(label),
                key=AFTER_KEY,
                icon=":material/arrow_forward:",
                shortcut=NEXT_KEY,
                type=forward,
                on_click=_go,
                args=(after, 0, packed),
            )


def _after(named: NamedLesson) -> tuple[str, str]:
    """Return the name of the lesson after this one, and its packed text if it is not of the app; empty after the
    last."""
    if named.lesson.then:
        return lesson_after(named.lesson.then)
    names = list(own_lessons())
    return (names[names.index(named.name) + 1], "") if named.name in names[:-1] else ("", "")


def _title_of(name: str, packed: str) -> str:
    """Return the title of a lesson; empty for one that cannot be read."""
    try:
        found = named_lesson(name, packed)
    except LessonError:
        return ""
    return found.lesson.title if found else ""


def _go(name: str, step: int, packed: str = "") -> None:
    """Go to a step of a lesson; to one that is not of the app with its text."""
    if packed:
        choose(lesson_text=packed)
    choose(lesson=name, lesson_step=step)


def _move(by: int) -> None:
    """Go one step back or forward from the current one: the button of an earlier step may still be shown."""
    choose(lesson_step=max(0, selection().lesson_step + by))
