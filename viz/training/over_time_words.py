"""What a model says at every snapshot of its training: the best answers from step to step, and how each of them grew.

An answer is a word piece for a [MASK] or for the place after the last token, or a label of the text. A probability is
that among all of the vocabulary, or of the labels.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import pandas as pd
import plotly.graph_objects as go
from numpy.typing import NDArray

from models.values.errors import SelectionError
from models.values.history import Answer, History, Question
from viz.kit import theme as style
from viz.kit.bars import LETTER, probability_axis
from viz.kit.cells import LEAST_WORD, READABLE_UNTIL, cell_frame, rank_axis
from viz.kit.line_ends import spread
from viz.kit.theme import Sizes, Theme, four_digits, nice_maximum, percentage
from viz.kit.tokens import escape, is_byte_level, plain_label, shorten, spelled_apart, visible
from viz.kit.tokens import width as columns
from viz.training.over_time_axis import StepAxis, places

MOST_LINES = 6
MOST_TALL_ROWS = 12
"""From more snapshots on, a row holds the word alone; its probability is in its colour, and under the pointer."""
TITLES: dict[Question, str] = {
    "mask": "What it says for the [MASK] at position {}",
    "next": "How it goes on after position {}, the last",
    "label": "Which label it gives",
}


def answers_over_time(
    history: History, *, which: int = 0, at: int, top_k: int = 5, theme: Theme = "light", width: int = style.WIDEST
) -> go.Figure:
    """The best answers at every snapshot, one row a snapshot, in the colour of their probability from 0 to 1.

    A frame marks the answer that wins in the end, a bar at the left snapshot number `at`. A narrow page gets fewer
    columns. Raises SelectionError if there is no question number `which`.
    """
    answers = _answers(history, which)
    size, palette = style.sizes(width), style.PALETTES[theme]
    names = [f"{'step ' if row == 0 else ''}{step:,}" for row, step in enumerate(history.steps)]
    left = LETTER * size.label * max(map(len, names)) + 2 * size.gap
    fitting = max(int((size.page - left - size.gap) / (LEAST_WORD * size.word)), 1)
    n_columns = min(top_k, fitting, len(answers[-1].vocabulary))
    ids, chances = _best(answers, which, n_columns)
    wide = min(size.page - left - size.gap, 190.0 * n_columns)
    is_tall = len(ids) <= MOST_TALL_ROWS
    row_height = (3.1 if is_tall else 1.8) * size.label
    note = (
        "From top to bottom: from the first step to the last. The stronger the colour, the likelier, from 0 to 100%. "
        "Orange frame: what wins in the end."
    )
    lines = style.wrapped(note, size, pixels=max(left + wide, 300) - size.gap)
    top, bottom = 2.4 * size.title + 1.8 * size.label, size.gap + 1.45 * size.caption * len(lines)
    words = [_words(answers[-1], row) for row in ids]
    figure = go.Figure(
        go.Heatmap(
            z=chances, zmin=0, zmax=1, xgap=3, ygap=3, colorscale=style.colour_scale(palette.sequential),
            showscale=False, customdata=_hover(history, words, chances), hovertemplate="%{customdata}<extra></extra>",
        )
    )  # fmt: skip
    axis: dict[str, Any] = {"showgrid": False, "zeroline": False, "ticks": "", "fixedrange": True}
    caption = style.caption("<br>".join(lines), theme, size, below=size.gap // 2) | {"xshift": size.gap // 2 - left}
    title = TITLES[answers[-1].question].format(answers[-1].positions[which])
    figure.update_layout(
        style.base_layout(theme, size, title=title)
        | {
            "width": max(left + wide + size.gap, min(size.page, 420)),
            "height": top + row_height * len(ids) + bottom,
            "margin": {"l": left, "r": size.gap, "t": top, "b": bottom, "pad": 0},
            "dragmode": False,
            "annotations": [
                caption,
                *_cell_texts(words, chances, wide / n_columns, is_tall=is_tall, theme=theme, size=size),
            ],
            "shapes": [
                *(cell_frame(row, column, palette.accent) for row, column in np.argwhere(ids == ids[-1, 0]).tolist()),
                _mark(at, palette.ink),
            ],
            "xaxis": axis | rank_axis(n_columns, palette, size),
            "yaxis": axis
            | {
                "range": [len(ids) - 0.5, -0.5],
                "tickvals": list(range(len(ids))),
                "ticktext": [f"<b>{name}</b>" if row == at else name for row, name in enumerate(names)],
                "tickfont": {"size": size.label},
                "ticklabelstandoff": size.gap // 2,
            },
        }
    )
    return figure


def growth_of_answers(
    history: History,
    *,
    which: int = 0,
    at: int,
    asked: Sequence[int] = (),
    theme: Theme = "light",
    width: int = style.WIDEST,
) -> go.Figure:
    """The probability of the last snapshot's best answers at every snapshot, each line named at its end.

    Answers `asked` for, by their places in the vocabulary, are among them; the first stands out. Raises SelectionError
    if there is no question number `which`.
    """
    answers = _answers(history, which)
    size, palette = style.sizes(width), style.PALETTES[theme]
    best = _best(answers[-1:], which, MOST_LINES - 1)[0][0].tolist()
    told = np.isfinite(answers[-1].log_probabilities[which])
    ids = [one for one in dict.fromkeys((*asked, *best)) if told[one]][:MOST_LINES]
    chances = np.stack([np.exp(answer.log_probabilities[which, ids].astype(np.float64)) for answer in answers])
    chances[chances == 0] = np.nan  # not told: a gap in the line
    words = _words(answers[-1], ids)
    free = iter(palette.lines * 2)
    colours = [palette.accent if one in asked[:1] else next(free) for one in ids]
    ends = [
        shorten(visible(word), 10 if size.compact else 14) + ("" if size.compact else f" {percentage(float(chance))}")
        for word, chance in zip(words, chances[-1], strict=True)
    ]
    left, right = 4 * size.label, 1.12 * LETTER * size.word * max(map(columns, ends)) + 3 * size.gap
    axis = StepAxis(steps=history.steps, wide=size.page - left - right)
    tall, top, foot = 240 if size.compact else 330, 2.4 * size.title, 3.6 * size.label
    note = "The best answers of the last step, and how likely each was at every step before."
    note += " Orange: the word that was hidden." if asked else ""
    note += " A gap: not among the best of that step." if np.isnan(chances).any() else ""
    lines = style.wrapped(note, size, pixels=size.page - 2 * size.gap)
    bottom = foot + size.gap + 1.45 * size.caption * len(lines)
    high = nice_maximum(float(np.nanmax(chances)))
    figure = go.Figure(
        [
            _line(history, word, chances[:, column], colour)
            for column, (word, colour) in enumerate(zip(words, colours, strict=True))
        ]
    )
    caption = style.caption("<br>".join(lines), theme, size, below=foot + size.gap // 2)
    figure.update_layout(
        style.base_layout(theme, size, title="How the answers grow")
        | {
            "width": size.page,
            "height": top + tall + bottom,
            "margin": {"l": left, "r": right, "t": top, "b": bottom, "pad": 0},
            "dragmode": False,
            "hovermode": "closest",
            "annotations": [
                caption | {"xshift": size.gap // 2 - left},
                *_end_labels(ends, colours, chances[-1] / high * tall, tall, size),
            ],
            "shapes": list(axis.current(at, palette)),
            "xaxis": axis.layout(at, palette, size),
            "yaxis": probability_axis(high, palette, size),
        }
    )
    return figure


def answer_table(history: History, *, top_k: int) -> pd.DataFrame:
    """Columns step, question, position, rank, answer, piece, probability: the best answers of every snapshot."""
    rows = []
    for step, moment in zip(history.steps, history.moments, strict=True):
        answer = moment.answer
        if answer is None:
            continue
        for which, position in enumerate(answer.positions):
            (ids,), (chances,) = _best([answer], which, top_k)
            for rank, (word, one, chance) in enumerate(zip(_words(answer, ids), ids, chances, strict=True), start=1):
                rows.append((step, which, position, rank, word, visible(answer.vocabulary[one]), float(chance)))
    names = ["step", "question", "position", "rank", "answer", "piece", "probability"]
    return pd.DataFrame(rows, columns=names)


def _answers(history: History, which: int) -> list[Answer]:
    answers = [moment.answer for moment in history.moments if moment.answer is not None]
    if len(answers) < len(history.moments) or not 0 <= which < len(answers[-1].positions):
        raise SelectionError(f"question {which} was asked for, but this text has no such [MASK].")
    vocabularies = {answer.vocabulary for answer in answers}
    return answers if len(vocabularies) == 1 else _aligned(answers)


def _aligned(answers: Sequence[Answer]) -> list[Answer]:
    """The same answers over one vocabulary, minus infinity for a choice that a snapshot does not tell of."""
    vocabulary = tuple(dict.fromkeys(choice for answer in answers for choice in answer.vocabulary))
    places = {choice: place for place, choice in enumerate(vocabulary)}
    aligned = []
    for answer in answers:
        spread_out = np.full((len(answer.positions), len(vocabulary)), -np.inf, np.float32)
        spread_out[:, [places[choice] for choice in answer.vocabulary]] = answer.log_probabilities
        aligned.append(replace(answer, log_probabilities=spread_out, vocabulary=vocabulary))
    return aligned


def _best(answers: Sequence[Answer], which: int, top_k: int) -> tuple[NDArray[np.intp], NDArray[np.float32]]:
    """The places in the vocabulary and the probabilities of the likeliest answers, each [n_answers, top_k]."""
    chances = np.exp(np.stack([answer.log_probabilities[which] for answer in answers]))
    ids: NDArray[np.intp] = np.argsort(-chances, axis=1, kind="stable")[:, :top_k]
    return ids, np.take_along_axis(chances, ids, axis=1)


def _words(answer: Answer, ids: Sequence[int] | NDArray[np.intp]) -> tuple[str, ...]:
    if answer.question == "label":
        return tuple(visible(answer.vocabulary[one]) for one in ids)
    return spelled_apart([answer.vocabulary[one] for one in ids], in_bytes=is_byte_level(answer.vocabulary))


def _hover(history: History, words: Sequence[Sequence[str]], chances: NDArray[np.float32]) -> list[list[str]]:
    return [
        [
            f"<b>{escape(word)}</b><br>step {step:,}, rank {rank}<br>probability {four_digits(float(chance))}"
            for rank, (word, chance) in enumerate(zip(texts, row, strict=True), start=1)
        ]
        for step, texts, row in zip(history.steps, words, chances, strict=True)
    ]


def _cell_texts(
    words: Sequence[Sequence[str]], chances: NDArray[np.float32], cell: float, *, is_tall: bool, theme: Theme,
    size: Sizes,
) -> Iterator[dict[str, Any]]:  # fmt: skip
    """The word and, where there is room, its probability below it, in the colour that is read on the cell."""
    palette, font = style.PALETTES[theme], size.word - 2 if is_tall else size.label
    limit = int((cell - 8) / (LETTER * font))
    for row, texts in enumerate(words):
        for column, word in enumerate(texts):
            chance = float(chances[row, column])
            number = f'<br><span style="font-size:{size.caption - 1}px">{percentage(chance)}</span>' if is_tall else ""
            yield {
                "x": column,
                "y": row,
                "text": plain_label(word, limit=limit) + number,
                "showarrow": False,
                "font": {"size": font, "color": palette.ground if chance > READABLE_UNTIL else palette.ink},
            }


def _mark(row: int, colour: str) -> dict[str, Any]:
    """A bar left of a row."""
    return {
        "type": "line", "xref": "paper", "x0": 0, "x1": 0, "y0": row - 0.47, "y1": row + 0.47,
        "line": {"color": colour, "width": 5},
    }  # fmt: skip


def _line(history: History, word: str, chances: NDArray[np.float64], colour: str) -> go.Scatter:
    return go.Scatter(
        x=places(history.steps),
        y=chances,
        mode="lines+markers",
        line={"color": colour, "width": 3},
        marker={"size": 8, "color": colour},
        cliponaxis=False,
        text=[
            f"<b>{escape(visible(word))}</b><br>step {step:,}<br>probability {four_digits(float(chance))}"
            for step, chance in zip(history.steps, chances, strict=True)
        ],
        hovertemplate="%{text}<extra></extra>",
    )


def _end_labels(
    texts: Sequence[str], colours: Sequence[str], heights: NDArray[np.float64], tall: float, size: Sizes
) -> Iterator[dict[str, Any]]:
    """The words right of the ends of their lines, none over another."""
    found = spread(heights, distance=1.3 * size.word, end=tall)
    for text, colour, place in zip(texts, colours, found, strict=True):
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
    from viz.training.demo_history import history

    answers_over_time(history(), at=3).show()
    growth_of_answers(history(), at=3).show()
