"""Switches, layers, curves and paths against the numbers that they draw, and the tables to take away."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from models.values.errors import SelectionError
from models.values.results.effects import INTO
from tests.closeness import assert_close
from viz.heads.demos import effects as demo
from viz.heads.effects import probability_map
from viz.heads.layers import layer_bars, path_map, pruning_lines
from viz.heads.switches import WHOLE_LAYER, answers_beside, answers_of_both, switch_board
from viz.heads.tables import (
    answers_table,
    effects_table,
    layers_table,
    parts_table,
    patching_table,
    paths_table,
    pruning_table,
)
from viz.kit.layout import describe


def test_every_head_and_every_layer_can_be_clicked_and_only_what_is_off_is_crossed_out() -> None:
    effects, off = demo.demo_ablation().maps()[0], {(1, 2), (3, 0)}
    figure = switch_board(effects, off=off)
    clicks = figure.data[-1]
    places = [tuple(place) for place in clicks.customdata]
    assert places == [(layer, head) for layer in range(4) for head in range(WHOLE_LAYER, 6)]
    assert [(head, layer) for layer, head in places] == list(zip(clicks.x, clicks.y, strict=True))
    said = dict(zip(places, clicks.text, strict=True))
    assert {place for place, text in said.items() if text.endswith("switch it on")} == off
    assert f"{effects.values[0, 1]:+.4f}".replace("-", "−") in said[0, 1]
    crosses = {(note.y, note.x) for note in figure.layout.annotations if note.text == "<b>✕</b>"}
    assert crosses == off
    whole = switch_board(effects, off={(2, head) for head in range(6)}).data[-1].text
    assert sum("switch them on" in text for text in whole) == 1


def test_answers_stand_side_by_side_with_their_probabilities() -> None:
    whole, without = demo.demo_answers()
    ids = answers_of_both(whole, without, 4)
    assert {whole.best(1)[0], without.best(1)[0]} <= set(ids)
    (bars,) = answers_beside(whole, without, n_best=4).data
    assert_close(bars.x, np.concatenate([said.probabilities[ids] for said in (whole, without)]))
    assert_close(whole.probabilities.sum(), 1)


def test_without_words_the_sides_and_the_note_speak_of_words() -> None:
    figure = answers_beside(*demo.demo_answers(), missing="words")
    legend = figure.to_json()
    assert "with all words" in legend
    assert "without what is left out" in legend
    assert "head" not in legend


def test_a_map_of_probabilities_frames_the_heads_that_it_counts() -> None:
    ablation = demo.demo_ablation()
    changes = np.exp(ablation.log_probabilities) - np.exp(ablation.whole_log_probability)
    values = ablation.probability_maps()[0].values
    assert_close(values[0, 0], changes[[group[0] for group in ablation.groups].index(("encoder", 0, 0))])
    least = float(np.sort(np.abs(values), axis=None)[-3])
    figure = probability_map(ablation, least=least)
    framed = {(round((box.y0 + box.y1) / 2), round((box.x0 + box.x1) / 2)) for box in figure.layout.shapes}
    assert framed == set(zip(*np.nonzero(np.abs(values) >= least), strict=True))
    assert f"3 of {values.size} heads" in figure.layout.to_plotly_json()["annotations"][-1]["text"]
    assert probability_map(ablation, least=0.2).data[-1].zmax >= 0.2


def test_layers_curve_and_paths_have_their_numbers_at_their_places() -> None:
    layers, curve, paths = demo.demo_layers(), demo.demo_pruning(), demo.demo_paths()
    assert_close(layer_bars(layers).data[0].x, layers.effects)
    (line,) = pruning_lines(curve, title="a task").data
    assert (list(line.x), list(line.y)) == (list(curve.n_removed), list(curve.accuracy))
    for column, into in enumerate(INTO):
        cells = np.array(path_map(paths, into=into).data[-1].z)
        assert_close(cells.ravel(), paths.effects[:, column])
    with pytest.raises(SelectionError, match="expected one of query, key, value"):
        path_map(paths, into="weights")
    assert "norms held" in describe(path_map(paths, into="key"))
    assert "norms computed anew" in describe(path_map(replace(paths, norms="exact"), into="key"))


def test_tables_hold_what_the_pictures_show() -> None:
    parts, ablation, patching = demo.demo_parts(), demo.demo_ablation(), demo.demo_patching()
    assert_close(parts_table(parts)["adds"].sum(), parts.difference)
    heads = effects_table(ablation, demo.demo_importance()).set_index(["layer", "head"])
    assert heads.loc[(2, 3), "effect"] == ablation.maps()[0].values[2, 3]
    assert heads.loc[(2, 3), "estimate"] == demo.demo_importance().signed[0].values[2, 3]
    patched = patching_table(patching).set_index(["layer", "position"])
    assert patched.loc[(1, 3), "comes_back"] == patching.effects[1, 3]
    assert patched.loc[(1, 3), "clean_token"] == "worked"
    of_heads = demo.demo_patching("layer", "head")
    assert list(patching_table(of_heads)["comes_back"]) == list(of_heads.effects.ravel())
    paths = demo.demo_paths()
    row = paths_table(paths).set_index(["layer", "head"]).loc[(2, 1)]
    assert [row[into] for into in INTO] == list(paths.effects[paths.senders.index(("encoder", 2, 1))])
    assert list(layers_table(demo.demo_layers())["layer"]) == [0, 1, 2, 3]
    curve = demo.demo_pruning()
    pruned = pruning_table(curve)
    assert tuple(pruned.loc[1, ["kind", "layer", "head"]]) == curve.order[curve.n_removed[1] - 1]
    answers = answers_table(*demo.demo_answers())
    assert_close(answers["probability"].sum(), 1)
