"""The prediction after each layer: the MLM head applied to every hidden state of one mask.

The "logit lens" (nostalgebraist 2020, "interpreting GPT: the logit lens"). The head was trained on the last layer only,
so that an early answer says what can be read there, not what the model "thinks".
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import plotly.graph_objects as go
from numpy.typing import NDArray

from models.values.answers import LayerwisePrediction
from models.values.arguments.check import check_arguments
from viz.kit import theme as style
from viz.kit.figures.bar_legends import LETTER
from viz.kit.figures.bars import probability_axis
from viz.kit.figures.cells import LEAST_WORD, Cells, Frame, cell_frame, cell_map, cell_text, rank_axis
from viz.kit.figures.line_ends import end_label, spread
from viz.kit.figures.still import Figure
from viz.kit.language import said, to_say, tr
from viz.kit.layout import axis_title, note
from viz.kit.theme import Palette, Sizes, Theme, nice_maximum, percentage
from viz.kit.tokens import escape, plain_label, shorten, spelled_apart, visible
from viz.kit.tokens import width as columns
from viz.predictions.layer_answers import best_ids, best_of_layers, final_ranks, probabilities_of, state_names, words_of

WIDEST_CELL = 190
MAX_LINES = 6
LINES_NOTE = to_say(
    "The probability of each word if the model answered after this layer. Far left: from the embeddings, before any "
    "layer. Far right: the model's answer."
)


@check_arguments
def layer_predictions(
    prediction: LayerwisePrediction, *, top_k: int = 5, theme: Theme = "light", width: int = style.WIDEST
) -> go.Figure:
    """Draw the best words after the embeddings and after every layer, from top to bottom.

    Every cell holds a word in the colour of its probability, from 0 to 1; a frame marks the final answer. A narrow page
    gets fewer columns, three on a phone.
    """
    size, palette, names = style.sizes(width), style.PALETTES[theme], _said_names(prediction)
    left = LETTER * size.label * max(map(columns, names)) + 2 * size.gap
    ids = best_of_layers(prediction, min(top_k, int((size.page - left - size.gap) / (LEAST_WORD * size.word))))
    n_rows, n_columns = ids.shape
    wide = min(size.page - left - size.gap, WIDEST_CELL * n_columns)
    words, chances = words_of(prediction, ids), probabilities_of(prediction, ids)
    cells = Cells(
        values=chances,
        rows=names,
        columns=[""] * n_columns,
        hover=_hover(prediction, ids),
        gap=3,
    )
    top = 2.6 * size.title + 1.8 * size.label
    figure = cell_map(
        cells,
        Frame(left=left, right=size.gap, top=top, wide=wide, tall=3.6 * size.label * n_rows),
        title=tr("The answer after every layer"),
        text=tr(
            "The signal runs from top to bottom; {layer} gives the model's answer. The stronger the colour, the "
            "likelier the word, from 0 to 100%. Orange frame: the word that wins in the end.",
            layer=names[-1],
        ),
        inside=_cell_texts(words, chances, wide / n_columns, palette, size),
        theme=theme,
        size=size,
    )
    wins = np.argwhere(ids == ids[-1, 0]).tolist()
    figure.update_layout(shapes=[cell_frame(row, column, palette.accent) for row, column in wins])
    return figure.update_xaxes(rank_axis(n_columns, palette, size))


@dataclass(frozen=True, slots=True, kw_only=True)
class _Course:
    """A word over the layers: its probabilities [n_layers + 1], the colour of its line, and the label at its end."""

    word: str
    chances: NDArray[np.float64]
    colour: str
    dash: str
    is_asked: bool
    end: str


@check_arguments
def answer_by_layer(
    prediction: LayerwisePrediction,
    *,
    token_ids: Sequence[int],
    asked: Sequence[int] = (),
    theme: Theme = "light",
    width: int = style.WIDEST,
) -> go.Figure:
    """Draw the probability of a few words after every layer, each line named at its end; `asked` ones are highlighted.

    At most six lines are drawn, the asked ones first.
    """
    size, palette, names = style.sizes(width), style.PALETTES[theme], _said_names(prediction)
    courses = _courses(prediction, list(dict.fromkeys((*asked, *token_ids)))[:MAX_LINES], asked, palette, size)
    high = nice_maximum(max((float(course.chances.max()) for course in courses), default=0.0))
    ends = max((columns(course.end) for course in courses), default=0)
    left, right = 4 * size.label, 1.12 * LETTER * size.word * ends + 3 * size.gap
    top, tall, axis_height = 2.6 * size.title, 260 if size.compact else 360, 3.4 * size.label
    lines = style.wrap_text(said(LINES_NOTE), size, pixels=size.page - 2 * size.gap)
    bottom = axis_height + size.gap + 1.45 * size.caption * len(lines)
    return Figure(
        [_line(course, names) for course in courses],
        style.base_layout(theme, size, title=tr("How the answer takes shape"))
        | {
            "width": size.page,
            "height": top + tall + bottom,
            "margin": {"l": left, "r": right, "t": top, "b": bottom, "pad": 0},
            "dragmode": False,
            "hovermode": "closest",
            "annotations": [
                note(lines, theme, size, below=axis_height + size.gap // 2, left=left),
                *_ends(courses, high=high, tall=tall, size=size),
            ],
            "xaxis": _layer_axis(len(names), size.page - left - right, palette, size),
            "yaxis": probability_axis(high, palette, size),
        },
    )


def _hover(prediction: LayerwisePrediction, ids: NDArray[np.intp]) -> list[list[str]]:
    """Return the hover text of every cell."""
    words, chances = words_of(prediction, ids), probabilities_of(prediction, ids)
    names, ranks = _said_names(prediction), final_ranks(prediction)

    def describe(name: str, word: str, chance: float, place: int, last_rank: int) -> str:
        lines = (
            f"<b>{escape(word)}</b>",
            tr("{layer}, rank {rank}", layer=name, rank=place),
            _likely(chance),
            tr("rank {rank} in the final answer", rank=f"{last_rank:,}"),
        )
        return "<br>".join(lines)

    return [
        [
            describe(name, word, float(chance), place, int(ranks[one]))
            for place, (word, chance, one) in enumerate(zip(*cells, strict=True), start=1)
        ]
        for name, *cells in zip(names, words, chances, ids, strict=True)
    ]


def _cell_texts(
    words: Sequence[Sequence[str]], chances: NDArray[np.float32], cell: float, palette: Palette, size: Sizes
) -> list[dict[str, Any]]:
    """Return the word and, smaller, its probability in every cell."""
    font = size.word
    limit = int((cell - 8) / (LETTER * font))
    return [
        cell_text(
            row,
            column,
            f"{plain_label(words[row][column], limit=limit)}<br>"
            f'<span style="font-size:{size.caption}px">{percentage(float(chance))}</span>',
            strength=float(chance),
            palette=palette,
            font=font,
        )
        for (row, column), chance in np.ndenumerate(chances)
    ]


def _courses(
    prediction: LayerwisePrediction, ids: Sequence[int], asked: Sequence[int], palette: Palette, size: Sizes
) -> list[_Course]:
    """Return the lines of some words, in order; a colour used twice is dotted the second time."""
    words = spelled_apart([prediction.vocabulary[one] for one in ids])
    chances = np.exp(prediction.log_probabilities[:, list(ids)].astype(np.float64))
    free = iter(palette.lines * 2)
    colours = [palette.accent if one in asked[:1] else next(free) for one in ids]
    return [
        _Course(
            word=word,
            chances=chances[:, which],
            colour=colours[which],
            dash="dot" if colours[which] in colours[:which] else "solid",
            is_asked=one in asked,
            end=shorten(visible(word), 10 if size.compact else 14)
            + ("" if size.compact else f" {percentage(float(chances[-1, which]))}"),
        )
        for which, (word, one) in enumerate(zip(words, ids, strict=True))
    ]


def _said_names(prediction: LayerwisePrediction) -> list[str]:
    return [said(name) for name in state_names(prediction)]


def _likely(chance: float) -> str:
    return tr("probability {number}", number=percentage(chance))


def _line(course: _Course, names: Sequence[str]) -> go.Scatter:
    return go.Scatter(
        x=np.arange(len(names)),
        y=course.chances,
        mode="lines+markers",
        line={"color": course.colour, "width": 4 if course.is_asked else 3, "dash": course.dash},
        marker={"size": 9, "color": course.colour},
        cliponaxis=False,
        customdata=[
            f"<b>{escape(visible(course.word))}</b><br>{name}<br>{likely}"
            for name, likely in zip(names, map(_likely, course.chances.tolist()), strict=True)
        ],
        hovertemplate="%{customdata}<extra></extra>",
    )


def _ends(courses: Sequence[_Course], *, high: float, tall: float, size: Sizes) -> list[dict[str, Any]]:
    """Return the words at the ends of their lines, moved apart."""
    ends = np.array([course.chances[-1] for course in courses])
    places = spread(ends / high * tall, distance=1.3 * size.word, end=tall)
    return [
        end_label(course.end, course.colour, x=len(course.chances) - 1, y=float(end), shift=float(shift), size=size)
        for course, end, shift in zip(courses, ends, places - ends / high * tall, strict=True)
    ]


def _layer_axis(n_states: int, wide: float, palette: Palette, size: Sizes) -> dict[str, Any]:
    """Return an axis of embeddings and layers from left to right; without room every n-th is named, always the last."""
    stride = -(-int(2.4 * size.label * n_states) // int(wide))
    last = n_states - 1
    return {
        "range": [-0.15, last + 0.02],
        "tickvals": list(range(n_states))[::-1][::stride][::-1],
        "ticktext": [tr("emb."), *(str(layer) for layer in range(last))][::-1][::stride][::-1],
        "tickangle": 0,
        "tickfont": {"size": size.label},
        "ticklabelstandoff": size.gap // 2,
        "title": axis_title(tr("after layer"), palette, size),
        "fixedrange": True,
        "showgrid": False,
        "zeroline": False,
    }


if __name__ == "__main__":
    from viz.kit.demos.answers import layerwise

    layer_predictions(layerwise()).show()
    answer_by_layer(layerwise(), token_ids=best_ids(layerwise(), 4)).show()
