"""The page "Make a lesson" as a teacher uses it who is no programmer, and as one who writes YAML."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from lessons import KINDS
from lessons.drafts import n_steps, part_at, put, read_draft, text_at, texts_at, write_draft
from tests.ui.lessons.test_page import without_marks
from ui.lessons.answer_form import COMPUTED, STATED
from ui.lessons.draft import TEXT
from ui.lessons.fields import EMPTY, key_of
from ui.lessons.library import first_lesson, lesson_of, own_lessons, pack_lesson
from ui.lessons.question_form import BY_NUMBER

PAGE = Path(__file__).resolve().parents[3] / "pages" / "make_a_lesson.py"
BEGIN = first_lesson()
STEP = ("steps", 0)


def opened(text: str = BEGIN, **choices: str) -> AppTest:
    """The page in a session that has this draft."""
    app = AppTest.from_file(str(PAGE), default_timeout=390)
    app.session_state[TEXT] = text
    for name, value in choices.items():
        app.query_params[name] = value
    return app.run()


def text_of(app: AppTest) -> str:
    return str(app.session_state[TEXT])


def said(app: AppTest) -> str:
    kinds = (app.header, app.subheader, app.markdown, app.warning, app.error, app.caption)
    return without_marks(" ".join(element.value for kind in kinds for element in kind))


def write(app: AppTest, kind: str, *path: str | int, value: object) -> AppTest:
    """Change one field of the form."""
    app = getattr(app, kind)(key=key_of(path)).set_value(value).run()
    assert not app.exception
    return app


def choose_step(app: AppTest, number: int) -> AppTest:
    (row,) = [pills for pills in app.pills if (pills.key or "").startswith("lesson-step-of-")]
    return row.set_value(number).run()


def press(app: AppTest, name: str) -> AppTest:
    app = app.button(key=f"lesson-{name}").click().run()
    assert not app.exception
    return app


def test_a_lesson_is_written_with_the_form_alone() -> None:
    app = write(opened(), "text_input", "title", value="Where it looks")
    app = write(app, "text_input", *STEP, "title", value="A verb looks")
    app = write(app, "text_area", *STEP, "text", value="Heads look.\n\nEach in its own way: see.")
    app = write(app, "text_input", *STEP, "question", value="Where does “sat” look?")
    app = write(app, "text_input", *STEP, "ask", "text", value="The cat sat on the mat.")
    assert "“chased” is none of the tokens" in said(app)
    app = write(app, "selectbox", *STEP, "ask", "query", value="sat")
    app = write(app, "selectbox", *STEP, "ask", "head", "by", value=BY_NUMBER)
    app = write(app, "select_slider", *STEP, "ask", "head", 0, value=3)
    app = write(app, "button_group", *STEP, "right", value=COMPUTED)
    app = write(app, "text_area", *STEP, "claim", value="At “{answer}”.")
    lesson = lesson_of(text_of(app))
    (step,) = lesson.steps
    assert (lesson.title, step.title, step.question) == ("Where it looks", "A verb looks", "Where does “sat” look?")
    assert step.text == "Heads look.\n\nEach in its own way: see."
    assert step.ask.text("head") == "3.2"
    assert (step.ask.text("query"), step.holds, step.claim) == ("sat", (), "At “{answer}”.")
    assert "Where does “sat” look?" in said(app)


def test_the_notes_of_the_author_outlive_the_form() -> None:
    app = write(opened(), "text_input", *STEP, "title", value="Another")
    notes = re.findall("#.*", BEGIN)
    assert re.findall("#.*", text_of(app)) == notes


def test_what_the_model_computed_is_the_first_answer() -> None:
    app = write(opened(), "button_group", *STEP, "right", value=COMPUTED)
    assert not lesson_of(text_of(app)).steps[0].holds
    app = write(app, "button_group", *STEP, "right", value=STATED)
    (holds,) = lesson_of(text_of(app)).steps[0].holds
    assert (holds.left, holds.relation, holds.right) == ("answer", "is", '"dog"')
    app = write(app, "text_input", *STEP, "holds", 0, "value", value="cat")
    assert 'answer is dog, expected: is "cat"' in said(app)


@pytest.mark.parametrize("tap", ["head", "choice", "number", "token", "nothing"])
def test_every_way_to_answer_has_its_questions(tap: str) -> None:
    begin = opened(BEGIN.replace("strongest-key", "best-score") if tap == "token" else BEGIN)
    app = write(begin, "button_group", *STEP, "tap", value=tap)
    kinds = [name for name, kind in KINDS.items() if kind.tap == tap]
    for name in kinds:
        app = write(app, "selectbox", *STEP, "ask", "what", value=name)
        assert text_at(read_draft(text_of(app)), *STEP, "ask", "what") == name
        assert "does not belong" not in said(app)
    if tap == "nothing":
        assert EMPTY not in said(app)
        assert not lesson_of(text_of(app)).steps[0].holds


def test_steps_are_added_moved_and_deleted_and_that_is_undone() -> None:
    app = press(opened(), "add")
    draft = read_draft(text_of(app))
    assert n_steps(draft) == 2
    assert part_at(draft, ("steps", 1, "ask")) == part_at(draft, ("steps", 0, "ask"))
    assert said(app).count(EMPTY) == 4
    assert "Which token" not in said(app)
    app = write(app, "text_input", "steps", 1, "title", value="Second")
    app = press(app, "earlier")
    assert [text_at(read_draft(text_of(app)), "steps", at, "title") for at in (0, 1)] == [
        "Second",
        "A token looks back",
    ]
    app = press(press(app, "later"), "delete")
    assert text_at(read_draft(text_of(app)), "steps", 0, "title") == "A token looks back"
    assert n_steps(read_draft(press(app, "undo").session_state[TEXT])) == 2


def test_a_mistake_stands_at_its_field_and_the_preview_waits() -> None:
    text = BEGIN.replace("minutes: 5", "minutes: long").replace("query: chased", "")
    app = opened(text)
    assert not app.exception
    marks = [element.value for element in app.caption if element.value.startswith(":red[")]
    assert len(marks) == 2
    assert all("Fill this in" in mark or "whole number from 1 to 60" in mark.replace("\\", "") for mark in marks)
    assert not app.header
    assert app.button(key="lesson-read").disabled
    assert text_of(app) == text


def test_another_step_may_be_wrong_while_one_is_tried() -> None:
    app = press(opened(), "add")
    app = choose_step(app, 0)
    assert app.header[0].value == "A token looks back"


def test_what_no_form_has_is_kept_and_said() -> None:
    draft = put(
        put(read_draft(BEGIN), ("colour",), "red"), (*STEP, "also"), {"other": {"what": "how-many", "of": "heads"}}
    )
    app = write(opened(write_draft(draft)), "text_input", "title", value="New")
    assert "colour" in said(app)
    assert "also (other)" in said(app)
    draft = read_draft(text_of(app))
    assert text_at(draft, "colour") == "red"
    assert text_at(draft, *STEP, "also", "other", "of") == "heads"


def as_yaml(app: AppTest) -> AppTest:
    return app.toggle(key="lesson-as-yaml").set_value(True).run()


def test_the_text_and_the_form_show_the_same() -> None:
    app = as_yaml(opened())
    assert app.text_area(key="lesson-area").value == BEGIN
    app = app.text_area(key="lesson-area").set_value(BEGIN.replace("answer is dog", "answer is cat")).run()
    assert "answer is dog, expected: is cat" in said(app)
    app = app.text_area(key="lesson-area").set_value(BEGIN.replace("My first lesson", "My second lesson")).run()
    app = app.toggle(key="lesson-as-yaml").set_value(False).run()
    assert app.text_input(key=key_of(("title",))).value == "My second lesson"


def test_an_author_is_told_every_mistake_with_its_line() -> None:
    text = BEGIN.replace("minutes: 5", "minutes: long").replace("query: chased", "")
    app = as_yaml(opened(text))
    assert not app.exception
    assert "2 to mend" in said(app)
    line = 1 + BEGIN.splitlines().index("minutes: 5")
    assert f"Line {line}: “minutes” is 'long', expected a whole number from 1 to 60." in said(app)
    assert "minutes: long" in [each.value for each in app.text]


@pytest.mark.parametrize("text", ["", "title: [", "- a", "\x00", "a: &b c"])
def test_a_text_that_is_no_lesson_can_be_mended_as_text(text: str) -> None:
    app = opened(text)
    assert not app.exception
    assert "1 to mend" in said(app)
    app = app.text_area(key="lesson-area").set_value(BEGIN).run()
    assert app.text_input(key=key_of(("title",))).value == "My first lesson"


@pytest.mark.parametrize(
    "odd", ["**bold** <b>x</b> [a](javascript:x) :smile:", "# no note", "a: b", "{", "- x", "한국어", '"']
)
def test_words_of_an_author_stay_words(odd: str) -> None:
    app = opened()
    for kind, *path in (("text_input", "title"), ("text_input", *STEP, "title"), ("text_area", *STEP, "text")):
        app = write(app, kind, *path, value=odd)
        assert text_at(read_draft(text_of(app)), *path) == odd
    app = write(app, "text_input", *STEP, "ask", "text", value=odd)
    assert not app.exception


def test_the_claims_are_checked_with_every_model() -> None:
    app = press(opened(BEGIN.replace("[headlight-bert]", "[headlight-bert, mini-bert]")), "check")
    (step,) = lesson_of(BEGIN).steps
    for model in ("headlight-bert", "mini-bert"):
        assert f"{model}, step “{step.title}” (line {step.line}): true" in said(app)


def test_a_lesson_of_the_app_can_be_copied_to_begin_with() -> None:
    app = opened()
    app = app.selectbox(key="lesson-to-copy").select("positions").run()
    app = press(app, "copy")
    assert text_of(app) == own_lessons()["positions"].text
    assert text_of(press(app, "undo")) == BEGIN


def test_the_lesson_of_a_link_takes_the_place_of_the_draft_once() -> None:
    other = own_lessons()["positions"].text
    app = opened(lesson_text=pack_lesson(other))
    assert text_of(app) == other
    app = write(app, "text_input", "title", value="Mine")
    assert texts_at(read_draft(text_of(app)), "models")
    assert text_at(read_draft(text_of(app)), "title") == "Mine"
