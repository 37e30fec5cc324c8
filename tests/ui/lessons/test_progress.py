"""The browser keeps how far a reader is in the lessons, and the predictions."""

from __future__ import annotations

import json
from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

from tests.ui.lessons.test_page import LESSONS, ROOT, press, said

KEPT = {
    "steps": {"attention": 3},
    "done": ["heads"],
    "predictions": {},
    "marks": {"attention": {"0": "r", "1": "w", "2": "s"}, "masks": {"0": "n"}},
}


def with_browser(kept: object, **choices: object) -> AppTest:
    """The page in a browser that has kept something."""
    app = AppTest.from_file(str(ROOT / LESSONS), default_timeout=390)
    for name, value in choices.items():
        app.query_params[name] = str(value)
    app.session_state["headlight_progress_keeper"] = {"kept": kept}
    return app.run()


def told_browser(app: AppTest) -> dict[str, Any]:
    (part,) = [part for part in app.get("bidi_component") if "headlight_progress_keeper" in part.proto.id]
    told: dict[str, Any] = json.loads(part.proto.json)
    return told


def kept_by(app: AppTest) -> dict[str, Any]:
    """The progress that the browser is told to keep."""
    kept: dict[str, Any] = told_browser(app)["kept"]
    return kept


def test_a_browser_that_has_kept_nothing_need_not_answer() -> None:
    app = AppTest.from_file(str(ROOT / LESSONS), default_timeout=390)
    assert told_browser(app.run()) == {"asks": True, "kept": None}
    app.query_params["lesson"] = "attention"
    told = told_browser(app.run())
    assert told["asks"]
    assert told["kept"]["steps"] == {"attention": 0}


def test_a_reload_finds_progress_and_predictions_again() -> None:
    app = with_browser({}, lesson="attention", lesson_step=1)
    app = press(app, "skip-")
    kept = kept_by(app)
    assert kept["steps"] == {"attention": 1}
    app = with_browser(kept, lesson="attention", lesson_step=1)
    assert "You skipped the prediction." in said(app)
    app = with_browser(KEPT)
    assert app.button(key="begin-attention").label.startswith("Go on: step 4")
    assert app.button(key="begin-heads").label == "Read again"
    assert said(app).count("answers right") == said(app).count("1 of 3 answers right") == 1


@pytest.mark.parametrize(
    "kept",
    [
        None,
        "x",
        {"steps": [], "done": {}, "predictions": 3},
        {"steps": {"attention": "2", "heads": -1, "masks": 1e99}, "done": [None, {}], "predictions": {"a": "x"}},
    ],
)
def test_a_browser_that_has_kept_nonsense_begins_anew(kept: object) -> None:
    app = with_browser(kept)
    assert not app.exception
    assert not app.error
    assert app.button(key="begin-attention").label == "Begin"
