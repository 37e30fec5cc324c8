"""Small drawings of what a page shows, for the cards of Home: SVG."""

from __future__ import annotations

from collections.abc import Iterator

WIDE, TALL = 240, 72
BLUE, ORANGE, GREY = "#4a7be0", "#d9541a", "#8b94a6"
"""Seen on a light and on a dark ground."""


def small_maps() -> str:
    """Draw two rows of attention maps, one of them framed."""
    maps = "".join(
        _map(4 + 40 * column, 2 + 36 * row, shift=(column + row) % 3) for row in (0, 1) for column in range(6)
    )
    return _drawing(
        maps + f'<rect x="81" y="35" width="38" height="36" fill="none" stroke="{ORANGE}" stroke-width="3"/>'
    )


def hidden_word() -> str:
    """Draw a line of words with a gap, and bars for what may stand there."""
    words = _line(4, 14, 50) + _line(62, 14, 30) + _line(180, 14, 54)
    gap = f'<rect x="100" y="6" width="72" height="16" rx="4" fill="none" stroke="{ORANGE}" stroke-width="3"/>'
    return _drawing(words + gap + "".join(_bar(100, 32 + 13 * row, wide) for row, wide in enumerate((110, 46, 18))))


def switched_off() -> str:
    """Draw a board of heads with one switched off."""
    cells = "".join(
        _cell(4 + 19 * column, 2 + 18 * row, 15, (5 * row + 3 * column) % 7 / 8)
        for row in range(4)
        for column in range(12)
    )
    cross = f'<path d="M137 38l15 15m0-15l-15 15" stroke="{ORANGE}" stroke-width="4"/>'
    return _drawing(cells + cross)


def wall_of_tiles() -> str:
    """Draw groups of tiles under their headings."""
    return _drawing(
        "".join(
            _line(4, 8 + 36 * row, 70 + 30 * row)
            + "".join(_tile(4 + 39 * tile, 15 + 36 * row, is_chosen=(row, tile) == (0, 1)) for tile in range(n_tiles))
            for row, n_tiles in enumerate((4, 6))
        )
    )


def forming() -> str:
    """Draw a loss that falls, and a blur that becomes a diagonal."""
    curve = f'<path d="M6 8C30 10 34 56 106 62" fill="none" stroke="{ORANGE}" stroke-width="3"/>'
    axes = f'<path d="M4 2v66h108" fill="none" stroke="{GREY}" stroke-opacity=".4" stroke-width="2"/>'
    blur = "".join(_cell(128 + 12 * (n % 4), 14 + 12 * (n // 4), 10, 0.25) for n in range(16))
    diagonal = "".join(
        _cell(190 + 12 * (n % 4), 14 + 12 * (n // 4), 10, 0.9 if n % 5 == 0 else 0.08) for n in range(16)
    )
    return _drawing(axes + curve + blur + diagonal)


def guessed_answer() -> str:
    """Draw a question with three answers, one of which is ticked."""
    answers = "".join(
        f'<circle cx="14" cy="{32 + 16 * row}" r="5" fill="none" stroke="{GREY}" stroke-width="2"/>'
        + _line(28, 32 + 16 * row, wide)
        for row, wide in enumerate((90, 120, 70))
    )
    tick = f'<path d="M10 47l4 5 9-13" fill="none" stroke="{ORANGE}" stroke-width="4"/>'
    return _drawing(f"{_line(4, 10, 170)}{answers}{tick}")


def _drawing(content: str) -> str:
    return (
        f'<svg viewBox="0 0 {WIDE} {TALL}" width="{WIDE}" height="{TALL}" xmlns="http://www.w3.org/2000/svg">'
        f"{content}</svg>"
    )


def _map(x: int, y: int, *, shift: int) -> str:
    """Draw a map of 4 x 4 cells: a diagonal, or a column."""
    return "".join(_cell(x + 8 * column, y + 8 * row, 7, weight) for row, column, weight in _weights(shift))


def _weights(shift: int) -> Iterator[tuple[int, int, float]]:
    """Yield (row, column, weight) of a map that looks back, on, or at the first token."""
    for row in range(4):
        for column in range(4):
            is_strong = column == 0 if shift == 2 else (column - row + shift) % 4 == 0
            yield row, column, 0.85 if is_strong else 0.12


def _cell(x: int, y: int, side: int, weight: float) -> str:
    return (
        f'<rect x="{x}" y="{y}" width="{side}" height="{side}" fill="{BLUE}" fill-opacity="{max(weight, 0.08):.2f}"/>'
    )


def _tile(x: int, y: int, *, is_chosen: bool) -> str:
    return (
        f'<rect x="{x}" y="{y}" width="34" height="14" rx="4" fill="{BLUE}" fill-opacity="{1 if is_chosen else 0.25}"/>'
    )


def _bar(x: int, y: int, wide: int) -> str:
    return f'<rect x="{x}" y="{y}" width="{wide}" height="9" fill="{BLUE}"/>'


def _line(x: int, y: int, wide: int) -> str:
    """Draw a line of writing, seen from far away."""
    return f'<rect x="{x}" y="{y - 3}" width="{wide}" height="6" rx="3" fill="{GREY}" fill-opacity=".45"/>'
