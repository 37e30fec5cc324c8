"""The head view, the model view and the neuron view of bertviz, each as one HTML document that loads nothing.

Vig 2019, "A Multiscale Visualization of Attention in the Transformer Model". bertviz's scripts are used as installed;
D3 comes from `viz/bertviz/vendor`, and `frame/` stands in for require.js and jQuery. Tokens and weights are
data, in no script, and a Content-Security-Policy names every script by its hash.
"""

from __future__ import annotations

import base64
import hashlib
import json
from collections.abc import Mapping
from functools import cache
from importlib.util import find_spec
from math import ceil, isqrt
from pathlib import Path
from typing import Literal

import numpy as np

from models.values.errors import HeadlightError, SelectionError
from models.values.record import AttentionRecord
from viz.kit.theme import FONT, PALETTES, Theme
from viz.kit.tokens import token_texts

View = Literal["head", "model", "neuron"]

MAX_LINES: dict[View, int] = {"head": 60_000, "model": 170_000, "neuron": 60_000}
"""bertviz draws an SVG line for every query, key, head and layer that it shows, in the neuron view seven of one head.

With 12 layers of 12 heads of 64 dimensions this allows 70 tokens in the head view, 34 in the model view and 79 in the
neuron view. There chromium, without a
GPU, works 3 seconds on usual weights and 5 to 6 on uniform ones, the worst case, and at least half as long when the
reader chooses another layer or head. Measured with `python -m benchmarks.bertviz_views`. The time grows with the square
of the tokens.
"""
WEIGHT_STEPS = 10_000
LABEL_COLUMNS = 40
"""A label longer than this is cut; bertviz itself would draw it into its neighbour."""

# bertviz's own numbers, in pixels, and ours around them (frame.css).
_HEAD_ROW, _HEAD_TOP = 22.5, 30
_DETAIL_ROW, _DETAIL_REST = 18, 55
_MODEL_AXIS, _MODEL_PADDING = 38, 10
_NEURON_ROW, _NEURON_REST = 26, 100
_NEURON_LINES = 7
"""The lines and frames that the neuron view draws for a query and a key."""
_FRAME, _CONTROLS, _SCROLLBAR = 16, 42, 16
_FEWEST_COLUMNS = 8
"""A model with fewer heads is drawn as if it had so many: bertviz would make its rows up to 84 pixels high."""

_HERE = Path(__file__).parent
_GROUND: dict[Theme, str] = {"light": "#ffffff", "dark": "#0e1117"}
_PANEL: dict[Theme, str] = {"light": "#ffffff", "dark": "#1f2127"}
_HOVER: dict[Theme, str] = {"light": "#e7eaf0", "dark": "#343842"}
_ON_COLOUR: dict[Theme, str] = {"light": "#ffffff", "dark": "#0e1117"}

# Twelve hues after Paul Tol's qualitative schemes, at least 3:1 on the ground; numbers in the squares tell heads apart.
_COLOURS: dict[Theme, tuple[str, ...]] = {
    "light": (
        "#0077bb",
        "#cc3311",
        "#117733",
        "#aa3f99",
        "#a65a00",
        "#332288",
        "#0b8080",
        "#882255",
        "#666666",
        "#7a6a00",
        "#d6246e",
        "#4a6fe3",
    ),
    "dark": (
        "#77aadd",
        "#ee8866",
        "#44bb99",
        "#ffaabb",
        "#eedd88",
        "#b79cff",
        "#99ddff",
        "#ee77bb",
        "#dddddd",
        "#bbcc33",
        "#ffb000",
        "#5da5ff",
    ),
}

# What a script of bertviz 1.4 has, and what takes its place. A later bertviz that words it differently keeps its own.
_DATA_MARKS: dict[View, str] = {
    "head": "= PYTHON_PARAMS;",
    "model": "= PYTHON_PARAMS;",
    "neuron": "= window.bertviz_params\n",
}
_INSTALL = "Install it with: pip install bertviz==1.4.1"
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
        '.append("line")': ".select(headlight.line)",
    },
}


class ViewTooLargeError(HeadlightError, ValueError):
    """So many lines would be drawn that the browser would stop answering."""


class BertvizError(HeadlightError, RuntimeError):
    """The installed bertviz is not the one that these pages are made for."""


def head_view(
    record: AttentionRecord,
    *,
    layer: int = 0,
    head: int | None = None,
    theme: Theme = "light",
    segment_b_start: int | None = None,
) -> str:
    """Lines from every query token (left) to the key tokens (right), for one layer at a time.

    Starts at `layer`, with only `head` switched on, or all heads for None; the reader can choose others. With
    `segment_b_start`, the reader can look at parts of a sentence pair; it concerns encoder attention and is ignored for
    other kinds. Show it with `st.iframe(html, height=view_height(record, "head"))`. Raises ViewTooLargeError.
    """
    _check_selection(record, layer, head)
    start = {"layer": layer, "heads": None if head is None else [head]}
    return _document(record, "head", theme=theme, segment_b_start=segment_b_start, start=start)


def model_view(record: AttentionRecord, *, theme: Theme = "light", segment_b_start: int | None = None) -> str:
    """A thumbnail of every head of every layer; a click opens one. Arguments and errors as for `head_view`."""
    return _document(record, "model", theme=theme, segment_b_start=segment_b_start, start={})


def neuron_view(
    record: AttentionRecord,
    *,
    layer: int,
    head: int,
    position: int = 0,
    theme: Theme = "light",
    segment_b_start: int | None = None,
) -> str:
    """The query, the keys and their product, dimension by dimension, for one head; starts at the query `position`.

    bertviz itself scales by 1/√d_head and knows one mask, the causal one; here the scale and the mask are the record's.
    Other arguments and errors as for `head_view`.
    """
    _check_selection(record, layer, head)
    if not 0 <= position < len(record.query_tokens):
        last = len(record.query_tokens) - 1
        raise SelectionError(f"position {position} was asked for, but this text has positions 0 to {last}.")
    if reason := view_limit(record, "neuron"):
        raise ViewTooLargeError(reason)
    vectors = {
        name: base64.b64encode(array[layer, head].astype("<f4").tobytes()).decode("ascii")
        for name, array in (("queries", record.query), ("keys", record.key))
    }
    visible = ~np.isneginf(record.scores(layer, head))
    start = vectors | {
        "visible": base64.b64encode(visible.astype(np.uint8).tobytes()).decode("ascii"),
        "scale": record.scale[layer],
        "position": position,
    }
    return _document(record, "neuron", theme=theme, segment_b_start=segment_b_start, start=start, only=(layer, head))


def view_height(record: AttentionRecord, view: View, *, segment_b_start: int | None = None) -> int:
    """The pixels that the frame needs to show the whole view, a horizontal scroll bar included."""
    rows = max(len(record.query_tokens), len(record.key_tokens))
    if view == "head":
        return ceil(_HEAD_TOP + rows * _HEAD_ROW) + _CONTROLS + _FRAME + _SCROLLBAR
    controls = _CONTROLS if _pair_start(record, segment_b_start) is not None else 0
    if view == "neuron":
        return _NEURON_REST + rows * _NEURON_ROW + controls + _FRAME + _SCROLLBAR
    thumbnail = rows * 7 * 12 / _columns(record) + _MODEL_PADDING
    picture = max(_MODEL_AXIS + record.n_layers * thumbnail, rows * _DETAIL_ROW + _DETAIL_REST)
    return ceil(picture) + controls + _FRAME + _SCROLLBAR


def view_limit(record: AttentionRecord, view: View) -> str | None:
    """Why this view would hang the browser, and what to do instead; None if it would not."""
    n_query, n_key = len(record.query_tokens), len(record.key_tokens)
    n_lines = _n_lines(record, view, n_query, n_key)
    if n_lines <= MAX_LINES[view]:
        return None
    most = isqrt(MAX_LINES[view] // _n_lines(record, view, 1, 1))
    while _n_lines(record, view, most + 1, most + 1) <= MAX_LINES[view]:  # the first guess is low for the neuron view
        most += 1
    given = f"{n_query} tokens" if record.kind != "cross" else f"{n_query} × {n_key} tokens"
    other = "the bands of one query" if view == "neuron" else "the viewer"
    return (
        f"The {view} view would draw {n_lines:,} lines for {given}, and the browser would stop answering. "
        f"With this model it can show up to {most} tokens. "
        f"Shorten the text, or use {other}, which has no such limit."
    )


def _n_lines(record: AttentionRecord, view: View, n_query: int, n_key: int) -> int:
    """How much bertviz draws for so many tokens; in the neuron view every dimension of a vector is a mark, too."""
    if view == "neuron":
        return _NEURON_LINES * n_query * n_key + int(record.query.shape[-1]) * (n_query + 2 * n_key)
    return record.n_heads * (record.n_layers if view == "model" else 1) * n_query * n_key


def _document(
    record: AttentionRecord,
    view: View,
    *,
    theme: Theme,
    segment_b_start: int | None,
    start: Mapping[str, object],
    only: tuple[int, int] | None = None,
) -> str:
    """The page: data first, then D3, our stand-ins, bertviz, and what we add to its drawing.

    `only` is a layer and a head, for a view that shows a single one.
    """
    if reason := view_limit(record, view):
        raise ViewTooLargeError(reason)
    pair_start = _pair_start(record, segment_b_start)
    data = _data(record, only) | dict(start) | {"view": view, "theme": theme, "segment_b_start": pair_start}
    data |= {"colors": _COLOURS[theme], "total_heads": _columns(record)}
    style = _style(theme)
    scripts = _scripts(view)
    return f"""<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="{_policy(style, scripts)}">
<meta name="viewport" content="width=device-width">
<title>Attention: {view} view</title>
<style>{style}</style>
</head>
<body>
<main id="headlight">
<div class="controls">{_controls(view, pair_start)}</div>
<div id="vis"></div>
</main>
<script type="application/json" id="headlight-data">{_json(data)}</script>
{"".join(f"<script>{script}</script>" for script in scripts)}
</body>
</html>
"""


def _data(record: AttentionRecord, only: tuple[int, int] | None) -> dict[str, object]:
    """Tokens and weights, as before.js reads them: 16-bit steps of 1/10,000 take a third of what digits take."""
    if only is None:
        weights = np.stack([record.layer_weights(layer) for layer in range(record.n_layers)])
    else:
        weights = record.weights(*only)[None, None]
    steps = np.rint(weights * WEIGHT_STEPS).astype("<u2")
    return {
        "left_text": token_texts(record.query_tokens, limit=LABEL_COLUMNS),
        "right_text": token_texts(record.key_tokens, limit=LABEL_COLUMNS),
        "shape": weights.shape,
        "steps": WEIGHT_STEPS,
        "weights": base64.b64encode(steps.tobytes()).decode("ascii"),
    }


def _json(data: dict[str, object]) -> str:
    r"""JSON that cannot end the element it stands in: ASCII only (so no U+2028), and <, > and & as \uXXXX."""
    text = json.dumps(data, ensure_ascii=True, allow_nan=False)
    return text.replace("<", r"\u003c").replace(">", r"\u003e").replace("&", r"\u0026")


def _policy(style: str, scripts: tuple[str, ...]) -> str:
    """Nothing may be loaded, and no script runs but those whose hash is named, whatever text gets into the page."""
    allowed = " ".join(_hash(script) for script in scripts)
    return (
        f"default-src 'none'; script-src {allowed}; style-src {_hash(style)}; img-src data:; "
        "base-uri 'none'; form-action 'none'"
    )


def _hash(source: str) -> str:
    digest = hashlib.sha256(source.encode("utf-8")).digest()
    return f"'sha256-{base64.b64encode(digest).decode('ascii')}'"


def _controls(view: View, pair_start: int | None) -> str:
    """The choices above the picture, under the names by which bertviz looks for them. It fills in the layers."""
    layers = '<label>Layer <select id="layer"></select></label>' if view == "head" else ""
    parts = '<label>Sentences <select id="filter"></select></label>' if pair_start is not None else ""
    return layers + parts


def _style(theme: Theme) -> str:
    palette = PALETTES[theme]
    colours = {
        "ground": _GROUND[theme],
        "panel": _PANEL[theme],
        "hover": _HOVER[theme],
        "weight": palette.diverging[7],
        "ink": palette.ink,
        "quiet": palette.quiet,
        "line": palette.border,
        "focus": palette.accent,
        "on-color": _ON_COLOUR[theme],
        "font": FONT,
    }
    variables = "".join(f"--{name}: {value}; " for name, value in colours.items())
    return f":root {{ {variables}}}\n{_read(_HERE / 'frame' / 'frame.css')}"


@cache
def _scripts(view: View) -> tuple[str, ...]:
    return (
        _read(_HERE / "vendor" / "d3.min.js"),
        _read(_HERE / "frame" / "before.js"),
        _bertviz_script(view),
        _read(_HERE / "frame" / "after.js"),
    )


def _bertviz_script(view: View) -> str:
    """The installed file, its mark for the data and its fixed sizes replaced; `import bertviz` would load torch."""
    spec = find_spec("bertviz")
    if spec is None or spec.origin is None:
        raise BertvizError(f"bertviz is not installed, expected bertviz 1.4. {_INSTALL}")
    script = _read(Path(spec.origin).parent / f"{view}_view.js")
    mark = _DATA_MARKS[view]
    if script.count(mark) != 1:
        raise BertvizError(
            f"The installed bertviz takes its data in an unknown way ({view}_view.js has no '{mark.strip()}'), "
            f"expected bertviz 1.4. {_INSTALL}"
        )
    script = script.replace(mark, "= headlight.params;\n")
    for theirs, ours in _CHANGES[view].items():
        script = script.replace(theirs, ours)
    return script


def _read(path: Path) -> str:
    """A file's text with the line ends that a browser makes of them, for the hash must fit."""
    return path.read_text(encoding="utf-8").replace("\r\n", "\n")


def _columns(record: AttentionRecord) -> int:
    return max(record.n_heads, _FEWEST_COLUMNS)


def _pair_start(record: AttentionRecord, segment_b_start: int | None) -> int | None:
    if record.kind != "encoder" or segment_b_start is None:
        return None
    n_tokens = len(record.query_tokens)
    if not 0 < segment_b_start < n_tokens:
        raise SelectionError(f"segment_b_start is {segment_b_start}, expected 1 to {n_tokens - 1}.")
    return segment_b_start


def _check_selection(record: AttentionRecord, layer: int, head: int | None) -> None:
    for name, index, size in (("layer", layer, record.n_layers), ("head", head or 0, record.n_heads)):
        if not 0 <= index < size:
            raise SelectionError(f"{name} {index} was asked for, but this model has {name}s 0 to {size - 1}.")


if __name__ == "__main__":
    import tempfile
    import webbrowser

    from viz.kit.demo import plausible_record

    with tempfile.NamedTemporaryFile("w", suffix=".html", encoding="utf-8", delete=False) as page:
        page.write(model_view(plausible_record()))
    webbrowser.open(Path(page.name).as_uri())
