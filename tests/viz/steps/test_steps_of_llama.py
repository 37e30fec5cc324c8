"""The steps that Llama has beside those of BERT and GPT: pictures, words and worked examples, of a real walk."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from models.huggingface.model import load_huggingface
from models.opening.folders import load_folder
from models.values.steps import STEP_NAMES, LayerWalk, StepArray, StepName, WhatIf
from tests.closeness import assert_close
from tests.models.tasks import tiny_writers
from tests.viz.kit.calculator import equations_in
from viz.kit.calculation import format_result
from viz.steps.numbers import worked_example
from viz.steps.texts import step_text
from viz.steps.walk import notes, shape_text, step_picture

TEXT = "The old man sees a red house."
HEAD, ROW = 3, 5
OF_LLAMA: tuple[StepName, ...] = ("rotation", "grouping", "gate")


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tiny_writers.llama(tmp_path_factory.mktemp("llama"))


@pytest.fixture(scope="module")
def walk(folder: Path) -> LayerWalk:
    return load_folder(folder, name="tiny", device="cpu").walk(TEXT, kind="decoder", layer=1, head=HEAD)


def test_the_walk_has_all_steps_of_a_llama_and_they_follow_from_each_other(folder: Path, walk: LayerWalk) -> None:
    model = load_folder(folder, name="tiny", device="cpu")
    recorded = model.record(TEXT)
    record = recorded.of("decoder")
    assert walk.names == tuple(name for name in STEP_NAMES if name != "embedding_norm")
    assert not walk.missing
    assert (walk.norm, walk.norm_kind) == ("pre", "rms")
    query, key, angles = (array.values for array in walk.step("rotation").inputs)
    turned, turned_keys = (array.values for array in walk.step("rotation").outputs)
    np.testing.assert_array_equal(turned, record.query[1, HEAD])
    np.testing.assert_array_equal(turned_keys, record.key[1, HEAD])
    assert np.abs(query - turned).max() > 0.1
    for before, after in ((query, turned), (key, turned_keys)):
        complex_before, complex_after = (each[:, :4] + 1j * each[:, 4:] for each in (before, after))
        assert_close(complex_before * np.exp(1j * angles), complex_after)
    keys, values = (array.values for array in walk.step("grouping").inputs)
    np.testing.assert_array_equal(keys[:, 8:], turned_keys)
    np.testing.assert_array_equal(values[:, 8:], record.value[1, HEAD])
    gate, gated = (array.values for array in walk.step("gate").inputs)
    (inner,) = walk.step("gate").outputs
    assert_close(gate * gated, inner.values)
    np.testing.assert_array_equal(inner.values, walk.step("feed_forward").outputs[0].values)
    assert_close(walk.step("scores").outputs[0].values, turned @ turned_keys.T)
    assert_close(walk.step("feed_forward_residual").outputs[-1].values, recorded.hidden_states[2])


def test_both_implementations_take_the_same_steps(folder: Path, walk: LayerWalk) -> None:
    other = load_huggingface(str(folder), name="tiny").walk(TEXT, kind="decoder", layer=1, head=HEAD)
    assert (other.names, other.norm_kind) == (walk.names, "rms")
    for name in (*OF_LLAMA, "projections"):
        for mine, theirs in zip(
            (*walk.step(name).inputs, *walk.step(name).outputs),
            (*other.step(name).inputs, *other.step(name).outputs),
            strict=True,
        ):
            assert (mine.symbol, mine.columns) == (theirs.symbol, theirs.columns)
            assert_close(mine.values, theirs.values)


def test_shuffled_positions_turn_by_other_angles(folder: Path, walk: LayerWalk) -> None:
    what_if = WhatIf(name="shuffled_positions", seed=2)
    shuffled = load_folder(folder, name="tiny", device="cpu").walk(
        TEXT, kind="decoder", layer=0, head=HEAD, what_if=what_if
    )
    plain = load_folder(folder, name="tiny", device="cpu").walk(TEXT, kind="decoder", layer=0, head=HEAD)
    before, after = (each.step("rotation").inputs[2].values for each in (plain, shuffled))
    assert not np.array_equal(before, after)
    assert_close(np.sort(before[:, -1]), np.sort(after[:, -1]))


@pytest.mark.parametrize("name", OF_LLAMA)
def test_every_table_is_drawn_with_its_shape(walk: LayerWalk, name: StepName) -> None:
    step = walk.step(name)
    figure = step_picture(walk, name, row=ROW)
    tables = [trace for trace in figure.data if trace.showscale is not False]
    for table, array in zip(tables, (*step.inputs, *step.outputs), strict=True):
        np.testing.assert_array_equal(np.asarray(table.z), array.values)
        assert shape_text(walk, array) in " ".join(annotation.text for annotation in figure.layout.annotations)
    framed = [shape for shape in figure.layout.shapes if shape.line.dash == "dot"]
    assert [(shape.x0, shape.x1) for shape in framed] == ([(7.5, 15.5)] * 2 if name == "grouping" else [])


def test_the_angles_are_named() -> None:
    angles = StepArray(name="angles", symbol="θ", rows="query", columns="pairs", values=np.zeros((2, 4), np.float32))
    assert any("pair of dimensions" in note for note in notes((angles,)))


def test_the_words_follow_the_model(walk: LayerWalk) -> None:
    said = {name: step_text(walk, name) for name in walk.names}
    assert len({text.title for text in said.values()}) == len({text.sentence for text in said.values()}) == len(said)
    for text in said.values():
        assert text.equation.count("{") == text.equation.count("}")
        assert re.search(r"\d{4}", text.source)
    assert "Heads 2 to 3 read group 1" in said["grouping"].sentence
    assert "floor h / 2" in said["grouping"].equation
    assert "R_{n-m}" in said["scores"].equation
    assert r"\mu" not in said["attention_norm"].equation
    assert r"\odot" in said["gate"].equation
    assert "b_Q" not in said["projections"].equation
    assert (
        "R_{n-m}"
        not in step_text(
            replace(walk, steps=tuple(step for step in walk.steps if step.name != "rotation")), "scores"
        ).equation
    )


def test_the_worked_examples_hold(walk: LayerWalk) -> None:
    for row in range(len(walk.query_tokens)):
        (equation,) = equations_in(worked_example(walk, "gate", row=row))
        assert equation.holds
        turned = walk.step("rotation").outputs[0].values[row]
        assert f"({format_result(turned[0])}, {format_result(turned[4])})" in worked_example(walk, "rotation", row=row)
        assert "columns 8 to 15" in worked_example(walk, "grouping", row=row)
        size = float(np.sqrt(np.square(walk.step("attention_norm").inputs[0].values[row]).mean()))
        assert f"root mean square {format_result(size)} before" in worked_example(walk, "attention_norm", row=row)
