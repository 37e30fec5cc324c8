"""Observations of a model while it learns: often, and never for more than a small share of the time of its training."""

from __future__ import annotations

import time
from contextlib import suppress
from copy import deepcopy
from dataclasses import replace
from pathlib import Path

import numpy as np
import torch

from lab.assemble import LabTask, assemble
from lab.data.given import Given
from lab.live.examples import LiveExample, answer, find_example
from lab.live.observation import Observation
from lab.recipe import GENERATED, Recipe
from models.model import Model
from models.scratch_models.decoder import ScratchDecoder
from models.scratch_models.encoder import ScratchModel
from models.scratch_models.translator import ScratchTranslator
from models.scratch_models.writing import WritingFiles
from models.training.corpora.vocabulary import CLS_ID, SEP_ID
from models.training.snapshots.over_time import measure_places
from models.training.tasks.next_token import NextTokenTask
from models.training.tasks.translation import TranslationTask
from models.training.trainer.fit import evaluating
from models.values.errors import HeadlightError
from models.values.record import Array, AttentionRecord

LEAST_PAUSE = 0.2
"""Seconds between two observations at the beginning; a page does not draw more."""
PAUSES = 100
"""The number of observations in which the time of a training doubles, at most: most is learned early."""
SHARE = 0.08
"""The largest share of the time that observations may take."""
MARGIN = 0.1
"""By how much the attention of another head must be stronger before it is shown instead."""

FEW_ROWS = 200
"""Enough generated rows for a vocabulary: every letter is among them, and none is learned before the start."""

NAME = "model in training"


class Watcher:
    """Observes the model of a task while it learns, and writes down what it finds.

    The model in training is read as it is, without a copy; nothing of its training changes.
    """

    def __init__(self, file: Path, task: LabTask, example: LiveExample | None, device: torch.device) -> None:
        self._file, self._task, self._example = file, task, example
        self._model = open_in_training(task, device)
        self._begun = self._due = time.monotonic()
        self._first: Array | None = None
        self._head: tuple[int, int] | None = None

    def watch(self, iteration: int) -> None:
        """Observe the model if it is time to."""
        if time.monotonic() >= self._due:
            self.observe(iteration)

    def observe(self, iteration: int) -> None:
        """Write down the model's answer and its attention; nothing without an example, or where it cannot be read."""
        begun = time.monotonic()
        observation = self.read(iteration)
        if observation is not None:
            observation.save(self._file)
        now = time.monotonic()
        self._due = now + pause_after(now - begun, elapsed=now - self._begun)

    def read(self, iteration: int) -> Observation | None:
        """Return the model's answer and its attention; None without an example, or where it cannot be read."""
        if self._example is None:
            return None
        with suppress(HeadlightError), evaluating(self._task.model):
            return self._ask(self._example, iteration)
        return None

    def _ask(self, example: LiveExample, iteration: int) -> Observation:
        recording = self._model.record(*texts_to_record(example))
        record = recording.of("cross" if "cross" in recording.kinds else recording.kinds[0])
        layer, head = self._pick_head(record)
        scores = record.scores(layer, head)
        return Observation(
            iteration=iteration,
            text=example.text,
            written=answer(self._model, example),
            expected=example.expected,
            kind=record.kind,
            layer=layer,
            head=head,
            query_tokens=record.query_tokens,
            key_tokens=record.key_tokens,
            weights=np.where(np.isneginf(scores), np.float32(np.nan), record.weights(layer, head)),
        )

    def _pick_head(self, record: AttentionRecord) -> tuple[int, int]:
        """Return the head to show: of cross-attention the one nearest to a diagonal, else the one that has changed
        most since the first observation. Another one takes its place only if it is clearly stronger."""
        weights = np.stack([record.layer_weights(layer) for layer in range(record.n_layers)])
        if self._first is None or self._first.shape != weights.shape:
            self._first = weights
        if record.kind == "cross":
            strength = measure_places(record).values.max(axis=0)  # [n_layers, n_heads]
        else:
            strength = np.abs(weights - self._first).sum(axis=-1).mean(axis=-1) / 2  # [n_layers, n_heads]
        layer, head = np.unravel_index(int(strength.argmax()), strength.shape)
        if self._head is None or strength[layer, head] > strength[self._head] + MARGIN:
            self._head = int(layer), int(head)
        return self._head


def observe_untrained(recipe: Recipe, given: Given) -> Observation | None:
    """Return the first observation of a run that is not started: the answer and the attention of its model before it
    has learned anything. Raises LabError for rows that cannot be learned from."""
    learned = given.learned[:FEW_ROWS] if recipe.task in GENERATED else given.learned
    task = assemble(recipe, replace(given, learned=learned))
    return Watcher(Path(), task, find_example(recipe.task, given), torch.device("cpu")).read(0)


def pause_after(cost: float, *, elapsed: float) -> float:
    """Return the seconds to the next observation, after one that took `cost` seconds, `elapsed` seconds into a run."""
    return max(LEAST_PAUSE, cost / SHARE, elapsed / PAUSES)


def texts_to_record(example: LiveExample) -> tuple[str, str | None]:
    """Return what the model reads when its attention is recorded: with the expected answer, where it writes one."""
    if example.task == "next":
        return f"{example.text} {example.expected}", None
    return example.text, example.target


def open_in_training(task: LabTask, device: torch.device) -> Model:
    """Return the model of a task behind the face of all models: not a copy, so it changes with the training."""
    tokenizer = deepcopy(task.tokenizer)  # reading sets how a tokenizer cuts, and the task saves its own
    ends = {"start_ids": frozenset({CLS_ID}), "end_ids": frozenset({SEP_ID})}
    if isinstance(task, TranslationTask):
        return ScratchTranslator(task.model, WritingFiles(tokenizer=tokenizer, **ends), name=NAME, device=device)
    if isinstance(task, NextTokenTask):
        return ScratchDecoder(task.model, WritingFiles(tokenizer=tokenizer, **ends), name=NAME, device=device)
    return ScratchModel(task.model, tokenizer, name=NAME, device=device)
