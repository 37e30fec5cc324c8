"""The one place for colours, fonts, margins and number formats, in a light and a dark theme.

Lightness runs in equal steps of OKLab (Björn Ottosson, "A perceptual color space for image processing", 2020), so equal
differences of weight look equally large, also to a colour-blind reader. Zero is close to the page, one stands out.
"""

from __future__ import annotations

import html
import math
import textwrap
import unicodedata
from dataclasses import dataclass, replace
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from models.values.wording import share_in_words, worded
from viz.kit.errors import PictureError
from viz.kit.language import shown, tr
from viz.kit.tokens import FILLER, pad_letters

Theme = Literal["light", "dark"]
Colours = tuple[str, ...]

FONT = (
    "'Source Sans', system-ui, -apple-system, 'Segoe UI', Roboto, 'Noto Sans', 'Apple SD Gothic Neo', 'Malgun Gothic', "
    "'Hiragino Sans', 'Yu Gothic', 'PingFang SC', 'Microsoft YaHei', 'Noto Sans CJK KR', 'Noto Sans CJK JP', "
    "'Noto Sans CJK SC', 'DejaVu Sans', sans-serif"
)
"""The font stack of pages and pictures: Streamlit ships Source Sans. The later fonts serve glyphs that it lacks, such
as Korean, and files opened without the app."""
WEIGHT_FORMAT = ".4f"
SCORE_FORMAT = "+.4f"
SHARE_FORMAT = ".0%"
MINUS = "\u2212"
CLIPPED_AT = 99.5
"""Colours end at this percentile of the absolute numbers where single ones are much larger and would hide the rest."""
MUCH_LARGER = 1.6
WIDER = 0.65
"""The extra width of a wide letter, such as a Korean one, relative to a usual letter."""
CAPTION = "caption"
"""The name of the annotations that say in words what a figure shows."""


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
    bar: str
    """The fill of a bar; `accent` is for the one that was asked about, and for the second of two sentences."""
    still: str
    """A bar that should not call: a special token, the answer that is not given."""
    control: str
    """What is pressed and chosen: Streamlit's primary colour, on which white is readable."""
    lines: Colours
    """Colours of lines beside each other, distinct for colour-blind readers too; each line is named at its end."""
    sequential: Colours
    diverging: Colours


@dataclass(frozen=True, slots=True, kw_only=True)
class Sizes:
    """Lengths in CSS pixels. `page` is the widest a figure grows, `side` the longest a picture does, `cell` a cell."""

    title: int
    axis: int
    label: int
    word: int
    """A word that the picture is about: larger than a label of an axis."""
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
    """Whether this is the form for a phone: shorter words, the legend below, no dragging."""


def _colours(hex_codes: str) -> Colours:
    return tuple(hex_codes.split())


LIGHT = Palette(
    ink="#1a1d24",
    ground="#ffffff",
    quiet="#565d6b",
    border="#565d6b",
    accent="#d9480f",
    masked="#cfd2d7",
    hover="#ffffff",
    bar="#3464c5",
    still="#8b93a1",
    control="#2f5fc4",
    lines=("#2551a8", "#00775a", "#a3307f", "#7a5b00", "#565d6b"),
    sequential=_colours("#eaf4f9 #acdef9 #78c2f6 #51a4ed #3b84dd #3464c5 #3245a7 #2d2982 #22125a"),
    diverging=_colours("#592204 #8b3d01 #b56225 #d68e58 #ebbf9b #f2f2f2 #a8cdf7 #6fa3ea #437acf #2551a8 #132d77"),
)
DARK = Palette(
    ink="#f2f4f8",
    ground="#14171f",
    quiet="#a9b1c0",
    border="#a9b1c0",
    accent="#ff922b",
    masked="#45484f",
    hover="#262b38",
    bar="#2fb4d8",
    still="#6b7382",
    control="#4271de",
    lines=("#5cc4ee", "#4fd3a0", "#f29ad6", "#e3cf57", "#a9b1c0"),
    sequential=_colours("#1c1f2f #24355c #214f84 #0d6da7 #048dbf #1eadd3 #58cbe0 #95e6eb #d6fdf9"),
    diverging=_colours("#fed7a1 #eaa85b #c78037 #9c5d2b #69422b #2e2e2e #304f73 #2b74ab #2c9dd7 #54c6f5 #aaeafe"),
)
PALETTES: dict[Theme, Palette] = {"light": LIGHT, "dark": DARK}

NARROW = 480
"""Figures that may become less wide than this have small letters and their legend below."""
WIDE = Sizes(
    title=20,
    axis=15,
    label=15,
    word=20,
    caption=15,
    page=900,
    side=640,
    least=200,
    cell=52,
    gap=12,
    bar=16,
    compact=False,
)
COMPACT = Sizes(
    title=18,
    axis=12,
    label=12,
    word=15,
    caption=12,
    page=350,
    side=350,
    least=160,
    cell=44,
    gap=8,
    bar=10,
    compact=True,
)

WIDEST = WIDE.page
"""The default width of a figure, in CSS pixels."""


def sizes(width: int) -> Sizes:
    """Return the sizes for a figure up to `width` CSS pixels wide: a projector's, a laptop's or a phone's.

    Raises PictureError for a figure without a width.
    """
    if width < 1:
        raise PictureError(worded("width is {width}, expected CSS pixels, at least 1.", width=width))
    if width < NARROW:
        return replace(COMPACT, page=width, side=width)
    return replace(WIDE, page=min(width, WIDE.page))


def colour_scale(colours: Colours) -> list[tuple[float, str]]:
    """Return a palette in plotly's form: pairs of a place between 0 and 1 and a colour."""
    last = len(colours) - 1
    return [(index / last, colour) for index, colour in enumerate(colours)]


def colour_end(*arrays: NDArray[np.float32]) -> float:
    """Return the value at which the colours of signed numbers end: the largest, or a lower one if there are
    outliers."""
    finite = np.abs(np.concatenate([array[np.isfinite(array)] for array in arrays]))
    if not finite.any():
        return 1.0
    largest, usual = float(finite.max()), float(np.percentile(finite, CLIPPED_AT))
    return usual if 0 < MUCH_LARGER * usual < largest else largest


def title_size(title: str, size: Sizes) -> int:
    """Return the font size at which a title, possibly escaped, fits the widest figure, at most `size.title`, in
    pixels."""
    return int(min(size.title, (size.page - 2 * size.gap) / max(title_width(title, 1), 1)))


def title_width(title: str, pixels: float) -> float:
    """Return an upper bound on the width of a title, possibly escaped, in a font of `pixels`."""
    letters = html.unescape(title)
    return 0.6 * pixels * (len(letters) + WIDER * sum(map(_is_wide, letters)))


def base_layout(theme: Theme, size: Sizes, *, title: str) -> dict[str, Any]:
    """Return the layout of every figure: fonts, a transparent background, a title at the top left."""
    palette, title = PALETTES[theme], shown(title)
    return {
        "template": {},
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
        "modebar": {"bgcolor": "rgba(0,0,0,0)", "color": palette.quiet, "activecolor": palette.ink},
        "showlegend": False,
    }


def wrap_text(text: str, size: Sizes, *, pixels: float) -> list[str]:
    """Return the lines of a caption `pixels` wide, in the current language."""
    lines = textwrap.wrap(pad_letters(shown(text)), max(int(10 * pixels / size.caption), 60))
    return [line.replace(FILLER, "") for line in lines]


def _is_wide(letter: str) -> bool:
    return unicodedata.east_asian_width(letter) in {"W", "F"}


def percentage(probability: float) -> str:
    """Return a probability in readable percent: "42.1%", and never "0.0%" for a value above zero: "0.0042%"; "–" for
    one that is not known."""
    percent = 100 * probability
    if math.isnan(percent):
        return "–"
    if percent == 0:
        return "0%"
    if percent < 1e-6:
        return tr("under {share}", share="0.000001%")
    decimals = 1 if percent >= 0.995 else 1 - math.floor(math.log10(percent))
    return f"{percent:.{decimals}f}%"


def whole_percent(probability: float) -> str:
    """Return a probability for a sentence: "54%", "under 1%", and "over 99%" where it is not certain."""
    return shown(share_in_words(probability))


def number(value: float, *, digits: int = 4, plus: bool = False) -> str:
    """Return a number as text with a true minus: "0.4213", "−1.5000", never "−0.0000", and with `plus` "+0.4213"."""
    return f"{float(value):{'+' if plus else ''}z.{digits}f}".replace("-", MINUS)


def bound_above(difference: float) -> str:
    """Return the power of ten that a small difference stays below, in at most nine decimals: "0.000001"."""
    places = max(math.floor(-math.log10(max(difference, 1e-9))), 0)
    return f"{10.0**-places:.{places}f}"


def nice_maximum(largest: float) -> float:
    """Return the upper end of a probability axis: the round number at or above the largest, at most 1."""
    if not largest > 0:
        return 1.0
    power = 10.0 ** math.floor(math.log10(largest))
    rounds = (round(step * power, 12) for step in (1, 1.5, 2, 2.5, 3, 4, 5, 6, 8, 10))
    return min(next((end for end in rounds if end >= largest), 1.0), 1.0)


def caption(text: str, theme: Theme, size: Sizes, *, below: float) -> dict[str, Any]:
    """Return an annotation in plotly's own markup, `below` pixels under the picture."""
    return {
        "name": CAPTION,
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
