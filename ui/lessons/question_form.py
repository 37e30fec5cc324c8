"""The part of the form that asks the model: the kind of question, the sentence, its words, the head."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import suppress

import streamlit as st

from lessons import KINDS
from lessons.drafts import Path, change_kind, part_at, read_draft, text_at, texts_at
from lessons.kinds import LessonQuestion
from lessons.parameters import LONGEST_TEXT, LONGEST_WORD, MOST_WORDS, OneOf, Parameter, WholeNumber
from lessons.places import head_by_name, kind_of_head, labels, record_of, token_at
from lessons.values import TapOn
from models.analysis import head_measures
from models.opening.registry import Model, is_embedded
from models.opening.relatives import snapshots_beside
from models.values.errors import HeadlightError
from models.values.record import Recording, Token
from models.values.wording import worded
from ui.desk.ask import ask
from ui.lessons.draft import draft_text, put_in_draft
from ui.lessons.fields import LessonForm, bind, key_of, say_mistake
from ui.lessons.library import model_titles
from ui.state.plain import plain
from ui.state.selection import selection
from ui.widgets.asking.pickers import beside
from viz.heads.plain_names import title_of_role
from viz.kit.language import said, shown, to_say, tr

ANSWERED_BY: Mapping[TapOn, str] = {
    "token": to_say("a word"),
    "head": to_say("a head"),
    "choice": to_say("one of several"),
    "number": to_say("a number"),
    "nothing": to_say("nothing: no question"),
}
LABELS = {
    "text": to_say("Sentence"),
    "text_b": to_say("Second sentence"),
    "query": to_say("The word that looks"),
    "key": to_say("The word that is looked at"),
    "head": to_say("Head: what it looks at"),
    "among": to_say("Only these words can be tapped (all, if none is given)"),
    "measure": to_say("What the head looks at"),
    "of": to_say("What is counted"),
    "options": to_say("Possible answers (type one, press Enter)"),
    "right": to_say("The right ones (type each as above, press Enter)"),
    "segments": to_say("Which segment vectors the two sentences have"),
    "word": to_say("The word in question"),
    "leave_out": to_say("The word that is left out"),
    "method": to_say("Method"),
    "other": to_say("The other method"),
    "positions": to_say("Is the model told the positions?"),
    "position": to_say("Position, from 0"),
    "text_2": to_say("The other sentence, with the same word"),
    "token": to_say("The word that others are compared with"),
    "where": to_say("Which vectors"),
    "attention": to_say("Which attention of a translator"),
    "tenths": to_say("Temperature, in tenths"),
    "k": to_say("How many words are kept"),
    "percent": to_say("Share of the probability, in percent"),
    "turn": to_say("By how many positions"),
    "new": to_say("How many tokens are written"),
    "shape": to_say("A public model"),
    "length": to_say("Length of the text, in thousands of tokens"),
    "least": to_say("Least part of the likeliest word's probability, in percent"),
    "goal": to_say("What the head is to do"),
    "made": to_say("How its numbers were made"),
    "expected": to_say("what would be right"),
    "iteration": to_say("Iteration of the training, as of one of its snapshots"),
    "strength": to_say("The largest number in the solution for “the token before”"),
}
OF_A_QUESTION = ("question", "claim", "holds", "also", "first", "own")
"""The entries of a step that need a question."""
BY_NUMBER = "#"
"""The option of a head that is chosen by its layer and number."""
NUMBERED = to_say("chosen by layer and number")
THE_LESSONS = to_say("the model of the lesson")


def question_fields(form: LessonForm, step: Path) -> None:
    """Draw all that the model is asked."""
    kind = KINDS.get(text_at(form.draft, *step, "ask", "what"))
    _kind_fields(form, step, kind)
    if kind is None:
        return
    first, *others = sorted(kind.parameters, key=lambda parameter: not parameter.is_required)
    _field(form, (*step, "ask", first.name), first, None)
    recording = _record(form, step)
    for parameter in others:
        if parameter.is_required:
            _field(form, (*step, "ask", parameter.name), parameter, recording)
    optional = [parameter for parameter in others if not parameter.is_required]
    names = [*(parameter.name for parameter in optional), "model"]
    with st.expander(tr("More"), expanded=any(part_at(form.draft, (*step, "ask", name)) for name in names)):
        for parameter in optional:
            _field(form, (*step, "ask", parameter.name), parameter, recording)
        form.choice(
            (*step, "ask", "model"), to_say("The model that answers"), {"": THE_LESSONS, **_models(form)}, optional=True
        )


def _models(form: LessonForm) -> dict[str, str]:
    """Return the models that may answer a question, and the snapshots of the training of the lesson's model."""
    asked = texts_at(form.draft, "models")[:1]
    snapshots = {name: iteration for model in asked for iteration, name in snapshots_beside(model).items()}
    return model_titles() | {
        name: worded("the same at iteration {iteration} of its training", iteration=f"{iteration:,}")
        for name, iteration in snapshots.items()
    }


def _kind_fields(form: LessonForm, step: Path, kind: LessonQuestion | None) -> None:
    """Draw the choices of how a reader answers, and of the question: of those that are answered so."""
    tap_path, what_path = (*step, "tap"), (*step, "ask", "what")
    st.segmented_control(
        tr("The reader answers with"),
        list(ANSWERED_BY),
        key=bind(tap_path, None if kind is None else kind.tap),
        required=True,
        format_func=lambda tap: said(ANSWERED_BY[tap]),
        on_change=lambda: _ask_another(
            step, next(name for name, other in KINDS.items() if other.tap == st.session_state[key_of(tap_path)])
        ),
        wrap=True,
    )
    st.selectbox(
        tr("What the model is asked"),
        [name for name, other in KINDS.items() if kind is None or other.tap == kind.tap],
        key=bind(what_path, None if kind is None else kind.name),
        format_func=lambda name: shown(KINDS[name].about),
        placeholder="…",
        on_change=lambda: _ask_another(step, st.session_state[key_of(what_path)]),
    )
    form.say_mistakes(what_path, is_empty=kind is None)


def _ask_another(step: Path, what: str | None) -> None:
    """Ask another kind of question in this step, or none: then what was said of the answer goes, too."""
    if what is not None:
        path = (*step, "ask")
        put_in_draft(path, change_kind(part_at(read_draft(draft_text()), path), what))
        if not KINDS[what].has_question:
            for name in OF_A_QUESTION:
                put_in_draft((*step, name), None)


def _record(form: LessonForm, step: Path) -> Recording | None:
    """Return the sentence of a step as the model reads it; None if it cannot."""
    models = texts_at(form.draft, "models")
    model = text_at(form.draft, *step, "ask", "model") or (models[0] if models else "")
    text = text_at(form.draft, *step, "ask", "text")
    if not text or not is_embedded(model):
        return None
    try:
        return ask(model, selection().device, Model.record, text, text_at(form.draft, *step, "ask", "text_b") or None)
    except HeadlightError as error:
        say_mistake(plain(str(error)))
        return None


def _field(form: LessonForm, path: Path, parameter: Parameter, recording: Recording | None) -> None:
    """Draw the field of one parameter, by what it may be."""
    name, label = parameter.name, LABELS[parameter.name]
    optional, read = not parameter.is_required, parameter.read
    if name == "head":
        _head_field(form, path, recording, optional=optional)
    elif isinstance(read, OneOf):
        form.choice(path, label, read.titles, optional=optional)
    elif isinstance(read, WholeNumber):
        form.number(path, label, low=read.low, high=read.high, optional=optional)
    elif name in ("query", "key", "token", "among") and recording is not None:
        record = record_of(recording, _kind_asked(form, path[:-1]))
        tokens = record.query_tokens if name == "query" else record.key_tokens
        names = {token: token for token in labels(tokens)}
        if parameter.is_list:
            form.several(path, label, names, most=MOST_WORDS, optional=optional)
        else:
            form.choice(path, label, names, optional=optional)
        for text in texts_at(form.draft, *path) or (text_at(form.draft, *path),):
            _check_token(tokens, text)
    elif parameter.is_list:
        form.several(path, label, {}, most=MOST_WORDS, optional=optional, new=True)
    else:
        most = LONGEST_TEXT if name.startswith("text") else LONGEST_WORD
        form.line(path, label, most=most, optional=optional)


def _kind_asked(form: LessonForm, asked: Path) -> str:
    """Return the kind of attention that a question is about; empty for the first one of a model."""
    return text_at(form.draft, *asked, "attention") or kind_of_head(text_at(form.draft, *asked, "head"))


def _check_token(tokens: Sequence[Token], text: str) -> None:
    """Say that a word is none of the sentence, if it is none."""
    try:
        if text:
            token_at(tokens, text)
    except HeadlightError as error:
        say_mistake(plain(str(error)))


def _head_field(form: LessonForm, path: Path, recording: Recording | None, *, optional: bool) -> None:
    """Draw the choice of a head by what it does, and sliders for one that is chosen by its numbers."""
    value = text_at(form.draft, *path)
    titles: dict[str, str] = {BY_NUMBER: said(NUMBERED)}
    titles |= {measure.name: measure.title for measure in head_measures() if measure.needs == "texts"}
    if recording is not None:
        titles |= {role.name: title_of_role(role) for role in recording.info.head_roles}
    by_number = value[-1:].isdigit()
    by_path = (*path, "by")
    titles.setdefault(value or BY_NUMBER, value)
    st.selectbox(
        said(LABELS["head"]),
        [name for name in titles if not name[-1:].isdigit()],
        key=bind(by_path, BY_NUMBER if by_number else value or None),
        format_func=lambda name: shown(titles[name]),
        placeholder="…",
        on_change=lambda: _choose_head(path, st.session_state[key_of(by_path)], recording, value),
    )
    if by_number and recording is not None:
        _head_sliders(path, value, recording)
    form.say_mistakes(path, is_empty=not value and not optional)


def _choose_head(path: Path, name: str | None, recording: Recording | None, before: str) -> None:
    """Choose a head by what it does; or by its numbers, which begin at the head that was chosen before."""
    if name != BY_NUMBER:
        put_in_draft(path, name or "")
        return
    place = "0.0"
    with suppress(HeadlightError):
        if recording is not None and before:
            found = head_by_name(recording, before)
            of_first = found.record is recording.attention[0]
            place = f"{'' if of_first else found.record.kind} {found.layer}.{found.head}".strip()
    put_in_draft(path, place)


def _head_sliders(path: Path, value: str, recording: Recording) -> None:
    """Draw the sliders of a layer and a head."""
    of_kind, place_of_head = kind_of_head(value), value.rpartition(" ")[2]
    record = record_of(recording, of_kind)
    sizes = (tr("Layer"), record.n_layers), (tr("Head"), record.n_heads)
    chosen = [int(number) if number.isascii() and number.isdecimal() else 0 for number in place_of_head.split(".")]
    paths = [(*path, place) for place in range(2)]

    def take() -> None:
        numbers = ".".join(str(st.session_state[key_of(place)]) for place in paths)
        put_in_draft(path, f"{of_kind} {numbers}".strip())

    for column, place, (label, most), number in zip(beside(key_of(path), 2), paths, sizes, chosen, strict=False):
        options = list(range(max(most, number + 1)))
        column.select_slider(label, options, key=bind(place, number), on_change=take)
