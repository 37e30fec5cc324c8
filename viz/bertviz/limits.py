"""The limits of the bertviz views: the height that each needs, and the texts that are too long for it."""

from __future__ import annotations

from math import ceil, isqrt
from typing import Literal

from models.values.arguments.check import check_arguments
from models.values.errors import SelectionError
from models.values.record import AttentionRecord
from models.values.wording import Message, worded

View = Literal["head", "model", "neuron"]

MAX_LINES: dict[View, int] = {"head": 60_000, "model": 170_000, "neuron": 60_000}
"""bertviz draws an SVG line for every query, key, head and layer that it shows, in the neuron view seven of one head.

With 12 layers of 12 heads of 64 dimensions this allows 70 tokens in the head view, 34 in the model view and 79 in the
neuron view. There chromium, without a
GPU, works 3 seconds on usual weights and 5 to 6 on uniform ones, the worst case, and at least half as long when the
reader chooses another layer or head. Measured with `python -m benchmarks.bertviz_views`. The time grows with the square
of the tokens.
"""
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


@check_arguments
def view_height(record: AttentionRecord, view: View, *, segment_b_start: int | None = None) -> int:
    """Return the pixels that the frame needs to show the whole view, a horizontal scroll bar included."""
    rows = max(len(record.query_tokens), len(record.key_tokens))
    if view == "head":
        return ceil(_HEAD_TOP + rows * _HEAD_ROW) + _CONTROLS + _FRAME + _SCROLLBAR
    controls = _CONTROLS if pair_start(record, segment_b_start) is not None else 0
    if view == "neuron":
        return _NEURON_REST + rows * _NEURON_ROW + controls + _FRAME + _SCROLLBAR
    thumbnail = rows * 7 * 12 / drawn_heads(record) + _MODEL_PADDING
    picture = max(_MODEL_AXIS + record.n_layers * thumbnail, rows * _DETAIL_ROW + _DETAIL_REST)
    return ceil(picture) + controls + _FRAME + _SCROLLBAR


@check_arguments
def view_limit(record: AttentionRecord, view: View) -> Message | None:
    """Return why this view would hang the browser, and what to do instead; None if it would not."""
    n_query, n_key = len(record.query_tokens), len(record.key_tokens)
    n_lines = _n_lines(record, view, n_query, n_key)
    if n_lines <= MAX_LINES[view]:
        return None
    most = isqrt(MAX_LINES[view] // _n_lines(record, view, 1, 1))
    while _n_lines(record, view, most + 1, most + 1) <= MAX_LINES[view]:  # the first guess is low for the neuron view
        most += 1
    tokens, lines = f"{n_query}" if record.kind != "cross" else f"{n_query} × {n_key}", f"{n_lines:,}"
    if view == "neuron":
        return worded(
            "For {tokens} tokens, the neuron view would draw {lines} lines, and the browser would freeze. With this "
            "model it can show up to {most} tokens. Shorten the text, or use the bands of one query, which has no such "
            "limit.",
            tokens=tokens,
            lines=lines,
            most=most,
        )
    if view == "model":
        return worded(
            "For {tokens} tokens, the model view would draw {lines} lines, and the browser would freeze. With this "
            "model it can show up to {most} tokens. Shorten the text, or use the viewer, which has no such limit.",
            tokens=tokens,
            lines=lines,
            most=most,
        )
    return worded(
        "For {tokens} tokens, the head view would draw {lines} lines, and the browser would freeze. With this model it "
        "can show up to {most} tokens. Shorten the text, or use the viewer, which has no such limit.",
        tokens=tokens,
        lines=lines,
        most=most,
    )


def _n_lines(record: AttentionRecord, view: View, n_query: int, n_key: int) -> int:
    """Return how many marks bertviz draws for so many tokens; the neuron view has one for each dimension, too."""
    if view == "neuron":
        return _NEURON_LINES * n_query * n_key + int(record.query.shape[-1]) * (n_query + 2 * n_key)
    return record.n_heads * (record.n_layers if view == "model" else 1) * n_query * n_key


@check_arguments
def drawn_heads(record: AttentionRecord) -> int:
    """Return the number of heads in a row that bertviz is given."""
    return max(record.n_heads, _FEWEST_COLUMNS)


@check_arguments
def pair_start(record: AttentionRecord, segment_b_start: int | None) -> int | None:
    """Return where sentence B begins, None without a choice between sentences. Raises SelectionError if it is out of
    range."""
    if record.kind != "encoder" or segment_b_start is None:
        return None
    n_tokens = len(record.query_tokens)
    if not 0 < segment_b_start < n_tokens:
        raise SelectionError(f"segment_b_start is {segment_b_start}, expected 1 to {n_tokens - 1}.")
    return segment_b_start
