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
    """Its key in the session and in the address."""
    default: Any
    parse: Callable[[str], Any]
    pages: tuple[PageEntry, ...]
    """The pages that show or use the choice; others leave it unchanged."""


def choice(default: Declared, parse: Callable[[str], Declared], *pages: PageEntry) -> Declared:
    """Declare a choice as a field of a frozen dataclass, for `collect_choices`."""
    declaration: Declared = field(default=default, metadata={"parse": parse, "pages": pages})
    return declaration


def collect_choices(selection: type[Any]) -> dict[str, Choice]:
    """Return the choices that are declared in a dataclass, by name."""
    return {
        declaration.name: Choice(name=declaration.name, default=declaration.default, **declaration.metadata)
        for declaration in fields(selection)
    }
