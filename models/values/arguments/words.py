"""Say of an argument that does not fit what was given, what is possible, and what to do."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from difflib import get_close_matches
from math import inf
from typing import Annotated, Any, get_args, get_origin

import numpy as np

from models.values.arguments.advice import advice
from models.values.arguments.bounds import AtLeastOne, Between, Called
from models.values.arguments.fit import Misfit, alternatives, array_type, choices_of, is_tensor, row_of
from models.values.wording import join_sentences, to_say, worded

LONGEST = 60
"""A value that is written out longer is shown by its type and size."""
_NAMES: dict[Any, str] = {
    str: to_say("a text (str)"),
    int: to_say("a whole number (int)"),
    float: to_say("a number"),
    bool: to_say("True or False"),
    type(None): "None",
    None: "None",
    "Model": to_say("a model"),
}


def describe_misfit(fault: Misfit) -> str:
    """The sentences about an argument."""
    given, expected = show_value(fault.value), describe_annotation(fault.expected)
    return join_sentences(
        worded("{name} is {given}, expected {expected}.", name=fault.name, given=given, expected=expected),
        did_you_mean(fault.value, choices_of(fault.expected)),
        advice(fault.value, fault.expected),
    )


def did_you_mean(value: object, choices: Sequence[Any]) -> str:
    """Ask for the choice that is spelled most like a text; empty where none is."""
    known = {choice.lower(): choice for choice in choices if isinstance(choice, str)}
    alike = get_close_matches(value.strip().lower(), known, n=1) if isinstance(value, str) else []
    return worded("Did you mean {choice}?", choice=repr(known[alike[0]])) if alike and len(known) > 1 else ""


def show_value(value: Any) -> str:
    """A value as code shows it: written out where it is short, else its type with its size."""
    name = type(value).__name__
    if isinstance(value, np.ndarray) or is_tensor(value):
        return f"{name} {list(value.shape)} {str(value.dtype).removeprefix('torch.')}"
    if isinstance(value, str | bytes):
        return repr(value) if len(value) <= LONGEST else f"{value[:LONGEST]!r}…"
    if value is None or isinstance(value, int | float | complex | np.generic):
        return str(value)
    if isinstance(value, list | tuple | set | frozenset | Mapping):
        return _show_row(name, value)
    return value.__name__ if isinstance(value, type) else name


def _show_row(name: str, value: Collection[Any]) -> str:
    """A row of a few plain values as it is; of another one the type and the number of its items."""
    is_plain = all(isinstance(item, str | int | float | None) for item in value) and not isinstance(value, Mapping)
    if not value or (is_plain and len(repr(value)) <= LONGEST):
        return repr(value)
    if isinstance(value, tuple) and len({type(item) for item in value}) > 1:
        return f"({', '.join(repr(item) if isinstance(item, str) else show_value(item) for item in value)})"
    return f"{name}[{len(value)} × {type(next(iter(value))).__name__}]"


def describe_annotation(expected: Any) -> str:
    """Say in words what fits an annotation."""
    if get_origin(expected) is Annotated:
        called = _describe_marks(get_args(expected))
        if called:
            return called
    row = row_of(expected)
    if row is not None and len(alternatives(expected)) - (type(None) in alternatives(expected)) == 1:
        marked = [part for part in _direct(expected) if get_origin(part) is Annotated and part is not expected]
        several = (
            describe_annotation(marked[0])
            if marked
            else worded("a list, each item {item}", item=describe_annotation(row))
        )
        return _or(several, "None") if type(None) in alternatives(expected) else several
    parts = [part for part in _direct(expected) if part not in (None, type(None))]
    choices = choices_of(expected)
    names = [_one_of(choices)] if choices else []
    names += [
        describe_annotation(part) if part is not expected else _plain(part) for part in parts if not choices_of(part)
    ]
    return _or(*names, *(["None"] if type(None) in alternatives(expected) else []))


def _describe_marks(parts: tuple[Any, ...]) -> str:
    """Return the words that marks on an annotation have for it."""
    for mark in parts[1:]:
        if isinstance(mark, Called):
            return mark.name
        if isinstance(mark, AtLeastOne):
            return worded("{kind}, at least one", kind=describe_annotation(parts[0]))
        if isinstance(mark, Between):
            kind = describe_annotation(parts[0])
            if mark.most == inf:
                return worded("{kind} of at least {least}", kind=kind, least=f"{mark.least:g}")
            return worded("{kind} from {least} to {most}", kind=kind, least=f"{mark.least:g}", most=f"{mark.most:g}")
    return ""


def _direct(expected: Any) -> tuple[Any, ...]:
    """The alternatives of an annotation, the marks of each kept."""
    is_single = alternatives(expected) == (expected,) or get_origin(expected) is Annotated
    return (expected,) if is_single else get_args(expected)


def _plain(expected: Any) -> str:
    origin = get_origin(expected)
    if origin is np.ndarray:
        number = array_type(expected)
        return worded("an array of NumPy of the type {type}", type="float32" if number is None else number.__name__)
    if expected in _NAMES:
        return _NAMES[expected]
    if Callable in (origin, expected):
        return to_say("a function")
    if origin is tuple:
        return f"({', '.join(describe_annotation(part) for part in get_args(expected))})"
    if row_of(expected) is not None:
        return worded("a list, each item {item}", item=describe_annotation(row_of(expected)))
    name = str(getattr(origin or expected, "__name__", expected))
    return _NAMES.get(name, name)


def _one_of(choices: Sequence[Any]) -> str:
    """The choices, as code writes them."""
    written = ", ".join(map(repr, choices))
    return written if len(choices) == 1 else worded("one of {choices}", choices=written)


def _or(*names: str) -> str:
    names = tuple(dict.fromkeys(names))
    if len(names) < 2:
        return "".join(names)
    return worded("{these} or {last}", these=join_sentences(*names[:-1], by=", "), last=names[-1])
