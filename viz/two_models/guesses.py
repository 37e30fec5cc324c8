"""The guesses of two models for hidden tokens of a sentence, as numbers, sentences and a table.

From both sides each token is hidden behind a mask in turn: their log-probabilities add up to the pseudo-log-likelihood
(Salazar et al. 2020, "Masked Language Model Scoring", section 2). From the left alone they add up to the
log-probability of the text, by the chain rule (Radford et al. 2018, equation 1).
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd

from models.values.errors import RecordError
from models.values.record import Token
from models.values.wording import worded
from models.values.writing import TokenGuess, TokenGuesses
from viz.kit.language import said, tr
from viz.kit.theme import number, whole_percent
from viz.kit.tokens import spelled, token_texts
from viz.two_models.shared_rows import SIGHT, SharedRow, align_rows, short_name
from viz.two_models.sight import same_place

APOSTROPHES = ("'", "’")
LEAST = 1e-45
"""The value that replaces a probability of 0 in a logarithm: the smallest number of float32."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Summary:
    """The result of a model on the tokens that were asked for: `mean_log_probability` of the true tokens, in nats."""

    n_asked: int
    n_right: int
    mean_log_probability: float


@dataclass(frozen=True, slots=True, kw_only=True)
class GuessedToken:
    """A token of the sentence and the guesses of both models; None where one of them has no guess."""

    label: str
    position: int
    guesses: tuple[TokenGuess | None, ...]


def is_right(guess: TokenGuess) -> bool:
    """Return whether the true token is the likeliest."""
    return guess.rank == 1


def guessed_tokens(models: Sequence[TokenGuesses]) -> tuple[GuessedToken, ...]:
    """Return the tokens of which at least one model has a guess, in reading order; `position` is that in the first
    model that has the token. Raises RecordError for two that cut the sentence differently."""
    rows = _rows(models)
    labels = token_texts([row.token for row in rows])
    lines = []
    for row, label in zip(rows, labels, strict=True):
        guesses = tuple(
            None if position is None else model.of(position)
            for model, position in zip(models, row.positions, strict=False)
        )
        if any(guess is not None for guess in guesses):
            position = next(position for position in row.positions if position is not None)
            lines.append(GuessedToken(label=label, position=position, guesses=guesses))
    return tuple(lines)


def summary(guesses: Sequence[TokenGuess]) -> Summary:
    """Return how often the likeliest token was the true one, and its mean log-probability. Zeros if nothing was
    asked."""
    if not guesses:
        return Summary(n_asked=0, n_right=0, mean_log_probability=0.0)
    logarithms = [math.log(max(guess.probability, LEAST)) for guess in guesses]
    return Summary(
        n_asked=len(guesses), n_right=sum(map(is_right, guesses)), mean_log_probability=float(np.mean(logarithms))
    )


def summaries(models: Sequence[TokenGuesses]) -> tuple[Summary, ...]:
    """Return a summary for each model: over the tokens that all were asked for if they cut the sentence alike, else
    over all."""
    if len(models) > 1 and not cut_alike(models):
        return tuple(summary(model.guesses) for model in models)
    asked = [line.guesses for line in guessed_tokens(models) if None not in line.guesses]
    return tuple(
        summary([guess for guess in (line[which] for line in asked) if guess is not None])
        for which in range(len(models))
    )


def summary_sentence(model: TokenGuesses, found: Summary) -> str:
    """Return a model's result in a sentence, in plain text: "mini-bert (sees both sides): 9 of 14 tokens guessed
    right; typically it gives the right one 45%."."""
    name, sight = short_name(model.info.name), said(SIGHT[model.sides == "left"])
    if not found.n_asked:
        return tr("{model} ({sight}): nothing to guess.", model=name, sight=sight)
    return tr(
        "{model} ({sight}): {n} of {all} tokens guessed right; typically it gives the right one {share}.",
        model=name,
        sight=sight,
        n=found.n_right,
        all=found.n_asked,
        share=whole_percent(math.exp(found.mean_log_probability)),
    )


def explain_summaries(models: Sequence[TokenGuesses], found: Sequence[Summary]) -> str:
    """Return what "typically" means, in plain text, with the mean log-probability of each model."""
    means = ", ".join(
        f"{short_name(model.info.name)}: {number(result.mean_log_probability, digits=3)}"
        for model, result in zip(models, found, strict=True)
    )
    return tr("Typically: e to the mean log-probability of the true token in nats ({means}).", means=means)


def why_not_comparable(models: Sequence[TokenGuesses], found: Sequence[Summary]) -> str:
    """Return why the results of two models cannot be compared, in plain text; empty if they can."""
    first, second = (short_name(model.info.name) for model in models)
    if not cut_alike(models):
        return tr(
            "{one} and {other} guessed different tokens, so their numbers cannot be compared.", one=first, other=second
        )
    return "" if found[0].n_asked else tr("There is no token that both models guessed.")


def guess_table(models: Sequence[TokenGuesses]) -> pd.DataFrame:
    """Return every guess of every model: model, sides, position, token, probability and rank of the true token,
    is_right, and the choices, best first, as choice_1, probability_1, ..."""
    rows: list[dict[str, object]] = []
    for model in models:
        texts = token_texts(model.tokens)
        for guess in model.guesses:
            row: dict[str, object] = {
                "model": model.info.name,
                "sides": model.sides,
                "position": guess.position,
                "token": texts[guess.position],
                "probability": guess.probability,
                "rank": guess.rank,
                "is_right": is_right(guess),
            }
            for which, choice in enumerate(guess.choices, start=1):
                row |= {f"choice_{which}": spelled(choice.text), f"probability_{which}": choice.probability}
            rows.append(row)
    return pd.DataFrame(rows)


def most_different_token(both: TokenGuesses, left: TokenGuesses) -> int | None:
    """Return the position of the token at which the models differ most: a whole word, the same token in both, that is
    guessed right from both sides and not from the left, with the largest ratio of its two probabilities; None if there
    is none."""
    ratios: dict[int, float] = {}
    for guess in both.guesses:
        token, place = both.tokens[guess.position], same_place(both.tokens, guess.position, left.tokens)
        other = None if place is None else left.of(place)
        if other is None or (left.tokens[other.position].start, left.tokens[other.position].end) != (
            token.start,
            token.end,
        ):
            continue
        if is_right(guess) and not is_right(other) and _is_whole_word(both.tokens, guess.position):
            ratios[guess.position] = guess.probability / max(other.probability, LEAST)
    return max(ratios, key=ratios.__getitem__, default=None)


def tell_apart(both: TokenGuesses, left: TokenGuesses, position: int, other: int | None) -> str:
    """Return what both models guess for a token, by its position in each. Plain text with words in it: NOT escaped;
    empty if one of them guesses nothing."""
    one, second = both.of(position), None if other is None else left.of(other)
    if one is None or second is None or not one.choices or not second.choices:
        return ""
    return tr(
        "Hidden: “{token}”. From both sides {both} guesses “{one}” ({share}), from the left alone {left} guesses "
        "“{second}” ({other}).",
        token=token_texts(both.tokens)[position],
        both=short_name(both.info.name),
        one=spelled(one.choices[0].text),
        share=whole_percent(one.choices[0].probability),
        left=short_name(left.info.name),
        second=spelled(second.choices[0].text),
        other=whole_percent(second.choices[0].probability),
    )


def _is_whole_word(tokens: Sequence[Token], position: int) -> bool:
    """Return whether a token is a word of letters, and no part of one or of a contraction such as "didn't"."""
    token, word = tokens[position], tokens[position].word
    beside = [tokens[place] for place in (position - 1, position + 1) if 0 <= place < len(tokens)]
    touching = [
        near for near in beside if near.start is not None and (near.end == token.start or near.start == token.end)
    ]
    return token.text.isalpha() and all(near.word != word and near.text not in APOSTROPHES for near in touching)


def cut_alike(models: Sequence[TokenGuesses]) -> bool:
    """Return whether two models read the same tokens, special ones apart."""
    return len(models) < 2 or align_rows(models[0].tokens, models[1].tokens) is not None


def _rows(models: Sequence[TokenGuesses]) -> tuple[SharedRow, ...]:
    if len(models) == 1:
        return tuple(
            SharedRow(token=token, positions=(position, None)) for position, token in enumerate(models[0].tokens)
        )
    rows = align_rows(models[0].tokens, models[1].tokens)
    if rows is None:
        raise RecordError(
            worded(
                "{one} and {other} cut the sentence into different tokens, so draw each one separately.",
                one=models[0].info.name,
                other=models[1].info.name,
            )
        )
    return rows
