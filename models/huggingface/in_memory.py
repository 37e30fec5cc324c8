"""A transformers model that is in memory already, with its tokenizer: opened as one from a folder, in a copy that
shares its weights."""

from __future__ import annotations

from copy import deepcopy
from typing import Any

import torch
from torch import nn
from transformers import PreTrainedModel, PreTrainedTokenizerBase

from models.checkpoints.device_faults import device_fault
from models.huggingface.checkpoint.opened import OpenedModality, OpenedModel, as_opened
from models.huggingface.checkpoint.weights import EAGER
from models.huggingface.classes import (
    MODALITIES,
    auto_class_of,
    capabilities_of_class,
    is_causal,
    promised_capabilities,
)
from models.huggingface.config import has_decoder
from models.huggingface.model import model_of
from models.model import (
    Model,
)
from models.recording.untouched import private_copy
from models.text.tokenizer.files import read_whole_texts
from models.values.errors import ArgumentError, ModelLoadError
from models.values.wording import worded

IN_CONFIG = "_attn_implementation"


def open_transformers(
    model: nn.Module, tokenizer: Any, *, name: str, device: torch.device, dtype: torch.dtype
) -> Model:
    """Open a model of transformers that is in memory; what reads pictures or sounds comes with its processor instead of
    a tokenizer.

    Neither is changed or moved. Raises ArgumentError for a model or a tokenizer of another library, and what
    `load_huggingface` raises.
    """
    if not isinstance(model, PreTrainedModel):
        raise ArgumentError(
            worded(
                "A model of the class {given} cannot be opened, expected one of transformers (PreTrainedModel) or of "
                "models/scratch/. Of an adapter give model.merge_and_unload(); attention of any other model can be "
                "shown: viz.show(attention, tokens).",
                given=type(model).__name__,
            )
        )
    try:
        copied = nn.Module.eval(private_copy(model))
        copied.set_attn_implementation(EAGER)  # the trial goes on from there
        setattr(copied.config, IN_CONFIG, EAGER)  # Falcon has none to set, and goes by its configuration all the same
    except Exception as error:  # a class may hold what cannot be copied, such as a lock
        why = device_fault(error, name, str(device))
        says = worded("{model} cannot be copied ({reason}), so save it, and open its folder.", model=name, reason=error)
        raise why or ModelLoadError(name, says) from error
    copied.config.architectures = [type(model).__name__]
    if copied.config.model_type in MODALITIES:
        return model_of(_of_modality(copied, tokenizer), name=name, device=device, dtype=dtype)
    return model_of(_of_text(copied, tokenizer), name=name, device=device, dtype=dtype)


def own_tokenizer(tokenizer: Any) -> PreTrainedTokenizerBase:
    """Return a copy of a tokenizer that reads whole texts. Raises ArgumentError for anything that is none of
    transformers."""
    if not isinstance(tokenizer, PreTrainedTokenizerBase):
        raise ArgumentError(
            worded(
                "tokenizer is of the class {given}, expected one of transformers, such as that of "
                "AutoTokenizer.from_pretrained. One of the library tokenizers goes into "
                "transformers.PreTrainedTokenizerFast(tokenizer_object=…).",
                given=type(tokenizer).__name__,
            )
        )
    copied = deepcopy(tokenizer)
    read_whole_texts(copied)
    return copied


def _of_text(model: PreTrainedModel, tokenizer: Any) -> OpenedModel:
    """Return a model with all that its class has on top: its weights are those that it was given."""
    config, own = model.config, own_tokenizer(tokenizer)
    untyped: Any = model
    has = {*capabilities_of_class(auto_class_of(config), config)} & {*promised_capabilities(config)}
    writes = is_causal(config) or (config.is_encoder_decoder and has_decoder(model))
    return as_opened(model, own, has, has_lm_head=writes and untyped.get_output_embeddings() is not None)


def _of_modality(model: PreTrainedModel, processor: Any) -> OpenedModality:
    tokenizer = getattr(processor, "tokenizer", None)
    return OpenedModality(
        model=model,
        processor=getattr(processor, "feature_extractor", None) or processor,
        tokenizer=None if tokenizer is None else own_tokenizer(tokenizer),
    )
