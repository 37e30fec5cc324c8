"""The part "What each predicts" of the page "BERT and GPT": how often each model is right, and at which tokens."""

from __future__ import annotations

import streamlit as st

from models.values.answers import MASK
from models.values.record import Token
from models.values.writing import TokenGuesses
from ui.answers.bert_and_gpt.guessing import guess_at, guess_tokens, shorten_text
from ui.answers.bert_and_gpt.models import TwoModels
from ui.answers.bert_and_gpt.sight import position_in_other, position_to_guess, say_notes_of, sights
from ui.state.plain import plain
from ui.state.selection import choose, selection
from ui.widgets.atlases import show_two_lenses
from ui.widgets.browser.viewport import column_widths
from ui.widgets.frame import theme
from ui.widgets.pictures import numbers, picture, two_columns
from viz.kit.language import said, to_say, tr
from viz.two_models.guess_lines import AT_ONCE, guess_lines
from viz.two_models.guesses import (
    cut_alike,
    explain_summaries,
    guess_table,
    guessed_tokens,
    summaries,
    summary_sentence,
    why_not_comparable,
)

TWO_QUESTIONS = to_say(
    "The two numbers answer different questions. From both sides, a token is guessed with all the others given; from "
    "the left, without anything that follows. Only the second kind can be multiplied to give the probability of the "
    "whole text."
)


def what_each_predicts(models: TwoModels) -> None:
    """Draw the accuracy of each model, the chosen token, and the list of all tokens."""
    text = shorten_text(models)
    by_model = [guess_tokens(model, text) for model in (models.both, models.left)]
    present = [guesses for guesses in by_model if guesses is not None]
    if not present:
        return
    say_notes_of(by_model)
    results = summaries(present)
    sentences = (summary_sentence(guesses, result) for guesses, result in zip(present, results, strict=True))
    st.markdown(
        "\n".join(f"- {plain(sentence)}" for sentence in sentences),
        help=f"{plain(explain_summaries(present, results))} {said(TWO_QUESTIONS)}",
    )
    if len(present) > 1 and (reason := why_not_comparable(present, results)):
        st.caption(plain(reason))
    tokens = [() if guesses is None else guesses.tokens for guesses in by_model]
    position = position_to_guess(tokens[0] or tokens[1])
    shown = TwoModels(both=models.both if by_model[0] else None, left=models.left if by_model[1] else None)
    places = (position if by_model[0] else None, position_in_other(tokens, position) if by_model[0] else position)
    sights(shown, tokens, position, (guess_at(by_model[0], places[0]), guess_at(by_model[1], places[1])))
    if cut_alike(present):
        _leaf(len(guessed_tokens(present)))
        _list(present, position, column_widths(1)[0])
    else:
        st.caption(tr("The two models cut the sentence into different tokens, so each has its own list."))
        _leaf(max(len(guesses.guesses) for guesses in present))
        first, second, widths = two_columns()
        for column, guesses, place, width in zip((first, second), present, places, widths, strict=True):
            with column:
                _list([guesses], place, width)
    numbers(lambda: guess_table(present), "guesses")
    _how_guesses_form(shown, tokens, places, text)


def _how_guesses_form(
    models: TwoModels, tokens: list[tuple[Token, ...]], places: tuple[int | None, int | None], text: str
) -> None:
    """Draw the answer of each model for the chosen token after every layer, by two lenses."""
    both, left = (None if place is None else of[place] for of, place in zip(tokens, places, strict=True))
    first, second, widths = two_columns()
    with first:
        if models.both is not None and both is not None:
            before, after = text[: both.start], text[both.end :]
            show_two_lenses(models.both.info.name, f"{before}{MASK}{after}", mask=before.count(MASK), width=widths[0])
    with second:
        if models.left is not None and left is not None and (before := text[: left.start].rstrip()):
            show_two_lenses(models.left.info.name, before, width=widths[1])


def _leaf(n_lines: int) -> None:
    """Draw a slider for the part of a long sentence that is listed."""
    starts = list(range(0, max(n_lines, 1), AT_ONCE))
    chosen = selection().guessed_from
    if chosen not in starts:
        choose(guessed_from=max(start for start in starts if start <= chosen))
    if len(starts) > 1:
        st.select_slider(
            tr("Tokens listed"),
            starts,
            key="guessed_from",
            format_func=lambda start: tr("{first} to {last}", first=start + 1, last=min(start + AT_ONCE, n_lines)),
        )


def _list(present: list[TokenGuesses], position: int | None, width: int) -> None:
    """Draw the guesses for the listed tokens."""
    first = selection().guessed_from
    figure = guess_lines(present, first=first, selected=position, theme=theme(), width=width)
    picture(figure, "guesses-" + "-".join(guesses.sides for guesses in present))
