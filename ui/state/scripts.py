"""The scripts of the browser side as they are sent: each page fetches one file, and not sixty that name each other."""

from __future__ import annotations

from functools import cache

from viz.class_room.page import ROOM_MODULES
from viz.kit.language import language, read_in
from viz.viewer import comparison, html
from viz.viewer.joining import constant, joined_module

COMPONENTS = "components.js"
"""The script of the components of all pages; one file, so that they share what they import."""
ENTRIES = (html.ENTRY, comparison.ENTRY, "page_words.js", "teacher_bar.js")
ROOM = "room.js"
"""The script of the page of a room."""
_BEGIN = {COMPONENTS: ENTRIES, ROOM: (ROOM,)}


def script(name: str) -> str | None:
    """Return a script in the language that is spoken; None if there is none of that name."""
    return _joined(name, language()) if name in _BEGIN else None


def scripts() -> tuple[str, ...]:
    """Return all of them, in the language that is spoken."""
    return tuple(_joined(name, language()) for name in _BEGIN)


def opens(entry: str) -> str:
    """Return the JavaScript expression for the function of an entry that draws a component; `module` holds COMPONENTS.
    Raises ValueError for a module that is not among them."""
    if entry not in ENTRIES:
        raise ValueError(f"{entry} is not among the entries of {COMPONENTS}: {', '.join(ENTRIES)}.")
    return f"module.{constant(entry)}.openComponent"


@cache
def _joined(name: str, spoken: str) -> str:
    with read_in(spoken):
        return joined_module(_BEGIN[name], _source)


def _source(name: str) -> str:
    return ROOM_MODULES[name] if name in ROOM_MODULES else html.read_source(name)
