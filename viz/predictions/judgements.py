"""What a model judges: tokens that were replaced (Clark et al. 2020, "ELECTRA"), labels of tokens, labels of a text.

Labels are words of a stranger's configuration file: they are shortened and escaped like the words of a reader.
"""

from __future__ import annotations

import numpy as np
import pandas as pd
import plotly.graph_objects as go

from models.values.answers import ReplacedTokens, TextLabels, TokenLabels
from viz.kit import theme as style
from viz.kit.bars import Bar, Scale, lying_bars, may_stand, standing_bars
from viz.kit.theme import Theme, four_digits, nice_maximum, percentage
from viz.kit.tokens import SHORT, shorten, token_texts, visible
from viz.predictions.token_map import LEAST_CELL, cell_width, token_map

LIKELY = 0.5
"""From this probability on, a model says that a token was replaced."""
MOST_LABELS = 20
"""Labels of a text that are drawn; the table holds all of them."""


def replaced_tokens(answer: ReplacedTokens, *, theme: Theme = "light", width: int = style.WIDEST) -> go.Figure:
    """The probability of each token to have been replaced, on a fixed scale from 0 to 1; a line marks one half."""
    palette = style.PALETTES[theme]
    bars = [
        Bar(
            place=place,
            label=text,
            value=float(chance),
            text=f"{chance:.0%}",
            hover=(f"{text} (position {place})", f"probability of having been replaced {four_digits(float(chance))}"),
            colour=palette.accent if chance >= LIKELY else palette.still if token.is_special else palette.bar,
            is_called=bool(chance >= LIKELY),
        )
        for place, (token, text, chance) in enumerate(
            zip(answer.tokens, token_texts(answer.tokens), answer.probabilities, strict=True)
        )
    ]
    draw = standing_bars if may_stand(len(bars), width) else lying_bars
    return draw(
        bars,
        scale=Scale(high=1, title="probability", limit=LIKELY),
        title="Was this word replaced?",
        note="The probability that somebody put this word in the place of another. Orange: beyond one half, the model "
        "says yes." + (" Grey: special tokens." if any(token.is_special for token in answer.tokens) else ""),
        theme=theme,
        width=width,
    )


def replaced_table(answer: ReplacedTokens) -> pd.DataFrame:
    """Columns position, token, is_special, probability: one row a token."""
    return pd.DataFrame(
        {
            "position": range(len(answer.tokens)),
            "token": token_texts(answer.tokens),
            "is_special": [token.is_special for token in answer.tokens],
            "probability": answer.probabilities,
        }
    )


def token_labels(answer: TokenLabels, *, theme: Theme = "light", width: int = style.WIDEST) -> go.Figure:
    """The probability of every label for every token; of many labels, only the best of each token as a bar."""
    texts = token_texts(answer.tokens)
    if not answer.labels or cell_width(texts, len(answer.labels), width) < LEAST_CELL * style.sizes(width).label:
        return _best_labels(answer, theme, width)
    return token_map(
        answer.probabilities,
        texts=texts,
        columns=[visible(label) for label in answer.labels],
        number="probability",
        title="Labels of the tokens",
        note="Every row sums to 1; the stronger the colour, the likelier the label.",
        theme=theme,
        width=width,
    )


def token_label_table(answer: TokenLabels) -> pd.DataFrame:
    """Columns position, token, is_special, best_label, probability, then the probability of every label."""
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


def text_labels(answer: TextLabels, *, theme: Theme = "light", width: int = style.WIDEST) -> go.Figure:
    """The probabilities of the labels of a text, the likeliest on top; at most 20 of them."""
    palette = style.PALETTES[theme]
    order = [int(one) for one in np.argsort(-answer.probabilities, kind="stable")[:MOST_LABELS]]
    bars = [
        Bar(
            place=place,
            label=visible(answer.labels[one]),
            value=float(answer.probabilities[one]),
            text=percentage(float(answer.probabilities[one])),
            hover=(visible(answer.labels[one]), f"probability {four_digits(float(answer.probabilities[one]))}"),
            colour=palette.bar,
        )
        for place, one in enumerate(order)
    ]
    note = (
        "Each label is a question of its own." if answer.is_multi_label else "The probabilities of all labels sum to 1."
    )
    left_out = len(answer.labels) - len(order)
    return lying_bars(
        bars,
        scale=Scale(high=nice_maximum(max(bar.value for bar in bars)), title="probability"),
        title="Labels of this text",
        note=note + (f" {left_out} less likely labels are not drawn." if left_out else ""),
        theme=theme,
        width=width,
    )


def text_label_table(answer: TextLabels) -> pd.DataFrame:
    """Columns label and probability, the likeliest first: all labels."""
    order = np.argsort(-answer.probabilities, kind="stable")
    return pd.DataFrame(
        {"label": [visible(answer.labels[one]) for one in order], "probability": answer.probabilities[order]}
    )


def _best_labels(answer: TokenLabels, theme: Theme, width: int) -> go.Figure:
    """One bar a token, as long as its best label is likely, which stands at its end."""
    palette = style.PALETTES[theme]
    rows = zip(answer.tokens, token_texts(answer.tokens), answer.probabilities, strict=True)
    bars = []
    for place, (token, text, chances) in enumerate(rows):
        best = int(chances.argmax())
        label = visible(answer.labels[best])
        bars.append(
            Bar(
                place=place,
                label=text,
                value=float(chances[best]),
                text=f"{shorten(label, SHORT)} {chances[best]:.0%}",
                hover=(f"{text} (position {place})", label, f"probability {four_digits(float(chances[best]))}"),
                colour=palette.still if token.is_special else palette.bar,
            )
        )
    return lying_bars(
        bars,
        scale=Scale(high=1, title="probability of the best label"),
        title="Labels of the tokens",
        note=f"The likeliest of {len(answer.labels)} labels for each token.",
        theme=theme,
        width=width,
    )


if __name__ == "__main__":
    from viz.kit.demo import labelled_text, labelled_tokens, replaced

    replaced_tokens(replaced()).show()
    token_labels(labelled_tokens()).show()
    text_labels(labelled_text()).show()
