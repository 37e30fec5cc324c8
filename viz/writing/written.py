"""What a decoder wrote, as tokens, rows of weights, bars of candidates and a table: for every picture of a writing.

The row of a token is that of the step that wrote it. Its query stands at the token before, the last one that was there.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pandas as pd
import plotly.graph_objects as go

from models.values.record import Array, AttentionRecord, Token
from models.values.writing import Writing, WritingStep
from viz.kit import theme as style
from viz.kit.bars import Bar, Scale, lying_bars
from viz.kit.theme import Theme, four_digits, nice_maximum, percentage
from viz.kit.tokens import shorten, spelled, spelled_apart, token_texts, visible

ALL_HEADS = "mean over all layers and heads"
MOST_BARS = 8
HEADING = 14
"""Columns that a word takes in a heading."""


def target_tokens(writing: Writing) -> tuple[Token, ...]:
    """All tokens on the side of the decoder: the start, and all that was written, the last one as well."""
    seen = writing.recording.of("decoder").query_tokens
    last = writing.steps[-1]
    if last.position + 1 < len(seen):
        return seen
    return (*seen, Token(text=last.chosen.text, segment=seen[-1].segment, is_special=writing.is_finished))


def written_tokens(writing: Writing) -> tuple[Token, ...]:
    """The tokens that the steps wrote, one a step."""
    tokens = target_tokens(writing)
    return tuple(tokens[step.position + 1] for step in writing.steps)


def rows_of_weights(record: AttentionRecord, positions: Sequence[int], *, layer: int | None, head: int | None) -> Array:
    """Some rows of the weights [n_positions, n_key]: of a head, of the mean over the heads of a layer if there is no
    `head`, of the mean over all layers and heads if there is no `layer`. Raises SelectionError."""
    layers = range(record.n_layers) if layer is None else (layer,)
    total = np.zeros((len(positions), record.n_key), np.float64)
    for each in layers:
        if head is None or layer is None:
            total += record.mean_weights(each)[list(positions)]
        else:
            total += record.weights(each, head)[list(positions)]
    mean: Array = (total / len(layers)).astype(np.float32)
    return mean


def head_name(record: AttentionRecord, layer: int | None, head: int | None) -> str:
    """ "Layer 0 · Head 3", or which mean it is."""
    if layer is None:
        return ALL_HEADS
    return f"Layer {layer} · " + (f"mean over {record.n_heads} heads" if head is None else f"Head {head}")


def candidate_bars(
    writing: Writing, *, step: int, most: int = MOST_BARS, theme: Theme = "light", width: int = style.WIDEST
) -> go.Figure:
    """The `most` likeliest tokens of a step, the likeliest on top; the one that was taken stands out.

    If it is not among them it has no bar, and the caption says so. Raises SelectionError for a step that is not there.
    """
    shown, palette = writing.step(step), style.PALETTES[theme]
    candidates = shown.candidates[:most]
    words = spelled_apart([choice.text for choice in candidates])
    taken = place_taken(shown)
    bars = [
        Bar(
            place=place,
            label=word,
            value=choice.probability,
            text=percentage(choice.probability),
            hover=(word, f"probability {four_digits(choice.probability)}", f"piece {visible(choice.text)}"),
            colour=palette.accent if place == taken else palette.bar,
            is_called=place == taken,
        )
        for place, (choice, word) in enumerate(zip(candidates, words, strict=True))
    ]
    return lying_bars(
        bars,
        scale=Scale(high=nice_maximum(max(choice.probability for choice in candidates)), title="probability"),
        title=f"Step {step}: which token comes next?",
        note=_note(writing, step, taken if taken is None or taken < most else None),
        theme=theme,
        width=width,
    )


def steps_table(writing: Writing) -> pd.DataFrame:
    """Every candidate of every step, best first: step, position (the row of the attention), taken token, rank,
    candidate, piece (the tokenizer's spelling), probability, is_taken, text so far."""
    rows = []
    for number, step in enumerate(writing.steps):
        taken = place_taken(step)
        for place, choice in enumerate(step.candidates):
            rows.append(
                {
                    "step": number,
                    "position": step.position,
                    "taken": spelled(step.chosen.text),
                    "taken_probability": step.chosen.probability,
                    "rank": place + 1,
                    "candidate": spelled(choice.text),
                    "piece": visible(choice.text),
                    "probability": choice.probability,
                    "is_taken": place == taken,
                    "text_so_far": step.text_so_far,
                }
            )
    return pd.DataFrame(rows)


def short_words(tokens: Sequence[Token]) -> tuple[str, ...]:
    """The tokens as they are called in a heading."""
    return tuple(shorten(text, HEADING) for text in token_texts(tokens))


def place_taken(shown: WritingStep) -> int | None:
    """The place of the token that was taken among the candidates, None if it is not there."""
    return next((place for place, choice in enumerate(shown.candidates) if choice.text == shown.chosen.text), None)


def _note(writing: Writing, step: int, taken: int | None) -> str:
    shown = writing.step(step)
    said = f"Probability among all {writing.info.d_vocab:,} tokens that the model knows. "
    if taken is None:
        word = shorten(spelled(shown.chosen.text), HEADING)
        return said + f"Taken was “{word}”, with {percentage(shown.chosen.probability)}, which is not among these."
    said += "Orange: the token that was taken."
    if taken and writing.branches:
        said += " Not the likeliest here: beam search compares whole texts."
    return said


if __name__ == "__main__":
    from viz.writing.demo import writing

    candidate_bars(writing(), step=2).show()
