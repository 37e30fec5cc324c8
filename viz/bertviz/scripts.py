"""The scripts of bertviz's views: its own as installed, with adapted sizes, between our stand-ins and D3."""

from __future__ import annotations

import base64
import hashlib
from contextlib import suppress
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import get_args

from models.values.errors import HeadlightError
from models.values.wording import worded
from viz.bertviz.limits import View

HERE = Path(__file__).parent

# Code in the scripts of bertviz 1.4, and its replacement. A later bertviz with other code keeps its own.
_DATA_MARKS: dict[View, str] = {
    "head": "= PYTHON_PARAMS;",
    "model": "= PYTHON_PARAMS;",
    "neuron": "= window.bertviz_params\n",
}
_INSTALL = "pip install bertviz==1.4.1"
_CHANGES: dict[View, dict[str, str]] = {
    "head": {
        "const BOXWIDTH = 110;": "const BOXWIDTH = headlight.boxWidth;",
        "const MATRIX_WIDTH = 115;": "const MATRIX_WIDTH = headlight.arcWidth;",
        "return d / activeHeads()": "return headlight.opacity(d, activeHeads())",
        '.append("line")': ".select(headlight.line)",
    },
    "model": {
        "const DIV_WIDTH = 970;": "const DIV_WIDTH = headlight.modelWidth;",
        "const DETAIL_WIDTH = 300;": "const DETAIL_WIDTH = headlight.detailWidth;",
        "const DETAIL_BOX_WIDTH = 80;": "const DETAIL_BOX_WIDTH = headlight.detailBoxWidth;",
        "const ATTN_PADDING = 0;": "const ATTN_PADDING = 5;",
        '", Head "': '" · Head "',
        '.append("line")': ".select(headlight.line)",
    },
    "neuron": {
        "const MATRIX_WIDTH = 200;": "const MATRIX_WIDTH = headlight.matrixWidth;",
        "const BOXWIDTH = TEXT_SIZE * 8;": "const BOXWIDTH = headlight.boxWidth;",
        "attentionFilter.right_text.length": "headlight.rows",
        "config.bidirectional = params['bidirectional'];": "config.expanded = true; config.bidirectional = false;",
        "dotProduct / Math.sqrt(config.vectorSize)": "dotProduct * headlight.scale",
        "i <= index ?": "headlight.visible(config.filter, index, i) ?",
        "Math.tanh(Math.abs(d) / 4)": "headlight.strength(this, d)",
        "Math.tanh(Math.abs(d) / 2)": "headlight.strength(this, d)",
        "updateDotProducts(svg, dotProducts);": (
            "updateDotProducts(svg, headlight.centred(config.filter, query_index, dotProducts));"
        ),
        '.append("line")': ".select(headlight.line)",
    },
}


class BertvizError(HeadlightError, RuntimeError):
    """The installed bertviz is not the one that these pages are made for."""


@cache
def scripts_of(view: View) -> tuple[str, ...]:
    """Return D3, our stand-ins, bertviz, and our additions to its drawing, in this order. Raises BertvizError."""
    return (
        read(HERE / "vendor" / "d3.min.js"),
        read(HERE / "frame" / "before.js"),
        _bertviz_script(view),
        read(HERE / "frame" / "after.js"),
    )


def _bertviz_script(view: View) -> str:
    """Return the installed script with its data placeholder and fixed sizes replaced; `import bertviz` would load
    torch."""
    spec = find_spec("bertviz")
    if spec is None or spec.origin is None:
        missing = worded(
            "bertviz is not installed, and bertviz 1.4 is needed. Install it with: {command}", command=_INSTALL
        )
        raise BertvizError(missing)
    script = read(Path(spec.origin).parent / f"{view}_view.js")
    mark = _DATA_MARKS[view]
    if script.count(mark) != 1:
        unknown = worded(
            "The installed bertviz takes its data in an unknown way ({file} has no '{mark}'), and bertviz 1.4 is "
            "needed. Install it with: {command}",
            file=f"{view}_view.js",
            mark=mark.strip(),
            command=_INSTALL,
        )
        raise BertvizError(unknown)
    script = script.replace(mark, "= headlight.params;\n")
    for theirs, ours in _CHANGES[view].items():
        script = script.replace(theirs, ours)
    return script


def read(path: Path) -> str:
    """Return a file's text with normalised line ends, as a browser hashes it."""
    return path.read_text(encoding="utf-8").replace("\r\n", "\n")


def hash_of(source: str) -> str:
    """Return the hash source of a script or a style for a Content-Security-Policy (CSP, level 3, section 2.3.1)."""
    digest = hashlib.sha256(source.encode("utf-8")).digest()
    return f"'sha256-{base64.b64encode(digest).decode('ascii')}'"


def all_scripts() -> tuple[str, ...]:
    """Return every script of every view that the installed bertviz can draw, each once."""
    scripts: dict[str, None] = {}
    for view in get_args(View):
        with suppress(BertvizError):
            scripts |= dict.fromkeys(scripts_of(view))
    return tuple(scripts)
