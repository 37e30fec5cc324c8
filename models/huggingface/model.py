"""Any transformers model as a Headlight model: text in, Recording out.

A model is opened in evaluation mode and tried in one way after the other until its attention is recorded as it is: its
calls must be as many as its layers, and its hidden states equal to those of its own attention; or it hands out the
weights of every layer. What fails is refused when it is opened.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from functools import cached_property
from inspect import signature
from typing import Self

import torch
from torch import Tensor

from models.checkpoints.device_faults import answers_in_sentences, device_fault
from models.checkpoints.devices import PROCESSOR, open_on, pick_device, pick_dtype
from models.huggingface import answers
from models.huggingface.checkpoint.files import open_files
from models.huggingface.checkpoint.opened import OpenedModality, OpenedModel
from models.huggingface.config import (
    first_position,
)
from models.huggingface.modalities.pictures import PictureModel
from models.huggingface.modalities.sounds import SoundModel
from models.huggingface.passes import HuggingFaceReader
from models.huggingface.probing import put_probe
from models.huggingface.recorded import (
    TOKENS_TO_TRY,
    count_written,
    find_output_factors,
    is_same_together,
    needs_lm_head,
    record_alone,
    record_together,
    sample_tokens,
)
from models.huggingface.refusals import reading_error
from models.huggingface.trial import TOLERANCE, describe_reader, last_states, settle, try_network
from models.inspection.position_schemes import huggingface_frequencies, huggingface_positions
from models.inspection.probing.probe import Probe
from models.inspection.walk import walk_layer
from models.inspection.walk_parts import Pass, angles_at
from models.model import QUESTIONS, Model
from models.recording.exact import exact_products
from models.recording.recorder import suspend_observer
from models.tasks.together import TOGETHER
from models.text.languages.codes import language_codes_of
from models.text.prepare import PreparedText
from models.text.reading import Reading
from models.text.shuffling import is_shuffling, ordered_by_mask, record_pair, shuffled_order
from models.values.answers import ReplacedTokens, TextLabels, TokenLabels
from models.values.errors import HeadlightError, MissingCapabilityError, UnsupportedModelError
from models.values.positions import ModelPositions, ShuffledPair
from models.values.probing.contrast import AnswerOf
from models.values.record import Array, Kind, Recording, Token, no_vectors
from models.values.steps import LayerWalk, WhatIf
from models.values.text.languages import Languages
from models.values.wording import worded


@answers_in_sentences(*QUESTIONS, *TOGETHER, declared_by=Model)
class HuggingFaceModel(HuggingFaceReader):
    """A transformers model with its tokenizer. Nothing on it changes after loading: many threads may use one.

    Whether it can be told positions is found out when it is asked for, and then known.
    """

    def __init__(
        self, opened: OpenedModel, *, name: str, device: torch.device, dtype: torch.dtype = torch.float32
    ) -> None:
        """Try the model, and move it to `device`, its weights to `dtype`. Raises UnsupportedModelError if its attention
        cannot be recorded, and DeviceError if the device cannot run it."""
        tried_on = device if dtype == torch.float32 else torch.device(PROCESSOR)
        try:
            super().__init__(opened, opened.without_random_weights(), name=name, device=tried_on)
            with exact_products():
                tokens = tuple(Token(text=str(position)) for position in range(TOKENS_TO_TRY))
                sample = sample_tokens(self.network)
                info, records = try_network(self.network, sample, {"encoder": tokens, "decoder": tokens})
            self.info = describe_reader(self, opened, info, records)
            self._learn_languages()
            if dtype != torch.float32:
                for found_by_numbers in ("first_position", "reads_together", "output_factors"):
                    with suppress(UnsupportedModelError):  # it is told again when it is asked for
                        getattr(self, found_by_numbers)
                self.info = settle(self.network, sample, self.info, device=device, dtype=dtype)
                self.device = device
        except HeadlightError:
            raise
        except Exception as error:  # a foreign class may lack whatever others have
            raise device_fault(error, name, str(device)) or reading_error(opened.model, name, error) from error
        self.vocabulary = self.own_vocabulary(count_written(self.model, self.info.d_vocab))

    def record_reading(self, reading: Reading) -> Recording:
        return self._record_at(reading)

    def _record_at(self, reading: Reading, positions: Sequence[int] | None = None) -> Recording:
        return record_alone(self, reading, positions, self.output_factors)

    def prepare_together(self, text: str, text_b: str | None = None) -> PreparedText | None:
        """Return a text, or a pair, as the model reads it; None for one that it reads alone."""
        if self.is_encoder_decoder or not vars(self).get("reads_together", True):
            return None
        prepared = self.prepare(text, text_b)
        self.expect_in_vocabulary(prepared.input_ids)
        return prepared

    def pass_group(self, text: PreparedText, /) -> Hashable:
        """Return whether a text passes the LM head: those that do share a pass, and so do those that do not."""
        return needs_lm_head(self, text)

    def record_all(self, texts: Sequence[PreparedText]) -> tuple[Recording, ...]:
        """Return what `record` gives for every text, in one pass if the model gives each what it gets alone."""
        if len(texts) == 1 or not self.reads_together:
            return tuple(self._record_at(self.alone(text)) for text in texts)
        return record_together(self, texts, self.output_factors)

    @cached_property
    def reads_together(self) -> bool:
        """Whether a text gets in a pass of several what it gets alone; found out when that is first asked for."""
        return is_same_together(self)

    @cached_property
    def output_factors(self) -> Mapping[Kind, Array]:
        """By what the lengths of values after W_O follow from the values; found when something is first recorded."""
        return find_output_factors(self.network, sample_tokens(self.network))

    def record_shuffled(
        self, text: str, text_b: str | None = None, *, with_positions: bool, seed: int = 0
    ) -> ShuffledPair:
        """The text as it is written and with its tokens shuffled, special tokens apart.

        Raises TextError, and UnsupportedModelError for a model that cannot be told positions, or whose mask tells them.
        """
        first = self._expect_positions(is_order_free=True)
        return record_pair(
            self.prepare(text, text_b),
            lambda prepared, positions: self._record_at(self.alone(prepared), positions),
            with_positions=with_positions,
            seed=seed,
            first=first,
        )

    def walk(
        self,
        text: str,
        text_b: str | None = None,
        *,
        kind: Kind = "encoder",
        layer: int,
        head: int,
        what_if: WhatIf | None = None,
    ) -> LayerWalk:
        """The steps of a layer for one head, those that its architecture shares with the scratch encoder.

        Raises TextError, SelectionError for a kind, layer or head that is not there, and UnsupportedModelError for
        shuffled positions where the model cannot be told any.
        """
        if not self.info.has_vectors:
            raise no_vectors(self.info)
        first = self._expect_positions(is_order_free=False) if is_shuffling(what_if) else 0
        reading = self.read(text, text_b)
        order = shuffled_order(reading.prepared, what_if.seed) if is_shuffling(what_if) else None
        positions = None if order is None else [first + place for place in order]
        inputs = self.inputs(reading.prepared, reading.decoder_ids, positions)
        given = Pass(
            info=self.info,
            body=self.network.body,
            token_embedding=self.model.get_input_embeddings(),
            run=lambda copied: self.network.run(inputs, copied),
            tokens=reading.tokens,
            n_layers=self.network.n_calls,
            blocks=self.network.blocks_of(kind),
            note=reading.note,
            query_scales=self.network.query_scales,
            angles=angles_at(huggingface_frequencies(self.model), positions, len(reading.tokens[self.info.kinds[0]])),
        )
        return walk_layer(given, kind=kind, layer=layer, head=head, what_if=what_if)

    def positions(self) -> ModelPositions:
        """How the model tells positions apart, as far as its modules show it."""
        return huggingface_positions(self.model, self.info)

    def with_languages(self, languages: Languages) -> Self:
        vars(self).setdefault("output_factors", self.output_factors)  # found once, for all languages
        return super().with_languages(languages)

    def next_sentence(self, text: str, text_b: str, *, exchange_segments: bool = False) -> float:
        return answers.next_sentence(self, text, text_b, exchange_segments=exchange_segments)

    def find_replaced(self, text: str, text_b: str | None = None) -> ReplacedTokens:
        return answers.find_replaced(self, text, text_b)

    def label_tokens(self, text: str, text_b: str | None = None) -> TokenLabels:
        return answers.label_tokens(self, text, text_b)

    def label_text(self, text: str, text_b: str | None = None) -> TextLabels:
        return answers.label_text(self, text, text_b)

    def mask_logits(self, prepared: PreparedText) -> Tensor:
        return answers.read_mask_logits(self, prepared)

    def logits_if_masked(self, prepared: PreparedText, positions: Sequence[int]) -> Tensor:
        return answers.read_logits_if_masked(self, prepared, positions)

    def probe(self, text: str, text_b: str | None, of: AnswerOf | None, position: int | None) -> Probe:
        return put_probe(self, text, text_b, of=of, position=position)

    @property
    def calls_of_kinds(self) -> Mapping[Kind, int]:
        return self.network.n_calls

    def lacks(self, capability: str) -> MissingCapabilityError:
        return answers.error_for_lacking(self, capability)

    def instead(self, capability: str) -> str:
        return answers.said_instead(self, capability)

    def why_not(self, capability: str) -> str:
        return answers.reason_for_lacking(self, capability)

    def _learn_languages(self) -> None:
        """Find which languages it can be told, and tell it those that it is used with."""
        config, generation = self.model.config, getattr(self.model, "generation_config", None)
        self.codes = language_codes_of(self.tokenizer, config, generation, d_vocab=self.info.d_vocab)
        if self.codes is not None:
            self.info = replace(self.info, languages=self.codes.languages)
            self.tokenizing = self.tokenizing.within(self.codes.languages)

    @cached_property
    def first_position(self) -> int | None:
        """The number of the first position, if the model can be told positions and understands them as its own."""
        if self.is_encoder_decoder or "position_ids" not in signature(self.model.base_model.forward).parameters:
            return None
        first = first_position(self.model)
        ids = torch.arange(TOKENS_TO_TRY, device=self.device)[None] % self.network.d_vocab  # [1, TOKENS_TO_TRY]
        padding = getattr(self.model.config, "pad_token_id", None)
        if padding is not None:
            another = TOKENS_TO_TRY % self.network.d_vocab
            ids = ids.masked_fill(ids == padding, another)  # RoBERTa does not count padding
        counted = self.network.text_arguments(ids)
        told = {**counted, "position_ids": torch.arange(TOKENS_TO_TRY, device=self.device)[None] + first}
        with suspend_observer(), exact_products():
            own, ours = (last_states(self.network.run(inputs, self.network.body)) for inputs in (counted, told))
        return first if torch.allclose(own, ours, rtol=TOLERANCE, atol=TOLERANCE * float(own.abs().max())) else None

    def _expect_positions(self, *, is_order_free: bool) -> int:
        """The number of the first position.

        Raises UnsupportedModelError if positions cannot be told, or if the mask tells the order without them.
        """
        if self.first_position is None:
            raise UnsupportedModelError(
                self.name,
                worded(
                    "{model} (family {family}) cannot be told where its tokens stand, so its positions cannot be "
                    "changed. Choose an encoder such as headlight-bert or another BERT.",
                    model=self.name,
                    family=repr(self.info.family),
                ),
            )
        if is_order_free and self.network.is_causal:
            raise UnsupportedModelError(self.name, ordered_by_mask(self.name))
        return self.first_position


def load_huggingface(
    name_or_folder: str,
    *,
    name: str | None = None,
    device: str = "cpu",
    dtype: str | torch.dtype = "float32",
    local_files_only: bool = False,
    progress: Callable[[str], None] | None = None,
) -> Model:
    """Open a Hugging Face id or a folder; `name` is what to call it, if not that.

    It is a HuggingFaceModel, or a ModalityModel for a family that reads pictures or sounds.

    Raises ModelNotFoundError, ModelLoadError, UnsupportedModelError or DeviceError, each with one sentence to read.
    """
    pick_device(device)  # before anything is downloaded
    numbers, name = pick_dtype(dtype), name or name_or_folder
    opened = open_files(name_or_folder, name=name, local_files_only=local_files_only, progress=progress)
    return open_on(device, lambda target: model_of(opened, name=name, device=target, dtype=numbers), name=name)


def model_of(opened: OpenedModel | OpenedModality, *, name: str, device: torch.device, dtype: torch.dtype) -> Model:
    if isinstance(opened, OpenedModel):
        return HuggingFaceModel(opened, name=name, device=device, dtype=dtype)
    model_class = PictureModel if opened.tokenizer is None else SoundModel
    return model_class(opened, name=name, device=device, dtype=dtype)
