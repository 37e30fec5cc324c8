"""The picture of a head: the right way round, on a fixed scale, with the numbers of the record under the pointer."""

from __future__ import annotations

import numpy as np
import plotly.graph_objects as go
import pytest

from models.values.record import Token
from tests.closeness import assert_close
from viz.attention.heatmap import MAX_CELLS, attention_heatmap
from viz.kit.demos.records import PAIR, random_record, tokens_of
from viz.kit.theme import PALETTES, Theme


def values_of(figure: go.Figure) -> go.Heatmap:
    return figure.data[-1]


def labels_of(axis: go.layout.XAxis | go.layout.YAxis) -> list[str]:
    return [axis.labelalias[str(position)].strip("\u2068\u2069") for position in axis.categoryarray]


def caption_of(figure: go.Figure) -> str:
    return str(figure.layout.annotations[0].text).replace("<br>", " ")


def test_queries_run_down_and_keys_run_across() -> None:
    record = random_record(tokens=tokens_of("one two three"), key_tokens=tokens_of("a b c d e"))
    figure = attention_heatmap(record, layer=1, head=2)
    assert labels_of(figure.layout.yaxis) == ["one", "two", "three"]
    assert labels_of(figure.layout.xaxis) == ["a", "b", "c", "d", "e"]
    assert figure.layout.yaxis.range == (2.5, -0.5)
    assert "query" in figure.layout.yaxis.title.text
    assert "key" in figure.layout.xaxis.title.text
    np.testing.assert_array_equal(values_of(figure).z, record.weights(1, 2))
    assert values_of(figure).z.dtype == np.float32


def test_the_pointer_reads_weight_and_score_of_the_same_cell() -> None:
    record = random_record()
    cells = values_of(attention_heatmap(record, layer=0, head=1, special="hidden"))
    np.testing.assert_array_equal(cells.z, record.weights(0, 1)[1:-1, 1:-1])
    np.testing.assert_array_equal(cells.customdata, record.scores(0, 1)[1:-1, 1:-1])
    assert cells.hovertemplate.index("%{y}") < cells.hovertemplate.index("→") < cells.hovertemplate.index("%{x}")


def test_repeated_tokens_keep_their_own_rows() -> None:
    figure = attention_heatmap(random_record(tokens=tokens_of("it it it")), layer=0, head=0)
    assert values_of(figure).z.shape == (3, 3)
    assert len(set(values_of(figure).y)) == 3
    assert labels_of(figure.layout.yaxis) == ["it", "it", "it"]


def test_labels_and_captions_carry_no_markup_of_a_token() -> None:
    tokens = [Token(text="<b>"), Token(text="<a href='javascript:alert(1)'>")]
    figure = attention_heatmap(random_record(tokens=tokens), layer=0, head=0)
    assert not any("<" in label for axis in (figure.layout.xaxis, figure.layout.yaxis) for label in labels_of(axis))


@pytest.mark.parametrize("head", [0, None])
def test_small_weights_are_not_stretched_to_the_whole_scale(head: int | None) -> None:
    cells = values_of(attention_heatmap(random_record(tokens=tokens_of("a " * 60)), layer=0, head=head))
    assert (cells.zmin, cells.zmax) == (0, 1)


def test_scores_are_centred_at_zero_and_masked_cells_are_a_picture_of_their_own() -> None:
    record = random_record(causal=True)
    figure = attention_heatmap(record, layer=0, head=0, quantity="scores")
    masked, cells = figure.data
    future = np.triu(np.ones((16, 16), bool), k=1)
    assert cells.zmin == -cells.zmax
    assert np.isfinite(cells.zmax)
    np.testing.assert_array_equal(np.isnan(cells.z), future)
    np.testing.assert_array_equal(np.isnan(masked.z), ~future)
    assert "masked" in masked.hovertemplate
    assert "masked" in caption_of(figure)


def test_the_caption_says_what_was_done() -> None:
    record = random_record()
    assert caption_of(attention_heatmap(record, layer=0, head=0)) == "Every row sums to 1."
    changed = caption_of(attention_heatmap(record, layer=0, words=True, special="hidden_renormalised"))
    assert all(part in changed for part in ("Mean over the heads", "Whole words", "renormalised"))


def test_a_line_marks_where_the_second_sentence_begins() -> None:
    figure = attention_heatmap(random_record(tokens=tokens_of(PAIR)), layer=0, head=0)
    assert [(shape.x0, shape.y0) for shape in figure.layout.shapes] == [(0, 8.5), (8.5, 0)]
    assert not attention_heatmap(random_record(), layer=0, head=0).layout.shapes


def test_nothing_left_to_show_is_a_sentence_and_no_crash() -> None:
    record = random_record(tokens=tokens_of("[CLS] [SEP]"))
    figure = attention_heatmap(record, layer=0, head=0, special="hidden_renormalised")
    assert not figure.data
    assert "there is nothing to show" in caption_of(figure)


def test_a_long_text_is_drawn_in_blocks_of_its_strongest_cells() -> None:
    record = random_record(tokens=tokens_of("a " * (2 * MAX_CELLS + 5)), n_layers=1, n_heads=1)
    figure = attention_heatmap(record, layer=0, head=0)
    cells = values_of(figure)
    assert max(cells.z.shape) <= MAX_CELLS
    assert cells.z[10, 20] == record.weights(0, 0)[30:33, 60:63].max()
    assert (cells.y[10], cells.x[20]) == (30, 60)
    assert "largest of 3 × 3" in caption_of(figure)


@pytest.mark.parametrize("n_tokens", [1, 6, 30, 128, 512])
@pytest.mark.parametrize("page", [900, 560, 350])
def test_cells_are_square_and_the_figure_fits_its_page(n_tokens: int, page: int) -> None:
    layout = attention_heatmap(random_record(tokens=tokens_of("word " * n_tokens)), layer=0, head=0, width=page).layout
    wide = layout.width - layout.margin.l - layout.margin.r
    tall = layout.height - layout.margin.t - layout.margin.b
    assert layout.width <= page + 1
    assert_close(wide, tall)


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_the_scale_of_weights_grows_in_equal_steps_of_lightness(theme: Theme) -> None:
    lightness = [_oklab_lightness(colour) for colour in PALETTES[theme].sequential]
    steps = np.diff(lightness)
    assert (np.sign(steps) == np.sign(steps[0])).all()
    assert_close(steps, steps.mean(), tolerance=0.06)


def _oklab_lightness(colour: str) -> float:
    encoded = np.array([int(colour[place : place + 2], 16) for place in (1, 3, 5)]) / 255
    linear = np.where(encoded <= 0.04045, encoded / 12.92, ((encoded + 0.055) / 1.055) ** 2.4)
    cones = np.array([[0.41222, 0.53633, 0.05145], [0.2119, 0.6807, 0.1074], [0.0883, 0.28172, 0.62998]]) @ linear
    return float(np.cbrt(cones) @ [0.21045, 0.79362, -0.00407])
