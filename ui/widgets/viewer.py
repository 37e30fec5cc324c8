"""The viewer on a page: a component of Streamlit whose browser side, `viz/viewer/frontend/`, fetches its numbers
itself.

What crosses the websocket are the choices alone, both ways. A choice that the reader makes in the viewer is counted
there; the number of the last one that was heard goes back, so that the viewer knows which of the page's words are older
than its own.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

import streamlit as st

from models.values.record import Recording
from ui.state.parsing import written
from ui.state.routes import STYLE, address, offer, version
from ui.state.selection import read_address, selection
from viz.viewer.choices import SHARED

_NAME = "headlight_viewer"

_FRONTEND = address(f"frontend/{version()}")

_viewer = st.components.v2.component(
    _NAME,
    html=f'<link rel="stylesheet" href="{_FRONTEND}/{STYLE}"><div data-root></div>',
    js=(
        f"const module = import(new URL({json.dumps(f'{_FRONTEND}/viewer.js')}, location.origin).href);\n"
        "export default async (component) => (await module).openComponent(component);\n"
    ),
)


def viewer(recording: Recording, key: str = _NAME, **more: Any) -> None:
    """Draw a recording. It shows and changes the shared selection; `more` are choices that the page does not keep."""
    opened, chosen = offer(recording), selection()
    choices = {name: getattr(chosen, name) for name in SHARED}
    _viewer(
        key=key,
        data={
            "base": address(f"recordings/{opened.key}"), "id": opened.name, "choices": choices | more,
            "told": _told(key).get("number", 0),
        },
        on_choices_change=lambda: _heard(key),
    )  # fmt: skip


def _heard(key: str) -> None:
    """The reader has chosen something in the viewer."""
    st.session_state.update(accepted(_told(key)))


def _told(key: str) -> Mapping[str, Any]:
    state = st.session_state.get(key) or {}
    told = state.get("choices")
    return told if isinstance(told, Mapping) else {}


def accepted(told: Mapping[str, Any]) -> dict[str, Any]:
    """What a browser says that it chose, as far as it fits; a browser is not trusted."""
    return read_address({name: written(told[name]) for name in SHARED if name in told})
