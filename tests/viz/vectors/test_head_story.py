"""What the three maps of a head have in common: by hand, and held to every embedded model by changing its record."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from tests.closeness import assert_at_most, assert_close
from tests.viz.vectors.test_dimension_story import AT, EMBEDDED, made_of, recorded
from viz.kit.demos.records import random_record, tokens_of
from viz.vectors.head_story import common_favourite, common_share, head_story, own_kind, stripes, who_looks_there


def test_the_common_share_is_that_of_the_mean_vector() -> None:
    assert_close(common_share(np.tile([3.0, -4.0], (5, 1)).astype(np.float32)), 1)
    assert_close(common_share(np.array([[1.0, 2.0], [-1.0, -2.0]], np.float32)), 0, magnitude=1)
    assert_close(common_share(np.array([[2.0, 0.0], [0.0, 0.0]], np.float32)), 0.5)  # 1 of (4 + 0) / 2
    assert common_share(np.zeros((3, 2), np.float32)) == 0
    assert stripes(np.array([[1, 0, -5], [1, 0, -5.0]], np.float32), 2) == (2, 0)


def test_a_key_that_all_queries_want_is_named_with_who_looks_there() -> None:
    query, key = np.zeros((6, 3)), np.zeros((6, 3))
    query[:, 0], key[4, 0] = 3, 3
    query[2, 1], key[1, 1] = 9, 3  # but one has another wish
    said = head_story(made_of(query, key), **AT)
    assert "the same key, “d” (4), and 5 of the 6 tokens that see it do look there most." in said[1]
    assert "dimensions 0" in said[0]


def test_few_followers_are_said_to_be_few() -> None:
    query, key = np.zeros((6, 7)), np.zeros((6, 7))
    query[:, 0], key[4, 0] = 1, 1
    query[np.arange(6), 1 + np.arange(6)] = 5
    key[np.arange(6), 1 + np.arange(6)] = 5  # every token looks at itself
    said = head_story(made_of(query, key), **AT)
    assert "but only 1 of the 6 tokens that see it look there most. The differences between queries decide." in said[1]


def test_vectors_of_their_own_kind_are_named() -> None:
    vectors = np.random.default_rng(0).normal(size=(6, 4))
    vectors[5] += 20
    said = head_story(made_of(vectors, np.ones((6, 4))), **AT)
    assert said[-1] == "Standing out, more than twice as far from the mean as usual: the query of “[SEP]” (5)."
    assert own_kind(np.ones((6, 4), np.float32)).size == 0


def test_a_causal_head_names_a_key_that_half_of_the_tokens_may_see() -> None:
    record = random_record(causal=True)
    for head in range(record.n_heads):
        assert common_favourite(record, layer=1, head=head) <= record.n_query // 2
    assert head_story(random_record(tokens=tokens_of("a b")), layer=0, head=0) == ()


@pytest.mark.parametrize("name", EMBEDDED)
def test_with_their_common_part_alone_all_tokens_look_at_the_favourite(name: str) -> None:
    for record in recorded(name):
        for layer in range(record.n_layers):
            for head in range(record.n_heads):
                query = np.broadcast_to(record.query.mean(axis=2, keepdims=True), record.query.shape).copy()
                alike = replace(record, query=query)
                favourite = common_favourite(record, layer=layer, head=head)
                n_there, n_seeing = who_looks_there(alike, layer=layer, head=head, key=favourite)
                if record.kind != "decoder" and not any(bias.any() for bias in record.bias):
                    assert n_there == n_seeing == record.n_query
                weights = record.weights(layer, head)
                looking = sum(int(row.argmax()) == favourite and row[favourite] > 0 for row in weights)
                assert who_looks_there(record, layer=layer, head=head, key=favourite)[0] == looking


@pytest.mark.parametrize("name", EMBEDDED)
def test_without_what_the_keys_share_no_weight_changes(name: str) -> None:
    for record in recorded(name):
        without = replace(record, key=record.key - record.key.mean(axis=2, keepdims=True))
        for layer in range(record.n_layers):
            before, after = record.layer_weights(layer), without.layer_weights(layer)
            assert_close(before, after)
            assert_close(common_share(without.key[layer, 0]), 0, magnitude=1)


@pytest.mark.parametrize("name", EMBEDDED)
def test_every_head_has_a_story_whose_shares_are_shares(name: str) -> None:
    for record in recorded(name):
        for layer in range(record.n_layers):
            for head in range(record.n_heads):
                said = head_story(record, layer=layer, head=head)
                assert len(said) in (3, 4)
                for vectors in (record.query, record.key, record.value):
                    assert f"{common_share(vectors[layer, head]):.0%} of the" in said[0]
                    assert common_share(vectors[layer, head]) >= 0
                    assert_at_most(common_share(vectors[layer, head]), 1)
