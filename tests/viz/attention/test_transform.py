"""Merging and hiding keep the mass of a row where they say so, and tell the reader what they did."""

from __future__ import annotations

import csv
import io
from dataclasses import replace

import numpy as np
import pytest

from models.values.errors import SelectionError
from models.values.record import AttentionRecord, Token
from tests.closeness import assert_at_most, assert_close
from viz.attention.matrix import Matrix
from viz.attention.transform import hide_special, matrix_csv, pool, prepare, select
from viz.attention.words import to_words
from viz.kit.demos.records import PAIR, random_record, tokens_of
from viz.kit.errors import PictureError

SEEDS = range(8)


def any_record(seed: int) -> AttentionRecord:
    """A record of a text of random pieces: some continue a word, some are special, some runs are long."""
    generator = np.random.default_rng(seed)
    pieces = generator.choice(["a", "bc", "##d", "##ef", "[SEP]"], size=generator.integers(2, 40))
    return random_record(tokens=tokens_of("start " + " ".join(pieces)), causal=bool(seed % 2), seed=seed)


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("head", [0, None])
def test_rows_of_words_sum_to_one(seed: int, head: int | None) -> None:
    matrix = to_words(select(any_record(seed), layer=1, head=head))
    assert_close(matrix.values.sum(axis=1), 1)


@pytest.mark.parametrize("seed", SEEDS)
def test_a_word_is_the_sum_of_its_columns_and_the_mean_of_its_rows(seed: int) -> None:
    record = any_record(seed)
    weights, matrix = record.weights(0, 2), prepare(record, layer=0, head=2, words=True)
    groups = _groups(record.query_tokens)
    for row, queries in enumerate(groups):
        for column, keys in enumerate(groups):
            expected = weights[np.ix_(queries, keys)].sum() / len(queries)
            assert_close(matrix.values[row, column], expected)
    assert matrix.query_positions == tuple(group[0] for group in groups)


@pytest.mark.parametrize("seed", SEEDS)
def test_renormalised_rows_sum_to_one_and_keep_their_proportions(seed: int) -> None:
    plain = select(any_record(seed), layer=0, head=1)
    hidden, renormalised = (hide_special(plain, renormalise=choice) for choice in (False, True))
    totals = hidden.values.sum(axis=1, keepdims=True)
    assert_at_most(totals, 1)
    assert_close(renormalised.values.sum(axis=1), (totals[:, 0] > 0).astype(float))
    assert_close(renormalised.values * totals, hidden.values)
    assert not any(token.is_special for token in (*hidden.query_tokens, *hidden.key_tokens))


def test_hidden_tokens_leave_the_positions_of_the_others() -> None:
    matrix = prepare(random_record(), layer=0, head=0, special="hidden")
    assert matrix.query_positions == tuple(range(1, 15))


def test_the_note_says_whether_rows_still_sum_to_one() -> None:
    record = random_record()
    notes = [
        prepare(record, layer=0, head=0, special=special).note for special in ("shown", "hidden", "hidden_renormalised")
    ]
    assert "Every row sums to 1" in notes[0]
    assert "less than 1" in notes[1]
    assert "Every row" not in notes[1]
    assert "renormalised to sum to 1" in notes[2]


def test_a_row_that_looked_at_special_tokens_only_stays_zero_and_is_explained() -> None:
    tokens = (Token(text="[CLS]", is_special=True), Token(text="a", word=0))
    weights = np.array([[0.5, 0.5], [1, 0]], np.float32)
    matrix = Matrix(
        values=weights,
        masked=weights < 0,
        query_tokens=tokens,
        key_tokens=tokens,
        query_positions=(0, 1),
        key_positions=(0, 1),
        quantity="weights",
        note="Every row sums to 1.",
    )
    hidden = hide_special(matrix, renormalise=True)
    assert hidden.values.tolist() == [[0]]
    assert "zeros" in hidden.note


def test_a_text_of_special_tokens_leaves_nothing_and_says_so() -> None:
    hidden = prepare(random_record(tokens=tokens_of("[CLS] [SEP]")), layer=0, head=0, special="hidden_renormalised")
    assert hidden.values.shape == (0, 0)
    assert "there is nothing to show" in hidden.note


def test_scores_have_no_words_but_keep_their_mask_and_are_not_renormalised() -> None:
    record = random_record(causal=True)
    matrix = prepare(record, layer=0, head=1, quantity="scores", special="hidden_renormalised")
    np.testing.assert_array_equal(matrix.values, record.scores(0, 1)[1:-1, 1:-1])
    np.testing.assert_array_equal(matrix.masked, np.triu(np.ones((14, 14), bool), k=1))
    with pytest.raises(PictureError, match="show the weights"):
        prepare(record, layer=0, head=1, quantity="scores", words=True)


def test_the_mean_over_heads_is_that_of_the_record() -> None:
    record = random_record()
    assert_close(select(record, layer=1, head=None).values, record.mean_weights(1))


@pytest.mark.parametrize(("layer", "head"), [(2, 0), (0, 3), (-1, 0), (2, None)])
def test_a_layer_or_head_that_is_not_there_is_named(layer: int, head: int | None) -> None:
    with pytest.raises(SelectionError, match=r"layer|head"):
        select(random_record(), layer=layer, head=head)


def test_queries_and_keys_keep_their_own_tokens_in_cross_attention() -> None:
    record = random_record(tokens=tokens_of("x ##y z"), key_tokens=tokens_of("a b ##c d [SEP]"))
    matrix = prepare(record, layer=0, head=0, words=True, special="hidden")
    assert [token.text for token in matrix.query_tokens] == ["xy", "z"]
    assert [token.text for token in matrix.key_tokens] == ["a", "bc", "d"]


def test_pooling_keeps_the_strongest_cell_also_in_an_incomplete_block() -> None:
    values = np.zeros((7, 5), np.float32)
    values[6, 4] = 0.9
    assert pool(values, step=3).shape == (3, 2)
    assert pool(values, step=3)[2, 1] == np.float32(0.9)


def test_the_file_holds_the_numbers_and_says_masked() -> None:
    record = random_record(tokens=tokens_of('=1+1 "a,b" it it'), causal=True)
    matrix = prepare(record, layer=0, head=0, quantity="scores")
    header, *rows = csv.reader(io.StringIO(matrix_csv(matrix).decode("utf-8-sig")))
    assert header[1:] == ["0 · =1+1", '1 · "a,b"', "2 · it", "3 · it"]
    assert [row[0] for row in rows] == header[1:]
    assert rows[0][2] == "masked"
    assert np.float32(rows[3][1]) == record.scores(0, 0)[3, 0]


def test_whole_words_of_a_pair_stay_in_their_sentence() -> None:
    matrix = prepare(random_record(tokens=tokens_of(PAIR)), layer=0, head=0, words=True)
    assert [token.text for token in matrix.key_tokens if token.segment == 1][3:5] == ["loaded", "gallon"]


def _groups(tokens: tuple[Token, ...]) -> list[list[int]]:
    groups: list[list[int]] = []
    for index, token in enumerate(tokens):
        if index and token.word is not None and token.word == tokens[index - 1].word:
            groups[-1].append(index)
        else:
            groups.append([index])
    return groups


def test_rows_beside_a_sink_are_said_to_sum_to_less() -> None:
    record = replace(random_record(), sinks=np.array([[[0]] * 3, [[-np.inf]] * 3], np.float32))
    beside, plain = (prepare(record, layer=layer, head=0) for layer in (0, 1))
    assert beside.note == "Every row sums to 1 less the share of the sink."
    assert plain.note == "Every row sums to 1."
    assert_close(beside.values.sum(axis=1) + record.sink_shares(0, 0), 1)
    words = prepare(record, layer=0, head=0, words=True)
    assert words.values.sum() < len(words.values) - 0.1
    hidden = prepare(record, layer=0, head=0, special="hidden_renormalised")
    assert hidden.note == "Special tokens hidden; every row is renormalised to sum to 1."
    assert_close(hidden.values.sum(axis=1), 1)
