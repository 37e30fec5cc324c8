"""A text that was written with a key/value cache and without: how the cache grows, and what every token took.

Shazeer 2019, "Fast Transformer Decoding: One Write-Head is All You Need", section 2.4.
"""

from __future__ import annotations

import numpy as np
import pandas as pd
import plotly.graph_objects as go

from models.values.arguments.bounds import Index
from models.values.arguments.check import check_arguments
from models.values.errors import SelectionError
from models.values.results.costs import CacheShape, WritingTimes
from models.values.wording import worded
from viz.kit import theme as style
from viz.kit.figures.line_chart import TALL, TALL_COMPACT, Curve, Scales, line_chart
from viz.kit.figures.still import Figure
from viz.kit.language import tr
from viz.kit.layout import axis_title, note
from viz.kit.theme import Theme
from viz.kit.tokens import escape, spelled
from viz.writing.memory import byte_text

KILOBYTE = 1000


@check_arguments
def cache_growth(times: WritingTimes, *, number: Index, theme: Theme = "light", width: int = style.WIDEST) -> go.Figure:
    """Draw the cache as it grows to the written token `number`: a bar for what it holds after each token.

    Raises SelectionError for a token that was not written.
    """
    _check(times, number)
    size, palette = style.sizes(width), style.PALETTES[theme]
    sizes = np.array(times.cache_bytes[: number + 1]) / KILOBYTE
    colours = [palette.bar] * number + [palette.accent]
    text = tr("Each token adds one key and one value to every layer. None of those before is computed again.")
    words = style.wrap_text(text, size, pixels=size.page - 2 * size.gap)
    left, below = 4.4 * size.label + 1.8 * size.axis, 1.8 * size.label + 1.8 * size.axis
    top, bottom = 2.6 * size.title + 1.5 * size.word, below + size.gap + 1.45 * size.caption * len(words)
    bars = go.Bar(
        x=np.arange(1, number + 2),
        y=sizes,
        marker={"color": colours},
        customdata=[
            f"<b>{escape(spelled(token))}</b><br>{byte_text(n_bytes)}"
            for token, n_bytes in zip(times.tokens[: number + 1], times.cache_bytes, strict=False)
        ],
        hovertemplate="%{customdata}<extra></extra>",
    )
    axis = {"tickfont": {"size": size.label, "color": palette.quiet}, "fixedrange": True, "zeroline": False}
    grid = {"gridcolor": palette.masked, "griddash": "dot", "nticks": 6, "ticklabelstandoff": 5}
    layout = style.base_layout(theme, size, title=tr("The cache grows")) | {
        "width": size.page,
        "height": top + (TALL_COMPACT if size.compact else TALL) + bottom,
        "margin": {"l": left, "r": 2.0 * size.gap, "t": top, "b": bottom, "pad": 0},
        "annotations": [note(words, theme, size, below=below + size.gap / 2, left=left)],
        "bargap": 0.15,
        "dragmode": False,
        "xaxis": axis
        | {"title": axis_title(tr("new token"), palette, size), "range": [0.4, len(times.tokens) + 0.6], "nticks": 8},
        "yaxis": axis
        | grid
        | {"title": axis_title("KB", palette, size), "range": [0, 1.05 * max(times.cache_bytes) / KILOBYTE]},
    }
    return Figure(bars, layout)


@check_arguments
def token_times(times: WritingTimes, *, number: Index, theme: Theme = "light", width: int = style.WIDEST) -> go.Figure:
    """Draw the milliseconds that all tokens up to each have taken, up to `number`, with the cache and without: sums, in
    which a pause of the machine is a step and no peak.

    Raises SelectionError for a token that was not written.
    """
    _check(times, number)
    palette = style.PALETTES[theme]
    x = np.arange(1, number + 2, dtype=np.float64)
    curves = [
        Curve(name=name, x=x, y=np.cumsum(ms[: number + 1]), colour=colour, markers=number == 0)
        for name, ms, colour in (
            (tr("without a cache"), times.uncached_ms, palette.accent),
            (tr("with the cache"), times.cached_ms, palette.bar),
        )
    ]
    highest = 1.05 * max(sum(times.uncached_ms), sum(times.cached_ms))
    scales = Scales(
        x_title=tr("new token"),
        y_title=tr("milliseconds"),
        x_noun=tr("new token"),
        number=".0f",
        y_range=(0.0, highest),
    )
    text = tr(
        "Measured on this server ({place}), both ways by turns. The first token reads the whole text.",
        place=times.info.place,
    )
    figure = line_chart(
        curves,
        scales,
        title=tr("The time of all tokens so far"),
        text=text,
        theme=theme,
        width=width,
    )
    return figure.update_xaxes(range=[0.4, len(times.tokens) + 0.6])


@check_arguments
def writing_finding(times: WritingTimes, *, number: Index) -> str:
    """Return what all tokens up to `number` took both ways, and what the cache holds, made from the
    numbers. Raises SelectionError for a token that was not written."""
    _check(times, number)
    return tr(
        "{n} new tokens: {cached} with the cache, {uncached} without. The cache takes up {size}.",
        n=number + 1,
        cached=_time_text(sum(times.cached_ms[: number + 1])),
        uncached=_time_text(sum(times.uncached_ms[: number + 1])),
        size=byte_text(times.cache_bytes[number]),
    )


def _time_text(ms: float) -> str:
    """Return milliseconds in three significant digits at most, from a second on as seconds."""
    return tr("{n} s", n=f"{ms / 1000:.3g}") if ms >= 1000 else tr("{n} ms", n=f"{ms:.3g}")


def growth_story(times: WritingTimes, shape: CacheShape, *, number: int) -> str:
    """Return in Markdown what the cache holds after a token and where that number comes from, made from the numbers."""
    _check(times, number)
    held, bytes_a_number = times.n_prompt + number, 4 if times.info.dtype == "float32" else 2
    holds = tr(
        "The cache holds the keys and values of **{n} tokens: {size}**.",
        n=held,
        size=byte_text(times.cache_bytes[number]),
    )
    if times.cache_bytes[number] != shape.cache_bytes(held, bytes_a_number):
        return holds
    a_token = tr(
        "A token takes {layers} layers × 2 × {heads} key/value heads × {width} numbers × {bytes} bytes = **{size}**.",
        layers=shape.n_layers,
        heads=shape.n_kv_heads,
        width=shape.d_head,
        bytes=bytes_a_number,
        size=byte_text(shape.bytes_a_token(bytes_a_number)),
    )
    return f"{holds} {a_token}"


def times_story(times: WritingTimes, *, number: int) -> str:
    """Return in Markdown what a token took both ways, and all up to it, made from the numbers."""
    _check(times, number)
    cached, uncached = times.cached_ms[number], times.uncached_ms[number]
    this = tr(
        "This token took **{cached} ms** with the cache and **{uncached} ms** without.",
        cached=f"{cached:.1f}",
        uncached=f"{uncached:.1f}",
    )
    ratio = sum(times.uncached_ms[: number + 1]) / sum(times.cached_ms[: number + 1])
    none = tr("Up to here, the cache has saved no time.")
    saved = tr("All up to here took {ratio} times as long without.", ratio=f"{ratio:.1f}")
    return f"{this} {saved if ratio > 1 else none}"


def times_table(times: WritingTimes) -> pd.DataFrame:
    """Return for every written token its piece, the milliseconds of both ways, and the bytes of the cache after it."""
    return pd.DataFrame(
        {
            "token": times.tokens,
            "cached_ms": times.cached_ms,
            "uncached_ms": times.uncached_ms,
            "cache_bytes": times.cache_bytes,
        }
    )


def _check(times: WritingTimes, number: int) -> None:
    if number >= len(times.tokens):
        raise SelectionError(
            worded("token {number} was asked for, but {n} tokens were written.", number=number, n=len(times.tokens))
        )


if __name__ == "__main__":
    from viz.writing.demo_continuation import sample_times

    cache_growth(sample_times(), number=20).show()
