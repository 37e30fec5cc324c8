"""A map of coloured cells whose rows and columns have names: the one heatmap of numbers from 0 on.

Colours run from 0 to a fixed end, with words and percentages in the cells where they fit. Heads of attention, whose
axes are tokens, are drawn by `viz.attention.heatmap`; signed numbers by `viz.kit.figures.signed_map`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import plotly.graph_objects as go
from numpy.typing import NDArray

from viz.kit import theme as style
from viz.kit.figures.still import Figure
from viz.kit.language import tr
from viz.kit.layout import UNMARKED, note
from viz.kit.theme import Palette, Sizes, Theme

READABLE_UNTIL = 0.5
"""The share of the scale from which on the colour of a cell is nearer to the ink than to the page."""
LEAST_WORD = 5
"""The least width of a column of words, in letters: three columns fit on a phone."""
LEAST_SHOWN = 420
"""The narrowest figure, in pixels, where the page has that room: a note in a narrower column is hard to read."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Cells:
    """`values` [n_rows, n_columns] from 0 to `high`, with the names of rows and columns, which are escaped already.

    `hover` [n_rows, n_columns] is the `%{customdata}` of the plotly template `reads`; without it there is no hover
    text. `gap` is the room between two cells in pixels.
    """

    values: NDArray[np.float32]
    rows: Sequence[str]
    columns: Sequence[str]
    hover: Sequence[Sequence[str]] | None = None
    reads: str = "%{customdata}"
    high: float = 1.0
    gap: int = 2


@dataclass(frozen=True, slots=True, kw_only=True)
class Frame:
    """The room of a map, in pixels: the cells are `wide` x `tall`; labels are left of them and above them.

    `below` is kept free under the note, for a colour bar; `leaning` says that the names of the columns do.
    """

    left: float
    right: float
    top: float
    wide: float
    tall: float
    below: float = 0.0
    leaning: bool = False

    def width(self, size: Sizes) -> float:
        """Return the width of the figure in pixels."""
        return max(self.left + self.wide + self.right, min(size.page, LEAST_SHOWN))


def cell_map(
    cells: Cells,
    frame: Frame,
    *,
    title: str,
    text: str,
    inside: Sequence[dict[str, Any]] = (),
    theme: Theme,
    size: Sizes,
) -> go.Figure:
    """Draw the map with its title, already escaped, and the plain `text` below it; `inside` are annotations in the
    cells."""
    shown = frame.width(size)
    lines = style.wrap_text(text, size, pixels=shown - 2 * size.gap)
    bottom = size.gap + 1.45 * size.caption * len(lines) + frame.below
    n_rows, n_columns = cells.values.shape
    margin = {"l": frame.left, "r": shown - frame.left - frame.wide, "t": frame.top, "b": bottom, "pad": 0}
    return Figure(
        _trace(cells, style.PALETTES[theme]),
        style.base_layout(theme, size, title=title)
        | {
            "width": shown,
            "height": frame.top + frame.tall + bottom,
            "margin": margin,
            "dragmode": False,
            "annotations": [note(lines, theme, size, below=size.gap // 2, left=frame.left), *inside],
            "xaxis": _names(cells.columns, size)
            | {"side": "top", "range": [-0.5, n_columns - 0.5], "tickangle": -45 if frame.leaning else 0},
            "yaxis": _names(cells.rows, size)
            | {"range": [n_rows - 0.5, -0.5], "tickangle": 0, "ticklabelstandoff": size.gap // 2},
        },
    )


def cell_text(row: int, column: int, text: str, *, strength: float, palette: Palette, font: int) -> dict[str, Any]:
    """Return markup in the middle of a cell whose colour is at `strength` of the scale, 0 to 1.

    It has the one of the page's two colours that can be read there: plotly itself takes a grey.
    """
    colour = readable_on(strength, palette)
    return {"x": column, "y": row, "text": text, "showarrow": False, "font": {"size": font, "color": colour}}


def readable_on(strength: float, palette: Palette) -> str:
    """Return a readable text colour for a cell at `strength` of the scale, 0 to 1."""
    return palette.ground if strength > READABLE_UNTIL else palette.ink


def cell_frame(row: int, column: int, colour: str) -> dict[str, Any]:
    """Return a frame around a cell, a little inside it, as a shape."""
    return {
        "type": "rect",
        "x0": column - 0.49,
        "x1": column + 0.49,
        "y0": row - 0.47,
        "y1": row + 0.47,
        "line": {"color": colour, "width": 3},
    }


def rank_axis(n_columns: int, palette: Palette, size: Sizes) -> dict[str, Any]:
    """Return plotly's settings for the axis above a table of guesses, the likeliest in the first column."""
    return {
        "side": "top",
        "range": [-0.5, n_columns - 0.5],
        "tickvals": list(range(n_columns)),
        "ticktext": [tr("rank {rank}", rank=rank + 1) for rank in range(n_columns)],
        "tickfont": {"size": size.label, "color": palette.quiet},
    }


def _trace(cells: Cells, palette: Palette) -> go.Heatmap:
    shared: dict[str, Any] = {"hoverinfo": "skip"}
    if cells.hover is not None:
        shared = {"customdata": cells.hover, "hovertemplate": f"{cells.reads}<extra></extra>"}
    return go.Heatmap(
        z=cells.values,
        zmin=0,
        zmax=cells.high,
        xgap=cells.gap,
        ygap=cells.gap,
        colorscale=style.colour_scale(palette.sequential),
        showscale=False,
        **shared,
    )


def _names(labels: Sequence[str], size: Sizes) -> dict[str, Any]:
    """Return an axis with these labels."""
    return UNMARKED | {
        "tickvals": list(range(len(labels))),
        "ticktext": list(labels),
        "tickfont": {"size": size.label},
        "fixedrange": True,
    }


if __name__ == "__main__":
    made_up = Cells(values=np.linspace(0, 1, 12, dtype=np.float32).reshape(3, 4), rows="abc", columns="wxyz")
    place = Frame(left=40, right=12, top=90, wide=400, tall=200)
    cell_map(made_up, place, title="Cells", text="Made up.", theme="light", size=style.WIDE).show()
