"""Heads on top of a transformers model, used as they are: an MLM head on given states, labels as named by a config.

To apply an LM head to other hidden states, the model is copied with its body exchanged; the copy shares every weight,
so it costs nothing, and nothing is left on the model that other threads use. Reading inner states with the LM head is
the "logit lens" (nostalgebraist 2020).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from copy import copy
from typing import Any

import torch
from torch import Tensor, nn
from transformers import PreTrainedConfig, PreTrainedModel
from transformers.modeling_outputs import BaseModelOutputWithPooling
from transformers.utils.generic import ModelOutput

from models.checkpoints.device_faults import is_device_fault
from models.recording.watched_copy import Module

TOLERANCE = 1e-3
ROUNDINGS = 4
"""So many steps of half precision may lie between the same logits, computed for one token and for several."""
IS_NEXT = 0
"""The class of the NSP head that says "B follows A", in all families that have one (Devlin et al. 2018, 3.1)."""
POOLING = "classifier_pooling"
FIRST_TOKEN = frozenset(
    {"albert", "bert", "camembert", "distilbert", "electra", "modernbert", "roberta", "xlm-roberta"}
)
"""Families whose label of a text is read from the state of their first token."""


def mask_logits(output: ModelOutput) -> Tensor:
    """The MLM head's part of an output [b, n_tokens, d_vocab]."""
    logits: Tensor = output["prediction_logits" if "prediction_logits" in output else "logits"]
    return logits


# -- the MLM head on the states of every layer ------------------------------------------------------------------------


def logits_of_states(model: PreTrainedModel, states: Tensor, own: Tensor) -> Tensor | None:
    """The MLM head's answers [n_states, d_vocab] to states [n_states, d_model], each after the body's final norm.

    Which norm that is, if any, is found by trying: the last state has to give `own` [d_vocab], the model's own answer.
    None if no norm does, or if the class asks more of its body than states.
    """
    for norm in (nn.Identity(), *_norms_outside_layers(model.base_model, d_model=states.shape[-1])):
        try:
            logits = _apply_lm_head(model, norm(states))  # [n_states, d_vocab]
        except (AttributeError, LookupError, RuntimeError, TypeError) as error:
            if is_device_fault(error):
                raise
            return None
        tolerance = max(TOLERANCE, ROUNDINGS * torch.finfo(own.dtype).eps)
        if torch.allclose(logits[-1], own, rtol=tolerance, atol=tolerance * float(own.abs().max())):
            return logits
    return None


def _apply_lm_head(model: PreTrainedModel, states: Tensor) -> Tensor:
    """The class's own forward pass [n_states, d_vocab] on hidden states [n_states, d_model], each a text of a token."""
    given = _with_body(model, _GivenStates(states[:, None]))
    ids = torch.zeros(len(states), 1, dtype=torch.long, device=states.device)  # [n_states, 1]
    return mask_logits(given(input_ids=ids, return_dict=True))[:, 0]


class _GivenStates(nn.Module):
    """A body that has read already: whatever it is given, it answers with its states [b, n_tokens, d_model]."""

    def __init__(self, states: Tensor) -> None:
        super().__init__()
        self.states = states

    def forward(self, *_given: Any, **_options: Any) -> BaseModelOutputWithPooling:
        pooled = torch.zeros_like(self.states[:, 0])  # [b, d_model]; the NSP head reads it, and nobody that
        return BaseModelOutputWithPooling(last_hidden_state=self.states, pooler_output=pooled)


def _with_body(model: Module, body: nn.Module) -> Module:
    """A copy of the model around another body; only its list of modules is its own."""
    exchanged = copy(model)
    vars(exchanged)["_modules"] = dict(vars(model)["_modules"])
    setattr(exchanged, str(model.base_model_prefix), body)
    return exchanged


def _norms_outside_layers(body: nn.Module, *, d_model: int) -> Iterator[nn.Module]:
    """The norms of a body that belong neither to a layer nor to the embeddings."""
    for name, module in body.named_modules():
        weight = getattr(module, "weight", None)
        is_norm = isinstance(weight, Tensor) and weight.shape == (d_model,)
        if is_norm and "embedding" not in name and not any(part.isdigit() for part in name.split(".")):
            yield module


# -- labels -----------------------------------------------------------------------------------------------------------


def labels_of(config: PreTrainedConfig, n_labels: int) -> tuple[str, ...]:
    """The names of the labels, as the configuration gives them."""
    names: Mapping[Any, str] = config.id2label or {}
    return tuple(str(names.get(label, f"LABEL_{label}")) for label in range(n_labels))


def read_from(config: PreTrainedConfig, n_tokens: int) -> tuple[int, ...]:
    """The positions whose last states the classifier of texts reads; empty for a family that is not known."""
    pooling = getattr(config, POOLING, "cls") if config.model_type == "modernbert" else "cls"
    if pooling == "mean":
        return tuple(range(n_tokens))
    return (0,) if config.model_type in FIRST_TOKEN else ()


def averages_elsewhere(config: PreTrainedConfig) -> bool:
    """Whether it is a BERT of ours whose classifier takes the mean over the words: transformers has no class for it."""
    return config.model_type == "bert" and getattr(config, POOLING, "cls") == "mean"


def is_multi_label(config: PreTrainedConfig) -> bool:
    """Whether each label of a text is a question of its own, answered by a sigmoid."""
    return bool(config.problem_type == "multi_label_classification")


def gives_score(config: PreTrainedConfig) -> bool:
    """Whether the classifier of texts gives one number without a bound (a similarity, a rating), no probabilities."""
    return bool(config.problem_type == "regression" or (config.num_labels == 1 and not is_multi_label(config)))
