"""The view of a step: a link into the app, parsed like its addresses, so that a wrong one is an error."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import parse_qsl

from lessons import Ask, Outcome
from lessons.places import head_to_begin_with
from models.values.record import Recording
from models.values.wording import Message, worded
from ui.state.choices import CHOICES
from ui.state.navigation import BERT_AND_GPT, PAGES, PageEntry
from viz.kit.parsing import written

PAGES_BY_NAME = {Path(page.path).stem: page for page in PAGES}
MOST_CHOICES = 40


@dataclass(frozen=True, slots=True, kw_only=True)
class LessonView:
    """A page of the app with its choices."""

    page: PageEntry
    choices: Mapping[str, Any]


def read_view(link: str) -> LessonView:
    """Parse a link such as "attention?layer=3&quantity=scores". Raises ValueError with what was expected."""
    path, _, query = link.partition("?")
    page = PAGES_BY_NAME.get(path.strip("/ "))
    if page is None:
        raise ValueError(
            worded("{given} is no page, expected one of {pages}.", given=repr(path), pages=", ".join(PAGES_BY_NAME))
        )
    chosen, title = {}, Message(page.title)
    for name, value in _pairs(query):
        if name not in CHOICES or page not in CHOICES[name].pages:
            known = ", ".join(choice.name for choice in CHOICES.values() if page in choice.pages)
            raise ValueError(
                worded(
                    "the page {page} has no choice {given}, only {known}.", page=title, given=repr(name), known=known
                )
            )
        try:
            chosen[name] = CHOICES[name].parse(value)
        except ValueError:
            says = worded(
                "{given} does not fit the choice {name} of the page {page}.",
                given=repr(value),
                name=repr(name),
                page=title,
            )
            raise ValueError(says) from None
    return LessonView(page=page, choices=chosen)


def _pairs(query: str) -> list[tuple[str, str]]:
    """Split the query of a link into names and values. Raises ValueError."""
    try:
        return parse_qsl(query, keep_blank_values=True, strict_parsing=bool(query), max_num_fields=MOST_CHOICES)
    except ValueError as error:
        raise ValueError(worded("this is no link: {why}.", why=error)) from None


def complete_choices(view: LessonView, ask: Ask, outcome: Outcome, model: str) -> dict[str, Any]:
    """Return the choices of the link, completed by the text, model, head and token of the question."""
    head = outcome.head
    of_question = {
        "text": ask.text("text") or None,
        "text_b": ask.text("text_b") or None,
        "kind": outcome.kind or None,
        "model": None if view.page is BERT_AND_GPT else model,
        "layer": outcome.layer,
        "head": head,
        "query": outcome.position,
        "method": ask.text("method") or None,
        "off": None if head is None else f"{outcome.kind[:1]}{outcome.layer}.{head}",
    }
    known = {
        name: value for name, value in of_question.items() if value is not None and view.page in CHOICES[name].pages
    }
    return {**known, **view.choices}


def head_choices(page: PageEntry, choices: Mapping[str, Any], recording: Recording) -> dict[str, Any]:
    """Return the head that a page begins with, where neither a question nor a link names one."""
    begins = head_to_begin_with(recording, choices.get("kind", ""))
    place = {"kind": begins.record.kind, "layer": begins.layer, "head": begins.head}
    return {name: value for name, value in place.items() if page in CHOICES[name].pages}


def as_query(choices: Mapping[str, Any]) -> dict[str, str]:
    """Return choices as URL parameters."""
    return {name: written(value) for name, value in choices.items()}
