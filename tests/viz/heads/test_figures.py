"""The pictures of what heads do, against the numbers that they draw, on a projector and on a telephone."""

from __future__ import annotations

from dataclasses import replace
from typing import get_args

import numpy as np
import pytest

from models.values.errors import SelectionError
from models.values.history import Measure
from models.values.results.atlas import FURTHEST
from models.values.results.effects import AblatedBy, HeadMap, PatchedWhat
from tests.closeness import assert_close
from viz.heads.atlas import likeness_plane, measure_scatter
from viz.heads.attribution.explained import CURVES, faithfulness_curves, word_bars
from viz.heads.attribution.faithful import RANDOM, agreement_map, agreement_table, faithfulness_table, fall_map
from viz.heads.attribution.sentence import BELIEVED, DARKEST
from viz.heads.attribution.side_by_side import attribution_table, picked_method, side_by_side
from viz.heads.card import heads_table, offset_bars, piece_table, relations_table, standing_out, strongest_table
from viz.heads.compared import difference_map, pair_texts
from viz.heads.demos import atlas as demo_atlas
from viz.heads.demos import effects as demo
from viz.heads.effects import (
    HEADS_NAMED,
    PATCHED,
    WAYS,
    ablation_map,
    contrast_title,
    head_map,
    importance_map,
    logit_bars,
    patching_map,
    probability_map,
)
from viz.heads.layers import layer_bars, path_map, pruning_lines
from viz.heads.switches import answers_beside, switch_board
from viz.kit import theme as style
from viz.kit.language import read_in
from viz.kit.theme import Theme

FIGURES = {
    "ablation": lambda **how: ablation_map(demo.demo_ablation(), **how),
    "probabilities": lambda **how: probability_map(demo.demo_ablation(), least=0.05, **how),
    "importance": lambda **how: importance_map(demo.demo_importance(), **how),
    "patching": lambda **how: patching_map(demo.demo_patching(), **how),
    "patching of heads": lambda **how: patching_map(demo.demo_patching("layer", "head"), **how),
    "patching of layers": lambda **how: patching_map(demo.demo_patching("layer"), **how),
    "patching of a head": lambda **how: patching_map(demo.demo_patching("layer", "head", "position"), head=2, **how),
    "parts": lambda **how: logit_bars(demo.demo_parts(), **how),
    "switches": lambda **how: switch_board(demo.demo_ablation().maps()[0], off={(1, 2)}, **how),
    "answers": lambda **how: answers_beside(*demo.demo_answers(), **how),
    "layers": lambda **how: layer_bars(demo.demo_layers(), **how),
    "pruning": lambda **how: pruning_lines(demo.demo_pruning(), title="<i>made up</i>", **how),
    "paths": lambda **how: path_map(demo.demo_paths(), into="value", **how),
    "words": lambda **how: word_bars(demo.demo_attribution(), **how),
    "words, unsigned": lambda **how: word_bars(demo.demo_attribution(is_signed=False), **how),
    "faithfulness": lambda **how: faithfulness_curves(demo.demo_faithfulness(), **how),
    "sufficiency": lambda **how: faithfulness_curves(demo.demo_faithfulness(), nothing_else=True, **how),
    "side by side": lambda **how: side_by_side(demo.demo_attributions(), chosen="first", believed="first", **how),
    "falls": lambda **how: fall_map(demo.demo_faithfulness(), **how),
    "falls, alone": lambda **how: fall_map(demo.demo_faithfulness(), nothing_else=True, **how),
    "agreement": lambda **how: agreement_map(demo.demo_faithfulness(), **how),
    "comparison": lambda **how: difference_map(demo.demo_comparison(), title="two texts", **how),
    "atlas": lambda **how: measure_scatter(demo_atlas.demo_atlas(), x="previous", y="entropy", **how),
    "offsets": lambda **how: offset_bars(demo_atlas.demo_atlas(), layer=0, head=1, **how),
    "plane": lambda **how: likeness_plane(demo_atlas.demo_atlas(), **how),
}


@pytest.mark.parametrize("theme", get_args(Theme))
@pytest.mark.parametrize("width", [350, 612, 900])
@pytest.mark.parametrize("name", FIGURES)
def test_every_figure_fits_its_width_and_shows_no_markup_of_strangers(name: str, width: int, theme: Theme) -> None:
    figure = FIGURES[name](width=width, theme=theme)
    assert figure.layout.width <= max(width, 420)
    assert figure.layout.height > 0
    written = figure.to_json()
    assert "<i>made up" not in written
    assert "\\u003ci\\u003emade up" not in written
    assert "“<b>bold" not in written
    assert "“\\u003cb\\u003ebold" not in written


def test_a_map_of_heads_has_every_number_at_its_place_around_zero() -> None:
    ablation = demo.demo_ablation()
    figure = ablation_map(ablation)
    np.testing.assert_array_equal(figure.data[-1].z, ablation.maps()[0].values)
    assert figure.data[-1].zmin == -figure.data[-1].zmax
    values = np.full((2, 3), np.nan, np.float32)
    values[1, 2] = -3
    lone = head_map(HeadMap(kind="encoder", values=values), title="one", number="n", note="a note")
    assert (lone.data[-1].zmin, lone.data[-1].zmax) == (-3, 3)


def test_ways_and_activations_all_have_words() -> None:
    assert set(WAYS) == set(get_args(AblatedBy))
    assert set(PATCHED) == set(get_args(PatchedWhat))
    contrast = demo.CONTRAST
    assert contrast_title(contrast) == "“&lt;b&gt;bold&lt;/b&gt;” rather than “doctor”"
    assert contrast_title(replace(contrast, rival=None)) == "“&lt;b&gt;bold&lt;/b&gt;”"


def test_what_comes_back_is_read_from_minus_one_to_one_with_the_tokens_beside_it() -> None:
    patching = demo.demo_patching()
    (cells,) = patching_map(patching).data
    assert (cells.zmin, cells.zmax) == (-1, 1)
    np.testing.assert_array_equal(cells.z, patching.effects)
    assert "worked" in cells.customdata[0][3]
    assert cells.customdata[2][0].startswith("Layer 2<br>")
    of_head = demo.demo_patching("layer", "head", "position")
    np.testing.assert_array_equal(patching_map(of_head, head=4).data[0].z, of_head.effects[:, 4])
    for head in (None, 6, -1):
        with pytest.raises(SelectionError, match="expected 0 to 5"):
            patching_map(of_head, head=head)


def test_the_bars_of_a_logit_sum_to_it_and_the_strongest_heads_come_first() -> None:
    parts = demo.demo_parts()
    (bars,) = logit_bars(parts).data
    assert_close(sum(bars.x), parts.difference)
    heads = np.sort(np.abs(parts.heads[0].values.ravel()))[::-1]
    assert_close(np.abs(bars.x[1 : 1 + HEADS_NAMED]), heads[:HEADS_NAMED])
    assert style.number(parts.difference, digits=2, plus=True) in logit_bars(parts).layout.title.text


def test_words_are_whole_and_keep_their_order() -> None:
    attribution = demo.demo_attribution()
    (bars,) = word_bars(attribution).data
    names = [text.strip("\u2068\u2069") for text in word_bars(attribution).layout.yaxis.ticktext]
    assert names == ["The", "man", "worked", "as", "a", "."]  # the mask is what is asked about
    assert_close(bars.x, attribution.scores[[1, 2, 3, 4, 5, 7]])


def test_the_best_methods_are_named_and_chance_is_a_band() -> None:
    judged = demo.demo_faithfulness()
    figure = faithfulness_curves(judged)
    lines = [trace for trace in figure.data if trace.mode == "lines+markers"]
    assert len(lines) == len(judged.curves)
    assert [trace.showlegend for trace in lines].count(True) == CURVES
    best = max(judged.curves, key=lambda curve: curve.score)
    assert_close(lines[-1].y, [best.whole, *best.without])
    low, high = (trace for trace in figure.data if trace.mode == "lines")
    assert (np.array(low.y) <= np.array(high.y)).all()
    without_random = faithfulness_curves(replace(judged, random=()))
    assert not [trace for trace in without_random.data if trace.mode == "lines"]


def test_the_sentence_stands_once_for_each_method_on_one_scale() -> None:
    first, second = demo.demo_attributions()
    figure = side_by_side([first, second], chosen="second", believed="first", beats={"first": 0.5, "second": 0.25})
    cells, *written, marks = figure.data
    words = [1, 2, 3, 4, 5, 7]
    scores = np.clip(first.scores[words] / (DARKEST * np.abs(first.scores[words]).sum()), -1, 1)
    assert_close(np.array(cells.z, dtype=float)[0], [*scores[:5], np.nan, scores[5]])
    texts = [point for trace in written for point in zip(trace.y, trace.x, trace.text, strict=True)]
    assert [text for *_, text in sorted(texts)] == ["The", "man", "worked", "as", "a", "[MASK]", "."] * 2
    assert list(figure.layout.yaxis.ticktext) == [f"<b>{BELIEVED} a first method</b>", "a second one"]
    assert (figure.layout.shapes[0].y0, figure.layout.shapes[0].y1) == (0.5, 1.5)
    assert {note.text for note in figure.layout.annotations} >= {"beats", "50%", "25%"}
    assert style.number(float(first.scores[2]), plus=True) in marks.text[1]
    assert "is asked about" in marks.text[5]
    assert len(marks.text) == 14


def test_a_sentence_too_long_for_a_line_runs_down_the_page() -> None:
    attributions = demo.demo_attributions()
    figure = side_by_side(attributions, chosen="second", width=350)
    cells = figure.data[0]
    assert np.array(cells.z).shape == (7, 2)
    assert list(figure.layout.xaxis.ticktext) == ["a first method", "a second one"]
    assert (figure.layout.shapes[0].x0, figure.layout.shapes[0].x1) == (0.5, 1.5)
    line = side_by_side(attributions, chosen="second")
    assert_close(np.array(line.data[0].z, dtype=float).T, np.array(cells.z, dtype=float))


@pytest.mark.parametrize(
    ("sent", "method"),
    [([1], "second"), ([0], "first"), ([2], None), ([-1], None), (["1"], None), (1, None), ([0, 1], None)],
)
def test_a_click_picks_a_method_and_nothing_else_does(sent: object, method: str | None) -> None:
    clicked = {"selection": {"points": [{"customdata": sent}]}}
    assert picked_method(clicked, ["first", "second"]) == method
    assert picked_method({"selection": {"points": []}}, ["first"]) is None


def test_falls_are_those_of_the_curves_the_most_faithful_first_and_chance_last() -> None:
    judged = demo.demo_faithfulness()
    best = max(judged.curves, key=lambda curve: curve.score)
    for nothing_else, after in ((False, best.without), (True, best.with_only)):
        figure = fall_map(judged, nothing_else=nothing_else)
        (cells,) = figure.data
        falls = best.whole - after
        assert_close(cells.z[0], np.append(falls, falls.mean()).clip(min=0))
        rows = [text.strip("\u2068\u2069") for text in figure.layout.yaxis.ticktext]
        assert (rows[0], rows[-1]) == (best.title, RANDOM)
        assert style.number(float(falls[1])) in cells.customdata[0][1]
    table = faithfulness_table(judged)
    assert len(table) == (len(judged.curves) + len(judged.random)) * len(judged.fractions)
    assert_close(table["comprehensiveness"][2], judged.curves[0].whole - judged.curves[0].without[2])


def test_curves_to_the_last_word_begin_and_end_where_all_orders_do() -> None:
    judged = demo.demo_faithfulness()
    assert np.isnan(judged.points(judged.curves[0], nothing_else=True)[0])
    whole = replace(judged, fractions=(0.2, 0.4, 0.6, 0.8, 1.0))
    figure = faithfulness_curves(whole, nothing_else=True)
    for trace in (trace for trace in figure.data if trace.mode == "lines+markers"):
        curve = next(curve for curve in whole.curves if trace.name.startswith(curve.title))
        assert_close(trace.y[0], curve.without[-1])
        assert trace.name.endswith(style.number(whole.area(curve, nothing_else=True), digits=3))


def test_agreement_is_symmetric_and_from_minus_one_to_one() -> None:
    judged = demo.demo_faithfulness()
    cells = agreement_map(judged).data[-1]
    assert (cells.zmin, cells.zmax) == (-1, 1)
    np.testing.assert_array_equal(cells.z, judged.agreement)
    assert list(agreement_table(judged).columns[1:]) == [curve.title for curve in judged.curves]


def test_the_table_of_words_has_the_scores_as_they_are() -> None:
    first, second = demo.demo_attributions()
    table = attribution_table([first, second])
    assert list(table.columns) == ["word", "token", "a first method", "a second one"]
    assert list(table["word"]) == ["The", "man", "worked", "as", "a", "."]
    assert_close(table["a second one"], second.scores[list(table["token"])])


def test_a_difference_is_empty_where_a_token_stands_alone() -> None:
    comparison = demo.demo_comparison()
    (cells,) = difference_map(comparison, title="two").data
    assert np.isnan(np.array(cells.z, dtype=float)[3]).all()
    assert_close(np.array(cells.z, dtype=float)[0, 0], comparison.other[0, 0] - comparison.one[0, 0])
    texts = pair_texts(comparison.rows, comparison.one_queries, comparison.other_queries)
    assert texts == ["[CLS]", "she | he", "ran", "| home", "[SEP]"]


def test_every_head_is_a_point_and_those_with_a_name_have_a_colour() -> None:
    atlas = demo_atlas.demo_atlas()
    for figure in (measure_scatter(atlas, x="previous", y="entropy"), likeness_plane(atlas)):
        points = sum(len(trace.x) for trace in figure.data)
        assert points == demo.N_LAYERS * demo.N_HEADS
        named = {trace.name: len(trace.x) for trace in figure.data}
        assert named == {"no name": 21, "looks at previous": 2, "looks at next": 1}
        colours = [trace.marker.color for trace in figure.data]
        assert len(set(colours)) == 3
    scatter = measure_scatter(atlas, x="previous", y="entropy")
    assert scatter.layout.margin.t > 1.5 * scatter.layout.legend.font.size * len(scatter.data)
    place = {tuple(data): (x, y) for t in scatter.data for data, x, y in zip(t.customdata, t.x, t.y, strict=True)}
    expected = [measure.values[2, 3] for measure in atlas.measures]
    assert_close(place[2, 3], tuple(expected))
    with pytest.raises(SelectionError):
        measure_scatter(atlas, x="previous", y="nothing")


# -- the card of a head -----------------------------------------------------------------------------------------------


def test_offsets_stand_where_they_are_and_what_is_left_goes_to_special_tokens() -> None:
    offsets = np.zeros((demo.N_LAYERS, demo.N_HEADS, 2 * FURTHEST + 1), np.float32)
    offsets[1, 2, FURTHEST - 1], offsets[1, 2, -1] = 0.6, 0.1
    figure = offset_bars(replace(demo_atlas.demo_atlas(), offsets=offsets), layer=1, head=2)
    labels = (label.strip("\u2068\u2069") for label in figure.layout.xaxis.ticktext)
    heights = dict(zip(labels, figure.data[0].y, strict=True))
    assert_close(heights["−1"], 0.6)
    assert_close(heights["≥ +10"], 0.1)
    assert "30% goes to special tokens" in figure.layout.annotations[-1].text.replace("<br>", " ")


def test_the_tables_hold_every_head_and_the_first_ones_of_a_measure() -> None:
    atlas = demo_atlas.demo_atlas()
    table, values = heads_table(atlas), atlas.of("previous").values
    assert len(table) == demo.N_LAYERS * demo.N_HEADS
    for row in table.itertuples():
        assert row.previous == values[row.layer, row.head]
    assert table.loc[(table["layer"] == 0) & (table["head"] == 1), "name"].item() == "looks at previous"
    found = strongest_table(atlas, "previous", 5)
    assert found[atlas.of("previous").measure.title].tolist() == sorted(values.ravel().tolist(), reverse=True)[:5]
    assert piece_table(atlas, layer=0, head=0)["looks from"].tolist() == ["##<b>"]


def test_in_korean_tables_on_the_page_are_korean_and_the_file_stays_as_programs_read_it() -> None:
    atlas = demo_atlas.demo_atlas()
    file = heads_table(atlas)
    with read_in("ko"):
        assert heads_table(atlas).equals(file)
        assert list(strongest_table(atlas, "entropy", 1).columns)[:2] == ["레이어", "헤드"]
        assert relations_table(atlas).iloc[0, 0] == "동사가 그 목적어를 봄"


def test_the_head_that_stands_out_is_named_or_looks_most_at_one_place() -> None:
    atlas = demo_atlas.demo_atlas()
    assert standing_out(atlas) == (0, 1)
    confidence = atlas.measures[0]
    named = replace(confidence, measure=Measure(name="confidence", title="its largest weight"))
    nameless = replace(atlas, roles=(), measures=(named,))
    layer, head = np.unravel_index(int(named.values.argmax()), named.values.shape)
    assert standing_out(nameless) == (layer, head)
