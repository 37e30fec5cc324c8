"""The blocks of a pair: every row is one sentence's whole attention."""

from __future__ import annotations

import numpy as np
import pytest

from viz.blocks import is_pair, pair_blocks, pair_blocks_figure
from viz.demo import PAIR, random_record, record_from_scores, tokens_of
from viz.transform import PictureError


@pytest.mark.parametrize("head", [0, None])
def test_rows_sum_to_one(head: int | None) -> None:
    shares = pair_blocks(random_record(tokens=tokens_of(PAIR)), layer=1, head=head)
    np.testing.assert_allclose(shares.sum(axis=1), 1, atol=1e-5)


def test_from_a_to_b_is_not_from_b_to_a() -> None:
    tokens = tokens_of("[CLS] a a [SEP] b b b [SEP]")
    scores = np.zeros((1, 1, 8, 8), np.float32)
    scores[0, 0, 1:3, 5] = 50  # A looks at B
    scores[0, 0, 4:7, 7] = 50  # B looks at the last [SEP], which belongs to segment 1 but not to the words of B
    shares = pair_blocks(record_from_scores(scores, tokens), layer=0, head=0)
    np.testing.assert_allclose(shares.to_numpy(), [[0, 1, 0], [0, 0, 1]], atol=1e-6)
    assert shares.loc["A", "B"] == pytest.approx(1)


def test_the_figure_shows_the_table_on_the_scale_of_weights() -> None:
    record = random_record(tokens=tokens_of(PAIR))
    (cells,) = pair_blocks_figure(record, layer=0, head=2).data
    np.testing.assert_allclose(cells.z, pair_blocks(record, layer=0, head=2).to_numpy(), atol=1e-6)
    assert (cells.zmin, cells.zmax) == (0, 1)


def test_a_single_text_has_no_blocks() -> None:
    record = random_record()
    assert not is_pair(record)
    with pytest.raises(PictureError, match="no sentence B"):
        pair_blocks(record, layer=0, head=0)
