"""The sheet of a lesson: its questions, room to write, and the answers of the model on a page of their own."""

from __future__ import annotations

import re
import sys
from dataclasses import replace
from html.parser import HTMLParser
from pathlib import Path

import pytest

from lessons import Lesson, Outcome, answer_ask, facts_of, fill_template
from tests.loaded import load
from ui.lessons import sheet as command
from ui.lessons.library import own_lessons
from ui.lessons.sheet import sheet_html
from viz.kit.language import read_in, shown

KEY = '<div class="key">'


class TextOf(HTMLParser):
    """What a reader sees of a document, and the names of its elements."""

    def __init__(self, document: str) -> None:
        super().__init__()
        self.names: set[str] = set()
        self.text = ""
        self.feed(document)

    def handle_starttag(self, tag: str, attributes: object) -> None:
        self.names.add(tag)

    def handle_data(self, data: str) -> None:
        self.text += data


def answered(lesson: Lesson) -> list[dict[str, Outcome]]:
    asked = [step.asks for step in lesson.steps]
    return [
        {name: answer_ask(load(ask.model or lesson.models[0]), ask) for name, ask in asks.items()} for asks in asked
    ]


@pytest.mark.parametrize("language", ["en", "ko"])
def test_a_sheet_has_every_question_and_its_key_every_claim(language: str) -> None:
    with read_in(language):
        lesson = own_lessons()["attention"].lesson
        answers = answered(lesson)
        questions, key = (TextOf(part).text for part in sheet_html(lesson, answers, model="m").split(KEY))
        assert re.search(r"[{}]", key) is None
        assert ("My guess" in questions) is (language == "en")
        for step, outcomes in zip(lesson.steps, answers, strict=True):
            claim = fill_template(step.claim, facts_of(outcomes), shown)
            assert fill_template(step.question, facts_of(outcomes), shown) in questions
            assert claim in key
            assert claim not in questions
            assert all(option in questions for option in outcomes[""].options)


def test_a_claim_that_does_not_hold_is_not_in_the_key() -> None:
    lesson = own_lessons()["attention"].lesson
    first = replace(lesson.steps[0], claim="There are ten.", holds=(replace(lesson.steps[0].holds[0], right="10"),))
    sheet = sheet_html(replace(lesson, steps=(first,)), answered(replace(lesson, steps=(first,))), model="m")
    assert "There are ten." not in sheet


def test_what_an_author_writes_stays_text() -> None:
    lesson = own_lessons()["attention"].lesson
    hostile = replace(lesson.steps[0], text="<script>alert(1)</script>", title='"><img src=x>')
    changed = replace(lesson, title="<b>bold</b>", steps=(hostile, *lesson.steps[1:]))
    read = TextOf(sheet_html(changed, answered(lesson), model="<i>"))
    assert not read.names & {"script", "img", "b", "i"}
    assert "<script>alert(1)</script>" in read.text


def test_the_command_writes_it(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    out = tmp_path / "masks.html"
    monkeypatch.setattr(command, "load", load)
    monkeypatch.setattr(sys, "argv", ["ui.lessons.sheet", "masks", "--language", "ko", "--out", str(out)])
    command.main()
    assert '<html lang="ko">' in out.read_text(encoding="utf-8")


def test_the_command_says_what_there_is(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr(sys, "argv", ["ui.lessons.sheet", "no-lesson", "--out", "x.html"])
    with pytest.raises(SystemExit) as ended:
        command.main()
    assert ended.value.code == 1
    assert "no-lesson" in capsys.readouterr().err


def test_a_sentence_that_is_read_and_written_stands_once() -> None:
    lesson = own_lessons()["attention"].lesson
    step = lesson.steps[1]
    once = replace(lesson, steps=(step,))
    ask = step.ask.about({"text_b": step.ask.text("text")})
    twice = replace(lesson, steps=(replace(step, ask=ask),))
    assert sheet_html(twice, answered(once), model="m").count('<p class="sentence">') == 1
