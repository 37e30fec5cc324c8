"""The adapter of the scratch encoder: text in, Recording out. Same face as
`models.huggingface.model.HuggingFaceModel`."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import replace
from functools import cached_property, partial
from pathlib import Path
from threading import Lock

import torch
from torch import Tensor, nn
from transformers import PreTrainedTokenizerBase

from models.checkpoints.bert import heads_left_over, load_bert
from models.checkpoints.device_faults import answers_in_sentences
from models.checkpoints.devices import PROCESSOR, dtype_name, open_on, pick_device, pick_dtype, put_on
from models.checkpoints.faults.names import list_names
from models.checkpoints.on_body import load_on_body
from models.inspection.output_factors import scratch_factors
from models.inspection.position_schemes import scratch_frequencies, scratch_positions
from models.inspection.probing.probe import Blanks, Probe
from models.inspection.walk import walk_layer
from models.inspection.walk_parts import Pass, angles_at
from models.model import (
    LABELS_OF_TEXTS,
    LABELS_OF_TOKENS,
    MASKED_WORDS,
    NEXT_SENTENCE,
    NO_WEIGHTS,
    QUESTIONS,
    REPLACED_TOKENS,
    Model,
)
from models.recording.assemble import StackStates, records_from_calls
from models.recording.attention_call import AttentionCall
from models.recording.recorder import recording
from models.recording.rows import mask_padding, pad_rows, split_rows
from models.recording.watched_copy import block_lists
from models.scratch.classification import ClassifierModel
from models.scratch.pretraining import IS_NEXT, EncoderModelOutput, PretrainingModel
from models.scratch_models.encoder_logits import choices_of, encoder_logits, unembedding_of
from models.tasks.local import LocalModel
from models.tasks.mask_guesser import mask_predictions
from models.tasks.missing import gives_scores
from models.tasks.places import AskedText, answer_place, blanked_rows
from models.tasks.predictions import as_array, mask_positions, softmax
from models.tasks.together import TOGETHER
from models.text.prepare import PreparedText, prepare
from models.text.reading import Reading
from models.text.shuffling import is_shuffling, record_pair, shuffled_order
from models.text.tokenizer.files import open_tokenizer
from models.values.answers import TextLabels, TokenLabels
from models.values.positions import ModelPositions, ShuffledPair
from models.values.probing.contrast import AnswerOf
from models.values.record import Array, Kind, MaskPrediction, ModelInfo, Recording
from models.values.steps import LayerWalk, WhatIf
from models.values.wording import to_say, worded


@answers_in_sentences(*QUESTIONS, *TOGETHER, declared_by=Model)
class ScratchModel(LocalModel):
    """A scratch encoder with its tokenizer. Read-only after loading: many threads may use one."""

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
        config = model.config
        self.info = ModelInfo(
            name=name,
            family="bert",
            implementation="scratch",
            kinds=("encoder",),
            n_layers=config.n_layers,
            n_heads=config.n_heads,
            n_kv_heads=config.n_groups,
            d_model=config.d_model,
            d_head=config.d_head,
            d_ff=config.d_ff,
            d_vocab=config.d_vocab,
            max_tokens=config.max_tokens,
            n_parameters=sum(weight.numel() for weight in model.parameters()),
            device=str(device),
            dtype=dtype_name(dtype),
            can_fill_mask=_has_mlm(model),
            can_judge_next_sentence=_has_nsp(model),
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

    def probe(self, text: str, text_b: str | None, of: AnswerOf | None, position: int | None) -> Probe:
        prepared = self.prepare(text, text_b)
        asked = AskedText(
            tokens=prepared.tokens, masks=mask_positions(prepared.input_ids, self.tokenizer), text_b=text_b
        )
        of, position = answer_place(self.info, of, position, asked=asked, lacks=self.lacks)
        choices, is_each_by_itself = choices_of(self.model, of, self.vocabulary)
        return Probe(
            info=self.info,
            of=of,
            position=position,
            model=self.model,
            layers={"encoder": block_lists(self.model, "encoder", {"encoder": self.info.n_layers})[0]},
            tokens={"encoder": prepared.tokens},
            n_layers={"encoder": self.info.n_layers},
            run=partial(self._logits_at, prepared, of, position),
            choices=choices,
            is_each_by_itself=is_each_by_itself,
            embedding=self.model.encoder.embeddings.token.weight,
            unembedding=unembedding_of(self.model),
        )

    def _logits_at(
        self, prepared: PreparedText, of: AnswerOf, position: int | None, model: nn.Module, blanks: Blanks
    ) -> Tensor:
        ids = blanked_rows(prepared.input_ids, blanks, "encoder", self.tokenizer, self.device)  # [n_rows, n_tokens]
        segments = torch.tensor([prepared.segment_ids], device=self.device).expand_as(ids)  # [n_rows, n_tokens]
        return encoder_logits(model, ids, segments, of=of, position=position)

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

    def next_sentence(self, text: str, text_b: str) -> float:
        """The probability, 0 to 1, that `text_b` follows `text`. Raises MissingCapabilityError without an NSP head."""
        logits = self._forward(self.prepare_follow_up(text, text_b)).nsp  # [1, 2]
        if logits is None:
            raise self.lacks(NEXT_SENTENCE)
        return float(softmax(logits[0])[IS_NEXT])

    def label_tokens(self, text: str, text_b: str | None = None) -> TokenLabels:
        """For every token the probabilities of the labels. Raises TextError, MissingCapabilityError."""
        prepared = self.prepare(text, text_b)
        logits = self._forward(prepared).token_labels  # [1, n_tokens, n_labels]
        if logits is None or not isinstance(self.model, ClassifierModel) or not self.info.can_label_tokens:
            raise self.lacks(LABELS_OF_TOKENS)
        return TokenLabels(
            info=self.info,
            tokens=prepared.tokens,
            labels=self.model.labels,
            probabilities=softmax(logits[0]),
            note=prepared.note,
        )

    def label_text(self, text: str, text_b: str | None = None) -> TextLabels:
        """The probabilities of the labels of the text. Raises TextError, and MissingCapabilityError, also for
        a score."""
        prepared = self.prepare(text, text_b)
        logits = self._forward(prepared).text_labels  # [1, n_labels]
        if logits is None or not isinstance(self.model, ClassifierModel) or not self.info.can_label_text:
            raise self.lacks(LABELS_OF_TEXTS)
        each_by_itself = self.model.is_multi_label
        return TextLabels(
            info=self.info,
            tokens=prepared.tokens,
            labels=self.model.labels,
            probabilities=as_array(logits[0].float().sigmoid()) if each_by_itself else softmax(logits[0]),
            is_multi_label=each_by_itself,
            read_from=self._read_from(self.model, prepared),
            note=prepared.note,
        )

    def _read_from(self, model: ClassifierModel, prepared: PreparedText) -> tuple[int, ...]:
        """The positions whose states the classifier of texts reads."""
        if model.pooling == "cls":
            return (0,)
        return tuple(model.words(torch.tensor(prepared.input_ids)).nonzero()[:, 0].tolist())

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

    def mask_logits(self, prepared: PreparedText) -> Tensor:
        logits = self._forward(prepared).mlm  # [1, n_tokens, d_vocab]
        if logits is None:
            raise self.lacks(MASKED_WORDS)
        return logits[0]

    @torch.inference_mode()
    def logits_if_masked(self, prepared: PreparedText, positions: Sequence[int]) -> Tensor:
        rows, masked = torch.arange(len(positions)), torch.tensor(positions)
        ids = torch.tensor(prepared.input_ids).repeat(len(positions), 1)  # [n_positions, n_tokens]
        ids[rows, masked] = self.tokenizer.mask_token_id
        segments = torch.tensor(prepared.segment_ids).expand_as(ids)  # [n_positions, n_tokens]
        logits = self.model(ids.to(self.device), segments.to(self.device)).mlm  # [n_positions, n_tokens, d_vocab]
        masked_logits: Tensor = logits[rows, masked]  # [n_positions, d_vocab]
        return masked_logits

    @torch.inference_mode()
    def mask_logits_by_layer(self, prepared: PreparedText, position: int) -> Tensor:
        if not isinstance(self.model, PretrainingModel) or self.model.mlm is None:
            raise self.lacks(MASKED_WORDS)
        states = torch.stack([state[0, position] for state in self._forward(prepared).hidden_states])
        read = self.model.encoder.final_norm(states)  # [n_layers + 1, d_model]; post-LN states are normed already
        logits: Tensor = self.model.mlm(read)  # [n_layers + 1, d_vocab]
        return logits

    def instead(self, capability: str) -> str:
        del capability
        model = self.model
        if not isinstance(model, ClassifierModel) or model.of != "text" or not model.gives_score:
            return ""
        return gives_scores(len(model.labels))

    def why_not(self, capability: str) -> str:
        if capability == REPLACED_TOKENS:
            return worded("the encoder from scratch is not a discriminator")
        if isinstance(self.model, ClassifierModel) and self.model.of == "text":
            if capability == LABELS_OF_TEXTS or self.model.gives_score:
                return worded("it gives a score without bounds, not probabilities of labels")
            return worded("it has learned only to label texts")
        if isinstance(self.model, ClassifierModel):
            return worded("it has learned only to label tokens")
        return NO_WEIGHTS


def _has_mlm(model: PretrainingModel | ClassifierModel) -> bool:
    return isinstance(model, PretrainingModel) and model.mlm is not None


def _has_nsp(model: PretrainingModel | ClassifierModel) -> bool:
    return isinstance(model, PretrainingModel) and model.nsp is not None


def load_scratch(
    folder: Path, *, name: str, device: str = "auto", dtype: str | torch.dtype = "float32", body: Path | None = None
) -> ScratchModel:
    """Open a BERT folder in the scratch encoder; its layers and its tokenizer lie in `body`, if that is given. Raises
    ModelLoadError if it is not one, DeviceError."""
    pick_device(device)  # before anything is read
    numbers = pick_dtype(dtype)
    model = load_bert(folder) if body is None else load_on_body(folder, body)
    tokenizer = open_tokenizer(body or folder, name=name, d_vocab=model.config.d_vocab)
    opened = open_on(
        device, lambda target: ScratchModel(model, tokenizer, name=name, device=target, dtype=numbers), name=name
    )
    left = heads_left_over(folder, model)
    if left:
        says = to_say(
            "Its file has a head that is not asked anything, because its configuration names another: {weights}"
        )
        opened.info = replace(opened.info, notes=(*opened.info.notes, worded(says, weights=list_names(left))))
    return opened
