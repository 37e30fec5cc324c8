"""Preload links for the scripts of a first picture, in the head of the page (HTML, section 4.6.7.12, "modulepreload").

Streamlit's frontend requests the script of an element when the first of its kind arrives, and then that script's
imports: three round trips in sequence, behind everything else. With the links, they load along with the rest.
"""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path

from streamlit.file_util import get_static_dir

from ui.state.routes import STYLE, app_address, frontend
from ui.state.scripts import COMPONENTS
from viz.kit.language import read_in

ELEMENTS = ("BidiComponent", "TextInput", "Selectbox", "ButtonGroup", "Slider", "Button", "MenuButton", "PageLink")
"""The elements of Home and Attention, the usual first pages; Streamlit names its scripts after elements."""
SCRIPTS = Path("static", "js")
_IMPORTED = re.compile(r'(?:from|import)"\./([\w.-]+\.js)"')
_PRELOADED = re.compile(r"static/js/([\w.-]+\.js)")


def preload_lines(spoken: str) -> str:
    """Return the preload links for the scripts of the elements, and for Headlight's script and style in a language."""
    with read_in(spoken):
        ours = (
            f'<link rel="modulepreload" href="{frontend()}/{COMPONENTS}">'
            f'<link rel="preload" as="style" href="{frontend()}/{STYLE}">'
        )
    place = f"{app_address()}{SCRIPTS.as_posix()}"
    theirs = (f'<link rel="modulepreload" crossorigin href="{place}/{name}">' for name in of_elements())
    return "".join((*theirs, ours))


@cache
def of_elements() -> tuple[str, ...]:
    """Return the scripts of the elements with their imports, without those that Streamlit's page preloads itself."""
    static = Path(get_static_dir())
    preloaded = set(_PRELOADED.findall((static / "index.html").read_text(encoding="utf-8")))
    scripts: dict[str, None] = {}
    waiting = [path.name for element in ELEMENTS for path in sorted((static / SCRIPTS).glob(f"{element}.*.js"))]
    while waiting:
        name = waiting.pop(0)
        if name in preloaded or name in scripts:
            continue
        scripts[name] = None
        waiting += _IMPORTED.findall((static / SCRIPTS / name).read_text(encoding="utf-8"))
    return tuple(scripts)
