"""The blocks of a pair: every row is one sentence's whole attention."""

from __future__ import annotations

import numpy as np
import pytest

from models.values.errors import SelectionError
from tests.closeness import assert_close
from viz.attention.blocks import crossing_map, pair_blocks_figure
from viz.attention.overview import picked_head
from viz.attention.sentence_pairs import CROSSING, block_shares, directions, is_pair, most_crossing, pair_blocks
from viz.kit.demos.records import PAIR, random_record, record_from_scores, tokens_of
from viz.kit.errors import PictureError
from viz.predictions.next_sentence import next_sentence_bar


@pytest.mark.parametrize("head", [0, None])
def test_rows_sum_to_one(head: int | None) -> None:
    shares = pair_blocks(random_record(tokens=tokens_of(PAIR)), layer=1, head=head)
    assert_close(shares.sum(axis=1), 1)


def test_from_a_to_b_is_not_from_b_to_a() -> None:
    tokens = tokens_of("[CLS] a a [SEP] b b b [SEP]")
    scores = np.zeros((1, 1, 8, 8), np.float32)
    scores[0, 0, 1:3, 5] = 50  # A looks at B
    scores[0, 0, 4:7, 7] = 50  # B looks at the last [SEP], which belongs to segment 1 but not to the words of B
    shares = pair_blocks(record_from_scores(scores, tokens), layer=0, head=0)
    expected = [[0, 1, 0, 0], [0, 0, 0, 1], [0.25, 0.375, 0.125, 0.25]]  # [CLS] looks everywhere alike
    assert_close(shares.to_numpy(), expected)
    assert list(shares.index) == ["A", "B", "[CLS]"]
    assert list(shares.columns) == ["A", "B", "[CLS]", "[SEP]"]
    assert_close(shares.loc["A", "B"], 1)


def test_the_figure_shows_the_table_on_the_scale_of_weights() -> None:
    record = random_record(tokens=tokens_of(PAIR))
    (cells,) = pair_blocks_figure(record, layer=0, head=2).data
    assert_close(cells.z, pair_blocks(record, layer=0, head=2).to_numpy())
    assert (cells.zmin, cells.zmax) == (0, 1)


def test_a_single_text_has_no_blocks() -> None:
    record = random_record()
    assert not is_pair(record)
    with pytest.raises(PictureError, match="no sentence B"):
        pair_blocks(record, layer=0, head=0)
    with pytest.raises(PictureError, match="no sentence B"):
        block_shares(record)


def test_every_head_has_the_shares_of_its_own_blocks() -> None:
    record = random_record(tokens=tokens_of(PAIR))
    shares = block_shares(record).set_index(["layer", "head"])
    for layer, head in np.ndindex(record.n_layers, record.n_heads):
        blocks = pair_blocks(record, layer=layer, head=head)
        for row in blocks.index:
            for column in blocks.columns:
                assert shares.loc[(layer, head), f"{row} to {column}"] == blocks.loc[row, column]
        across = (blocks.loc["A", "B"] + blocks.loc["B", "A"]) / 2
        assert_close(shares.loc[(layer, head), CROSSING], across)


def test_the_head_that_looks_across_is_found() -> None:
    tokens = tokens_of("[CLS] a a [SEP] b b b [SEP]")
    scores = np.zeros((3, 2, 8, 8), np.float32)
    scores[1, 1, 1:3, 4:7] = scores[1, 1, 4:7, 1:3] = 9
    scores[2, 0, 1:3, 4:7] = 30  # one direction only
    assert most_crossing(block_shares(record_from_scores(scores, tokens))) == (1, 1)


@pytest.mark.parametrize("direction", [CROSSING, "B to A", "[CLS] to [SEP]"])
def test_a_cell_of_the_map_is_its_head_and_a_click_on_it_names_it(direction: str) -> None:
    shares = block_shares(random_record(tokens=tokens_of(PAIR)))
    assert direction in directions(shares)
    figure = crossing_map(shares, direction=direction, selected=(1, 2))
    cells, markers = figure.data
    for x, y, place in zip(markers.x, markers.y, markers.customdata, strict=True):
        layer, head = picked_head({"selection": {"points": [{"customdata": list(place)}]}}) or (-1, -1)
        row = shares[(shares["layer"] == layer) & (shares["head"] == head)]
        assert_close(cells.z[y][x], row[direction].item())
    assert cells.zmin == 0
    assert shares[direction].max() <= cells.zmax <= 1
    (frame,) = figure.layout.shapes
    assert (frame.x0 + frame.x1, frame.y0 + frame.y1) == (2 * 2, 2 * 1)


def test_the_map_refuses_what_is_not_there() -> None:
    shares = block_shares(random_record(tokens=tokens_of(PAIR)))
    with pytest.raises(SelectionError, match="C to A"):
        crossing_map(shares, direction="C to A")
    with pytest.raises(SelectionError, match="layer 2"):
        crossing_map(shares, selected=(2, 0))


@pytest.mark.parametrize("probability", [0.0, 0.2, 0.5, 1.0])
def test_the_parts_of_the_bar_are_the_probability_and_the_rest(probability: float) -> None:
    assert next_sentence_bar(probability, width=1750).layout.width == 1750
    is_next, not_next = next_sentence_bar(probability).data
    assert (is_next.x[0], not_next.x[0]) == (probability, 1 - probability)


@pytest.mark.parametrize("probability", [-0.1, 1.1, float("nan")])
def test_what_is_no_probability_is_no_bar(probability: float) -> None:
    with pytest.raises(PictureError, match="expected 0 to 1"):
        next_sentence_bar(probability)
