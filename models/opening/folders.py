"""A checkpoint folder opens in the transformer from scratch, by the layout that its configuration names."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import torch

from models.checkpoints.faults.folder import expect_checkpoint
from models.checkpoints.folder import CONFIG, UNREADABLE, WEIGHTS, read_config
from models.model import Model
from models.scratch_models.decoder import load_scratch_decoder, load_scratch_llama
from models.scratch_models.encoder import load_scratch
from models.scratch_models.translator import load_scratch_translator
from models.values.errors import ModelLoadError, ModelNotFoundError
from models.values.wording import worded

SCRATCH_LAYOUTS: dict[str, Callable[..., Model]] = {
    "bert": load_scratch,
    "gpt2": load_scratch_decoder,
    "llama": load_scratch_llama,
    "bart": load_scratch_translator,
}
"""Functions that open a folder in the transformer from scratch, by the model_type of its configuration."""


def expect_weights(folder: Path, name: str) -> None:
    """Raise ModelNotFoundError for a folder without weights: those of the larger models are a package of their own."""
    if not (folder / WEIGHTS).is_file():
        says = worded(
            "Headlight is installed without the weights of this model. "
            "Install them with: pip install headlights[weights]"
        )
        raise ModelNotFoundError(name, says)


def load_folder(folder: Path, *, name: str, device: str = "auto", dtype: str | torch.dtype = "float32") -> Model:
    """Open a checkpoint folder in the transformer from scratch: one in the layout of BERT, GPT-2, Llama or BART.

    `name` is what to call it. Raises ModelLoadError for any other folder, or a broken one, and DeviceError.
    """
    try:
        return _open_layout(folder, name=name, device=device, dtype=dtype)
    except ModelLoadError:
        expect_checkpoint(folder, name)  # says what is wrong with its files, if that is the reason
        raise


def _open_layout(folder: Path, *, name: str, device: str, dtype: str | torch.dtype) -> Model:
    try:
        family = read_config(folder).get("model_type")
    except UNREADABLE as error:
        says = worded(
            "{folder} has no {file} that can be read: {error}", folder=str(folder), file=CONFIG, error=str(error)
        )
        raise ModelLoadError(name, says) from error
    opened_by = SCRATCH_LAYOUTS.get(family) if isinstance(family, str) else None
    if opened_by is None:
        raise ModelLoadError(
            name,
            worded(
                "The model_type of {model} is {family}, and the transformer from scratch opens only the layouts of "
                "{layouts}. Open the folder by its path, and transformers will read it.",
                model=name,
                family=repr(family),
                layouts=", ".join(SCRATCH_LAYOUTS),
            ),
        )
    return opened_by(folder, name=name, device=device, dtype=dtype)
