"""One token's row in every head: the numbers are the record's, and of a long text the largest stay."""

from __future__ import annotations

import numpy as np
import pytest

from models.values.errors import SelectionError
from tests.closeness import assert_close
from viz.kit.demos.records import random_record, tokens_of
from viz.predictions.head_rows import MOST_TOKENS, head_rows, head_rows_table


def test_the_columns_are_the_heads_and_every_one_sums_to_1() -> None:
    record = random_record()
    (cells,) = head_rows(record, positions=[4], layer=1).data
    for head in range(record.n_heads):
        assert_close(np.asarray(cells.z)[:, head], record.weights(1, head)[4])
    assert (cells.zmin, cells.zmax) == (0, 1)
    table = head_rows_table(record, positions=[4], layer=1)
    assert_close(table[[f"head {head}" for head in range(record.n_heads)]].sum(), 1)


def test_several_rows_are_their_mean_in_every_head() -> None:
    record = random_record()
    figure = head_rows(record, positions=[2, 5, 7], layer=1)
    expected = record.layer_weights(1)[:, [2, 5, 7]].mean(axis=1).T  # [n_key, n_heads]
    assert_close(figure.data[0].z, expected)
    assert "Where 3 tokens look, on average" in figure.layout.title.text
    assert "How much 3 tokens, on average, look at each token" in figure.layout.annotations[0].text


def test_of_a_long_text_the_tokens_that_are_looked_at_stay_in_their_order() -> None:
    n_tokens = MOST_TOKENS + 30
    record = random_record(tokens=tokens_of(" ".join(f"w{number}" for number in range(n_tokens))))
    figure = head_rows(record, positions=[0], layer=0)
    (cells,) = figure.data
    weights = np.stack([record.weights(0, head)[0] for head in range(record.n_heads)], axis=1)
    largest = np.sort(np.argsort(-weights.max(axis=1))[:MOST_TOKENS])
    assert_close(cells.z, weights[largest])
    assert f"(position {largest[-1]})" in cells.customdata[-1][0]
    assert "30 tokens with smaller weights" in figure.layout.annotations[0].text.replace("<br>", " ")
    assert len(head_rows_table(record, positions=[0], layer=0)) == n_tokens


def test_words_of_strangers_stay_text_and_narrow_figures_lose_their_numbers_only() -> None:
    record = random_record(tokens=tokens_of("<script>x</script> $a$ b"))
    narrow, wide = (head_rows(record, positions=[1], layer=0, width=width) for width in (300, 900))
    assert "<script" not in wide.to_json().lower()
    np.testing.assert_array_equal(narrow.data[0].z, wide.data[0].z)
    assert narrow.layout.width <= 420


@pytest.mark.parametrize(("position", "layer"), [(16, 0), (-1, 0), (0, 2)])
def test_what_is_not_there_is_named(position: int, layer: int) -> None:
    with pytest.raises(SelectionError, match=r"position|layer"):
        head_rows(random_record(), positions=[position], layer=layer)
