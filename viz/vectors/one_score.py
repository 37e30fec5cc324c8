"""One query and one key in numbers, up to the weight; and the scores and weights of all keys as a list with bars."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np
import plotly.graph_objects as go
from numpy.typing import NDArray

from models.values.arguments.check import check_arguments
from models.values.record import Array, AttentionRecord
from viz.kit import theme as style
from viz.kit.calculation import score_as_text
from viz.kit.figures.chips import CHIP, Chip, Placed, chip_width, shade_signed
from viz.kit.figures.sheet import Box, Sheet, in_bold
from viz.kit.language import tr
from viz.kit.theme import MINUS, Theme, number, percentage, whole_percent
from viz.kit.tokens import escape, plain_label, shorten, token_texts
from viz.vectors.query_key_value import Lookup, Order, look_up, ordered_keys

SHOWN, SHOWN_COMPACT = 5, 3
"""The dimensions that are written, those with the largest products."""
BOX, BOX_COMPACT = 76, 52
GAP = 2
LINE, TALL = 46, 40
"""From one vector to the next, and the height of a number's box, in pixels."""
NAMES, NAMES_COMPACT = 168, 96
"""The room for the names at the left."""
ARROW, ARROW_COMPACT = 92, 64
"""The room for an arrow and its words between two results."""
ROW, BAR = 23, 15
"""The height of a key's line, and of its bar."""
MOST = 18
"""The most keys that have a line."""
PALER = 1.7
"""By how much the colours reach beyond the largest number: what is read is the number."""
LONGEST = 14
"""The letters of a token's name."""
SCORE = 76
"""The room for a score."""


@check_arguments
def score_sum(
    record: AttentionRecord,
    *,
    layer: int,
    head: int,
    position: int,
    key: int,
    theme: Theme = "light",
    width: int = style.WIDEST,
) -> go.Figure:
    """Draw how a query and a key make a score: their largest products, number by number, the sum of the others, and the
    way from the sum to the weight.

    Raises SelectionError for a layer, head, position or key out of range.
    """
    look = look_up(record, layer=layer, head=head, position=position)
    sheet = Sheet(size=replace(style.sizes(width), page=width), theme=theme)
    compact, caption = sheet.size.compact, sheet.size.caption
    names, wide = (NAMES_COMPACT, BOX_COMPACT) if compact else (NAMES, BOX)
    fitting = int((width - names) // (wide + GAP)) - 1  # the last place is that of the others
    n_shown = max(1, min(SHOWN_COMPACT if compact else SHOWN, fitting))
    shown = np.argsort(-np.abs(look.products[key]), kind="stable")[:n_shown]
    n_more, top = len(look.query) - len(shown), 1.8 * caption
    heads = [*map(str, shown), *([tr("{n} more", n=n_more)] if n_more else [])]
    for place, text in enumerate(heads):
        x = names + place * (wide + GAP) + wide / 2
        sheet.write(text, x, 0.7 * caption, anchor="center", ink=sheet.palette.quiet, size=caption)
    sheet.write(tr("dimension"), sheet.size.gap / 2, 0.7 * caption, ink=sheet.palette.quiet, size=caption)
    for line, vector in enumerate(_vectors(look, key, shown)):
        _write_vector(sheet, vector, Box(left=names, top=top + line * LINE, wide=wide, tall=TALL))
    bottom = _write_way(sheet, look, key, top=top + 3 * LINE + 0.5 * caption)
    note = tr("The dimensions with the largest products, rounded. Blue is above zero, orange below.")
    return sheet.figure(note=note, tall=bottom)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Vector:
    """The numbers of a vector that are written, and `rest`, what stands for the others; "" if there are none."""

    name: str
    about: str
    numbers: Array
    rest: str


def _vectors(look: Lookup, key: int, shown: NDArray[np.intp]) -> Iterator[_Vector]:
    text, products = token_texts(look.key_tokens, limit=LONGEST)[key], look.products[key]
    asks = tr("“{token}” asks", token=shorten(look.text, LONGEST))
    rest = number(float(look.dots[key]) - float(products[shown].sum(dtype=np.float64)), digits=2, plus=True)
    dots, rest = ("…", rest) if len(shown) < len(products) else ("", "")
    yield _Vector(name=tr("query q"), about=asks, numbers=look.query[shown], rest=dots)
    answers = tr("“{token}” answers", token=text)
    yield _Vector(name="× " + tr("key k"), about=answers, numbers=look.keys[key][shown], rest=dots)
    yield _Vector(name="= q × k", about=tr("blue where both agree"), numbers=products[shown], rest=rest)


def _write_vector(sheet: Sheet, vector: _Vector, place: Box) -> None:
    """Write a vector from `place` on: its name and meaning at the left, its numbers in boxes, then the rest."""
    left, reach = sheet.size.gap / 2, max(PALER * float(np.abs(vector.numbers).max(initial=0)), 1e-9)
    sheet.write(f"<b>{escape(vector.name)}</b>", left, place.top + 0.26 * place.tall)
    about = plain_label(vector.about, limit=None)
    sheet.write(about, left, place.top + 0.76 * place.tall, ink=sheet.palette.quiet, size=sheet.size.caption)
    x = place.left + place.wide / 2
    for value in map(float, vector.numbers):
        fill, ink = shade_signed(value, reach, sheet.palette)
        chip = Chip(text=number(value, digits=2), hover=(number(value),), ink=ink, fill=fill)
        sheet.boxes.append(Placed(chip=chip, x=x, y=place.middle, wide=place.wide, tall=place.tall))
        x += place.wide + GAP
    if vector.rest:
        sheet.write(escape(vector.rest), x, place.middle, anchor="center")


def _write_way(sheet: Sheet, look: Lookup, key: int, *, top: float) -> float:
    """Write the sum of the products, and each step from it to the weight, and return where they end."""
    size, palette = sheet.size, sheet.palette
    font, tall = size.word, CHIP * size.word
    arrow = ARROW_COMPACT if size.compact else ARROW
    x, y = size.gap / 2, top + tall / 2
    for how, text, name in _way(look, key):
        wide = chip_width(text, font)
        if how:
            if x + arrow + wide > size.page:
                x, y = size.gap / 2, y + tall + 2 * size.caption
            sheet.write("→", x + arrow / 2, y - 0.1 * size.caption, anchor="center", size=size.title)
            sheet.write(
                how, x + arrow / 2, y + 1.1 * size.caption, anchor="center", ink=palette.quiet, size=size.caption
            )
            x += arrow
        is_last = name == tr("weight")
        fill, ink = (palette.accent, palette.ground) if is_last else (palette.masked, palette.ink)
        chip = Chip(text=text, hover=(name,), ink=ink, fill=fill, foot=name, is_bold=is_last)
        sheet.boxes.append(Placed(chip=chip, x=x + wide / 2, y=y, wide=wide, tall=tall))
        x += wide
    return y + tall / 2 + 1.6 * size.caption


def _way(look: Lookup, key: int) -> Iterator[tuple[str, str, str]]:
    """Yield each result from the sum of the products to the weight: how it is made, the number, and its name."""
    yield "", score_as_text(look.dots[key]), tr("sum = q · k")
    made: list[tuple[str, float]] = []
    if look.scale != 1:
        made.append((f"× {look.scale:.3g}", float(look.scaled[key])))
    if look.soft_cap is not None:
        made.append((tr("cap ±{cap}", cap=f"{look.soft_cap:g}"), float(look.capped[key])))
    if look.has_bias:
        made.append((tr("+ bias"), float(look.capped[key] + look.bias[key])))
    if not look.visible[key]:
        made.append((tr("masked"), -np.inf))
    for place, (how, value) in enumerate(made, start=1):
        yield how, _score(value), tr("score") if place == len(made) else ""
    yield tr("softmax"), whole_percent(float(look.weights[key])), tr("weight")


def _write_heads(sheet: Sheet, scores: float, bars: float) -> None:
    """Write the heads of the two columns: that of the scores ends at a place, that of the bars begins at one."""
    size, share = sheet.size, tr("share of the attention")
    if style.title_width(share, size.label) >= size.page - bars:
        share = tr("weight")
    for text, x, anchor in ((tr("score"), scores, "right"), (share, bars, "left")):
        sheet.write(f"<b>{escape(text)}</b>", x, 0.7 * size.label, anchor=anchor)


def _score(value: float) -> str:
    return f"{MINUS}∞" if np.isneginf(value) else score_as_text(value)


@check_arguments
def key_list(
    record: AttentionRecord,
    *,
    layer: int,
    head: int,
    position: int,
    order: Order = "sentence",
    answer: int | None = None,
    theme: Theme = "light",
    width: int = style.WIDEST,
) -> go.Figure:
    """Draw a line for each key: its score, and its weight as a bar. The key at position `answer` is set off, special
    tokens are grey; of many keys, those with the largest weights have a line.

    Raises SelectionError for a layer, head or position out of range.
    """
    look = look_up(record, layer=layer, head=head, position=position)
    sheet = Sheet(size=replace(style.sizes(width), page=width), theme=theme)
    size, palette = sheet.size, sheet.palette
    keys, texts = ordered_keys(look, order, most=MOST), token_texts(look.key_tokens, limit=LONGEST)
    right = 0.28 * width
    bars = right + SCORE + 2 * size.gap
    room = max(width - bars - 3.6 * size.label, 20)
    top = 1.8 * size.label
    _write_heads(sheet, right + SCORE, bars)
    for line, key in enumerate(map(int, keys)):
        place = Box(left=bars, top=top + line * ROW + (ROW - BAR) / 2, wide=room, tall=BAR)
        is_special = look.key_tokens[key].is_special
        ink = palette.accent if key == answer else palette.quiet if is_special else palette.ink
        name = in_bold(texts[key]) if key == answer else plain_label(texts[key])
        sheet.write(name, right, place.middle, anchor="right", ink=ink)
        sheet.write(_score(look.scores[key]), right + SCORE, place.middle, anchor="right", ink=ink)
        weight = float(look.weights[key])
        length = max(weight * room, 1)
        colour = palette.accent if key == answer else palette.still if is_special else palette.bar
        sheet.fill(replace(place, wide=length), colour)
        sheet.write(percentage(weight), bars + length + 4, place.middle, ink=ink, size=size.caption)
    note = "" if len(keys) == len(texts) else tr("The {n} strongest of {all} tokens.", n=len(keys), all=len(texts))
    return sheet.figure(note=note, tall=top + len(keys) * ROW + size.gap / 2)


if __name__ == "__main__":
    from viz.kit.demos.records import random_record

    score_sum(random_record(), layer=0, head=0, position=2, key=1).show()
    key_list(random_record(), layer=0, head=0, position=2, answer=1).show()
