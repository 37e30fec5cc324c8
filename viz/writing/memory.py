"""The memory that attention takes: the key/value cache of public models by length, and the square of the weights."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pandas as pd
import plotly.graph_objects as go
from numpy.typing import NDArray

from models.values.arguments.bounds import Count
from models.values.arguments.check import check_arguments
from models.values.results.costs import GIGABYTE, CacheShape, Sharing
from viz.kit import theme as style
from viz.kit.figures.bars import Bar, Scale, lying_bars
from viz.kit.figures.line_chart import TALL, TALL_COMPACT, Curve, Scales, line_chart
from viz.kit.figures.line_ends import end_label, spread
from viz.kit.language import said, to_say, tr
from viz.kit.theme import Palette, Sizes, Theme
from viz.kit.tokens import width as columns

LENGTHS = (512, 1024, 2048, 4096, 8192, 16_384, 32_768, 65_536, 128_000)
LOWEST, HIGHEST = 1e6, 2e12
"""The ends of the axis of bytes: a megabyte, two terabytes."""
SHARING_WORDS: dict[Sharing, str] = {
    "multi-head": to_say("every head its own keys"),
    "grouped": to_say("shared by groups of heads"),
    "multi-query": to_say("one key for all heads"),
    "latent": to_say("one latent vector"),
}
SHORT_NAMES: dict[Sharing, str] = {
    "multi-head": "MHA",
    "grouped": "GQA",
    "multi-query": "MQA",
    "latent": "MLA",
}
UNITS = ("KB", "MB", "GB", "TB", "PB")
THOUSAND = 1000
LETTER = 0.6


def byte_text(n_bytes: float) -> str:
    """Return a number of bytes, 1 KB being 1,000 of them: "5,120 bytes", "164 KB", "16.8 GB"."""
    if n_bytes < 10 * THOUSAND:
        return tr("{n} bytes", n=f"{n_bytes:,.0f}")
    power = 0
    while n_bytes >= THOUSAND and power < len(UNITS):
        n_bytes, power = n_bytes / THOUSAND, power + 1
    return f"{n_bytes:.3g} {UNITS[power - 1]}"


@check_arguments
def cache_lines(
    shapes: Sequence[CacheShape],
    *,
    bytes_a_number: Count = 2,
    limit: Count = 24 * GIGABYTE,
    theme: Theme = "light",
    width: int = style.WIDEST,
) -> go.Figure:
    """Draw the bytes of the cache of one text by its length, a line for each shape, coloured by how keys are shared;
    `limit` is the memory that is there."""
    size, palette = style.sizes(width), style.PALETTES[theme]
    colours = _colours(palette)
    names = [Curve(name=name, x=np.empty(0), y=np.empty(0), colour=colours[kind]) for kind, name in SHORT_NAMES.items()]
    curves = [
        _curve(shape.name, [shape.cache_bytes(n, bytes_a_number) for n in LENGTHS], colours[shape.sharing])
        for shape in shapes
    ]
    figure = line_chart(
        [
            *names,
            *(
                replace(curve, is_named=False, dash="dot" if shape.window else "solid")
                for curve, shape in zip(curves, shapes, strict=True)
            ),
        ],
        _scales(limit),
        title=tr("The cache of one text"),
        text=tr(
            "Both axes count in powers. Dashed across: {size}. Dotted lines: some layers, or all, keep a window of the "
            "last tokens only (sinks: and the first four). The weights of the model come on top.",
            size=byte_text(limit),
        ),
        theme=theme,
        width=width,
    )
    return _name_ends(figure, shapes, [float(curve.y[-1]) for curve in curves], colours, size)


@check_arguments
def weight_lines(
    shape: CacheShape, *, limit: Count = 24 * GIGABYTE, theme: Theme = "light", width: int = style.WIDEST
) -> go.Figure:
    """Draw the bytes of the weights of one layer by length: written out (eager), and as fused attention keeps them."""
    palette = style.PALETTES[theme]
    curves = [
        _curve(tr("eager: n² a head"), [shape.weights_bytes(n) for n in LENGTHS], palette.accent),
        _curve(tr("fused: 2 n a head"), [shape.fused_bytes(n) for n in LENGTHS], palette.bar),
    ]
    return line_chart(
        curves,
        _scales(limit, ends=[y for curve in curves for y in curve.y.tolist()]),
        title=tr("The weights of one layer: {model}", model=shape.name),
        text=tr(
            "{heads} heads, float32. Eager attention writes every weight to memory; fused attention keeps the running "
            "maximum and sum of each row. Dashed across: {size}.",
            heads=shape.n_heads,
            size=byte_text(limit),
        ),
        theme=theme,
        width=width,
    )


@check_arguments
def sharing_bars(
    shapes: Sequence[CacheShape], *, bytes_a_number: Count = 2, theme: Theme = "light", width: int = style.WIDEST
) -> go.Figure:
    """Draw the bytes that one token takes in shapes that share their keys differently."""
    colours = _colours(style.PALETTES[theme])
    sizes = [shape.bytes_a_token(bytes_a_number) for shape in shapes]
    bars = [
        Bar(
            place=place,
            label=SHORT_NAMES[shape.sharing],
            value=n_bytes,
            text=byte_text(n_bytes),
            hover=(said(SHARING_WORDS[shape.sharing]), byte_text(n_bytes)),
            colour=colours[shape.sharing],
        )
        for place, (shape, n_bytes) in enumerate(zip(shapes, sizes, strict=True))
    ]
    figure = lying_bars(
        bars,
        scale=Scale(high=max(sizes), title=""),
        title=tr("One token, keys shared differently"),
        note=tr(
            "{layers} layers with {heads} heads of {width} numbers, as {model} has. MHA: a key a head. GQA: one for "
            "four heads. MQA: one for all. MLA: one vector of {latent} numbers that all keys and values are made from.",
            layers=shapes[0].n_layers,
            heads=shapes[0].n_heads,
            width=shapes[0].d_head,
            model=shapes[0].name,
            latent=shapes[-1].numbers_a_layer,
        ),
        theme=theme,
        width=width,
    )
    return figure.update_xaxes(showticklabels=False, showgrid=False)


def fitting_story(shapes: Sequence[CacheShape], *, bytes_a_number: int, limit: int) -> str:
    """Return in a sentence which of the shapes need more than `limit` for the longest text, and where they stop."""
    full = [shape for shape in shapes if shape.cache_bytes(LENGTHS[-1], bytes_a_number) > limit]
    if not full:
        return tr(
            "In {size}, the caches of all of them fit, up to {n} tokens.", size=byte_text(limit), n=_n(LENGTHS[-1])
        )
    worst = max(full, key=lambda shape: shape.cache_bytes(LENGTHS[-1], bytes_a_number))
    return tr(
        "The cache of {model} takes {token} a token: {size} are full after {n} tokens. {fit} of {all} fit up to "
        "{longest}.",
        model=worst.name,
        token=byte_text(worst.bytes_a_token(bytes_a_number)),
        size=byte_text(limit),
        n=_n(tokens_that_fit(worst, bytes_a_number, limit)),
        fit=len(shapes) - len(full),
        all=len(shapes),
        longest=_n(LENGTHS[-1]),
    )


def square_story(shape: CacheShape, *, limit: int) -> str:
    """Return in a sentence what eager and fused attention take for the longest text, and where eager stops."""
    return tr(
        "For {n} tokens, eager attention would write {eager} a layer, and fused attention keeps {fused}. Eager "
        "attention fills {size} after {most} tokens.",
        n=_n(LENGTHS[-1]),
        eager=byte_text(shape.weights_bytes(LENGTHS[-1])),
        fused=byte_text(shape.fused_bytes(LENGTHS[-1])),
        size=byte_text(limit),
        most=_n(int((limit / shape.weights_bytes(1)) ** 0.5)),
    )


def tokens_that_fit(shape: CacheShape, bytes_a_number: int, limit: int) -> int:
    """Return the length of the longest text whose cache is at most `limit` bytes; it has to have an end."""
    low, high = 0, 1
    while shape.cache_bytes(high, bytes_a_number) <= limit:
        low, high = high, 2 * high
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (middle, high) if shape.cache_bytes(middle, bytes_a_number) <= limit else (low, middle)
    return low


def memory_table(shapes: Sequence[CacheShape], *, bytes_a_number: int) -> pd.DataFrame:
    """Return for every shape its numbers, where they are from, and the bytes of its cache by length."""
    return pd.DataFrame(
        [
            {
                "model": shape.name,
                "sharing": shape.sharing,
                "layers": shape.n_layers,
                "heads": shape.n_heads,
                "key_value_heads": shape.n_kv_heads,
                "d_head": shape.d_head,
                "latent": shape.d_latent + shape.d_rotary,
                "window": shape.window,
                "layers_with_window": shape.n_windowed,
                "bytes_a_token": shape.bytes_a_token(bytes_a_number),
                **{f"cache_{n}": shape.cache_bytes(n, bytes_a_number) for n in LENGTHS},
                "source": shape.source,
            }
            for shape in shapes
        ]
    )


def _n(count: int) -> str:
    return f"{count:,}"


def _curve(name: str, n_bytes: Sequence[int], colour: str) -> Curve:
    return Curve(name=name, x=np.array(LENGTHS, np.float64), y=np.array(n_bytes, np.float64), colour=colour)


def _colours(palette: Palette) -> dict[Sharing, str]:
    return dict(zip(SHARING_WORDS, palette.lines, strict=False))


def _scales(limit: float, ends: Sequence[float] = ()) -> Scales:
    low, high = min(LOWEST, *ends, limit), max(HIGHEST, *ends, limit)
    return Scales(
        x_title=tr("tokens"),
        y_title="",
        x_noun=tr("tokens:"),
        number=".3s",
        is_logarithmic=True,
        is_x_logarithmic=True,
        y_range=(float(np.log10(low)) - 0.2, float(np.log10(high)) + 0.2),
        x_names={n: f"{n // 1000}k" if n >= 10_000 else f"{n:,}" for n in LENGTHS[::2]},
        y_names={float(THOUSAND**power): f"1 {unit}" for power, unit in enumerate(UNITS, start=1)},
        limit=limit,
    )


def _name_ends(
    figure: go.Figure, shapes: Sequence[CacheShape], ends: list[float], colours: dict[Sharing, str], size: Sizes
) -> go.Figure:
    """Write the name of each shape right of the end of its line, in room of its own, with a thin arm to it."""
    tall = TALL_COMPACT if size.compact else TALL
    low, high = figure.layout.yaxis.range
    heights: NDArray[np.float64] = tall * (np.log10(ends) - low) / (high - low)  # [n_shapes] pixels from below
    room = LETTER * size.label * max(columns(shape.name) for shape in shapes) + 2.5 * size.gap
    places = spread(heights, distance=1.2 * size.label, end=tall)
    labels = [
        end_label(
            shape.name,
            colours[shape.sharing],
            x=float(np.log10(LENGTHS[-1])),
            y=float(np.log10(end)),
            shift=float(place - height),
            size=replace(size, word=size.label),
        )
        for shape, end, place, height in zip(shapes, ends, places, heights, strict=True)
    ]
    figure.update_xaxes(range=np.log10([LENGTHS[0], LENGTHS[-1]]).tolist())  # no wider for the names
    figure.update_layout(margin_r=room, annotations=[*figure.layout.annotations, *labels])
    return figure


if __name__ == "__main__":
    grouped = CacheShape(name="a model", n_layers=32, n_heads=32, n_kv_heads=8, d_head=128)
    cache_lines([grouped, replace(grouped, name="the same, not grouped", n_kv_heads=32)]).show()
