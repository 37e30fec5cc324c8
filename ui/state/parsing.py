"""How a choice is declared, how it is read from text that anybody may have written, and how it is written as text.

A parser raises ValueError for what does not fit.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, fields
from typing import Any, TypeVar

from ui.state.navigation import PageEntry
from viz.viewer.choices import MEAN

Parsed = TypeVar("Parsed")


@dataclass(frozen=True, slots=True, kw_only=True)
class Choice:
    """What is declared of one choice."""

    name: str
    """In the session and in the address."""
    default: Any
    parse: Callable[[str], Any]
    pages: tuple[PageEntry, ...]
    """Those that show or use it; the others keep it."""


def choice(default: Parsed, parse: Callable[[str], Parsed], *pages: PageEntry) -> Parsed:
    """Declare a choice as a field of a frozen dataclass; `declared` finds it there."""
    declaration: Parsed = field(default=default, metadata={"parse": parse, "pages": pages})
    return declaration


def declared(selection: type[Any]) -> dict[str, Choice]:
    """The choices that are declared in a dataclass, by name."""
    return {
        each.name: Choice(name=each.name, default=each.default, **each.metadata)
        for each in fields(selection)
    }  # fmt: skip


def written(value: object) -> str:
    """A choice as it stands in an address."""
    return ("yes" if value else "no") if isinstance(value, bool) else str(value)


def one_of(*options: Parsed) -> Callable[[str], Parsed]:
    """One of a few values, written exactly as `written` writes it."""
    by_text = {str(option): option for option in options}

    def parse(text: str) -> Parsed:
        if text not in by_text:
            raise ValueError(text)
        return by_text[text]

    return parse


def flag(text: str) -> bool:
    return one_of("yes", "no")(text) == "yes"


def index(text: str) -> int:
    """A number from 0 to 9999, in plain digits."""
    if not (text.isascii() and text.isdecimal() and len(text) < 5):
        raise ValueError(text)
    return int(text)


def head_or_mean(text: str) -> int | str:
    return MEAN if text == MEAN else index(text)


def within(ends: tuple[int, int], *, step: int = 1) -> Callable[[str], int]:
    """A number between these two, both included, in steps from the first."""

    def parse(text: str) -> int:
        number = index(text)
        if not ends[0] <= number <= ends[1] or (number - ends[0]) % step:
            raise ValueError(text)
        return number

    return parse


def equal_to(options: Sequence[float]) -> Callable[[str], float]:
    """One of a few numbers, however it is written: 0, 0.0 and 0e0 are one."""

    def parse(text: str) -> float:
        number = float(text)
        if not math.isfinite(number) or number not in options:
            raise ValueError(text)
        return number

    return parse


def matching(pattern: str) -> Callable[[str], str]:
    """A text that a regular expression describes from its first to its last character."""
    expression = re.compile(pattern)

    def parse(text: str) -> str:
        if expression.fullmatch(text) is None:
            raise ValueError(text)
        return text

    return parse
