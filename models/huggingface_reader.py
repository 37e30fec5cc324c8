"""How a transformers model reads: text to tokens, tokens through one forward pass, and what a decoder reads.

A class for the adapter to build on: it holds the model and the tokenizer, and says nothing about recording.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from threading import Lock
from typing import Any

import torch
from torch import Tensor, nn
from transformers import GenerationConfig, PreTrainedModel
from transformers.utils.generic import ModelOutput

from models.attention_interface import running
from models.errors import ModelLoadError
from models.huggingface_config import kinds_of_modules, layers_of_kinds, takes_segments
from models.huggingface_files import OpenedModel
from models.mask_guesser import MaskGuesser
from models.record import Kind, Token
from models.recorder import undisturbed
from models.text import PreparedText, prepare, tokens_of_written

TOKENS_TO_WRITE = 64


@dataclass(frozen=True, slots=True, kw_only=True)
class Inputs:
    """Tokens as the model takes them; `decoder_ids` and `decoder_tokens` for an encoder-decoder model only."""

    ids: Tensor
    """[1, n_tokens]"""
    segment_ids: Tensor
    """[1, n_tokens]"""
    decoder_ids: Tensor | None = None
    """[1, n_decoder_tokens]"""
    position_ids: Tensor | None = None
    """[1, n_tokens], in the model's own numbers; None: as it counts them itself"""


@dataclass(frozen=True, slots=True, kw_only=True)
class Reading:
    """A text as the stacks of a model read it."""

    prepared: PreparedText
    tokens: Mapping[Kind, tuple[Token, ...]]
    decoder_ids: list[int] | None = None
    note: str = ""


class HuggingFaceReader(MaskGuesser):
    """A transformers model with its tokenizer, on a device."""

    def __init__(self, opened: OpenedModel, model: PreTrainedModel, *, name: str, device: torch.device) -> None:
        self.name = name
        self.tokenizer = opened.tokenizer
        self.device = device
        self.model = model
        nn.Module.to(model, device)
        self._tokenizing = Lock()
        self._takes_segments = takes_segments(model)
        self._is_causal = opened.is_causal
        self._kinds = kinds_of_modules(model, is_causal=opened.is_causal)
        self._n_layers = layers_of_kinds(model.config, is_causal=opened.is_causal)

    @property
    def is_encoder_decoder(self) -> bool:
        return bool(self.model.config.is_encoder_decoder)

    # -- one forward pass ---------------------------------------------------------------------------------------------

    @torch.inference_mode()
    def _run(self, inputs: Inputs, module: nn.Module) -> ModelOutput:
        """The forward pass: of the whole model, or of its body, which stops at the last layer."""
        arguments: dict[str, Tensor] = {"input_ids": inputs.ids, "attention_mask": torch.ones_like(inputs.ids)}
        if self._takes_segments:
            arguments["token_type_ids"] = inputs.segment_ids.clamp(max=self.model.config.type_vocab_size - 1)
        if inputs.decoder_ids is not None:
            arguments["decoder_input_ids"] = inputs.decoder_ids
        if inputs.position_ids is not None:
            arguments["position_ids"] = inputs.position_ids
        keeps_cache = {"use_cache": False} if "decoder" in self._n_layers else {}
        is_own = module is self.model or module is self.model.base_model
        kinds = self._kinds if is_own else kinds_of_modules(module, is_causal=self._is_causal)
        with running(self.name, kinds):
            output: ModelOutput = module(**arguments, **keeps_cache, output_hidden_states=True, return_dict=True)
        return output

    def _prepare(self, text: str, text_b: str | None = None) -> PreparedText:
        with self._tokenizing:  # Python tokenizers keep state while they work
            return prepare(self.tokenizer, text, text_b, max_tokens=self.info.max_tokens)

    def _inputs(
        self,
        prepared: PreparedText,
        decoder_ids: Sequence[int] | None = None,
        positions: Sequence[int] | None = None,
    ) -> Inputs:
        self._expect_in_vocabulary([*prepared.input_ids, *(decoder_ids or ())])
        return Inputs(
            ids=torch.tensor([prepared.input_ids], device=self.device),
            segment_ids=torch.tensor([prepared.segment_ids], device=self.device),
            decoder_ids=None if decoder_ids is None else torch.tensor([decoder_ids], device=self.device),
            position_ids=None if positions is None else torch.tensor([positions], device=self.device),
        )

    def _expect_in_vocabulary(self, ids: Sequence[int]) -> None:
        if max(ids) >= self.info.d_vocab:
            raise ModelLoadError(
                self.name,
                f"The tokenizer of {self.name} gives the token number {max(ids)}, but the model knows only "
                f"{self.info.d_vocab}: the two do not belong together.",
            )

    # -- encoder and decoder ------------------------------------------------------------------------------------------

    def _read(self, text: str, text_b: str | None) -> Reading:
        """What each stack reads. An encoder-decoder that is given no text B writes what its decoder reads."""
        if not self.is_encoder_decoder:
            return self._alone(self._prepare(text, text_b))
        prepared = self._prepare(text)
        if text_b:
            decoder_ids, decoder_tokens, note = self._read_by_decoder(text_b)
        else:
            decoder_ids, decoder_tokens, note = self._written_by_decoder(prepared)
        return Reading(
            prepared=prepared,
            tokens={"encoder": prepared.tokens, "decoder": decoder_tokens},
            decoder_ids=decoder_ids,
            note=" ".join(part for part in (prepared.note, note) if part),
        )

    def _alone(self, prepared: PreparedText) -> Reading:
        """What the one stack of an encoder or a decoder reads."""
        return Reading(prepared=prepared, tokens=dict.fromkeys(self._n_layers, prepared.tokens), note=prepared.note)

    def _read_by_decoder(self, text_b: str) -> tuple[list[int], tuple[Token, ...], str]:
        """The decoder's ids and tokens for a text that is given: shifted right by the start token, as in training."""
        with self._tokenizing:
            prepared = prepare(self.tokenizer, text_b, max_tokens=self.info.max_tokens - 1, is_target=True)
        ids, tokens = list(prepared.input_ids), list(prepared.tokens)
        if ids[-1] == self.tokenizer.eos_token_id and tokens[-1].is_special:
            ids, tokens = ids[:-1], tokens[:-1]
        tokens = [replace(token, segment=1) for token in tokens]
        return [self._start_id(), *ids], (self._start_token(), *tokens), prepared.note

    def _written_by_decoder(self, prepared: PreparedText) -> tuple[list[int], tuple[Token, ...], str]:
        """What the model writes for the text, with its start token and without its end."""
        inputs = self._inputs(prepared)
        writer: Any = self.model  # its class brings `generate`, which PreTrainedModel does not declare
        with undisturbed(), torch.inference_mode(), running(self.name, self._kinds):
            written: Tensor = writer.generate(  # [1, n_decoder_tokens]
                inputs.ids,
                attention_mask=torch.ones_like(inputs.ids),
                generation_config=self._greedy(),
            )
        ids: list[int] = written[0].tolist()
        if len(ids) > 1 and ids[-1] == self.tokenizer.eos_token_id:
            ids = ids[:-1]
        with self._tokenizing:
            text = self.tokenizer.decode(ids, skip_special_tokens=True)
            named = self.tokenizer.convert_ids_to_tokens(ids)
        pieces = [piece or f"<{token_id}>" for piece, token_id in zip(named, ids, strict=True)]  # some ids are nameless
        is_special = [token_id in self.tokenizer.all_special_ids for token_id in ids]
        return ids, tokens_of_written(pieces, is_special), f"The model itself wrote what its decoder reads: “{text}”"

    def _start_id(self) -> int:
        """The token with which the decoder starts."""
        for config in (self.model.generation_config, self.model.config):
            start = getattr(config, "decoder_start_token_id", None)
            if start is not None:
                return int(start)
        raise ModelLoadError(
            self.name, f"The configuration of {self.name} does not say with which token its decoder starts."
        )

    def _start_token(self) -> Token:
        return Token(text=str(self.tokenizer.convert_ids_to_tokens(self._start_id())), segment=1, is_special=True)

    def _greedy(self) -> GenerationConfig:
        """The checkpoint's own settings for writing, but always the likeliest token, and not many of them."""
        greedy = {
            "do_sample": False,
            "num_beams": 1,
            "early_stopping": False,
            "length_penalty": 1.0,
            "max_length": None,
            "min_length": 0,
            "max_new_tokens": min(TOKENS_TO_WRITE, self.info.max_tokens - 1),
            # transformers sizes the cache by the encoder's layers: T5 with a deeper decoder would run over its end
            "use_cache": self._n_layers["decoder"] <= self._n_layers["encoder"],
        }
        return GenerationConfig.from_dict({**self.model.generation_config.to_dict(), **greedy})
