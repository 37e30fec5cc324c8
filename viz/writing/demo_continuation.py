"""A made-up text that a model has continued, for the demos and the tests: no model has computed these numbers."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from models.values.record import WordChoice
from models.values.results.costs import WritingTimes
from models.values.writing import Writing, WrittenToken, apply_temperature, entropy_bits
from viz.kit.demos.answers import OTHER_WORDS, falling_choices
from viz.kit.demos.records import D_VOCAB, causal_info, random_record, recording_of, tokens_of

PROMPT = "[CLS] The animal didn ' t"
WRITTEN = "cross the street because it was too tired ."


def continuation(
    prompt: str = PROMPT,
    written: str = WRITTEN,
    *,
    n_candidates: int = 10,
    n_layers: int = 4,
    n_heads: int = 8,
    temperature: float = 1.0,
    top_k: int = 0,
    seed: int = 0,
) -> Writing:
    """Return a prompt that a model has continued with the pieces of `written`; its last token was never read."""
    generator = np.random.default_rng(seed)
    before, pieces = tokens_of(prompt), written.split()
    read = (*before, *tokens_of(" ".join(pieces[:-1])))
    record = random_record(n_layers=n_layers, n_heads=n_heads, tokens=read, causal=True, seed=seed)
    recording = recording_of(record, name="mini-gpt")
    tokens = []
    for number, piece in enumerate(pieces):
        token = WrittenToken(
            position=len(before) - 1 + number,
            token_id=number,
            chosen=WordChoice(text=piece, probability=0),
            candidates=(),
            text_so_far=" ".join(pieces[: number + 1]),
        )
        words = (piece, *OTHER_WORDS[: n_candidates - 1])
        known = [choice.probability for choice in falling_choices(words, generator)]
        p = [*known, *np.full(D_VOCAB - len(known), (1 - sum(known)) / (D_VOCAB - len(known)))]
        tokens.append(drawn_token(token, p, words, temperature=temperature, top_k=top_k))
    return Writing(info=causal_info(), recording=replace(recording, info=causal_info()), written=tuple(tokens))


def drawn_token(
    token: WrittenToken,
    probabilities: Sequence[float] | NDArray[np.floating],
    words: Sequence[str],
    *,
    temperature: float,
    top_k: int,
    taken: int = 0,
) -> WrittenToken:
    """Return the token with other candidates: `words` are those of the likeliest tokens of a distribution [d_vocab],
    best first, and the token at the place `taken` is the one that was drawn."""
    p = np.asarray(probabilities)
    drawn = apply_temperature(np.log(p), temperature=temperature, top_k=top_k)
    candidates = tuple(WordChoice(text=word, probability=float(one)) for word, one in zip(words, p, strict=False))
    chosen = WordChoice(text=words[taken] if taken < len(words) else "elsewhere", probability=float(p[taken]))
    return replace(
        token,
        chosen=chosen,
        candidates=candidates,
        drawn=tuple(drawn[: len(words)].tolist()),
        chosen_drawn=float(drawn[taken]),
        entropy=entropy_bits(np.log(p)),
    )


def sample_times(n_tokens: int = 24) -> WritingTimes:
    """Return the made-up times of a text, constant with a cache and growing without one."""
    return WritingTimes(
        info=causal_info(),
        n_prompt=6,
        tokens=tuple(WRITTEN.split()[number % 9] for number in range(n_tokens)),
        texts=(WRITTEN,) * n_tokens,
        cached_ms=tuple(5 + 0.1 * (number % 3) for number in range(n_tokens)),
        uncached_ms=tuple(6 + 0.4 * number for number in range(n_tokens)),
        cache_bytes=tuple(2 * 4 * 8 * 8 * 4 * (6 + number) for number in range(n_tokens)),
        difference=0.0,
    )
