"""A lesson is read, or every mistake in it is said with its line; nothing that a stranger writes is believed."""

from __future__ import annotations

import time
from pathlib import Path

import pytest
import yaml

from lessons import Known, read_lesson, yaml_lines
from lessons.yaml_lines import DEEPEST, MOST_BYTES, read_yaml
from models.values.errors import LessonError

GOOD = """\
title: One row
about: What a row is.
minutes: 5
models: [mini-bert]
steps:
  - title: A row
    text: A head looks.
    question: Where does “cat” look?
    ask:
      what: strongest-key
      text: "The cat sat: it slept."
      query: cat
      head: previous
    also:
      next:
        what: strongest-key
        text: The cat sat.
        query: cat
        head: next
    view: attention?quantity=weights
    claim: >
      “{query}” gives {share} to “{answer}”, and in another head {next.share} to “{next.answer}”.
    holds:
      - share is at least 50 %
      - answer is "the"
      - next.share is more than next.second_share
    own: no
"""


def a_model(name: str) -> None:
    if name != "mini-bert":
        raise ValueError(f"{name!r} is no model")


def a_view(link: str) -> None:
    if not link.startswith("attention"):
        raise ValueError(f"{link!r} is no link")


KNOWN = Known(model=a_model, view=a_view, lesson=a_view)


def mistakes(text: str) -> list[tuple[int, str]]:
    with pytest.raises(LessonError) as caught:
        read_lesson(text, KNOWN)
    return list(caught.value.mistakes)


def test_a_lesson_is_read_whole() -> None:
    lesson = read_lesson(GOOD, KNOWN)
    (step,) = lesson.steps
    assert (lesson.title, lesson.minutes, lesson.models) == ("One row", 5, ("mini-bert",))
    assert step.ask.text("text") == "The cat sat: it slept."
    assert [name for name, _ in step.also] == ["next"]
    assert [(each.left, each.relation, each.right) for each in step.holds] == [
        ("share", "is at least", "50 %"),
        ("answer", "is", '"the"'),
        ("next.share", "is more than", "next.second_share"),
    ]
    assert step.own is False
    assert step.line == 6


@pytest.mark.parametrize(
    ("old", "new", "line", "says"),
    [
        ("title: One row", "titel: One row", 1, "'titel' does not belong to a lesson"),
        ("minutes: 5", "minutes: five", 3, "whole number from 1 to 60"),
        ("[mini-bert]", "[maxi-bert]", 4, "'maxi-bert' is no model"),
        ('what: strongest-key\n      text: "The', 'what: weakest-key\n      text: "The', 10, "no kind of answer"),
        ("      query: cat\n      head: previous", "      head: previous", 10, "“query” is missing"),
        ("head: previous", "head: 3-1", 13, "no head"),
        ("view: attention?", "view: nowhere?", 20, "no link"),
        ("{share}", "{weight}", 21, "'weight' is no fact"),
        ("“{answer}”", "“{answer”", 21, "braces"),
        ("share is at least", "share is as least", 24, "no comparison"),
        ("next.share is more", "text.share is more", 26, "'text.share' is no fact"),
        ("than next.second_share", "than next.third_share", 26, "'next.third_share' is no fact"),
        ("own: no", "own: perhaps", 27, "expected one of yes, no"),
        ("own: no", "run: rm -rf /", 27, "'run' does not belong to a step"),
        ("    claim: >", "\tclaim: >", 21, "a tab in this line"),
        ("title: One row", "title: One: row", 1, "a colon is not expected here"),
        ("      query: cat", "     query: cat", 12, "as far right as its neighbours"),
        ("query: cat", "query: [MASK] cat", 12, "must stand in quotes"),
        ("query: cat", "query: [MASK]", 12, "begins with “["),
        ("query: cat", "query: *cat*", 12, "must stand in quotes"),
        ("query: cat", "query: 'tis a cat's", 12, "end with the same one"),
        ("query: cat", 'query: "cat" on the mat', 12, "end with the same one"),
        ("minutes: 5", "minutes: 5\nminutes: 6", 4, "stands here twice"),
    ],
)
def test_a_mistake_is_said_with_its_line(old: str, new: str, line: int, says: str) -> None:
    assert old in GOOD
    found = mistakes(GOOD.replace(old, new, 1))
    assert any(at == line and says in what for at, what in found), found


def test_all_mistakes_are_said_at_once() -> None:
    assert len(mistakes(GOOD.replace("minutes: 5", "minutes: 0").replace("own: no", "own: 1"))) == 2


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("", "empty"),
        ("just words", "expected here"),
        ("a: &a [x]\nb: *a", "anchors"),
        ("a: !!python/object/apply:os.system ['id']", "tags"),
        ("a: " + "[" * (DEEPEST + 2) + "]" * (DEEPEST + 2), "nested too deeply"),
        ("[" * 30_000, "nested too deeply"),
        ("{" * 30_000, "nested too deeply"),
        ("x" * (MOST_BYTES + 1), "bytes"),
        ("- a\n" * 10_000, "parts"),
        ("title: a\n---\ntitle: b", "one lesson"),
        ('title: "a\nabout: b', "end with the same one"),
        ("title: \x00", "UTF-8"),
        ("title: \ud800", "YAML"),
        ("? [a]\n: b", "plain text"),
        ("%YAML 9.9\n---\na: b", "YAML"),
    ],
)
def test_a_hostile_file_is_one_quick_sentence(text: str, says: str) -> None:
    begun = time.monotonic()
    found = mistakes(text)
    assert says in found[0][1]
    assert time.monotonic() - begun < 20  # seconds, on a machine that does much else


def test_a_lesson_is_read_alike_without_the_fast_parser(monkeypatch: pytest.MonkeyPatch) -> None:
    texts = [file.read_text("utf-8") for file in Path(yaml_lines.__file__).parent.rglob("*.yaml")]
    fast = [repr(read_yaml(text)) for text in texts]
    read_yaml.cache_clear()
    monkeypatch.setattr(yaml, "__with_libyaml__", False)
    assert [repr(read_yaml(text)) for text in texts] == fast


def test_a_tab_that_the_fast_parser_takes_is_refused() -> None:
    text = GOOD.replace("title: One", "title:\tOne", 1)
    assert len(list(yaml.parse(text, Loader=yaml.CSafeLoader))) > 20
    with pytest.raises(LessonError, match="tab in this line"):
        read_yaml(text)
