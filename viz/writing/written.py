"""A decoder's output as tokens, rows of weights, bars of candidates and a table, for every picture of a writing.

The row of a token is the one that it was chosen from: its query is the token before it.
"""

from __future__ import annotations

from collections.abc import Sequence

import pandas as pd
import plotly.graph_objects as go

from models.values.arguments.check import check_arguments
from models.values.record import AttentionRecord, Token
from models.values.writing import Writing, WrittenToken
from viz.kit import theme as style
from viz.kit.figures.bars import Bar, Scale, lying_bars
from viz.kit.language import said, to_say, tr
from viz.kit.theme import Theme, nice_maximum, percentage
from viz.kit.tokens import shorten, spelled, spelled_apart, token_texts, visible

ALL_HEADS = to_say("mean over all layers and heads")
MOST_BARS = 8
HEADING = 14
"""Columns that a word takes in a heading."""


def target_tokens(writing: Writing) -> tuple[Token, ...]:
    """Return all tokens on the decoder's side: the start, and all that was written, the last one included."""
    seen = writing.recording.of("decoder").query_tokens
    last = writing.written[-1]
    if last.position + 1 < len(seen):
        return seen
    return (*seen, Token(text=last.chosen.text, segment=seen[-1].segment, is_special=writing.is_finished))


def written_tokens(writing: Writing) -> tuple[Token, ...]:
    """Return the tokens that the decoder wrote."""
    tokens = target_tokens(writing)
    return tuple(tokens[written_token.position + 1] for written_token in writing.written)


@check_arguments
def head_name(record: AttentionRecord, layer: int | None, head: int | None) -> str:
    """Return the name of a head, "Layer 0 · Head 3", or of a mean."""
    if layer is None:
        return said(ALL_HEADS)
    if head is None:
        return tr("Layer {layer} · mean over {n} heads", layer=layer, n=record.n_heads)
    return tr("Layer {layer} · Head {head}", layer=layer, head=head)


@check_arguments
def candidate_bars(
    writing: Writing, *, number: int, most: int = MOST_BARS, theme: Theme = "light", width: int = style.WIDEST
) -> go.Figure:
    """Draw the `most` likeliest tokens at a position, the likeliest on top; the one that was taken is highlighted.

    If it is not among them it has no bar, and the caption says so. Raises SelectionError for a wrong position.
    """
    shown, palette = writing.token(number), style.PALETTES[theme]
    candidates = shown.candidates[:most]
    words = spelled_apart([choice.text for choice in candidates])
    taken = place_taken(shown)
    bars = [
        Bar(
            place=place,
            label=word,
            value=choice.probability,
            text=percentage(choice.probability),
            hover=(
                word,
                tr("probability {number}", number=percentage(choice.probability)),
                tr("piece {piece}", piece=visible(choice.text)),
            ),
            colour=palette.accent if place == taken else palette.bar,
            is_called=place == taken,
        )
        for place, (choice, word) in enumerate(zip(candidates, words, strict=True))
    ]
    return lying_bars(
        bars,
        scale=Scale(high=nice_maximum(max(choice.probability for choice in candidates)), title=tr("probability")),
        title=tr("Position {place}: which token comes next?", place=number),
        note=_note(writing, number, taken if taken is None or taken < most else None),
        theme=theme,
        width=width,
    )


def tokens_table(writing: Writing) -> pd.DataFrame:
    """Return every candidate at every position, best first: step (the position in what was written), position (the row
    of the attention), taken token, rank, candidate, piece (the tokenizer's spelling), probability, is_taken, text so
    far."""
    rows = []
    for number, written_token in enumerate(writing.written):
        taken = place_taken(written_token)
        for place, choice in enumerate(written_token.candidates):
            rows.append(
                {
                    "step": number,
                    "position": written_token.position,
                    "taken": spelled(written_token.chosen.text),
                    "taken_probability": written_token.chosen.probability,
                    "rank": place + 1,
                    "candidate": spelled(choice.text),
                    "piece": visible(choice.text),
                    "probability": choice.probability,
                    "is_taken": place == taken,
                    "text_so_far": written_token.text_so_far,
                }
            )
    return pd.DataFrame(rows)


def short_words(tokens: Sequence[Token]) -> tuple[str, ...]:
    """Return the tokens as they are named in a heading."""
    return tuple(shorten(text, HEADING) for text in token_texts(tokens))


def place_taken(shown: WrittenToken) -> int | None:
    """Return the place of the token that was taken among the candidates, None if it is not there."""
    return next((place for place, choice in enumerate(shown.candidates) if choice.text == shown.chosen.text), None)


def _note(writing: Writing, number: int, taken: int | None) -> str:
    shown = writing.token(number)
    parts = [tr("Probability among all {n} tokens that the model knows.", n=f"{writing.info.d_vocab:,}")]
    if taken is None:
        word, share = shorten(spelled(shown.chosen.text), HEADING), percentage(shown.chosen.probability)
        parts.append(tr("The model took “{token}”, with {share}, which is not among these.", token=word, share=share))
        return " ".join(parts)
    parts.append(tr("Orange: the token that was taken."))
    if taken and writing.branches:
        parts.append(tr("It is not the likeliest here: beam search compares whole texts."))
    return " ".join(parts)


if __name__ == "__main__":
    from viz.writing.demo import writing

    candidate_bars(writing(), number=2).show()
