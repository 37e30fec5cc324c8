"""Declarations of a reader's choices as fields of a frozen dataclass; `viz/kit/parsing.py` parses their values."""

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
    """Its key in the session, the address and the browser."""
    default: Any
    parse: Parser[Any]
    pages: tuple[Any, ...]
    """The pages of the app that show or use the choice; empty if it was declared elsewhere."""


def choice(default: Declared, parse: Parser[Declared], *pages: Any) -> Declared:
    """Declare a choice as a field of a frozen dataclass, for `collect_choices`."""
    declaration: Declared = field(default=default, metadata={"parse": parse, "pages": pages})
    return declaration


def collect_choices(choices: type[Any]) -> dict[str, Choice]:
    """Return the choices of a dataclass by name: its own, then those that it inherits."""
    own = get_annotations(choices)
    ordered = sorted(fields(choices), key=lambda declaration: declaration.name not in own)
    return {
        declaration.name: Choice(name=declaration.name, default=declaration.default, **declaration.metadata)
        for declaration in ordered
    }


def takes(
    _declaration: Callable[Keywords, Any],
) -> Callable[[Callable[..., Returns]], Callable[Keywords, Returns]]:
    """Give a function the typed keyword arguments of a declaration."""

    def annotate(function: Callable[..., Returns]) -> Callable[Keywords, Returns]:
        return function

    return annotate


def takes_after(
    _first: type[FirstArgument], _declaration: Callable[Keywords, Any]
) -> Callable[[Callable[..., Returns]], Callable[Concatenate[FirstArgument, Keywords], Returns]]:
    """Give a function a first argument and the typed keyword arguments of a declaration."""

    def annotate(function: Callable[..., Returns]) -> Callable[Concatenate[FirstArgument, Keywords], Returns]:
        return function

    return annotate
