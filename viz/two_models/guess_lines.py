"""A line for each token: the guess of each of two models for it when hidden, and its probability by each.

The numbers are those of `viz.two_models.guesses`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import plotly.graph_objects as go

from models.values.arguments.check import check_arguments
from models.values.record import WordChoice
from models.values.writing import TokenGuess, TokenGuesses
from viz.kit import theme as style
from viz.kit.figures.chips import canvas, hover_text
from viz.kit.language import said, to_say, tr
from viz.kit.language import shown as in_our_words
from viz.kit.theme import Palette, Sizes, Theme, percentage
from viz.kit.tokens import plain_label, spelled, visible
from viz.two_models.guess_grid import LETTER, Grid, draw_background, make_grid, name_columns
from viz.two_models.guesses import GuessedToken, guessed_tokens, is_right
from viz.two_models.shared_rows import short_name

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
    grid = make_grid(shown, len(models), wide, size)
    figure = canvas(
        title=tr("What each says when the token is hidden"),
        note=_note(models, lines, shown, first),
        wide=grid.wide,
        tall=grid.bottom(len(shown)),
        size=size,
        theme=theme,
    )
    figure.update_layout(shapes=draw_background(grid, shown, selected, palette), bargap=0, barmode="overlay")
    for text in name_columns(models, grid, size, palette):
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


# -- the traces -------------------------------------------------------------------------------------------------------

_Answered = Sequence[tuple[int, GuessedToken, TokenGuess | None]]


def _labels(shown: Sequence[GuessedToken], grid: Grid, size: Sizes, palette: Palette) -> go.Scatter:
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


def _words(answered: _Answered, grid: Grid, which: int, size: Sizes, palette: Palette) -> list[go.Scatter]:
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
    answered: _Answered, grid: Grid, which: int, model: TokenGuesses, *, colour: str, size: Sizes, palette: Palette
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
    best = [f"{spelled(choice.text)}  {percentage(choice.probability)}" for choice in guess.choices[:READ_ALOUD]]
    true = tr("true token: {number}, rank {rank}", number=percentage(guess.probability), rank=f"{guess.rank:,}")
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
