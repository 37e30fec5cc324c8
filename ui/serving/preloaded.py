"""Preloading of scripts for a first picture, in the head of the page (HTML, section 4.6.7.12, "modulepreload").

Streamlit's front end asks for the script of an element when the first of its kind arrives, and then for what that
imports: three round trips one after the other, behind everything else. Named here, it comes along with the rest.
"""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path

from streamlit.file_util import get_static_dir

from ui.state.routes import frontend
from ui.state.scripts import COMPONENTS
from viz.kit.language import read_in

ELEMENTS = ("BidiComponent", "Html", "TextInput", "Selectbox", "ButtonGroup", "Slider")
"""The elements of Home and Attention, the pages most often opened first; Streamlit names its scripts after elements."""
SCRIPTS = Path("static", "js")
_IMPORTED = re.compile(r'(?:from|import)"\./([\w.-]+\.js)"')
_PRELOADED = re.compile(r"static/js/([\w.-]+\.js)")


def preload_lines(spoken: str) -> str:
    """Return the lines of the head that name the scripts of the elements, and ours in a language."""
    with read_in(spoken):
        ours = f'<link rel="modulepreload" href="{frontend()}/{COMPONENTS}">'
    theirs = (f'<link rel="modulepreload" crossorigin href="./{SCRIPTS.as_posix()}/{name}">' for name in of_elements())
    return "".join((*theirs, ours))


@cache
def of_elements() -> tuple[str, ...]:
    """Return the scripts of the elements with all that they import, less what Streamlit's page names itself. Those that
    the installed Streamlit does not have are left out."""
    static = Path(get_static_dir())
    named = set(_PRELOADED.findall((static / "index.html").read_text(encoding="utf-8")))
    found: dict[str, None] = {}
    waiting = [path.name for element in ELEMENTS for path in sorted((static / SCRIPTS).glob(f"{element}.*.js"))]
    while waiting:
        name = waiting.pop(0)
        if name in named or name in found:
            continue
        found[name] = None
        waiting += _IMPORTED.findall((static / SCRIPTS / name).read_text(encoding="utf-8"))
    return tuple(found)
