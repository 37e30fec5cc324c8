"""The mean of the weights of a run and of the checkpoint that it set out from, in the place of the run's.

Wortsman et al. 2022, "Robust fine-tuning of zero-shot models": what the run has forgotten comes back, and most of what
it learned stays.

    python -m recipes.pretraining.mean_of_runs --start models/pretrained/translator-ko --checkpoint RUN/model
"""

from __future__ import annotations

import argparse
from pathlib import Path

import torch
from safetensors import safe_open
from safetensors.torch import load_file, save_file
from torch import Tensor

from models.checkpoints.folder import WEIGHTS

HALF = 0.5
"""Of the run, as much as of the start."""


def mean_of(start: dict[str, Tensor], reached: dict[str, Tensor], share: float = HALF) -> dict[str, Tensor]:
    """Each weight of `reached`, by its `share`, with that of `start` under its name; the rows of pieces that have come
    since then stay.

    Raises KeyError for weights that the start does not have, ValueError for those of other sizes.
    """
    return {name: _mean(name, start[name], weight, share) for name, weight in reached.items()}


def _mean(name: str, start: Tensor, reached: Tensor, share: float) -> Tensor:
    """Sizes differ in the last dimension of a bias of pieces [1, d_vocab], in the first of their matrix."""
    grown = start.ndim - 1 if start.shape[:-1] == reached.shape[:-1] else 0
    if start.ndim != reached.ndim or start.narrow(grown, 0, 1).shape != reached.narrow(grown, 0, 1).shape:
        raise ValueError(f"{name} is {list(start.shape)} at the start and {list(reached.shape)} at the end.")
    if start.shape[grown] > reached.shape[grown]:
        raise ValueError(
            f"{name} has {reached.shape[grown]} rows at the end, fewer than the {start.shape[grown]} before."
        )
    found = reached.float().clone()
    known = found.narrow(grown, 0, start.shape[grown])
    known.lerp_(start.float(), 1 - share)
    return found.to(reached.dtype)


def write_mean(start: Path, folder: Path, share: float = HALF) -> None:
    """Put the mean into a checkpoint folder that set out from another one; its other files stay."""
    file = folder / WEIGHTS
    with safe_open(file, framework="pt") as opened:
        metadata = opened.metadata()
    found = mean_of(load_file(start / WEIGHTS), load_file(file), share)
    save_file(found, file, metadata=metadata)


def main() -> None:
    """Read the command line and write the mean."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--start", type=Path, required=True, help="the checkpoint that a run set out from")
    parser.add_argument("--checkpoint", type=Path, required=True, help="what the run has reached, to be replaced")
    parser.add_argument("--share", type=float, default=HALF, help="how much of it is the run's, 0 to 1 (0.5)")
    arguments = parser.parse_args()
    with torch.inference_mode():
        write_mean(arguments.start, arguments.checkpoint, arguments.share)


if __name__ == "__main__":
    main()
