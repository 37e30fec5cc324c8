"""One position of a translating decoder: its attention to the source, and to the text written so far.

Vaswani et al. 2017, section 3.2.3: queries of the decoder meet keys of the encoder (cross attention), and keys of the
decoder up to their own position (masked self-attention). What comes later has not been written yet.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import plotly.graph_objects as go

from models.values.arguments.check import check_arguments
from models.values.record import Array, Kind
from models.values.writing import Writing
from viz.attention.transform import rows_of_weights
from viz.kit import theme as style
from viz.kit.figures.chips import (
    CHIP,
    Chip,
    Placed,
    canvas,
    centre_line,
    curve,
    draw,
    flow,
    heading,
    largest_font,
    shade,
    stroke,
)
from viz.kit.language import tr
from viz.kit.theme import Palette, Sizes, Theme, percentage
from viz.kit.tokens import SHORT, shorten, token_texts
from viz.writing.written import head_name, target_tokens

WIDEST = 1400
"""The widest this picture becomes: a long sentence needs more room than a diagram."""
FAINT = 0.02
"""A weight below this has no number and no line."""
MOST_CHIPS = 256
"""Of a longer text the tokens around the position are drawn."""
BETWEEN = 110
"""Pixels between the two sentences where lines join them."""
MOST_LINES = 3
"""Up to so many lines of text in each sentence, lines join what is written with what it looks at."""
THICKEST = 9
_KINDS: tuple[Kind, Kind] = ("cross", "decoder")


@dataclass(frozen=True, slots=True, kw_only=True)
class _Line:
    """One of the two sentences: its chips, the first of them that is drawn, and a note on what was left out."""

    name: str
    chips: tuple[Chip, ...]
    first: int
    left_out: int


@check_arguments
def translation_picture(
    writing: Writing,
    *,
    number: int,
    layer: int | None,
    head: int | None,
    theme: Theme = "light",
    width: int = WIDEST,
) -> go.Figure:
    """Draw both sentences at one position, their tokens shaded by the weights of the row that chooses the next token.

    The source carries cross attention, what is written masked self-attention; every one of the two sums to 1. No `head`
    is the mean over the heads of the layer, no `layer` the mean over all layers and heads. Where both sentences are
    short, lines join the token that is being written with what it looks at. Raises SelectionError for a
    position, layer or head out of range.
    """
    size, palette = _sizes(width), style.PALETTES[theme]
    source, target = _source(writing, number, layer, head, palette), _target(writing, number, layer, head, palette)
    both = _place_lines(source, target, size)
    record = writing.recording.of("cross")
    figure = canvas(
        title=tr("Position {place} · {head}", place=number, head=head_name(record, layer, head)),
        note=_note(source, target),
        wide=size.page,
        tall=both.target[-1].bottom + 2 * size.caption + (both.depth if both.has_lines else 0),
        size=size,
        theme=theme,
    )
    if both.has_lines:
        figure.layout.shapes = _draw_lines(writing, both, number=number, layer=layer, head=head, palette=palette)
    draw(figure, [*both.source, *both.target], font=both.font, size=size, theme=theme)
    names = ((source.name, both.source[0]), (target.name, both.target[0]))
    figure.layout.annotations += tuple(
        heading(name, x=size.gap, y=place.top - 4, size=size, theme=theme) | {"bgcolor": palette.ground}  # lines pass
        for name, place in names
    )
    return figure


@dataclass(frozen=True, slots=True, kw_only=True)
class _Both:
    """The positions of the chips of both sentences, whether lines join them, and how deep arcs hang below a line of
    text."""

    source: list[Placed]
    target: list[Placed]
    font: int
    has_lines: bool
    depth: float


def _place_lines(source: _Line, target: _Line, size: Sizes) -> _Both:
    """Place the source above the translation; in the middle, and in larger letters, where both are short."""
    gap, room = size.gap / 2, size.page - 2 * size.gap
    largest = largest_font([[chip.text for chip in line.chips] for line in (source, target)], room=room, size=size)
    fits, font = largest > 0, largest or size.word
    pitch = CHIP * font + 1.6 * size.caption + gap
    top = 2.6 * size.title + 1.6 * size.axis
    first = flow(source.chips, left=size.gap, top=top, room=room, font=font, line=pitch, gap=gap)
    between = BETWEEN if _n_lines(first) <= MOST_LINES else 2.4 * size.axis
    below = first[-1].y + pitch - CHIP * font / 2 + between
    second = flow(target.chips, left=size.gap, top=below, room=room, font=font, line=pitch, gap=gap)
    if fits:
        wider = max(first[-1].x + first[-1].wide / 2, second[-1].x + second[-1].wide / 2)
        first, second = (centre_line(line, room=wider - size.gap, left=size.gap) for line in (first, second))
    return _Both(
        source=first,
        target=second,
        font=font,
        has_lines=max(map(_n_lines, (first, second))) <= MOST_LINES,
        depth=(55.0 if size.compact else 75.0) if fits else pitch - CHIP * font,
    )


def _n_lines(placed: Sequence[Placed]) -> int:
    return len({box.y for box in placed})


def _source(writing: Writing, number: int, layer: int | None, head: int | None, palette: Palette) -> _Line:
    record, row = writing.recording.of("cross"), writing.token(number).position
    weights = rows_of_weights(record, [row], layer=layer, head=head)[0]
    texts = token_texts(record.key_tokens)
    chips = [
        _draw_chip(
            text,
            float(weight),
            palette,
            hover=(text, tr("position {place} of the source", place=place), tr("cross attention")),
        )
        for place, (text, weight) in enumerate(zip(texts, weights, strict=True))
    ]
    return _line(tr("Source · cross attention"), chips, around=int(weights.argmax()))


def _target(writing: Writing, number: int, layer: int | None, head: int | None, palette: Palette) -> _Line:
    """Return the written tokens, the one being written, and the later ones."""
    record, row = writing.recording.of("decoder"), writing.token(number).position
    weights = rows_of_weights(record, [row], layer=layer, head=head)[0]
    chips: list[Chip] = []
    for place, text in enumerate(token_texts(target_tokens(writing))):
        place_text = tr("token {place} of the decoder", place=place)
        if place <= row:
            chip = _draw_chip(
                text, float(weights[place]), palette, hover=(text, place_text, tr("masked self-attention"))
            )
            chips.append(replace(chip, outline=palette.ink) if place == row else chip)
        elif place == row + 1:
            hover = (text, place_text, tr("being written: chosen by looking at the shaded tokens"))
            chips.append(Chip(text=_short(text), hover=hover, ink=palette.accent, outline=palette.accent, is_bold=True))
        else:
            hover = (text, place_text, tr("not written yet: it cannot be seen"))
            later = Chip(text=_short(text), hover=hover, ink=palette.quiet, outline=palette.masked, dash="dot")
            chips.append(replace(later, fill=palette.ground))  # arcs run behind the words
    return _line(tr("Written so far · masked self-attention"), chips, around=row)


def _draw_chip(text: str, weight: float, palette: Palette, *, hover: tuple[str, ...]) -> Chip:
    fill, ink = shade(weight, palette)
    foot = f"{weight:.0%}" if weight >= FAINT else ""
    number = tr("weight {number}", number=percentage(weight))
    return Chip(text=_short(text), hover=(*hover, number), ink=ink, fill=fill, foot=foot)


def _line(name: str, chips: Sequence[Chip], *, around: int) -> _Line:
    """Return a line of at most MOST_CHIPS chips, those around a place."""
    first = min(max(around - MOST_CHIPS // 2, 0), max(len(chips) - MOST_CHIPS, 0))
    kept = tuple(chips[first : first + MOST_CHIPS])
    return _Line(name=name, chips=kept, first=first, left_out=len(chips) - len(kept))


def _draw_lines(
    writing: Writing, both: _Both, *, number: int, layer: int | None, head: int | None, palette: Palette
) -> list[dict[str, object]]:
    """Return the lines from the token being written to the tokens that it looks at in both sentences."""
    row = writing.token(number).position
    crossing, own = (rows_of_weights(writing.recording.of(kind), [row], layer=layer, head=head)[0] for kind in _KINDS)
    return [
        *_to_source(both.source, both.target[row + 1], crossing, palette),
        *_to_written(both.target, row, own, palette, both.depth),
    ]


def _to_source(source: Sequence[Placed], writes: Placed, weights: Array, palette: Palette) -> list[dict[str, object]]:
    """Return lines from the token being written up to every source token that it looks at."""
    return [
        curve(
            writes.x,
            writes.top,
            place.x,
            place.bottom + _number_room(place),
            colour=palette.bar,
            width=_thickness(float(weight)),
            opacity=_opacity(float(weight)),
        )
        for place, weight in zip(source, weights, strict=True)
        if weight >= FAINT
    ]


def _to_written(
    target: Sequence[Placed], row: int, weights: Array, palette: Palette, depth: float
) -> list[dict[str, object]]:
    """Return arcs below the line, from the token being written back to those that it looks at, and lines up to those
    in an earlier line of text."""
    begin = target[row + 1]
    arcs = []
    for back, (place, weight) in enumerate(zip(target[row::-1], weights[row::-1], strict=True), start=1):
        if weight < FAINT:
            continue
        width, opacity = _thickness(float(weight)), _opacity(float(weight))
        if place.y < begin.y:
            ends = begin.x, begin.top, place.x, place.bottom + _number_room(place)
            arcs.append(curve(*ends, colour=palette.bar, width=width, opacity=opacity))
            continue
        low = begin.bottom + _number_room(place) + depth * min(0.35 + 0.13 * back, 1.0)
        path = (
            f"M {begin.x:.1f},{begin.bottom:.1f} C {begin.x:.1f},{low:.1f} {place.x:.1f},{low:.1f} "
            f"{place.x:.1f},{place.bottom + _number_room(place):.1f}"
        )
        arcs.append(stroke(path, colour=palette.bar, width=width, opacity=opacity))
    return arcs


def _number_room(place: Placed) -> float:
    """Return the height of the number under a chip, in pixels."""
    return 18.0 if place.chip.foot else 2.0


def _thickness(weight: float) -> float:
    return max(THICKEST * weight, 1.0)


def _opacity(weight: float) -> float:
    return min(0.25 + 0.75 * weight, 1.0)


def _short(text: str) -> str:
    return shorten(text, SHORT)


def _note(source: _Line, target: _Line) -> str:
    parts = [
        tr(
            "The stronger the colour, the larger the weight. The weights of each sentence sum to 100%; numbers under "
            "2% are left out. Framed: the last token so far, which sends out the query. Orange: the token that is "
            "written. Dotted: not written yet, hidden by the mask."
        )
    ]
    if source.left_out:
        parts.append(tr("Source: {n} of {all} tokens are shown.", **_count_chips(source)))
    if target.left_out:
        parts.append(tr("Written so far: {n} of {all} tokens are shown.", **_count_chips(target)))
    return " ".join(parts)


def _count_chips(line: _Line) -> dict[str, int]:
    return {"n": len(line.chips), "all": len(line.chips) + line.left_out}


def _sizes(width: int) -> Sizes:
    return replace(style.sizes(width), page=min(width, WIDEST))


if __name__ == "__main__":
    from viz.writing.demo import writing

    translation_picture(writing(), number=4, layer=None, head=None).show()
