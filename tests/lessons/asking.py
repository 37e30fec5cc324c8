"""Questions of lessons as the tests ask them."""

from __future__ import annotations

from typing import Any

from lessons import Ask, Outcome, answer_ask
from tests.loaded import load

CAT = "The cat sat on the mat."
KEY = "Anna lost her key, and now [MASK] is looking for it."


def ask(what: str, **given: str | tuple[str, ...]) -> Ask:
    return Ask(what=what, given=tuple(given.items()))


def of(what: str, model: str = "mini-bert", **given: str | tuple[str, ...]) -> Outcome:
    return answer_ask(load(model), ask(what, **given))


def value(outcome: Outcome, name: str) -> Any:
    return outcome.fact(name).value
