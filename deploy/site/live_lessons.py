"""The lessons whose questions a browser answers: which they are, and what their page needs of them."""

from __future__ import annotations

from typing import Any

from lessons import KINDS, Ask, Lesson, LessonStep
from lessons.answers.effects import MOST
from lessons.answers.vectors import COUNTED
from models.analysis import head_measures
from models.model import Model
from ui.lessons.library import own_lessons
from ui.state.portable import is_portable
from viz.kit.language import said

ANSWERED = frozenset(
    {
        *("strongest-key", "weight", "row-sum", "strongest-head", "measured-head"),
        *("score-ratio", "best-score", "without-root", "shortest-value", "how-many", "most-alike", "same-word"),
        *("likeliest-word", "word-probability", "how-sure", "with-temperature", "share-of-best", "words-kept"),
        *("likeliest-sentence", "follows", "head-off", "heads-that-matter"),
        *("other-order", "nearest-position", "turned-likeness"),
    }
)
"""The kinds of questions that `viz/viewer/frontend/answers/` computes."""
MEASURED = ("previous", "next", "special")
"""What it measures of heads in a text."""


def live_lessons(models: dict[str, Model]) -> dict[str, Lesson]:
    """Return the lessons of the current language of which a browser with these models can serve every step."""
    return {name: named.lesson for name, named in own_lessons().items() if _is_live(named.lesson, models)}


def _is_live(lesson: Lesson, models: dict[str, Model]) -> bool:
    return all(
        len({ask.model for ask in step.asks.values()}) == 1
        and all(_is_answered(ask, models.get(ask.model or lesson.models[0])) for ask in step.asks.values())
        for step in lesson.steps
    )


def _is_answered(ask: Ask, model: Model | None) -> bool:
    if model is None or ask.what not in ANSWERED or not is_portable(model.info.name):
        return False
    head, measure = ask.text("head"), ask.text("measure")
    known = {"", MOST, *MEASURED, *known_roles(model)}
    return (head in known or head.replace(".", "").isdecimal()) and measure in ("", *MEASURED)


def known_roles(model: Model) -> dict[str, dict[str, Any]]:
    """Return for everything that heads were found to do the head that does it most, with what was measured of it."""
    best: dict[str, Any] = {}
    for role in model.info.head_roles:
        if role.name not in best or role.share > best[role.name].share:
            best[role.name] = role
    return {
        name: {
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
            "says": said(kind.says),
            "required": {parameter.name: parameter.is_required for parameter in kind.parameters},
        }
        for name, kind in KINDS.items()
        if name in ANSWERED
    }


def described(lesson: Lesson) -> dict[str, Any]:
    """Return a lesson as its page reads it."""
    return {
        "title": lesson.title,
        "about": lesson.about,
        "minutes": lesson.minutes,
        "steps": [_step(step, lesson.models[0]) for step in lesson.steps],
    }


def _step(step: LessonStep, model: str) -> dict[str, Any]:
    return {
        "title": step.title,
        "text": step.text,
        "question": step.question,
        "claim": step.claim,
        "model": step.ask.model or model,
        "asks": {name: {"what": ask.what, **dict(ask.given)} for name, ask in step.asks.items()},
        "holds": [[condition.left, condition.relation, condition.right] for condition in step.holds],
        "view": step.view.partition("?")[0],
        "first": step.first,
        "own": step.own,
    }
