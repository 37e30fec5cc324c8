"""Visible tokens: the token that both models predict, and the tokens that each of them sees."""

from __future__ import annotations

import streamlit as st

from models.values.record import Recording, Token
from models.values.writing import TokenGuess, TokenGuesses
from ui.answers.bert_and_gpt.models import TwoModels, say
from ui.state.plain import plain
from ui.state.selection import choose, selection
from ui.widgets.browser.viewport import column_widths
from ui.widgets.frame import theme
from ui.widgets.notes import say_notes
from ui.widgets.pictures import clickable_picture
from viz.kit.language import tr
from viz.kit.tokens import positioned_texts
from viz.two_models.sight import Sight, clicked_position, same_place, who_sees_whom

_SIGHT = "who-sees-whom"


def position_to_guess(tokens: tuple[Token, ...], told_apart: int | None = None) -> int:
    """Return the position of the token to guess: the chosen one, or else that at which the models are `told_apart`, or
    one in the middle."""
    possible = [place for place, token in enumerate(tokens) if not token.is_special] or [0]
    if selection().blank not in possible:
        choose(blank=possible[len(possible) // 2] if told_apart is None else told_apart)
    return int(selection().blank)


def position_in_other(tokens: list[tuple[Token, ...]], position: int) -> int | None:
    """Return the position in the second model of a token of the first."""
    return same_place(tokens[0], position, tokens[1]) if all(tokens) else None


def sights(
    models: TwoModels,
    tokens: list[tuple[Token, ...]],
    position: int,
    guesses: tuple[TokenGuess | None, TokenGuess | None],
    *,
    width: int = 0,
) -> None:
    """Draw the tokens that each model sees with its guess, and a slider for the token to guess; `width` is that of the
    page if it is 0."""
    seen = []
    if models.both is not None:
        seen.append(
            Sight(name=models.both.info.name, tokens=tokens[0], position=position, sees_right=True, guess=guesses[0])
        )
    if models.left is not None:
        other = position_in_other(tokens, position) if models.both is not None else position
        seen.append(
            Sight(name=models.left.info.name, tokens=tokens[1], position=other, sees_right=False, guess=guesses[1])
        )
    else:
        seen.append(Sight(name=tr("A causal model"), tokens=tokens[0], position=position, sees_right=False))
    clickable_picture(who_sees_whom(seen, theme=theme(), width=width or column_widths(1)[0]), _SIGHT, _pick)
    own = tokens[0] or tokens[1]
    possible = [place for place, token in enumerate(own) if not token.is_special] or [0]
    if len(possible) > 1:
        texts = positioned_texts([own[place] for place in possible], possible)
        names = {place: plain(text) for place, text in zip(possible, texts, strict=True)}
        st.select_slider(tr("Token to guess"), possible, key="blank", format_func=names.__getitem__)


def _pick() -> None:
    """Choose the clicked word."""
    position = clicked_position(st.session_state[_SIGHT])
    if position is not None:
        choose(blank=position)


def say_notes_of(inputs: list[Recording | None] | list[TokenGuesses | None]) -> None:
    """Show the notes on the input once, and the words that each model does not know."""
    for note in dict.fromkeys(one.note for one in inputs if one is not None and one.note):
        say(note)
    for one in inputs:
        if one is not None:
            say_notes(one.info, one.tokens, (selection().text,))
