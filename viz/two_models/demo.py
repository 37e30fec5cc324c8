"""Made-up models and guesses for the demos and the tests: no model has computed these numbers."""

from __future__ import annotations

from dataclasses import replace
from typing import Literal

import numpy as np

from models.values.record import Token
from models.values.writing import TokenGuess, TokenGuesses
from viz.kit.demos.answers import OTHER_WORDS, falling_choices
from viz.kit.demos.records import SENTENCE, causal_info, demo_info, random_record, tokens_of
from viz.two_models.shared_rows import ModelHead


def demo_models(text: str = SENTENCE, *, n_layers: int = 4, n_heads: int = 8) -> tuple[ModelHead, ModelHead]:
    """Return a head of each of two made-up models: a bidirectional one, and a causal one without [SEP] at the end."""
    tokens = tokens_of(text)
    both = random_record(n_layers=n_layers, n_heads=n_heads, tokens=tokens)
    left = random_record(n_layers=n_layers, n_heads=n_heads, tokens=tokens[:-1], causal=True, seed=1)
    return (
        ModelHead(name="mini-bert", record=both, layer=0, head=3),
        ModelHead(name="mini-gpt", record=left, layer=0, head=3),
    )


def guesses(sides: Literal["both", "left"], text: str = SENTENCE, *, n_choices: int = 5, seed: int = 0) -> TokenGuesses:
    """Return a guess for every token that is not special; the bidirectional model has more right ones than the causal
    one."""
    generator = np.random.default_rng([seed, sides == "both"])
    tokens = tokens_of(text)
    if sides == "left" and tokens[-1].is_special:
        tokens = tokens[:-1]
    hit = 0.7 if sides == "both" else 0.35
    asked = [place for place, token in enumerate(tokens) if not token.is_special and place > 0]
    return TokenGuesses(
        info=causal_info() if sides == "left" else replace(demo_info(), name="mini-bert"),
        tokens=tokens,
        sides=sides,
        guesses=tuple(_guess(place, tokens[place], hit, n_choices, generator) for place in asked),
        next_choices=falling_choices(OTHER_WORDS[:n_choices], generator) if sides == "left" else (),
    )


def _guess(place: int, token: Token, hit: float, n_choices: int, generator: np.random.Generator) -> TokenGuess:
    """Return a guess that is right with the probability `hit`; the true token is among the choices, or in the tail."""
    is_right = generator.random() < hit
    others = [word for word in OTHER_WORDS if word != token.text]
    words = [token.text, *others] if is_right else [*others[:2], token.text, *others[2:]]
    choices = falling_choices(words[:n_choices], generator)
    probability = next((choice.probability for choice in choices if choice.text == token.text), 1e-5)
    rank = 1 + next((index for index, choice in enumerate(choices) if choice.text == token.text), 900)
    return TokenGuess(position=place, choices=choices, probability=probability, rank=rank)
