"""One token of a text, guessed: from the distribution that a model gives for its place."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from models.values.answers import best_choices
from models.values.record import Array
from models.values.writing import TokenGuess

CHOICES = 10
ROWS_AT_ONCE = 32
"""How many copies of a text are read in one pass, each with another token masked."""
MOST_NUMBERS = 2**26
"""Logits that are there at once: 256 MB. A text of 512 tokens with BERT's vocabulary is read four times a pass."""


def guess_of(log_probabilities: Array, *, position: int, token_id: int, vocabulary: Sequence[str]) -> TokenGuess:
    """Return the guess of a distribution [d_vocab] for a position where `token_id` stands."""
    own = log_probabilities[token_id]
    return TokenGuess(
        position=position,
        choices=best_choices(log_probabilities, vocabulary, CHOICES),
        probability=float(np.exp(own)),
        rank=1 + int((log_probabilities > own).sum()),
    )
