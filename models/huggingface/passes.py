"""How a transformers model reads texts: text to tokens, and what a decoder reads and writes.

A class for the adapter to build on: it holds the network and the tokenizer, and says nothing about recording.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from copy import copy
from dataclasses import replace
from functools import cached_property, partial
from threading import Lock
from typing import Any, Self

import torch
from torch import Tensor, nn
from transformers import PreTrainedModel, PreTrainedTokenizerBase
from transformers.modeling_outputs import BaseModelOutput
from transformers.utils.generic import ModelOutput

from models.huggingface.checkpoint.opened import OpenedModel
from models.huggingface.network import Network
from models.huggingface.refusals import expect_one_vocabulary
from models.huggingface.writing import HuggingFaceCache, HuggingFaceDecoding, keeps_what_it_read, rule_of
from models.recording.recorder import suspend_observer
from models.recording.watched_copy import with_twins
from models.tasks.decoding import Prompt
from models.tasks.local import LocalModel
from models.tasks.writing import read_source_and_target
from models.text.languages.codes import LanguageCodes
from models.text.languages.prefix import find_prefix
from models.text.languages.turn import TokenizerTurn
from models.text.prepare import PreparedText, prepare
from models.text.reading import Reading, shift_source
from models.text.tokenizer.two_vocabularies import split_vocabularies
from models.values.errors import HeadlightError, ModelLoadError
from models.values.text.languages import Languages
from models.values.wording import join_sentences, worded


class _SeenError(Exception):
    """Ends a pass that was made only to see what the decoder is given."""


def _keep_ids(decoder: nn.Module, *, seen: list[Tensor]) -> None:
    def keep(_module: nn.Module, _args: tuple[Any, ...], given: dict[str, Any]) -> None:
        if isinstance(ids := given.get("input_ids"), Tensor):
            seen.append(ids)
            raise _SeenError

    decoder.register_forward_pre_hook(keep, with_kwargs=True)


class HuggingFaceReader(LocalModel):
    """A transformers model with its tokenizer, on a device."""

    def __init__(self, opened: OpenedModel, model: PreTrainedModel, *, name: str, device: torch.device) -> None:
        self.name = name
        self.tokenizer, self._target_tokenizer = split_vocabularies(opened.tokenizer)
        self.device = device
        self.network = Network(model, name=name, device=device, is_causal=opened.is_causal)
        self.tokenizing: TokenizerTurn = TokenizerTurn(self.tokenizer, Lock())
        if self._target_tokenizer is self.tokenizer and self.is_encoder_decoder:
            sizes = self.network.d_vocab, self.network.d_vocab_of_target
            expect_one_vocabulary(name, n_read=sizes[0], n_written=sizes[1])
        self.codes: LanguageCodes | None = None
        """How it is told languages, if it is."""
        self.has_text_labels = opened.has_text_labels
        """Whether it has a classifier for texts, if only one that gives a score."""
        self.has_no_mask = opened.has_no_mask
        """Whether it has an LM head for masked words, and its tokenizer no mask."""

    @property
    def model(self) -> PreTrainedModel:
        return self.network.model

    @property
    def is_encoder_decoder(self) -> bool:
        return self.network.is_encoder_decoder

    @property
    def target_tokenizer(self) -> PreTrainedTokenizerBase:
        return self._target_tokenizer

    def prepare(self, text: str, text_b: str | None = None) -> PreparedText:
        told = find_prefix(text, self.codes, self.info.languages)
        with self.tokenizing:  # Python tokenizers keep state while they work
            prepared = prepare(
                self.tokenizer, text, text_b, max_tokens=self.info.max_tokens, before=told.before, skip=told.skip
            )
        note = told.note if self.info.can_translate or not self.is_encoder_decoder else ""
        return replace(prepared, note=join_sentences(note, prepared.note))

    def in_languages(self, *, source: str = "", target: str = "") -> Self:
        """The same model and weights, told other languages; an empty code leaves what is. Raises SelectionError for a
        language that it does not know, MissingCapabilityError if it is never told any."""
        if self.codes is None or self.info.languages is None or not (source.strip() or target.strip()):
            return super().in_languages(source=source, target=target)
        return self.with_languages(self.codes.choose(self.info.languages, source=source, target=target))

    def with_languages(self, languages: Languages) -> Self:
        told = copy(self)
        vars(told).update(info=replace(self.info, languages=languages), tokenizing=self.tokenizing.within(languages))
        return told

    def inputs(
        self,
        prepared: PreparedText,
        decoder_ids: Sequence[int] | None = None,
        positions: Sequence[int] | None = None,
    ) -> dict[str, Tensor]:
        """Return the arguments of a pass over one text. Raises ModelLoadError for ids that the model does not know."""
        self.expect_in_vocabulary(prepared.input_ids, decoder_ids)
        return self.network.text_arguments(
            torch.tensor([prepared.input_ids], device=self.device),
            segment_ids=torch.tensor([prepared.segment_ids], device=self.device),
            decoder_ids=None if decoder_ids is None else torch.tensor([decoder_ids], device=self.device),
            position_ids=None if positions is None else torch.tensor([positions], device=self.device),
        )

    def expect_in_vocabulary(self, ids: Sequence[int], decoder_ids: Sequence[int] | None = None) -> None:
        """Raise ModelLoadError for an id for which the stack that reads it has no vector."""
        for number, known in ((max(ids), self.network.d_vocab), (max(decoder_ids or (0,)), self.info.d_vocab)):
            if number >= known:
                raise ModelLoadError(
                    self.name,
                    worded(
                        "The tokenizer of {model} has a token number {number}, but the model knows only {known}: the "
                        "two do not belong together.",
                        model=self.name,
                        number=number,
                        known=known,
                    ),
                )

    # -- encoder and decoder ------------------------------------------------------------------------------------------

    def read(self, text: str, text_b: str | None = None) -> Reading:
        """Return the reading of each stack. An encoder-decoder that is given no text B writes what its decoder reads;
        the decoder of one that does not write, a classifier, reads the source again."""
        if self.is_encoder_decoder and self.info.can_translate:
            return read_source_and_target(self, text, text_b)
        if self.is_encoder_decoder:
            prepared = self.prepare(text, text_b)
            with self.tokenizing:
                return shift_source(prepared, self._find_decoder_ids(prepared), self.tokenizer)
        return self.alone(self.prepare(text, text_b))

    @torch.inference_mode()
    def _find_decoder_ids(self, prepared: PreparedText) -> tuple[int, ...]:
        """The ids that the class gives to its decoder where nobody gives it any: seen on the way, the encoder left out.
        A class that asks for them gets the source behind the token that every target begins with."""
        ids, seen = self.inputs(prepared)["input_ids"], list[Tensor]()
        model: Any = self.model
        decoder = next(name for name, module in self.model.named_modules() if module is model.get_decoder())
        states = torch.zeros(*ids.shape, self.info.d_model, device=self.device)  # [1, n_tokens, d_model]
        try:
            with_twins(self.model, {decoder: partial(_keep_ids, seen=seen)})(
                input_ids=ids,
                attention_mask=torch.ones_like(ids),
                encoder_outputs=BaseModelOutput(last_hidden_state=states),
            )
        except _SeenError:
            return tuple(seen[0][0].tolist())
        except Exception as error:
            if isinstance(error, HeadlightError):
                raise
        return self.start_id(), *prepared.input_ids[:-1]

    def alone(self, prepared: PreparedText) -> Reading:
        """Return the reading of the one stack of an encoder or a decoder."""
        return Reading(
            prepared=prepared, tokens=dict.fromkeys(self.network.n_calls, prepared.tokens), note=prepared.note
        )

    @contextmanager
    def open_prompt(self, prepared: PreparedText) -> Iterator[Prompt[HuggingFaceCache]]:
        has_source, end_ids = self.is_encoder_decoder, self._end_ids()
        with suspend_observer(), torch.inference_mode():
            source = self._encode_source(prepared) if has_source else None
            yield Prompt(
                decoder=self._decoding(source, keeps_cache=has_source or self._keeps_cache),
                ids=(self.start_id(),) if has_source else prepared.input_ids,
                end_ids=end_ids,
                rule=rule_of(
                    self.model.generation_config,
                    sorted(end_ids),
                    has_source=has_source,
                    device=self.device,
                    first_id=self.first_id(),
                ),
            )

    def _decoding(self, source: ModelOutput | None, *, keeps_cache: bool) -> HuggingFaceDecoding:
        run = partial(self.network.call, self.model)
        return HuggingFaceDecoding(model=self.model, run=run, source=source, keeps_cache=keeps_cache)

    @cached_property
    def _keeps_cache(self) -> bool:
        """Whether a decoder on its own can be given what it has read before: found out when it first writes."""
        ids = torch.arange(4, device=self.device)[None] % self.info.d_vocab  # [1, 4]
        return keeps_what_it_read(self._decoding(None, keeps_cache=True), ids)

    def _encode_source(self, prepared: PreparedText) -> ModelOutput:
        """Return the output of the encoder for a source."""
        ids = self.inputs(prepared)["input_ids"]
        encoder: Any = self.model.get_encoder()
        return self.network.call(encoder, input_ids=ids, attention_mask=torch.ones_like(ids))

    def _target_id(self) -> int | None:
        """The token of the language that is written, None where it is not told by a token."""
        languages = self.info.languages
        return None if self.codes is None or languages is None else self.codes.ids.get(languages.target)

    def first_id(self) -> int | None:
        """The token that the decoder has to write first: that of its language, or what the checkpoint names."""
        target = None if self.codes is None or self.codes.starts else self._target_id()
        writes = getattr(self.model, "generation_config", None)  # a classifier has none
        forced: int | None = getattr(writes, "forced_bos_token_id", None) if self.is_encoder_decoder else None
        return forced if target is None else target

    def start_id(self) -> int:
        """The token with which the decoder starts: of mBART, its language."""
        target = self._target_id() if self.codes is not None and self.codes.starts else None
        start = self._read_setting("decoder_start_token_id") if target is None else target
        if start is None:
            raise ModelLoadError(
                self.name,
                worded(
                    "The configuration of {model} does not say with which token its decoder starts.", model=self.name
                ),
            )
        return int(start)

    def _end_ids(self) -> frozenset[int]:
        """The tokens that end a text."""
        said = self._read_setting("eos_token_id")
        ends = self.target_tokenizer.eos_token_id if said is None else said
        return frozenset(ends if isinstance(ends, list | tuple) else () if ends is None else (ends,))

    def _read_setting(self, name: str) -> Any:
        """Return a setting of writing from either of the checkpoint's two configurations."""
        configs = getattr(self.model, "generation_config", None), self.model.config  # a body has only the second
        given = (getattr(config, name, None) for config in configs)
        return next((value for value in given if value is not None), None)
