"""The one place for colours, fonts, margins and number formats, in a light and a dark theme.

Lightness runs in equal steps of OKLab (Björn Ottosson, "A perceptual color space for image processing", 2020), so equal
differences of weight look equally large, also to a colour-blind reader. Zero is close to the page, one stands out.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any, Literal

import plotly.graph_objects as go

Theme = Literal["light", "dark"]
Colours = tuple[str, ...]

FONT = (
    "system-ui, -apple-system, 'Segoe UI', Roboto, 'Noto Sans', 'Apple SD Gothic Neo', 'Malgun Gothic', "
    "'Hiragino Sans', 'Yu Gothic', 'PingFang SC', 'Microsoft YaHei', 'Noto Sans CJK KR', 'Noto Sans CJK JP', "
    "'Noto Sans CJK SC', 'DejaVu Sans', sans-serif"
)
WEIGHT_FORMAT = ".4f"
SCORE_FORMAT = "+.4f"
SHARE_FORMAT = ".0%"


@dataclass(frozen=True, slots=True, kw_only=True)
class Palette:
    """The colours of one theme, as CSS hex; `sequential` runs from 0 to 1, `diverging` from negative to positive."""

    ink: str
    ground: str
    quiet: str
    border: str
    accent: str
    masked: str
    hover: str
    sequential: Colours
    diverging: Colours


@dataclass(frozen=True, slots=True, kw_only=True)
class Sizes:
    """Lengths in CSS pixels. `page` is the widest a figure grows, `side` the longest a picture does, `cell` a cell."""

    title: int
    axis: int
    label: int
    caption: int
    page: int
    side: int
    least: int
    """The shortest a side of a picture gets: the title of its axis has to fit."""
    cell: int
    gap: int
    """Free space around the picture and between its parts."""
    bar: int
    """Thickness of the colour bar."""
    compact: bool
    """Whether this is the form for a telephone: shorter words, the legend below, no dragging."""


LIGHT = Palette(
    ink="#1a1d24",
    ground="#ffffff",
    quiet="#565d6b",
    border="#565d6b",
    accent="#d9480f",
    masked="#cfd2d7",
    hover="#ffffff",
    sequential=(
        "#eaf4f9",
        "#acdef9",
        "#78c2f6",
        "#51a4ed",
        "#3b84dd",
        "#3464c5",
        "#3245a7",
        "#2d2982",
        "#22125a",
    ),
    diverging=(
        "#592204",
        "#8b3d01",
        "#b56225",
        "#d68e58",
        "#ebbf9b",
        "#f2f2f2",
        "#a8cdf7",
        "#6fa3ea",
        "#437acf",
        "#2551a8",
        "#132d77",
    ),
)
DARK = Palette(
    ink="#f2f4f8",
    ground="#14171f",
    quiet="#a9b1c0",
    border="#a9b1c0",
    accent="#ff922b",
    masked="#45484f",
    hover="#262b38",
    sequential=(
        "#1c1f2f",
        "#24355c",
        "#214f84",
        "#0d6da7",
        "#048dbf",
        "#1eadd3",
        "#58cbe0",
        "#95e6eb",
        "#d6fdf9",
    ),
    diverging=(
        "#fed7a1",
        "#eaa85b",
        "#c78037",
        "#9c5d2b",
        "#69422b",
        "#2e2e2e",
        "#304f73",
        "#2b74ab",
        "#2c9dd7",
        "#54c6f5",
        "#aaeafe",
    ),
)
PALETTES: dict[Theme, Palette] = {"light": LIGHT, "dark": DARK}

NARROW = 480
"""Figures that may become less wide than this have small letters and their legend below."""
WIDE = Sizes(
    title=22, axis=15, label=15, caption=14, page=900, side=640, least=200, cell=52, gap=12, bar=16, compact=False
)
COMPACT = Sizes(
    title=18, axis=12, label=12, caption=12, page=350, side=350, least=160, cell=44, gap=8, bar=10, compact=True
)

WIDEST = WIDE.page
"""The width of a figure if nothing is said, in CSS pixels."""


def sizes(width: int) -> Sizes:
    """The lengths for a figure that may become `width` CSS pixels wide: a projector's, a laptop's or a telephone's."""
    if width < NARROW:
        return replace(COMPACT, page=width, side=width)
    return replace(WIDE, page=min(width, WIDE.page))


def colour_scale(colours: Colours) -> list[tuple[float, str]]:
    """Plotly's form of a palette: pairs of a place between 0 and 1 and a colour."""
    last = len(colours) - 1
    return [(index / last, colour) for index, colour in enumerate(colours)]


def title_size(title: str, size: Sizes) -> int:
    """The font size at which a title fits the widest figure, at most `size.title`, in pixels."""
    return int(min(size.title, (size.page - 2 * size.gap) / (0.6 * len(title))))


def base_layout(theme: Theme, size: Sizes, *, title: str) -> dict[str, Any]:
    """What every figure shares: fonts, a transparent ground that lets the page through, a title at the top left."""
    palette = PALETTES[theme]
    return {
        "template": go.layout.Template(),
        "paper_bgcolor": "rgba(0,0,0,0)",
        "plot_bgcolor": "rgba(0,0,0,0)",
        "font": {"family": FONT, "size": size.label, "color": palette.ink},
        "title": {
            "text": title,
            "font": {"size": title_size(title, size), "color": palette.ink},
            "x": 0,
            "xref": "container",
            "xanchor": "left",
            "y": 1,
            "yref": "container",
            "yanchor": "top",
            "pad": {"l": size.gap // 2, "t": size.gap},
        },
        "hoverlabel": {
            "bgcolor": palette.hover,
            "bordercolor": palette.border,
            "font": {"family": FONT, "size": size.label, "color": palette.ink},
            "align": "left",
        },
        "showlegend": False,
    }


def caption(text: str, theme: Theme, size: Sizes, *, below: float) -> dict[str, Any]:
    """An annotation in plotly's own markup, `below` pixels under the picture."""
    return {
        "text": text,
        "xref": "paper",
        "x": 0,
        "xanchor": "left",
        "yref": "paper",
        "y": 0,
        "yanchor": "top",
        "yshift": -below,
        "align": "left",
        "showarrow": False,
        "font": {"size": size.caption, "color": PALETTES[theme].quiet},
    }
