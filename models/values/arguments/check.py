"""The check of arguments, for public functions, for the questions of a model, and for the fields of a value."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, fields
from functools import cached_property, wraps
from inspect import Parameter, signature
from typing import Any, cast, get_type_hints
from weakref import WeakSet

from models.values.arguments.calls import Arguments, Returned, raise_for_call
from models.values.arguments.fit import fitting_types, is_at_hand, is_several, misfit, plain_number, row_of
from models.values.arguments.words import describe_misfit
from models.values.errors import ArgumentError, HeadlightError, SelectionError

_CHECKED: WeakSet[Callable[..., Any]] = WeakSet()
_FIELDS: dict[type, tuple[tuple[str, Any, frozenset[type]], ...]] = {}


@dataclass(frozen=True)
class Signature:
    """The annotations of a function, resolved when it is first called: then every module is there."""

    function: Callable[..., Any]

    @cached_property
    def hints(self) -> dict[str, tuple[Any, frozenset[type]]]:
        """The annotation of every argument that has one, and the types that surely fit."""
        of_names = get_type_hints(self.function, include_extras=True)
        return {name: (hint, fitting_types(hint)) for name, hint in of_names.items() if name != "return"}

    @cached_property
    def positional(self) -> tuple[str, ...]:
        """The arguments that may be given without their names, in order."""
        given = signature(self.function).parameters.values()
        return tuple(parameter.name for parameter in given if parameter.kind is not Parameter.KEYWORD_ONLY)

    def fit(self, name: str, value: Any) -> Any:
        """The value of an argument, a number of NumPy as one of Python. Raises ArgumentError or SelectionError."""
        expected, surely = self.hints.get(name, (Any, frozenset()))
        return value if type(value) in surely else fit_value(name, value, expected)


def check_arguments(
    function: Callable[Arguments, Returned], declared: Callable[..., Any] | None = None
) -> Callable[Arguments, Returned]:
    """Return the function with its arguments checked against its annotations, or those of `declared`.

    It raises ArgumentError for an argument of another kind, a missing or an unknown one, SelectionError for a choice
    that there is not.
    """
    known = Signature(declared or function)

    @wraps(function)
    def wrapper(*args: Arguments.args, **kwargs: Arguments.kwargs) -> Returned:
        names = known.positional
        first = [known.fit(name, value) for name, value in zip(names, args, strict=False)]
        named = {name: known.fit(name, value) for name, value in kwargs.items()}
        try:
            return cast("Callable[..., Returned]", function)(*first, *args[len(names) :], **named)
        except TypeError as error:
            raise_for_call(error, function, args, kwargs)

    _CHECKED.add(wrapper)
    return wrapper


def fit_value(name: str, value: Any, expected: Any) -> Any:
    """The value, if it fits an annotation; one whose items come one after the other checks them as they come, and a
    number of NumPy or torch is one of Python."""
    value = plain_number(value, expected)
    fault = misfit(name, value, expected)
    if fault is not None:
        raise (SelectionError if fault.is_choice else ArgumentError)(describe_misfit(fault))
    row = row_of(expected)
    if row is not None and is_several(value) and not is_at_hand(value):
        return _items(name, value, row)
    return value


def check_fields(value: Any, error: type[HeadlightError] = ArgumentError) -> None:
    """Raise an error for a field of a dataclass that does not fit its annotation."""
    for name, expected, surely in _fields_of(type(value)):
        given = getattr(value, name)
        fault = None if type(given) in surely else misfit(name, given, expected)
        if fault is not None:
            raise error(describe_misfit(fault))


def check_answers(model: type, questions: Mapping[str, Callable[..., Any]]) -> None:
    """Check the arguments of all `questions` that a class of models answers itself, as they are declared there."""
    for name, question in questions.items():
        answer = getattr(model, name)
        if answer is not question and answer not in _CHECKED:
            setattr(model, name, check_arguments(answer, question))


def _fields_of(of_type: type) -> tuple[tuple[str, Any, frozenset[type]], ...]:
    """The fields that are given when a value is made, with their annotations and the types that surely fit."""
    if of_type not in _FIELDS:
        hints = get_type_hints(of_type, include_extras=True)
        named = ((field.name, hints[field.name]) for field in fields(of_type) if field.init)
        _FIELDS[of_type] = tuple((name, expected, fitting_types(expected)) for name, expected in named)
    return _FIELDS[of_type]


def _items(name: str, items: Iterable[Any], expected: Any) -> Iterator[Any]:
    for number, item in enumerate(items):
        yield fit_value(f"{name}[{number}]", item, expected)
