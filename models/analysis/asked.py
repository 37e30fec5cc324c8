"""What analyses ask of a model. Every `models.Model` answers it, wherever it runs; what it cannot, it says in an error.

No analysis runs a model or knows what it is made of: it asks for values, and computes on them.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Protocol

from models.values.answers import AskedWord
from models.values.probing.changes import NO_CHANGES, Changes
from models.values.probing.circuits import HeadCircuits
from models.values.probing.contrast import AnswerLogits, AnswerOf, AnswersUnder, Contrast
from models.values.probing.gradients import Gradients, GradientsBy
from models.values.probing.stream import AnswerStreams, LayerInputs
from models.values.record import Recording

TellProgress = Callable[[int, int], None]
"""Is told (done, of); what it raises ends the work."""


class AskedModel(Protocol):
    """A model to ask."""

    def record(self, text: str, text_b: str | None = None) -> Recording:
        """One forward pass."""

    def ask_word(self, word: str) -> AskedWord:
        """How the vocabulary spells a word."""

    def answer_logits(
        self, text: str, text_b: str | None = None, *, of: AnswerOf | None = None, position: int | None = None,
        changes: Changes = NO_CHANGES,
    ) -> AnswerLogits:  # fmt: skip
        """What it answers at one place."""

    def answers_under(
        self, text: str, text_b: str | None = None, *, contrast: Contrast, changes: Sequence[Changes],
        progress: TellProgress | None = None,
    ) -> AnswersUnder:  # fmt: skip
        """What becomes of an answer under each of some changes."""

    def gradients(
        self, text: str, text_b: str | None = None, *, contrast: Contrast,
        changes: Sequence[Changes] = (NO_CHANGES,), by: GradientsBy = "weights",
    ) -> tuple[Gradients, ...]:  # fmt: skip
        """The gradients of an answer under each of some changes."""

    def layer_inputs(self, text: str, text_b: str | None = None) -> tuple[LayerInputs, ...]:
        """What every layer reads."""

    def head_circuits(self, text: str, text_b: str | None = None) -> tuple[HeadCircuits, ...]:
        """The matrices of every head."""

    def answer_streams(self, text: str, text_b: str | None = None, *, contrast: Contrast) -> AnswerStreams:
        """Everything that is added up on the way to an answer."""
