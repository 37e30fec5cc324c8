"""Figures of replaced tokens (Clark et al. 2020, "ELECTRA"), labels of tokens, and labels of a text.

Labels come from a model's configuration file, which is untrusted: they are shortened and escaped like a reader's words.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pandas as pd
import plotly.graph_objects as go

from models.values.answers import ReplacedTokens, TextLabels, TokenLabels
from models.values.arguments.check import check_arguments
from models.values.record import Array, word_starts
from viz.attention.words import merged_words
from viz.kit import theme as style
from viz.kit.figures.bars import Bar, Scale, lying_bars, may_stand, standing_bars
from viz.kit.labels import label_text
from viz.kit.language import tr
from viz.kit.theme import Theme, nice_maximum, percentage
from viz.kit.tokens import SHORT, shorten, token_texts, visible
from viz.predictions.token_map import LEAST_CELL, cell_width, token_map

LIKELY = 0.5
"""The probability from which a token counts as replaced."""
MOST_LABELS = 20
"""Labels of a text that are drawn; the table holds all of them."""


@check_arguments
def replaced_tokens(answer: ReplacedTokens, *, theme: Theme = "light", width: int = style.WIDEST) -> go.Figure:
    """Draw the probability that each token was replaced, on a fixed scale from 0 to 1; a line marks one half."""
    palette = style.PALETTES[theme]
    bars = [
        Bar(
            place=place,
            label=text,
            value=float(chance),
            text=f"{chance:.0%}",
            hover=(
                _name_token(text, place),
                tr("probability of having been replaced {number}", number=percentage(float(chance))),
            ),
            colour=palette.accent if chance >= LIKELY else palette.still if token.is_special else palette.bar,
            is_called=bool(chance >= LIKELY),
        )
        for place, (token, text, chance) in enumerate(
            zip(answer.tokens, token_texts(answer.tokens), answer.probabilities, strict=True)
        )
    ]
    draw = standing_bars if may_stand(len(bars), width) else lying_bars
    note = tr(
        "How likely it is that somebody swapped this word for another. Orange: above one half, so the model says yes."
    )
    if any(token.is_special for token in answer.tokens):
        grey = tr("Grey: special tokens.")
        note = f"{note} {grey}"
    return draw(
        bars,
        scale=Scale(high=1, title=tr("probability"), limit=LIKELY),
        title=tr("Was this word replaced?"),
        note=note,
        theme=theme,
        width=width,
    )


def replaced_table(answer: ReplacedTokens) -> pd.DataFrame:
    """Return the columns position, token, is_special, probability: one row for each token."""
    return pd.DataFrame(
        {
            "position": range(len(answer.tokens)),
            "token": token_texts(answer.tokens),
            "is_special": [token.is_special for token in answer.tokens],
            "probability": answer.probabilities,
        }
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class LabelledWords:
    """The words of a text, the position of the first piece of each, and the probabilities of its labels there [n_words,
    n_labels]. Special tokens are left out."""

    texts: tuple[str, ...]
    positions: tuple[int, ...]
    labels: tuple[str, ...]
    probabilities: Array

    @property
    def best(self) -> tuple[str, ...]:
        """The likeliest label of each word, ready to show."""
        return tuple(visible(self.labels[index]) for index in self.probabilities.argmax(axis=1))

    @property
    def least_sure(self) -> int:
        """The position of the word whose likeliest label is least likely."""
        return self.positions[int(self.probabilities.max(axis=1).argmin())]


def labelled_words(answer: TokenLabels) -> LabelledWords:
    """Return the labels of whole words: the first piece of a word stands for it (Devlin et al. 2018, section 5.3)."""
    starts = word_starts(answer.tokens)
    words = merged_words(answer.tokens, starts)
    kept = [index for index, start in enumerate(starts) if not answer.tokens[start].is_special]
    texts = token_texts(words)
    positions = tuple(starts[index] for index in kept)
    return LabelledWords(
        texts=tuple(texts[index] for index in kept),
        positions=positions,
        labels=answer.labels,
        probabilities=answer.probabilities[list(positions)],
    )


@check_arguments
def token_labels(answer: TokenLabels, *, theme: Theme = "light", width: int = style.WIDEST) -> go.Figure:
    """Draw the probability of every label for every word; of many labels, only the best of each word as a bar."""
    words = labelled_words(answer)
    if not words.labels or cell_width(words.texts, len(words.labels), width) < LEAST_CELL * style.sizes(width).label:
        return _best_labels(words, theme, width)
    return token_map(
        words.probabilities,
        texts=words.texts,
        positions=words.positions,
        columns=[visible(label) for label in words.labels],
        number=tr("probability"),
        title=tr("Labels of the words"),
        note=tr("Every row sums to 1. The stronger the colour, the likelier the label."),
        theme=theme,
        width=width,
    )


def token_label_table(answer: TokenLabels) -> pd.DataFrame:
    """Return the columns position, token, is_special, best_label, probability, then the probability of every label."""
    best = answer.probabilities.argmax(axis=1)
    table = pd.DataFrame(
        {
            "position": range(len(answer.tokens)),
            "token": token_texts(answer.tokens),
            "is_special": [token.is_special for token in answer.tokens],
            "best_label": [visible(answer.labels[one]) for one in best],
            "probability": answer.probabilities.max(axis=1),
        }
    )
    names = [f"label {visible(label)}" for label in answer.labels]
    return pd.concat([table, pd.DataFrame(answer.probabilities, columns=names)], axis=1)


@check_arguments
def text_labels(answer: TextLabels, *, theme: Theme = "light", width: int = style.WIDEST) -> go.Figure:
    """Draw the probabilities of the labels of a text, the likeliest on top; at most 20 of them."""
    palette = style.PALETTES[theme]
    order = [int(one) for one in np.argsort(-answer.probabilities, kind="stable")[:MOST_LABELS]]
    bars = [
        Bar(
            place=place,
            label=label_text(answer.labels[one]),
            value=float(answer.probabilities[one]),
            text=percentage(float(answer.probabilities[one])),
            hover=(label_text(answer.labels[one]), _likely(float(answer.probabilities[one]))),
            colour=palette.bar,
        )
        for place, one in enumerate(order)
    ]
    notes = [
        tr("Each label is a separate question.")
        if answer.is_multi_label
        else tr("The probabilities of all labels sum to 1.")
    ]
    left_out = len(answer.labels) - len(order)
    if left_out:
        notes.append(tr("{n} less likely labels are not drawn.", n=left_out))
    return lying_bars(
        bars,
        scale=Scale(high=nice_maximum(max(bar.value for bar in bars)), title=tr("probability")),
        title=tr("Labels of this text"),
        note=" ".join(notes),
        theme=theme,
        width=width,
    )


def text_label_table(answer: TextLabels) -> pd.DataFrame:
    """Return the columns label and probability, the likeliest first: all labels."""
    order = np.argsort(-answer.probabilities, kind="stable")
    return pd.DataFrame(
        {"label": [visible(answer.labels[one]) for one in order], "probability": answer.probabilities[order]}
    )


def _name_token(text: str, place: int) -> str:
    return tr("{token} (position {place})", token=text, place=place)


def _likely(chance: float) -> str:
    return tr("probability {number}", number=percentage(chance))


def _best_labels(words: LabelledWords, theme: Theme, width: int) -> go.Figure:
    """Draw one bar for each word with the probability of its best label, which is named at its end."""
    palette = style.PALETTES[theme]
    rows = zip(words.positions, words.texts, words.best, words.probabilities.max(axis=1), strict=True)
    bars = [
        Bar(
            place=place,
            label=text,
            value=float(chance),
            text=f"{shorten(label, SHORT)} {chance:.0%}",
            hover=(_name_token(text, position), label, _likely(float(chance))),
            colour=palette.bar,
        )
        for place, (position, text, label, chance) in enumerate(rows)
    ]
    return lying_bars(
        bars,
        scale=Scale(high=1, title=tr("probability of the best label")),
        title=tr("Labels of the words"),
        note=tr("The likeliest of {n} labels for each word.", n=len(words.labels)),
        theme=theme,
        width=width,
    )


if __name__ == "__main__":
    from viz.kit.demos.answers import demo_replaced_tokens, labelled_text, labelled_tokens

    replaced_tokens(demo_replaced_tokens()).show()
    token_labels(labelled_tokens()).show()
    text_labels(labelled_text()).show()
