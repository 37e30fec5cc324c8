"""The page "What attention costs": each part on the embedded models, and what a model that does not write gets."""

from __future__ import annotations

import base64
import json

import numpy as np
import pytest
from streamlit.testing.v1 import AppTest

from models.values.results.costs import GIGABYTE
from tests.closeness import assert_close
from tests.loaded import load
from tests.ui.test_pages import alone, figures, messages
from ui.answers.costs.memory import COMPARED
from ui.answers.costs.writing import N_NEW
from ui.state.choices import COST_PARTS, SKIPPED
from viz.writing.memory import byte_text

PAGE = "pages/what_attention_costs.py"
TEXT = "The old man sat down in his"


def said(app: AppTest) -> str:
    assert not app.exception
    assert "Something went wrong" not in messages(app)
    return " ".join(element.value for element in (*app.markdown, *app.caption, *app.success)).replace("\\", "")


def titled(app: AppTest, title: str) -> dict:
    specs = [json.loads(chart.proto.spec or chart.proto.figure.spec) for chart in app.get("plotly_chart")]
    return next(spec for spec in specs if title in spec["layout"]["title"]["text"])


def numbers(trace: dict, axis: str) -> np.ndarray:
    sent = trace[axis]
    return np.array(sent) if isinstance(sent, list) else np.frombuffer(base64.b64decode(sent["bdata"]), sent["dtype"])


def test_the_cache_of_the_last_token_is_the_models_own() -> None:
    app = alone(PAGE, text=TEXT)
    times = load("mini-llama").time_writing(TEXT, n_new=N_NEW)
    assert_close(numbers(titled(app, "The cache grows")["data"][0], "y"), np.array(times.cache_bytes) / 1000)
    assert byte_text(times.cache_bytes[-1]) in said(app)
    assert "× 32 numbers × 4 bytes = **5,120 bytes**" in said(app)
    app.select_slider(key="timed_token").set_value(3).run()
    assert len(numbers(titled(app, "The cache grows")["data"][0], "y")) == 4
    assert times.texts[3].strip() in said(app)


@pytest.mark.parametrize("name", ["mini-gpt", "models/pretrained/mini-llama"])
def test_other_models_that_write_are_timed(name: str) -> None:
    app = alone(PAGE, model=name, text=TEXT)
    assert "This token took" in said(app)
    assert titled(app, "The time of all tokens so far")["data"]


def test_memory_follows_the_readers_own() -> None:
    app = alone(PAGE, cost="memory")
    before = said(app)
    app.select_slider(key="gpu_memory").set_value(80).run()
    after = said(app)
    assert "24 GB are full after" in before
    assert "the caches of all of them fit" in after
    assert titled(app, "The cache of one text")["layout"]["shapes"][0]["y0"] == 80 * GIGABYTE
    assert COMPARED.name in titled(app, "The weights of one layer")["layout"]["title"]["text"]


def test_the_last_block_is_the_row_of_the_map() -> None:
    app = alone(PAGE, cost="blocks", text=TEXT, layer=3, head=2, query=6)
    app.select_slider(key="key_block").set_value(1).run()
    record = load("mini-llama").record(TEXT).of("decoder")
    (bars,) = titled(app, "after block 2 of 2")["data"]
    assert_close(numbers(bars, "y" if bars["orientation"] == "v" else "x"), record.weights(3, 2)[6])
    assert "This is the row of the map" in said(app)


def test_the_settings_of_sampling_act() -> None:
    app = alone(PAGE, cost="sampling", text=TEXT)
    assert "Top-k cuts" in said(app)
    app.select_slider(key="min_p").set_value(0.2).run()
    app.select_slider(key="repetition_penalty").set_value(1.5).run()
    told = said(app)
    assert "Min-p cuts" in told
    assert "Repetition penalty takes" in told
    app.select_slider(key="writing_temperature").set_value(0.0).run()
    assert "1 of 8,192 tokens" in " ".join(figures(app))


@pytest.mark.parametrize("cost", COST_PARTS)
def test_a_model_that_writes_nothing_says_so_where_writing_is_needed(cost: str) -> None:
    app = alone(PAGE, model="mini-bert", text=TEXT, cost=cost)
    said(app)
    assert ("cannot continue a text" in messages(app)) == (cost in {"writing", "sampling"})
    assert bool(figures(app)) == (cost in {"memory", "blocks"})


@pytest.mark.parametrize(
    ("step", "title"),
    [
        (0, "The time of all tokens so far"),
        (2, "The cache of one text"),
        (4, "after block 7 of 7"),
        (5, "What may be written next"),
    ],
)
def test_a_lesson_draws_the_part_that_its_step_names(step: int, title: str) -> None:
    app = alone("pages/lessons.py", lesson="cost", lesson_step=step, lesson_guess=SKIPPED)
    said(app)
    assert titled(app, title)
