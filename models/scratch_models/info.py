"""The facts about a model in the transformer from scratch, from its configuration."""

from __future__ import annotations

import torch
from torch import nn

from models.checkpoints.devices import dtype_name
from models.scratch.config import TransformerConfig
from models.values.record import Kind, ModelInfo


def describe_scratch(
    model: nn.Module,
    config: TransformerConfig,
    *,
    name: str,
    family: str,
    kinds: tuple[Kind, ...],
    device: torch.device,
    dtype: torch.dtype,
) -> ModelInfo:
    """Return what is known of a model; with cross-attention it translates, with a decoder alone it continues texts."""
    return ModelInfo(
        name=name,
        family=family,
        implementation="scratch",
        kinds=kinds,
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
        can_fill_mask=False,
        can_judge_next_sentence=False,
        can_translate="cross" in kinds,
        can_continue=kinds == ("decoder",),
    )
