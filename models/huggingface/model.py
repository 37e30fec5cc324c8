"""Any transformers model as a Headlight model: text in, Recording out.

A model is opened in evaluation mode and tried in one way after the other until its attention is recorded as it is: its
calls must be as many as its layers, and its hidden states equal to those of its own attention; or it hands out the
weights of every layer. What fails is refused when it is opened.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import replace
from functools import cached_property
from inspect import signature
from typing import Self, get_args

import torch
from torch import Tensor
from transformers import PreTrainedModel
from transformers.utils.generic import ModelOutput

from models.checkpoints.device_faults import answers_in_sentences, device_fault
from models.checkpoints.devices import PROCESSOR, dtype_name, open_on, pick_device, pick_dtype, put_on
from models.huggingface.attention_interface import IMPLEMENTATION
from models.huggingface.config import (
    d_ff,
    first_position,
    max_tokens,
    mixes_otherwise,
    n_kv_heads,
)
from models.huggingface.files import OpenedModel, open_files
from models.huggingface.lm_heads import (
    gives_score,
)
from models.huggingface.passes import Inputs, RecordedBy
from models.huggingface.recorded import TOKENS_TO_TRY, HuggingFaceRecording
from models.huggingface.refusals import failed, unsupported
from models.huggingface.weights import EAGER, kept_exact
from models.inspection.position_schemes import huggingface_frequencies, huggingface_positions
from models.inspection.walk import walk_layer
from models.inspection.walk_parts import Pass, angles_at
from models.model import QUESTIONS, Model
from models.recording.attention_call import AttentionCall
from models.recording.exact import exact_products
from models.recording.last_layer import module_of_last_layer
from models.recording.layer_calls import blocks_of_calls
from models.recording.query_scale import scales_in_queries
from models.recording.recorder import recording, undisturbed
from models.recording.untouched import (
    changes_by_length,
    classes_in,
    randomness,
    same_randomness,
    state_of,
    untouched_copy,
)
from models.recording.watched_copy import block_lists
from models.tasks.together import TOGETHER
from models.text.languages.codes import language_codes_of, task_prefixes
from models.text.shuffling import is_shuffling, ordered_by_mask, recorded_pair, shuffled_order
from models.values.errors import DeviceError, HeadlightError, RecordError, UnsupportedModelError
from models.values.positions import ModelPositions, ShuffledPair
from models.values.record import AttentionRecord, Kind, ModelInfo, Recording, Token, no_vectors, overflowing
from models.values.steps import LayerWalk, WhatIf
from models.values.text.languages import Languages
from models.values.wording import worded

MOST_WEIGHTS = 128 * 1024**2
"""How many weights a recording may keep where it keeps them all: 512 MB."""
WAYS: tuple[RecordedBy, ...] = get_args(RecordedBy)
TOLERANCE = 1e-3


@answers_in_sentences(*QUESTIONS, *TOGETHER, declared_by=Model)
class HuggingFaceModel(HuggingFaceRecording):
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
            super().__init__(opened, _without_random_weights(opened), name=name, device=tried_on)
            self._has_text_labels = opened.has_text_labels
            self._has_no_mask = opened.has_no_mask
            with exact_products():
                self.info = self._tried(opened)
            self._learn_languages()
            if dtype != torch.float32:
                self._settle(device, dtype)
        except HeadlightError:
            raise
        except Exception as error:  # a foreign class may lack whatever others have
            raise device_fault(error, name, str(device)) or failed(opened.model, name, error) from error
        self.vocabulary = self.own_vocabulary()

    def record(self, text: str, text_b: str | None = None) -> Recording:
        """Run one text, or a pair, and keep everything.

        For an encoder-decoder model `text_b` is what the decoder reads; without it the model writes it by itself, as
        `translate` does, taking the likeliest token each time. No task prefix is added: type
        "translate English to German: " yourself for T5. Raises TextError if there is nothing to read.
        """
        return self._recorded(self.read(text, text_b))

    def record_shuffled(
        self, text: str, text_b: str | None = None, *, with_positions: bool, seed: int = 0
    ) -> ShuffledPair:
        """The text as it is written and with its tokens shuffled, special tokens apart.

        Raises TextError, and UnsupportedModelError for a model that cannot be told positions, or whose mask tells them.
        """
        first = self._expect_positions(is_order_free=True)
        return recorded_pair(
            self.prepare(text, text_b),
            lambda prepared, positions: self._recorded(self._alone(prepared), positions),
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
        inputs = self._inputs(reading.prepared, reading.decoder_ids, positions)
        given = Pass(
            info=self.info,
            body=self.model.base_model,
            token_embedding=self.model.get_input_embeddings(),
            run=lambda copied: self._run(inputs, copied),
            tokens=reading.tokens,
            n_layers=self._n_layers,
            n_blocks=self._n_blocks,
            note=reading.note,
            query_scales=self._query_scales,
            angles=angles_at(huggingface_frequencies(self.model), positions, len(reading.tokens[self.info.kinds[0]])),
        )
        return walk_layer(given, kind=kind, layer=layer, head=head, what_if=what_if)

    def positions(self) -> ModelPositions:
        """How the model tells positions apart, as far as its modules show it."""
        return huggingface_positions(self.model, self.info)

    def _told(self, languages: Languages) -> Self:
        vars(self).setdefault("_output_factors", self._output_factors)  # found once, for all languages
        return super()._told(languages)

    def _learn_languages(self) -> None:
        """Find which languages it can be told, and tell it those that it is used with."""
        config, generation = self.model.config, getattr(self.model, "generation_config", None)
        self._codes = language_codes_of(self.tokenizer, config, generation, d_vocab=self.info.d_vocab)
        if self._codes is not None:
            self.info = replace(self.info, languages=self._codes.languages)
            self.tokenizing = self.tokenizing.within(self._codes.languages)

    # -- trying -------------------------------------------------------------------------------------------------------

    def _settle(self, device: torch.device, dtype: torch.dtype) -> None:
        """Move the model, tried in float32, to where it will run, in half precision. Raises DeviceError if its numbers
        are too large for that."""
        for found_by_numbers in ("_first_position", "_reads_together", "_output_factors"):
            with suppress(UnsupportedModelError):  # it is told again when it is asked for
                getattr(self, found_by_numbers)
        put_on(self.model, device, dtype, exact=kept_exact(self.model, dtype))
        self.device = device
        self.info = replace(self.info, device=str(device), dtype=dtype_name(dtype))
        with undisturbed():
            output = self._run(self._few_tokens(), self.model.base_model)
        if not bool(_last(output).isfinite().all()):
            raise DeviceError(overflowing(self.info))

    def _tried(self, opened: OpenedModel) -> ModelInfo:
        """Run a few tokens, in the first way in which they are recorded, and describe the model by what came of it."""
        for way in WAYS:
            try:
                return self._tried_by(way, opened)
            except UnsupportedModelError as error:
                refused = error
            except RecordError as error:  # a configuration whose sizes contradict each other
                refused = failed(self.model, self.name, error)
        raise refused

    def _finds_traces(self) -> bool:
        """Whether a pass of a few tokens changes what it runs through, or draws from the generators of the process."""
        copied, inputs = untouched_copy(self.model), self._few_tokens()
        with undisturbed(), same_randomness(self.device):
            before = state_of(copied), randomness()
            self._writes_on_itself = False  # for this pass, which has a copy of its own
            self._run(inputs, copied.base_model)
            self._classes_of_parts = classes_in(copied)
            return (state_of(copied), randomness()) != before or changes_by_length(copied)

    def _tried_by(self, way: RecordedBy, opened: OpenedModel) -> ModelInfo:
        """The same in one way. Raises UnsupportedModelError if the model cannot be recorded so."""
        self._way = way
        self._attend_by(IMPLEMENTATION if way == "interface" else EAGER)
        self._writes_on_itself = self._finds_traces()
        inputs = self._few_tokens()
        with undisturbed(), recording() as calls:
            output = self._run(inputs, self.model.base_model)
        tokens = tuple(Token(text=str(position)) for position in range(TOKENS_TO_TRY))
        records = self._records(calls, output, {"encoder": tokens, "decoder": tokens})
        with undisturbed():
            self._expect_calls_of_these_layers(inputs)
            self._expect_same_as_own_attention(inputs, output)
            self._expect_same_bias(inputs, calls)
            self._last_layer = module_of_last_layer(
                self.model.base_model,
                lambda body: self._states(self._run(inputs, body)),
                kind=records[0].kind,
                n_layers=self._n_blocks,
            )
            if calls and any(1 in record.scale for record in records):
                self._query_scales = scales_in_queries(self.model.base_model, lambda body: self._run(inputs, body))
        self._expect_states_of_tokens(output)
        return self._described(opened, records, d_model=int(self._states(output)[0].shape[-1]))

    def _attend_by(self, implementation: str) -> None:
        """Set the attention of transformers' interface, where the family passes by it."""
        if getattr(self.model.config, "_attn_implementation", None) in {IMPLEMENTATION, EAGER} - {implementation}:
            self.model.set_attn_implementation(implementation)

    def _described(self, opened: OpenedModel, records: Sequence[AttentionRecord], *, d_model: int) -> ModelInfo:
        config = self.model.config.get_text_config()
        n_heads = records[0].n_heads
        return ModelInfo(
            name=self.name,
            family=str(self.model.config.model_type),
            implementation="huggingface",
            kinds=tuple(record.kind for record in records),
            n_layers=records[0].n_layers,
            n_heads=n_heads,
            n_kv_heads=n_kv_heads(config, n_heads),
            d_model=d_model,
            d_head=int(records[0].query.shape[-1]) or d_model // n_heads,
            d_ff=d_ff(config),
            d_vocab=self._d_vocab(),
            max_tokens=self._max_tokens(records),
            n_parameters=sum(weight.numel() for weight in self.model.parameters()),
            device=str(self.device),
            can_fill_mask=opened.has_mlm_head,
            can_judge_next_sentence=opened.has_nsp_head,
            can_find_replaced=opened.has_discriminator,
            can_label_tokens=opened.has_token_labels,
            can_label_text=opened.has_text_labels and not gives_score(self.model.config),
            can_translate=opened.has_lm_head and self.is_encoder_decoder,
            can_continue=opened.has_lm_head and opened.is_causal,
            has_vectors=records[0].has_vectors,
            has_sinks=any(record.has_sinks() for record in records),
            untrained=opened.untrained,
            layer_numbers=self._layer_numbers,
            mixes_otherwise=mixes_otherwise(self.model.config),
            notes=opened.notes,
            task_prefixes=task_prefixes(self.model.config),
        )

    def _expect_calls_of_these_layers(self, inputs: Inputs) -> None:
        """Find the layers of a hybrid. Raises UnsupportedModelError if others than those that have attention made the
        calls."""
        if not self._layer_numbers or self._way == "weights alone":
            return
        lists = block_lists(self.model.base_model, next(iter(self._n_blocks)), self._n_blocks)
        for blocks in lists:  # one that reads pictures may have as many
            if (
                blocks_of_calls(self.model.base_model, blocks, lambda body: self._run(inputs, body))
                == self._layer_numbers
            ):
                self._hybrid_blocks = blocks
                return
        raise unsupported(self.name, str(self.model.config.model_type))

    def _expect_same_as_own_attention(self, inputs: Inputs, output: ModelOutput) -> None:
        """Raise UnsupportedModelError if the model's own, plainly written attention comes to other hidden states."""
        if self._way == "weights alone":  # which is its own attention
            return
        way, self._way = self._way, "weights alone"
        self._attend_by(EAGER)
        try:
            own = _last(self._run(inputs, self.model.base_model))  # [1, TOKENS_TO_TRY, d_model]
        finally:
            self._way = way
            self._attend_by(IMPLEMENTATION if way == "interface" else EAGER)
        if not torch.allclose(_last(output), own, rtol=TOLERANCE, atol=TOLERANCE * float(own.abs().max())):
            raise unsupported(self.name, str(self.model.config.model_type))

    def _expect_same_bias(self, inputs: Inputs, calls: Sequence[AttentionCall]) -> None:
        """Raise UnsupportedModelError if what a forward adds to its scores depends on the tokens: then it is no bias,
        but a product of other vectors (DeBERTa)."""
        if self._way != "written out":
            return
        with recording() as others:
            self._run(replace(inputs, ids=inputs.ids.flip(1)), self.model.base_model)
        for one, other in zip(calls, others, strict=True):
            if one.bias is not None and (other.bias is None or not torch.allclose(one.bias, other.bias)):
                raise unsupported(self.name, str(self.model.config.model_type))

    def _expect_states_of_tokens(self, output: ModelOutput) -> None:
        """Raise UnsupportedModelError if the hidden states are not told apart by tokens first: Gemma 3n's are by its
        streams (Baykal et al. 2023, "Alternating Updates for Efficient Transformers", section 3)."""
        states = self._of_attention(self._states(output))
        if any(state.shape[:2] != (1, TOKENS_TO_TRY) for state in states):
            raise UnsupportedModelError(
                self.name,
                worded(
                    "{model} is of the family {family}, whose layers do not hand on one vector a token. Choose another "
                    "model, such as BERT, GPT-2 or T5.",
                    model=self.name,
                    family=repr(str(self.model.config.model_type)),
                ),
            )

    def _max_tokens(self, records: Sequence[AttentionRecord]) -> int:
        """The most tokens of a recording: fewer where all weights are kept, which takes memory in their square."""
        most = max_tokens(self.model, self.tokenizer)
        if records[0].has_vectors:
            return most
        n_maps = sum(record.n_layers * record.n_heads for record in records)
        return min(most, int((MOST_WEIGHTS / n_maps) ** 0.5))

    @cached_property
    def _first_position(self) -> int | None:
        """The number of the first position, if the model can be told positions and understands them as its own."""
        if self.is_encoder_decoder or "position_ids" not in signature(self.model.base_model.forward).parameters:
            return None
        first = first_position(self.model)
        ids = torch.arange(TOKENS_TO_TRY, device=self.device)[None] % self._d_vocab()  # [1, TOKENS_TO_TRY]
        padding = getattr(self.model.config, "pad_token_id", None)
        if padding is not None:
            ids = ids.masked_fill(ids == padding, TOKENS_TO_TRY % self._d_vocab())  # RoBERTa does not count padding
        counted = Inputs(ids=ids, segment_ids=torch.zeros_like(ids))
        told = replace(counted, position_ids=torch.arange(TOKENS_TO_TRY, device=self.device)[None] + first)
        with undisturbed(), exact_products():
            own, ours = (_last(self._run(inputs, self.model.base_model)) for inputs in (counted, told))
        return first if torch.allclose(own, ours, rtol=TOLERANCE, atol=TOLERANCE * float(own.abs().max())) else None

    def _expect_positions(self, *, is_order_free: bool) -> int:
        """The number of the first position.

        Raises UnsupportedModelError if positions cannot be told, or if the mask tells the order without them.
        """
        if self._first_position is None:
            raise UnsupportedModelError(
                self.name,
                worded(
                    "{model} (family {family}) cannot be told where its tokens stand, so its positions cannot be "
                    "changed. Choose an encoder such as headlight-bert or another BERT.",
                    model=self.name,
                    family=repr(self.info.family),
                ),
            )
        if is_order_free and self._is_causal:
            raise UnsupportedModelError(self.name, ordered_by_mask(self.name))
        return self._first_position


def load_huggingface(
    name_or_folder: str,
    *,
    name: str | None = None,
    device: str = "cpu",
    dtype: str | torch.dtype = "float32",
    local_files_only: bool = False,
    progress: Callable[[str], None] | None = None,
) -> HuggingFaceModel:
    """Open a Hugging Face id or a folder; `name` is what to call it, if not that.

    Raises ModelNotFoundError, ModelLoadError, UnsupportedModelError or DeviceError, each with one sentence to read.
    """
    pick_device(device)  # before anything is downloaded
    numbers, name = pick_dtype(dtype), name or name_or_folder
    opened = open_files(name_or_folder, name=name, local_files_only=local_files_only, progress=progress)
    return open_on(device, lambda target: HuggingFaceModel(opened, name=name, device=target, dtype=numbers), name=name)


def _without_random_weights(opened: OpenedModel) -> PreTrainedModel:
    """The model; only its body if it is an encoder and the checkpoint has no weights for what its class puts on top."""
    has_top = (
        opened.has_mlm_head
        or opened.has_nsp_head
        or opened.has_discriminator
        or opened.has_token_labels
        or opened.has_text_labels
    )
    body = opened.model.base_model
    is_kept = has_top or opened.is_causal or opened.model.config.is_encoder_decoder
    return opened.model if is_kept or not isinstance(body, PreTrainedModel) else body


def _last(output: ModelOutput) -> Tensor:
    states: tuple[Tensor, ...] = output[
        "decoder_hidden_states" if "decoder_hidden_states" in output else "hidden_states"
    ]
    return states[-1]
