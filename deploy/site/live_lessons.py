"""The lessons whose questions a browser answers: which they are, and what their page needs of them."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Any

from lessons import KINDS, Ask, Fact, Lesson, LessonStep, Outcome, answer_ask
from lessons.answers.effects import MOST
from lessons.answers.vectors import COUNTED
from lessons.places import head_to_begin_with, kind_of_head
from lessons.values import Relation
from models.analysis import head_measures
from models.model import Model
from models.values.record import Recording
from ui.lessons.library import own_lessons
from viz.kit.language import said

ANSWERED = frozenset(
    {
        *("strongest-key", "weight", "row-sum", "strongest-head", "measured-head"),
        *("score-ratio", "best-score", "without-root", "shortest-value", "how-many", "most-alike", "same-word"),
        *("likeliest-word", "word-probability", "how-sure", "with-temperature", "share-of-best", "words-kept"),
        *("likeliest-sentence", "follows", "head-off", "heads-that-matter"),
        *("other-order", "nearest-position", "turned-likeness"),
        *("may-see", "visible-cells", "answer-sum", "strongest-writer", "settled-after", "left-out", "important-word"),
        *("tokens-read", "cache-a-token", "row-in-blocks", "min-p-kept"),
    }
)
"""The kinds of questions that `viz/viewer/frontend/answers/` computes."""
STORED = frozenset({"made-by-hand", "cache-of", "loss-at", "begins-at"})
"""The kinds whose outcome is computed when the site is made, and lies in the page: of heads made by hand, of public
models, of all snapshots of a training. No reader asks them about another sentence."""
MEASURED = ("previous", "next", "special")
"""The measures of a head in a text that it computes, by name."""
RELATIONS: Mapping[Relation, str] = {
    "is": "=",
    "is not": "≠",
    "is at least": "≥",
    "is at most": "≤",
    "is more than": ">",
    "is less than": "<",
}
"""How the page reads the comparisons of a claim."""


def live_lessons(models: Mapping[str, Model]) -> dict[str, tuple[Lesson, str]]:
    """Return the lessons of the current language of which a browser with these models can serve every step, each with
    the name of the model that answers."""
    found = {}
    for name, named in own_lessons().items():
        answers = next((model for model in named.lesson.models if model in models), "")
        if answers and all(_is_live(step, answers, models) for step in named.lesson.steps):
            found[name] = named.lesson, answers
    return found


def _is_live(step: LessonStep, answers: str, models: Mapping[str, Model]) -> bool:
    """Return whether one model of a browser answers all questions of a step whose outcome is not stored."""
    model = models.get(_model_of(step, answers))
    asked = {ask.model or answers for ask in _computed(step)}
    return len(asked) <= 1 and all(_is_answered(ask, model) for ask in step.asks.values())


def _computed(step: LessonStep) -> list[Ask]:
    return [ask for ask in step.asks.values() if ask.what not in STORED]


def _model_of(step: LessonStep, answers: str) -> str:
    """Return the name of the model that answers a step in a browser."""
    return next((ask.model for ask in _computed(step) if ask.model), answers)


def _is_answered(ask: Ask, model: Model | None) -> bool:
    if ask.what in STORED:
        return True
    if model is None or ask.what not in ANSWERED:
        return False
    if ask.text("method") != ("raw" if ask.what == "important-word" else ""):
        return False
    head, measure = ask.text("head"), ask.text("measure")
    numbers = head.removeprefix(f"{kind_of_head(head)} ").replace(".", "")
    is_known = head in {"", MOST, *MEASURED, *known_roles(model)} or numbers.isdecimal()
    return is_known and measure in {"", *MEASURED}


def known_roles(model: Model) -> dict[str, dict[str, Any]]:
    """Return for everything that heads were found to do the head that does it most, with what was measured of it."""
    best: dict[str, Any] = {}
    for role in model.info.head_roles:
        if role.name not in best or role.share > best[role.name].share:
            best[role.name] = role
    return {
        name: {
            "kind": role.kind,
            "layer": role.layer,
            "head": role.head,
            "does": said(role.title),
            "share": role.share,
            "baseline": role.baseline,
            "baseline_of": said(role.baseline_of),
            "gain": role.gain,
            "n": role.n,
        }
        for name, role in best.items()
    }


def known_words() -> dict[str, dict[str, str]]:
    """Return the names of what is counted and measured, in the current language."""
    return {
        "counted": {name: said(title) for name, title in COUNTED.items()},
        "measures": {measure.name: said(measure.title) for measure in head_measures() if measure.name in MEASURED},
    }


def described_kinds() -> dict[str, dict[str, Any]]:
    """Return of every kind of question that a browser answers what a page says of it, in the current language."""
    return {
        name: {
            "tap": kind.tap,
            "about": said(kind.about),
            "asks": said(kind.asks or kind.about),
            "says": said(kind.says),
            "required": {parameter.name: parameter.is_required for parameter in kind.parameters},
        }
        for name, kind in KINDS.items()
        if name in ANSWERED | STORED
    }


def described(lesson: Lesson, answers: str, model: Model) -> dict[str, Any]:
    """Return a lesson that a model answers as its page reads it."""
    return {
        "title": lesson.title,
        "about": lesson.about,
        "minutes": lesson.minutes,
        "steps": [_step(step, answers, model) for step in lesson.steps],
    }


def _step(step: LessonStep, answers: str, model: Model) -> dict[str, Any]:
    return {
        "title": step.title,
        "text": step.text,
        "question": step.question,
        "claim": step.claim,
        "model": _model_of(step, answers),
        "asks": {name: _asked(ask, model) for name, ask in step.asks.items()},
        "holds": [[condition.left, RELATIONS[condition.relation], condition.right] for condition in step.holds],
        "view": step.view.partition("?")[0],
        "begins": _begins(step, model) if _model_of(step, answers) == answers else {},
        "first": step.first,
        "own": step.own and step.ask.what not in STORED,
    }


def _begins(step: LessonStep, model: Model) -> dict[str, Any]:
    """Return the head that a map of a text begins with where the question is about none."""
    text = step.ask.text("text")
    if not text or step.ask.what in STORED:
        return {}
    begins = head_to_begin_with(_recorded(model, text, step.ask.text("text_b")), step.ask.text("attention"))
    return {"kind": begins.record.kind, "layer": begins.layer, "head": begins.head}


@cache
def _recorded(model: Model, text: str, text_b: str) -> Recording:
    """Record a text; the steps of a lesson share few of them."""
    return model.record(text, text_b or None)


def _asked(ask: Ask, model: Model) -> dict[str, Any]:
    """Return a question as the page reads it; one that asks no model with its outcome."""
    asked: dict[str, Any] = {"what": ask.what, **dict(ask.given)}
    return asked | {"outcome": _stored(answer_ask(model, ask))} if ask.what in STORED else asked


def _stored(outcome: Outcome) -> dict[str, Any]:
    """Return an outcome as `answers/` gives it, its facts written in the current language."""
    place = {part: getattr(outcome, part) for part in ("kind", "layer", "head", "position")}
    return {name: value for name, value in place.items() if value not in ("", None)} | {
        "number": None if outcome.options else outcome.number,
        "options": [{"is": "said", "value": str(option), "written": said(option)} for option in outcome.options],
        "right": sorted(outcome.right),
        "low": outcome.low,
        "high": outcome.high,
        "facts": {name: _fact(fact) for name, fact in outcome.facts},
        "bars": [[{"is": "word", "value": said(name)}, _fact(fact)] for name, fact in outcome.bars],
    }


def _fact(fact: Fact) -> dict[str, Any]:
    return {"is": "said", "value": fact.value, "written": said(fact.written)}
