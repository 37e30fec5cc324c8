"""The predictions of both models for the tokens of a text."""

from __future__ import annotations

from models.opening.registry import Model
from models.values.errors import HeadlightError
from models.values.writing import TokenGuess, TokenGuesses
from ui.answers.bert_and_gpt.models import TwoModels, say
from ui.desk.ask import ask
from ui.state.selection import selection
from viz.kit.language import tr

MOST_GUESSED = 128


def shorten_text(models: TwoModels) -> str:
    """Return the text, cut to MOST_GUESSED tokens: a bidirectional model needs one pass for each guess."""
    chosen = selection()
    model = models.both or models.left
    if model is None:
        return chosen.text
    recording = ask(model.info.name, chosen.device, Model.record, chosen.text)
    tokens = [token for token in recording.tokens if not token.is_special]
    if len(tokens) <= MOST_GUESSED:
        return chosen.text
    say(
        tr(
            "The first {most} of {all} tokens are guessed, because each one takes a separate pass through the model.",
            most=MOST_GUESSED,
            all=f"{len(tokens):,}",
        )
    )
    return chosen.text[: tokens[MOST_GUESSED - 1].end]


def guess_tokens(model: Model | None, text: str) -> TokenGuesses | None:
    """Return the predictions of a model for every token; if it has none, show why."""
    if model is None:
        return None
    try:
        return ask(model.info.name, selection().device, Model.guess_tokens, text)
    except HeadlightError as error:
        say(str(error))
        return None


def guess_at(guesses: TokenGuesses | None, position: int | None) -> TokenGuess | None:
    """Return the guess for a token; None if there is none."""
    guess = None if guesses is None or position is None else guesses.of(position)
    return guess if guess and guess.choices else None
