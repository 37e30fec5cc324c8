"""Translating a source and continuing a text, with the candidates for every token; the same for all adapters."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import cache, partial
from typing import TYPE_CHECKING

import numpy as np
import torch
from torch import Tensor

from models.model import NEXT_TOKENS, TRANSLATION
from models.tasks.decoding import Beam, NextTokenModel, OwnCache, beam_search, greedy, sample
from models.tasks.predictions import log_softmax
from models.tasks.token_guesses import MOST_NUMBERS, guess_of
from models.text.languages.ids import language_ids
from models.text.prepare import PreparedText, prepare
from models.text.reading import Reading, append_written, target_given, target_written, without_end
from models.text.source_words import unknown_words
from models.text.tokenizer.vocabulary import NAMELESS
from models.values.answers import best_choices, best_ids
from models.values.errors import TextError
from models.values.record import Array, WordChoice
from models.values.wording import join_sentences, worded
from models.values.writing import (
    Branch,
    Numbers,
    TokenGuess,
    TokenGuesses,
    Writing,
    WrittenToken,
    apply_temperature,
    entropy_bits,
)

if TYPE_CHECKING:
    from models.tasks.local import LocalModel
from models.tasks.decoding import Prompt

CANDIDATES = 20
MOST_WRITTEN = 256
WRITTEN_PER_SOURCE, WRITTEN_ANYHOW = 2, 20
"""A translation is cut at twice as many tokens as its source has, and 20 more, and at MOST_WRITTEN."""

Sampling = Callable[[Array], Numbers]
"""Takes what may be written, as log-probabilities [d_vocab], and says with what probability each token is sampled."""


# -- what is asked ------------------------------------------------------------------------------------------------


@torch.inference_mode()
def translate(model: LocalModel, text: str, *, width: int, length_penalty: float) -> Writing:
    """Translate a text, the likeliest token each time, or by a beam search of `width`.

    Raises TextError if there is nothing to read, MissingCapabilityError for a model that does not translate.
    """
    if not model.info.can_translate:
        raise model.lacks(TRANSLATION)
    prepared = model.prepare(text)
    with model.open_prompt(prepared) as prompt:
        n_new = _room(model, prompt, WRITTEN_PER_SOURCE * len(prepared.tokens) + WRITTEN_ANYHOW)
        beam, searched = _search_beams(model, prompt, n_new=n_new, width=width, length_penalty=length_penalty)
        written = _describe_tokens(model, prompt, beam)
    kept = beam.ids[:-1] if beam.is_finished else beam.ids
    with model.tokenizing:
        reading = target_written(prepared, (*prompt.ids, *kept), model.target_tokenizer, model.vocabulary)
    return Writing(
        info=model.info,
        recording=model.record_reading(reading),
        written=written,
        branches=_branches(model, searched, length_penalty),
        unknown_words=unknown_words(text, prepared, model.tokenizer, model.source_words),
        familiarity=model.source_bigrams.familiarity(prepared.input_ids) if model.source_bigrams else None,
        is_finished=beam.is_finished,
    )


@torch.inference_mode()
def continue_text(model: LocalModel, text: str, *, n_new: int, temperature: float, top_k: int, seed: int) -> Writing:
    """Continue a text by tokens sampled from softmax(logits / temperature) of the `top_k` likeliest.

    `text_so_far` of the tokens follows the text as it was typed, with the space between the two, if there is one.
    A text that leaves no room for the new tokens loses its end. Raises TextError if there is nothing to read,
    MissingCapabilityError for a model that continues no text, ValueError for an invalid temperature, `top_k` or
    `n_new`.
    """
    if not model.info.can_continue:
        raise model.lacks(NEXT_TOKENS)
    prepared = with_room(model, text, n_new)
    with model.open_prompt(prepared) as prompt:
        beam = sample(
            prompt.decoder,
            _ids(model, prompt.ids),
            n_new=_room(model, prompt, n_new),
            temperature=temperature,
            top_k=top_k,
            seed=seed,
            end_id=prompt.end_ids,
            rule=prompt.rule,
        )
        written = _describe_tokens(
            model, prompt, beam, partial(apply_temperature, temperature=temperature, top_k=top_k)
        )
    kept = beam.ids[:-1] if beam.is_finished else beam.ids
    with model.tokenizing:
        reading = append_written(prepared, kept, model.tokenizer, model.vocabulary)
    return Writing(
        info=model.info, recording=model.record_reading(reading), written=written, is_finished=beam.is_finished
    )


@torch.inference_mode()
def guess_next_tokens(model: LocalModel, text: str) -> TokenGuesses:
    """Guess every token of a text from the tokens before it, in one pass of a causal model.

    Raises TextError if there is nothing to read.
    """
    prepared = without_end(model.prepare(text))
    with model.open_prompt(prepared) as prompt:
        guesses: list[TokenGuess] = []
        for position, row in _next_log_probabilities(model, prompt.decoder, prepared.input_ids, first=0):
            if position + 1 == len(prepared.tokens):
                next_choices = best_choices(row, model.vocabulary, CANDIDATES)
            elif not prepared.tokens[position + 1].is_special:
                token_id = prepared.input_ids[position + 1]
                guesses.append(guess_of(row, position=position + 1, token_id=token_id, vocabulary=model.vocabulary))
    return TokenGuesses(
        info=model.info,
        tokens=prepared.tokens,
        sides="left",
        guesses=tuple(guesses),
        next_choices=next_choices,
        note=prepared.note,
    )


def read_source_and_target(model: LocalModel, text: str, text_b: str | None) -> Reading:
    """Return what an encoder-decoder reads: a source and a target, written by the model, greedily, if none is given."""
    if not text_b:
        return _read_by_itself(model, text)
    prepared = model.prepare(text)
    with model.tokenizing:
        return target_given(
            prepared, text_b, model.target_tokenizer, start_id=model.start_id(), max_tokens=model.info.max_tokens
        )


@torch.inference_mode()
def _read_by_itself(model: LocalModel, text: str) -> Reading:
    prepared = model.prepare(text)
    with model.open_prompt(prepared) as prompt:
        n_new = _room(model, prompt, WRITTEN_PER_SOURCE * len(prepared.tokens) + WRITTEN_ANYHOW)
        beam, _ = _search_beams(model, prompt, n_new=n_new, width=1, length_penalty=0)
    kept = beam.ids[:-1] if beam.is_finished else beam.ids
    with model.tokenizing:
        reading = target_written(prepared, (*prompt.ids, *kept), model.target_tokenizer, model.vocabulary)
    said = worded("The model itself wrote what its decoder reads: “{text}”", text=_decode_ids(model, kept))
    return replace(reading, note=join_sentences(prepared.note, said))


# -- writing ------------------------------------------------------------------------------------------------------


def _search_beams(
    model: LocalModel, prompt: Prompt[OwnCache], *, n_new: int, width: int, length_penalty: float
) -> tuple[Beam, tuple[tuple[Beam, ...], ...]]:
    """Return the best text, and the beams at every position if there is more than one."""
    ids = _ids(model, prompt.ids)
    if width == 1:
        beam = greedy(prompt.decoder, ids, n_new=n_new, end_id=prompt.end_ids, rule=prompt.rule)
        return beam, ()
    searched = beam_search(
        prompt.decoder,
        ids,
        width=width,
        n_new=n_new,
        end_id=prompt.end_ids,
        length_penalty=length_penalty,
        rule=prompt.rule,
    )
    return searched[-1][0], searched


def _ids(model: LocalModel, ids: Sequence[int]) -> Tensor:
    return torch.tensor(ids, device=model.device)


def _room(model: LocalModel, prompt: Prompt[OwnCache], wanted: int) -> int:
    """How many tokens may be written after the prompt."""
    return min(wanted, MOST_WRITTEN, model.info.max_tokens - len(prompt.ids))


def with_room(model: LocalModel, text: str, n_new: int) -> PreparedText:
    """A text to be continued, with room for new tokens: half of the positions at most."""
    most = model.info.max_tokens
    room = min(n_new, MOST_WRITTEN, most // 2)
    if n_new < 1 or most < 2:
        raise TextError(worded("{n} new tokens were asked for, expected at least one.", n=n_new))
    with model.tokenizing:
        return without_end(prepare(model.tokenizer, text, max_tokens=most - room))


# -- what it thought ----------------------------------------------------------------------------------------------


def _describe_tokens(
    model: LocalModel, prompt: Prompt[OwnCache], beam: Beam, sampling: Sampling | None = None
) -> tuple[WrittenToken, ...]:
    """Every token that was written, beside its rivals: once more through the decoder, all tokens together."""
    n_prompt = len(prompt.ids)
    ids = (*prompt.ids, *beam.ids[:-1])
    rows = _next_log_probabilities(model, prompt.decoder, ids, first=n_prompt - 1)
    return tuple(
        _written_token(model, prompt, beam.ids[:n_written], position=position, row=row, sampling=sampling)
        for n_written, (position, row) in enumerate(rows, start=1)
    )


def _written_token(
    model: LocalModel,
    prompt: Prompt[OwnCache],
    written: tuple[int, ...],
    *,
    position: int,
    row: Array,
    sampling: Sampling | None,
) -> WrittenToken:
    """The last of the tokens `written`, for which the model had the log-probabilities `row` [d_vocab]."""
    token_id = written[-1]
    drawn = None if sampling is None else sampling(_apply_rule(model, prompt, written[:-1], row))  # [d_vocab]
    return WrittenToken(
        position=position,
        token_id=token_id,
        chosen=WordChoice(text=model.vocabulary[token_id], probability=float(np.exp(row[token_id]))),
        candidates=best_choices(row, model.vocabulary, CANDIDATES),
        text_so_far=text_after(model, prompt, written),
        drawn=() if drawn is None else tuple(drawn[best_ids(row, CANDIDATES)].tolist()),
        chosen_drawn=None if drawn is None else float(drawn[token_id]),
        entropy=entropy_bits(row),
    )


def _apply_rule(model: LocalModel, prompt: Prompt[OwnCache], written: Sequence[int], row: Array) -> Array:
    """The log-probabilities [d_vocab] of the token after those `written`, without what the checkpoint forbids."""
    if prompt.rule is None:
        return row
    ids = _ids(model, (*prompt.ids, *written))[None]  # [1, n_tokens]
    allowed_row: Array = prompt.rule(ids, torch.tensor(row, device=model.device)[None])[0].cpu().numpy()  # [d_vocab]
    return allowed_row


def _next_log_probabilities(
    model: LocalModel, decoder: NextTokenModel[OwnCache], ids: Sequence[int], *, first: int
) -> Iterator[tuple[int, Array]]:
    """(position, log-probabilities [d_vocab] of the token after it), from `first` on, few at once in memory."""
    kept = decoder.new_cache()
    at_once = max(1, MOST_NUMBERS // model.info.d_vocab)
    for begin in range(0, len(ids), at_once):
        logits = decoder.all_logits(_ids(model, ids[begin : begin + at_once])[None], kept)[0]  # [n, d_vocab]
        skipped = max(first - begin, 0)
        yield from enumerate(log_softmax(logits[skipped:]), start=begin + skipped)


def text_after(model: LocalModel, prompt: Prompt[OwnCache], ids: Sequence[int]) -> str:
    """Return the written text as a person reads it: of a continued text only the part after the prompt."""
    if model.info.can_translate:
        return _decode_ids(model, ids)
    before, whole = _decode_ids(model, prompt.ids), _decode_ids(model, (*prompt.ids, *ids))
    return whole[len(before) :] if whole.startswith(before) else _decode_ids(model, ids)


def _decode_ids(model: LocalModel, ids: Sequence[int]) -> str:
    """Ids as a text; Marian's tokenizer breaks at one that has no piece."""
    left_out = language_ids(model.target_tokenizer).values()
    named = [token_id for token_id in ids if model.vocabulary[token_id] != NAMELESS and token_id not in left_out]
    with model.tokenizing:
        return str(model.target_tokenizer.decode(named, skip_special_tokens=True))


def _branches(
    model: LocalModel, searched: Sequence[Sequence[Beam]], length_penalty: float
) -> tuple[tuple[Branch, ...], ...]:
    text_of: Callable[[tuple[int, ...]], str] = cache(partial(_decode_ids, model))
    return tuple(
        tuple(
            Branch(
                token_ids=beam.ids,
                tokens=tuple(model.vocabulary[token_id] for token_id in beam.ids),
                text=text_of(beam.ids),
                log_probability=beam.log_probability,
                score=beam.score(length_penalty),
                is_finished=beam.is_finished,
            )
            for beam in beams
        )
        for beams in searched
    )
