"""A transformers model that is in memory already, with its tokenizer: opened as one from a folder, in a copy that
shares its weights."""

from __future__ import annotations

from copy import deepcopy
from typing import Any

import torch
from torch import nn
from torch.nn.utils.parametrize import is_parametrized
from torch.nn.utils.prune import is_pruned
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
from models.huggingface.refusals import expect_numbers
from models.model import (
    Model,
)
from models.recording.untouched import private_copy
from models.text.tokenizer.files import read_whole_texts
from models.values.errors import ArgumentError, ModelLoadError
from models.values.wording import worded, worded_n

IN_CONFIG = "_attn_implementation"
_HOOKS = ("_forward_hooks", "_forward_pre_hooks")


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
    if model.config.model_type not in MODALITIES:
        expect_plain_weights(model, name)
    expect_numbers(model, (), name)
    try:
        copied = nn.Module.eval(private_copy(model))
        copied.set_attn_implementation(EAGER)  # the trial goes on from there
        setattr(copied.config, IN_CONFIG, EAGER)  # Falcon has none to set, and goes by its configuration all the same
    except Exception as error:  # a class may hold what cannot be copied, such as a lock
        why = device_fault(error, name, str(device))
        says = worded("{model} cannot be copied ({reason}), so save it, and open its folder.", model=name, reason=error)
        raise why or ModelLoadError(name, says) from error
    copied.config.architectures = [type(model).__name__]
    notes = note_on_hooks(model, name)
    if copied.config.model_type in MODALITIES:
        return model_of(_of_modality(copied, tokenizer, notes), name=name, device=device, dtype=dtype)
    return model_of(_of_text(copied, tokenizer, notes), name=name, device=device, dtype=dtype)


def expect_plain_weights(model: nn.Module, name: str) -> None:
    """Raise ArgumentError for a model of which weights are computed anew in each pass."""
    if is_pruned(model) or any(map(is_parametrized, model.modules())):
        raise ArgumentError(
            worded(
                "Weights of {model} are computed anew in each pass, by torch.nn.utils.parametrize or prune. Make plain "
                "weights of them first, with parametrize.remove_parametrizations(module, name) or prune.remove(module, "
                "name).",
                model=name,
            )
        )


def note_on_hooks(model: nn.Module, name: str) -> tuple[str, ...]:
    """Say that hooks do not run, if a model has some that transformers has not put there itself."""
    hooks = (hook for module in model.modules() for field in _HOOKS for hook in getattr(module, field).values())
    own = [hook for hook in hooks if not str(getattr(hook, "__module__", "")).startswith("transformers.")]
    said = worded_n(
        "A hook of {model} does not run: its recordings are those of the model without it.",
        "{n} hooks of {model} do not run: its recordings are those of the model without them.",
        len(own),
        model=name,
        n=len(own),
    )
    return (said,) if own else ()


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


def _of_text(model: PreTrainedModel, tokenizer: Any, notes: tuple[str, ...]) -> OpenedModel:
    """Return a model with all that its class has on top: its weights are those that it was given."""
    config, own = model.config, own_tokenizer(tokenizer)
    untyped: Any = model
    has = {*capabilities_of_class(auto_class_of(config), config)} & {*promised_capabilities(config)}
    writes = is_causal(config) or (config.is_encoder_decoder and has_decoder(model))
    return as_opened(model, own, has, has_lm_head=writes and untyped.get_output_embeddings() is not None, notes=notes)


def _of_modality(model: PreTrainedModel, processor: Any, notes: tuple[str, ...]) -> OpenedModality:
    tokenizer = getattr(processor, "tokenizer", None)
    return OpenedModality(
        model=model,
        processor=getattr(processor, "feature_extractor", None) or processor,
        tokenizer=None if tokenizer is None else own_tokenizer(tokenizer),
        notes=notes,
    )
