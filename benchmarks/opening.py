"""How long the embedded models take to open, and to record a sentence, on one thread.

    python -m benchmarks.opening --rounds 7

Each model is opened anew every round, as for the first reader of a server that runs; the first opening of all, which
also imports what the others use, is left out. No ratio: no peer has these models; each is compared with itself.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path
from statistics import median

import torch

from models.model import Model
from models.opening.folders import load_folder
from models.opening.registry import REGISTRY, load

SENTENCE = "The animal didn't cross the street because it was tired."
"""15 tokens for a BERT, special tokens counted."""


def main() -> None:
    """Read the command line, measure, write a line a model."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    embedded = [name for name, entry in REGISTRY.items() if entry.is_embedded]
    parser.add_argument("--models", nargs="+", choices=embedded, default=embedded, metavar="MODEL")
    parser.add_argument("--folder", type=Path, help="a checkpoint of ours that is not listed, beside them")
    parser.add_argument("--rounds", type=int, default=7)
    arguments = parser.parse_args()
    torch.set_num_threads(1)
    opened: dict[str, Callable[[], Model]] = {name: partial(load, name, device="cpu") for name in arguments.models}
    if (folder := arguments.folder) is not None:
        opened[folder.name] = partial(load_folder, folder, name=folder.name, device="cpu")
    next(iter(opened.values()))()
    for name, open_model in opened.items():
        sys.stdout.write(measured(name, open_model, arguments.rounds))


def measured(name: str, open_model: Callable[[], Model], rounds: int) -> str:
    """The line of one model."""
    openings, model = [], open_model()
    for _ in range(rounds):
        begun = time.perf_counter()
        model = open_model()
        openings.append(time.perf_counter() - begun)
    recordings, recording = [], model.record(SENTENCE)
    for _ in range(5 * rounds):
        begun = time.perf_counter()
        recording = model.record(SENTENCE)
        recordings.append(time.perf_counter() - begun)
    return (
        f"| {name} | {model.info.n_parameters / 1e6:.1f} | {median(openings):.2f} s | {max(openings):.2f} s | "
        f"{len(recording.tokens)} | {1000 * median(recordings):.1f} ms | {1000 * max(recordings):.1f} ms |\n"
    )


if __name__ == "__main__":
    main()
