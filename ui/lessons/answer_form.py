"""The part of the form that follows the answer: what is right, what follows from it, and the picture beside it."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path as FilePath

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from lessons import KINDS, Fact, holds, in_words
from lessons.claims import RELATIONS, read_condition
from lessons.drafts import Path, text_at, texts_at
from lessons.picture_files import write_picture
from lessons.reading import LONGEST
from lessons.values import Condition
from ui.lessons.draft import put_in_draft
from ui.lessons.fields import LessonForm, bind, key_of, say_mistake
from ui.lessons.pictures import DRAWN
from ui.state.plain import plain
from viz.kit.language import said, shown, to_say, tr

COMPUTED, STATED = "computed", "stated"
RIGHT = {COMPUTED: to_say("whatever the model computes"), STATED: to_say("I say what must come out")}
ANSWERS = ("answer", "share", "probability", "number", "sum", "ratio", "words", "cells", "rho")
"""The facts that say what a reader guesses, by their names."""
RELATION_TITLES: Mapping[str, str] = dict(
    zip(
        RELATIONS,
        (
            to_say("is at least"),
            to_say("is at most"),
            to_say("is more than"),
            to_say("is less than"),
            to_say("is not"),
            to_say("is"),
        ),
        strict=True,
    )
)
Facts = Mapping[str, Fact]


def answer_fields(form: LessonForm, step: Path, facts: Facts) -> None:
    """Draw the right answer, the explanation and the picture of a step; `facts` are what the model has computed."""
    titles = _fact_titles(form, step)
    kind = KINDS.get(text_at(form.draft, *step, "ask", "what"))
    is_asked = kind is None or kind.has_question
    if is_asked:
        _right_answer(form, step, facts, titles)
        _explanation(form, step, facts, titles)
    _picture(form, step, is_asked=is_asked)
    _own_picture(form, step)
    if kind is not None and kind.is_of_text:
        _switch(
            form, (*step, "own"), tr("Then ask the same of the reader's own sentence"), on="yes", off="no", usual="yes"
        )


def _fact_titles(form: LessonForm, step: Path) -> dict[str, str]:
    """Return what each fact of a step means, by its name."""
    kind = KINDS.get(text_at(form.draft, *step, "ask", "what"))
    return dict(kind.facts) if kind is not None else {}


# -- what is right ----------------------------------------------------------------------------------------------------


def _right_answer(form: LessonForm, step: Path, facts: Facts, titles: Mapping[str, str]) -> None:
    path = (*step, "holds")
    conditions = texts_at(form.draft, *path)
    first = _first_condition(facts, titles)
    st.segmented_control(
        tr("The right answer"),
        list(RIGHT),
        key=bind((*step, "right"), STATED if conditions else COMPUTED),
        required=True,
        format_func=lambda name: said(RIGHT[name]),
        on_change=lambda: put_in_draft(path, None if conditions else [first]),
        wrap=True,
    )
    for number, text in enumerate(conditions):
        _condition(form, (*path, number), text, facts, titles)
    if conditions:
        st.button(
            tr("Add another"),
            key=key_of((*path, "add")),
            icon=":material/add:",
            on_click=lambda: put_in_draft(path, [*conditions, first]),
        )


def _first_condition(facts: Facts, titles: Mapping[str, str]) -> str:
    """Return a comparison that is true of what the model has computed."""
    name = next((name for name in ANSWERS if name in titles), "answer")
    value = facts[name].value if name in facts else ""
    return f'{name} is "{value}"' if isinstance(value, str) else f"{name} is {round(value, 2):g}"


def _condition(form: LessonForm, path: Path, text: str, facts: Facts, titles: Mapping[str, str]) -> None:
    """Draw one comparison: a fact, a relation, a value. One that is written otherwise is a line of text."""
    condition = _read(text)
    with st.container(border=True, gap="small"):
        if condition is None:
            form.line(path, to_say("What must be true"), most=LONGEST)
            button = st.container()
        else:
            button = _comparison(path, condition, facts, titles)
        button.button(
            ":material/delete:",
            key=key_of((*path, "delete")),
            help=tr("Delete"),
            type="tertiary",
            on_click=lambda: put_in_draft(path, None),
        )
    if condition is not None:
        form.say_mistakes(path)
        if condition.left in facts and not holds(condition, facts):
            say_mistake(plain(in_words(condition, facts)))


def _read(text: str) -> Condition | None:
    try:
        return read_condition(text, 0)
    except ValueError:
        return None


def _comparison(path: Path, condition: Condition, facts: Facts, titles: Mapping[str, str]) -> DeltaGenerator:
    """Draw the three parts of a comparison. Return the place beside them."""
    names = list(dict.fromkeys([*titles, *facts, condition.left]))
    keys = [(*path, part) for part in ("fact", "relation", "value")]

    def take() -> None:
        fact, relation, value = (str(st.session_state[key_of(key)] or "").strip() for key in keys)
        is_plain = value in names or re.fullmatch(r"-?[0-9.]+ ?%?", value)
        quoted = value if is_plain else '"{}"'.format(value.replace('"', ""))
        put_in_draft(path, f"{fact} {relation} {quoted}")

    st.selectbox(
        tr("What must be true"),
        names,
        key=bind(keys[0], condition.left),
        format_func=lambda name: _with_value(name, facts, titles),
        on_change=take,
    )
    relation, value, button = st.columns([4, 5, 1], gap="small")
    relation.selectbox(
        tr("Comparison"),
        RELATIONS,
        label_visibility="collapsed",
        key=bind(keys[1], condition.relation),
        format_func=lambda name: said(RELATION_TITLES[name]),
        on_change=take,
    )
    value.text_input(
        tr("Value"), key=bind(keys[2], condition.right.strip('"“”')), on_change=take, label_visibility="collapsed"
    )
    return button


def _with_value(name: str, facts: Facts, titles: Mapping[str, str]) -> str:
    """Return a fact as it is written, with its meaning and what the model has computed."""
    title = f"{{{name}}} · {shown(titles[name])}" if name in titles else f"{{{name}}}"
    return f"{title}: {shown(facts[name].written)}" if name in facts else title


# -- what follows -----------------------------------------------------------------------------------------------------


def _explanation(form: LessonForm, step: Path, facts: Facts, titles: Mapping[str, str]) -> None:
    """Draw the text after the guess, and a menu that puts computed facts into it."""
    path, menu = (*step, "claim"), key_of((*step, "facts"))
    form.lines(path, to_say("Explanation, after the guess"), most=LONGEST)

    def put_in() -> None:
        name = st.session_state[menu]
        if name is not None:
            put_in_draft(path, f"{text_at(form.draft, *path)} {{{name}}}".strip())

    st.menu_button(
        tr("Put in what the model computed"),
        list(dict.fromkeys([*titles, *facts])),
        key=menu,
        icon=":material/add:",
        format_func=lambda name: plain(_with_value(name, facts, titles)),
        on_click=put_in,
    )


def _own_picture(form: LessonForm, step: Path) -> None:
    """Draw the file of a picture of the author's own, which becomes a part of the lesson, and a button to remove it."""
    path = (*step, "picture")
    has_one = bool(text_at(form.draft, *path))
    with st.expander(tr("A picture of your own"), expanded=has_one, icon=":material/image:"):
        taken = f"{key_of(path)}-taken"
        file = st.file_uploader(
            tr("PNG, JPEG or WebP. It is made small, and kept in the lesson; then the lesson is given away as a file."),
            type=["png", "jpg", "jpeg", "webp"],
            max_upload_size=10,
            key=f"{key_of(path)}-file",
        )
        if file is not None and st.session_state.get(taken) != file.file_id:
            try:
                put_in_draft(path, write_picture(file.getvalue()))
            except ValueError as error:
                say_mistake(plain(error.args[0]))
            else:
                st.session_state[taken] = file.file_id
                st.rerun()
        if has_one:
            remove = tr("Remove the picture")
            st.button(remove, key=f"{key_of(path)}-away", on_click=put_in_draft, args=(path, None))
    form.say_mistakes(path)


def _picture(form: LessonForm, step: Path, *, is_asked: bool) -> None:
    """Draw the choice of the page whose picture stands beside the step, and whether it is seen before the guess."""
    path = (*step, "view")
    page, _, choices = text_at(form.draft, *path).partition("?")
    titles: dict[str, str] = {FilePath(entry.path).stem: entry.title for entry in DRAWN}
    key = (*path, "page")
    st.selectbox(
        tr("Picture"),
        list(dict.fromkeys(["", *titles, page])),
        key=bind(key, page),
        format_func=lambda name: shown(titles.get(name) or name) or tr("none"),
        on_change=lambda: put_in_draft(path, st.session_state[key_of(key)] or None),
    )
    form.say_mistakes(path)
    if choices:
        st.caption(tr("It opens with: {choices}", choices=plain(choices)))
    if page and is_asked:
        _switch(
            form,
            (*step, "first"),
            tr("Show the picture whole before the guess"),
            on="view",
            off="question",
            usual="question",
        )


def _switch(form: LessonForm, path: Path, label: str, *, on: str, off: str, usual: str) -> None:
    """Draw a switch of an entry that is `on` or `off`, and is left out where it is `usual`."""
    value = text_at(form.draft, *path) or usual

    def take() -> None:
        turned = on if st.session_state[key_of(path)] else off
        put_in_draft(path, None if turned == usual else turned)

    st.toggle(label, key=bind(path, value == on), on_change=take)
    form.say_mistakes(path)
