"""Declare choices of a reader as fields of a frozen dataclass; `viz/kit/parsing.py` reads and writes their values."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, fields
from inspect import get_annotations
from typing import Any, Concatenate, ParamSpec, TypeVar

from viz.kit.parsing import Parser

Declared = TypeVar("Declared")
Keywords = ParamSpec("Keywords")
FirstArgument = TypeVar("FirstArgument")
Returns = TypeVar("Returns")


@dataclass(frozen=True, slots=True, kw_only=True)
class Choice:
    """The declaration of one choice."""

    name: str
    """In the session, in the address, and in the browser."""
    default: Any
    parse: Parser[Any]
    pages: tuple[Any, ...]
    """The pages of the app that show or use the choice, if it was declared there."""


def choice(default: Declared, parse: Parser[Declared], *pages: Any) -> Declared:
    """Declare a choice as a field of a frozen dataclass; `declared` finds it there."""
    declaration: Declared = field(default=default, metadata={"parse": parse, "pages": pages})
    return declaration


def declared(choices: type[Any]) -> dict[str, Choice]:
    """Return the choices that are declared in a dataclass, by name: its own, then those that it inherits."""
    own = get_annotations(choices)
    ordered = sorted(fields(choices), key=lambda declaration: declaration.name not in own)
    return {each.name: Choice(name=each.name, default=each.default, **each.metadata) for each in ordered}


def takes(
    _declaration: Callable[Keywords, Any],
) -> Callable[[Callable[..., Returns]], Callable[Keywords, Returns]]:
    """Give a function the keyword arguments of a declaration, with their types."""

    def typed(function: Callable[..., Returns]) -> Callable[Keywords, Returns]:
        return function

    return typed


def takes_after(
    _first: type[FirstArgument], _declaration: Callable[Keywords, Any]
) -> Callable[[Callable[..., Returns]], Callable[Concatenate[FirstArgument, Keywords], Returns]]:
    """Give a function one argument of a type, and then the keyword arguments of a declaration, with their types."""

    def typed(function: Callable[..., Returns]) -> Callable[Concatenate[FirstArgument, Keywords], Returns]:
        return function

    return typed
