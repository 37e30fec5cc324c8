"""The pictures of the steps of a layer, against the arrays that they draw; the words, against the numbers."""

from __future__ import annotations

import re
from dataclasses import replace
from functools import cache

import numpy as np
import plotly.graph_objects as go
import pytest

from models.opening.registry import REGISTRY
from models.values.errors import SelectionError
from models.values.record import Token, softmax
from models.values.steps import STEP_NAMES, STEP_OF_WHAT_IF, WHAT_IF_NAMES, LayerWalk, MissingStep, StepName, WhatIf
from tests.closeness import assert_close
from tests.loaded import load
from tests.viz.kit.calculator import equations_in
from viz.kit.calculation import product, total, write_operands
from viz.kit.theme import PALETTES
from viz.steps.changes import change_of, change_picture, largest_change
from viz.steps.demo import D_HEAD, HEAD, demo_walk
from viz.steps.numbers import followed_row, step_table, worked_example
from viz.steps.panels import MAX_CELLS, strongest
from viz.steps.texts import step_text
from viz.steps.walk import masked_cells, picture_title, step_file, step_picture
from viz.steps.what_ifs import WHAT_IFS, shows_change

ROW = 10
POST, PRE, CAUSAL = demo_walk(), demo_walk(pre=True), demo_walk(causal=True)
BY_NAME = {"post": POST, "pre": PRE, "causal": CAUSAL}
WALKS = [pytest.param(walk, id=name) for name, walk in BY_NAME.items()]
SENTENCE = "The animal didn't cross the street because it was too tired."
LONG = " ".join(["[CLS]", *(f"word{number}" for number in range(510)), "[SEP]"])


@cache
def drawn_step(walk: str, name: StepName) -> go.Figure:
    """A step of one of the walks, drawn once for all tests that look at it."""
    return step_picture(BY_NAME[walk], name)


def tables(figure: go.Figure) -> list[go.Heatmap]:
    """The heatmaps with numbers, without the grey cells."""
    return [trace for trace in figure.data if trace.showscale is not False]


def texts(figure: go.Figure) -> str:
    return " ".join(annotation.text for annotation in figure.layout.annotations)


def numbers_in(sentence: str) -> list[float]:
    return [float(number) for number in re.findall(r"-?\d+\.\d+", sentence.replace("−", "-"))]


@pytest.mark.parametrize("walk", BY_NAME)
def test_every_step_draws_its_arrays_and_names_their_shapes(walk: str) -> None:
    for step in BY_NAME[walk].steps:
        figure = drawn_step(walk, step.name)
        arrays = (*step.inputs, *step.outputs)
        assert len(tables(figure)) == len(arrays)
        for array, table in zip(arrays, tables(figure), strict=True):
            drawn = np.asarray(table.z)
            drawn = drawn.T if step.name == "scores" and array.symbol == "K" else drawn
            seen = np.isfinite(drawn)
            np.testing.assert_array_equal(drawn[seen], array.values[seen])
            assert not np.isfinite(array.values[~seen]).any() or array.symbol == "A"
            assert array.name in texts(figure).replace("<br>", " ")
            if array.symbol != "K":
                assert str(list(array.values.shape)) in texts(figure)


@pytest.mark.parametrize("walk", BY_NAME)
def test_weights_run_from_0_to_1_and_everything_else_is_centred(walk: str) -> None:
    for step in BY_NAME[walk].steps:
        for array, table in zip((*step.inputs, *step.outputs), tables(drawn_step(walk, step.name)), strict=True):
            if array.symbol == "A":
                assert (table.zmin, table.zmax) == (0, 1)
                assert table.colorscale[-1][1] == PALETTES["light"].sequential[-1]
            else:
                assert table.zmin == -table.zmax
                assert table.colorscale[0][1] == PALETTES["light"].diverging[0]


def test_what_is_multiplied_in_the_picture_gives_what_is_drawn() -> None:
    query, key, scores = (np.asarray(table.z) for table in tables(step_picture(POST, "scores")))
    assert_close(query @ key, scores)
    assert f"[{D_HEAD}, {len(POST.key_tokens)}]" in texts(step_picture(POST, "scores"))
    weights, value, output = (np.asarray(table.z) for table in tables(step_picture(POST, "weighted_sum")))
    assert_close(weights @ value, output)


def test_tables_that_are_added_share_their_colours_and_a_norm_does_not() -> None:
    for name in ("embeddings", "attention_residual", "feed_forward_residual", "concatenation"):
        assert len({table.zmax for table in tables(step_picture(POST, name))}) == 1
    before, after = tables(step_picture(POST, "embedding_norm"))
    assert before.zmax != after.zmax


@pytest.mark.parametrize("name", ["mask", "softmax", "weighted_sum"])
def test_masked_cells_are_grey_and_nothing_else_is(name: StepName) -> None:
    grey = [trace for trace in step_picture(CAUSAL, name).data if trace.showscale is False]
    assert grey
    for trace in grey:
        np.testing.assert_array_equal(np.asarray(trace.z) == 1, masked_cells(CAUSAL))
    assert "masked" in texts(step_picture(CAUSAL, name))
    assert not [trace for trace in step_picture(POST, name).data if trace.showscale is False]


def test_the_followed_token_and_the_own_head_are_framed() -> None:
    figure = step_picture(POST, "concatenation", row=ROW)
    rows = [shape for shape in figure.layout.shapes if shape.line.dash is None]
    assert [(shape.y0, shape.y1) for shape in rows] == [(ROW - 0.5, ROW + 0.5)] * 2
    assert len(step_picture(POST, "projections", row=ROW).layout.shapes) == 4
    own = next(shape for shape in figure.layout.shapes if shape.line.dash == "dot")
    assert (own.x0, own.x1) == (HEAD * D_HEAD - 0.5, (HEAD + 1) * D_HEAD - 0.5)
    step = POST.step("concatenation")
    drawn = np.asarray(tables(figure)[-1].z)[:, HEAD * D_HEAD : (HEAD + 1) * D_HEAD]
    np.testing.assert_array_equal(drawn, step.inputs[0].values)


@pytest.mark.parametrize("width", [350, 640, 900, 1260])
@pytest.mark.parametrize("walk", WALKS)
def test_no_table_leaves_the_picture_or_covers_another(walk: LayerWalk, width: int) -> None:
    for step in walk.steps:
        layout = step_picture(walk, step.name, width=width).layout
        assert layout.width == width
        n_tables = len(step.inputs) + len(step.outputs)
        suffixes = ["" if number == 1 else str(number) for number in range(1, n_tables + 1)]
        boxes = [(*layout[f"xaxis{suffix}"].domain, *layout[f"yaxis{suffix}"].domain) for suffix in suffixes]
        assert all(0 <= left < right <= 1 and 0 < low < high < 1 for left, right, low, high in boxes)
        for number, (left, right, low, high) in enumerate(boxes):
            for other in boxes[number + 1 :]:
                assert right <= other[0] or left >= other[1] or low >= other[3] or high <= other[2]
        if width == 350:
            assert len({box[3] for box in boxes}) == n_tables


def test_a_long_text_stays_small_and_says_what_was_left_out() -> None:
    walk = demo_walk(LONG)
    for name in ("softmax", "feed_forward"):
        figure = step_picture(walk, name)
        assert all(np.asarray(table.z).size <= 1.1 * MAX_CELLS for table in tables(figure))
        assert len(figure.to_json()) < 1_500_000
    assert "strongest of 3 × 3 numbers" in texts(step_picture(walk, "softmax")).replace("<br>", " ")
    largest = np.asarray(tables(step_picture(walk, "softmax"))[1].z).max()
    assert largest == walk.step("softmax").outputs[0].values.max()


def test_the_strongest_number_of_a_block_keeps_its_sign() -> None:
    values = np.array([[1, -3, np.nan], [2, 0, np.nan]], np.float32)
    np.testing.assert_array_equal(strongest(values, down=2, across=2), [[-3, np.nan]])


def test_hostile_tokens_stay_text() -> None:
    tokens = (Token(text="</script><b>"), *POST.query_tokens[1:])
    walk = replace(POST, query_tokens=tokens, key_tokens=tokens)
    for name in ("scores", "softmax"):
        figure = step_picture(walk, name)
        shown = [axis.labelalias["0"] for axis in (figure.layout.xaxis2, figure.layout.yaxis)]
        assert all("&lt;/script&gt;" in label and "<" not in label for label in shown)


# -- what if ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", WHAT_IF_NAMES)
def test_before_after_and_difference(name: str) -> None:
    after = demo_walk(what_if=WhatIf(name=name, temperature=2, seed=3))
    for step in after.names:
        if not shows_change(step, after.what_if):
            assert change_of(POST, after, step).largest == 0
            continue
        first, second, third = tables(change_picture(POST, after, step))
        change = change_of(POST, after, step)
        assert (first.zmin, first.zmax) == (second.zmin, second.zmax)
        assert third.zmin == -third.zmax
        both = np.isfinite(np.asarray(first.z)) & np.isfinite(np.asarray(second.z))
        expected = np.asarray(second.z)[both] - np.asarray(first.z)[both]
        assert_close(np.asarray(third.z)[both], expected)
        assert_close(abs(change.largest), np.nanmax(np.abs(change.difference)))


def test_the_sentence_holds_the_largest_difference_in_four_digits() -> None:
    after = demo_walk(what_if=WhatIf(name="temperature", temperature=4))
    change = change_of(POST, after, "softmax")
    before, now = (walk.step("softmax").outputs[0].values for walk in (POST, after))
    row, column = np.unravel_index(np.abs(now - before).argmax(), now.shape)
    said = largest_change(after, change)
    expected = [now[row, column] - before[row, column], before[row, column], now[row, column]]
    assert_close([float(number) for number in numbers_in(said.replace("+", ""))], expected, step=1e-4)
    assert f"position {row}" in said
    assert f"position {column}" in said


def test_a_mask_says_how_many_cells_it_takes_away() -> None:
    after = demo_walk(what_if=WhatIf(name="causal"))
    n_tokens = len(POST.query_tokens)
    said = largest_change(after, change_of(POST, after, "mask"))
    assert f"{n_tokens * (n_tokens - 1) // 2} cells can no longer be looked at" in said
    assert "No number" in said


def test_a_change_begins_at_its_step() -> None:
    for name in WHAT_IF_NAMES:
        place = STEP_NAMES.index(STEP_OF_WHAT_IF[name])
        shown = [shows_change(step, WhatIf(name=name)) for step in STEP_NAMES]
        assert shown == [False] * place + [True] * (len(STEP_NAMES) - place)
        assert WHAT_IFS[name].sentence
    assert not shows_change("softmax", None)


# -- words and numbers ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("walk", WALKS)
def test_every_step_has_its_words_and_no_two_the_same(walk: LayerWalk) -> None:
    said = [step_text(walk, name) for name in walk.names]
    assert len({text.title for text in said}) == len({text.sentence for text in said}) == len(said)
    assert all(
        text.equation.count("{") == text.equation.count("}") and re.search(r"\d{4}", text.source) for text in said
    )


def test_the_words_follow_the_model() -> None:
    assert r"\mathrm{norm}" in step_text(POST, "attention_residual").equation
    assert r"\mathrm{norm}" not in step_text(PRE, "attention_residual").equation
    assert r"\mathrm{norm}(x)" in step_text(PRE, "projections").equation
    assert step_text(POST, "embeddings").equation == "X = E + P + S"
    assert f"{D_HEAD**-0.5:.4f}" in step_text(POST, "scaling").equation
    unscaled = step_text(replace(POST, scale=1.0), "scaling")
    assert "not by" in unscaled.sentence
    root_mean_square = replace(POST, info=replace(POST.info, family="llama"), norm_kind="rms")
    assert "layer 2 left" in step_text(replace(POST, layer=3), "projections").sentence
    assert "b_Q" in step_text(POST, "projections").equation
    assert "b_Q" not in step_text(root_mean_square, "projections").equation
    assert r"\mu" in step_text(POST, "embedding_norm").equation
    assert r"\mu" not in step_text(root_mean_square, "embedding_norm").equation
    heated = demo_walk(what_if=WhatIf(name="temperature", temperature=2))
    assert "/ T" in step_text(heated, "softmax").equation


def test_the_worked_examples_end_in_the_numbers_of_the_walk() -> None:
    column = int(POST.step("softmax").outputs[0].values[ROW].argmax())
    for name, at in (("scaling", column), ("mask", column), ("softmax", column), ("embeddings", 0)):
        (*_, result) = equations_in(worked_example(POST, name, row=ROW))
        assert_close(float(result.result), POST.step(name).outputs[0].values[ROW, at], step=1e-4)


COUNTED = {
    "embeddings": 1,
    "scaling": 1,
    "mask": 1,
    "softmax": 2,
    "attention_residual": 1,
    "feed_forward_residual": 1,
    "gate": 1,
}
"""The steps whose example is an equation, and how many it has; nothing is added up of one number."""


def checked(walk: LayerWalk) -> list[str]:
    """The signs of all equations of a walk, each of which a pocket calculator confirms."""
    signs = []
    for name in walk.names:
        for row in range(len(walk.query_tokens)):
            example = worked_example(walk, name, row=row)
            equations = equations_in(example)
            is_alone = name == "embeddings" and len(walk.step(name).inputs) == 1
            expected = 0 if is_alone else COUNTED.get(name, 0)
            assert len(equations) == expected, example
            assert all(equation.holds for equation in equations), example
            signs += [equation.sign for equation in equations]
    return signs


@pytest.mark.parametrize("name", [entry.name for entry in REGISTRY.values() if entry.is_embedded])
def test_a_pocket_calculator_confirms_every_example_of_the_embedded_models(name: str) -> None:
    """A number that lies in the middle of two printed ones may be only about right; hardly any does."""
    model, signs = load(name), []
    for record in model.record(SENTENCE).attention:
        for layer in {0, record.n_layers - 1}:  # the others go through the same steps
            head = (5 * layer + 1) % record.n_heads
            signs += checked(model.walk(SENTENCE, kind=record.kind, layer=layer, head=head))
    assert signs.count("≈") <= 0.01 * len(signs)


@pytest.mark.parametrize("change", WHAT_IF_NAMES)
def test_a_pocket_calculator_confirms_the_examples_of_what_ifs_and_their_largest_difference(change: str) -> None:
    after = demo_walk(what_if=WhatIf(name=change, temperature=0.001, seed=3))
    assert checked(after)
    for name in after.names:
        said = numbers_in(largest_change(after, change_of(POST, after, name)).replace("+", ""))
        if said:
            difference, was, is_now = said
            about = 1.01e-4 if "about" in largest_change(after, change_of(POST, after, name)) else 1e-9
            assert_close(round(is_now - was, 4), difference, tolerance=about, magnitude=1)


def test_what_no_digits_make_equal_is_called_about() -> None:
    texts, sign = write_operands((0.5, 0.25), "0.9000", total)
    assert (texts, sign) == (["0.5000", "0.2500"], "≈")
    assert write_operands((13.98470, 0.1767767), "2.4722", product)[1] == "="
    assert write_operands((-np.inf, 0.25), "−∞", total) == (["−∞", "0.2500"], "=")


def test_a_soft_cap_is_not_taken_for_the_product() -> None:
    """Gemma 2 bounds its scores after the scaling: score × scale is not what comes out."""
    step = POST.step("scaling")
    (out,) = step.outputs
    capped = replace(out, name="scaled and capped scores", values=(np.tanh(out.values) * np.float32(1)).copy())
    steps = tuple(replace(each, outputs=(capped,)) if each is step else each for each in POST.steps)
    walk = replace(POST, steps=steps)
    example = worked_example(walk, "scaling", row=ROW)
    (equation,) = equations_in(example)
    assert equation.holds
    column = int(POST.step("softmax").outputs[0].values[ROW].argmax())
    assert f"the soft cap makes {capped.values[ROW, column]:.4f}".replace("-", "−") in example


@pytest.mark.parametrize("temperature", [1.0, 2.0])
def test_the_softmax_beside_a_sink_is_told_with_it(temperature: float) -> None:
    step = POST.step("softmax")
    sinks = np.linspace(-1, 3, len(POST.query_tokens), dtype=np.float32)
    scores = step.inputs[0].values / np.float32(temperature)
    weights = softmax(scores, sinks=sinks[:, None] / np.float32(temperature))
    (out,) = step.outputs
    beside = replace(step, outputs=(replace(out, values=weights),))
    what_if = None if temperature == 1 else WhatIf(name="temperature", temperature=temperature)
    steps = tuple(beside if each is step else each for each in POST.steps)
    walk = replace(POST, steps=steps, sinks=sinks, what_if=what_if)
    example = worked_example(walk, "softmax", row=ROW)
    (*_, equation) = equations_in(example)
    assert equation.holds
    assert "the sum over all keys and the sink" in example
    assert "and the sink" not in worked_example(POST, "softmax", row=ROW)
    assert "sum to 1 less that share" in step_text(walk, "softmax").sentence
    assert "less the share of the sink" in texts(step_picture(walk, "softmax")).replace("<br>", " ")


# -- titles -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", BY_NAME)
def test_a_title_names_a_head_and_a_layer_only_where_there_is_one(name: str) -> None:
    """A step of one head has an array as wide as a head, or of weights and scores; nothing else belongs to a head."""
    walk = BY_NAME[name]
    for step in walk.steps:
        columns = {array.columns for array in (*step.inputs, *step.outputs)}
        title = drawn_step(name, step.name).layout.title.text
        assert (f"Head {HEAD}" in title) == bool(columns & {"key", "d_head"}) == ("head" in step_file(walk, step.name))
        assert (f"Layer {walk.layer}" in title) == (not step.name.startswith("embedding"))


def test_the_feed_forward_network_after_cross_attention_is_the_decoders() -> None:
    walk = replace(POST, kind="cross")
    assert picture_title(walk, "softmax") == f"Softmax · Cross-attention · Layer 0 · Head {HEAD}"
    assert picture_title(walk, "feed_forward") == "Feed-forward network · Decoder · Layer 0"
    assert picture_title(replace(POST, what_if=WhatIf(name="head_off")), "output_projection") == (
        f"Output matrix · Layer 0 · with head {HEAD} switched off"
    )


def test_large_scores_do_not_overflow_the_example() -> None:
    unscaled = demo_walk(what_if=WhatIf(name="temperature", temperature=0.001))
    assert "inf" not in worked_example(unscaled, "softmax", row=ROW)
    assert "subtracted" in worked_example(unscaled, "softmax", row=ROW)


@pytest.mark.parametrize("walk", WALKS)
def test_every_step_has_an_example_for_every_token(walk: LayerWalk) -> None:
    for name in walk.names:
        for row in range(len(walk.query_tokens)):
            assert "nan" not in worked_example(walk, name, row=row)


def test_the_followed_token_is_one_of_the_text() -> None:
    assert followed_row(POST.query_tokens, 3) == 3
    for n_tokens in (1, 2, len(POST.query_tokens)):
        assert all(0 <= followed_row(POST.query_tokens[:n_tokens], row) < n_tokens for row in (-1, 900))


def test_the_table_holds_every_number_of_a_step() -> None:
    step, table = CAUSAL.step("mask"), step_table(CAUSAL, "mask")
    n_tokens = len(CAUSAL.query_tokens)
    assert len(table) == n_tokens * (len(step.inputs) + len(step.outputs))
    masked = table[table["goes"] == "out"].iloc[:, -n_tokens:].to_numpy()
    values = step.outputs[0].values
    np.testing.assert_array_equal(masked == "masked", np.isneginf(values))
    np.testing.assert_array_equal(masked[np.isfinite(values)].astype(np.float32), values[np.isfinite(values)])


def test_a_step_that_is_not_there_says_why() -> None:
    walk = replace(POST, missing=(MissingStep(name="attention_norm", why="It norms afterwards."),))
    with pytest.raises(SelectionError, match="It norms afterwards"):
        step_picture(walk, "attention_norm")
