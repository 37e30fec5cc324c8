"""The messages between a process that asks and the replicas that answer.

Answers are the values of `models.values`: Ray sends their arrays beside the pickled rest (PEP 574), in the reply or, of
a long text, by its object store, and whoever asked reads them there, without a copy. Machines of a cluster trust each
other; what comes from strangers never goes this way (`models.engine.setting.is_on_every_machine`).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, fields, is_dataclass
from typing import Any, TypeVar

import numpy as np

from models.model import Model
from models.values.errors import HeadlightError
from models.values.record import Token

Found = TypeVar("Found")


@dataclass(frozen=True, slots=True, kw_only=True)
class RemoteQuestion:
    """One of QUESTIONS, to the model of that name."""

    model: str
    question: str
    words: tuple[object, ...] = ()
    choices: Mapping[str, object] = field(default_factory=dict)
    languages: tuple[str, str] = ("", "")
    """The languages to read and to write; empty for the model's own."""

    def asked_of(self, model: Model, **more: object) -> Any:
        """The answer of a model."""
        source, target = self.languages
        told = model.in_languages(source=source, target=target)
        return getattr(told, self.question)(*self.words, **self.choices, **more)


@dataclass(frozen=True, slots=True, kw_only=True)
class Refusal:
    """An error in place of an answer. It goes as a value: Ray would wrap what is raised in errors of its own."""

    error: Exception


@dataclass(frozen=True, slots=True, kw_only=True)
class Advance:
    """So much of some work is done."""

    done: int
    of: int


def outcome_of(work: Callable[[], Found]) -> Found | Refusal:
    """Return the result of some work, or its error: a HeadlightError as it is, any other as its name and text."""
    try:
        return work()
    except Exception as error:
        return refusal_of(error)


def refusal_of(error: Exception) -> Refusal:
    """Return the message in place of an answer; not every error of other packages can be sent."""
    if isinstance(error, HeadlightError):
        return Refusal(error=error)
    return Refusal(error=RuntimeError(f"{type(error).__name__} on a machine of the cluster: {error}"))


def answer_in(outcome: Any) -> Any:
    """The answer, its arrays read-only as all of ours are. Raises the error that is there instead."""
    if isinstance(outcome, Refusal):
        raise outcome.error
    _protect(outcome)
    return outcome


def _protect(value: object) -> None:
    """Make every array in a value read-only: those that Ray hands out in its store are, small ones may not be."""
    if isinstance(value, np.ndarray):
        value.flags.writeable = False
    elif is_dataclass(value):
        for entry in fields(value):
            _protect(getattr(value, entry.name))
    elif isinstance(value, tuple | list) and not (value and isinstance(value[0], str | float | int | Token)):
        for item in value:
            _protect(item)
    elif isinstance(value, Mapping):
        for item in value.values():
            _protect(item)
