"""A session that a replaced run still writes to, while Streamlit begins and ends the next one."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from streamlit.proto.WidgetStates_pb2 import WidgetStates
from streamlit.runtime.state import SafeSessionState
from streamlit.runtime.state.session_state import SessionState, WStates

from ui.serving.steady_sessions import READS_ALL, read_sessions_steadily


@pytest.fixture
def _steady(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in READS_ALL:
        monkeypatch.setattr(SessionState, name, getattr(SessionState, name))  # as they are again afterwards
    monkeypatch.setattr(WStates, "__iter__", WStates.__iter__)
    read_sessions_steadily()


def session() -> tuple[SessionState, SafeSessionState]:
    """A session with values of a run before and of this one, and the way in which a run holds it."""
    state = SessionState()
    run = SafeSessionState(state, lambda: None)
    for name in ("first", "second"):
        run[name] = name
        state._new_widget_state.set_from_value(f"$$ID-{name}-None", name)
        run.on_script_will_rerun(None)
    run["third"] = "third"
    state._new_widget_state.set_from_value("$$ID-third-None", "third")
    return state, run


def write_once(write: Callable[[], None], read: Callable[..., Any]) -> Callable[..., Any]:
    """Let something be written amid a reading, the first time."""
    writing = iter([write])

    def _read(*args: Any) -> Any:
        next(writing, lambda: None)()
        return read(*args)

    return _read


class Metadata(dict[str, Any]):
    """The metadata of widgets, for which Streamlit asks at every key that it comes to."""

    def __init__(self, ask: Callable[[str], None]) -> None:
        super().__init__()
        self.ask = ask

    def get(self, key: str, _: Any = None) -> None:
        self.ask(key)


@pytest.mark.usefixtures("_steady")
def test_a_run_begins_while_the_one_before_still_writes(monkeypatch: pytest.MonkeyPatch) -> None:
    state, run = session()
    replaced = SafeSessionState(state, lambda: None)
    write, usual = write_once(lambda: replaced.__setitem__("late", 1), bool), SessionState._get_widget_id

    def _come_to(given: SessionState, key: str) -> str:
        if key == "third":
            write(key)
        return usual(given, key)

    monkeypatch.setattr(SessionState, "_get_widget_id", _come_to)
    run.on_script_will_rerun(None)
    assert [run[name] for name in ("first", "second", "third", "late")] == ["first", "second", "third", 1]


@pytest.mark.usefixtures("_steady")
def test_a_run_ends_while_another_one_begins() -> None:
    state, run = session()
    at_widget = write_once(lambda: state._new_widget_state.set_from_value("$$ID-late-None", 1), bool)
    at_value = write_once(lambda: state._old_state.update(late=1), bool)
    state._new_widget_state.widget_metadata = Metadata(
        lambda key: (at_widget if key in state._new_widget_state.states else at_value)(key)
    )
    run.on_script_finished(frozenset())
    assert (run["third"], state._old_state["late"]) == ("third", 1)
    assert "$$ID-late-None" in state._new_widget_state.states


@pytest.mark.usefixtures("_steady")
def test_what_a_reader_has_changed_is_looked_for_meanwhile(monkeypatch: pytest.MonkeyPatch) -> None:
    state, run = session()
    changed = WidgetStates()
    changed.widgets.add(id="$$ID-first-None", bool_value=True)
    write = write_once(lambda: state._new_widget_state.set_from_value("$$ID-late-None", 1), lambda *_: False)
    monkeypatch.setattr(SessionState, "_widget_changed", write)
    run.on_script_will_rerun(changed)
    assert set(state._new_widget_state.states) == {"$$ID-first-None", "$$ID-late-None"}


@pytest.mark.usefixtures("_steady")
def test_an_error_that_stays_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    _, run = session()

    def _refuse(*_: object) -> str:
        raise RuntimeError("it stays")

    monkeypatch.setattr(SessionState, "_get_widget_id", _refuse)
    with pytest.raises(RuntimeError, match="it stays"):
        run.on_script_will_rerun(None)
