"""The logits of a scratch encoder at one place, and what they are called: words, labels, is next or not."""

from __future__ import annotations

from collections.abc import Sequence

from torch import Tensor, nn

from models.scratch.classification import ClassifierModel
from models.scratch.pretraining import PretrainingModel
from models.tasks.places import JUDGEMENTS
from models.values.probing.contrast import AnswerOf


def choices_of(
    model: PretrainingModel | ClassifierModel, of: AnswerOf, vocabulary: Sequence[str]
) -> tuple[Sequence[str], bool]:
    """The names of the choices, and whether each is a question of its own."""
    if isinstance(model, ClassifierModel):
        return model.labels, model.is_multi_label
    return (JUDGEMENTS, False) if of == "sentence" else (vocabulary, False)


def unembedding_of(model: PretrainingModel | ClassifierModel) -> Tensor | None:
    """The matrix [d_vocab, d_model] from which an MLM head takes its words; None without one."""
    mlm = model.mlm if isinstance(model, PretrainingModel) else None
    return None if mlm is None else mlm.unembed.weight


def encoder_logits(model: nn.Module, ids: Tensor, segments: Tensor, *, of: AnswerOf, position: int | None) -> Tensor:
    """The logits [n_rows, n_choices] of a copy of the model for ids and segments [n_rows, n_tokens]; an LM head reads
    no more than the one place. Raises TypeError for a head that is not there."""
    if not isinstance(model, PretrainingModel | ClassifierModel):
        raise TypeError(f"{type(model).__name__} is no encoder with something on top.")
    last = model.encoder(ids, segments).last  # [n_rows, n_tokens, d_model]
    read = last if position is None else last[:, position]  # [n_rows, d_model] of one place, else all of them
    logits: Tensor
    if isinstance(model, ClassifierModel):
        logits = model.classifier(last, model.words(ids)) if model.of == "text" else model.classifier(read)
        return logits  # [n_rows, n_choices]
    head = model.mlm if of == "mask" else model.nsp
    if head is None:
        raise TypeError(f"the encoder has nothing on top that answers {of!r}.")
    logits = head(read)  # [n_rows, n_choices]
    return logits
