"""Two records side by side: what is aligned, what differs, and by how much."""

from __future__ import annotations

from dataclasses import replace
from itertools import product

import numpy as np
import pytest

from models.analysis.alignment import aligned_tokens
from models.analysis.comparison import compare, compare_heads, compare_orders
from models.analysis.jensen_shannon import distances, divergences, entropies
from models.opening.registry import load
from models.values.errors import SelectionError
from models.values.record import AttentionRecord
from tests.closeness import assert_at_most, assert_close
from viz.kit.demos.records import random_record, record_from_scores, shuffled_pair, tokens_of

PLACES = {
    "nothing changed": ("[CLS] a b c [SEP]", "[CLS] a b c [SEP]"),
    "a word for a word": ("[CLS] a b c [SEP]", "[CLS] a x c [SEP]"),
    "a word more": ("[CLS] a c [SEP]", "[CLS] a b c [SEP]"),
    "two words for one": ("[CLS] a b c [SEP]", "[CLS] a x y c [SEP]"),
    "nothing in common": ("a b", "x y z"),
    "repeats": ("a b a b a", "b a b"),
    "one empty": ("", "a b"),
}


def texts(name: str) -> tuple[list[str], list[str]]:
    one, other = PLACES[name]
    return one.split(), other.split()


@pytest.mark.parametrize("name", PLACES)
def test_an_alignment_has_every_token_once_in_order_and_as_many_equals_as_can_be(name: str) -> None:
    one, other = texts(name)
    pairs = aligned_tokens(tokens_of(PLACES[name][0]), tokens_of(PLACES[name][1]))
    assert [pair.one for pair in pairs if pair.one is not None] == list(range(len(one)))
    assert [pair.other for pair in pairs if pair.other is not None] == list(range(len(other)))
    for pair in pairs:
        assert pair.is_equal == (pair.one is not None and pair.other is not None and one[pair.one] == other[pair.other])
    shorter, longer = sorted((one, other), key=len)
    most = max(
        sum(kept)
        for kept in product((0, 1), repeat=len(shorter))
        if is_within([word for word, stays in zip(shorter, kept, strict=True) if stays], longer)
    )
    assert sum(pair.is_equal for pair in pairs) == most


def is_within(words: list[str], text: list[str]) -> bool:
    rest = iter(text)
    return all(word in rest for word in words)


def test_a_word_in_the_place_of_another_is_beside_it_and_a_word_more_stands_alone() -> None:
    pairs = aligned_tokens(tokens_of("[CLS] she ran [SEP]"), tokens_of("[CLS] he ran home [SEP]"))
    assert [(pair.one, pair.other, pair.is_equal) for pair in pairs] == [
        (0, 0, True),
        (1, 1, False),
        (2, 2, True),
        (None, 3, False),
        (3, 4, True),
    ]


def test_of_two_alignments_the_one_of_whole_words_is_taken() -> None:
    """Two particles are exchanged: the nouns are the same, and not the particle that both texts have."""
    one, other = tokens_of("dog ##a cat ##b ran"), tokens_of("dog ##b cat ##a ran")
    pairs = [(pair.one, pair.other, pair.is_equal) for pair in aligned_tokens(one, other)]
    assert pairs == [(place, place, place % 2 == 0) for place in range(5)]


def test_a_record_does_not_differ_from_itself() -> None:
    record = random_record()
    found = compare(record, record, one_layer=1, other_layer=1, one_head=2, other_head=2)
    np.testing.assert_array_equal(found.difference, 0)
    assert_close(np.square(found.distances), 0, magnitude=1)  # a root makes much of rounding
    assert_close(np.square(compare_heads(record, record)), 0, magnitude=1)
    mean = compare(record, record, one_layer=0, other_layer=1, one_head=None, other_head=None)
    assert_close(mean.one, record.mean_weights(0))
    assert mean.distances.min() > 0.01


def looking(at: list[int], text: str) -> AttentionRecord:
    """One head whose every token looks at one place alone."""
    scores = np.full((1, 1, len(at), len(at)), -1e4, np.float32)
    scores[0, 0, np.arange(len(at)), at] = 0
    return record_from_scores(scores, tokens_of(text))


def test_rows_that_look_at_different_tokens_are_1_apart_also_at_one_that_the_other_text_has_not() -> None:
    one = looking([0, 0, 1, 3], "[CLS] a b [SEP]")
    other = looking([0, 2, 1, 3, 4], "[CLS] a b c [SEP]")
    found = compare(one, other, one_layer=0, other_layer=0, one_head=0, other_head=0)
    assert_close(found.distances, [0, 1, 0, np.nan, 0])
    assert np.isnan(found.difference[3]).all()
    assert np.isnan(found.difference[:, 3]).all()
    assert_close(found.difference[1, [0, 1, 2, 4]], [-1, 0, 1, 0])
    alone = compare_heads(looking([0, 0, 1, 3], "[CLS] a b [SEP]"), looking([0, 0, 1, 3, 3], "[CLS] a b c [SEP]"))
    assert_close(alone, [[1 / 4]])  # [SEP] alone looks at the word that is new


def test_the_distance_is_that_of_jensen_and_shannon() -> None:
    rng = np.random.default_rng(0)
    one, other, third = rng.dirichlet(np.ones(5), (3, 50)).astype(np.float32)
    middle = (one + other) / 2
    by_kullback = ((one * np.log2(one / middle)).sum(axis=1) + (other * np.log2(other / middle)).sum(axis=1)) / 2
    assert_close(divergences(one, other), by_kullback)
    np.testing.assert_array_equal(distances(one, other), distances(other, one))
    assert_at_most(distances(one, other), distances(one, third) + distances(third, other))
    assert entropies(np.array([[0.25] * 4, [1, 0, 0, 0]])).tolist() == [2, 0]
    assert distances(np.array([1.0, 0]), np.array([0.0, 1])) == 1


def test_before_and_after_a_mask_and_two_models_of_one_tokenizer() -> None:
    model = load("mini-bert", device="cpu")
    one, other = (model.record(text).of("encoder") for text in ("The cat sat.", "The [MASK] sat."))
    found = compare(one, other, one_layer=1, other_layer=1, one_head=0, other_head=0)
    assert [pair.is_equal for pair in found.rows] == [True, True, False, True, True, True]
    assert 0 < compare_heads(one, other).max() < 1
    theirs = load("models/pretrained/mini-bert", device="cpu").record("The cat sat.").of("encoder")
    assert_close(np.square(compare_heads(one, theirs)), 0, magnitude=1)
    with pytest.raises(SelectionError, match="as many of both"):
        compare_heads(one, random_record())


def test_what_goes_to_a_sink_is_an_outcome_like_a_token() -> None:
    """A head whose sink takes nearly everything is as far from one that has none as two that share no token."""
    record = random_record()
    drained = replace(record, sinks=np.full((2, 3, 1), 30, np.float32))
    found = compare(record, drained, one_layer=1, other_layer=1, one_head=2, other_head=2)
    assert_close(found.distances, 1)
    assert_close(compare_heads(record, drained), 1)
    assert_close(np.square(compare_heads(drained, drained)), 0, magnitude=1)
    half = replace(record, sinks=np.log(np.exp(record.scores(0, 0)).sum(axis=1))[None, None].repeat(2, 0).repeat(3, 1))
    first = compare(record, half, one_layer=0, other_layer=0, one_head=0, other_head=0)
    rows = np.column_stack([record.weights(0, 0), np.zeros(record.n_query, np.float32)])
    halves = np.column_stack([record.weights(0, 0) / 2, np.full(record.n_query, 0.5, np.float32)])
    assert_close(first.distances, distances(rows, halves))


# -- two orders of one text -------------------------------------------------------------------------------------------


@pytest.mark.parametrize("with_positions", [False, True])
def test_each_weight_of_a_shuffled_text_stands_at_the_cell_of_its_two_tokens(with_positions: bool) -> None:
    pair = shuffled_pair(with_positions=with_positions)
    found = compare_orders(pair, layer=1, head=2)
    assert_close(found.one, pair.written.attention[0].weights(1, 2))
    assert_close(found.other[np.ix_(pair.order, pair.order)], pair.shuffled.attention[0].weights(1, 2))
    assert [found.other_queries[token.other or 0].text for token in found.rows] == [
        token.text for token in pair.written.tokens
    ]
    assert (float(np.nanmax(found.distances)) > 0.01) == with_positions


def test_the_token_that_moves_most_is_one_that_keeps_its_place_if_any_word_does() -> None:
    pair = load("headlight-bert").record_shuffled("The dog bites the man.", with_positions=True, seed=249)
    found = compare_orders(pair, layer=0, head=2)
    assert found.shift is not None
    assert found.shift.rows == (3,)
    assert pair.order[3] == 3
    assert pair.written.tokens[3].text == "bites"
    assert [pair.written.tokens[at].text for (at,) in (found.shift.from_columns, found.shift.to_columns)] == [
        "dog",
        "man",
    ]
    assert found.shift.from_shares[0] > 0.9 < found.shift.to_shares[1]
    other = compare_orders(pair, layer=0, head=2, token=5)
    assert other.shift is not None
    assert other.shift.rows == (5,)


def test_pieces_of_words_stand_alone_in_another_order() -> None:
    pair = shuffled_pair(text="[CLS] play ##ing is fun [SEP]")
    found = compare_orders(pair, layer=0, head=None)
    for tokens in (found.one_queries, found.other_queries):
        words = [token.word for token in tokens if not token.is_special]
        assert len(set(words)) == len(words) == 4
