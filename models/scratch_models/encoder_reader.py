"""How the scratch encoder reads: text in, one pass, and what is recorded of it out."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from threading import Lock

import torch
from torch import Tensor, nn
from transformers import PreTrainedTokenizerBase

from models.checkpoints.devices import PROCESSOR, put_on
from models.inspection.output_factors import scratch_factors
from models.inspection.position_schemes import scratch_frequencies, scratch_positions
from models.inspection.walk import walk_layer
from models.inspection.walk_parts import Pass, angles_at
from models.recording.assemble import StackStates, records_from_calls
from models.recording.attention_call import AttentionCall
from models.recording.recorder import recording
from models.recording.rows import mask_padding, pad_rows, split_rows
from models.scratch.classification import ClassifierModel
from models.scratch.pretraining import EncoderModelOutput, PretrainingModel
from models.scratch_models.info import describe_scratch
from models.tasks.local import LocalModel
from models.tasks.mask_guesser import mask_predictions
from models.text.prepare import PreparedText, prepare
from models.text.reading import Reading
from models.text.shuffling import is_shuffling, record_pair, shuffled_order
from models.values.positions import ModelPositions, ShuffledPair
from models.values.record import Array, Kind, MaskPrediction, Recording
from models.values.steps import LayerWalk, WhatIf


class ScratchEncoderReader(LocalModel):
    """A scratch encoder with its tokenizer, as far as it reads and is recorded."""

    def __init__(
        self,
        model: PretrainingModel | ClassifierModel,
        tokenizer: PreTrainedTokenizerBase,
        *,
        name: str,
        device: torch.device,
        dtype: torch.dtype = torch.float32,
    ) -> None:
        put_on(model, device, dtype)
        self.model = model.eval()
        self.tokenizer = tokenizer
        self.device = device
        self.tokenizing = Lock()
        described = describe_scratch(
            model, model.config, name=name, family="bert", kinds=("encoder",), device=device, dtype=dtype
        )
        self.info = replace(
            described,
            can_fill_mask=isinstance(model, PretrainingModel) and model.mlm is not None,
            can_judge_next_sentence=isinstance(model, PretrainingModel) and model.nsp is not None,
            can_label_tokens=isinstance(model, ClassifierModel) and model.of == "tokens",
            can_label_text=isinstance(model, ClassifierModel) and model.of == "text" and not model.gives_score,
        )
        self.vocabulary = self.own_vocabulary()
        if device.type != PROCESSOR:
            self._try()

    def read(self, text: str, text_b: str | None = None) -> Reading:
        prepared = self.prepare(text, text_b)
        return Reading(prepared=prepared, tokens={"encoder": prepared.tokens}, note=prepared.note)

    def record_reading(self, reading: Reading) -> Recording:
        return self._record_text(reading.prepared)

    def record_shuffled(
        self, text: str, text_b: str | None = None, *, with_positions: bool, seed: int = 0
    ) -> ShuffledPair:
        """The text as it is written and with its tokens shuffled, special tokens apart. Raises TextError."""
        prepared = self.prepare(text, text_b)
        return record_pair(prepared, self._record_text, with_positions=with_positions, seed=seed)

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
        """Every step of a layer for one head. Raises TextError, SelectionError for what is not there."""
        prepared = self.prepare(text, text_b)
        positions = shuffled_order(prepared, what_if.seed) if is_shuffling(what_if) else None
        given = Pass(
            info=self.info,
            body=self.model,
            token_embedding=self.model.encoder.embeddings.token,
            run=lambda model: self._forward(prepared, positions, model),
            tokens={"encoder": prepared.tokens},
            n_layers={"encoder": self.info.n_layers},
            note=prepared.note,
            angles=angles_at(scratch_frequencies(self.model.encoder.embeddings), positions, len(prepared.tokens)),
        )
        return walk_layer(given, kind=kind, layer=layer, head=head, what_if=what_if)

    def positions(self) -> ModelPositions:
        """How the encoder tells positions apart."""
        return scratch_positions(self.model.encoder.embeddings, self.info)

    def prepare_together(self, text: str, text_b: str | None = None) -> PreparedText:
        """A text, or a pair, as the encoder reads it. Raises TextError if there is nothing to read."""
        return self.prepare(text, text_b)

    def pass_group(self, _text: PreparedText, /) -> Hashable:
        """Any texts may be read in one pass."""
        return None

    def record_all(
        self, texts: Sequence[PreparedText], positions: Sequence[int] | None = None
    ) -> tuple[Recording, ...]:
        """Return what `record` gives for every text, in one pass; positions are counted if none are given."""
        lengths = [len(text.input_ids) for text in texts]
        with recording() as calls, torch.inference_mode():
            encoded = self.model.encoder(
                pad_rows([text.input_ids for text in texts], 0, self.device),  # [b, n_tokens]
                pad_rows([text.segment_ids for text in texts], 0, self.device),  # [b, n_tokens]
                mask_padding(lengths, self.device),  # [b, n_tokens]
                None if positions is None else torch.tensor(positions, device=self.device),  # [n_tokens]
            )
        states = StackStates(hidden_states=encoded.hidden_states, final=encoded.last)
        return tuple(
            self._as_recording(text, row.calls(calls), row.of_stack(states))
            for text, row in zip(texts, split_rows(lengths), strict=True)
        )

    def _record_text(self, prepared: PreparedText, positions: Sequence[int] | None = None) -> Recording:
        return self.record_all([prepared], positions)[0]

    def _as_recording(self, prepared: PreparedText, calls: Sequence[AttentionCall], states: StackStates) -> Recording:
        hidden_states, final_state = states.as_arrays()
        return Recording(
            info=self.info,
            tokens=prepared.tokens,
            attention=records_from_calls(
                calls,
                name=self.info.name,
                tokens={"encoder": prepared.tokens},
                n_layers={"encoder": self.info.n_layers},
                output_factors=self._output_factors,
            ),
            hidden_states=hidden_states,
            final_state=final_state,
            segment_b_start=prepared.segment_b_start,
            predictions=self._guesses(states.final[0], prepared),
            note=prepared.note,
        )

    @cached_property
    def _output_factors(self) -> Mapping[Kind, Array]:
        """By what the lengths of values after W_O follow from the values: found when something is first recorded."""
        return scratch_factors(self.model)

    @torch.inference_mode()
    def _try(self) -> None:
        """Read one token, so that a device that cannot run the model says so when it is opened."""
        self.model(*torch.zeros(2, 1, 1, dtype=torch.long, device=self.device))

    def prepare(self, text: str, text_b: str | None = None) -> PreparedText:
        with self.tokenizing:  # a tokenizer keeps state while it works
            return prepare(self.tokenizer, text, text_b, max_tokens=self.info.max_tokens)

    @torch.inference_mode()
    def _forward(
        self, prepared: PreparedText, positions: Sequence[int] | None = None, model: nn.Module | None = None
    ) -> EncoderModelOutput:
        """One pass, through a copy of the model if one is given; positions are counted if none are given."""
        output: EncoderModelOutput = (model or self.model)(
            torch.tensor([prepared.input_ids], device=self.device),  # [1, n_tokens]
            torch.tensor([prepared.segment_ids], device=self.device),  # [1, n_tokens]
            position_ids=None if positions is None else torch.tensor(positions, device=self.device),  # [n_tokens]
        )
        return output

    @torch.inference_mode()
    def _guesses(self, last: Tensor, prepared: PreparedText) -> tuple[MaskPrediction, ...]:
        """Return the MLM head's predictions at the masks, if there is one, from hidden states [n_tokens, d_model].

        It runs nowhere else: with a large vocabulary it costs as much as a layer.
        """
        mlm = self.model.mlm if isinstance(self.model, PretrainingModel) else None
        return () if mlm is None else mask_predictions(self, lambda at: mlm(last[list(at)]), prepared)
