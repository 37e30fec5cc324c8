"""The pictures of positions against the numbers that they draw, at both ends of what a reader may choose."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import plotly.graph_objects as go
import pytest

from models.analysis import compare_orders
from models.values.positions import ShuffledPair
from tests.closeness import assert_close
from viz.kit import theme as style
from viz.kit.demos.records import bias_by_distance, learned_table, shuffled_pair
from viz.positions.alibi import alibi_lines, alibi_map, slope_bars, slope_table
from viz.positions.buckets import BucketRule, bias_lines, bias_map, bias_table, bucket_chart, bucket_table
from viz.positions.circle import Rotation, turning
from viz.positions.formulas import (
    Exact,
    alibi_slopes,
    cosine_similarities,
    example_vectors,
    frequencies,
    rotary_scores,
    sinusoids,
)
from viz.positions.learned import (
    MOST_POSITIONS,
    distance_profiles,
    position_table,
    profile_table,
    similarity_map,
    table_map,
)
from viz.positions.rotary import rotary_circle, rotary_curve, rotary_map, rotary_table, turn_chart, turn_table
from viz.positions.shuffled import (
    difference,
    differences,
    order_finding,
    shuffled_map,
    written_map,
)
from viz.positions.sinusoidal import (
    dot_product_curve,
    dot_product_map,
    dot_product_table,
    encoding_map,
    encoding_table,
    encoding_waves,
    shift_circle,
)

SIZES = [(2, 8, 10.0), (64, 128, 10000.0), (512, 512, 1e6)]
WIDTHS = (350, 612, 900)


def cells(figure: go.Figure) -> Exact:
    return np.asarray(figure.data[-1].z)


def ends(figure: go.Figure) -> Exact:
    """Where the hands point [2 * n_turns, 2], from first to last: each leads from the centre to the circle."""
    hands = [trace for trace in figure.data if len(trace.x) == 2 and trace.x[0] == trace.y[0] == 0]
    return np.array([[hand.x[1], hand.y[1]] for hand in hands])


def wording(figure: go.Figure) -> str:
    return " ".join([figure.layout.title.text, *(note.text for note in figure.layout.annotations)]).replace("<br>", " ")


# -- sinusoidal -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("length", "d_model", "base"), SIZES)
def test_the_map_is_the_formula_with_a_row_for_every_position(length: int, d_model: int, base: float) -> None:
    figure = encoding_map(length, d_model, base)
    angle = np.arange(length)[:, None] / base ** (np.arange(0, d_model, 2) / d_model)
    assert_close(cells(figure)[:, 0::2], np.sin(angle))
    assert_close(cells(figure)[:, 1::2], np.cos(angle))
    assert cells(figure).dtype == np.float32
    assert (figure.data[-1].zmin, figure.data[-1].zmax) == (-1, 1)
    assert list(figure.data[-1].x) == list(range(d_model))
    assert figure.layout.yaxis.range[0] > figure.layout.yaxis.range[1]  # position 0 is on top
    table = encoding_table(length, d_model, base)
    np.testing.assert_array_equal(table.iloc[:, 1:].to_numpy(), cells(figure))
    assert list(table.columns[:3]) == ["position", "dimension 0", "dimension 1"]


@pytest.mark.parametrize("pair", [0, 3, 15])
def test_waves_are_columns_of_the_map_and_named(pair: int) -> None:
    encoding = sinusoids(40, 32, 10000)
    figure = encoding_waves(40, 32, 10000, pair=pair)
    drawn = {trace.name: trace.y for trace in figure.data}
    for dimension in {2 * pair, 2 * pair + 1, 0, 30}:
        assert_close(drawn[f"dimension {dimension}"], encoding[:, dimension])
    assert len(drawn) == len(figure.data)
    assert f"dimension {2 * pair + 1}" in wording(figure)
    assert f"{2 * np.pi * 10000 ** (pair / 16):,.2f}"[:4] in wording(figure)


def test_waves_too_dense_to_read_are_cut_and_those_behind_left_out() -> None:
    fast = encoding_waves(512, 64, 10000, pair=0)
    assert {len(trace.x) for trace in fast.data} == {150}  # 24 periods of 2 pi
    assert "first 150 positions" in wording(fast)
    slow = encoding_waves(512, 64, 10000, pair=20)
    assert {len(trace.x) for trace in slow.data} == {512}
    assert {trace.name for trace in slow.data} == {"dimension 40", "dimension 41", "dimension 62"}


def test_of_many_turns_the_arc_draws_the_last_and_the_words_say_how_many() -> None:
    figure = shift_circle(64, 32, 10000, pair=0, shift=60)
    assert "9 full turns and 197.7°" in wording(figure)
    arc = figure.data[4]
    turned = np.ptp(np.unwrap(np.arctan2(arc.y, arc.x)))
    assert_close(turned, 60 - 8 * 2 * np.pi)


@pytest.mark.parametrize(("length", "d_model", "base"), SIZES)
def test_dot_products_as_map_curve_and_table_are_the_same(length: int, d_model: int, base: float) -> None:
    drawn = cells(dot_product_map(length, d_model, base))
    expected = np.cos(frequencies(d_model, base) * np.arange(length)[:, None]).sum(axis=1)
    assert_close(drawn[0], expected)
    assert_close(drawn, drawn.T)
    assert_close(dot_product_curve(length, d_model, base).data[0].y, expected)
    assert_close(dot_product_table(length, d_model, base)["dot_product"], expected)


@pytest.mark.parametrize(("pair", "shift"), [(0, 0), (0, 1), (4, 5), (15, 64)])
def test_both_hands_of_a_shift_turn_by_the_angle_of_the_formula(pair: int, shift: int) -> None:
    figure = shift_circle(64, 32, 10000, pair=pair, shift=shift)
    turn = 10000 ** (-2 * pair / 32) * shift
    first, first_end, second, second_end = ends(figure) @ np.array([1, 1j])
    assert_close([first_end / first, second_end / second], np.exp(1j * turn), tolerance=1e-9)
    assert_close(first, 1)  # position 0: cosine 1, sine 0
    assert abs(second - first) > 0.01
    encoding = sinusoids(64, 32, 10000)
    dots = figure.data[1]
    assert_close(dots.y, encoding[:, 2 * pair])
    assert_close(dots.x, encoding[:, 2 * pair + 1])


def test_labels_on_one_spot_do_not_lie_on_each_other() -> None:
    turns = [Rotation(start=0, end=0, at="here", then="there", colour="#000000")]
    figure = turning(turns, dots=np.array([]), x_title="x", y_title="y", title="title", note="note")
    places = [(note.x, note.y) for note in figure.layout.annotations if "here" in note.text]
    assert len(set(places)) == 2


# -- learned ----------------------------------------------------------------------------------------------------------


def test_a_table_is_drawn_as_it_is_and_single_huge_values_do_not_hide_the_others() -> None:
    table = learned_table()
    table[3, 5] = 40
    figure = table_map(table, title="<b>mine</b>")
    assert "<b>" not in figure.layout.title.text
    np.testing.assert_array_equal(cells(figure), table)
    assert figure.data[-1].zmax < 1
    assert "the largest value is 40" in wording(figure)
    np.testing.assert_array_equal(position_table(table).iloc[:, 1:], table)


def test_a_long_table_is_cut_and_says_so() -> None:
    table = np.random.default_rng(0).normal(size=(700, 1100)).astype(np.float32)
    figure = table_map(table, title="long")
    assert cells(figure).shape == (512, 1024)
    assert "first 512 × 1024" in wording(figure)
    assert cells(similarity_map(table, title="long")).shape == (MOST_POSITIONS, MOST_POSITIONS)
    assert len(position_table(table)) == 700


def test_similarities_and_their_profile_belong_together() -> None:
    table, formula = learned_table(), sinusoids(64, 48, 10000)
    drawn = cells(similarity_map(table, title="x"))
    np.testing.assert_array_equal(drawn, cosine_similarities(table))
    figure = distance_profiles(table, formula, name="mine")
    line = next(trace for trace in figure.data if trace.name == "mine")
    assert_close(line.y, [np.diagonal(drawn, k).mean() for k in range(64)])
    columns = profile_table(table, formula)
    assert_close(columns["model_mean"], line.y)
    assert_close(columns["model_least"], [np.diagonal(drawn, k).min() for k in range(64)])
    bands = [trace for trace in figure.data if trace.fill == "tonexty"]
    assert_close(bands[-1].y, columns["model_most"])


# -- rotary -----------------------------------------------------------------------------------------------------------


def test_the_angles_of_rotary_positions_are_drawn_with_the_chosen_pair() -> None:
    turns = frequencies(16, 500)
    every, chosen = turn_chart(turns, pair=3).data
    assert_close(every.y * 500.0 ** (np.arange(0, 16, 2) / 16), 1)
    assert (chosen.x[0], chosen.y[0]) == (3, turns[3])
    assert_close(turn_table(turns)["wavelength"] * turns, 2 * np.pi)


@pytest.mark.parametrize("pair", [0, 5])
@pytest.mark.parametrize("distance", [0, 9])
def test_the_angle_from_query_to_key_is_the_same_at_both_places(pair: int, distance: int) -> None:
    turns = frequencies(16, 10000)
    query, key, later_query, later_key = ends(rotary_circle(turns, pair=pair, distance=distance, seed=2)) @ [1, 1j]
    assert_close(key / query, later_key / later_query)
    assert_close(later_query / query, np.exp(7j * turns[pair]))
    made_up, other = (vector[2 * pair] + 1j * vector[2 * pair + 1] for vector in example_vectors(8, seed=2))
    assert_close(query, made_up / abs(made_up))
    assert_close(key, other / abs(other) * np.exp(1j * distance * turns[pair]))


def test_scores_of_rotary_positions_as_map_curve_and_table_are_the_same() -> None:
    turns = frequencies(16, 10000)
    scores = rotary_scores(*example_vectors(8, seed=1), 20, turns)
    assert_close(cells(rotary_map(turns, 20, seed=1)), scores)
    table = rotary_table(turns, 20, seed=1).set_index("distance")["score"]
    assert_close(table[3], scores[4, 7])
    assert_close(table[-5], scores[9, 4])
    assert_close(rotary_curve(turns, 20, seed=1).data[0].y, table)


# -- ALiBi ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("n_heads", [1, 8, 12, 32])
def test_slopes_are_bars_lines_and_a_map(n_heads: int) -> None:
    slopes, head = alibi_slopes(n_heads), n_heads - 1
    (bars,) = slope_bars(slopes, head=head).data
    assert_close(bars.x if bars.orientation == "h" else bars.y, slopes)
    assert list(slope_table(slopes)["slope"]) == slopes.tolist()
    lines = {trace.name: trace.y for trace in alibi_lines(slopes, 30, head=head).data}
    for place, slope in enumerate(slopes):
        assert_close(lines[f"head {place}"], -slope * np.arange(30))
    grey, bias = alibi_map(slopes, 30, head=head).data
    for query, key in ((0, 0), (9, 4), (29, 0)):
        assert_close(bias.z[query, key], -slopes[head] * (query - key))
    assert (np.isnan(bias.z) == np.triu(np.ones((30, 30)), 1).astype(bool)).all()
    assert (np.isnan(grey.z) == ~np.isnan(bias.z)).all()


def test_biases_of_all_heads_share_one_scale() -> None:
    slopes = alibi_slopes(8)
    assert len({alibi_map(slopes, 64, head=head).data[-1].zmin for head in range(8)}) == 1


# -- T5 ---------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("both_ways", [True, False])
def test_buckets_are_steps_that_no_line_leads_across(both_ways: bool) -> None:
    rule = BucketRule(both_ways=both_ways, n_buckets=16, max_distance=64)
    (line,) = bucket_chart(rule).data
    table = bucket_table(rule)
    assert list(line.y) == list(table["bucket"])
    assert line.line.shape == "hvh"
    buckets = table.set_index("distance")["bucket"]
    assert buckets[0] == 0
    assert (buckets[-64] == buckets[-70]) & (buckets[-1] == 1)
    assert (buckets[5] == 0) != both_ways


def test_the_bias_of_t5_is_drawn_for_every_head_and_distance() -> None:
    bias, distances = bias_by_distance(4, 20), range(-20, 21)
    figure = bias_map(bias, distances, title="bias")
    np.testing.assert_array_equal(cells(figure), bias)
    assert list(figure.data[-1].x) == list(distances)
    lines = {trace.name: trace for trace in bias_lines(bias, distances, head=2).data}
    assert_close(lines["head 2"].y, bias[2])
    assert lines["head 2"].line.width > lines["head 1"].line.width
    assert f"most of all at {distances[int(bias[2].argmax())]:+d}" in wording(bias_lines(bias, distances, head=2))
    assert bias_table(bias, distances).set_index("distance")["head 3"][-20] == bias[3, 0]


# -- shuffled ---------------------------------------------------------------------------------------------------------


def test_brought_back_the_shuffled_weights_are_the_written_ones() -> None:
    pair = shuffled_pair()
    written = cells(written_map(pair, layer=1, head=2))
    assert_close(cells(shuffled_map(pair, layer=1, head=2)), written)
    assert_close(difference(pair, layer=1, head=2), 0, magnitude=1)
    assert_close(differences(pair), 0, magnitude=1)


def test_rows_and_columns_carry_the_tokens_as_written() -> None:
    pair = shuffled_pair()
    figure = shuffled_map(pair, layer=0, head=None)
    labels = " ".join(figure.layout.xaxis.ticktext or figure.layout.xaxis.labelalias.values())
    assert labels.split()[1].strip("\u2068\u2069") == pair.written.tokens[1].text


def test_differences_are_found_where_they_are() -> None:
    pair = shuffled_pair(with_positions=True)
    all_heads = differences(pair)
    assert all_heads.shape == (4, 8)
    assert all_heads.min() > 0.05
    comparison = compare_orders(pair, layer=3, head=1)
    assert_close(np.abs(comparison.difference).max(), all_heads[3, 1])


def test_masked_cells_move_with_their_tokens() -> None:
    pair = shuffled_pair()
    hidden = np.zeros((len(pair.order),) * 2, np.float32)
    hidden[:, 3] = -np.inf  # the shuffled sentence may not look at its place 3
    record = replace(pair.shuffled.attention[0], bias=(hidden,) * 4)
    changed = replace(pair, shuffled=replace_attention(pair, record))
    grey = shuffled_map(changed, layer=0, head=0).data[0].z
    assert np.flatnonzero(~np.isnan(grey[0])).tolist() == [pair.order[3]]


def replace_attention(pair: ShuffledPair, record: object):
    recording = pair.shuffled
    return type(recording)(
        info=recording.info,
        tokens=recording.tokens,
        attention=(record,),
        hidden_states=recording.hidden_states,
        final_state=recording.final_state,
    )


def test_the_finding_names_the_token_that_gets_most_in_each_order() -> None:
    pair = shuffled_pair(with_positions=True)
    comparison = compare_orders(pair, layer=3, head=1)
    assert comparison.shift is not None
    (query,) = comparison.shift.rows
    texts = [token.text for token in pair.written.tokens]
    shares = (comparison.one[query], comparison.other[query])
    words = [place for place, token in enumerate(pair.written.tokens) if not token.is_special and token.text.isalnum()]
    said = order_finding(comparison, is_same=False, n_heads=32)
    for share in shares:
        best = max(words, key=share.__getitem__)
        assert f"“{texts[best]}" in said
        assert f"({share[best]:.0%})" in said
    assert f"“{texts[query]}” looks at" in said
    assert "in all 32 heads" in order_finding(comparison, is_same=True, n_heads=32)


# -- every picture ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("width", WIDTHS)
def test_every_picture_keeps_its_width_in_both_themes(width: int, theme: style.Theme) -> None:
    turns, slopes, pair = frequencies(64, 10000), alibi_slopes(32), shuffled_pair()
    table, bias = learned_table(), bias_by_distance()
    shown = {"theme": theme, "width": width}
    drawn = [
        encoding_map(512, 512, 10000, **shown),
        encoding_waves(2, 8, 10, pair=0, **shown),
        dot_product_map(512, 8, 10000, **shown),
        dot_product_curve(2, 8, 10000, **shown),
        shift_circle(2, 8, 10, pair=3, shift=64, **shown),
        table_map(table, title="a long name of a model", **shown),
        similarity_map(table, title="x", **shown),
        distance_profiles(table, table, name="x", **shown),
        turn_chart(turns, pair=9, **shown),
        rotary_circle(turns, pair=0, distance=64, seed=0, **shown),
        rotary_map(turns, 2, seed=0, **shown),
        rotary_curve(turns, 2, seed=0, **shown),
        slope_bars(slopes, head=3, **shown),
        alibi_map(slopes, 2, head=31, **shown),
        alibi_lines(slopes, 2, head=31, **shown),
        bucket_chart(BucketRule(), **shown),
        bias_map(bias, range(-128, 129), title="x", **shown),
        bias_lines(bias, range(-128, 129), head=0, **shown),
        written_map(pair, layer=0, head=0, **shown),
        shuffled_map(pair, layer=0, head=0, **shown),
    ]
    for figure in drawn:
        assert figure.layout.width <= width
        margins = figure.layout.margin
        assert figure.layout.height - margins.t - margins.b >= 100
        assert figure.layout.width - margins.l - margins.r >= 100
        assert figure.layout.title.text
        assert figure.layout.font.color == style.PALETTES[theme].ink
