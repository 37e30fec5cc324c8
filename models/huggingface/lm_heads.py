"""Heads on top of a transformers model, used as they are: logits of an LM head, and labels as a config names them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from torch import Tensor
from transformers import PreTrainedConfig
from transformers.utils.generic import ModelOutput

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
