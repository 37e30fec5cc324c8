"""The viewer on a page: a component of Streamlit whose frontend, `viz/viewer/frontend/`, fetches its numbers itself.

Only choices cross the websocket, both ways. The frontend numbers the reader's choices; the number of the last one
received goes back, so that it can ignore older values from the page.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from contextlib import suppress
from typing import Any

import streamlit as st

from models.values.record import Recording
from ui.state.choices import CHOICES
from ui.state.open_recordings import offer
from ui.state.routes import STYLE, address
from ui.state.selection import hold_for_reader, selection, turn_to_text
from ui.widgets.browser.browser_side import in_each_language
from viz.viewer.choices import SHARED

_NAME = "headlight_viewer"

PLAIN: Mapping[str, Mapping[str, Any]] = {
    "all": {},
    "picture": {"special": "margin", "threshold": 0, "top": 0, "heads": [], "known": ""},
    "map": {"picture": "map", "threshold": 0, "top": 0, "heads": [], "known": ""},
    "heads": {"picture": "map", "threshold": 0, "top": 0, "heads": [], "known": ""},
}
"""The choices of a viewer that is drawn without its tools, by what it shows."""

_viewer = in_each_language(_NAME, module="viewer.js", html="<div data-root></div>", styles=(STYLE,))


def viewer(
    recording: Recording,
    key: str = _NAME,
    *,
    locked: Sequence[int] = (),
    typed: Mapping[str, str] | None = None,
    **more: Any,
) -> None:
    """Draw a recording. The viewer shows and changes the shared selection; `locked` are the positions that are locked
    unless the reader locks others, `more` are choices of the page that are not kept. With `typed`, of `follow_typing`,
    the picture follows what is typed."""
    opened, text = offer(recording), _text_of(recording)
    more = {**PLAIN[more.get("shows", "all")], **more}
    turn_to_text(text)
    choices = {name: st.session_state[name] for name in SHARED}
    choices["locked"] = hold_for_reader(locked)
    _viewer(
        key=key,
        data={
            "base": address(f"recordings/{opened.key}"),
            "id": opened.name,
            "choices": choices | more,
            "told": _sent_choices(key).get("number", 0),
            "typed": None if typed is None else dict(typed),
        },
        on_choices_change=lambda: _take_choices(key, text, tuple(locked), frozenset(more)),
    )


def _text_of(recording: Recording) -> str:
    """Return a digest of the tokens of a recording."""
    return hashlib.sha256(json.dumps([token.text for token in recording.tokens]).encode()).hexdigest()


def _take_choices(key: str, text: str, ours: tuple[int, ...], page_choices: frozenset[str]) -> None:
    """Apply the reader's choices in the viewer of this text; `ours` are the positions that the app has locked, `made`
    the names of choices that the page makes."""
    turn_to_text(text)
    choices = {name: value for name, value in parse_choices(_sent_choices(key)).items() if name not in page_choices}
    if selection().locked is None and choices.get("locked") == ours:
        del choices["locked"]  # the reader has changed something else
    st.session_state.update(choices)


def _sent_choices(key: str) -> Mapping[str, Any]:
    state = st.session_state.get(key) or {}
    choices = state.get("choices")
    return choices if isinstance(choices, Mapping) else {}


def parse_choices(sent: Mapping[str, Any]) -> dict[str, Any]:
    """Check the choices that a browser has sent; invalid ones are dropped."""
    chosen: dict[str, Any] = {}
    for name in filter(sent.__contains__, SHARED):
        with suppress(ValueError):
            chosen[name] = CHOICES[name].parse.check(sent[name])
    return chosen
