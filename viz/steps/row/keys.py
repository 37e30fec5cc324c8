"""The scores and weights of one token, a line for each token that it looks at: bars with their numbers, and vectors."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
import plotly.graph_objects as go
from numpy.typing import NDArray

from models.values.arguments.check import check_arguments
from models.values.record import Array
from models.values.steps import LayerWalk, Step, StepArray
from viz.kit import theme as style
from viz.kit.calculation import score_as_text
from viz.kit.figures.sheet import GAP, Box, Sheet, in_bold, joining
from viz.kit.language import said, tr
from viz.kit.theme import MINUS, Theme, percentage
from viz.kit.tokens import escape, plain_label, shorten, token_texts
from viz.kit.tokens import width as columns_of
from viz.steps.one_row import looked_at
from viz.steps.walk import is_weights, reaches_of, signs_of

MOST, MOST_COMPACT = 16, 12
"""Tokens that have a line of their own; of a longer text, those with the largest weights or scores."""
LINE, BAR = 23, 15
"""The height of a line and of its bar, in pixels."""
QUERY = 30
"""The height of the token's own vector."""
LETTER = 0.56
SIGN, SIGN_COMPACT = 68, 34
"""The room for a sign between two columns."""
NUMBER = 7
"""The letters of a number beside a bar."""
LONGEST = 14
"""The letters of a token's name."""


@dataclass(frozen=True, slots=True, kw_only=True)
class _Column:
    """An array with its place in the table: `area` covers the lines of all tokens."""

    array: StepArray
    area: Box
    reach: float
    """Where the colours of a vector end."""
    below: float
    above: float
    """How far the bars of all columns of this kind reach from zero."""
    sign: str


@check_arguments
def keys_picture(
    walk: LayerWalk, step: Step, *, row: int, before: LayerWalk | None, theme: Theme, width: int
) -> go.Figure:
    """Draw a line for each key token: its score and its weight as bars, the first numbers of its key and its value."""
    size = style.sizes(width)
    sheet = Sheet(size=size, theme=theme)
    keys = _shown_keys(walk, step, row, MOST_COMPACT if size.compact else MOST)
    names = _names_room(walk, keys, size.label) + size.gap
    own = [array.columns != "key" and array.rows == "query" for array in (*step.inputs, *step.outputs)]
    top = 2.4 * size.label + (QUERY + 2 * size.gap if own[0] else 0)
    columns = _columns(sheet, walk, step, own, row=row, names=names, top=top, tall=LINE * len(keys))
    _write_names(sheet, walk, keys, row=row, right=names, top=top)
    for column in columns:
        _draw_column(sheet, walk, step, column, keys, row=row, before=before)
    bottom = top + LINE * len(keys)
    if own[0]:
        place = replace(columns[0].area, top=size.gap / 2, tall=QUERY)
        _draw_own(sheet, step.inputs[0], place, row=row, reach=columns[0].reach, sign="")
    if own[-1]:
        place = replace(columns[-1].area, top=bottom + size.gap, tall=QUERY)
        _draw_own(sheet, step.outputs[-1], place, row=row, reach=columns[-1].reach, sign="=")
        bottom = place.top + place.tall
    return sheet.figure(note=_note(walk, step, keys), tall=bottom + size.gap / 2)


def _shown_keys(walk: LayerWalk, step: Step, row: int, most: int) -> NDArray[np.intp]:
    """Return the keys that have a line, in the order of the text: of many, the strongest, among them the one that the
    sentences speak of."""
    strength = next(
        array.values[row] for array in reversed((*step.inputs, *step.outputs)) if array.columns == "key"
    ).astype(np.float64)
    strength[looked_at(walk, row)] = np.inf
    return np.sort(np.argsort(-strength, kind="stable")[:most])


def _names_room(walk: LayerWalk, keys: NDArray[np.intp], font: int) -> float:
    texts = token_texts(walk.key_tokens, limit=LONGEST)
    return LETTER * font * max(columns_of(texts[key]) for key in keys) + font


def _columns(
    sheet: Sheet, walk: LayerWalk, step: Step, own: list[bool], *, row: int, names: float, top: float, tall: float
) -> list[_Column]:
    """Return the arrays that have a line for each token, side by side."""
    arrays = (*step.inputs, *step.outputs)
    given = list(zip(arrays, reaches_of(step), signs_of(walk, step), own, strict=True))
    shown = [(array, reach, sign) for array, reach, sign, is_own in given if not is_own]
    between = SIGN_COMPACT if sheet.size.compact else SIGN
    wide = (sheet.size.page - names - 2 * sheet.size.gap - between * (len(shown) - 1)) / len(shown)
    scores = [array.values[row] for array in arrays if array.columns == "key" and not is_weights(array)]
    finite = np.concatenate([values[np.isfinite(values)] for values in scores] or [np.zeros(1)])
    below, above = float(-finite.min(initial=0)), float(finite.max(initial=0))
    return [
        _Column(
            array=array,
            reach=reach,
            below=0 if is_weights(array) else below,
            above=1 if is_weights(array) else above,
            sign=sign if place else "",
            area=Box(left=names + sheet.size.gap + place * (wide + between), top=top, wide=wide, tall=tall),
        )
        for place, (array, reach, sign) in enumerate(shown)
    ]


def _write_names(sheet: Sheet, walk: LayerWalk, keys: NDArray[np.intp], *, row: int, right: float, top: float) -> None:
    """Write the key tokens: special ones quietly, the one that is looked at most as the arcs do."""
    texts, best = token_texts(walk.key_tokens), looked_at(walk, row)
    for line, key in enumerate(keys):
        text = shorten(texts[key], LONGEST)
        is_quiet = walk.key_tokens[key].is_special
        ink = sheet.palette.accent if key == best else sheet.palette.quiet if is_quiet else ""
        label = in_bold(text) if key == best else plain_label(text)
        sheet.write(label, right, top + (line + 0.5) * LINE, anchor="right", ink=ink)


def _draw_column(
    sheet: Sheet,
    walk: LayerWalk,
    step: Step,
    column: _Column,
    keys: NDArray[np.intp],
    *,
    row: int,
    before: LayerWalk | None,
) -> None:
    array, area = column.array, column.area
    title = f"{in_bold(array.symbol)} · {escape(said(array.name))}"
    sheet.write(title, area.left, area.top - 1.1 * sheet.size.label)
    if column.sign:
        _write_sign(sheet, column)
    if array.columns != "key":
        for line, key in enumerate(keys):
            place = Box(left=area.left, top=area.top + line * LINE, wide=area.wide, tall=LINE - GAP)
            sheet.vector(array.values[key], place, reach=column.reach)
        return
    values = array.values[row]
    was = _values_before(before, step, array, row)
    for line, key in enumerate(keys):
        place = Box(left=area.left, top=area.top + line * LINE + (LINE - BAR) / 2, wide=area.wide, tall=BAR)
        _draw_bar(sheet, walk, column, place, float(values[key]), key=int(key), best=looked_at(walk, row))
        if was is not None and np.isfinite(was[key]):
            _mark(sheet, column, place, float(was[key]))


def _values_before(before: LayerWalk | None, step: Step, array: StepArray, row: int) -> Array | None:
    """Return the same row without the change; None without one."""
    if before is None or step.name not in before.names:
        return None
    known = before.step(step.name)
    place = [*step.inputs, *step.outputs].index(array)
    values: Array = (*known.inputs, *known.outputs)[place].values[row]
    return values


def _write_sign(sheet: Sheet, column: _Column) -> None:
    """Write the sign in front of a column, and its words below it."""
    mark, words = joining(column.sign.replace("·", "×"))  # a weight times a vector
    size, x = sheet.size, column.area.left - (SIGN_COMPACT if sheet.size.compact else SIGN) / 2
    sheet.write(f"<b>{mark}</b>", x, column.area.middle - size.label, anchor="center", size=size.title)
    if words and not size.compact:
        sheet.write(words, x, column.area.middle + 0.4 * size.label, anchor="center", size=size.caption)


def _zero(sheet: Sheet, column: _Column) -> tuple[float, float]:
    """Return the place of 0 in a column, and the pixels of a 1; at its ends there is room for numbers."""
    room = LETTER * sheet.size.caption * NUMBER
    below = room if column.below else 0
    pixels = max(column.area.wide - room - below, 8) / max(column.below + column.above, 1e-9)
    return column.area.left + below + column.below * pixels, pixels


def _draw_bar(sheet: Sheet, walk: LayerWalk, column: _Column, place: Box, value: float, *, key: int, best: int) -> None:
    """Draw a bar from zero with its number at its end."""
    zero, pixels = _zero(sheet, column)
    palette = sheet.palette
    text = percentage(value) if is_weights(column.array) else score_as_text(value)
    if not np.isfinite(value) or not value:
        text = "0" if np.isfinite(value) else f"{MINUS}∞"
        sheet.write(text, zero, place.middle, anchor="center", ink=palette.quiet, size=sheet.size.caption)
        return
    length = abs(value) * pixels
    colour = palette.accent if key == best else palette.still if walk.key_tokens[key].is_special else palette.bar
    left = zero - length if value < 0 else zero
    sheet.fill(Box(left=left, top=place.top, wide=max(length, 1), tall=place.tall), colour)
    end, anchor = (left - 4, "right") if value < 0 else (zero + length + 4, "left")
    ink = palette.accent if key == best else palette.quiet if walk.key_tokens[key].is_special else palette.ink
    sheet.write(escape(text), end, place.middle, anchor=anchor, ink=ink, size=sheet.size.caption)


def _mark(sheet: Sheet, column: _Column, place: Box, value: float) -> None:
    """Draw a thin line where a bar ended before the change."""
    zero, pixels = _zero(sheet, column)
    at = zero + max(min(value, column.above), -column.below) * pixels
    sheet.fill(Box(left=at - 1, top=place.top - 3, wide=2, tall=place.tall + 6), sheet.palette.ink)


def _draw_own(sheet: Sheet, array: StepArray, place: Box, *, row: int, reach: float, sign: str) -> None:
    """Draw the token's own vector above or below the vectors of all tokens, with its name left of it."""
    sheet.vector(array.values[row], place, reach=reach)
    sheet.frame(place)
    name = f"{sign} {in_bold(array.symbol)}" if sign else in_bold(array.symbol)
    sheet.write(name, place.left - sheet.size.gap, place.middle, anchor="right")


def _note(walk: LayerWalk, step: Step, keys: NDArray[np.intp]) -> str:
    """Return what the colours mean, and how many tokens are not drawn."""
    parts, n, all_keys = [], len(keys), len(walk.key_tokens)
    if any(walk.key_tokens[key].is_special for key in keys):
        parts.append(tr("Grey: special tokens."))
    if any(array.columns != "key" for array in (*step.inputs, *step.outputs)):
        parts.append(tr("The first numbers of each vector: blue above zero, orange below."))
    if n < all_keys:
        parts.append(tr("The {n} strongest of {all} tokens.", n=n, all=all_keys))
    return " ".join(parts)
