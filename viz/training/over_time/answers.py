"""The answers of a model at every snapshot of its training: the best ones, one row for each snapshot.

An answer is a word piece for a [MASK] or for the place after the last token, or a label of the text. A probability is
that among all of the vocabulary, or of the labels.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import plotly.graph_objects as go
from numpy.typing import NDArray

from models.values.arguments.check import check_arguments
from models.values.history import AnswerKind, History
from viz.kit import theme as style
from viz.kit.figures.bar_legends import LETTER
from viz.kit.figures.cells import LEAST_WORD, READABLE_UNTIL, cell_frame, rank_axis
from viz.kit.figures.still import Figure
from viz.kit.language import said, to_say, tr
from viz.kit.theme import Sizes, Theme, percentage
from viz.kit.tokens import escape, plain_label
from viz.training.over_time.told import answers_of, best_of, words_of

MOST_TALL_ROWS = 12
"""From more snapshots on, a row holds the word alone; its probability is in its colour, and under the pointer."""
TITLES: dict[AnswerKind, str] = {
    "mask": to_say("What it guesses for the [MASK] at position {position}"),
    "next": to_say("How it goes on after position {position}, the last"),
    "label": to_say("Which label it gives"),
}
NOTE = to_say(
    "From the first iteration at the top to the last at the bottom. The stronger the colour, the likelier, from 0 to "
    "100%. Orange frame: what wins in the end."
)


@dataclass(frozen=True, slots=True, kw_only=True)
class _AnswerGrid:
    """The grid of a row for each snapshot, labelled `names`, of `n_columns` cells; the names take `left`. In pixels."""

    names: tuple[str, ...]
    n_columns: int
    left: float
    wide: float
    row: float

    @property
    def is_tall(self) -> bool:
        """Whether a cell has room for the probability under the word."""
        return len(self.names) <= MOST_TALL_ROWS


@check_arguments
def answers_over_time(
    history: History, *, which: int = 0, at: int, top_k: int = 5, theme: Theme = "light", width: int = style.WIDEST
) -> go.Figure:
    """Draw the best answers at every snapshot, one row for each snapshot, in the colour of their probability from 0 to
    1.

    A frame marks the answer that wins in the end, a bar at the left snapshot number `at`. A narrow page gets fewer
    columns. Raises SelectionError if there is no question number `which`.
    """
    answers = answers_of(history, which)
    size, palette = style.sizes(width), style.PALETTES[theme]
    grid = _grid(history.iterations, min(top_k, len(answers[-1].vocabulary)), size)
    ids, chances = best_of(answers, which, grid.n_columns)
    words = [words_of(answers[-1], row) for row in ids]
    cells = go.Heatmap(
        z=chances,
        zmin=0,
        zmax=1,
        xgap=3,
        ygap=3,
        colorscale=style.colour_scale(palette.sequential),
        showscale=False,
        customdata=_hover(history, words, chances),
        hovertemplate="%{customdata}<extra></extra>",
    )
    title = tr(TITLES[answers[-1].question], position=answers[-1].positions[which])
    layout = _layout(grid, at=at, title=title, theme=theme, size=size)
    layout["annotations"] += _cell_texts(words, chances, grid, theme=theme, size=size)
    frames = (cell_frame(row, column, palette.accent) for row, column in np.argwhere(ids == ids[-1, 0]).tolist())
    layout["shapes"] = [*frames, _mark(at, palette.ink)]
    return Figure(cells, layout)


def _grid(iterations: Sequence[int], most: int, size: Sizes) -> _AnswerGrid:
    """Return a grid of as many columns as fit, at most `most`."""
    names = [f"{iteration:,}" for iteration in iterations]
    left = LETTER * size.label * max(map(len, names)) + 2 * size.gap
    n_columns = min(most, max(int((size.page - left - size.gap) / (LEAST_WORD * size.word)), 1))
    row = (3.1 if len(names) <= MOST_TALL_ROWS else 1.8) * size.label
    wide = min(size.page - left - size.gap, 190.0 * n_columns)
    return _AnswerGrid(names=tuple(names), n_columns=n_columns, left=left, wide=wide, row=row)


def _layout(grid: _AnswerGrid, *, at: int, title: str, theme: Theme, size: Sizes) -> dict[str, Any]:
    palette, n_rows = style.PALETTES[theme], len(grid.names)
    lines = style.wrap_text(said(NOTE), size, pixels=max(grid.left + grid.wide, 300) - size.gap)
    top, bottom = 2.4 * size.title + 1.8 * size.label, size.gap + 1.45 * size.caption * len(lines)
    axis: dict[str, Any] = {"showgrid": False, "zeroline": False, "ticks": "", "fixedrange": True}
    caption = style.caption("<br>".join(lines), theme, size, below=size.gap // 2)
    return style.base_layout(theme, size, title=title) | {
        "width": max(grid.left + grid.wide + size.gap, min(size.page, 420)),
        "height": top + grid.row * n_rows + bottom,
        "margin": {"l": grid.left, "r": size.gap, "t": top, "b": bottom, "pad": 0},
        "dragmode": False,
        "annotations": [caption | {"xshift": size.gap // 2 - grid.left}],
        "xaxis": axis | rank_axis(grid.n_columns, palette, size),
        "yaxis": axis
        | {
            "range": [n_rows - 0.5, -0.5],
            "tickvals": list(range(n_rows)),
            "ticktext": [f"<b>{name}</b>" if row == at else name for row, name in enumerate(grid.names)],
            "tickfont": {"size": size.label},
            "ticklabelstandoff": size.gap // 2,
        },
    }


def _hover(history: History, words: Sequence[Sequence[str]], chances: NDArray[np.float32]) -> list[list[str]]:
    return [
        [
            tr(
                "<b>{word}</b><br>iteration {iteration}, rank {rank}<br>probability {probability}",
                word=escape(word),
                iteration=f"{iteration:,}",
                rank=rank,
                probability=percentage(float(chance)),
            )
            for rank, (word, chance) in enumerate(zip(texts, row, strict=True), start=1)
        ]
        for iteration, texts, row in zip(history.iterations, words, chances, strict=True)
    ]


def _cell_texts(
    words: Sequence[Sequence[str]], chances: NDArray[np.float32], grid: _AnswerGrid, *, theme: Theme, size: Sizes
) -> Iterator[dict[str, Any]]:
    """Yield the word and, where there is room, its probability below it, in a readable colour."""
    palette, font = style.PALETTES[theme], size.word - 2 if grid.is_tall else size.label
    limit = int((grid.wide / grid.n_columns - 8) / (LETTER * font))
    for row, texts in enumerate(words):
        for column, word in enumerate(texts):
            chance = float(chances[row, column])
            number = (
                f'<br><span style="font-size:{size.caption - 1}px">{percentage(chance)}</span>' if grid.is_tall else ""
            )
            yield {
                "x": column,
                "y": row,
                "text": plain_label(word, limit=limit) + number,
                "showarrow": False,
                "font": {"size": font, "color": palette.ground if chance > READABLE_UNTIL else palette.ink},
            }


def _mark(row: int, colour: str) -> dict[str, Any]:
    """Return a bar left of a row."""
    return {
        "type": "line",
        "xref": "paper",
        "x0": 0,
        "x1": 0,
        "y0": row - 0.47,
        "y1": row + 0.47,
        "line": {"color": colour, "width": 5},
    }


if __name__ == "__main__":
    from viz.training.over_time.demo import history

    answers_over_time(history(), at=3).show()
