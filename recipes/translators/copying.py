"""Twelve snapshots of one training: a small encoder-decoder learns to write the row of letters that it has read.

    python -m recipes.translators.copying --to models/pretrained/copier

Takes about ten seconds on one core. Data and sizes are those of "Copy" in the training lab, at its quickest. Beside the
snapshots, `metrics.jsonl` says how well each did on rows that were held out, as every run of the trainer does.
"""

from __future__ import annotations

import argparse
import json
import shutil
import sys
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from string import ascii_lowercase

import numpy as np
import torch

from models.scratch.config import TransformerConfig
from models.training.corpora.vocabulary import train_cased_wordpiece, writing_tokenizer
from models.training.tasks.translation import TranslationTask, encode_pairs
from models.training.trainer.fit import METRICS, FitConfig, evaluating, fit, save_snapshot, snapshot_folder

SHORTEST, LONGEST = 3, 7
"""The letters of a row, at least and at most."""
LEARNED, HELD_OUT = 8000, 400
MAX_TOKENS, MOST_PIECES = LONGEST + 1, 64
SIZES = TransformerConfig(
    d_vocab=MOST_PIECES,
    d_model=32,
    n_layers=1,
    n_heads=2,
    d_ff=64,
    max_tokens=MAX_TOKENS,
    n_segments=0,
    layer_norm_eps=1e-5,
)
"""The sizes of encoder and decoder; the vocabulary is as large as it turns out to be."""
TRAINING = FitConfig(
    iterations=250,
    rows=32,
    learning_rate=1e-2,
    warmup_iterations=25,
    decay=0.4,
    measurements=25,
)
KEPT = (0, 20, 40, 60, 70, 80, 90, 100, 110, 120, 150, 250)
"""The iterations of the snapshots: close together where the diagonal forms."""


def letter_rows(n: int, *, seed: int) -> tuple[str, ...]:
    """Draw different rows of letters, with spaces between them: "k e y"."""
    random = np.random.default_rng(seed)
    drawn: dict[str, None] = {}
    while len(drawn) < n:
        length = random.integers(SHORTEST, LONGEST + 1)
        drawn[" ".join(ascii_lowercase[index] for index in random.integers(len(ascii_lowercase), size=length))] = None
    return tuple(drawn)


def copying_task(*, seed: int) -> TranslationTask:
    """Return the task: every row is its own target, and no row that is held out is learned."""
    rows = letter_rows(LEARNED + HELD_OUT, seed=seed)
    trained = train_cased_wordpiece(rows, MOST_PIECES)
    tokenizer = writing_tokenizer(trained, MAX_TOKENS)
    held_out, learned = (
        encode_pairs(tokenizer, part, part, max_tokens=MAX_TOKENS) for part in (rows[:HELD_OUT], rows[HELD_OUT:])
    )
    return TranslationTask(replace(SIZES, d_vocab=len(tokenizer)), tokenizer, learned, held_out, seed=seed)


def train_copier(
    target: Path, config: FitConfig = TRAINING, kept: Sequence[int] = KEPT
) -> tuple[dict[str, float], ...]:
    """Train from nothing, and write the kept snapshots and the measures of the run to `target`; return the measures."""
    task, device = copying_task(seed=config.seed), torch.device("cpu")
    with tempfile.TemporaryDirectory() as folder:
        run = Path(folder)
        with evaluating(task.model):
            save_snapshot(run, task, 0)
            before = task.measure(device)
        fit(run, task, config, device=device, watch=lambda progress: _keep(run, task, progress.iteration, kept))
        measures = ({"step": 0, "tokens": 0} | _held_out(before), *_measures(run / METRICS))
        for iteration in kept:
            snapshot = snapshot_folder(run, iteration)
            shutil.copytree(snapshot, target / snapshot.name, dirs_exist_ok=True)
    lines = "".join(json.dumps(line) + "\n" for line in measures)
    (target / METRICS).write_text(lines, encoding="utf-8")
    return measures


def _keep(run: Path, task: TranslationTask, iteration: int, kept: Sequence[int]) -> None:
    if iteration in kept:
        save_snapshot(run, task, iteration)


def _held_out(measured: dict[str, float]) -> dict[str, float]:
    return {f"held_out_{name}": round(value, 4) for name, value in measured.items()}


def _measures(metrics: Path) -> Iterator[dict[str, float]]:
    """Yield the lines of a run in which the held-out rows were measured, without how long it took."""
    for line in map(json.loads, metrics.read_text(encoding="utf-8").splitlines()):
        if "held_out_loss" in line:
            names = ("loss", "accuracy", *(name for name in line if name.startswith("held_out_")))
            yield {"step": line["step"], "tokens": line["tokens"]} | {name: round(line[name], 4) for name in names}


def main() -> None:
    """Read the command line, train, and write the snapshots."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--to", type=Path, required=True, help="where the snapshots are to be written")
    parser.add_argument("--seed", type=int, default=TRAINING.seed)
    arguments = parser.parse_args()
    torch.set_num_threads(1)  # as many threads give other sums, and these matrices are too small to be shared
    for line in train_copier(arguments.to, replace(TRAINING, seed=arguments.seed)):
        sys.stdout.write(f"iteration {line['step']}: {line['held_out_accuracy']:.3f} of the tokens right\n")


if __name__ == "__main__":
    main()
