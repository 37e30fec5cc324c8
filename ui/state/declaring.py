"""Declarations of choices; `viz/kit/parsing.py` reads and writes their values."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, fields
from typing import Any, TypeVar

from ui.state.navigation import PageEntry

Declared = TypeVar("Declared")


@dataclass(frozen=True, slots=True, kw_only=True)
class Choice:
    """The declaration of one choice."""

    name: str
    """In the session and in the address."""
    default: Any
    parse: Callable[[str], Any]
    pages: tuple[PageEntry, ...]
    """The pages that show or use the choice; the others keep it."""


def choice(default: Declared, parse: Callable[[str], Declared], *pages: PageEntry) -> Declared:
    """Declare a choice as a field of a frozen dataclass; `declared` finds it there."""
    declaration: Declared = field(default=default, metadata={"parse": parse, "pages": pages})
    return declaration


def declared(selection: type[Any]) -> dict[str, Choice]:
    """Return the choices that are declared in a dataclass, by name."""
    return {each.name: Choice(name=each.name, default=each.default, **each.metadata) for each in fields(selection)}
