"""What two models say about every token of a sentence that is hidden from them, and how often they are right.

From both sides each token is hidden behind a mask in turn: their log-probabilities add up to the pseudo-log-likelihood
(Salazar et al. 2020, "Masked Language Model Scoring", section 2). From the left alone they add up to the
log-probability of the text, by the chain rule (Radford et al. 2018, equation 1).
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import pandas as pd
import plotly.graph_objects as go

from models.values.errors import RecordError
from models.values.record import WordChoice
from models.values.writing import TokenGuess, TokenGuesses
from viz.kit import theme as style
from viz.kit.chips import canvas, hover_text
from viz.kit.theme import Palette, Sizes, Theme, four_digits, number, percentage
from viz.kit.tokens import SHORT, plain_label, shorten, spelled, token_texts, visible
from viz.kit.tokens import width as columns
from viz.two_models.shared_rows import SIGHT, Row, aligned, short_name

LETTER = 0.6
"""The width of a column of text, in sizes of its font."""
BESIDE = 760
"""From this width on, the two guesses about a token stand beside each other."""
WIDEST = 1400
AT_ONCE = 32
"""So many tokens are drawn at a time; a longer sentence is leafed through, and the file holds all."""
RIGHT, NOTHING = "✓", "–"
READ_ALOUD = 5
"""So many of the guesses are told to the pointer."""
LEAST = 1e-45
"""The smallest number of float32 stands for a probability of 0 in a logarithm."""
NO_GUESS = "no guess: nothing stands before it"


@dataclass(frozen=True, slots=True, kw_only=True)
class Summary:
    """How a reader did on the tokens that were asked for: `mean_log_probability` of the true tokens, in nats."""

    n_asked: int
    n_right: int
    mean_log_probability: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Line:
    """A token of the sentence and what the readers that have it say; None where one of them has no guess."""

    label: str
    position: int
    guesses: tuple[TokenGuess | None, ...]


def is_right(guess: TokenGuess) -> bool:
    """Whether the true token is the likeliest."""
    return guess.rank == 1


def lines_of(readers: Sequence[TokenGuesses]) -> tuple[Line, ...]:
    """The tokens of which at least one reader has a guess, in reading order; `position` is that in the first reader
    that has the token. Raises RecordError for two that cut the sentence differently."""
    rows = _rows(readers)
    labels = token_texts([row.token for row in rows])
    lines = []
    for row, label in zip(rows, labels, strict=True):
        found = tuple(
            None if position is None else reader.of(position)
            for reader, position in zip(readers, row.positions, strict=False)
        )
        if any(guess is not None for guess in found):
            position = next(position for position in row.positions if position is not None)
            lines.append(Line(label=label, position=position, guesses=found))
    return tuple(lines)


def guess_lines(
    readers: Sequence[TokenGuesses], *, first: int = 0, selected: int | None = None, theme: Theme = "light",
    width: int = style.WIDEST,
) -> go.Figure:  # fmt: skip
    """A line a token: the token, the likeliest guess of each reader, and the probability that it gives to the true one.

    A right guess is bold and has a tick. `first` is the line that the picture begins with, `selected` the position of
    a token to mark. Raises RecordError for readers that cut the sentence differently.
    """
    wide = min(width, WIDEST)
    size, palette = replace(style.sizes(width), page=wide), style.PALETTES[theme]
    lines = lines_of(readers)
    first = min(max(first, 0), max(len(lines) - 1, 0))
    shown = lines[first : first + AT_ONCE]
    grid = _grid(shown, len(readers), wide, size)
    figure = canvas(
        title="What each says when the token is hidden", note=_note(readers, lines, shown, first),
        wide=grid.wide, tall=grid.bottom(len(shown)), size=size, theme=theme,
    )  # fmt: skip
    figure.update_layout(shapes=_background(grid, shown, selected, palette), bargap=0, barmode="overlay")
    for text in _headings(readers, grid, size, palette):
        figure.add_annotation(text)
    if shown:
        figure.add_trace(_labels(shown, grid, size, palette))
    for which, reader in enumerate(readers):
        colour = (palette.bar, palette.accent)[reader.sides == "left"]
        answered = [(at, line, line.guesses[which]) for at, line in enumerate(shown)]
        for text in _words(answered, grid, which, size, palette):
            figure.add_trace(text)
        figure.add_trace(_bars(answered, grid, which, reader, colour=colour, size=size, palette=palette))
    return figure


def summary(guesses: Sequence[TokenGuess]) -> Summary:
    """How often the likeliest was the true token, and how likely the true ones were. Zeros if nothing was asked."""
    if not guesses:
        return Summary(n_asked=0, n_right=0, mean_log_probability=0.0)
    logarithms = [math.log(max(guess.probability, LEAST)) for guess in guesses]
    return Summary(
        n_asked=len(guesses), n_right=sum(map(is_right, guesses)), mean_log_probability=float(np.mean(logarithms))
    )


def summaries(readers: Sequence[TokenGuesses]) -> tuple[Summary, ...]:
    """One a reader: of the tokens that all of them were asked for if they cut the sentence alike, else of all."""
    if len(readers) > 1 and not cut_alike(readers):
        return tuple(summary(reader.guesses) for reader in readers)
    asked = [line.guesses for line in lines_of(readers) if None not in line.guesses]
    return tuple(
        summary([guess for guess in (line[which] for line in asked) if guess is not None])
        for which in range(len(readers))
    )


def summary_sentence(reader: TokenGuesses, found: Summary) -> str:
    """ "mini-bert (sees both sides): 9 of 14 guessed, mean log-probability −1.2345." In plain text."""
    sight = SIGHT[reader.sides == "left"]
    if not found.n_asked:
        return f"{short_name(reader.info.name)} ({sight}): nothing to guess."
    return (
        f"{short_name(reader.info.name)} ({sight}): {found.n_right} of {found.n_asked} tokens guessed right, mean "
        f"log-probability of the true token {number(found.mean_log_probability)} nats."
    )


def comparison_sentence(readers: Sequence[TokenGuesses], found: Sequence[Summary]) -> str:
    """Which of two readers did better, by either number, and no more than the numbers say. In plain text."""
    first, second = (short_name(reader.info.name) for reader in readers)
    if not cut_alike(readers):
        return f"{first} and {second} were asked for different tokens, so their numbers cannot be compared."
    one, other = found
    if not one.n_asked:
        return "There is no token that both have guessed."
    right = _compared(one.n_right, other.n_right)
    likely = _compared(*(round(summary.mean_log_probability, 4) for summary in found))
    counted = {1: "more right than", -1: "fewer right than", 0: "as many right as"}[right]
    weighed = {
        1: f"{first} gives the true tokens the higher mean log-probability",
        -1: f"{second} gives the true tokens the higher mean log-probability",
        0: "both give the true tokens the same mean log-probability",
    }[likely]
    joined = "but" if right * likely < 0 else "and"
    return f"Of the same {one.n_asked} tokens {first} guesses {counted} {second}, {joined} {weighed}."


def _compared(one: float, other: float) -> int:
    """1 if the first is larger, -1 if the second is, 0 if neither."""
    return (one > other) - (one < other)


def guess_table(readers: Sequence[TokenGuesses]) -> pd.DataFrame:
    """Every guess of every reader: model, sides, position, token, probability and rank of the token that stands there,
    is_right, and the choices, best first, as choice_1, probability_1, ..."""
    rows: list[dict[str, object]] = []
    for reader in readers:
        texts = token_texts(reader.tokens)
        for guess in reader.guesses:
            row: dict[str, object] = {
                "model": reader.info.name, "sides": reader.sides, "position": guess.position,
                "token": texts[guess.position], "probability": guess.probability, "rank": guess.rank,
                "is_right": is_right(guess),
            }  # fmt: skip
            for which, choice in enumerate(guess.choices, start=1):
                row |= {f"choice_{which}": spelled(choice.text), f"probability_{which}": choice.probability}
            rows.append(row)
    return pd.DataFrame(rows)


def cut_alike(readers: Sequence[TokenGuesses]) -> bool:
    """Whether two readers read the same tokens, special ones apart."""
    return len(readers) < 2 or aligned(readers[0].tokens, readers[1].tokens) is not None


def _rows(readers: Sequence[TokenGuesses]) -> tuple[Row, ...]:
    if len(readers) == 1:
        return tuple(Row(token=token, positions=(at, None)) for at, token in enumerate(readers[0].tokens))
    rows = aligned(readers[0].tokens, readers[1].tokens)
    if rows is None:
        names = " and ".join(reader.info.name for reader in readers)
        raise RecordError(f"{names} cut the sentence into different tokens; draw each on its own.")
    return rows


# -- where things stand -----------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, kw_only=True)
class _Grid:
    """Where the columns and lines stand, in pixels: the tokens at the left edge, for each reader a guess and a bar.

    `shift` is how far the reader `which` stands below the first one, where there is no room beside it.
    """

    wide: float
    top: float
    line: float
    words: tuple[float, ...]
    bars: tuple[float, ...]
    bar: float
    """How long a bar is that stands for 1."""
    room: float
    """How wide a guess may be."""
    shift: tuple[float, ...]
    thick: float

    def middle(self, at: int, which: int) -> float:
        return self.top + (at + 0.5) * self.line + self.shift[which]

    def bottom(self, n_lines: int) -> float:
        return self.top + n_lines * self.line


def _grid(shown: Sequence[Line], n_readers: int, wide: float, size: Sizes) -> _Grid:
    label = LETTER * size.label * max((columns(shorten(_called(line), SHORT + 4)) for line in shown), default=8)
    label = min(label, (LETTER * size.label) * (SHORT + (0 if size.compact else 4))) + 1.5 * size.gap
    number = LETTER * size.label * 7
    beside = wide >= BESIDE and n_readers > 1
    each = (wide - label - size.gap) / (n_readers if beside else 1)
    room = min(LETTER * size.label * (SHORT + 1), 0.42 * each)
    starts = [label + (each * which if beside else 0) for which in range(n_readers)]
    thick = 1.15 * size.label
    between = 0 if beside or n_readers == 1 else 0.78 * size.label
    header = 3.6 * size.axis if beside or n_readers == 1 else 5.2 * size.axis
    return _Grid(
        wide=wide,
        top=2.4 * size.title + header,
        line=(1.9 if between == 0 else 3.5) * size.label,
        words=tuple(start for start in starts),
        bars=tuple(start + room + size.gap for start in starts),
        bar=each - room - number - 2.5 * size.gap,
        room=room,
        shift=(0.0,) if n_readers == 1 else (-between, between),
        thick=thick,
    )


def _background(grid: _Grid, shown: Sequence[Line], selected: int | None, palette: Palette) -> list[dict[str, Any]]:
    """A thin line below every token, a ground for every bar, and a frame around the selected token."""
    shapes: list[dict[str, Any]] = []
    foot = grid.bottom(len(shown))
    for at in range(len(shown) + 1):
        y = grid.top + at * grid.line
        shapes.append({"type": "line", "x0": 0, "x1": grid.wide, "y0": y, "y1": y, "layer": "below",
                       "line": {"color": palette.masked, "width": 1}})  # fmt: skip
    for start in dict.fromkeys(grid.bars):
        shapes += [
            {"type": "line", "x0": x, "x1": x, "y0": grid.top, "y1": foot, "layer": "below",
             "line": {"color": palette.masked, "width": 1, "dash": "dot"}}
            for x in (start, start + grid.bar / 2, start + grid.bar)
        ]  # fmt: skip
    for at, line in enumerate(shown):
        if line.position == selected:
            y = grid.top + at * grid.line
            shapes.append({"type": "rect", "x0": 1, "x1": grid.wide - 1, "y0": y, "y1": y + grid.line,
                           "line": {"color": palette.accent, "width": 2}})  # fmt: skip
    return shapes


def _headings(readers: Sequence[TokenGuesses], grid: _Grid, size: Sizes, palette: Palette) -> list[dict[str, Any]]:
    """The name of every reader with the colour of its bars, and what the columns are."""
    beside = len(set(grid.words)) == len(readers)
    found: list[dict[str, Any]] = []
    quiet = {"size": size.caption, "color": palette.quiet}
    for which, reader in enumerate(readers):
        colour = (palette.bar, palette.accent)[reader.sides == "left"]
        name = plain_label(short_name(reader.info.name), limit=24)
        text = f'<span style="color:{colour}">■ <b>{name}</b></span> {SIGHT[reader.sides == "left"]}'
        y = grid.top - (3.2 if beside else 4.8 - 1.5 * which) * size.axis
        found.append({"text": text, "x": grid.words[which] if beside else size.gap // 2, "y": y,
                      "font": {"size": size.axis, "color": palette.ink}})  # fmt: skip
    for start, bar in dict.fromkeys(zip(grid.words, grid.bars, strict=True)):
        y = grid.top - 1.5 * size.axis
        found.append({"text": "guess", "x": start, "y": y, "font": quiet})
        found.append({"text": "true token" if size.compact else "probability of the true token", "x": bar, "y": y,
                      "font": quiet})  # fmt: skip
        found.append({"text": "100%", "x": bar + grid.bar, "xanchor": "center", "y": y, "font": quiet})
    found.append({"text": "token", "x": size.gap // 2, "y": grid.top - 1.5 * size.axis, "font": quiet})
    return [{"xanchor": "left", "yanchor": "top", "showarrow": False, "borderpad": 0} | text for text in found]


# -- what stands there ------------------------------------------------------------------------------------------------

_Answered = Sequence[tuple[int, Line, TokenGuess | None]]


def _called(line: Line) -> str:
    return f"{line.position} {line.label}"


def _labels(shown: Sequence[Line], grid: _Grid, size: Sizes, palette: Palette) -> go.Scatter:
    """The tokens that stand there, each behind its position."""
    quiet = f"<span style='color:{palette.quiet};font-size:{size.caption}px'>"
    return go.Scatter(
        x=[size.gap // 2] * len(shown),
        y=[grid.middle(at, 0) - grid.shift[0] for at in range(len(shown))],
        mode="text",
        text=[f"{quiet}{line.position}</span> <b>{plain_label(line.label)}</b>" for line in shown],
        textposition="middle right",
        textfont={"size": size.label, "color": palette.ink},
        hoverinfo="skip",
        cliponaxis=False,
    )


def _words(answered: _Answered, grid: _Grid, which: int, size: Sizes, palette: Palette) -> list[go.Scatter]:
    """The likeliest guess in every line: right ones bold with a tick, the others quiet, in two traces."""
    limit = max(int(grid.room / (LETTER * size.label)) - 2, 3)
    right, wrong = [], []
    for at, line, guess in answered:
        if guess is not None and is_right(guess):
            right.append((at, f"<b>{RIGHT} {plain_label(line.label, limit=limit)}</b>"))
        else:
            wrong.append((at, NOTHING if guess is None else plain_label(_said(guess.choices[:1]), limit=limit)))
    return [
        go.Scatter(
            x=[grid.words[which]] * len(texts),
            y=[grid.middle(at, which) for at, _ in texts],
            mode="text",
            text=[text for _, text in texts],
            textposition="middle right",
            textfont={"size": size.label, "color": colour},
            hoverinfo="skip",
            cliponaxis=False,
        )
        for texts, colour in ((right, palette.ink), (wrong, palette.quiet))
    ]


def _bars(
    answered: _Answered, grid: _Grid, which: int, reader: TokenGuesses, *, colour: str, size: Sizes, palette: Palette
) -> go.Bar:
    """How likely the true token is to the reader, from 0 to 1; `customdata` is what the pointer reads."""
    chances = [0.0 if guess is None else guess.probability for _, _, guess in answered]
    return go.Bar(
        x=[chance * grid.bar for chance in chances],
        base=[grid.bars[which]] * len(answered),
        y=[grid.middle(at, which) for at, _, _ in answered],
        width=[grid.thick] * len(answered),
        orientation="h",
        marker={"color": colour, "line": {"width": 0}},
        text=["" if guess is None else percentage(guess.probability) for _, _, guess in answered],
        textposition="outside",
        constraintext="none",
        cliponaxis=False,
        textfont={"size": size.label, "color": palette.ink},
        meta=chances,
        name=reader.sides,
        customdata=[_told(line, guess, reader) for _, line, guess in answered],
        hovertemplate="%{customdata}<extra></extra>",
    )


def _told(line: Line, guess: TokenGuess | None, reader: TokenGuesses) -> str:
    """What the pointer reads, escaped."""
    here = f"{line.label} (position {line.position}) · {short_name(reader.info.name)}"
    if guess is None:
        return hover_text((here, NO_GUESS))
    best = [f"{spelled(choice.text)}  {four_digits(choice.probability)}" for choice in guess.choices[:READ_ALOUD]]
    return hover_text((here, f"true token: {four_digits(guess.probability)}, rank {guess.rank:,}", "guesses:", *best))


def _said(choices: Sequence[WordChoice]) -> str:
    return visible(spelled(choices[0].text)) if choices else NOTHING


def _note(readers: Sequence[TokenGuesses], lines: Sequence[Line], shown: Sequence[Line], first: int) -> str:
    parts = []
    if not lines:
        parts.append("There is no token to guess here.")
    if len(shown) < len(lines):
        parts.append(f"Drawn: {len(shown)} of {len(lines)} tokens, from number {first} on; the file holds all.")
    parts.append(f"{RIGHT} and bold: the likeliest guess is the token that stands there.")
    parts.append("A bar runs from 0 to 100%. Special tokens are not asked for.")
    if any(line.guesses.count(None) for line in lines):
        parts.append(f"{NOTHING}: {NO_GUESS}.")
    parts += [reader.note for reader in readers if reader.note]
    return " ".join(dict.fromkeys(parts))


if __name__ == "__main__":
    from viz.two_models.demo import guesses

    guess_lines((guesses("both"), guesses("left"))).show()
