"""Models that come from elsewhere than the registry's list: what a source has to say about its models.

The app does not know the training lab; the lab registers itself here when the app starts.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

SampleTexts = Sequence[tuple[str, str, str]]
"""Sentences that a model can read: the sentence, the same with a [MASK], and what may follow it, or nothing."""


class ModelSource(Protocol):
    """Where models come from. `run` is what a source calls the origin of a model; empty for a name of others."""

    made: str
    """How its models came about, to be read after "which was"."""
    knows: str
    """A sentence about what such a model can read."""

    def run_of(self, name: str) -> str:
        """The origin of the model of that name."""

    def listed(self) -> tuple[str, ...]:
        """The models that this session may see."""

    def short_name(self, name: str) -> str:
        """A name as a person reads it."""

    def label(self, name: str) -> str:
        """A line of the list of models."""

    def is_strangers(self, name: str) -> bool:
        """Whether a model is a stranger's, so that it is opened in a process of its own."""

    def texts(self, run: str) -> SampleTexts:
        """Sentences that the models of an origin can read."""


_SOURCES: list[ModelSource] = []


def register(source: ModelSource) -> None:
    """Let a source be asked from now on; once is enough."""
    if source not in _SOURCES:
        _SOURCES.append(source)


def source_of(name: str) -> ModelSource | None:
    """Where the model of that name comes from; None for one of the list, of the hub or of a folder."""
    return next((source for source in _SOURCES if source.run_of(name)), None)


def run_of(name: str) -> str:
    """The origin of a model within its source; empty for one that has none."""
    source = source_of(name)
    return "" if source is None else source.run_of(name)


def listed_models() -> tuple[str, ...]:
    """The models of all sources that this session may see."""
    return tuple(name for source in _SOURCES for name in source.listed())


def short_name(name: str) -> str:
    """The name of a model as a person reads it."""
    source = source_of(name)
    return name if source is None else source.short_name(name)


def is_strangers(name: str) -> bool:
    """Whether a model was brought by a stranger."""
    source = source_of(name)
    return source is not None and source.is_strangers(name)


def texts_of(run: str) -> SampleTexts:
    """Sentences that the models of an origin can read; none where no source knows it."""
    return next((texts for source in _SOURCES if (texts := source.texts(run))), ())
