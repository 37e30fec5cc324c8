"""The tokens in view of two models: the same sentence twice, with what each may look at when it guesses a token.

Devlin et al. 2018, "BERT", section 3.1, task 1: the token is behind a mask, and all others are seen, on both sides.
Radford et al. 2018, equation 1: the token is what comes next, and only the tokens before it are there.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Any

import plotly.graph_objects as go

from models.values.arguments.check import check_arguments
from models.values.errors import SelectionError
from models.values.record import Token
from models.values.wording import worded
from models.values.writing import TokenGuess
from viz.kit import theme as style
from viz.kit.figures.chips import CHIP, Chip, Placed, canvas, draw, flow, hover_text
from viz.kit.language import said, to_say, tr
from viz.kit.layout import click_marks
from viz.kit.theme import Palette, Sizes, Theme, whole_percent
from viz.kit.tokens import SHORT, plain_label, shorten, spelled, token_texts
from viz.two_models.shared_rows import BOTH, LEFT, SIGHT, short_name

BLANK = "?"
"""The text in place of a token whose guess is not known."""
MOST = 160
"""Of a longer text the tokens around the blank are drawn."""
LEGEND = to_say("Filled: seen. Pale and dotted: hidden. Framed: the guess. Click a word to hide that one.")
LARGE_UNTIL = 24
"""The most tokens that are written in large letters."""
WIDEST = 1400


@dataclass(frozen=True, slots=True, kw_only=True)
class Sight:
    """A model, its tokens, and the position that it is to guess; None if it lacks that token.

    `guess` is its guess there; None if it is unknown.
    """

    name: str
    tokens: tuple[Token, ...]
    position: int | None
    sees_right: bool
    guess: TokenGuess | None = None

    def positions_seen(self) -> tuple[int, ...]:
        """Return the positions that the model may look at for its guess."""
        if self.position is None:
            return ()
        others = range(len(self.tokens)) if self.sees_right else range(self.position)
        return tuple(place for place in others if place != self.position)


def same_place(of: Sequence[Token], position: int, among: Sequence[Token]) -> int | None:
    """Return the position in another tokenization of the token with the same characters of the text; None for a special
    token, and where the other text ends before."""
    token = of[position]
    if token.is_special or token.start is None or token.end is None:
        return None
    return next(
        (
            place
            for place, other in enumerate(among)
            if other.start is not None
            and other.end is not None
            and other.segment == token.segment
            and other.start < token.end
            and token.start < other.end
        ),
        None,
    )


@check_arguments
def who_sees_whom(sights: Sequence[Sight], *, theme: Theme = "light", width: int = style.WIDEST) -> go.Figure:
    """Draw the sentence once for each model: tokens in view are filled, hidden ones pale and dotted, the blank is "?".

    A click on a word tells its position in the first model; see `clicked_position`. Raises SelectionError for a
    position out of range.
    """
    size, palette, wide = style.sizes(width), style.PALETTES[theme], min(width, WIDEST)
    is_short = max(len(sight.tokens) for sight in sights) <= LARGE_UNTIL
    font = size.word if is_short and not size.compact else size.label
    top = 2.6 * size.title
    flowing = {"left": size.gap // 2, "room": wide - 1.5 * size.gap, "line": (CHIP + 0.45) * font, "gap": 0.35 * font}
    placed: list[Placed] = []
    keys: list[int | None] = []
    headings: list[dict[str, Any]] = []
    notes = [said(LEGEND)]
    for which, sight in enumerate(sights):
        headings.append(_heading(sight, y=top, size=size, palette=palette))
        window = _window(sight)
        boxes = flow(_chips(sight, window, palette), **flowing, top=top + 3.6 * size.axis, font=font)
        placed += boxes
        keys += [_key(sights, which, place) for place in window]
        top = boxes[-1].bottom + 1.6 * size.axis
        notes += _what_is_drawn(sight, window)
    figure = canvas(
        title=_title(sights[BOTH]), note=" ".join(notes), wide=wide, tall=top - size.axis, size=size, theme=theme
    )
    for heading in headings:
        figure.add_annotation(heading)
    for alike in _by_ink(placed):
        draw(figure, alike, font=font, size=size, theme=theme)
        kept = {"textfont": {"color": alike[0].chip.ink}}  # a click elsewhere must not make these words pale
        figure.data[-1].update(selected=kept, unselected=kept, hoverinfo="skip", hovertemplate=None)
    figure.add_trace(_pointer(placed, keys))
    return figure


def clicked_position(selection: Mapping[str, Any]) -> int | None:
    """Return the clicked position from the selection of `st.plotly_chart`; None without one. Browser input is not
    trusted."""
    try:
        key = selection["selection"]["points"][0]["customdata"]
        key = key[0] if isinstance(key, list | tuple) else key
    except (KeyError, IndexError, TypeError):
        return None
    return key if type(key) is int and key >= 0 else None


def _title(sight: Sight) -> str:
    if sight.position is None:
        return tr("Who sees whom")
    word = plain_label(token_texts(sight.tokens)[sight.position])
    return tr("Who sees whom: guessing “{token}” ({place})", token=word, place=sight.position)


def _heading(sight: Sight, *, y: float, size: Sizes, palette: Palette) -> dict[str, Any]:
    """Return the heading: the model, the tokens in its view, their number, and its guess."""
    name = plain_label(short_name(sight.name), limit=SHORT + 10)
    counted = {"n": len(sight.positions_seen()), "all": len(sight.tokens)}
    if sight.position is None:
        seen_text = tr("does not have this token")
    elif sight.guess is not None:
        best = sight.guess.choices[0]
        says = f"<b>{plain_label(spelled(best.text))} ({whole_percent(best.probability)})</b>"
        seen_text = tr("{n} of {all} tokens seen, says {token}", token=says, **counted)
    else:
        seen_text = tr("{n} of {all} tokens seen", **counted)
    quiet = f"<span style='font-size:{size.label}px;color:{palette.quiet}'>"
    return {
        "text": f"<b>{name}</b> {said(SIGHT[BOTH if sight.sees_right else LEFT])}<br>{quiet}{seen_text}</span>",
        "x": size.gap // 2,
        "y": y,
        "xanchor": "left",
        "yanchor": "top",
        "align": "left",
        "showarrow": False,
        "borderpad": 0,
        "font": {"size": size.axis + 1, "color": palette.ink},
    }


def _window(sight: Sight) -> range:
    """Return the positions that are drawn: all, or in a long text those around the blank."""
    n_tokens = len(sight.tokens)
    if sight.position is not None and not 0 <= sight.position < n_tokens:
        raise SelectionError(
            worded(
                "position {position} was asked for, but this text has {n} tokens.", position=sight.position, n=n_tokens
            )
        )
    first = min(max((sight.position or 0) - MOST // 2, 0), max(n_tokens - MOST, 0))
    return range(first, min(first + MOST, n_tokens))


def _what_is_drawn(sight: Sight, window: range) -> list[str]:
    """Return a sentence on which part of a long text is drawn; none for a whole one."""
    if len(window) == len(sight.tokens):
        return []
    return [
        tr(
            "{model}: tokens {first} to {last} of {all} are shown.",
            model=short_name(sight.name),
            first=window[0],
            last=window[-1],
            all=len(sight.tokens),
        )
    ]


def _chips(sight: Sight, window: range, palette: Palette) -> list[Chip]:
    texts, seen = token_texts(sight.tokens), set(sight.positions_seen())
    chips = []
    for place in window:
        text = shorten(texts[place], SHORT)
        here = tr("{token} (position {place})", token=texts[place], place=place)
        if place == sight.position:
            chips.append(
                Chip(
                    text=shorten(spelled(sight.guess.choices[0].text), SHORT) if sight.guess else BLANK,
                    hover=(here, tr("the token to guess")),
                    ink=palette.accent,
                    outline=palette.accent,
                    is_bold=True,
                )
            )
        elif place in seen:
            fill = palette.sequential[1]
            chips.append(Chip(text=text, hover=(here, tr("seen")), ink=palette.ink, fill=fill))
        else:
            hover = (here, tr("hidden"))
            chips.append(Chip(text=text, hover=hover, ink=palette.still, outline=palette.masked, dash="dot"))
    return chips


def _key(sights: Sequence[Sight], which: int, place: int) -> int | None:
    """Return the value of a click on a chip: the position of its token in the first model; None for a special token."""
    if sights[which].tokens[place].is_special:
        return None
    return place if which == BOTH else same_place(sights[which].tokens, place, sights[BOTH].tokens)


def _by_ink(placed: Sequence[Placed]) -> Iterator[list[Placed]]:
    """Yield the chips in groups whose words have one colour."""
    ordered = sorted(placed, key=lambda each: each.chip.ink)
    return (list(alike) for _, alike in groupby(ordered, key=lambda each: each.chip.ink))


def _pointer(placed: Sequence[Placed], keys: Sequence[int | None]) -> go.Scatter:
    """Return clickable markers in the middle of every chip."""
    return click_marks(
        [box.x for box in placed],
        [box.y for box in placed],
        data=[-1 if key is None else key for key in keys],
        texts=[hover_text(box.chip.hover) for box in placed],
        hover="%{text}",
        side=26,
    )


if __name__ == "__main__":
    from viz.two_models.demo import guesses

    bert, gpt = guesses("both"), guesses("left")
    who_sees_whom(
        (
            Sight(name="mini-bert", tokens=bert.tokens, position=8, sees_right=True, guess=bert.of(8)),
            Sight(name="mini-gpt", tokens=gpt.tokens, position=8, sees_right=False, guess=gpt.of(8)),
        )
    ).show()
