"""Open the weights of a checkpoint in a class of transformers."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import torch
from transformers import PreTrainedConfig, PreTrainedModel

from models.checkpoints.devices import PROCESSOR
from models.huggingface.attention_interface import IMPLEMENTATION
from models.huggingface.checkpoint.family import expect_buildable
from models.huggingface.checkpoint.misfits import (
    compiled_names,
    expect_known_names,
    expect_same_sizes,
    is_all_missing,
    names_of_weights,
    note_on_names,
    wrapped_names,
)
from models.huggingface.checkpoint.unused import account_for
from models.huggingface.classes import AutoClass
from models.recording.untouched import same_randomness

EAGER = "eager"
"""The attention of a family that does not take ours."""


@dataclass(frozen=True, slots=True, kw_only=True)
class OpenedWeights:
    """A model, the names of its weights that the checkpoint does not have, the names in the file that it has no weights
    for, and notes on how it was opened."""

    model: PreTrainedModel
    missing: set[str]
    unexpected: set[str]
    notes: tuple[str, ...] = ()


def open_weights(
    auto_class: AutoClass, source: str, config: PreTrainedConfig, folder: Path, name: str, *, revision: str
) -> OpenedWeights:
    """Open a model from the files in `folder`, without what a training has put before the names of all weights.

    Raises ModelLoadError for weights of other names or sizes than the configuration says, and for weights in its layers
    that its class does not use; notes name those that it does not use on top.
    """
    with same_randomness(torch.device(PROCESSOR)):  # some classes draw their first weights outside of what is left out
        opened = _open_by_any_names(auto_class, source, config, names_of_weights(folder), name, revision=revision)
    return replace(opened, notes=(*opened.notes, *account_for(opened.unexpected, opened.model, folder, name)))


def _open_by_any_names(
    auto_class: AutoClass, source: str, config: PreTrainedConfig, names: Sequence[str], name: str, *, revision: str
) -> OpenedWeights:
    """The model, from weights of these names, or of what is left of them without what stands before all."""
    opened = _open_with_names(auto_class, source, config, compiled_names(names), name, revision=revision)
    if not is_all_missing(opened.model, opened.missing):
        return opened
    for prefix, renamed in wrapped_names(names):
        unwrapped = _open_with_names(auto_class, source, config, renamed, name, revision=revision)
        if not is_all_missing(unwrapped.model, unwrapped.missing):
            return replace(unwrapped, notes=(note_on_names(prefix),))
    expect_known_names(opened.model, opened.missing, names, name)
    return opened


def kept_exact(model: PreTrainedModel, dtype: torch.dtype) -> frozenset[str]:
    """Parts of the names of weights that transformers keeps in float32, because the family breaks without."""
    fields = ("_keep_in_fp32_modules_strict", *(("_keep_in_fp32_modules",) if dtype == torch.float16 else ()))
    return frozenset(part for field in fields for part in getattr(model, field, None) or ())


def _open_with_names(
    auto_class: AutoClass, source: str, config: PreTrainedConfig, renamed: dict[str, str], name: str, *, revision: str
) -> OpenedWeights:
    """The model, patterns of names replaced in its files. Its attention is ours, or its own where its family takes no
    other."""

    def open_with(attention: str) -> Any:
        return auto_class.from_pretrained(
            source,
            revision=revision,
            config=config,
            attn_implementation=attention,
            dtype=torch.float32,
            use_safetensors=True,
            local_files_only=True,
            trust_remote_code=False,
            output_loading_info=True,
            ignore_mismatched_sizes=True,
            key_mapping=renamed or None,
        )

    try:
        model, report = _in_some_attention(open_with)
    except Exception:
        expect_buildable(auto_class, config, name)
        raise
    expect_same_sizes(report["mismatched_keys"], config, name)
    return OpenedWeights(
        model=model,
        missing=set(report["missing_keys"]),
        unexpected=set(report["unexpected_keys"]),
        notes=_notes_on(renamed),
    )


def _in_some_attention(open_with: Callable[[str], Any]) -> Any:
    """Open a model with the recorded attention, or with its own where its family takes no other."""
    try:
        return open_with(IMPLEMENTATION)
    except (KeyError, ValueError) as error:
        if not any(f"{quote}{IMPLEMENTATION}{quote}" in str(error) for quote in "'\""):
            raise
        return open_with(EAGER)


def _notes_on(renamed: dict[str, str]) -> tuple[str, ...]:
    return (note_on_names("_orig_mod."),) if renamed else ()
