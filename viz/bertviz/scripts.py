"""The scripts of bertviz's views: its own from `vendor/`, with our measures in it, between our stand-ins and D3."""

from __future__ import annotations

import base64
import hashlib
from functools import cache
from pathlib import Path
from typing import get_args

from viz.bertviz.limits import View

HERE = Path(__file__).parent

# What a script of bertviz 1.4.1 has, and what takes its place.
_DATA_MARKS: dict[View, str] = {
    "head": "= PYTHON_PARAMS;",
    "model": "= PYTHON_PARAMS;",
    "neuron": "= window.bertviz_params\n",
}
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


@cache
def scripts_of(view: View) -> tuple[str, ...]:
    """Return D3, our stand-ins, bertviz, and what we add to its drawing, in this order."""
    return (
        read(HERE / "vendor" / "d3.min.js"),
        read(HERE / "frame" / "before.js"),
        _bertviz_script(view),
        read(HERE / "frame" / "after.js"),
    )


def _bertviz_script(view: View) -> str:
    """Return bertviz's script with its mark for the data and its fixed sizes replaced."""
    script = read(HERE / "vendor" / f"bertviz_{view}_view.js")
    script = script.replace(_DATA_MARKS[view], "= headlight.params;\n")
    for theirs, ours in _CHANGES[view].items():
        script = script.replace(theirs, ours)
    return script


def read(path: Path) -> str:
    """A file's text with the line ends that a browser makes of them, for the hash must fit."""
    return path.read_text(encoding="utf-8").replace("\r\n", "\n")


def hash_of(source: str) -> str:
    """What names a script or a style in a Content-Security-Policy (CSP, level 3, section 2.3.1)."""
    digest = hashlib.sha256(source.encode("utf-8")).digest()
    return f"'sha256-{base64.b64encode(digest).decode('ascii')}'"


def all_scripts() -> tuple[str, ...]:
    """Return every script of every view, each once."""
    return tuple(dict.fromkeys(script for view in get_args(View) for script in scripts_of(view)))
