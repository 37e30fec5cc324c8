"""The view of a step: a link of the app, read by the one schema of its addresses, so that a wrong one is an error."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import parse_qsl

from lessons import Ask, Outcome
from models.values.wording import Message, worded
from ui.state.choices import CHOICES
from ui.state.navigation import BERT_AND_GPT, PAGES, PageEntry
from viz.kit.parsing import written

PAGES_BY_NAME = {Path(page.path).stem: page for page in PAGES}
MOST_CHOICES = 40


@dataclass(frozen=True, slots=True, kw_only=True)
class LessonView:
    """A page of the app and what is chosen there."""

    page: PageEntry
    choices: Mapping[str, Any]


def read_view(link: str) -> LessonView:
    """Return a link as "attention?layer=3&quantity=scores". Raises ValueError with what was expected."""
    path, _, query = link.partition("?")
    page = PAGES_BY_NAME.get(path.strip("/ "))
    if page is None:
        raise ValueError(
            worded("{given} is no page, expected one of {pages}.", given=repr(path), pages=", ".join(PAGES_BY_NAME))
        )
    chosen, title = {}, Message(page.title)
    for name, value in _pairs(query):
        if name not in CHOICES or page not in CHOICES[name].pages:
            known = ", ".join(each.name for each in CHOICES.values() if page in each.pages)
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
    """Return the choices of a link, as they are written. Raises ValueError."""
    try:
        return parse_qsl(query, keep_blank_values=True, strict_parsing=bool(query), max_num_fields=MOST_CHOICES)
    except ValueError as error:
        raise ValueError(worded("this is no link: {why}.", why=error)) from None


def filled_in(view: LessonView, ask: Ask, outcome: Outcome, model: str) -> dict[str, Any]:
    """Return the choices of the link, completed by the text, model, head and token that the question is about."""
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


def as_query(choices: Mapping[str, Any]) -> dict[str, str]:
    """Choices as they stand in an address."""
    return {name: written(value) for name, value in choices.items()}
