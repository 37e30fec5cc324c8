"""What the model would say if it stopped after each layer: the MLM head on every hidden state of one mask.

The "logit lens" (nostalgebraist 2020, "interpreting GPT: the logit lens"). The head was trained on the last layer only,
so that an early answer says what can be read there, not what the model "thinks".
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import pandas as pd
import plotly.graph_objects as go
from numpy.typing import NDArray

from models.values.answers import LayerwisePrediction
from viz.kit import theme as style
from viz.kit.bars import LETTER, probability_axis
from viz.kit.theme import Palette, Sizes, Theme, four_digits, nice_maximum, percentage
from viz.kit.tokens import escape, is_byte_level, plain_label, shorten, spelled_apart, visible
from viz.kit.tokens import width as columns

CELL = 5
"""The least width of a column, in letters of a word: three columns fit on a telephone."""
READABLE_UNTIL = 0.5
"""The probability from which on the colour of a cell is nearer to the ink than to the page."""
MAX_LINES = 6


def layer_predictions(
    prediction: LayerwisePrediction, *, top_k: int = 5, theme: Theme = "light", width: int = style.WIDEST
) -> go.Figure:
    """The best words after the embeddings and after every layer, from top to bottom as the signal runs.

    Every cell holds a word in the colour of its probability, from 0 to 1; a frame marks the word that the model says
    in the end. A narrow page gets fewer columns, three on a telephone.
    """
    size, palette = style.sizes(width), style.PALETTES[theme]
    names = _state_names(prediction)
    left = LETTER * size.label * max(map(len, names)) + 2 * size.gap
    ids = _best_ids(prediction, min(top_k, int((size.page - left - size.gap) / (CELL * size.word))))
    chances = _chances(prediction, ids)
    n_rows, n_columns = ids.shape
    wide = min(size.page - left - size.gap, 190.0 * n_columns)
    cell, tall = wide / n_columns, 3.3 * size.label
    words = _words(prediction, ids)
    final_ranks = _ranks(prediction.log_probabilities[-1])
    lines = style.wrapped(
        f"The signal runs from top to bottom; {names[-1]} gives the answer of the model. The stronger the colour, the "
        "likelier the word, from 0 to 100%. Orange frame: the word that wins in the end.",
        size,
        pixels=max(left + wide, 300) - size.gap,
    )
    top, bottom = 2.6 * size.title + 1.8 * size.label, size.gap + 1.45 * size.caption * len(lines)
    figure = go.Figure(
        go.Heatmap(
            z=chances,
            zmin=0,
            zmax=1,
            xgap=3,
            ygap=3,
            colorscale=style.colour_scale(palette.sequential),
            showscale=False,
            customdata=[
                [
                    f"<b>{escape(words[row][column])}</b><br>{names[row]}, rank {column + 1}"
                    f"<br>probability {four_digits(float(chances[row, column]))}"
                    f"<br>rank {int(final_ranks[ids[row, column]]):,} in the final answer"
                    for column in range(n_columns)
                ]
                for row in range(n_rows)
            ],
            hovertemplate="%{customdata}<extra></extra>",
        )
    )
    axis: dict[str, Any] = {"showgrid": False, "zeroline": False, "ticks": "", "fixedrange": True}
    note = style.caption("<br>".join(lines), theme, size, below=size.gap // 2) | {"xshift": size.gap // 2 - left}
    figure.update_layout(
        style.base_layout(theme, size, title="The answer after every layer")
        | {
            "width": max(left + wide + size.gap, min(size.page, 420)),
            "height": top + tall * n_rows + bottom,
            "margin": {"l": left, "r": size.gap, "t": top, "b": bottom, "pad": 0},
            "dragmode": False,
            "annotations": [note, *_cell_texts(words, chances, cell, theme, size)],
            "shapes": [frame(row, column, palette.accent) for row, column in np.argwhere(ids == ids[-1, 0]).tolist()],
            "xaxis": axis | rank_axis(n_columns, palette, size),
            "yaxis": axis
            | {
                "range": [n_rows - 0.5, -0.5],
                "tickvals": list(range(n_rows)),
                "ticktext": names,
                "tickfont": {"size": size.label},
                "ticklabelstandoff": size.gap // 2,
            },
        }
    )
    return figure


def answer_by_layer(
    prediction: LayerwisePrediction,
    *,
    token_ids: Sequence[int],
    asked: Sequence[int] = (),
    theme: Theme = "light",
    width: int = style.WIDEST,
) -> go.Figure:
    """The probability of a few words after every layer, each line named at its end; `asked` ones stand out.

    At most six lines are drawn, the asked ones first.
    """
    size, palette = style.sizes(width), style.PALETTES[theme]
    ids = list(dict.fromkeys((*asked, *token_ids)))[:MAX_LINES]
    chances = np.exp(prediction.log_probabilities[:, ids].astype(np.float64))
    words = spelled_apart([prediction.vocabulary[one] for one in ids], in_bytes=is_byte_level(prediction.vocabulary))
    free = iter(palette.lines * 2)
    colours = [palette.accent if one in asked[:1] else next(free) for one in ids]
    numbers = ["" if size.compact else f" {percentage(float(chance))}" for chance in chances[-1]]
    ends = [
        shorten(visible(word), 10 if size.compact else 14) + text for word, text in zip(words, numbers, strict=True)
    ]
    names, high = _state_names(prediction), nice_maximum(float(chances.max(initial=0)))
    left, right = 4 * size.label, 1.12 * LETTER * size.word * max(map(columns, ends), default=0) + 3 * size.gap
    top, tall = 2.6 * size.title, 260 if size.compact else 360
    lines = style.wrapped(
        "The probability of each word if the model answered after this layer. Left: from the embeddings, before any "
        "layer; right: the answer of the model.",
        size,
        pixels=size.page - 2 * size.gap,
    )
    axis_height = 3.4 * size.label
    bottom = axis_height + size.gap + 1.45 * size.caption * len(lines)
    figure = go.Figure()
    every = -(-int(2.4 * size.label * len(names)) // int(size.page - left - right))
    for column, (word, colour, one) in enumerate(zip(words, colours, ids, strict=True)):
        dash = "dot" if colour in colours[:column] else "solid"
        figure.add_trace(
            go.Scatter(
                x=np.arange(len(names)),
                y=chances[:, column],
                mode="lines+markers",
                line={"color": colour, "width": 4 if one in asked else 3, "dash": dash},
                marker={"size": 9, "color": colour},
                cliponaxis=False,
                customdata=[
                    f"<b>{escape(visible(word))}</b><br>{name}<br>probability {four_digits(float(chance))}"
                    for name, chance in zip(names, chances[:, column], strict=True)
                ],
                hovertemplate="%{customdata}<extra></extra>",
            )
        )
    ends_at = chances[-1] / high * tall
    places = spread(ends_at, distance=1.3 * size.word, end=tall)
    last = len(names) - 1
    figure.update_layout(
        style.base_layout(theme, size, title="How the answer takes shape")
        | {
            "width": size.page,
            "height": top + tall + bottom,
            "margin": {"l": left, "r": right, "t": top, "b": bottom, "pad": 0},
            "dragmode": False,
            "hovermode": "closest",
            "annotations": [
                style.caption("<br>".join(lines), theme, size, below=axis_height + size.gap // 2)
                | {"xshift": size.gap // 2 - left},
                *(
                    _end_label(text, colour, x=last, y=float(chance), shift=float(shift), size=size)
                    for text, colour, chance, shift in zip(ends, colours, chances[-1], places - ends_at, strict=True)
                ),
            ],
            "xaxis": {
                "range": [-0.15, last + 0.02],
                "tickvals": list(range(len(names)))[::-1][::every][::-1],
                "ticktext": ["emb.", *(str(layer) for layer in range(last))][::-1][::every][::-1],
                "tickangle": 0,
                "tickfont": {"size": size.label},
                "ticklabelstandoff": size.gap // 2,
                "title": {"text": "after layer", "font": {"size": size.axis, "color": palette.quiet}, "standoff": 6},
                "fixedrange": True,
                "showgrid": False,
                "zeroline": False,
            },
            "yaxis": probability_axis(high, palette, size),
        }
    )
    return figure


def rank_axis(n_columns: int, palette: Palette, size: Sizes) -> dict[str, Any]:
    """Plotly's settings of the axis above a table of guesses, the likeliest in the first column."""
    return {
        "side": "top",
        "range": [-0.5, n_columns - 0.5],
        "tickvals": list(range(n_columns)),
        "ticktext": [f"rank {rank + 1}" for rank in range(n_columns)],
        "tickfont": {"size": size.label, "color": palette.quiet},
    }


def best_ids(prediction: LayerwisePrediction, top_k: int) -> tuple[int, ...]:
    """The ids of the final answer's best pieces: what `answer_by_layer` is usually asked to draw."""
    return tuple(_best_ids(prediction, top_k)[-1].tolist())


def layer_table(prediction: LayerwisePrediction, *, top_k: int) -> pd.DataFrame:
    """Columns after, rank, word, piece, probability, final_rank: `top_k` rows for the embeddings and every layer."""
    ids = _best_ids(prediction, top_k)
    words, chances = _words(prediction, ids), _chances(prediction, ids)
    names, final_ranks = _state_names(prediction), _ranks(prediction.log_probabilities[-1])
    return pd.DataFrame(
        {
            "after": names[state],
            "rank": rank + 1,
            "word": words[state][rank],
            "piece": visible(prediction.vocabulary[ids[state, rank]]),
            "probability": float(chances[state, rank]),
            "final_rank": int(final_ranks[ids[state, rank]]),
        }
        for state, rank in np.ndindex(*ids.shape)
    )


def spread(places: NDArray[np.float64], *, distance: float, end: float) -> NDArray[np.float64]:
    """Places between 0 and `end`, as near as possible to the given ones, no two closer than `distance`.

    Touching labels are pooled into blocks around their mean, as in isotonic regression; if they do not fit, they are
    spread evenly.
    """
    order = np.argsort(places, kind="stable")
    distance = min(distance, end / max(len(places) - 1, 1))
    blocks: list[list[float]] = []  # of (place - distance * index): within a block all are equal
    for index, place in enumerate(places[order]):
        blocks.append([float(place) - distance * index])
        while len(blocks) > 1 and np.mean(blocks[-2]) > np.mean(blocks[-1]):
            upper = blocks.pop()
            blocks[-1] += upper
    pooled = np.array([float(np.mean(block)) for block in blocks for _ in block])
    free = np.clip(pooled, 0, end - distance * (len(places) - 1)) + distance * np.arange(len(places))
    placed = np.empty(len(places))
    placed[order] = free
    return placed


def _best_ids(prediction: LayerwisePrediction, top_k: int) -> NDArray[np.intp]:
    """The likeliest pieces after every state [n_layers + 1, top_k], best first."""
    best: NDArray[np.intp] = np.argsort(-prediction.log_probabilities, axis=1, kind="stable")[:, :top_k]
    return best


def _chances(prediction: LayerwisePrediction, ids: NDArray[np.intp]) -> NDArray[np.float32]:
    chances: NDArray[np.float32] = np.exp(np.take_along_axis(prediction.log_probabilities, ids, axis=1))
    return chances


def _words(prediction: LayerwisePrediction, ids: NDArray[np.intp]) -> list[tuple[str, ...]]:
    in_bytes = is_byte_level(prediction.vocabulary)
    return [spelled_apart([prediction.vocabulary[one] for one in row], in_bytes=in_bytes) for row in ids]


def _ranks(log_probabilities: NDArray[np.float32]) -> NDArray[np.intp]:
    """For every piece its place among all, 1 for the likeliest; equals share the better place."""
    ascending = np.sort(-log_probabilities)
    ranks: NDArray[np.intp] = 1 + np.searchsorted(ascending, -log_probabilities, side="left")
    return ranks


def _state_names(prediction: LayerwisePrediction) -> list[str]:
    return ["Embeddings", *(f"Layer {layer}" for layer in range(prediction.info.n_layers))]


def _cell_texts(
    words: Sequence[Sequence[str]], chances: NDArray[np.float32], cell: float, theme: Theme, size: Sizes
) -> list[dict[str, Any]]:
    """The word and, smaller, its probability, in the one of the page's two colours that can be read on the cell."""
    palette, font = style.PALETTES[theme], size.word - 2
    limit = int((cell - 8) / (LETTER * font))
    return [
        {
            "x": column,
            "y": row,
            "text": f"{plain_label(word, limit=limit)}<br>"
            f'<span style="font-size:{size.caption - 1}px">{percentage(float(chances[row, column]))}</span>',
            "showarrow": False,
            "font": {"size": font, "color": palette.ground if chances[row, column] > READABLE_UNTIL else palette.ink},
        }
        for row, texts in enumerate(words)
        for column, word in enumerate(texts)
    ]


def frame(row: int, column: int, colour: str) -> dict[str, Any]:
    """A frame around a cell of a table of guesses, a little inside it."""
    return {
        "type": "rect", "x0": column - 0.49, "x1": column + 0.49, "y0": row - 0.47, "y1": row + 0.47,
        "line": {"color": colour, "width": 3},
    }  # fmt: skip


def _end_label(text: str, colour: str, *, x: float, y: float, shift: float, size: Sizes) -> dict[str, Any]:
    """A label right of the end of a line, with a thin arm to it where it had to move."""
    return {
        "x": x,
        "y": y,
        "ax": 1.6 * size.gap,
        "ay": -shift,
        "xanchor": "left",
        "yanchor": "middle",
        "text": f"<b>{plain_label(text, limit=None)}</b>",
        "showarrow": True,
        "arrowhead": 0,
        "arrowwidth": 1,
        "arrowcolor": colour,
        "standoff": 4,
        "font": {"size": size.word, "color": colour},
    }


if __name__ == "__main__":
    from viz.kit.demo import layerwise

    layer_predictions(layerwise()).show()
    answer_by_layer(layerwise(), token_ids=best_ids(layerwise(), 4)).show()
