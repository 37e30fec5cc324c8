"""A model that reads several texts in one forward pass, and gives each what it gets alone."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from typing import Protocol, runtime_checkable

from models.text.prepare import PreparedText
from models.values.record import ModelInfo, Recording

TOGETHER = ("prepare_together", "pass_group", "record_all")
"""The methods of `RecordsTogether` by name."""


@runtime_checkable
class RecordsTogether(Protocol):
    """Text in, Recording out, for several texts at once."""

    info: ModelInfo

    def prepare_together(self, text: str, text_b: str | None = None) -> PreparedText | None:
        """A text, or a pair, as the model reads it; None for one that `record` has to read, alone.

        Raises TextError if there is nothing to read, ModelLoadError.
        """

    def pass_group(self, text: PreparedText, /) -> Hashable:
        """Texts with equal answers may be read in one pass."""

    def record_all(self, texts: Sequence[PreparedText]) -> tuple[Recording, ...]:
        """The recordings of texts that may be read in one pass, equal to those of `record` to 1e-5."""
