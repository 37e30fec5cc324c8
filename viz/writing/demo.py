"""Made-up writings for the demos and the tests of this folder: no model has computed these numbers."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from models.values.record import AttentionRecord, Token, WordChoice
from models.values.writing import Branch, Writing, WrittenToken
from viz.kit.demos.records import random_record, recording_of, tokens_of

SOURCE = "The girl has a red skirt . [SEP]"
TARGET = "La niña tiene una falda roja . [SEP]"
OTHERS = ("el", "un", "ropa", "##s", "<b>x</b>", "=1+1")
START = Token(text="[START]", is_special=True)


def writing(
    source: str = SOURCE,
    target: str = TARGET,
    *,
    n_layers: int = 3,
    n_heads: int = 4,
    width: int = 3,
    is_diagonal: bool = True,
    seed: int = 0,
) -> Writing:
    """Return a translation of pieces cut at spaces. With `is_diagonal` every word looks at the one at its own place,
    but a neighbouring pair in the middle is the other way round."""
    source_tokens, written = tokens_of(source), tokens_of(target)
    inputs = (START, *written[:-1])
    generator = np.random.default_rng(seed)
    decoder = random_record(n_layers=n_layers, n_heads=n_heads, tokens=inputs, causal=True, seed=seed)
    cross = random_record(n_layers=n_layers, n_heads=n_heads, tokens=inputs, key_tokens=source_tokens, seed=seed + 1)
    if is_diagonal:
        cross = _looking_at(cross, source_order(len(written), len(source_tokens)))
    encoder = random_record(n_layers=n_layers, n_heads=n_heads, tokens=source_tokens, seed=seed + 2)
    recording = recording_of(encoder, cross, decoder)
    chosen, text = [], ""
    for position, token in enumerate(written):
        text = f"{text} {token.text}".strip() if not token.is_special else text
        chosen.append(
            WrittenToken(
                position=position,
                token_id=position,
                chosen=WordChoice(text=token.text, probability=0.6),
                candidates=_candidates(token.text, generator),
                text_so_far=text,
            )
        )
    return Writing(
        info=replace(recording.info, can_translate=True, kinds=recording.kinds),
        recording=recording,
        written=tuple(chosen),
        branches=branches([token.text for token in written], width=width, seed=seed) if width > 1 else (),
    )


def source_order(n_written: int, n_source: int) -> list[int]:
    """Return a place in the source for every written token: in order, but with two neighbours in the middle swapped."""
    order = [min(place, n_source - 1) for place in range(n_written)]
    middle = n_written // 2
    if middle + 1 < min(n_written, n_source):
        order[middle], order[middle + 1] = order[middle + 1], order[middle]
    return order


def branches(tokens: Sequence[str], *, width: int, seed: int = 0) -> tuple[tuple[Branch, ...], ...]:
    """Return a made-up beam search in which the given text wins, and some others are kept for some positions."""
    generator = np.random.default_rng(seed)
    searched: list[tuple[Branch, ...]] = []
    kept = [_branch((), (), 0.0, is_finished=False)]
    for place, token in enumerate(tokens):
        grown = [branch for branch in kept if branch.is_finished]
        for branch in kept:
            if branch.is_finished:
                continue
            is_right = branch.tokens == tuple(tokens[:place])
            for number, other in enumerate((token, *OTHERS)):
                gain = -0.05 if is_right and not number else -0.3 - 1.5 * float(generator.random()) - 0.2 * number
                ends = other == tokens[-1] and place == len(tokens) - 1
                grown.append(
                    _branch(
                        (*branch.token_ids, number or 100 + place),
                        (*branch.tokens, other),
                        branch.log_probability + gain,
                        is_finished=ends,
                    )
                )
        kept = sorted(grown, key=lambda branch: -branch.score)[:width]
        searched.append(tuple(kept))
    return tuple(searched)


def _branch(ids: tuple[int, ...], tokens: tuple[str, ...], log_probability: float, *, is_finished: bool) -> Branch:
    return Branch(
        token_ids=ids,
        tokens=tokens,
        text=" ".join(tokens),
        log_probability=log_probability,
        score=log_probability / ((5 + len(ids)) / 6) ** 0.6,
        is_finished=is_finished,
    )


def _candidates(word: str, generator: np.random.Generator) -> tuple[WordChoice, ...]:
    """Return a candidate list: the word with probability 0.6, and others that share most of the rest."""
    rest = np.sort(generator.dirichlet(np.ones(len(OTHERS))))[::-1] * 0.39
    others = (WordChoice(text=text, probability=float(part)) for text, part in zip(OTHERS, rest, strict=True))
    return tuple(sorted((WordChoice(text=word, probability=0.6), *others), key=lambda each: -each.probability))


def _looking_at(record: AttentionRecord, places: Sequence[int]) -> AttentionRecord:
    """Return the record with a score raised by some 4 at one place of every row."""
    d_head = record.n_key
    query = np.random.default_rng(9).normal(scale=0.7, size=(*record.query.shape[:3], d_head)).astype(np.float32)
    query[:, :, range(len(places)), list(places)] += 4
    key = np.broadcast_to(np.eye(d_head, dtype=np.float32), (*record.key.shape[:3], d_head)).copy()
    return replace(record, query=query, key=key, value=key.copy())
