"""The baseline of a guess by frequency, beside what a task measures."""

from __future__ import annotations

import math

import numpy as np
import torch
from transformers import PreTrainedTokenizerFast

from models.training.tasks.frequencies import score_frequencies
from tests.closeness import assert_close
from tests.models.training.test_fit import next_token, tokenizer

__all__ = ["tokenizer"]


def test_the_next_token_is_measured_beside_a_guess_of_the_frequent(tokenizer: PreTrainedTokenizerFast) -> None:
    task = next_token(tokenizer)
    with torch.inference_mode():
        measured = task.measure(torch.device("cpu"))
    assert 0 <= measured["accuracy_baseline"] < 1
    assert 0 < measured["loss_baseline"] < 2 * math.log(task.model.config.d_vocab)
    counts = task.piece_counts  # [d_vocab]
    found, _ = score_frequencies(counts, torch.from_numpy(np.repeat(np.arange(len(counts)), counts)))
    chances = (counts + 1.0) / (counts + 1.0).sum()  # [d_vocab]
    assert_close(found, float(-(counts * np.log(chances)).sum() / counts.sum()))
