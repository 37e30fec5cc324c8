"""Shared parts of the adapters of the two scratch decoders: text in, Recording out, and a text written.

Same face as `models.scratch_models.encoder.ScratchModel` and `models.huggingface.model.HuggingFaceModel`.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, partial
from pathlib import Path
from threading import Lock

import torch
from torch import Tensor, nn
from transformers import PreTrainedTokenizerBase

from models.checkpoints.devices import PROCESSOR, put_on
from models.checkpoints.folder import UNREADABLE, read_config
from models.inspection.output_factors import scratch_factors
from models.inspection.position_schemes import scratch_frequencies, scratch_positions
from models.inspection.probing.probe import Blanks, Probe
from models.inspection.walk import walk_layer
from models.inspection.walk_parts import Pass, angles_at
from models.recording.assemble import StackStates, records_from_calls
from models.recording.recorder import recording
from models.recording.watched_copy import block_lists
from models.scratch.config import TransformerConfig
from models.scratch.encoder import Embeddings
from models.scratch_models.info import describe_scratch
from models.tasks.local import LocalModel
from models.tasks.places import AskedText, answer_place, blanked_rows
from models.text.prepare import PreparedText, prepare
from models.text.reading import Reading
from models.text.shuffling import shuffling_error
from models.text.tokenizer.files import open_tokenizer, token_ids
from models.values.errors import ModelLoadError
from models.values.positions import ModelPositions, ShuffledPair
from models.values.probing.changes import Stack, stack_of
from models.values.probing.contrast import AnswerOf
from models.values.record import Array, Kind, Recording
from models.values.steps import LayerWalk, WhatIf
from models.values.wording import worded


@dataclass(frozen=True, slots=True, kw_only=True)
class WritingFiles:
    """The files of a checkpoint beside its weights: its tokenizer, and the tokens that begin and end a text."""

    tokenizer: PreTrainedTokenizerBase
    start_ids: frozenset[int]
    """The one with which a decoder starts; none if it reads the text itself."""
    end_ids: frozenset[int]


class ScratchWritingModel(LocalModel):
    """A scratch model with a decoder, and its tokenizer. Read-only after loading: many threads may use one."""

    embeddings: Embeddings
    """Those of its first stack."""

    def __init__(
        self,
        model: nn.Module,
        config: TransformerConfig,
        files: WritingFiles,
        *,
        name: str,
        device: torch.device,
        family: str,
        kinds: tuple[Kind, ...],
        dtype: torch.dtype = torch.float32,
    ) -> None:
        put_on(model, device, dtype)
        model.eval()
        self.tokenizer = files.tokenizer
        self.device = device
        self._end_ids = files.end_ids
        self.tokenizing = Lock()
        self.info = describe_scratch(model, config, name=name, family=family, kinds=kinds, device=device, dtype=dtype)
        self.vocabulary = self.own_vocabulary()
        if device.type != PROCESSOR:
            self._try()

    @property
    @abstractmethod
    def _body(self) -> nn.Module:
        """All of the model."""

    @abstractmethod
    def _forward(
        self, reading: Reading, positions: Sequence[int] | None = None, model: nn.Module | None = None
    ) -> StackStates:
        """One pass, through a copy of the model if one is given; what went through the first stack."""

    def record_shuffled(
        self, text: str, text_b: str | None = None, *, with_positions: bool, seed: int = 0
    ) -> ShuffledPair:
        """Always raises UnsupportedModelError: a causal mask tells the order even without positions."""
        del text, text_b, with_positions, seed
        raise shuffling_error(self.info)

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
        """Every step of a layer for one head. Raises TextError, SelectionError for what is not there, and
        UnsupportedModelError for shuffled positions where the model cannot be told any."""
        reading = self.read(text, text_b)
        positions = self._shuffle_positions(reading, what_if)
        given = Pass(
            info=self.info,
            body=self._body,
            token_embedding=self.embeddings.token,
            run=lambda model: self._forward(reading, positions, model),
            tokens=reading.tokens,
            n_layers=dict.fromkeys(self.info.kinds, self.info.n_layers),
            note=reading.note,
            angles=angles_at(scratch_frequencies(self.embeddings), positions, len(reading.tokens[self.info.kinds[0]])),
        )
        return walk_layer(given, kind=kind, layer=layer, head=head, what_if=what_if)

    def positions(self) -> ModelPositions:
        """How the model tells positions apart; of an encoder-decoder its encoder."""
        return scratch_positions(self.embeddings, self.info)

    @abstractmethod
    def _shuffle_positions(self, reading: Reading, what_if: WhatIf | None) -> Sequence[int] | None:
        """The positions that a what-if shuffles, None if it does not."""

    def probe(self, text: str, text_b: str | None, of: AnswerOf | None, position: int | None) -> Probe:
        reading = self.read(text, text_b)
        n_layers = dict.fromkeys(self.info.kinds, self.info.n_layers)
        stacks: tuple[Stack, ...] = tuple(dict.fromkeys(map(stack_of, self.info.kinds)))
        asked = AskedText(tokens=reading.tokens[stacks[-1]])
        of, position = answer_place(self.info, of, position, asked=asked, lacks=self.lacks)
        return Probe(
            info=self.info,
            of=of,
            position=position,
            model=self._body,
            layers={stack: block_lists(self._body, stack, n_layers)[0] for stack in stacks},
            tokens={stack: reading.tokens[stack] for stack in stacks},
            n_layers=n_layers,
            run=partial(self._rows_at, reading, position or 0),
            choices=self.vocabulary,
            embedding=self.embeddings.token.weight,
            unembedding=self.embeddings.token.weight,
        )

    def _rows_at(self, reading: Reading, position: int, model: nn.Module, blanks: Blanks) -> Tensor:
        first = stack_of(self.info.kinds[0])
        ids = blanked_rows(reading.prepared.input_ids, blanks, first, self.tokenizer, self.device)  # [n_rows, n_tokens]
        target = (
            None
            if reading.decoder_ids is None
            else blanked_rows(reading.decoder_ids, blanks, "decoder", self.tokenizer, self.device)
        )  # [n_rows, n_target]
        return self._logits_at(model, ids, target, position)

    @abstractmethod
    def _logits_at(self, model: nn.Module, ids: Tensor, target: Tensor | None, position: int) -> Tensor:
        """The logits [n_rows, d_vocab] of a copy of the model for the token after one place, from ids
        [n_rows, n_tokens] and, of an encoder-decoder, those of its target."""

    def record_reading(self, reading: Reading) -> Recording:
        with recording() as calls:
            states = self._forward(reading)
        hidden_states, final_state = states.as_arrays()
        return Recording(
            info=self.info,
            tokens=reading.prepared.tokens,
            attention=records_from_calls(
                calls,
                name=self.info.name,
                tokens=reading.tokens,
                n_layers=dict.fromkeys(self.info.kinds, self.info.n_layers),
                output_factors=self._output_factors,
            ),
            hidden_states=hidden_states,
            final_state=final_state,
            segment_b_start=reading.prepared.segment_b_start,
            note=reading.note,
        )

    @cached_property
    def _output_factors(self) -> Mapping[Kind, Array]:
        """By what the lengths of values after W_O follow from the values: found when something is first recorded."""
        return scratch_factors(self._body)

    def prepare(self, text: str, text_b: str | None = None) -> PreparedText:
        with self.tokenizing:
            return prepare(self.tokenizer, text, text_b, max_tokens=self.info.max_tokens)

    @torch.inference_mode()
    def _try(self) -> None:
        """Read one token, so that a device that cannot run the model says so when it is opened."""
        ids = self._row([0])
        self._logits_at(self._body, ids, ids, 0)

    def _row(self, ids: Sequence[int]) -> Tensor:
        """Ids as a batch of one [1, n_tokens]."""
        return torch.tensor([ids], device=self.device)


def writing_files(folder: Path, *, name: str, d_vocab: int) -> WritingFiles:
    """The tokenizer of a folder, and what its config.json says of beginning and end.

    Raises ModelLoadError if one of them cannot be read, or has tokens that the model does not know.
    """
    tokenizer = open_tokenizer(folder, name=name, d_vocab=d_vocab)
    try:
        config = read_config(folder)
        return WritingFiles(
            tokenizer=tokenizer,
            start_ids=token_ids(config.get("decoder_start_token_id"), d_vocab=d_vocab),
            end_ids=token_ids(config.get("eos_token_id"), d_vocab=d_vocab),
        )
    except UNREADABLE as error:
        says = worded(
            "{folder} does not say how its texts begin and end: {error}", folder=str(folder), error=str(error)
        )
        raise ModelLoadError(name, says) from error
