"""The scripts of the frontend, joined: a page fetches one file instead of sixty modules."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import streamlit

from viz.class_room.page import ROOM_MODULES
from viz.kit.language import language, read_in
from viz.viewer import comparison, html
from viz.viewer.engine import engine_script
from viz.viewer.joining import constant, joined_module, without_comments

COMPONENTS = "components.js"
"""The script of all components; one file, so that they share their imports."""
ENTRIES = (html.ENTRY, comparison.ENTRY, "page_words.js", "teacher_bar.js")
ROOM = "room.js"
"""The script of the page of a room."""
STAGE = "stage.js"
"""The script that Streamlit's page runs first in a frame of a room."""
ENGINE = "engine.js"
"""The script of the worker that reads in the browser."""
PAGE = Path(streamlit.__file__).parent / "static" / "index.html"
"""Streamlit's own page, which all pages of the app are."""
_BEGIN = {COMPONENTS: ENTRIES, ROOM: (ROOM,), STAGE: (STAGE,)}


def script(name: str) -> str | None:
    """Return a script in the current language; None for an unknown name."""
    if name == ENGINE:
        return _join_engine()
    return _join_script(name, language()) if name in _BEGIN else None


def scripts() -> tuple[str, ...]:
    """Return all scripts in the current language."""
    return (*(_join_script(name, language()) for name in _BEGIN), _join_engine())


def opens(entry: str) -> str:
    """Return the JavaScript expression for the `openComponent` of an entry; `module` is COMPONENTS. Raises ValueError
    for an unknown entry."""
    if entry not in ENTRIES:
        raise ValueError(f"{entry} is not among the entries of {COMPONENTS}: {', '.join(ENTRIES)}.")
    return f"module.{constant(entry)}.openComponent"


@cache
def _join_script(name: str, spoken: str) -> str:
    with read_in(spoken):
        return joined_module(_BEGIN[name], _source)


@cache
def _join_engine() -> str:
    return without_comments(engine_script())


def _source(name: str) -> str:
    return ROOM_MODULES[name] if name in ROOM_MODULES else html.read_source(name)
