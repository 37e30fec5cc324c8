"""The lessons of the site: a model in the browser, with its weights in 8 bits, gives the answers that the app gives."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, Page

from deploy.site.live import WORDS, _portable, asked_snapshots
from deploy.site.live_lessons import ANSWERED, MEASURED, described, known_roles, known_words, live_lessons
from lessons import KINDS, Ask, LessonStep, Outcome, answer_ask
from lessons.claims import FACT
from lessons.parameters import OneOf
from lessons.verdicts import is_right
from tests.browser.files import served_files
from tests.closeness import assert_close
from tests.loaded import load
from viz.kit.language import LANGUAGES, read_in
from viz.viewer.engine import ANSWERING, engine_script
from viz.viewer.html import joined_modules

MODELS = (*WORDS["en"].models, *asked_snapshots())
LIVE = [
    *("vectors", "attention", "heads", "queries-keys-values", "residual-stream", "next-word", "masks"),
    *("positions", "encoder-decoder", "how-it-learns", "what-bert-learned", "what-a-head-does", "explanation"),
    *("finding-again", "cost", "by-hand"),
]
IN_ENGLISH_ALONE = {"explanation"}
"""Lessons that the Korean site does not have: in Korean they ask a classifier."""
OPEN = """async ([name, known]) => {
  const [weights, settings] = await Promise.all([fetch(`/${name}.bin`), fetch(`/${name}.json`)]);
  const opened = { weights: await weights.arrayBuffer(), ...(await settings.json()) };
  window.model = new answering_js.Answering(new reader_js.Reader(opened), { name, ...known });
}"""
ANSWER = """({ asks, holds }) => {
  const outcomes = Object.fromEntries(Object.entries(asks).map(([name, ask]) => [name, model.answer(ask)]));
  return { outcomes, isTrue: lesson_words_js.isTrue(holds, lesson_words_js.factsOf(outcomes)) };
}"""
CHOICES = {"head"} | {each.name for kind in KINDS.values() for each in kind.parameters if isinstance(each.read, OneOf)}
"""The parameters that decide how a question is answered; the others are its text and the places in it."""
ROUNDING = {"share": 0.06, "number": 0.1, "count": 0.15, "small": 1e-6, "said": 1e-9}
"""How far the rounding of weights to 8 bits moves a fact, of 1 or of its size; what is `said` comes from Python."""


@pytest.fixture(scope="module")
def answering(browser: Browser, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Page]:
    """A page that answers, and the files of the models that the site has."""
    folder = tmp_path_factory.mktemp("models")
    for name in MODELS:
        portable = _portable(name)
        settings = {"tokenizer": portable.tokenizer, "config": portable.config}
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / f"{name}.bin").write_bytes(portable.weights)
        (folder / f"{name}.json").write_text(json.dumps(settings), encoding="utf-8")
    with served_files(folder) as address:
        page = browser.new_page()
        page.goto(address)
        page.add_script_tag(content=f"{joined_modules('lesson_words.js')}\n{engine_script(ANSWERING)}")
        yield page
        page.close()


def steps_of(language: str) -> Iterator[tuple[str, LessonStep, dict[str, Any]]]:
    """Yield every step of the live lessons of a language: its name, the step, and the same as its page reads it."""
    with read_in(language):
        live = live_lessons({name: load(name) for name in MODELS})
        assert list(live) == [name for name in LIVE if language == "en" or name not in IN_ENGLISH_ALONE]
        for name, (lesson, answers) in live.items():
            told = described(lesson, answers, load(answers))["steps"]
            for number, step in enumerate(lesson.steps, start=1):
                yield f"{language} {name} {number}", step, told[number - 1]


def test_the_page_answers_as_the_app_does_and_its_claims_hold(answering: Page) -> None:
    steps = [step for language in LANGUAGES for step in steps_of(language)]
    asked = {(told["model"], repr(step.asks)): (name, step, told) for name, step, told in reversed(steps)}
    opened, compared = "", set[tuple[object, ...]]()
    for (model, _), (name, step, told) in sorted(asked.items(), key=lambda one: one[0][0]):  # languages share steps
        if model != opened:
            answering.evaluate(OPEN, [model, {"roles": known_roles(load(model)), **known_words()}])
            opened = model
        found = answering.evaluate(ANSWER, told)
        assert found["isTrue"], name
        words = " ".join((step.text, step.question, step.claim, *(f"{{{each.left}}}" for each in step.holds)))
        said = {match[1] for match in FACT.finditer(words)}
        for about, ask in step.asks.items():
            of_ask = frozenset(fact for before, _, fact in (one.rpartition(".") for one in said) if before == about)
            question = question_of(ask, model), of_ask
            if question in compared:
                continue
            compared.add(question)
            outcome = found["outcomes"][about], answer_ask(load(ask.model or model), ask)
            expect_same(*outcome, of_ask, f"{name} {about}", is_asked=not about)


def question_of(ask: Ask, model: str) -> tuple[object, ...]:
    """Return which model is asked, and how. Questions that differ in the text and the places in it alone are the same:
    of those that say the same facts, one is compared."""
    chosen = (value for name, value in ask.given if name in CHOICES)
    return ask.what, ask.model or model, *(name for name, _ in ask.given), *chosen


def expect_same(found: dict[str, Any], expected: Outcome, said: set[str], name: str, *, is_asked: bool) -> None:
    """Hold an outcome of the page to that of the app; words also where the step has `said` them, and what can be
    tapped where it `is_asked`."""
    if is_asked:
        expect_same_choice(found, expected, name)
    assert sorted(found["facts"]) == sorted(fact for fact, _ in expected.facts), name
    for fact, known in expected.facts:
        computed = found["facts"][fact]
        if not isinstance(known.value, str):
            magnitude = max(1.0, abs(known.value))
            tolerance = ROUNDING[computed["is"]]
            value, where = computed["value"], f"{name} {fact}"
            assert_close(value, known.value, tolerance=tolerance, magnitude=magnitude, err_msg=where)
        elif fact in said:
            assert computed["value"] == str(known.value), f"{name} {fact}"


def expect_same_choice(found: dict[str, Any], expected: Outcome, name: str) -> None:
    """Hold what a reader chooses from, what is right, and where it is seen to those of the app."""
    assert set(found["right"]) == expected.right, name
    assert [option["value"] for option in found["options"]] == [str(option) for option in expected.options], name
    if not expected.options:
        assert is_right(found["number"], expected), name
    assert found.get("kind", expected.kind) == expected.kind, name
    for part in ("low", "high", "layer", "head", "position"):
        assert found.get(part) == getattr(expected, part), f"{name} {part}"


def test_every_kind_of_question_that_is_named_is_answered(answering: Page) -> None:
    assert set(answering.evaluate("Object.keys(answering_js.ANSWERED)")) == ANSWERED
    assert set(answering.evaluate("Object.keys(measures_js.MEASURES)")) == set(MEASURED)
