"""What an encoder is asked beside masked words: here, which text follows within one book."""

from __future__ import annotations

import numpy as np
import pytest
import torch

from models.scratch.config import TransformerConfig
from models.scratch.pretraining import IS_NEXT, PretrainingModel
from models.training.corpora.corpus import Corpus
from models.training.trainer.start import initialise
from recipes.evaluation.knowledge import ROWS_AT_ONCE, follows_in_one_book
from tests.closeness import assert_close

N_PAIRS = 4 * ROWS_AT_ONCE
CONFIG = TransformerConfig(d_vocab=80, d_model=16, n_layers=1, n_heads=2, d_ff=32, max_tokens=64, dropout=0.0)


@pytest.fixture(scope="module")
def books() -> Corpus:
    """Four documents of 200 sentences, each with pieces of its own."""
    random = np.random.default_rng(2)
    ids = [random.integers(5 + 15 * book, 20 + 15 * book, (200, 8)) for book in range(4)]
    return Corpus(
        ids=np.concatenate(ids).ravel().astype(np.int32),
        sentence_starts=np.arange(0, 4 * 200 * 8 + 1, 8),
        document_of=np.repeat(np.arange(4), 200).astype(np.int32),
    )


def test_who_always_gives_one_answer_is_right_as_often_as_that_is_the_true_one(books: Corpus) -> None:
    model = PretrainingModel(CONFIG).eval()
    initialise(model, seed=0)
    assert model.nsp is not None
    shares = []
    for answer in (IS_NEXT, 1 - IS_NEXT):
        with torch.no_grad():
            model.nsp.classifier.weight.zero_()
            model.nsp.classifier.bias.copy_(torch.nn.functional.one_hot(torch.tensor(answer), 2).float())
        found = follows_in_one_book(model, books, n_tokens=32, n_pairs=N_PAIRS)
        assert found["n"] == N_PAIRS
        shares.append(found["right"])
    assert_close(sum(shares), 1)
    assert 0.3 < shares[0] < 0.7
