"""The answers of the snapshots of a run, over one vocabulary, the best first, in words."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from models.values.errors import SelectionError
from models.values.history import History, SnapshotAnswer
from models.values.wording import worded
from viz.kit.tokens import spelled_apart, visible


def answers_of(history: History, which: int) -> list[SnapshotAnswer]:
    """Return the answers to question number `which`, one for each snapshot. Raises SelectionError if there is none."""
    answers = [reading.answer for reading in history.readings if reading.answer is not None]
    if len(answers) < len(history.readings) or not 0 <= which < len(answers[-1].positions):
        raise SelectionError(worded("question {which} was asked for, but this text has no such [MASK].", which=which))
    vocabularies = {answer.vocabulary for answer in answers}
    return answers if len(vocabularies) == 1 else _align_answers(answers)


def _align_answers(answers: Sequence[SnapshotAnswer]) -> list[SnapshotAnswer]:
    """Return the answers over one shared vocabulary, minus infinity for a choice that a snapshot lacks."""
    vocabulary = tuple(dict.fromkeys(choice for answer in answers for choice in answer.vocabulary))
    places = {choice: place for place, choice in enumerate(vocabulary)}
    aligned = []
    for answer in answers:
        spread_out = np.full((len(answer.positions), len(vocabulary)), -np.inf, np.float32)
        spread_out[:, [places[choice] for choice in answer.vocabulary]] = answer.log_probabilities
        aligned.append(replace(answer, log_probabilities=spread_out, vocabulary=vocabulary))
    return aligned


def best_of(answers: Sequence[SnapshotAnswer], which: int, top_k: int) -> tuple[NDArray[np.intp], NDArray[np.float32]]:
    """Return the places in the vocabulary and the probabilities of the likeliest answers, each [n_answers, top_k]."""
    chances = np.exp(np.stack([answer.log_probabilities[which] for answer in answers]))
    ids: NDArray[np.intp] = np.argsort(-chances, axis=1, kind="stable")[:, :top_k]
    return ids, np.take_along_axis(chances, ids, axis=1)


def words_of(answer: SnapshotAnswer, ids: Sequence[int] | NDArray[np.intp]) -> tuple[str, ...]:
    """Return the spelling of choices at these places of the vocabulary, so that no two look alike."""
    if answer.question == "label":
        return tuple(visible(answer.vocabulary[one]) for one in ids)
    return spelled_apart([answer.vocabulary[one] for one in ids])
