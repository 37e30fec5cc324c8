"""Questions computed in this process: by turns of each device, one thread each, sentences of one model in a batch.

A batch is what waits when a turn begins. Nobody waits for one to fill: who comes alone is read at once, and alone.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from threading import Lock
from typing import TypeVar

import torch

from models.checkpoints.devices import PROCESSOR, own_name
from models.engine.batching import Sentence, is_faster, sentence_of
from models.engine.turns import PlaceInQueue, Turns
from models.model import Model
from models.values.record import Recording

Computed = TypeVar("Computed")


@dataclass(eq=False, slots=True)
class WaitingSentence:
    """A sentence that somebody waits for, and what has become of it."""

    sentence: Sentence
    recording: Recording | None = None
    is_read_alone: bool = False
    """Because a pass has failed that it shared: whoever was to blame, hears of it alone."""


class LocalEngine:
    """At most `n_passes` forward passes at once on the processor, and one on every accelerator, for clients who take
    turns. Safe for many threads.

    Passes that share an accelerator take as long together as one after the other, and need the memory of all at once.
    While a question waits, its `look` is called now and then; what that raises takes the question back.
    """

    def __init__(self, n_passes: int) -> None:
        self.turns: Turns[WaitingSentence] = Turns(n_passes)
        """The turns of the processor."""
        self._of_accelerators: dict[str, Turns[WaitingSentence]] = {}
        self._making = Lock()

    def turns_of(self, device: str) -> Turns[WaitingSentence]:
        """The turns of a device, by its name."""
        device = own_name(device)
        if device == PROCESSOR:
            return self.turns
        with self._making:
            return self._of_accelerators.setdefault(device, Turns(1))

    def answer(
        self,
        question: Callable[[], Computed],
        *,
        client: str,
        look: Callable[[], None] | None = None,
        device: str = PROCESSOR,
    ) -> Computed:
        """Compute the answer to a question once the device is free for it. Raises what the question raises."""
        with self.turns_of(device).one(client, look=look):
            torch.set_num_threads(1)
            return question()

    def record(
        self,
        model: Model,
        text: str,
        text_b: str | None = None,
        *,
        client: str,
        look: Callable[[], None] | None = None,
    ) -> Recording:
        """The recording of a text, or of a pair, in a batch with others that wait. Raises what `model.record` does."""
        sentence, turns = sentence_of(model, text, text_b), self.turns_of(model.info.device)
        if sentence is None:
            return self.answer(lambda: model.record(text, text_b), client=client, look=look, device=model.info.device)
        own = WaitingSentence(sentence)
        while own.recording is None:
            with turns.one(client, brings=None if own.is_read_alone else own, look=look) as place:
                if place.has_turn:
                    self._record(own, place)
        return own.recording

    def _record(self, own: WaitingSentence, place: PlaceInQueue[WaitingSentence]) -> None:
        """Read a sentence, in a batch with those that wait and fit."""
        torch.set_num_threads(1)
        turns = self.turns_of(own.sentence.model.info.device)
        company = () if own.is_read_alone else turns.company(place, _fits)
        others = [each.brings for each in company if each.brings is not None]
        try:
            if others:
                with suppress(Exception):  # whatever it is, those whom it concerns meet it again
                    _read([own, *others])
            if own.recording is None:
                _read([own])
        finally:
            for each in others:
                each.is_read_alone = each.recording is None
            for waiting in company:
                waiting.woken.set()


def _fits(batch: Sequence[WaitingSentence], more: WaitingSentence) -> bool:
    return is_faster([each.sentence for each in batch], more.sentence)


def _read(batch: Sequence[WaitingSentence]) -> None:
    recordings = batch[0].sentence.model.record_all([each.sentence.text for each in batch])
    for each, recording in zip(batch, recordings, strict=True):
        each.recording = recording
