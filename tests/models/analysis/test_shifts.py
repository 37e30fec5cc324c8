"""At which word a head differs most between two texts."""

from __future__ import annotations

import numpy as np
import pytest

from models.analysis import compare, find_shifts
from models.opening.registry import load
from models.values.errors import SelectionError
from models.values.record import AttentionRecord
from models.values.results.comparison import WordShift
from tests.closeness import assert_close
from viz.attention.transform import select
from viz.attention.words import to_words
from viz.kit.demos.records import random_record, record_from_scores, tokens_of

TEXTS = [f"The animal didn't cross the street because it was too {how}." for how in ("tired", "wide")]


@pytest.fixture(scope="module")
def tired_and_wide() -> list[AttentionRecord]:
    model = load("headlight-bert", device="cpu")
    return [model.record(text).of("encoder") for text in TEXTS]


def shift_of(one: AttentionRecord, other: AttentionRecord, *, layer: int = 0, head: int = 0) -> WordShift | None:
    return compare(one, other, one_layer=layer, other_layer=layer, one_head=head, other_head=head).shift


def test_it_turns_from_the_animal_to_the_street(tired_and_wide: list[AttentionRecord]) -> None:
    one, other = tired_and_wide
    first, *_ = find_shifts(one, other)
    texts = [token.text for token in one.query_tokens]
    named = [
        [texts[place] for place in places]
        for places in (first.shift.rows, first.shift.from_columns, first.shift.to_columns)
    ]
    assert named == [["it"], ["animal"], ["street"]]
    assert (first.layer, first.head) == (3, 1)
    (animal,), (street,), (it,) = first.shift.from_columns, first.shift.to_columns, first.shift.rows
    weights = [record.weights(3, 1)[it] for record in (one, other)]
    assert_close(first.shift.from_shares, [row[animal] for row in weights])
    assert_close(first.shift.to_shares, [row[street] for row in weights])


def test_the_shift_of_every_head_is_that_of_the_two_heads_side_by_side(tired_and_wide: list[AttentionRecord]) -> None:
    one, other = tired_and_wide
    found = find_shifts(one, other)
    assert len(found) == one.n_layers * one.n_heads
    for place in found[:: len(found) // 6]:
        assert place.shift == shift_of(one, other, layer=place.layer, head=place.head)
    moved = [place.shift.moved for place in found]
    assert moved == sorted(moved, reverse=True)


def test_what_moves_is_half_of_all_differences_between_whole_words(tired_and_wide: list[AttentionRecord]) -> None:
    one, other = tired_and_wide
    words = [to_words(select(record, layer=5, head=8)) for record in (one, other)]
    stays = [not token.is_special and token.text != "." for token in words[0].key_tokens]
    moved = np.abs(words[1].values - words[0].values)[:, stays].sum(axis=1) / 2
    said = [a.text == b.text and not a.is_special for a, b in zip(*(word.query_tokens for word in words), strict=True)]
    shift = shift_of(one, other, layer=5, head=8)
    assert shift is not None
    assert_close(shift.moved, moved[said].max())


def test_the_other_way_round_it_turns_back(tired_and_wide: list[AttentionRecord]) -> None:
    one, other = tired_and_wide
    there, back = find_shifts(one, other)[0].shift, find_shifts(other, one)[0].shift
    assert (back.from_columns, back.to_columns) == (there.to_columns, there.from_columns)
    assert_close((*back.from_shares, *back.to_shares), (*there.to_shares[::-1], *there.from_shares[::-1]))
    assert_close(back.moved, there.moved)


def test_a_record_moves_nothing_against_itself_and_texts_with_no_common_word_have_no_shift() -> None:
    record = random_record()
    assert {place.shift.moved for place in find_shifts(record, record)} == {0}
    scores = np.zeros((1, 1, 4, 4), np.float32)
    one, other = (record_from_scores(scores, tokens_of(f"[CLS] {text} [SEP]")) for text in ("a b", "x y"))
    assert find_shifts(one, other) == ()
    assert shift_of(one, other) is None
    with pytest.raises(SelectionError, match="as many of both"):
        find_shifts(record, one)
