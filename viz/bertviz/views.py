"""The head view, the model view and the neuron view of bertviz, each as one HTML document that loads nothing.

Vig 2019, "A Multiscale Visualization of Attention in the Transformer Model". bertviz's scripts are used as installed;
D3 comes from `viz/bertviz/vendor`, and `frame/` stands in for require.js and jQuery. Tokens and weights are
data, in no script, and a Content-Security-Policy names every script by its hash.
"""

from __future__ import annotations

import base64
import json
from collections.abc import Mapping
from pathlib import Path

import numpy as np

from models.values.arguments.check import check_arguments
from models.values.errors import HeadlightError, SelectionError
from models.values.record import AttentionRecord
from models.values.wording import to_say
from viz.bertviz.displayed import BertvizView
from viz.bertviz.limits import View, drawn_heads, pair_start, view_height, view_limit
from viz.bertviz.neuron_colours import neuron_colours
from viz.bertviz.scripts import HERE, hash_of, read, scripts_of
from viz.kit.errors import expect_vectors
from viz.kit.language import language, said, tr
from viz.kit.theme import FONT, PALETTES, Theme
from viz.kit.tokens import token_texts

WEIGHT_STEPS = 10_000
LABEL_COLUMNS = 40
"""A label longer than this is cut; bertviz itself would draw it into its neighbour."""

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
_TITLES: dict[View, str] = {
    "head": to_say("Attention: head view"),
    "model": to_say("Attention: model view"),
    "neuron": to_say("Attention: neuron view"),
}


class ViewTooLargeError(HeadlightError, ValueError):
    """The view would draw more lines than a browser can handle."""


@check_arguments
def head_view(
    record: AttentionRecord,
    *,
    layer: int = 0,
    head: int | None = None,
    theme: Theme = "light",
    segment_b_start: int | None = None,
) -> BertvizView:
    """Draw lines from every query token (left) to the key tokens (right), for one layer at a time.

    Starts at `layer`, with only `head` switched on, or all heads for None; the reader can choose others. With
    `segment_b_start`, the reader can look at parts of a sentence pair; it concerns encoder attention and is ignored for
    other kinds. Show it with `st.iframe(html, height=view_height(record, "head"))`. Raises ViewTooLargeError.
    """
    _check_selection(record, layer, head)
    start = {"layer": layer, "heads": None if head is None else [head]}
    return _document(record, "head", theme=theme, segment_b_start=segment_b_start, start=start)


@check_arguments
def model_view(record: AttentionRecord, *, theme: Theme = "light", segment_b_start: int | None = None) -> BertvizView:
    """Draw a thumbnail of every head of every layer; a click opens one. Arguments and errors as for `head_view`."""
    return _document(record, "model", theme=theme, segment_b_start=segment_b_start, start={})


@check_arguments
def neuron_view(
    record: AttentionRecord,
    *,
    layer: int,
    head: int,
    position: int = 0,
    theme: Theme = "light",
    segment_b_start: int | None = None,
) -> BertvizView:
    """Draw the query, the keys and their product by dimension for one head; starts at the query `position`.

    bertviz itself scales by 1/√d_head, knows one mask, the causal one, and colours all numbers alike; here the scale
    and the mask are the record's, and `viz.bertviz.neuron_colours` says what the colours mean. Other arguments and
    errors as for `head_view`, and PictureError for a record of weights alone.
    """
    expect_vectors(record)
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
    colours = neuron_colours(record, layer=layer, head=head)
    start = vectors | {
        "ends": colours.ends,
        "means": colours.means.tolist(),
        "visible": base64.b64encode(visible.astype(np.uint8).tobytes()).decode("ascii"),
        "scale": record.scale[layer],
        "position": position,
    }
    return _document(record, "neuron", theme=theme, segment_b_start=segment_b_start, start=start, only=(layer, head))


def _document(
    record: AttentionRecord,
    view: View,
    *,
    theme: Theme,
    segment_b_start: int | None,
    start: Mapping[str, object],
    only: tuple[int, int] | None = None,
) -> BertvizView:
    """Return the page: data, then D3, our stand-ins, bertviz, and our additions to its drawing.

    `only` is a layer and a head, for a view that shows a single one.
    """
    if reason := view_limit(record, view):
        raise ViewTooLargeError(reason)
    starts_at = pair_start(record, segment_b_start)
    data = _data(record, only) | dict(start) | {"view": view, "theme": theme, "segment_b_start": starts_at}
    data |= {"colors": _COLOURS[theme], "total_heads": drawn_heads(record), "words": _words()}
    style = _style(theme)
    scripts = scripts_of(view)
    document = f"""<!DOCTYPE html>
<html lang="{language()}">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="{_policy(style, scripts)}">
<meta name="viewport" content="width=device-width">
<title>{said(_TITLES[view])}</title>
<style>{style}</style>
</head>
<body>
<main id="headlight">
<div class="controls">{_controls(view, starts_at)}</div>
<div id="vis"></div>
</main>
<script type="application/json" id="headlight-data">{_json(data)}</script>
{"".join(f"<script>{script}</script>" for script in scripts)}
</body>
</html>
"""
    return BertvizView(document, view_height(record, view, segment_b_start=segment_b_start))


def _data(record: AttentionRecord, only: tuple[int, int] | None) -> dict[str, object]:
    """Return tokens and weights for before.js: 16-bit steps of 1/10,000 take a third of the space of digits."""
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


def _words() -> dict[str, str]:
    """Return the words of our own scripts, with placeholders."""
    return {
        "all": tr("All"),
        "part": tr("{row} → {column}"),
        "square": tr("Head {head} (double-click: only this one)"),
        "thumbnail": tr("Layer {layer} · Head {head}"),
        "query": tr("Query {token}, position {position}"),
    }


def _json(data: dict[str, object]) -> str:
    r"""Encode data as JSON that cannot end its element: ASCII only (so no U+2028), and <, > and & as \uXXXX."""
    text = json.dumps(data, ensure_ascii=True, allow_nan=False)
    return text.replace("<", r"\u003c").replace(">", r"\u003e").replace("&", r"\u0026")


def _policy(style: str, scripts: tuple[str, ...]) -> str:
    """Return a Content-Security-Policy that loads nothing and runs only the scripts whose hash it lists."""
    allowed = " ".join(hash_of(script) for script in scripts)
    return (
        f"default-src 'none'; script-src {allowed}; style-src {hash_of(style)}; img-src data:; "
        "base-uri 'none'; form-action 'none'"
    )


def _controls(view: View, starts_at: int | None) -> str:
    """Return the controls above the picture, with the ids that bertviz expects. It fills in the layers."""
    layer, sentences = tr("Layer"), tr("Sentences")
    layers = f'<label>{layer} <select id="layer"></select></label>' if view == "head" else ""
    parts = f'<label>{sentences} <select id="filter"></select></label>' if starts_at is not None else ""
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
    return f":root {{ {variables}}}\n{read(HERE / 'frame' / 'frame.css')}"


def _check_selection(record: AttentionRecord, layer: int, head: int | None) -> None:
    for name, index, size in (("layer", layer, record.n_layers), ("head", head or 0, record.n_heads)):
        if not 0 <= index < size:
            raise SelectionError(f"{name} {index} was asked for, but this model has {name}s 0 to {size - 1}.")


if __name__ == "__main__":
    import tempfile
    import webbrowser

    from viz.kit.demos.records import plausible_record

    with tempfile.NamedTemporaryFile("w", suffix=".html", encoding="utf-8", delete=False) as page:
        page.write(model_view(plausible_record()))
    webbrowser.open(Path(page.name).as_uri())
