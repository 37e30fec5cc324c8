"""Weights and tokens for the tests of attention that somebody already has."""

from __future__ import annotations

from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray

from tests.models.huggingface.families import FAMILIES

TOKENS = ["[CLS]", "The", "animal", "did", "n't", "cross", "the", "street", ".", "[SEP]"]


def softmaxed(*shape: int, seed: int = 0) -> NDArray[np.float32]:
    """Return weights after a softmax over the last axis."""
    scores = np.random.default_rng(seed).normal(scale=2, size=shape)
    shares = np.exp(scores)
    return (shares / shares.sum(axis=-1, keepdims=True)).astype(np.float32)


def real_model(family: str) -> Any:
    """Return a model of transformers, tiny and random, that keeps its weights."""
    torch.manual_seed(0)
    of_family = FAMILIES[family]
    model = of_family.model_class._from_config(of_family.config(), attn_implementation="eager")
    for parameter in model.parameters():
        if parameter.ndim > 1:
            torch.nn.init.normal_(parameter, std=0.3)
    return model.eval()


def some_ids(n: int) -> torch.Tensor:
    """Return token ids of a text [1, n], of which none is special."""
    return torch.randint(10, 200, (1, n), generator=torch.Generator().manual_seed(1))


def token_names(n: int) -> list[str]:
    """Return as many different tokens."""
    return [f"t{number}" for number in range(n)]
