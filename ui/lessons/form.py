"""The form of a lesson: its title, its steps in a row, and the fields of the chosen step."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import streamlit as st

from lessons import KINDS
from lessons.drafts import SAYS, Path, complete_draft, n_steps, part_at, put, read_draft, text_at, write_draft
from lessons.reading import (
    LONGEST,
    LONGEST_LINK,
    LONGEST_TITLE,
    MOST_MINUTES,
    MOST_MODELS,
    MOST_STEPS,
    OF_A_LESSON,
    OF_A_STEP,
    OF_AN_ASK,
)
from lessons.yaml_lines import Entries, Items, YamlPart
from ui.lessons.draft import draft_text, replace_draft
from ui.lessons.fields import LessonForm
from ui.lessons.library import model_titles
from ui.state.plain import plain
from viz.kit.language import said, to_say, tr

_STEP, _N_MOVES = "lesson-step-shown", "lesson-step-moves"
"""The index of the step on show; and how often steps were moved: then the row of steps is another one."""
TITLE_SHOWN = 24
"""The letters of a step's title in the row of steps."""


def lesson_fields(form: LessonForm) -> None:
    """Draw what is said of the lesson as a whole."""
    form.line(("title",), to_say("Title of the lesson"), most=LONGEST_TITLE)
    is_wrong = any(path[:1] in (("about",), ("minutes",), ("models",), ("then",)) for path in form.mistakes)
    with st.expander(tr("What it is about, how long, which models"), expanded=is_wrong):
        form.line(("about",), to_say("What a reader will know afterwards"), most=LONGEST)
        form.number(("minutes",), to_say("Minutes"), low=1, high=MOST_MINUTES)
        form.several(("models",), to_say("Models (the first one answers)"), model_titles(), most=MOST_MODELS)
        form.line(("then",), to_say("The next lesson: its name, or its link"), most=LONGEST_LINK, optional=True)


def pick_step(form: LessonForm) -> int:
    """Draw the steps in a row. Return the index of the chosen one."""
    n = n_steps(form.draft)
    number: int = min(st.session_state.get(_STEP, 0), n - 1)
    key = f"lesson-step-of-{n}-{st.session_state.get(_N_MOVES, 0)}"
    with_mistakes = {path[1] for path in form.mistakes if path[:1] == ("steps",) and len(path) > 1}

    def label(step: int) -> str:
        title = text_at(form.draft, "steps", step, "title")
        sign = ":material/error: " if step in with_mistakes else ""
        return f"{sign}{step + 1} {plain(title if len(title) <= TITLE_SHOWN else title[:TITLE_SHOWN] + '…')}"

    number = st.pills(
        tr("Steps"), range(n), default=number, key=key, required=True, format_func=label, label_visibility="collapsed"
    )
    st.session_state[_STEP] = number
    return number


def step_buttons(number: int, n: int) -> None:
    """Draw the buttons that add a step and, where there are several, move and delete one."""
    buttons = (
        ("add", tr("Add a step"), ":material/add:", lambda: _add(number), n >= MOST_STEPS),
        ("earlier", tr("Earlier"), ":material/arrow_back:", lambda: _swap(number, -1), number == 0),
        ("later", tr("Later"), ":material/arrow_forward:", lambda: _swap(number, 1), number + 1 >= n),
        ("delete", tr("Delete"), ":material/delete:", lambda: _delete(number), n < 2),
    )
    with st.container(key="lesson-step-buttons", horizontal=True, gap="small"):
        for name, label, icon, on_click, is_off in buttons if n > 1 else buttons[:1]:
            st.button(label, key=f"lesson-{name}", icon=icon, on_click=on_click, disabled=is_off)


@contextmanager
def part_of_form(title: str) -> Iterator[None]:
    """Set off a part of the form, with its title."""
    with st.container(border=True, gap="small"):
        st.markdown(f"**{said(title)}**")
        yield


def words_fields(form: LessonForm, step: Path) -> None:
    """Draw the words before the guess."""
    form.line((*step, "title"), to_say("Title of the step"), most=LONGEST_TITLE)
    form.lines((*step, "text"), to_say("What a reader should know first"), most=LONGEST)
    kind = KINDS.get(text_at(form.draft, *step, "ask", "what"))
    if kind is None or kind.has_question:
        form.line((*step, "question"), to_say("Question"), most=LONGEST)


def say_what_is_kept(form: LessonForm, step: Path) -> None:
    """Say which entries of the draft are in no field: they stay, and can be changed as YAML."""
    kind = KINDS.get(text_at(form.draft, *step, "ask", "what"))
    asked = (*OF_AN_ASK, *(parameter.name for parameter in kind.parameters)) if kind else OF_AN_ASK
    unseen = [
        *_unseen(form.draft, OF_A_LESSON),
        *_unseen(part_at(form.draft, step), tuple(name for name in OF_A_STEP if name != "also")),
        *_unseen(part_at(form.draft, (*step, "ask")), asked),
    ]
    if unseen:
        names = ", ".join(unseen)
        st.caption(tr("Kept, but not in this form: {names}. Change it under “As YAML”.", names=plain(names)))


def _unseen(part: YamlPart | None, known: tuple[str, ...]) -> list[str]:
    """Return the names of entries that are not known; `also` is named with its questions."""
    entries = part.entries if isinstance(part, Entries) else ()
    named = []
    for key, value in entries:
        if key.text not in known:
            inner = [name.text for name, _ in value.entries] if isinstance(value, Entries) else []
            named.append(f"{key.text} ({', '.join(inner)})" if inner else key.text)
    return named


# -- steps ------------------------------------------------------------------------------------------------------------


def _add(number: int) -> None:
    """Add a step after this one, which asks the same with words that are still to be written."""
    steps = _steps()
    step = steps[number]
    for name in SAYS:
        step = put(step, (name,), "")
    for name in ("also", "holds"):
        step = put(step, (name,), None)
    _replace([*steps[: number + 1], step, *steps[number + 1 :]], shown=number + 1)


def _swap(number: int, by: int) -> None:
    """Move a step earlier or later."""
    steps = _steps()
    if 0 <= number + by < len(steps):
        steps[number], steps[number + by] = steps[number + by], steps[number]
        _replace(steps, shown=number + by)


def _delete(number: int) -> None:
    steps = _steps()
    del steps[number]
    _replace(steps, shown=max(0, number - 1))


def _steps() -> list[YamlPart]:
    part = part_at(complete_draft(read_draft(draft_text())), ("steps",))
    return list(part.items) if isinstance(part, Items) else []


def _replace(steps: list[YamlPart], *, shown: int) -> None:
    replace_draft(write_draft(put(read_draft(draft_text()), ("steps",), steps)))
    st.session_state[_STEP] = shown
    st.session_state[_N_MOVES] = st.session_state.get(_N_MOVES, 0) + 1
