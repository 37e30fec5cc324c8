"""A model of `models/scratch/` that is in memory, with a tokenizer: opened in a copy that shares its weights."""

from __future__ import annotations

import torch
from torch import nn
from transformers import PreTrainedTokenizerBase

from models.model import Model
from models.recording.untouched import private_copy
from models.scratch.classification import ClassifierModel
from models.scratch.encoder_decoder import EncoderDecoder
from models.scratch.gpt import LanguageModel
from models.scratch.pretraining import PretrainingModel
from models.scratch_models.decoder import ScratchDecoder
from models.scratch_models.encoder import ScratchModel
from models.scratch_models.translator import ScratchTranslator
from models.scratch_models.writing import WritingFiles

SCRATCH_CLASSES = (PretrainingModel, ClassifierModel, LanguageModel, EncoderDecoder)


def open_scratch(
    model: nn.Module, tokenizer: PreTrainedTokenizerBase, *, name: str, device: torch.device, dtype: torch.dtype
) -> Model:
    """Open a model from scratch, one of SCRATCH_CLASSES. A decoder begins and ends with the tokens that the tokenizer
    has for that. Neither the model nor the tokenizer is changed."""
    copied = private_copy(model)
    if isinstance(copied, PretrainingModel | ClassifierModel):
        return ScratchModel(copied, tokenizer, name=name, device=device, dtype=dtype)
    starts = _ids(tokenizer.bos_token_id if isinstance(copied, EncoderDecoder) else None)
    files = WritingFiles(tokenizer=tokenizer, start_ids=starts, end_ids=_ids(tokenizer.eos_token_id))
    if isinstance(copied, EncoderDecoder):
        return ScratchTranslator(copied, files, name=name, device=device, dtype=dtype)
    if not isinstance(copied, LanguageModel):
        raise TypeError(f"{type(copied).__name__} is no model from scratch.")
    return ScratchDecoder(copied, files, name=name, device=device, dtype=dtype)


def _ids(token_id: int | None) -> frozenset[int]:
    return frozenset() if token_id is None else frozenset({token_id})
