"""The answer after every layer by two lenses: read from the states as they are, and carried to the last layer first.

The "logit lens" (nostalgebraist 2020) and the "Jacobian lens" (Gurnee et al. 2026), each with how often it has the
final answer already, counted over texts that the lens was not computed from.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import pandas as pd
import plotly.graph_objects as go

from models.values.answers import LayerwisePrediction
from models.values.arguments.check import check_arguments
from models.values.record import Array
from models.values.results.lens import JacobianLens
from viz.kit import theme as style
from viz.kit.figures.bar_legends import LETTER
from viz.kit.figures.cells import Cells, Frame, cell_frame, cell_map, cell_text
from viz.kit.language import said, tr
from viz.kit.theme import Palette, Theme, percentage, whole_percent
from viz.kit.tokens import escape, plain_label, visible
from viz.kit.tokens import width as columns
from viz.predictions.layer_answers import best_of_layers, probabilities_of, state_names, words_of

WIDEST_CELL = 170
LensColumn = tuple[list[str], Array, Array]
"""By one lens: the words after every layer, their probabilities, and how often they are final."""


@check_arguments
def two_lenses(
    plain: LayerwisePrediction,
    carried: LayerwisePrediction,
    lens: JacobianLens,
    *,
    theme: Theme = "light",
    width: int = style.WIDEST,
) -> go.Figure:
    """Draw the likeliest word after every layer by the logit lens (`plain`) and by the Jacobian lens (`carried`).

    Beside each word stands in which share of texts that lens has the final answer after this layer.
    """
    size, palette, names = style.sizes(width), style.PALETTES[theme], [said(name) for name in state_names(plain)]
    left = LETTER * size.label * max(map(columns, names)) + 2 * size.gap
    top = 2.6 * size.title + 3.2 * size.label
    wide = min(size.page - left - size.gap, 4 * WIDEST_CELL)
    by_lens = [_best(plain, lens.as_they_are), _best(carried, lens.carried)]
    values = np.column_stack([column for _words, chances, shares in by_lens for column in (chances, shares)])
    limit = int((wide / 4 - 8) / (LETTER * size.word))
    figure = cell_map(
        Cells(values=values, rows=names, columns=_headings(), hover=_hover(names, by_lens), gap=3),
        Frame(left=left, right=size.gap, top=top, wide=wide, tall=2.6 * size.label * len(names)),
        title=tr("Two lenses · {model}", model=escape(plain.info.name)),
        text=tr(
            "The likeliest word if the model's own head reads the state after this layer: as it is, and carried to the "
            "last layer by the mean Jacobian of {texts} texts. Beside it: in how many of {answers} other texts that "
            "word is the final answer. Orange frame: the final answer of this text.",
            texts=lens.n_texts,
            answers=lens.n_answers,
        ),
        inside=[
            cell_text(row, column, text, strength=float(values[row, column]), palette=palette, font=size.word)
            for row, texts in enumerate(_texts(by_lens, limit))
            for column, text in enumerate(texts)
        ],
        theme=theme,
        size=size,
    )
    return figure.update_layout(shapes=_frames(by_lens, palette))


def _frames(by_lens: Sequence[LensColumn], palette: Palette) -> list[dict[str, Any]]:
    """Return a frame around every cell that has the final answer."""
    answer = by_lens[0][0][-1]
    return [
        cell_frame(row, 2 * number, palette.accent)
        for number, (words, *_) in enumerate(by_lens)
        for row, word in enumerate(words)
        if word == answer
    ]


@check_arguments
def lens_table(plain: LayerwisePrediction, carried: LayerwisePrediction, lens: JacobianLens) -> pd.DataFrame:
    """Return the columns after, lens, word, probability, has_final_answer: a row for every state and lens."""
    names = list(map(str, state_names(plain)))
    by_lens = {"logit": _best(plain, lens.as_they_are), "Jacobian": _best(carried, lens.carried)}
    return pd.DataFrame(
        {
            "after": name,
            "lens": lens_name,
            "word": words[row],
            "probability": float(chances[row]),
            "has_final_answer": float(shares[row]),
        }
        for lens_name, (words, chances, shares) in by_lens.items()
        for row, name in enumerate(names)
    )


def _best(prediction: LayerwisePrediction, shares: Array) -> LensColumn:
    """Return the likeliest word after every layer, its probability, and the shares beside it, each [n_layers + 1]."""
    ids = best_of_layers(prediction, 1)
    return [words[0] for words in words_of(prediction, ids)], probabilities_of(prediction, ids)[:, 0], shares


def _texts(by_lens: Sequence[LensColumn], limit: int) -> list[list[str]]:
    """Return the text of every cell [n_layers + 1, 4], as markup."""
    return [
        [
            text
            for words, _chances, shares in by_lens
            for text in (plain_label(words[row], limit=limit), whole_percent(float(shares[row])))
        ]
        for row in range(len(by_lens[0][0]))
    ]


def _hover(names: list[str], by_lens: Sequence[LensColumn]) -> list[list[str]]:
    """Return the hover text of every cell."""

    def describe(row: int) -> list[str]:
        return [
            text
            for words, chances, shares in by_lens
            for text in (
                f"<b>{escape(visible(words[row]))}</b><br>{names[row]}<br>"
                + tr("probability {number}", number=percentage(float(chances[row]))),
                tr("the final answer in {share} of the texts", share=percentage(float(shares[row]))),
            )
        ]

    return [describe(row) for row in range(len(names))]


def _headings() -> list[str]:
    """Return the headings of the columns, each in two lines, so that four stand side by side on a telephone."""

    def broken(heading: str) -> str:
        first, *others = heading.split(" ")
        return f"{first}<br>{' '.join(others)}" if len(others) < 2 else f"{first} {others[0]}<br>{' '.join(others[1:])}"

    final = tr("has the final answer")
    return [broken(heading) for heading in (tr("Logit lens"), final, tr("Jacobian lens"), final)]


if __name__ == "__main__":
    from viz.kit.demos.answers import demo_lens, layerwise

    two_lenses(layerwise(), layerwise(), demo_lens()).show()
