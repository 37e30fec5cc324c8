"""The picture of a class before a room is open: a question on the wall, and a telephone on which it is answered."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from unicodedata import east_asian_width

from ui.widgets.asking.showcases import OF_LANGUAGES, Showcase, Side
from viz.kit.language import ENGLISH, language, tr
from viz.kit.theme import DARK, FONT, LIGHT, Palette, Theme
from viz.kit.tokens import escape

WIDE, HIGH = 720, 380
LETTERS = "KTRB"
HEIGHTS = (0.25, 1.0, 0.4)
"""The heights of the columns of answers."""
TAPPED = 1
"""The index of the word that is tapped on the telephone, and is the answer."""
ASKED = {ENGLISH: ("pizza", ("dog", "pizza", "cat")), "ko": ("숙제를 안", ("숙제", "했", "나"))}
"""By language what the sentence of the picture holds, a showcase, and the words that can be tapped."""


def class_picture(theme: Theme) -> str:
    """Return the picture as SVG, in the current language."""
    brush = _Brush(DARK if theme == "dark" else LIGHT)
    (_, shown), words = asked_showcase(), ASKED[language()][1]
    question = tr("Which token does “{token}” look at most?", token=shown.query)
    drawn = _wall(brush, shown.text, question, words) + _telephone(brush, question, words)
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDE} {HIGH}" width="{WIDE}" height="{HIGH}" '
        f'font-family="{escape(FONT)}">{drawn}</svg>'
    )


def asked_showcase() -> tuple[Showcase, Side]:
    """Return the showcase about whose word the picture asks, in the current language."""
    part = ASKED[language()][0]
    return next((one, side) for offered in OF_LANGUAGES for one in offered for side in one.sides if part in side.text)


def _wall(brush: _Brush, text: str, question: str, words: Sequence[str]) -> str:
    """Draw the picture of the projector: letters, sentence, question, and the columns of answers."""
    parts = [
        brush.box(4, 4, 500, 330, 8),
        brush.text(484, 46, LETTERS, size=32, weight=700, anchor="end", spacing=6),
        brush.text(28, 42, tr("On the wall"), size=15, quiet=True),
        brush.text(28, 88, text, size=20, weight=700),
        brush.text(28, 124, question, size=19),
    ]
    for index, (word, share) in enumerate(zip(words, HEIGHTS, strict=True)):
        left, height = 60 + 140 * index, 120 * share
        parts.append(brush.column(left, 290 - height, 90, height, is_right=index == TAPPED))
        parts.append(brush.text(left + 45, 318, word, size=19, anchor="middle"))
    return "".join(parts)


def _telephone(brush: _Brush, question: str, words: Sequence[str]) -> str:
    """Draw a telephone: the question in two lines, and the words to tap."""
    left = 530
    parts = [
        brush.box(left, 70, 180, 300, 22),
        brush.text(left + 18, 102, tr("On a telephone"), size=13, quiet=True),
        *(
            brush.text(left + 18, 134 + 20 * line, part, size=15)
            for line, part in enumerate(_in_lines(question, longest=20))
        ),
    ]
    for index, word in enumerate(words):
        parts.append(brush.button(left + 18, 200 + 52 * index, 144, 42, word, is_tapped=index == TAPPED))
    return "".join(parts)


def _in_lines(text: str, *, longest: int) -> list[str]:
    """Break a text at its spaces into lines of at most so many letters; one of Korean is as wide as two."""
    lines = [""]
    for word in text.split():
        line = f"{lines[-1]} {word}"
        if lines[-1] and sum(1 + (east_asian_width(letter) in "WF") for letter in line) > longest:
            lines.append("")
        lines[-1] = f"{lines[-1]} {word}".strip()
    return lines


@dataclass(frozen=True, slots=True)
class _Brush:
    """The shapes of the picture in the colours of a theme."""

    palette: Palette

    def box(self, x: float, y: float, wide: float, high: float, corner: float) -> str:
        colours = f'fill="{self.palette.ground}" stroke="{self.palette.border}" stroke-width="2.5"'
        return f'<rect x="{x}" y="{y}" width="{wide}" height="{high}" rx="{corner}" {colours}/>'

    def column(self, x: float, y: float, wide: float, high: float, *, is_right: bool) -> str:
        fill = self.palette.bar if is_right else self.palette.masked
        return f'<rect x="{x}" y="{y:g}" width="{wide}" height="{high:g}" fill="{fill}"/>'

    def button(self, x: float, y: float, wide: float, high: float, word: str, *, is_tapped: bool) -> str:
        fill = self.palette.bar if is_tapped else self.palette.ground
        ink = self.palette.ground if is_tapped else self.palette.ink
        shape = f'<rect x="{x}" y="{y}" width="{wide}" height="{high}" rx="{high / 2:g}" fill="{fill}" '
        return (
            f'{shape}stroke="{self.palette.border}"/><text x="{x + wide / 2:g}" y="{y + 27}" font-size="18" '
            f'text-anchor="middle" fill="{ink}">{escape(word)}</text>'
        )

    def text(
        self,
        x: float,
        y: float,
        text: str,
        *,
        size: int,
        weight: int = 400,
        anchor: str = "start",
        spacing: int = 0,
        quiet: bool = False,
    ) -> str:
        ink = self.palette.quiet if quiet else self.palette.ink
        return (
            f'<text x="{x:g}" y="{y:g}" font-size="{size}" font-weight="{weight}" text-anchor="{anchor}" '
            f'letter-spacing="{spacing}" fill="{ink}">{escape(text)}</text>'
        )
