"""A line for each token: the guess of each of two models for it when hidden, and its probability by each.

The numbers are those of `viz.two_models.guesses`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import plotly.graph_objects as go

from models.values.arguments.check import check_arguments
from models.values.record import WordChoice
from models.values.writing import TokenGuess, TokenGuesses
from viz.kit import theme as style
from viz.kit.figures.chips import canvas, hover_text
from viz.kit.language import said, to_say, tr
from viz.kit.language import shown as in_our_words
from viz.kit.theme import Palette, Sizes, Theme, four_digits, percentage
from viz.kit.tokens import SHORT, plain_label, shorten, spelled, visible
from viz.kit.tokens import width as columns
from viz.two_models.guesses import GuessedToken, guessed_tokens, is_right
from viz.two_models.shared_rows import SIGHT, short_name

LETTER = 0.6
"""The width of a column of text, in sizes of its font."""
BESIDE = 760
"""The page width from which the two guesses about a token are side by side."""
WIDEST = 1400
AT_ONCE = 32
"""The most tokens drawn at a time; a longer sentence has several pages, and the file holds all."""
RIGHT, NOTHING = "✓", "–"
READ_ALOUD = 5
"""The most guesses in the hover text."""
NO_GUESS = to_say("no guess: nothing comes before it")


@check_arguments
def guess_lines(
    models: Sequence[TokenGuesses],
    *,
    first: int = 0,
    selected: int | None = None,
    theme: Theme = "light",
    width: int = style.WIDEST,
) -> go.Figure:
    """Draw a line for each token: the token, the likeliest guess of each model, and the probability that it gives the
    true one.

    A right guess is bold and has a tick. `first` is the line that the picture begins with, `selected` the position of
    a token to mark. Raises RecordError for models that cut the sentence differently.
    """
    wide = min(width, WIDEST)
    size, palette = replace(style.sizes(width), page=wide), style.PALETTES[theme]
    lines = guessed_tokens(models)
    first = min(max(first, 0), max(len(lines) - 1, 0))
    shown = lines[first : first + AT_ONCE]
    grid = _grid(shown, len(models), wide, size)
    figure = canvas(
        title=tr("What each says when the token is hidden"),
        note=_note(models, lines, shown, first),
        wide=grid.wide,
        tall=grid.bottom(len(shown)),
        size=size,
        theme=theme,
    )
    figure.update_layout(shapes=_background(grid, shown, selected, palette), bargap=0, barmode="overlay")
    for text in _headings(models, grid, size, palette):
        figure.add_annotation(text)
    if shown:
        figure.add_trace(_labels(shown, grid, size, palette))
    for which, model in enumerate(models):
        colour = (palette.bar, palette.accent)[model.sides == "left"]
        answered = [(row, line, line.guesses[which]) for row, line in enumerate(shown)]
        for text in _words(answered, grid, which, size, palette):
            figure.add_trace(text)
        figure.add_trace(_bars(answered, grid, which, model, colour=colour, size=size, palette=palette))
    return figure


# -- the layout ------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, kw_only=True)
class _Grid:
    """The grid of columns and lines, in pixels: the tokens at the left edge, for each model a guess and a bar.

    `shift` is how far the model `which` is below the first one, where there is no room beside it.
    """

    wide: float
    top: float
    line: float
    words: tuple[float, ...]
    bars: tuple[float, ...]
    bar: float
    """The length of a bar for a probability of 1."""
    room: float
    """The greatest width of a guess."""
    shift: tuple[float, ...]
    thick: float

    def middle(self, at: int, which: int) -> float:
        return self.top + (at + 0.5) * self.line + self.shift[which]

    def bottom(self, n_lines: int) -> float:
        return self.top + n_lines * self.line


def _grid(shown: Sequence[GuessedToken], n_models: int, wide: float, size: Sizes) -> _Grid:
    label = LETTER * size.label * max((columns(shorten(_line_name(line), SHORT + 4)) for line in shown), default=8)
    label = min(label, (LETTER * size.label) * (SHORT + (0 if size.compact else 4))) + 1.5 * size.gap
    number = LETTER * size.label * 7
    beside = wide >= BESIDE and n_models > 1
    model_width = (wide - label - size.gap) / (n_models if beside else 1)
    room = min(LETTER * size.label * (SHORT + 1), 0.42 * model_width)
    starts = [label + (model_width * which if beside else 0) for which in range(n_models)]
    thick = 1.15 * size.label
    between = 0 if beside or n_models == 1 else 0.78 * size.label
    header = 3.6 * size.axis if beside or n_models == 1 else 5.2 * size.axis
    return _Grid(
        wide=wide,
        top=2.4 * size.title + header,
        line=(1.9 if between == 0 else 3.5) * size.label,
        words=tuple(start for start in starts),
        bars=tuple(start + room + size.gap for start in starts),
        bar=model_width - room - number - 2.5 * size.gap,
        room=room,
        shift=(0.0,) if n_models == 1 else (-between, between),
        thick=thick,
    )


def _background(
    grid: _Grid, shown: Sequence[GuessedToken], selected: int | None, palette: Palette
) -> list[dict[str, Any]]:
    """Return a thin line below every token, a ground for every bar, and a frame around the selected token."""
    shapes: list[dict[str, Any]] = []
    foot = grid.bottom(len(shown))
    for row in range(len(shown) + 1):
        y = grid.top + row * grid.line
        shapes.append(
            {
                "type": "line",
                "x0": 0,
                "x1": grid.wide,
                "y0": y,
                "y1": y,
                "layer": "below",
                "line": {"color": palette.masked, "width": 1},
            }
        )
    for start in dict.fromkeys(grid.bars):
        shapes += [
            {
                "type": "line",
                "x0": x,
                "x1": x,
                "y0": grid.top,
                "y1": foot,
                "layer": "below",
                "line": {"color": palette.masked, "width": 1, "dash": "dot"},
            }
            for x in (start, start + grid.bar / 2, start + grid.bar)
        ]
    for row, line in enumerate(shown):
        if line.position == selected:
            y = grid.top + row * grid.line
            shapes.append(
                {
                    "type": "rect",
                    "x0": 1,
                    "x1": grid.wide - 1,
                    "y0": y,
                    "y1": y + grid.line,
                    "line": {"color": palette.accent, "width": 2},
                }
            )
    return shapes


def _headings(models: Sequence[TokenGuesses], grid: _Grid, size: Sizes, palette: Palette) -> list[dict[str, Any]]:
    """Return the name of every model with the colour of its bars, and the column headings."""
    beside = len(set(grid.words)) == len(models)
    texts: list[dict[str, Any]] = []
    quiet = {"size": size.caption, "color": palette.quiet}
    for which, model in enumerate(models):
        colour = (palette.bar, palette.accent)[model.sides == "left"]
        name = plain_label(short_name(model.info.name), limit=24)
        text = f'<span style="color:{colour}">■ <b>{name}</b></span> {said(SIGHT[model.sides == "left"])}'
        y = grid.top - (3.2 if beside else 4.8 - 1.5 * which) * size.axis
        texts.append(
            {
                "text": text,
                "x": grid.words[which] if beside else size.gap // 2,
                "y": y,
                "font": {"size": size.axis, "color": palette.ink},
            }
        )
    for start, bar in dict.fromkeys(zip(grid.words, grid.bars, strict=True)):
        y = grid.top - 1.5 * size.axis
        shares = tr("true token") if size.compact else tr("probability of the true token")
        texts.append({"text": tr("guess"), "x": start, "y": y, "font": quiet})
        texts.append({"text": shares, "x": bar, "y": y, "font": quiet})
        texts.append({"text": "100%", "x": bar + grid.bar, "xanchor": "center", "y": y, "font": quiet})
    texts.append({"text": tr("token"), "x": size.gap // 2, "y": grid.top - 1.5 * size.axis, "font": quiet})
    return [{"xanchor": "left", "yanchor": "top", "showarrow": False, "borderpad": 0} | text for text in texts]


# -- the traces -------------------------------------------------------------------------------------------------------

_Answered = Sequence[tuple[int, GuessedToken, TokenGuess | None]]


def _line_name(line: GuessedToken) -> str:
    return f"{line.position} {line.label}"


def _labels(shown: Sequence[GuessedToken], grid: _Grid, size: Sizes, palette: Palette) -> go.Scatter:
    """Return the tokens of the sentence, each after its position."""
    quiet = f"<span style='color:{palette.quiet};font-size:{size.caption}px'>"
    return go.Scatter(
        x=[size.gap // 2] * len(shown),
        y=[grid.middle(row, 0) - grid.shift[0] for row in range(len(shown))],
        mode="text",
        text=[f"{quiet}{line.position}</span> <b>{plain_label(line.label)}</b>" for line in shown],
        textposition="middle right",
        textfont={"size": size.label, "color": palette.ink},
        hoverinfo="skip",
        cliponaxis=False,
    )


def _words(answered: _Answered, grid: _Grid, which: int, size: Sizes, palette: Palette) -> list[go.Scatter]:
    """Return the likeliest guess in every line: right ones bold with a tick, the others quiet, in two traces."""
    limit = max(int(grid.room / (LETTER * size.label)) - 2, 3)
    right, wrong = [], []
    for row, line, guess in answered:
        if guess is not None and is_right(guess):
            right.append((row, f"<b>{RIGHT} {plain_label(line.label, limit=limit)}</b>"))
        else:
            wrong.append((row, NOTHING if guess is None else plain_label(_best_word(guess.choices[:1]), limit=limit)))
    return [
        go.Scatter(
            x=[grid.words[which]] * len(texts),
            y=[grid.middle(row, which) for row, _ in texts],
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
    answered: _Answered, grid: _Grid, which: int, model: TokenGuesses, *, colour: str, size: Sizes, palette: Palette
) -> go.Bar:
    """Return bars of the probability of the true token, from 0 to 1; `customdata` is the hover text."""
    chances = [0.0 if guess is None else guess.probability for _, _, guess in answered]
    return go.Bar(
        x=[chance * grid.bar for chance in chances],
        base=[grid.bars[which]] * len(answered),
        y=[grid.middle(row, which) for row, _, _ in answered],
        width=[grid.thick] * len(answered),
        orientation="h",
        marker={"color": colour, "line": {"width": 0}},
        text=["" if guess is None else percentage(guess.probability) for _, _, guess in answered],
        textposition="outside",
        constraintext="none",
        cliponaxis=False,
        textfont={"size": size.label, "color": palette.ink},
        meta=chances,
        name=model.sides,
        customdata=[_hover_text_of(line, guess, model) for _, line, guess in answered],
        hovertemplate="%{customdata}<extra></extra>",
    )


def _hover_text_of(line: GuessedToken, guess: TokenGuess | None, model: TokenGuesses) -> str:
    """Return the hover text of a guess, escaped."""
    here = tr("{token} (position {place})", token=line.label, place=line.position)
    here = f"{here} · {short_name(model.info.name)}"
    if guess is None:
        return hover_text((here, said(NO_GUESS)))
    best = [f"{spelled(choice.text)}  {four_digits(choice.probability)}" for choice in guess.choices[:READ_ALOUD]]
    true = tr("true token: {number}, rank {rank}", number=four_digits(guess.probability), rank=f"{guess.rank:,}")
    return hover_text((here, true, tr("guesses:"), *best))


def _best_word(choices: Sequence[WordChoice]) -> str:
    return visible(spelled(choices[0].text)) if choices else NOTHING


def _note(
    models: Sequence[TokenGuesses], lines: Sequence[GuessedToken], shown: Sequence[GuessedToken], first: int
) -> str:
    parts = []
    if not lines:
        parts.append(tr("There is no token to guess here."))
    if len(shown) < len(lines):
        parts.append(
            tr(
                "Shown: {n} of {all} tokens, from number {first} on; the file has all of them.",
                n=len(shown),
                all=len(lines),
                first=first,
            )
        )
    parts.append(tr("{tick} and bold: the likeliest guess is the actual token.", tick=RIGHT))
    parts.append(tr("A bar runs from 0 to 100%. Special tokens are not guessed."))
    if any(line.guesses.count(None) for line in lines):
        parts.append(f"{NOTHING}: {said(NO_GUESS)}.")
    parts += [in_our_words(model.note) for model in models if model.note]
    return " ".join(dict.fromkeys(parts))


if __name__ == "__main__":
    from viz.two_models.demo import guesses

    guess_lines((guesses("both"), guesses("left"))).show()
