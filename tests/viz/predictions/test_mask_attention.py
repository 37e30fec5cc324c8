"""The bars are one row of the attention, in the order of the sentence."""

from __future__ import annotations

import numpy as np
import pytest

from models.values.errors import SelectionError
from tests.closeness import assert_close
from viz.attention.transform import rows_of_weights
from viz.kit.demos.records import random_record, tokens_of
from viz.predictions.mask_attention import mask_attention, mask_attention_table


def test_the_bars_are_the_row_whichever_way_they_run() -> None:
    record = random_record()
    row = record.weights(1, 2)[4]
    (standing,) = mask_attention(record, positions=[4], layer=1, head=2, width=900).data
    (lying,) = mask_attention(record, positions=[4], layer=1, head=2, width=360).data
    assert_close(standing.y, row)
    assert_close(lying.x, row)
    assert list(standing.x) == list(lying.y) == list(range(len(row)))


def test_means_are_over_the_heads_and_over_everything() -> None:
    record = random_record(n_layers=3)
    layer = record.layer_weights(1)[:, 5].mean(axis=0)
    everything = np.mean([record.layer_weights(layer)[:, 5].mean(axis=0) for layer in range(3)], axis=0)
    assert_close(rows_of_weights(record, [5], layer=1, head=None)[0], layer)
    assert_close(rows_of_weights(record, [5], layer=None, head=None)[0], everything)
    assert_close(rows_of_weights(record, [5], layer=None, head=None)[0].sum(), 1)


def test_several_rows_are_their_mean_and_no_bar_is_the_token_itself() -> None:
    record = random_record()
    figure = mask_attention(record, positions=[2, 5, 7], layer=1, head=2, width=900)
    (bars,) = figure.data
    assert_close(bars.y, record.weights(1, 2)[[2, 5, 7]].mean(axis=0))
    assert "Where 3 tokens look, on average" in figure.layout.title.text
    assert "Orange" not in figure.layout.annotations[0].text


def test_special_tokens_and_the_token_itself_have_colours_of_their_own() -> None:
    (bars,) = mask_attention(random_record(tokens=tokens_of("[CLS] a b c [SEP]")), positions=[2], layer=0, head=0).data
    first, a, itself, c, last = bars.marker.color
    assert first == last != a == c != itself != first


def test_the_keys_of_cross_attention_are_the_other_text() -> None:
    record = random_record(tokens=tokens_of("a b"), key_tokens=tokens_of("c d e"))
    figure = mask_attention(record, positions=[1], layer=0, head=0)
    assert len(figure.data[0].x) == 3
    assert len(set(figure.data[0].marker.color)) == 1  # no bar is the token itself
    assert list(mask_attention_table(record, positions=[1], layer=0, head=0)["token"]) == ["c", "d", "e"]


@pytest.mark.parametrize(("position", "layer", "head"), [(16, 0, 0), (-1, 0, 0), (0, 2, 0), (0, 0, 3)])
def test_what_is_not_there_is_named(position: int, layer: int, head: int) -> None:
    with pytest.raises(SelectionError, match=r"position|layer|head"):
        mask_attention(random_record(), positions=[position], layer=layer, head=head)
