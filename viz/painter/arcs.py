"""Arcs over a sentence: its strongest links between two words, as the viewer draws them (frontend/arcs_layout.js)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from models.values.record import Token
from viz.attention.matrix import Matrix
from viz.kit.language import tr
from viz.kit.theme import Palette, whole_percent
from viz.kit.tokens import token_texts
from viz.painter.drawing import BezierCurve, DrawnShape, Label, cut_to_width, text_width
from viz.painter.maps import PicturePart

SIZES = (34.0, 30.0, 26.0, 22.0, 18.0)
LEAST, MOST_LINKS, WORDS_A_LINK = 0.1, 12, 3
WRITTEN, LEAST_WRITTEN = 4, 0.08
SPACE, TALL = 0.3, 1.5
THIN, THICK, OF_SPAN, OF_DROP = 1.0, 22.0, 0.15, 0.06
LOWEST, STEEPNESS, APEX = 16.0, 0.36, 0.75
FAINT, STEEP = 0.12, 0.8
NUMBER = 16.0


@dataclass(frozen=True, slots=True, kw_only=True)
class PlacedWord:
    """A word and where it stands: the middle of its box, and the line that it is in, counted from the top."""

    text: str
    x: float
    line: int
    place: int


@dataclass(frozen=True, slots=True, kw_only=True)
class PlacedLine:
    """The heights of a line of words: where its arcs may rise to, where its boxes begin and end."""

    ceiling: float
    top: float
    bottom: float


def draw_arcs(matrix: Matrix, palette: Palette, *, width: float, of_word: int | None = None) -> PicturePart:
    """Return the words and the arcs between them, those of one word alone if the position of its first token is given;
    of two texts the keys stand above the queries."""
    is_one_text = matrix.query_tokens == matrix.key_tokens
    queries = _plain(matrix.query_tokens)
    keys = queries if is_one_text else _plain(matrix.key_tokens)
    asked = [word for word in queries if matrix.query_positions[word[0]] == of_word] or queries
    links = _links(matrix, asked, keys, is_one_text=is_one_text)
    texts = [queries] if is_one_text else [keys, queries]
    size, broken = _fit_lines(texts, width)
    words, lines = _place_words(broken, size, is_one_text=is_one_text)
    of_queries = {word.place: word for word in words[-1]}
    of_keys = {word.place: word for word in words[0]}
    shapes: list[DrawnShape] = []
    shares: list[Label] = []
    for query, key, weight in links:
        curve, top = _arc(of_queries[query], of_keys[key], lines, weight, palette, is_one_text=is_one_text)
        shapes.append(curve)
        shares.append(_share(top, weight, palette))
    shapes += [
        Label(
            x=word.x,
            y=lines[word.line].bottom - 0.45 * size,
            text=word.text,
            size=size,
            fill=palette.ink,
            anchor="middle",
        )
        for text in words
        for word in text
    ]
    strongest = [label for label, link in zip(shares, links, strict=True) if link[2] >= LEAST_WRITTEN][-WRITTEN:]
    shapes += _apart(strongest[::-1])
    return PicturePart(width=width, height=lines[-1].bottom, shapes=tuple(shapes), note=_note(matrix, links))


def _plain(tokens: Sequence[Token]) -> list[tuple[int, str, int]]:
    """Return (place, text, segment) of the words that are no special tokens."""
    texts = token_texts(tokens)
    return [
        (place, text, token.segment)
        for place, (token, text) in enumerate(zip(tokens, texts, strict=True))
        if not token.is_special
    ]


def _links(
    matrix: Matrix, queries: Sequence[tuple[int, str, int]], keys: Sequence[tuple[int, str, int]], *, is_one_text: bool
) -> list[tuple[int, int, float]]:
    """Return the strongest links (query, key, weight) between two different words, strongest last."""
    rows, columns = [place for place, *_ in queries], [place for place, *_ in keys]
    values = np.where(matrix.masked, 0, matrix.values)[np.ix_(rows, columns)]
    if is_one_text:
        values[np.equal.outer(rows, columns)] = 0
    most = max(MOST_LINKS, len(rows) // WORDS_A_LINK)
    order = np.argsort(values, axis=None, kind="stable")[-most:]
    found = [(*np.unravel_index(place, values.shape), float(values.flat[place])) for place in order]
    return [(rows[row], columns[column], value) for row, column, value in found if value >= LEAST]


def _fit_lines(
    texts: Sequence[Sequence[tuple[int, str, int]]], width: float
) -> tuple[float, list[list[list[tuple[int, str, float]]]]]:
    """Return the largest letters by which every text has at most two lines, else the smallest, and the lines."""
    for size in SIZES:
        broken = [_broken(text, size, width) for text in texts]
        if size == SIZES[-1] or all(len(lines) <= 2 for lines in broken):
            return size, broken
    raise AssertionError


def _broken(text: Sequence[tuple[int, str, int]], size: float, width: float) -> list[list[tuple[int, str, float]]]:
    """Return the words of a text in lines of (place, text, width); a second sentence begins a line of its own."""
    lines: list[list[tuple[int, str, float]]] = []
    used, last_segment = 0.0, None
    for place, written, segment in text:
        cut = cut_to_width(written, size, 0.6 * width)
        wide = max(text_width(cut, size) + SPACE * size, size)
        if not lines or used + wide > width or segment != last_segment:
            lines.append([])
            used = 0
        lines[-1].append((place, cut, wide))
        used, last_segment = used + wide, segment
    return lines


def _place_words(
    texts: Sequence[Sequence[Sequence[tuple[int, str, float]]]], size: float, *, is_one_text: bool
) -> tuple[list[list[PlacedWord]], list[PlacedLine]]:
    """Return the words of every text where they stand, and the heights of all lines."""
    words: list[list[PlacedWord]] = []
    lines: list[PlacedLine] = []
    y = 0.0
    most = 150.0 if sum(map(len, texts)) == 1 else 88.0 if sum(map(len, texts)) <= 4 else 40.0
    for number, text in enumerate(texts):
        words.append([])
        y += 110.0 if number else 0.0
        for line in text:
            lift = min(most, LOWEST + STEEPNESS * sum(wide for *_, wide in line)) + NUMBER + THICK / 2 + 4
            above = lift if is_one_text else 0.35 * size
            lines.append(PlacedLine(ceiling=y, top=y + above, bottom=y + above + TALL * size))
            x = 0.0
            for place, written, wide in line:
                words[-1].append(PlacedWord(text=written, x=x + wide / 2, line=len(lines) - 1, place=place))
                x += wide
            y = lines[-1].bottom
    return words, lines


def _arc(
    query: PlacedWord,
    key: PlacedWord,
    lines: Sequence[PlacedLine],
    weight: float,
    palette: Palette,
    *,
    is_one_text: bool,
) -> tuple[BezierCurve, tuple[float, float]]:
    """Return the arc of a link, and where its top is: between the lines of words it is a wave."""
    thick = THIN + (THICK - THIN) * weight
    if query.line == key.line:
        line, span = lines[query.line], abs(query.x - key.x)
        lift = min(line.top - line.ceiling - NUMBER - THICK / 2 - 4, LOWEST + STEEPNESS * span)
        thick = min(thick, max(OF_SPAN * span, THIN))
        start, end = (query.x, line.top), (key.x, line.top)
        pulls = ((query.x, line.top - lift / APEX), (key.x, line.top - lift / APEX))
        top = ((query.x + key.x) / 2, line.top - lift - thick / 2 - 2)
    else:
        upper, lower = sorted((query, key), key=lambda word: word.line)
        start, end = (upper.x, lines[upper.line].bottom), (lower.x, lines[lower.line].top)
        middle = (start[1] + end[1]) / 2
        if is_one_text:
            thick = min(thick, max(OF_DROP * (end[1] - start[1]), THIN))
        pulls = ((upper.x, middle), (lower.x, middle))
        top = ((upper.x + lower.x) / 2, middle + NUMBER / 3)
    opacity = FAINT + (1 - FAINT) * min(STEEP * weight, 1)
    return BezierCurve(start=start, pulls=pulls, end=end, stroke=palette.accent, width=thick, opacity=opacity), top


def _share(top: tuple[float, float], weight: float, palette: Palette) -> Label:
    text = whole_percent(weight)
    half = text_width(text, NUMBER) / 2
    return Label(
        x=max(top[0], half), y=max(top[1], NUMBER), text=text, size=NUMBER, fill=palette.ink, anchor="middle", bold=True
    )


def _apart(labels: Sequence[Label]) -> list[Label]:
    """Return labels, strongest first, without those that would stand over a stronger one."""
    kept: list[Label] = []
    for label in labels:
        half = text_width(label.text, NUMBER) / 2 + 3
        if all(abs(other.x - label.x) >= 2 * half or abs(other.y - label.y) >= NUMBER for other in kept):
            kept.append(label)
    return kept


def _note(matrix: Matrix, links: Sequence[tuple[int, int, float]]) -> str:
    """Return what the arcs leave out: weaker links, those of a word to itself, and special tokens with their share."""
    special = [place for place, token in enumerate(matrix.key_tokens) if token.is_special]
    asked = [place for place, token in enumerate(matrix.query_tokens) if not token.is_special]
    told = [tr("Shown: the strongest links between two words, from {least} on.", least=f"{LEAST:.0%}")]
    if not links:
        told = [tr("No link between two words has a weight of {least} or more.", least=f"{LEAST:.0%}")]
    if special and asked:
        share = float(np.where(matrix.masked, 0, matrix.values)[np.ix_(asked, special)].sum(axis=1).mean())
        told.append(tr("Special tokens get {share} of the attention of the words.", share=whole_percent(share)))
    return " ".join(told)
