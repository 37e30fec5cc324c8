"""A model that reads several texts in one forward pass, and gives each what it gets alone."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from typing import Protocol, runtime_checkable

from models.model import Model
from models.text.prepare import PreparedText
from models.values.record import ModelInfo, Recording

TOGETHER = ("prepare_together", "pass_group", "record_all")
"""The methods of `RecordsTogether` by name."""
TEXTS_A_PASS = 8


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


def record_in_passes(model: Model, texts: Sequence[str]) -> tuple[Recording, ...]:
    """Return the recordings of texts in their order, those of about the same length in one pass."""
    recordings: dict[int, Recording] = {}
    groups: dict[Hashable, list[tuple[int, PreparedText]]] = {}
    for place, text in enumerate(texts):
        prepared = model.prepare_together(text) if isinstance(model, RecordsTogether) else None
        if prepared is None or not isinstance(model, RecordsTogether):
            recordings[place] = model.record(text)
        else:
            groups.setdefault(model.pass_group(prepared), []).append((place, prepared))
    for waiting in groups.values():
        waiting.sort(key=lambda text: len(text[1].input_ids))
        for start in range(0, len(waiting), TEXTS_A_PASS):
            batch = waiting[start : start + TEXTS_A_PASS]
            if isinstance(model, RecordsTogether):
                of_batch = model.record_all([prepared for _, prepared in batch])
                recordings |= {place: recorded for (place, _), recorded in zip(batch, of_batch, strict=True)}
    return tuple(recordings[place] for place in range(len(texts)))
