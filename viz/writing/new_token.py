"""The attention of a decoder when it writes its next token: a row of weights, over all tokens so far.

The row is that of the last token that is there, which has read all before it; from it the next token is guessed
(Radford et al. 2018, equation 2). Every row of weights sums to 1.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
import pandas as pd
import plotly.graph_objects as go

from models.values.arguments.check import check_arguments
from models.values.record import Array, AttentionRecord, Token
from models.values.writing import Writing
from viz.attention.heatmap import attention_title
from viz.kit import theme as style
from viz.kit.figures.bars import Bar, Scale, lying_bars
from viz.kit.figures.chips import CHIP, Chip, Placed, canvas, draw, flow, shade, stroke
from viz.kit.language import tr
from viz.kit.row_sums import sum_of_weights
from viz.kit.theme import Palette, Sizes, Theme, nice_maximum, percentage
from viz.kit.tokens import SHORT, plain_label, shorten, token_texts
from viz.writing.written import target_tokens

WIDEST = 1400
FAINT = 0.02
"""A weight below this has no number and no arc."""
MOST = 160
"""Of a longer text the last tokens are drawn."""
LARGE_UNTIL = 40
"""The most tokens that are written in large letters."""
STRONGEST = 8
THICKEST = 9


@dataclass(frozen=True, slots=True, kw_only=True)
class NewToken:
    """The attention behind a new token: `weights` [n] of the `tokens` before it, in reading order, and the token
    written next. The first `n_prompt` tokens are the reader's own."""

    tokens: tuple[Token, ...]
    texts: tuple[str, ...]
    weights: Array
    written: str
    n_prompt: int


def new_token(writing: Writing, *, number: int, layer: int, head: int | None) -> NewToken:
    """Return the attention behind a token; without `head`, the mean over the heads of the layer. Raises SelectionError
    for a number, layer or head out of range."""
    row = writing.token(number).position
    record, tokens = writing.recording.of("decoder"), target_tokens(writing)
    rows = slice(row, row + 1)
    weights = record.mean_weights(layer, rows) if head is None else record.weights(layer, head, rows)
    texts = token_texts(tokens)
    return NewToken(
        tokens=tokens[: row + 1],
        texts=texts[: row + 1],
        weights=weights[0, : row + 1],
        written=texts[row + 1],
        n_prompt=writing.written[0].position + 1,
    )


@check_arguments
def new_token_attention(
    writing: Writing, *, number: int, layer: int, head: int | None, theme: Theme = "light", width: int = style.WIDEST
) -> go.Figure:
    """Draw the text up to the new token, every word shaded by the weight that it gets, on the scale from 0 to 1.

    Where it fits into one line, arcs join the new token with what it looks at. What the model has written has an
    underline, the new token a frame. Raises SelectionError.
    """
    attention, palette = new_token(writing, number=number, layer=layer, head=head), style.PALETTES[theme]
    size = replace(style.sizes(width), page=min(width, WIDEST))
    first = max(len(attention.tokens) - MOST, 0)
    chips = _chips(attention, first, palette)
    font = size.word if len(chips) <= LARGE_UNTIL and not size.compact else size.label
    gap, room = 0.3 * font, size.page - size.gap
    top = 2.9 * size.title
    placed = flow(
        chips, left=size.gap // 2, top=top, room=room, font=font, line=CHIP * font + 1.9 * size.caption, gap=gap
    )
    has_arcs = placed[0].y == placed[-1].y
    if has_arcs:
        placed = [replace(box, y=box.y + _height(size)) for box in placed]
    figure = canvas(
        title=tr("New token {n}: what “{token}” looks at", n=number, token=plain_label(attention.written)),
        note=_note(attention, first, writing.recording.of("decoder"), layer=layer, head=head, has_arcs=has_arcs),
        wide=size.page,
        tall=placed[-1].bottom + 1.8 * size.caption,
        size=size,
        theme=theme,
    )
    figure.layout.shapes = [
        *(_arcs(placed, attention.weights[first:], palette, _height(size)) if has_arcs else ()),
        *(_underline(box, palette) for box in placed[max(attention.n_prompt - first, 0) : -1]),
    ]
    return draw(figure, placed, font=font, size=size, theme=theme)


@check_arguments
def strongest_bars(
    writing: Writing, *, number: int, layer: int, head: int | None, theme: Theme = "light", width: int = style.WIDEST
) -> go.Figure:
    """Draw the tokens that the new one looks at most, the strongest on top, then all others together. Raises
    SelectionError."""
    attention, palette = new_token(writing, number=number, layer=layer, head=head), style.PALETTES[theme]
    order = np.argsort(-attention.weights, kind="stable")
    kept = [int(place) for place in order[:STRONGEST]]
    bars = [
        _bar(
            row,
            f"{place} {attention.texts[place]}",
            float(attention.weights[place]),
            palette.still if attention.tokens[place].is_special else palette.bar,
        )
        for row, place in enumerate(kept)
    ]
    others = len(attention.weights) - len(kept)
    if others:
        rest = float(attention.weights[order[STRONGEST:]].sum())
        bars.append(_bar(len(kept) + 0.3, tr("{n} others", n=others), rest, palette.still))
    whole = sum_of_weights(writing.recording.of("decoder"), layer, whole="100%")
    notes = [tr("The number in front is the position. The bars sum to {sum}.", sum=whole)]
    if others:
        notes.append(tr("Grey: special tokens, and all other tokens together."))
    return lying_bars(
        bars,
        scale=Scale(high=nice_maximum(max(bar.value for bar in bars)), title=tr("weight")),
        title=tr("The strongest of {n} tokens", n=len(attention.weights)),
        note=" ".join(notes),
        theme=theme,
        width=width,
    )


def attention_table(writing: Writing, *, layer: int, head: int | None) -> pd.DataFrame:
    """Return the weights behind every new token: columns step (its number), written, position, token, is_prompt,
    weight."""
    rows: list[pd.DataFrame] = []
    for number in range(len(writing.written)):
        attention = new_token(writing, number=number, layer=layer, head=head)
        rows.append(
            pd.DataFrame(
                {
                    "step": number,
                    "written": attention.written,
                    "position": range(len(attention.tokens)),
                    "token": attention.texts,
                    "is_prompt": np.arange(len(attention.tokens)) < attention.n_prompt,
                    "weight": attention.weights,
                }
            )
        )
    return pd.concat(rows, ignore_index=True)


def _chips(found: NewToken, first: int, palette: Palette) -> list[Chip]:
    """Return the tokens so far, shaded, and the one that is written."""
    chips = []
    for place in range(first, len(found.tokens)):
        weight, text = float(found.weights[place]), found.texts[place]
        fill, ink = shade(weight, palette)
        whose = tr("the prompt") if place < found.n_prompt else tr("written by the model")
        here = tr("{token} (position {place})", token=text, place=place)
        hover = (here, whose, tr("weight {number}", number=percentage(weight)))
        foot = f"{weight:.0%}" if weight >= FAINT else ""
        chips.append(Chip(text=shorten(text, SHORT), hover=hover, ink=ink, fill=fill, foot=foot))
    here = tr("{token} (position {place})", token=found.written, place=len(found.tokens))
    new = (here, tr("the new token"))
    accent = palette.accent
    return [*chips, Chip(text=shorten(found.written, SHORT), hover=new, ink=accent, outline=accent, is_bold=True)]


def _arcs(placed: Sequence[Placed], weights: Array, palette: Palette, height: float) -> list[dict[str, object]]:
    """Return arcs above the line from the new token to every token that it looks at."""
    *others, new = placed
    longest = max(new.x - others[0].x, 1.0)
    arcs = []
    for place, weight in zip(others, weights, strict=True):
        if weight < FAINT:
            continue
        high = new.top - height * (0.35 + 0.65 * (new.x - place.x) / longest) * 1.2
        path = (
            f"M {new.x:.1f},{new.top:.1f} C {new.x:.1f},{high:.1f} {place.x:.1f},{high:.1f} "
            f"{place.x:.1f},{place.top:.1f}"
        )
        arcs.append(
            stroke(
                path,
                colour=palette.bar,
                width=max(THICKEST * float(weight), 1.0),
                opacity=min(0.25 + 0.75 * float(weight), 1.0),
            )
        )
    return arcs


def _height(size: Sizes) -> float:
    """Return the height of the arcs above the line."""
    return 50.0 if size.compact else 90.0


def _underline(placed: Placed, palette: Palette) -> dict[str, object]:
    """Return a line below a word that the model has written."""
    half, y = placed.wide / 2, placed.bottom + 2
    line = {"color": palette.accent, "width": 2}
    return {"type": "line", "x0": placed.x - half, "x1": placed.x + half, "y0": y, "y1": y, "line": line}


def _bar(place: float, label: str, weight: float, colour: str) -> Bar:
    return Bar(
        place=place,
        label=label,
        value=weight,
        text=percentage(weight),
        colour=colour,
        hover=(label, tr("weight {number}", number=percentage(weight))),
    )


def _note(found: NewToken, first: int, record: AttentionRecord, *, layer: int, head: int | None, has_arcs: bool) -> str:
    last = tr(
        "{head}. The row of “{token}” (position {place}), the last token so far, from which the next one is guessed.",
        head=attention_title(record, layer, head),
        token=shorten(found.texts[-1], SHORT),
        place=len(found.tokens) - 1,
    )
    sums = {"sum": sum_of_weights(record, layer)}
    if has_arcs:
        scale = tr(
            "The stronger the colour, the larger the weight; they sum to {sum}, arcs and numbers from 2% on.", **sums
        )
    else:
        scale = tr("The stronger the colour, the larger the weight; they sum to {sum}, numbers from 2% on.", **sums)
    parts = [last, scale, tr("Orange frame: the new token.")]
    if len(found.tokens) > found.n_prompt:
        parts.append(tr("Underlined: written by the model earlier."))
    if first:
        lost = percentage(float(found.weights[:first].sum()))
        parts.append(
            tr("Shown: the last {n} tokens; the {rest} before them get {share}.", n=MOST, rest=first, share=lost)
        )
    return " ".join(parts)


if __name__ == "__main__":
    from viz.writing.demo_continuation import continuation

    new_token_attention(continuation(), number=4, layer=0, head=3).show()
