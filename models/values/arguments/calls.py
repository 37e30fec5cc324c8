"""Say of a call that has too few arguments, too many, or one that there is not, what the function takes."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import wraps
from inspect import Parameter, signature
from typing import Any, NoReturn, ParamSpec, TypeVar

from models.values.arguments.words import did_you_mean
from models.values.errors import ArgumentError, HeadlightError
from models.values.wording import join_sentences, worded

Arguments = ParamSpec("Arguments")
Returned = TypeVar("Returned")


def check_call(function: Callable[Arguments, Returned]) -> Callable[Arguments, Returned]:
    """Return the function, whose errors about a call that does not fit it are sentences.

    It raises ArgumentError in the place of Python's own TypeError for a missing or unknown argument.
    """

    @wraps(function)
    def wrapper(*args: Arguments.args, **kwargs: Arguments.kwargs) -> Returned:
        try:
            return function(*args, **kwargs)
        except TypeError as error:
            raise_for_call(error, function, args, kwargs)

    return wrapper


def raise_for_call(
    error: TypeError, function: Callable[..., Any], args: Sequence[Any], named: Mapping[str, Any]
) -> NoReturn:
    """Raise ArgumentError where a call does not fit the signature of a function, else the `error` that it raised."""
    if not isinstance(error, HeadlightError):
        try:
            signature(function).bind(*args, **named)
        except TypeError:
            raise ArgumentError(_describe_call(function, args, named)) from None
    raise error


def _describe_call(function: Callable[..., Any], args: Sequence[Any], named: Mapping[str, Any]) -> str:
    """The sentences about a call that does not fit."""
    taken = dict(signature(function).parameters)
    positional = [name for name, one in taken.items() if one.kind is not Parameter.KEYWORD_ONLY]
    given = {*positional[: len(args)], *named}
    needed = {name for name, one in taken.items() if one.default is Parameter.empty} - given
    taken.pop("self", None)
    name, takes = function.__name__, worded("It takes {arguments}.", arguments=", ".join(taken))
    unknown = next((argument for argument in named if argument not in taken), None)
    if unknown is not None:
        said = worded("{name}() has no argument {given}.", name=name, given=unknown)
        return join_sentences(said, did_you_mean(unknown, tuple(taken)), takes)
    if len(args) <= len(positional) and needed:
        missing = ", ".join(argument for argument in taken if argument in needed)
        return join_sentences(worded("{name}() was called without {missing}.", name=name, missing=missing), takes)
    return worded(
        "{name}() was given too many arguments, or one twice. Without names it takes at most {first}. Give others by "
        "name: {example}.",
        name=name,
        first=", ".join(argument for argument in positional if argument != "self") or "0",
        example=", ".join(f"{argument}=…" for argument in taken if argument not in positional) or "0",
    )
