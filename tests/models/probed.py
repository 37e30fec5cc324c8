"""Tiny models of every family, opened once, each with a text and a question that it can answer."""

from __future__ import annotations

import tempfile
import warnings
from functools import cache
from pathlib import Path

import numpy as np
import torch

from models.analysis.contrasts import contrast_of
from models.huggingface.model import HuggingFaceModel, load_huggingface
from models.model import Model
from models.values.probing.changes import Changes
from models.values.probing.contrast import Contrast
from models.values.results.effects import Patching
from tests.models.huggingface.families import FAMILIES, build, save

TEXT = "The animal didn't cross the street, because it was too tired."
_folders: list[tempfile.TemporaryDirectory[str]] = []
"""Gone when the tests are."""


@cache
def opened(name: str) -> HuggingFaceModel:
    """A tiny random model of a family, its biases and norms random, too."""
    _folders.append(tempfile.TemporaryDirectory(prefix=f"{name}-"))
    model = build(FAMILIES[name], attention="eager")
    generator = torch.Generator().manual_seed(1)
    with torch.no_grad():
        for weight in model.parameters():
            if weight.dim() == 1:
                weight.add_(0.1 * torch.randn(weight.shape, generator=generator))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return load_huggingface(str(save(FAMILIES[name], Path(_folders[-1].name), model=model)), name=name)


@cache
def question_to(name: str) -> Contrast:
    """The best answer of that model to the text, and the second."""
    model = opened(name)
    position = 1 if model.is_encoder_decoder else 4
    return contrast_of(model, TEXT, of="mask" if model.info.can_fill_mask else None, position=position)


def size_of_logits(model: Model, text: str, text_b: str | None = None, *, contrast: Contrast) -> float:
    """How large the logits of two answers are, whose rounding a small difference of them has."""
    return float(np.abs(model.answers_under(text, text_b, contrast=contrast, changes=[Changes()]).logits).max())


def size_of_effects(model: Model, found: Patching, text: str, text_b: str | None = None) -> float:
    """How large the logits are in shares of the difference that all of a clean text makes."""
    return size_of_logits(model, text, text_b, contrast=found.contrast) / abs(found.clean - found.corrupted)
