"""A model that computes in this process: what the parts of an adapter need of it, and the questions that they answer.

An adapter says how it reads a text, how it runs and why it lacks a capability. Guessing masks (`mask_guesser`), writing
(`writing`) and following an answer into the layers (`models.inspection.probing.questions`) are the same for all.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import replace
from typing import Any

import torch
from torch import Tensor
from transformers import PreTrainedTokenizerBase

from models.inspection.probing import questions as probing
from models.inspection.probing.altered import without_heads
from models.inspection.probing.probe import Probe
from models.model import MASKED_WORDS, NEXT_TOKENS, TRANSLATION, Model, TellProgress, missing
from models.tasks import layerwise, mask_guesser, timing, writing
from models.tasks.decoding import Prompt
from models.tasks.missing import why_it_does_not_write
from models.tasks.spelling import asked_word
from models.tasks.together import record_in_passes
from models.text.familiarity import SourceBigrams
from models.text.prepare import PreparedText, prepare
from models.text.reading import Reading
from models.text.tokenizer.vocabulary import vocabulary_of
from models.values.answers import AskedWord, JointFilling, LayerwisePrediction, MaskedText
from models.values.arguments.check import check_arguments
from models.values.errors import MissingCapabilityError, TextError
from models.values.probing.changes import NO_CHANGES, Changes, HeadEdit, HeadPlace
from models.values.probing.circuits import HeadCircuits
from models.values.probing.contrast import AnswerLogits, AnswerOf, AnswersUnder, Contrast
from models.values.probing.gradients import Gradients, GradientsBy
from models.values.probing.stream import AnswerStreams, LayerInputs, ScoreStreams
from models.values.record import Array, Kind, MaskPrediction, Recording, no_vectors
from models.values.results.costs import WritingTimes
from models.values.results.lens import JacobianLens
from models.values.text.spelling import Vocabulary
from models.values.wording import worded
from models.values.writing import TokenGuesses, Writing


class LocalModel(Model):
    """A model in this process, with its tokenizer. Nothing on it changes after loading: many threads may use one."""

    device: torch.device
    tokenizer: PreTrainedTokenizerBase
    """Of the texts that it reads."""
    tokenizing: AbstractContextManager[object]
    """Entered while the tokenizer works, which keeps state then."""
    vocabulary: Vocabulary
    """The spelling of every token [d_vocab]; empty for a model that says no words."""
    source_words: frozenset[str] | None = None
    """The words of the sources that a translator was trained on, if its folder has them."""
    source_bigrams: SourceBigrams | None = None
    """The language model of those sources, if its folder has one."""

    @property
    def target_tokenizer(self) -> PreTrainedTokenizerBase:
        """The tokenizer of the texts that it writes: that of those that it reads, but for a translator with two
        vocabularies."""
        return self.tokenizer

    # -- what an adapter says -----------------------------------------------------------------------------------------

    @abstractmethod
    def prepare(self, text: str, text_b: str | None = None) -> PreparedText:
        """Return a text, or a pair, as token ids. Raises TextError if there is nothing to read."""

    @abstractmethod
    def read(self, text: str, text_b: str | None = None) -> Reading:
        """Return what each stack reads; what the decoder of a translator reads is written first, if it is not given."""

    @abstractmethod
    def record_reading(self, reading: Reading) -> Recording:
        """Run one forward pass and keep everything."""

    @check_arguments
    def record_texts(self, texts: Sequence[str]) -> tuple[Recording, ...]:
        return record_in_passes(self, texts)

    @abstractmethod
    def probe(self, text: str, text_b: str | None, of: AnswerOf | None, position: int | None) -> Probe:
        """Put a text before the model; `of` is by default its first answer, `position` the usual place.

        Raises TextError, SelectionError for a place that is not there, MissingCapabilityError.
        """

    @abstractmethod
    def why_not(self, capability: str) -> str:
        """Return why the model does not have a capability, as half a sentence."""

    def instead(self, _capability: str) -> str:
        """Return what is said first where the words of LACKS would not be true of the model; else an empty text."""
        return ""

    def mask_logits(self, _prepared: PreparedText) -> Tensor:
        """Return the logits of the MLM head at every token [n_tokens, d_vocab]."""
        raise self.lacks(MASKED_WORDS)

    def logits_if_masked(self, _prepared: PreparedText, _positions: Sequence[int]) -> Tensor:
        """Return logits [n_positions, d_vocab], each of a copy of the text in which that one token is masked."""
        raise self.lacks(MASKED_WORDS)

    def open_prompt(self, _prepared: PreparedText) -> AbstractContextManager[Prompt[Any]]:
        """Read the source, or take the text as the prompt. Nothing is recorded or changed inside the block."""
        raise self.lacks(NEXT_TOKENS)

    def start_id(self) -> int:
        """Return the token with which the decoder of an encoder-decoder starts."""
        raise self.lacks(TRANSLATION)

    @property
    def calls_of_kinds(self) -> Mapping[Kind, int]:
        """How many layers have attention of each kind."""
        return dict.fromkeys(self.info.kinds, self.info.n_layers)

    # -- what it lacks ------------------------------------------------------------------------------------------------

    def lacks(self, capability: str) -> MissingCapabilityError:
        """Return the error for a capability that the model does not have, with the reason."""
        writes = capability in {TRANSLATION, NEXT_TOKENS}
        why = why_it_does_not_write(self.info, capability) if writes else self.why_not(capability)
        return missing(self.info, capability, why, lacks=self.instead(capability))

    def prepare_answer(self, text: str) -> PreparedText:
        """Return a text as the stack that answers spells it."""
        if not self.info.can_translate:
            return self.prepare(text)
        with self.tokenizing:
            return prepare(self.target_tokenizer, text, max_tokens=self.info.max_tokens, is_target=True)

    def prepare_follow_up(self, text: str, text_b: str, *, exchange_segments: bool = False) -> PreparedText:
        """Return a text and the one that may follow it, perhaps each with the segment of the other. Raises TextError
        where there is no second one."""
        if not text_b.strip():
            raise TextError(worded("There is no second sentence. Type one that may follow the first."))
        prepared = self.prepare(text, text_b)
        if not exchange_segments:
            return prepared
        return replace(prepared, segment_ids=tuple(1 - segment for segment in prepared.segment_ids))

    def own_vocabulary(self, n_words: int | None = None) -> Vocabulary:
        """Return the spelling of every token, or of the first `n_words`; empty for a model that says no words."""
        says_words = self.info.can_fill_mask or self.info.can_translate or self.info.can_continue
        n_words = self.info.d_vocab if n_words is None else n_words
        return vocabulary_of(self.target_tokenizer, n_words if says_words else 0)

    # -- questions ----------------------------------------------------------------------------------------------------

    def record(self, text: str, text_b: str | None = None) -> Recording:
        return self.record_reading(self.read(text, text_b))

    def ask_word(self, word: str) -> AskedWord:
        return asked_word(word, self.prepare_answer, self.target_tokenizer)

    def masked_words(self, text: str, text_b: str | None = None) -> MaskedText:
        return mask_guesser.masked_words(self, text, text_b)

    def fill_mask(self, text: str, top_k: int = 5, text_b: str | None = None) -> tuple[MaskPrediction, ...]:
        return mask_guesser.fill_mask(self, text, top_k, text_b)

    def predict_by_layer(
        self, text: str, mask: int = 0, text_b: str | None = None, *, lens: JacobianLens | None = None
    ) -> LayerwisePrediction:
        return layerwise.predict_by_layer(self, text, mask, text_b, lens)

    def fill_jointly(self, text: str, text_b: str | None = None, progress: TellProgress | None = None) -> JointFilling:
        return mask_guesser.fill_jointly(self, text, text_b, progress)

    def guess_tokens(self, text: str) -> TokenGuesses:
        if self.info.can_continue:
            return writing.guess_next_tokens(self, text)
        if self.info.kinds == ("decoder",):
            raise self.lacks(NEXT_TOKENS)
        return mask_guesser.guess_tokens(self, text)

    def translate(
        self,
        text: str,
        *,
        width: int = 1,
        length_penalty: float = 0.6,
        source_language: str = "",
        target_language: str = "",
    ) -> Writing:
        model = self.in_languages(source=source_language, target=target_language)
        return writing.translate(model, text, width=width, length_penalty=length_penalty)

    def continue_text(
        self, text: str, *, n_new: int = 20, temperature: float = 1.0, top_k: int = 0, seed: int = 0
    ) -> Writing:
        return writing.continue_text(self, text, n_new=n_new, temperature=temperature, top_k=top_k, seed=seed)

    def write_without(self, text: str, *, heads: Sequence[HeadEdit], n_new: int = 20) -> Writing:
        if heads and not self.info.has_vectors:
            raise no_vectors(self.info)
        with without_heads(heads, self.calls_of_kinds):
            if self.info.can_translate:
                return self.translate(text)
            return self.continue_text(text, n_new=n_new, temperature=0.0)

    def time_writing(self, text: str, *, n_new: int = 48) -> WritingTimes:
        return timing.time_writing(self, text, n_new=n_new)

    def answer_logits(
        self,
        text: str,
        text_b: str | None = None,
        *,
        of: AnswerOf | None = None,
        position: int | None = None,
        changes: Changes = NO_CHANGES,
    ) -> AnswerLogits:
        return probing.answer_logits(self.probe(text, text_b, of, position), changes)

    def answers_under(
        self,
        text: str,
        text_b: str | None = None,
        *,
        contrast: Contrast,
        changes: Sequence[Changes],
        progress: TellProgress | None = None,
    ) -> AnswersUnder:
        return probing.answers_under(self._probe_of(text, text_b, contrast), contrast, changes, progress)

    def gradients(
        self,
        text: str,
        text_b: str | None = None,
        *,
        contrast: Contrast,
        changes: Sequence[Changes] = (NO_CHANGES,),
        by: GradientsBy = "weights",
    ) -> tuple[Gradients, ...]:
        return probing.gradients(self._probe_of(text, text_b, contrast), contrast, changes, by=by)

    def jacobians(self, text: str, text_b: str | None = None) -> Array:
        return probing.jacobians(self.probe(text, text_b, "mask" if self.info.can_fill_mask else "next", None))

    def layer_inputs(self, text: str, text_b: str | None = None) -> tuple[LayerInputs, ...]:
        return probing.layer_inputs(self.probe(text, text_b, None, 0))

    def head_circuits(self, text: str, text_b: str | None = None) -> tuple[HeadCircuits, ...]:
        return probing.circuits(self.probe(text, text_b, None, 0))

    def answer_streams(self, text: str, text_b: str | None = None, *, contrast: Contrast) -> AnswerStreams:
        return probing.streams(self._probe_of(text, text_b, contrast), contrast)

    def score_streams(
        self, text: str, text_b: str | None = None, *, place: HeadPlace, query: int, key: int
    ) -> ScoreStreams:
        return probing.score_streams(self.probe(text, text_b, None, 0), place, query=query, key=key)

    def _probe_of(self, text: str, text_b: str | None, contrast: Contrast) -> Probe:
        return probing.expecting(self.probe(text, text_b, contrast.of, contrast.position), contrast)
