"""The adapter of the scratch encoder: text in, Recording out. Same face as
`models.huggingface.model.HuggingFaceModel`."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path

import torch
from torch import Tensor, nn

from models.checkpoints.bert import heads_left_over, load_bert
from models.checkpoints.device_faults import answers_in_sentences
from models.checkpoints.devices import open_on, pick_device, pick_dtype
from models.checkpoints.faults.names import list_names
from models.checkpoints.on_body import load_on_body
from models.inspection.probing.probe import Blanks, Probe
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
from models.recording.watched_copy import block_lists
from models.scratch.classification import ClassifierModel
from models.scratch.pretraining import IS_NEXT
from models.scratch_models.encoder_logits import choices_of, encoder_logits, unembedding_of
from models.scratch_models.encoder_reader import ScratchEncoderReader
from models.tasks.missing import gives_scores
from models.tasks.places import AskedText, answer_place, blanked_rows
from models.tasks.predictions import as_array, mask_positions, softmax
from models.tasks.together import TOGETHER
from models.text.prepare import PreparedText
from models.text.tokenizer.files import open_tokenizer
from models.values.answers import TextLabels, TokenLabels
from models.values.probing.contrast import AnswerOf
from models.values.wording import to_say, worded


@answers_in_sentences(*QUESTIONS, *TOGETHER, declared_by=Model)
class ScratchModel(ScratchEncoderReader):
    """A scratch encoder with its tokenizer. Read-only after loading: many threads may use one."""

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

    def next_sentence(self, text: str, text_b: str, *, exchange_segments: bool = False) -> float:
        """The probability, 0 to 1, that `text_b` follows `text`. Raises MissingCapabilityError without an NSP head."""
        prepared = self.prepare_follow_up(text, text_b, exchange_segments=exchange_segments)
        logits = self._forward(prepared).nsp  # [1, 2]
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
