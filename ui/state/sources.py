"""Sentences, lists and labels for models from sources other than the registry's list.

How such a model is opened is told to `models.opening.registry`, which a script without pages has, too. What stands
here is for readers alone. `app.py` registers the training lab.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

SampleTexts = Sequence[tuple[str, str, str]]
"""Sentences that a model can read: the sentence, the same with a [MASK], and what may follow it, or nothing."""


class ModelSource(Protocol):
    """A source of models. `run` is the source's id of the origin of a model; empty for a name it does not know."""

    made: str
    """The origin of its models, to be read after "which was"."""
    knows: str
    """A sentence about what such a model can read."""

    def run_of(self, name: str) -> str:
        """Return the origin of the model of that name."""

    def listed(self) -> tuple[str, ...]:
        """Return the models that this session may see."""

    def short_name(self, name: str) -> str:
        """Return a name as it is shown."""

    def label(self, name: str) -> str:
        """Return a line of the list of models."""

    def texts(self, run: str) -> SampleTexts:
        """Sentences that the models of an origin can read."""


_SOURCES: list[ModelSource] = []


def register(source: ModelSource) -> None:
    """Let a source be asked from now on; once is enough."""
    if source not in _SOURCES:
        _SOURCES.append(source)


def source_of(name: str) -> ModelSource | None:
    """Return the source of a model by name; None for one of the list, of the hub or of a folder."""
    return next((source for source in _SOURCES if source.run_of(name)), None)


def run_of(name: str) -> str:
    """Return the origin of a model within its source; empty for one that has none."""
    source = source_of(name)
    return "" if source is None else source.run_of(name)


def listed_models() -> tuple[str, ...]:
    """Return the models of all sources that this session may see."""
    return tuple(name for source in _SOURCES for name in source.listed())


def short_name(name: str) -> str:
    """Return the name of a model as it is shown."""
    source = source_of(name)
    return name if source is None else source.short_name(name)


def texts_of(run: str) -> SampleTexts:
    """Sentences that the models of an origin can read; none where no source knows it."""
    return next((texts for source in _SOURCES if (texts := source.texts(run))), ())
