"""Made-up readers, guesses and continuations for the demos and the tests: no model has computed these numbers."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from models.values.record import ModelInfo, Token, WordChoice
from models.values.writing import TokenGuess, TokenGuesses, Writing, WritingStep, entropy_bits, tempered
from viz.kit.demo import SENTENCE, demo_info, random_record, recording_of, tokens_of
from viz.two_models.shared_rows import Reader

PROMPT = "[CLS] The animal didn ' t"
WRITTEN = "cross the street because it was too tired ."
OTHERS = ("the", "a", "of", "<b>bold</b>", "##ing", "=1+1", "선생님", "and", "was", "not", "to", "in")
D_VOCAB = 8192
"""So many tokens share what the candidates leave."""


def demo_readers(text: str = SENTENCE, *, n_layers: int = 4, n_heads: int = 8) -> tuple[Reader, Reader]:
    """One that sees both sides, and one that sees the left and has no [SEP] at the end."""
    tokens = tokens_of(text)
    both = random_record(n_layers=n_layers, n_heads=n_heads, tokens=tokens)
    left = random_record(n_layers=n_layers, n_heads=n_heads, tokens=tokens[:-1], causal=True, seed=1)
    return (
        Reader(name="mini-bert", record=both, layer=0, head=3),
        Reader(name="mini-gpt", record=left, layer=0, head=3),
    )


def guesses(sides: Literal["both", "left"], text: str = SENTENCE, *, n_choices: int = 5, seed: int = 0) -> TokenGuesses:
    """A guess for every token that is not special: of both sides more of them are right than of the left alone."""
    generator = np.random.default_rng([seed, sides == "both"])
    tokens = tokens_of(text)
    if sides == "left" and tokens[-1].is_special:
        tokens = tokens[:-1]
    hit = 0.7 if sides == "both" else 0.35
    asked = [place for place, token in enumerate(tokens) if not token.is_special and place > 0]
    return TokenGuesses(
        info=_info(sides),
        tokens=tokens,
        sides=sides,
        guesses=tuple(_guess(place, tokens[place], hit, n_choices, generator) for place in asked),
        next_choices=_choices(OTHERS[:n_choices], generator) if sides == "left" else (),
    )


def continuation(
    prompt: str = PROMPT, written: str = WRITTEN, *, n_candidates: int = 10, n_layers: int = 4, n_heads: int = 8,
    temperature: float = 1.0, top_k: int = 0, seed: int = 0,
) -> Writing:  # fmt: skip
    """A prompt that a model has continued with the pieces of `written`; its last token was never read."""
    generator = np.random.default_rng(seed)
    before, pieces = tokens_of(prompt), written.split()
    read = (*before, *tokens_of(" ".join(pieces[:-1])))
    record = random_record(n_layers=n_layers, n_heads=n_heads, tokens=read, causal=True, seed=seed)
    recording = recording_of(record, name="mini-gpt")
    steps = []
    for number, piece in enumerate(pieces):
        step = WritingStep(
            position=len(before) - 1 + number,
            token_id=number,
            chosen=WordChoice(text=piece, probability=0),
            candidates=(),
            text_so_far=" ".join(pieces[: number + 1]),
        )
        words = (piece, *OTHERS[: n_candidates - 1])
        known = [choice.probability for choice in _choices(words, generator)]
        p = [*known, *np.full(D_VOCAB - len(known), (1 - sum(known)) / (D_VOCAB - len(known)))]
        steps.append(drawn_step(step, p, words, temperature=temperature, top_k=top_k))
    return Writing(info=_info("left"), recording=replace(recording, info=_info("left")), steps=tuple(steps))


def drawn_step(
    step: WritingStep, probabilities: Sequence[float] | NDArray[np.floating], words: Sequence[str], *,
    temperature: float, top_k: int, taken: int = 0,
) -> WritingStep:  # fmt: skip
    """The step with other candidates: `words` are those of the likeliest tokens of a whole distribution [d_vocab], best
    first, and the token at the place `taken` is the one that was drawn."""
    p = np.asarray(probabilities)
    drawn = tempered(np.log(p), temperature=temperature, top_k=top_k)
    candidates = tuple(WordChoice(text=word, probability=float(one)) for word, one in zip(words, p, strict=False))
    chosen = WordChoice(text=words[taken] if taken < len(words) else "elsewhere", probability=float(p[taken]))
    return replace(
        step, chosen=chosen, candidates=candidates, drawn=tuple(drawn[: len(words)].tolist()),
        chosen_drawn=float(drawn[taken]), entropy=entropy_bits(np.log(p)),
    )  # fmt: skip


def _info(sides: str) -> ModelInfo:
    if sides == "both":
        return replace(demo_info(), name="mini-bert")
    return replace(
        demo_info(d_vocab=D_VOCAB), name="mini-gpt", family="gpt2", kinds=("decoder",), can_fill_mask=False,
        can_judge_next_sentence=False, can_continue=True,
    )  # fmt: skip


def _guess(place: int, token: Token, hit: float, n_choices: int, generator: np.random.Generator) -> TokenGuess:
    """Right with the probability `hit`; the true token is among the choices, or somewhere in the tail."""
    is_right = generator.random() < hit
    others = [word for word in OTHERS if word != token.text]
    words = [token.text, *others] if is_right else [*others[:2], token.text, *others[2:]]
    choices = _choices(words[:n_choices], generator)
    found = next((choice.probability for choice in choices if choice.text == token.text), 1e-5)
    rank = 1 + next((at for at, choice in enumerate(choices) if choice.text == token.text), 900)
    return TokenGuess(position=place, choices=choices, probability=found, rank=rank)


def _choices(words: Sequence[str], generator: np.random.Generator) -> tuple[WordChoice, ...]:
    """Different words with falling probabilities that sum to a little less than 1."""
    shares = np.sort(generator.dirichlet(np.full(len(words), 0.6)))[::-1] * 0.93 + 1e-4
    return tuple(WordChoice(text=word, probability=float(share)) for word, share in zip(words, shares, strict=True))
