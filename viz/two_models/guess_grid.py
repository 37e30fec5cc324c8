"""Where the lines of the guesses are: the grid of columns and lines in pixels, its ground and its headings."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from models.values.writing import TokenGuesses
from viz.kit.language import said, tr
from viz.kit.theme import Palette, Sizes
from viz.kit.tokens import SHORT, plain_label, shorten
from viz.kit.tokens import width as columns
from viz.two_models.guesses import GuessedToken
from viz.two_models.shared_rows import SIGHT, short_name

LETTER = 0.6
"""The width of a column of text, in sizes of its font."""
BESIDE = 760
"""The page width from which the two guesses about a token are side by side."""


# -- the layout ------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, kw_only=True)
class Grid:
    """The grid of columns and lines, in pixels: the tokens at the left edge, for each model a guess and a bar.

    `shift` is how far the model `which` is below the first one, where there is no room beside it.
    """

    wide: float
    top: float
    line: float
    words: tuple[float, ...]
    bars: tuple[float, ...]
    bar: float
    """The length of a bar for a probability of 1."""
    room: float
    """The greatest width of a guess."""
    shift: tuple[float, ...]
    thick: float

    def middle(self, at: int, which: int) -> float:
        return self.top + (at + 0.5) * self.line + self.shift[which]

    def bottom(self, n_lines: int) -> float:
        return self.top + n_lines * self.line


def make_grid(shown: Sequence[GuessedToken], n_models: int, wide: float, size: Sizes) -> Grid:
    label = LETTER * size.label * max((columns(shorten(_line_name(line), SHORT + 4)) for line in shown), default=8)
    label = min(label, (LETTER * size.label) * (SHORT + (0 if size.compact else 4))) + 1.5 * size.gap
    number = LETTER * size.label * 7
    beside = wide >= BESIDE and n_models > 1
    model_width = (wide - label - size.gap) / (n_models if beside else 1)
    room = min(LETTER * size.label * (SHORT + 1), 0.42 * model_width)
    starts = [label + (model_width * which if beside else 0) for which in range(n_models)]
    thick = 1.15 * size.label
    between = 0 if beside or n_models == 1 else 0.78 * size.label
    header = 3.6 * size.axis if beside or n_models == 1 else 5.2 * size.axis
    return Grid(
        wide=wide,
        top=2.4 * size.title + header,
        line=(1.9 if between == 0 else 3.5) * size.label,
        words=tuple(start for start in starts),
        bars=tuple(start + room + size.gap for start in starts),
        bar=model_width - room - number - 2.5 * size.gap,
        room=room,
        shift=(0.0,) if n_models == 1 else (-between, between),
        thick=thick,
    )


def draw_background(
    grid: Grid, shown: Sequence[GuessedToken], selected: int | None, palette: Palette
) -> list[dict[str, Any]]:
    """Return a thin line below every token, a ground for every bar, and a frame around the selected token."""
    tops = [grid.top + row * grid.line for row in range(len(shown) + 1)]
    thin = {"type": "line", "layer": "below", "line": {"color": palette.masked, "width": 1}}
    dotted = thin | {"line": {"color": palette.masked, "width": 1, "dash": "dot"}}
    marked = {"type": "rect", "line": {"color": palette.accent, "width": 2}}
    starts = dict.fromkeys(grid.bars)
    ends = [x for start in starts for x in (start, start + grid.bar / 2, start + grid.bar)]
    return [
        *(thin | {"x0": 0, "x1": grid.wide, "y0": y, "y1": y} for y in tops),
        *(dotted | {"x0": x, "x1": x, "y0": grid.top, "y1": tops[-1]} for x in ends),
        *(
            marked | {"x0": 1, "x1": grid.wide - 1, "y0": y, "y1": y + grid.line}
            for y, line in zip(tops, shown, strict=False)
            if line.position == selected
        ),
    ]


def name_columns(models: Sequence[TokenGuesses], grid: Grid, size: Sizes, palette: Palette) -> list[dict[str, Any]]:
    """Return the name of every model with the colour of its bars, and the column headings."""
    beside = len(set(grid.words)) == len(models)
    texts: list[dict[str, Any]] = []
    quiet = {"size": size.caption, "color": palette.quiet}
    for which, model in enumerate(models):
        colour = (palette.bar, palette.accent)[model.sides == "left"]
        name = plain_label(short_name(model.info.name), limit=24)
        text = f'<span style="color:{colour}">■ <b>{name}</b></span> {said(SIGHT[model.sides == "left"])}'
        y = grid.top - (3.2 if beside else 4.8 - 1.5 * which) * size.axis
        texts.append(
            {
                "text": text,
                "x": grid.words[which] if beside else size.gap // 2,
                "y": y,
                "font": {"size": size.axis, "color": palette.ink},
            }
        )
    for start, bar in dict.fromkeys(zip(grid.words, grid.bars, strict=True)):
        y = grid.top - 1.5 * size.axis
        shares = tr("true token") if size.compact else tr("probability of the true token")
        texts.append({"text": tr("guess"), "x": start, "y": y, "font": quiet})
        texts.append({"text": shares, "x": bar, "y": y, "font": quiet})
        texts.append({"text": "100%", "x": bar + grid.bar, "xanchor": "center", "y": y, "font": quiet})
    texts.append({"text": tr("token"), "x": size.gap // 2, "y": grid.top - 1.5 * size.axis, "font": quiet})
    return [{"xanchor": "left", "yanchor": "top", "showarrow": False, "borderpad": 0} | text for text in texts]


def _line_name(line: GuessedToken) -> str:
    return f"{line.position} {line.label}"
