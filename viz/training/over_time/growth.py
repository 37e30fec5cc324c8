"""The growth of the last snapshot's best answers over the training."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
import plotly.graph_objects as go
from numpy.typing import NDArray

from models.values.arguments.check import check_arguments
from models.values.history import History
from viz.kit import theme as style
from viz.kit.figures.bar_legends import LETTER
from viz.kit.figures.bars import probability_axis
from viz.kit.figures.line_ends import spread
from viz.kit.figures.still import Figure
from viz.kit.language import tr
from viz.kit.theme import Sizes, Theme, nice_maximum, percentage
from viz.kit.tokens import escape, plain_label, shorten, visible
from viz.kit.tokens import width as columns
from viz.training.over_time.axis import IterationAxis, places
from viz.training.over_time.told import answers_of, best_of, words_of

MOST_LINES = 6


@check_arguments
def growth_of_answers(
    history: History,
    *,
    which: int = 0,
    at: int,
    asked: Sequence[int] = (),
    theme: Theme = "light",
    width: int = style.WIDEST,
) -> go.Figure:
    """Draw the probability of the last snapshot's best answers at every snapshot, each line named at its end.

    Answers `asked` for, by their places in the vocabulary, are among them; the first is highlighted. Raises
    SelectionError if there is no question number `which`.
    """
    size, palette = style.sizes(width), style.PALETTES[theme]
    ids, words, chances = _follow_answers(history, which, asked)
    free = iter(palette.lines * 2)
    colours = [palette.accent if one in asked[:1] else next(free) for one in ids]
    ends = _ends(words, chances[-1], size)
    left, right = 4 * size.label, 1.12 * LETTER * size.word * max(map(columns, ends)) + 3 * size.gap
    axis = IterationAxis(iterations=history.iterations, wide=size.page - left - right)
    tall, high = 240 if size.compact else 330, nice_maximum(float(np.nanmax(chances)))
    drawn = [
        _line(history, word, chances[:, column], colour)
        for column, (word, colour) in enumerate(zip(words, colours, strict=True))
    ]
    note = _note(was_asked=bool(asked), has_gaps=bool(np.isnan(chances).any()))
    layout = _layout(note, (left, right), tall, theme, size) | {
        "xaxis": axis.layout(at, palette, size),
        "yaxis": probability_axis(high, palette, size),
        "shapes": [*axis.current(at, palette)],
    }
    layout["annotations"] += _end_labels(ends, colours, chances[-1] / high * tall, tall, size)
    return Figure(drawn, layout)


def _follow_answers(
    history: History, which: int, asked: Sequence[int]
) -> tuple[list[int], tuple[str, ...], NDArray[np.float64]]:
    """Return the places in the vocabulary of the followed answers, their words, and their probabilities [n_snapshots,
    n_answers], NaN where a snapshot lacks one."""
    answers = answers_of(history, which)
    best = best_of(answers[-1:], which, MOST_LINES - 1)[0][0].tolist()
    told = np.isfinite(answers[-1].log_probabilities[which])
    ids = [one for one in dict.fromkeys((*asked, *best)) if told[one]][:MOST_LINES]
    chances = np.stack([np.exp(answer.log_probabilities[which, ids].astype(np.float64)) for answer in answers])
    chances[chances == 0] = np.nan
    return ids, words_of(answers[-1], ids), chances


def _ends(words: Sequence[str], chances: NDArray[np.float64], size: Sizes) -> list[str]:
    """Return the labels at the ends of the lines: the word, and its probability where there is room."""
    return [
        shorten(visible(word), 10 if size.compact else 14) + ("" if size.compact else f" {percentage(float(chance))}")
        for word, chance in zip(words, chances, strict=True)
    ]


def _note(*, was_asked: bool, has_gaps: bool) -> str:
    parts = [tr("The best answers of the last snapshot, and how likely each was at every snapshot before.")]
    if was_asked:
        parts.append(tr("Orange: the word that was hidden."))
    if has_gaps:
        parts.append(tr("A gap: not among the best at that snapshot."))
    return " ".join(parts)


def _layout(note: str, sides: tuple[float, float], tall: float, theme: Theme, size: Sizes) -> dict[str, Any]:
    left, right = sides
    top, foot = 2.4 * size.title, 3.6 * size.label
    lines = style.wrap_text(note, size, pixels=size.page - 2 * size.gap)
    bottom = foot + size.gap + 1.45 * size.caption * len(lines)
    caption = style.caption("<br>".join(lines), theme, size, below=foot + size.gap // 2)
    return style.base_layout(theme, size, title=tr("How the answers grow")) | {
        "width": size.page,
        "height": top + tall + bottom,
        "margin": {"l": left, "r": right, "t": top, "b": bottom, "pad": 0},
        "dragmode": False,
        "hovermode": "closest",
        "annotations": [caption | {"xshift": size.gap // 2 - left}],
    }


def _line(history: History, word: str, chances: NDArray[np.float64], colour: str) -> go.Scatter:
    return go.Scatter(
        x=places(history.iterations),
        y=chances,
        mode="lines+markers",
        line={"color": colour, "width": 3},
        marker={"size": 8, "color": colour},
        cliponaxis=False,
        text=[
            tr(
                "<b>{word}</b><br>iteration {iteration}<br>probability {probability}",
                word=escape(visible(word)),
                iteration=f"{iteration:,}",
                probability=percentage(float(chance)),
            )
            for iteration, chance in zip(history.iterations, chances, strict=True)
        ],
        hovertemplate="%{text}<extra></extra>",
    )


def _end_labels(
    texts: Sequence[str], colours: Sequence[str], heights: NDArray[np.float64], tall: float, size: Sizes
) -> Iterator[dict[str, Any]]:
    """Yield the words right of the ends of their lines, without overlap."""
    label_heights = spread(heights, distance=1.3 * size.word, end=tall)
    for text, colour, place in zip(texts, colours, label_heights, strict=True):
        yield {
            "xref": "paper",
            "x": 1,
            "xanchor": "left",
            "xshift": size.gap,
            "yref": "paper",
            "y": float(place) / tall,
            "yanchor": "middle",
            "text": f"<b>{plain_label(text, limit=None)}</b>",
            "showarrow": False,
            "font": {"size": size.word, "color": colour},
        }


if __name__ == "__main__":
    from viz.training.over_time.demo import history

    growth_of_answers(history(), at=3).show()
