"""Bars with a word at their foot and a number at their end, shared by all pages of answers.

Horizontal bars read best for words and on a phone; vertical ones keep a short sentence in its reading order. Bars start
at 0, because their length is what is read (Cleveland and McGill 1984, "Graphical Perception").
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import plotly.graph_objects as go

from viz.kit import theme as style
from viz.kit.figures.bar_legends import BOLD, LETTER, ends_above, legend_above
from viz.kit.figures.still import Figure
from viz.kit.layout import UNMARKED, axis_title
from viz.kit.layout import note as note_below
from viz.kit.theme import Palette, Sizes, Theme
from viz.kit.tokens import SHORT, escape, plain_label, shorten
from viz.kit.tokens import width as columns

STANDING_ROOM = 42
"""Pixels that a standing bar needs: about 20 of them fit in the widest figure."""
PERCENT = "~%"
"""Plotly's number format for the axis of a probability: 5%, 0.5%."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Bar:
    """One bar. `label` is plain text at its foot, `text` is at its end, `hover` are plain lines of hover text.

    `place` counts along the other axis, from the top or the left; several bars may share a label by leaving it empty.
    """

    place: float
    label: str
    value: float
    text: str
    hover: tuple[str, ...]
    colour: str
    thickness: float = 0.72
    is_called: bool = False
    """Whether its word and number are highlighted in the colour of the bar."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Scale:
    """The axis along which bars grow: its ends, its quantity, and a line across the bars at a limit, if there is
    one."""

    low: float = 0.0
    high: float
    title: str
    number: str = PERCENT
    limit: float | None = None


def probability_axis(high: float, palette: Palette, size: Sizes) -> dict[str, Any]:
    """Return plotly's settings for a vertical axis of probabilities, from 0 to `high`."""
    return {
        "range": [0, high],
        "tickformat": PERCENT,
        "tickfont": {"size": size.label, "color": palette.quiet},
        "nticks": 6,
        "ticklabelstandoff": size.gap // 2,
        "fixedrange": True,
        "gridcolor": palette.masked,
        "griddash": "dot",
        "zerolinecolor": palette.border,
    }


def may_stand(n_bars: int, width: int) -> bool:
    """Return whether vertical bars fit in a figure of this width, each with a readable label and number."""
    return width >= style.NARROW and min(width, style.WIDEST) >= STANDING_ROOM * n_bars


_STILL = {"dragmode": False, "bargap": 0}


@dataclass(frozen=True, slots=True, kw_only=True)
class _LyingRoom:
    """The split of the width of horizontal bars, in pixels: names, numbers of negatives, bars, other numbers."""

    left: float
    before: float
    wide: float
    beyond: float


def _lying_room(bars: Sequence[Bar], scale: Scale, size: Sizes, *, left: float) -> _LyingRoom:
    before = (
        LETTER * size.word * max((columns(bar.text) for bar in bars), default=0) + size.gap if scale.low < 0 else 0.0
    )
    wide = _length(bars, scale, room=size.page - left - before - size.gap, size=size)
    return _LyingRoom(left=left, before=before, wide=wide, beyond=size.page - left - before - wide)


def lying_bars(
    bars: Sequence[Bar],
    *,
    scale: Scale,
    title: str,
    note: str,
    legend: Sequence[tuple[str, str]] = (),
    ends: tuple[tuple[str, str], tuple[str, str]] | None = None,
    labels: Sequence[tuple[float, str]] = (),
    row: float = 1.95,
    theme: Theme = "light",
    width: int = style.WIDEST,
) -> go.Figure:
    """Draw horizontal bars from the left, a row for each label, the first on top.

    `legend` holds plain names with their colours, `ends` what a negative and what a positive bar means, likewise.
    `labels` (place and plain text) serve bars that share one; a row is `row` letters high.
    """
    size = style.sizes(width)
    short = SHORT - 2 if size.compact else SHORT
    places, names = _place_axis(bars, size.word, labels, limit=short), _label_room(bars, labels, short, size)
    room = _lying_room(bars, scale, size, left=names)
    left, across = room.left + room.before, room.wide / 2 + min(room.beyond, room.left + room.before)
    first, last = (end((bar.place for bar in bars), default=0) for end in (min, max))
    first, last = first - 0.55, last + 0.55
    top = 2.6 * size.title + (1.6 * size.word if legend or ends else 0)
    below = 1.6 * size.label + (1.5 * size.axis if scale.title else 0) + size.gap
    lines = style.wrap_text(note, size, pixels=size.page - 2 * size.gap)
    bottom = below + 0.5 * size.gap + 1.45 * size.caption * len(lines)
    notes = [note_below(lines, theme, size, below=below, left=left), *legend_above(legend, size, left=left)]
    layout = style.base_layout(theme, size, title=title) | {
        "width": size.page,
        "height": top + row * size.word * (last - first) + bottom,
        "margin": {"l": left, "r": room.beyond, "t": top, "b": bottom, "pad": 0},
        "annotations": [*notes, *ends_above(ends, size, room=across)],
        "shapes": _limit(scale, theme, lying=True),
        "xaxis": _value_axis(scale, theme, size, n_ticks=int(room.wide / (4 * size.label))),
        "yaxis": places | {"range": [last, first], "ticklabelstandoff": size.gap + int(room.before)},
    }
    return Figure(_trace(bars, size, theme, lying=True), layout | _STILL)


def standing_bars(
    bars: Sequence[Bar],
    *,
    scale: Scale,
    title: str,
    note: str,
    theme: Theme = "light",
    width: int = style.WIDEST,
) -> go.Figure:
    """Draw vertical bars side by side in reading order; labels lean where they would touch."""
    size = style.sizes(width)
    longest = max((columns(shorten(bar.label, SHORT)) for bar in bars), default=0) * LETTER * size.label
    left, right = 4.2 * size.label + (1.8 * size.axis if scale.title else 0), 1.5 * size.gap
    cell = min((size.page - left - right) / len(bars), 110)
    leaning = longest > cell - 4
    right += max(0.0, 0.72 * longest - cell / 2) if leaning else 0
    cell = min((size.page - left - right) / len(bars), 110)
    wide = cell * len(bars)
    label_height = 0.78 * longest + size.label if leaning else 1.6 * size.label
    top, tall = 2.6 * size.title + size.word, 260 if size.compact else 320
    lines = style.wrap_text(note, size, pixels=max(left + wide + right, 400) - 2 * size.gap)
    bottom = label_height + 1.5 * size.gap + 1.45 * size.caption * len(lines)
    figure = Figure(_trace(bars, size, theme, lying=False, room=cell))
    figure.update_layout(
        style.base_layout(theme, size, title=title)
        | {
            "width": min(max(left + wide + right, LETTER * size.title * columns(title) + 2 * size.gap), size.page),
            "height": top + tall + bottom,
            "margin": {"l": left, "r": right, "t": top, "b": bottom, "pad": 0},
            "annotations": [note_below(lines, theme, size, below=label_height + size.gap, left=left)],
            "shapes": _limit(scale, theme, lying=False),
            "dragmode": False,
            "bargap": 0,
            "yaxis": _value_axis(scale, theme, size, n_ticks=int(tall / (2.5 * size.label))),
            "xaxis": _place_axis(bars, size.label)
            | {"range": [-0.5, len(bars) - 0.5], "tickangle": 45 if leaning else 0, "ticklabelstandoff": 4},
        }
    )
    return figure


def _label_room(bars: Sequence[Bar], labels: Sequence[tuple[float, str]], short: int, size: Sizes) -> float:
    """Return the width of the labels on the left, in pixels; highlighted ones are bold."""
    named = [*(bar.label for bar in bars if bar.label), *(label for _, label in labels)]
    bold = BOLD if any(bar.is_called for bar in bars) else 1.0
    longest = max((columns(shorten(label, short)) for label in named), default=0)
    return bold * LETTER * size.word * longest + 1.5 * size.gap


def _trace(bars: Sequence[Bar], size: Sizes, theme: Theme, *, lying: bool, room: float = 1e3) -> go.Bar:
    values, places = [bar.value for bar in bars], [bar.place for bar in bars]
    font = size.word if lying else size.label
    fits = max((columns(bar.text) for bar in bars), default=0) * LETTER * font < room + 4
    return go.Bar(
        x=values if lying else places,
        y=places if lying else values,
        orientation="h" if lying else "v",
        width=[bar.thickness for bar in bars],
        marker={"color": [bar.colour for bar in bars], "line": {"width": 0}},
        text=[escape(bar.text) for bar in bars] if fits else None,
        textposition="outside",
        textangle=0,
        constraintext="none",
        cliponaxis=False,
        textfont={"size": font, "color": [bar.colour if bar.is_called else style.PALETTES[theme].ink for bar in bars]},
        customdata=["<br>".join(escape(line) for line in bar.hover) for bar in bars],
        hovertemplate="%{customdata}<extra></extra>",
    )


def _value_axis(scale: Scale, theme: Theme, size: Sizes, *, n_ticks: int) -> dict[str, Any]:
    palette = style.PALETTES[theme]
    return {
        "range": [scale.low, scale.high],
        "fixedrange": True,
        "tickformat": scale.number,
        "nticks": max(min(n_ticks, 10), 2),
        "tickfont": {"size": size.label, "color": palette.quiet},
        "title": axis_title(scale.title, palette, size),
        "showgrid": True,
        "gridcolor": palette.masked,
        "griddash": "dot",
        "zeroline": True,
        "zerolinecolor": palette.border,
        "zerolinewidth": 1.5,
        "ticks": "",
        "automargin": False,
    }


def _length(bars: Sequence[Bar], scale: Scale, *, room: float, size: Sizes) -> float:
    """Return how long the axis may be, in pixels, so that the number at the end of every bar still fits."""
    fitting = room - size.label * 1.2
    for bar in bars:
        share = (bar.value - scale.low) / (scale.high - scale.low)
        text = LETTER * size.word * (columns(bar.text) + 1)
        fitting = min(fitting, (room - text) / share) if share > 0 else fitting
    return fitting


def _place_axis(
    bars: Sequence[Bar], font: int, others: Sequence[tuple[float, str]] = (), *, limit: int = SHORT
) -> dict[str, Any]:
    named = [bar for bar in bars if bar.label]
    labels = [plain_label(bar.label, limit=limit) for bar in named]
    return UNMARKED | {
        "tickvals": [*(bar.place for bar in named), *(place for place, _ in others)],
        "ticktext": [
            f'<span style="color:{bar.colour}"><b>{label}</b></span>' if bar.is_called else label
            for bar, label in zip(named, labels, strict=True)
        ]
        + [plain_label(text, limit=limit) for _, text in others],
        "tickfont": {"size": font},
        "fixedrange": True,
        "automargin": False,
    }


def _limit(scale: Scale, theme: Theme, *, lying: bool) -> list[dict[str, Any]]:
    """Return a dashed line across the bars at the limit of the scale, if it has one."""
    if scale.limit is None:
        return []
    along, across = ("x", "y") if lying else ("y", "x")
    return [
        {
            "type": "line",
            f"{along}0": scale.limit,
            f"{along}1": scale.limit,
            f"{across}ref": "paper",
            f"{across}0": 0,
            f"{across}1": 1,
            "line": {"color": style.PALETTES[theme].accent, "width": 2, "dash": "dash"},
        }
    ]


if __name__ == "__main__":
    made_up = [
        Bar(place=n, label=w, value=p, text=f"{p:.0%}", hover=(w,), colour=style.LIGHT.bar)
        for n, (w, p) in enumerate({"cat": 0.5, "dog": 0.3, "<b>": 0.2}.items())
    ]
    lying_bars(made_up, scale=Scale(high=0.5, title="probability"), title="Bars", note="Made up.").show()
