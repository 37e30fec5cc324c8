"""The interface of a task: its data, its loss, its measure, and how it is saved."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Protocol

import torch
from torch import Tensor, nn


@dataclass(frozen=True, slots=True, kw_only=True)
class Loss:
    """The loss of one batch: `total` is minimised, in nats per question; of `n_asked` questions `n_right`
    were answered right; `n_tokens` were read, padding not counted. Of a task that learns several things at once,
    `parts` has the "NAME_loss" and "NAME_accuracy" of each."""

    total: Tensor
    n_asked: int
    n_right: int
    n_tokens: int
    parts: Mapping[str, float] = field(default_factory=dict)


class Task(Protocol):
    """Something to learn. A batch follows from seed and iteration alone, so a run that resumes sees the same."""

    @property
    def model(self) -> nn.Module:
        """The module that is trained."""

    def loss(self, iteration: int, *, rows: int, seed: int, device: torch.device) -> Loss:
        """The loss on the batch of an iteration."""

    def measure(self, device: torch.device) -> dict[str, float]:
        """How well the model does on what it never saw: "loss", "accuracy" and whatever else the task knows.

        Empty if nothing was held out.
        """

    def save(self, folder: Path, dtype: torch.dtype = torch.float16) -> None:
        """Write a checkpoint with its tokenizer that `models.opening.folders.load_folder` opens."""
