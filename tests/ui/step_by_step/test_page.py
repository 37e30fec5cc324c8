"""The page "Step by step": its numbers are the model's own, its address holds the step, its changes can be undone."""

from __future__ import annotations

import base64
import json
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from streamlit.testing.v1 import AppTest

from models.inspection.source import source_of_step
from models.model import Model
from models.opening.registry import DEFAULT_MODEL
from models.values.steps import STEP_OF_WHAT_IF, WHAT_IF_NAMES, WhatIf
from tests.closeness import assert_close, is_close
from tests.loaded import load
from tests.ui.test_pages import alone, figures, messages
from ui.desk.ask import ask
from ui.layers.step_by_step.page import NO_MEAN
from ui.state.plain import plain
from viz.steps.texts import SHORT_TITLES
from viz.steps.what_ifs import what_if_name

STEPS = "pages/step_by_step.py"
TEXT = "The animal didn't cross the street because it was too tired."
MINI_BERT = (
    "embeddings",
    "embedding_norm",
    "projections",
    "scores",
    "scaling",
    "mask",
    "softmax",
    "weighted_sum",
    "concatenation",
    "output_projection",
    "attention_residual",
    "feed_forward",
    "feed_forward_residual",
)


def whole(app: AppTest) -> None:
    assert not app.exception
    assert not app.error
    assert figures(app)


def tables(app: AppTest) -> list[np.ndarray]:
    """The numbers of the tables in the picture, without the grey cells."""
    traces = [trace for trace in json.loads(figures(app)[-1])["data"] if trace.get("showscale") is not False]
    decoded = [np.frombuffer(base64.b64decode(trace["z"]["bdata"]), trace["z"]["dtype"]) for trace in traces]
    return [
        values.reshape([int(size) for size in trace["z"]["shape"].split(",")])
        for values, trace in zip(decoded, traces, strict=True)
    ]


def press(app: AppTest, key: str) -> None:
    app.button(key=key).click().run()


def said(app: AppTest) -> str:
    return " ".join(element.value for element in (*app.markdown, *app.caption)).replace("\\", "")


def test_a_walk_is_kept_for_its_change_and_no_other() -> None:
    changes = [
        None,
        *(WhatIf(name="temperature", temperature=temperature) for temperature in (0.5, 2.0)),
        *(WhatIf(name="shuffled_positions", seed=seed) for seed in (0, 1)),
        *(WhatIf(name=name) for name in ("no_scaling", "causal", "head_off")),
    ]
    for _ in range(2):
        walks = [
            ask(DEFAULT_MODEL, "cpu", Model.walk, TEXT, None, kind="encoder", layer=0, head=1, what_if=change)
            for change in changes
        ]
        assert [walk.what_if for walk in walks] == changes
    again = ask(
        DEFAULT_MODEL, "cpu", Model.walk, TEXT, None, kind="encoder", layer=0, head=1, what_if=WhatIf(name="causal")
    )
    assert again is walks[changes.index(again.what_if)]


def test_the_numbers_are_the_model_s_own() -> None:
    record = load(DEFAULT_MODEL).record(TEXT).of("encoder")
    softmax = alone(STEPS, step="softmax", layer=2, head=5)
    whole(softmax)
    scores, weights = tables(softmax)
    assert_close(scores, record.scores(2, 5))
    assert_close(weights, record.weights(2, 5))
    assert "Layer 2 · Head 5" in figures(softmax)[-1]
    output = tables(alone(STEPS, step="weighted_sum", layer=2, head=5))[-1]
    assert_close(output, record.head_output(2, 5))
    last = tables(alone(STEPS, step="feed_forward_residual", layer=2, head=5))[-1]
    assert_close(last, load(DEFAULT_MODEL).record(TEXT).hidden_states[3])


def test_next_walks_through_all_steps_and_back_returns() -> None:
    app = alone(STEPS)
    assert app.button(key="step-back").disabled
    for name in MINI_BERT[1:]:
        press(app, "step-next")
        whole(app)
        assert app.query_params["step"] in (name, [name])
        assert all(lines.code in {code.value for code in app.code} for lines in source_of_step(name))
        assert app.latex
        assert "For example:" in said(app)
    assert app.button(key="step-next").disabled
    press(app, "step-back")
    assert app.query_params["step"] in (MINI_BERT[-2], [MINI_BERT[-2]])
    press(app, "go-softmax")
    assert app.query_params["step"] in ("softmax", ["softmax"])


@pytest.mark.parametrize("change", WHAT_IF_NAMES)
def test_a_change_is_switched_on_stays_on_and_is_switched_off(change: str) -> None:
    begins = STEP_OF_WHAT_IF[change]
    app = alone(STEPS, step=begins, layer=1, head=3)
    app.toggle(key=f"switch-{change}").set_value(True).run()
    whole(app)
    assert app.query_params["what_if"] in (change, [change])
    walks = [
        load(DEFAULT_MODEL).walk(TEXT, None, kind="encoder", layer=1, head=3, what_if=each)
        for each in (None, WhatIf(name=change, temperature=2.0))
    ]
    before, after, difference = tables(app)
    for drawn, walk in zip((before, after), walks, strict=True):
        values = walk.step(begins).outputs[-1].values
        assert_close(drawn[np.isfinite(drawn)], values[np.isfinite(drawn)])
    both = np.isfinite(before) & np.isfinite(after)
    assert_close(difference[both], (after - before)[both])
    press(app, "go-attention_residual")
    assert what_if_name(WhatIf(name=change, temperature=2.0), head=3) in messages(app)
    assert SHORT_TITLES[begins] in messages(app)
    assert "The largest difference is" in said(app)
    press(app, "what-if-off")
    whole(app)
    assert "what_if" not in app.query_params
    assert "largest difference" not in said(app)
    assert len(tables(app)) == 4


def test_a_link_restores_step_change_and_temperature() -> None:
    app = alone(STEPS, step="softmax", what_if="temperature", temperature="0.5", query=3)
    whole(app)
    assert app.toggle(key="switch-temperature").value
    assert app.select_slider(key="temperature").value == 0.5
    assert app.selectbox(key="query").value == 3
    app.select_slider(key="temperature").set_value(10.0).run()
    assert "with a temperature of 10" in figures(app)[-1]
    press(app, "go-scores")
    assert "Nothing changes before “Softmax”" in messages(app)
    assert len(tables(app)) == 3
    assert "before" not in figures(app)[-1]


def test_positions_are_shuffled_again() -> None:
    app = alone(STEPS, what_if="shuffled_positions")
    first = tables(app)[1]
    press(app, "shuffle-again")
    assert not is_close(first, tables(app)[1])
    assert app.query_params["seed"] in ("1", ["1"])


def test_what_comes_out_of_a_step_with_several_arrays_is_chosen() -> None:
    app = alone(STEPS, step="projections", what_if="shuffled_positions")
    whole(app)
    assert "V · values, before" in figures(app)[-1]
    app.button_group(key="compared-projections").set_value(0).run()
    assert "Q · queries, before" in figures(app)[-1]


def test_an_odd_address_is_no_trouble() -> None:
    mean = alone(STEPS, head="mean", step="scores")
    whole(mean)
    assert NO_MEAN in messages(mean)
    far = alone(STEPS, layer=300, head=300, query=9000, step="<script>", what_if="all", temperature="-1")
    whole(far)
    info = load(DEFAULT_MODEL).info
    assert [slider.value for slider in far.select_slider] == [info.n_layers - 1, info.n_heads - 1]
    assert "Head" not in figures(far)[-1]
    absent = alone(STEPS, step="attention_norm")
    assert not absent.exception
    assert messages(absent)
    press(absent, "step-next")
    whole(absent)
    assert absent.query_params["step"] in ("projections", ["projections"])


@pytest.mark.parametrize(
    "text",
    [
        "a",
        "שלום עולם",
        "🙂🎉 👩‍👩‍👧‍👦",
        "</script><script>alert(1)</script> $x$ `c` ![i](http://h/p.png)",
        "long story " * 400,
    ],
)
def test_odd_text_gets_a_picture(text: str) -> None:
    app = alone(STEPS, model="mini-bert", step="softmax", what_if="causal")
    app.text_input[0].set_value(text)
    app.button[0].click().run()
    whole(app)


def test_an_empty_sentence_is_said() -> None:
    app = alone(STEPS)
    app.text_input[0].set_value("  ")
    app.button[0].click().run()
    assert not app.exception
    assert "only spaces" in messages(app)


@pytest.mark.parametrize(
    ("family", "kind"),
    [
        ("gpt2", "decoder"),
        ("llama", "decoder"),
        ("t5", "encoder"),
        ("t5", "decoder"),
        ("t5", "cross"),
        ("bart", "cross"),
    ],
)
def test_other_families_walk_as_far_as_they_can_and_say_why_not(
    family: str, kind: str, tiny: Callable[[str], Path]
) -> None:
    model, text, text_b = tiny(family), "the animal was tired", "it was tired"
    app = alone(STEPS, model=model, kind=kind, text=text, text_b=text_b, step="scores")
    whole(app)
    assert "Hugging Face's code" in said(app)
    walk = load(str(model)).walk(text, text_b, kind=kind, layer=0, head=0)
    for missing in walk.missing:
        assert app.button(key=f"go-{missing.name}").disabled
        assert app.button(key=f"go-{missing.name}").help == plain(missing.why)  # which may name anyone's folder
        assert missing.why.replace("\\", "") in said(app)
    for name in walk.names:
        press(app, f"go-{name}")
        whole(app)
    app.session_state["what_if"] = "causal"
    press(app, "go-softmax")
    whole(app)


def test_a_change_that_a_model_cannot_make_is_a_sentence_beside_its_picture(tiny: Callable[[str], Path]) -> None:
    model = tiny("t5")
    app = alone(STEPS, model=model, text="the animal was tired", what_if="shuffled_positions")
    assert not app.exception
    assert "positions cannot be changed" in messages(app)
    assert "For example:" in said(app)
    assert "before" not in figures(app)[-1]
    app.toggle(key="switch-shuffled_positions").set_value(False).run()
    whole(app)
