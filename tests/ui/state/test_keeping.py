"""Choices outlive their widgets and pages, and what the reader turns is not taken back."""

from __future__ import annotations

from math import inf

import pytest
from streamlit.testing.v1 import AppTest

from ui.state import keeping


def script() -> None:
    import streamlit as st

    from ui.state.keeping import keep, settle

    state = st.session_state
    keep({"layer": 0, "head": 1, "seed": 7}, page=state.get("where", "first"))
    try:
        st.select_slider("Layer", range(4), key="layer")
        if not state.get("without_head", False):
            st.select_slider("Head", range(4), key="head")
    finally:
        settle()


@pytest.fixture
def app() -> AppTest:
    return AppTest.from_function(script).run()


def is_sent(app: AppTest, name: str) -> bool:
    """Whether the last run has sent the value of a slider to the browser."""
    sent: bool = app.select_slider(key=name).proto.set_value
    return sent


def choices(app: AppTest) -> tuple[int, ...]:
    return tuple(app.session_state[name] for name in ("layer", "head", "seed"))


def test_what_is_turned_is_left_alone_once_the_browser_is_quiet(app: AppTest, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(keeping, "QUIET", -1)
    for layer in (2, 3, 1):
        app.select_slider(key="layer").set_value(layer).run()
        assert choices(app) == (layer, 1, 7)
        assert not is_sent(app, "layer")


def test_what_is_turned_while_an_older_value_is_on_its_way_is_sent(
    app: AppTest, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(keeping, "QUIET", inf)
    app.select_slider(key="layer").set_value(2).run()
    assert choices(app) == (2, 1, 7)
    assert is_sent(app, "layer")


def test_a_choice_outlives_its_widget_and_its_page(app: AppTest, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(keeping, "QUIET", -1)
    app.session_state["without_head"] = True
    app.select_slider(key="head").set_value(3).run()  # turned in the very run that draws it no more
    assert choices(app) == (0, 3, 7)
    app.run()
    assert choices(app) == (0, 3, 7)
    app.session_state["without_head"] = False
    app.select_slider(key="layer").set_value(2)
    app.session_state["where"] = "second"
    app.run()
    assert choices(app) == (2, 3, 7)
    assert (app.select_slider(key="layer").value, app.select_slider(key="head").value) == (2, 3)
    assert is_sent(app, "layer")  # a new page has widgets of its own


def test_what_a_run_has_changed_itself_is_no_turn_of_the_reader(app: AppTest, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(keeping, "QUIET", -1)
    app.session_state["seed"] = 8
    app.run().run()
    assert choices(app) == (0, 1, 8)
