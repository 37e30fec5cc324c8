"""The viewer on a page: a component of Streamlit whose browser side, `viz/viewer/frontend/`, fetches its numbers
itself.

What crosses the websocket are the choices alone, both ways. A choice that the reader makes in the viewer is counted
there; the number of the last one that was heard goes back, so that the viewer knows which of the page's words are older
than its own.
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
from ui.widgets.browser_side import in_each_language
from viz.viewer.choices import SHARED

_NAME = "headlight_viewer"

PLAIN = {"picture": "map", "threshold": 0, "top": 0, "heads": [], "known": ""}
"""The choices of a viewer without its tools."""

_viewer = in_each_language(_NAME, module="viewer.js", html="<div data-root></div>", styles=(STYLE,))


def viewer(recording: Recording, key: str = _NAME, *, locked: Sequence[int] = (), **more: Any) -> None:
    """Draw a recording. It shows and changes the shared selection; `locked` are the tokens that are held unless the
    reader holds others, `more` are choices that the page makes and does not keep."""
    opened, text = offer(recording), _text_of(recording)
    more = more if more.get("shows", "all") == "all" else PLAIN | more
    turn_to_text(text)
    choices = {name: st.session_state[name] for name in SHARED}
    choices["locked"] = hold_for_reader(locked)
    _viewer(
        key=key,
        data={
            "base": address(f"recordings/{opened.key}"),
            "id": opened.name,
            "choices": choices | more,
            "told": _told(key).get("number", 0),
        },
        on_choices_change=lambda: _heard(key, text, tuple(locked), frozenset(more)),
    )


def _text_of(recording: Recording) -> str:
    """Return a digest of the tokens of a recording."""
    return hashlib.sha256(json.dumps([token.text for token in recording.tokens]).encode()).hexdigest()


def _heard(key: str, text: str, ours: tuple[int, ...], made: frozenset[str]) -> None:
    """The reader has chosen something in the viewer of this text; `ours` are the tokens that the app held, `made` the
    choices that the page makes."""
    turn_to_text(text)
    told = {name: value for name, value in accepted(_told(key)).items() if name not in made}
    if selection().locked is None and told.get("locked") == ours:
        del told["locked"]  # the reader has changed something else
    st.session_state.update(told)


def _told(key: str) -> Mapping[str, Any]:
    state = st.session_state.get(key) or {}
    told = state.get("choices")
    return told if isinstance(told, Mapping) else {}


def accepted(told: Mapping[str, Any]) -> dict[str, Any]:
    """Return the choices that a browser sends, if they fit; the others are left out."""
    chosen: dict[str, Any] = {}
    for name in filter(told.__contains__, SHARED):
        with suppress(ValueError):
            chosen[name] = CHOICES[name].parse.check(told[name])
    return chosen
