"""Sentences, lists and labels for models from sources other than the registry, such as the training lab.

`models.opening.registry` knows how to open such models, for scripts as well; this is for the pages only. `app.py`
registers the training lab.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

SampleTexts = Sequence[tuple[str, str, str]]
"""Sentences that a model can read: (sentence, the same with a [MASK], a following sentence or "")."""


class ModelSource(Protocol):
    """A source of models. `run` is its id of the origin of a model; empty for an unknown name."""

    made: str
    """The origin of its models, as text after "which was"."""

    def run_of(self, name: str) -> str:
        """Return the origin of a model by name."""

    def list_models(self) -> tuple[str, ...]:
        """Return the names of the models that this session may see."""

    def short_name(self, name: str) -> str:
        """Return the display name of a model."""

    def label(self, name: str) -> str:
        """Return the label of a model in the list."""

    def knows(self, name: str) -> str:
        """Return a sentence about the texts that a model can read, in the current language."""

    def texts(self, run: str) -> SampleTexts:
        """Return sentences that the models of an origin can read."""


_SOURCES: list[ModelSource] = []


def register(source: ModelSource) -> None:
    """Register a source of models; repeated calls have no effect."""
    if source not in _SOURCES:
        _SOURCES.append(source)


def source_of(name: str) -> ModelSource | None:
    """Return the source of a model by name; None for one of the registry, of the hub or of a folder."""
    return next((source for source in _SOURCES if source.run_of(name)), None)


def run_of(name: str) -> str:
    """Return the origin of a model within its source; empty for a model without a source."""
    source = source_of(name)
    return "" if source is None else source.run_of(name)


def listed_models() -> tuple[str, ...]:
    """Return the names of the models of all sources that this session may see."""
    return tuple(name for source in _SOURCES for name in source.list_models())


def short_name(name: str) -> str:
    """Return the display name of a model."""
    source = source_of(name)
    return name if source is None else source.short_name(name)


def texts_of(run: str) -> SampleTexts:
    """Return sentences that the models of an origin can read; empty for an unknown origin."""
    return next((texts for source in _SOURCES if (texts := source.texts(run))), ())
