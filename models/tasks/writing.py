"""What every decoder does that writes: it translates a source, or continues a text, and says what it thought.

An adapter says how its decoder is asked for the next token and how one pass is recorded; the rest is the same for the
scratch transformer and for Hugging Face models. The values are those of `models.values.writing`.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, replace
from functools import cache, partial
from typing import Generic

import numpy as np
import torch
from torch import Tensor

from models.model import NEXT_TOKENS
from models.tasks.decoding import Beam, NextTokenModel, OwnCache, Rule, beam_search, greedy, sample
from models.tasks.predictions import log_softmax
from models.tasks.questions import Questions
from models.tasks.token_guesses import MOST_NUMBERS, guess_of
from models.text.familiarity import SourceBigrams
from models.text.languages.ids import language_ids
from models.text.prepare import PreparedText, prepare
from models.text.reading import Reading, continued, target_given, target_written, without_end
from models.text.source_words import unknown_words
from models.text.vocabulary import NAMELESS
from models.values.answers import best_choices, best_ids
from models.values.errors import TextError
from models.values.record import Array, Recording, WordChoice
from models.values.wording import joined, worded
from models.values.writing import (
    Branch,
    Numbers,
    TokenGuess,
    TokenGuesses,
    Writing,
    WrittenToken,
    entropy_bits,
    tempered,
)

CANDIDATES = 20
MOST_WRITTEN = 256
WRITTEN_PER_SOURCE, WRITTEN_ANYHOW = 2, 20
"""A translation is cut at twice as many tokens as its source has, and 20 more, and at MOST_WRITTEN."""

Sampling = Callable[[Array], Numbers]
"""Takes what may be written, as log-probabilities [d_vocab], and says with what probability each token is sampled."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Prompt(Generic[OwnCache]):
    """A decoder about to write: it has read its source, if there is one, and goes on after these `ids`."""

    decoder: NextTokenModel[OwnCache]
    ids: tuple[int, ...]
    end_ids: frozenset[int]
    rule: Rule | None = None


class WritingModel(Questions, Generic[OwnCache]):
    """A model that may have a decoder with an LM head for the next token."""

    device: torch.device
    source_words: frozenset[str] | None = None
    """The words of the sources that it has learned from; None if nobody wrote them down."""
    source_bigrams: SourceBigrams | None = None
    """The language model of those sources; None if nobody made one."""

    @abstractmethod
    def _prompted(self, prepared: PreparedText) -> AbstractContextManager[Prompt[OwnCache]]:
        """Read the source, or take the text as the prompt. Nobody records or changes what is written in the block."""

    @abstractmethod
    def _start_id(self) -> int:
        """The token with which the decoder of an encoder-decoder starts."""

    @abstractmethod
    def _recorded_reading(self, reading: Reading) -> Recording:
        """One pass over everything."""

    # -- what is asked ------------------------------------------------------------------------------------------------

    @torch.inference_mode()
    def translate(
        self, text: str, *, width: int = 1, length_penalty: float = 0.6, source_language: str = "",
        target_language: str = "",
    ) -> Writing:  # fmt: skip
        """What the model writes for a source, the likeliest token each time, or with a beam search of that `width`.

        The `length_penalty` is that of Wu et al. 2016, 0 for none. Languages as for `in_languages`. Raises TextError if
        there is nothing to read, MissingCapabilityError for a model that does not translate, SelectionError for a
        language that it does not know, ValueError for a width below 1.
        """
        if source_language or target_language:
            told = self.in_languages(source=source_language, target=target_language)
            return told.translate(text, width=width, length_penalty=length_penalty)
        if not self.info.can_translate:
            return super().translate(text, width=width, length_penalty=length_penalty)
        prepared = self._prepare(text)
        with self._prompted(prepared) as prompt:
            n_new = self._room(prompt, WRITTEN_PER_SOURCE * len(prepared.tokens) + WRITTEN_ANYHOW)
            beam, searched = self._searched(prompt, n_new=n_new, width=width, length_penalty=length_penalty)
            written = self._written(prompt, beam)
        kept = beam.ids[:-1] if beam.is_finished else beam.ids
        with self._tokenizing:
            reading = target_written(prepared, (*prompt.ids, *kept), self.tokenizer, self.vocabulary)
        return Writing(
            info=self.info,
            recording=self._recorded_reading(reading),
            written=written,
            branches=self._branches(searched, length_penalty),
            unknown_words=unknown_words(text, prepared, self.tokenizer, self.source_words),
            familiarity=self.source_bigrams.familiarity(prepared.input_ids) if self.source_bigrams else None,
            is_finished=beam.is_finished,
        )

    @torch.inference_mode()
    def continue_text(
        self, text: str, *, n_new: int = 20, temperature: float = 1.0, top_k: int = 0, seed: int = 0
    ) -> Writing:
        """What the model writes after a text: each token sampled from softmax(logits / temperature) of the
        `top_k` likeliest (0 for all). The temperature 0 takes the likeliest; the same seed gives the same text.

        `text_so_far` of the tokens follows the text as it was typed, with the space between the two, if there is one.
        A text that leaves no room for the new tokens loses its end. Raises TextError if there is nothing to read,
        MissingCapabilityError for a model that continues no text, ValueError for an invalid temperature, `top_k` or
        `n_new`.
        """
        if not self.info.can_continue:
            return super().continue_text(text, n_new=n_new, temperature=temperature, top_k=top_k, seed=seed)
        prepared = self._with_room(text, n_new)
        with self._prompted(prepared) as prompt:
            beam = sample(
                prompt.decoder, self._ids(prompt.ids), n_new=self._room(prompt, n_new),
                temperature=temperature, top_k=top_k, seed=seed, end_id=prompt.end_ids, rule=prompt.rule,
            )  # fmt: skip
            written = self._written(prompt, beam, partial(tempered, temperature=temperature, top_k=top_k))
        kept = beam.ids[:-1] if beam.is_finished else beam.ids
        with self._tokenizing:
            reading = continued(prepared, kept, self.tokenizer, self.vocabulary)
        return Writing(
            info=self.info, recording=self._recorded_reading(reading), written=written, is_finished=beam.is_finished
        )

    @torch.inference_mode()
    def guess_tokens(self, text: str) -> TokenGuesses:
        """What a causal model expects at every place of a text, from the tokens before it, in one pass.

        Raises TextError if there is nothing to read, MissingCapabilityError for a model that does not continue texts.
        """
        if self.info.kinds == ("decoder",) and not self.info.can_continue:
            raise self.lacks(NEXT_TOKENS)
        if not self.info.can_continue:
            return super().guess_tokens(text)
        prepared = without_end(self._prepare(text))
        with self._prompted(prepared) as prompt:
            guesses: list[TokenGuess] = []
            for position, row in self._next_log_probabilities(prompt.decoder, prepared.input_ids, first=0):
                if position + 1 == len(prepared.tokens):
                    next_choices = best_choices(row, self.vocabulary, CANDIDATES)
                elif not prepared.tokens[position + 1].is_special:
                    token_id = prepared.input_ids[position + 1]
                    guesses.append(guess_of(row, position=position + 1, token_id=token_id, vocabulary=self.vocabulary))
        return TokenGuesses(
            info=self.info, tokens=prepared.tokens, sides="left", guesses=tuple(guesses), next_choices=next_choices,
            note=prepared.note,
        )  # fmt: skip

    def _source_and_target(self, text: str, text_b: str | None) -> Reading:
        """What an encoder-decoder reads: a source and a target, which it writes itself, greedily, if none is given."""
        if not text_b:
            return self._read_by_itself(text)
        prepared = self._prepare(text)
        with self._tokenizing:
            return target_given(
                prepared, text_b, self.tokenizer, start_id=self._start_id(), max_tokens=self.info.max_tokens
            )

    @torch.inference_mode()
    def _read_by_itself(self, text: str) -> Reading:
        prepared = self._prepare(text)
        with self._prompted(prepared) as prompt:
            n_new = self._room(prompt, WRITTEN_PER_SOURCE * len(prepared.tokens) + WRITTEN_ANYHOW)
            beam, _ = self._searched(prompt, n_new=n_new, width=1, length_penalty=0)
        kept = beam.ids[:-1] if beam.is_finished else beam.ids
        with self._tokenizing:
            reading = target_written(prepared, (*prompt.ids, *kept), self.tokenizer, self.vocabulary)
        said = worded("The model itself wrote what its decoder reads: “{text}”", text=self._decoded(kept))
        return replace(reading, note=joined(prepared.note, said))

    # -- writing ------------------------------------------------------------------------------------------------------

    def _searched(
        self, prompt: Prompt[OwnCache], *, n_new: int, width: int, length_penalty: float
    ) -> tuple[Beam, tuple[tuple[Beam, ...], ...]]:
        """What is written, and the beams at every position if there is more than one."""
        ids = self._ids(prompt.ids)
        if width == 1:
            beam = greedy(prompt.decoder, ids, n_new=n_new, end_id=prompt.end_ids, rule=prompt.rule)
            return beam, ()
        searched = beam_search(
            prompt.decoder, ids, width=width, n_new=n_new, end_id=prompt.end_ids,
            length_penalty=length_penalty, rule=prompt.rule,
        )  # fmt: skip
        return searched[-1][0], searched

    def _ids(self, ids: Sequence[int]) -> Tensor:
        return torch.tensor(ids, device=self.device)

    def _room(self, prompt: Prompt[OwnCache], wanted: int) -> int:
        """How many tokens may be written after the prompt."""
        return min(wanted, MOST_WRITTEN, self.info.max_tokens - len(prompt.ids))

    def _with_room(self, text: str, n_new: int) -> PreparedText:
        """A text to be continued, with room for new tokens: half of the positions at most."""
        most = self.info.max_tokens
        room = min(n_new, MOST_WRITTEN, most // 2)
        if n_new < 1 or most < 2:
            raise TextError(worded("{n} new tokens were asked for, expected at least one.", n=n_new))
        with self._tokenizing:
            return without_end(prepare(self.tokenizer, text, max_tokens=most - room))

    # -- what it thought ----------------------------------------------------------------------------------------------

    def _written(
        self, prompt: Prompt[OwnCache], beam: Beam, sampling: Sampling | None = None
    ) -> tuple[WrittenToken, ...]:
        """Every token that was written, beside its rivals: once more through the decoder, all tokens together."""
        n_prompt = len(prompt.ids)
        ids = (*prompt.ids, *beam.ids[:-1])
        rows = self._next_log_probabilities(prompt.decoder, ids, first=n_prompt - 1)
        return tuple(
            self._written_token(prompt, beam.ids[:n_written], position, row, sampling)
            for n_written, (position, row) in enumerate(rows, start=1)
        )

    def _written_token(
        self, prompt: Prompt[OwnCache], written: tuple[int, ...], position: int, row: Array, sampling: Sampling | None
    ) -> WrittenToken:
        """The last of the tokens `written`, for which the model had the log-probabilities `row` [d_vocab]."""
        token_id = written[-1]
        drawn = None if sampling is None else sampling(self._allowed(prompt, written[:-1], row))  # [d_vocab]
        return WrittenToken(
            position=position,
            token_id=token_id,
            chosen=WordChoice(text=self.vocabulary[token_id], probability=float(np.exp(row[token_id]))),
            candidates=best_choices(row, self.vocabulary, CANDIDATES),
            text_so_far=self._text_after(prompt, written),
            drawn=() if drawn is None else tuple(drawn[best_ids(row, CANDIDATES)].tolist()),
            chosen_drawn=None if drawn is None else float(drawn[token_id]),
            entropy=entropy_bits(row),
        )

    def _allowed(self, prompt: Prompt[OwnCache], written: Sequence[int], row: Array) -> Array:
        """The log-probabilities [d_vocab] of the token after those `written`, without what the checkpoint forbids."""
        if prompt.rule is None:
            return row
        ids = self._ids((*prompt.ids, *written))[None]  # [1, n_tokens]
        found: Array = prompt.rule(ids, torch.tensor(row, device=self.device)[None])[0].cpu().numpy()  # [d_vocab]
        return found

    def _next_log_probabilities(
        self, decoder: NextTokenModel[OwnCache], ids: Sequence[int], *, first: int
    ) -> Iterator[tuple[int, Array]]:
        """(position, log-probabilities [d_vocab] of the token after it), from `first` on, few at once in memory."""
        kept = decoder.new_cache()
        at_once = max(1, MOST_NUMBERS // self.info.d_vocab)
        for begin in range(0, len(ids), at_once):
            logits = decoder.all_logits(self._ids(ids[begin : begin + at_once])[None], kept)[0]  # [n, d_vocab]
            skipped = max(first - begin, 0)
            yield from enumerate(log_softmax(logits[skipped:]), start=begin + skipped)

    def _text_after(self, prompt: Prompt[OwnCache], ids: Sequence[int]) -> str:
        """What is written, as a person reads it: of a continued text what follows the prompt."""
        if self.info.can_translate:
            return self._decoded(ids)
        before, whole = self._decoded(prompt.ids), self._decoded((*prompt.ids, *ids))
        return whole[len(before) :] if whole.startswith(before) else self._decoded(ids)

    def _decoded(self, ids: Sequence[int]) -> str:
        """Ids as a text; Marian's tokenizer breaks at one that has no piece."""
        left_out = language_ids(self.tokenizer).values()
        named = [each for each in ids if self.vocabulary[each] != NAMELESS and each not in left_out]
        with self._tokenizing:
            return str(self.tokenizer.decode(named, skip_special_tokens=True))

    def _branches(self, searched: Sequence[Sequence[Beam]], length_penalty: float) -> tuple[tuple[Branch, ...], ...]:
        text_of: Callable[[tuple[int, ...]], str] = cache(self._decoded)
        return tuple(
            tuple(
                Branch(
                    token_ids=beam.ids,
                    tokens=tuple(self.vocabulary[token_id] for token_id in beam.ids),
                    text=text_of(beam.ids),
                    log_probability=beam.log_probability,
                    score=beam.score(length_penalty),
                    is_finished=beam.is_finished,
                )
                for beam in beams
            )
            for beams in searched
        )
