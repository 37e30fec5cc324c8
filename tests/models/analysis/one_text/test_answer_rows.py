"""Which rows lead to a label, counted by hand on made-up attention."""

from __future__ import annotations

import numpy as np
import pytest

from models.analysis.one_text.answer_rows import answer_rows
from models.values.errors import RecordError
from tests.closeness import CloseTo, assert_close
from viz.kit.demos.records import random_record, record_from_scores, tokens_of

TOKENS = tokens_of("[CLS] not very good [SEP]")
WEIGHTS = np.array(
    [
        [0.05, 0.70, 0.04, 0.20, 0.01],
        [0.10, 0.60, 0.10, 0.10, 0.10],
        [0.10, 0.10, 0.60, 0.10, 0.10],
        [0.01, 0.90, 0.04, 0.04, 0.01],
        [0.96, 0.01, 0.01, 0.01, 0.01],
    ],
    np.float32,
)
RECORD = record_from_scores(np.log(WEIGHTS)[None, None], TOKENS)


def test_one_row_is_that_row_and_several_are_their_mean() -> None:
    one, several = answer_rows(RECORD, (0,)), answer_rows(RECORD, (1, 2, 3))
    assert_close(one.shares, WEIGHTS[0])
    assert_close(several.shares, WEIGHTS[1:4].mean(axis=0))
    assert one.favourites(2).tolist() == [1, 3]
    assert one.overlooked_words().tolist() == [2]  # below half of 1 / 5; [SEP], with less still, is no word
    assert several.overlooked_words().tolist() == [3]


def test_the_strongest_look_is_at_another_word_from_a_row_that_is_read() -> None:
    one, several = answer_rows(RECORD, (0,)).strongest, answer_rows(RECORD, (1, 2, 3)).strongest
    assert one is not None
    assert several is not None
    assert (one.query, one.key, one.weight) == (0, 1, CloseTo(0.7))
    assert (several.query, several.key, several.weight) == (3, 1, CloseTo(0.9))  # not 0.96, which [SEP] gives to [CLS]


def test_it_is_the_mean_over_the_heads_of_the_last_layer() -> None:
    record = random_record(n_layers=3)
    found = answer_rows(record, (2, 5))
    assert_close(found.shares, record.layer_weights(2)[:, [2, 5]].mean(axis=(0, 1)))
    assert found.n_layers == 3
    assert_close(found.shares.sum(), 1)


def test_a_text_of_one_word_has_no_look_at_another_one_and_no_row_is_an_error() -> None:
    alone = record_from_scores(np.zeros((1, 1, 3, 3)), tokens_of("[CLS] good [SEP]"))
    assert answer_rows(alone, (1,)).strongest is None
    with pytest.raises(RecordError, match="no word in this text"):
        answer_rows(alone, ())
