"""The viewer as one file: a recording with everything that shows it, without any script from elsewhere.

The browser side are the modules of `viz/frontend/`. A page that is opened from a disk may not import modules, so they are
joined into one script here: imports between them and the word `export` fall away, and their names must differ.
"""

from __future__ import annotations

import base64
import json
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from models.record import AttentionRecord, Recording
from viz import viewer_payload as payload
from viz.theme import DARK, FONT, LIGHT
from viz.tokens import escape

FRONTEND = Path(__file__).with_name("frontend")
ENTRY = "viewer.js"
MOST = 24_000_000
"""Bytes of exact heads in a file: all heads if they fit, else those of the chosen layer, else the chosen one."""

_IMPORT = re.compile(r'^import\s[^;]*?from\s+"\./([\w-]+\.js)";\n', re.MULTILINE)
_EXPORT = re.compile(r"^export (default )?(?=async |class |const |function |let )", re.MULTILINE)


def viewer_html(recording: Recording, **choices: Any) -> str:
    """A whole HTML document that shows a recording, and opens from disk. `choices` are those of `viz/frontend/model.js`.

    `layer` and `head` (a number or "mean") are among them. A short text comes with all its numbers. Of a long one, the
    overview is there and the heads that fit into 24 MB: those of the chosen layer, or only the chosen one.
    """
    contents = {
        "about": payload.about(recording, name="file"),
        "overviews": {
            record.kind: _base64(b"".join(payload.overview_and_weights(record))) for record in recording.attention
        },
        "heads": _heads(recording, choices),
        "choices": {"layer": 0, "head": 0, **choices},
    }
    title = f"Attention of {recording.info.name} · Headlight"
    return (
        '<!DOCTYPE html>\n<html lang="en"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width">'
        "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; script-src 'unsafe-inline'; "
        "style-src 'unsafe-inline'; img-src data: blob:\">"
        f"<title>{escape(title)}</title><style>{_page_style()}\n{style()}</style></head>"
        '<body><main id="viewer"></main>'
        f'<script type="application/json" id="contents">{_in_script(contents)}</script>'
        f'<script type="module">{joined_modules()}\nopenFile(document.getElementById("viewer"), '
        'JSON.parse(document.getElementById("contents").textContent));</script></body></html>\n'
    )


def joined_modules() -> str:
    """All modules that the viewer needs, in the order in which they need each other, as one."""
    order: list[str] = []
    _visit(ENTRY, order)
    return "\n".join(_EXPORT.sub("", _IMPORT.sub("", read(name))) for name in order).replace("</", "<\\/")


def style() -> str:
    """All style sheets of the viewer as one."""
    return "\n".join(read(file.name) for file in sorted(FRONTEND.glob("*.css")))


def read(name: str) -> str:
    """A file of the browser side."""
    return (FRONTEND / name).read_text(encoding="utf-8")


def _visit(name: str, order: list[str]) -> None:
    for needed in _IMPORT.findall(read(name)):
        if needed not in order:
            _visit(needed, order)
    if name not in order:
        order.append(name)


def _heads(recording: Recording, choices: Mapping[str, Any]) -> dict[str, str]:
    """The heads that fit, by "kind layer head": what all of their numbers follow from."""
    layer, head = choices.get("layer", 0), choices.get("head", 0)
    heads: dict[str, str] = {}
    for record in recording.attention:
        of_layer = [(layer, each) for each in range(record.n_heads)]
        everything = [(each, one) for each in range(record.n_layers) for one in range(record.n_heads)]
        chosen = [] if head == "mean" else [(layer, int(head))]
        fitting = (wanted for wanted in (everything, of_layer, chosen) if len(wanted) * _size(record) <= MOST)
        for each, one in next(fitting, chosen):
            heads[f"{record.kind} {each} {one}"] = _head(record, each, one)
    return heads


def _size(record: AttentionRecord) -> int:
    """Bytes of one head."""
    coarse = 0 if payload.is_dense(record) else payload.COARSE_SIDE**2
    return 4 * ((len(record.query_tokens) + len(record.key_tokens)) * record.query.shape[-1] + coarse)


def _head(record: AttentionRecord, layer: int, head: int) -> str:
    meta, arrays = payload.parts(record, layer=layer, head=head)
    if not payload.is_dense(record):
        arrays["coarse"], meta["step"] = payload.coarse_matrix(record, layer=layer, head=head)
    return _base64(payload.packed(meta, arrays))


def _base64(content: bytes) -> str:
    return base64.b64encode(content).decode()


def _in_script(value: Any) -> str:
    """JSON that cannot end the script it stands in."""
    return json.dumps(value).replace("<", "\\u003c").replace(">", "\\u003e").replace("&", "\\u0026")


def _page_style() -> str:
    return (
        f"body {{ margin: 0; padding: 16px; font-family: {FONT}; font-size: 17px; "
        f"background: {LIGHT.ground}; color: {LIGHT.ink}; color-scheme: light; }}\n"
        "@media (prefers-color-scheme: dark) { body { "
        f"background: {DARK.ground}; color: {DARK.ink}; color-scheme: dark; }} }}"
    )


if __name__ == "__main__":
    import sys
    import tempfile
    import webbrowser

    from viz.demo import random_recording

    n_tokens = int(sys.argv[1]) if len(sys.argv) > 1 else 16
    with tempfile.NamedTemporaryFile("w", suffix=".html", delete=False, encoding="utf-8") as file:
        file.write(viewer_html(random_recording(n_tokens=n_tokens)))
    webbrowser.open(f"file://{file.name}")
