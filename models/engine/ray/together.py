"""Several questions at once: recordings of one model in batches where that is faster, all else one after the other."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Sequence
from contextlib import suppress
from functools import partial
from typing import Any

from models.engine.batching import Sentence, is_faster, sentence_of
from models.engine.ray.messages import RemoteQuestion, outcome_of
from models.model import Model
from models.values.errors import HeadlightError
from models.values.record import Recording

RECORD = "record"
"""The question that many readers ask at once, and that is answered in batches."""
ReadyQuestion = tuple[Model, RemoteQuestion]
NumberedSentence = tuple[int, Sentence]


def outcomes_of(asked: Sequence[ReadyQuestion]) -> list[Any]:
    """Return the outcome of each question, in their order; an error of one does not affect the others."""
    read: dict[int, Recording] = {}
    for batch in _batches(asked):
        with suppress(Exception):  # whoever was to blame hears of it alone
            read |= _read_batch(batch)
    return [
        read[number] if number in read else outcome_of(partial(question.asked_of, model))
        for number, (model, question) in enumerate(asked)
    ]


def _batches(asked: Sequence[ReadyQuestion]) -> Iterator[list[NumberedSentence]]:
    """The sentences that are read with others, by their numbers."""
    sentences = ((number, _sentence_of(*question)) for number, question in enumerate(asked))
    waiting = deque((number, sentence) for number, sentence in sentences if sentence is not None)
    while waiting:
        batch = [waiting.popleft()]
        for more in tuple(waiting):
            if is_faster([sentence for _, sentence in batch], more[1]):
                batch.append(more)
                waiting.remove(more)
        if len(batch) > 1:
            yield batch


def _sentence_of(model: Model, question: RemoteQuestion) -> Sentence | None:
    """The text that is to be recorded; None for another question, one that is read alone, or no text at all."""
    if question.question != RECORD or question.choices or any(question.languages):
        return None
    text, text_b = (*question.words, None)[:2]
    with suppress(HeadlightError):  # who asked hears of it alone
        return sentence_of(model, str(text), None if text_b is None else str(text_b))
    return None


def _read_batch(batch: Sequence[NumberedSentence]) -> dict[int, Recording]:
    recordings = batch[0][1].model.record_all([sentence.text for _, sentence in batch])
    return dict(zip((number for number, _ in batch), recordings, strict=True))
