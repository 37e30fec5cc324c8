"""Pretrain the scratch encoder with masked words and next sentences (Devlin et al. 2018, section 3.1).

    python -m recipes.pretraining.pretrain --text ../shared/corpus/gutenberg.txt.xz --run runs/mini-bert

Stops and resumes at will: a run continues from its last checkpoint, on the same data in the same order.
"""

from __future__ import annotations

import argparse
import json
import os
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Any, TextIO, get_args

import torch
from tqdm import tqdm

from models.checkpoints.bert import save_checkpoint
from models.checkpoints.devices import pick_device
from models.scratch.config import PRESETS, TransformerConfig
from models.scratch.pretraining import PretrainingModel
from models.training.corpora.vocabulary import save_tokenizer
from models.training.trainer.optimizers import Optimizer, has_state
from models.training.trainer.processes import ALONE, Worker, start_workers
from models.training.trainer.start import initialise
from recipes.corpora.data import TrainingData, prepare_data
from recipes.corpora.repetition import RepetitionPlan
from recipes.pretraining.curriculum import TrainingConfig
from recipes.pretraining.trainer import Pretrainer

SAVE_EVERY = 300
"""Seconds between two checkpoints of a run."""


def run(
    folder: Path,
    data: TrainingData,
    model_config: TransformerConfig,
    config: TrainingConfig,
    device: torch.device,
    *,
    worker: Worker = ALONE,
) -> None:
    """Train to the end, with a progress bar and a metrics file. A stop saves what was learned; the next run resumes."""
    model = PretrainingModel(model_config)
    initialise(model, config.seed)
    train(Pretrainer(config, model, data, device, worker), folder)


def train(trainer: Pretrainer, folder: Path) -> None:
    """Train to the end; see `run`."""
    if has_state(folder):
        trainer.resume(folder)
    try:
        _train(trainer, folder)
    finally:
        trainer.save(folder)
    if trainer.worker.leads:
        export(trainer.model, trainer.data, folder / "model")


def _train(trainer: Pretrainer, folder: Path) -> None:
    config, leads, saved = trainer.config, trainer.worker.leads, time.monotonic()
    done = trainer.iteration * config.pieces_per_batch
    snapshots = config.snapshot_iterations() if leads else ()
    decays_from = round((1 - config.decay) * config.iterations)
    with (
        (folder / "metrics.jsonl" if leads else Path(os.devnull)).open("a", encoding="utf-8") as metrics,
        (folder / "watched.jsonl" if leads else Path(os.devnull)).open("a", encoding="utf-8") as watched,
        tqdm(total=config.pieces, initial=done, unit="piece", unit_scale=True, disable=not leads) as bar,
    ):
        while trainer.iteration < config.iterations:
            if trainer.iteration in snapshots:
                export(trainer.model, trainer.data, _snapshot(folder, trainer.iteration))
            if trainer.iteration == decays_from:
                trainer.save(folder, "before-decay")  # a longer run may set out from here
            if config.repetition and trainer.iteration == config.repetition_iteration:
                bar.set_postfix(repeated=f"{trainer.teach(config.repetition):.3f}")
            if leads and config.watch_every and trainer.iteration % config.watch_every == 0:
                _write(watched, {"step": trainer.iteration, **trainer.watched()})
            logged = trainer.iterate()
            bar.update(config.pieces_per_batch)
            if trainer.iteration % 20 == 0:
                bar.set_postfix(mlm=f"{logged['mlm_loss']:.3f}", nsp=f"{logged['nsp_loss']:.3f}")
                _write(metrics, logged)
            if time.monotonic() - saved > SAVE_EVERY:
                trainer.save(folder)
                saved = time.monotonic()
    if trainer.iteration in snapshots:
        export(trainer.model, trainer.data, _snapshot(folder, trainer.iteration))


def _write(lines: TextIO, found: Mapping[str, Any]) -> None:
    lines.write(json.dumps({**found, "time": time.time()}) + "\n")
    lines.flush()


def _snapshot(folder: Path, iteration: int) -> Path:
    return folder / "snapshots" / f"step-{iteration:06d}"


def export(model: PretrainingModel, data: TrainingData, folder: Path) -> None:
    """Write the finished checkpoint: half-precision weights, configuration and tokenizer."""
    save_checkpoint(model, folder, torch.float16)
    save_tokenizer(data.tokenizer, folder, model.config.max_tokens)


def main() -> None:
    """Read the command line and train."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--text", type=Path, nargs="+", required=True, help="text files, plain or .xz")
    parser.add_argument("--run", type=Path, required=True, help="folder of this run; an unfinished run is resumed")
    parser.add_argument("--held-out", nargs="*", default=[], help="titles of documents never to train on")
    parser.add_argument("--preset", choices=PRESETS, default="mini-bert")
    parser.add_argument("--pieces", type=int, default=TrainingConfig().pieces, help="length of the run in word pieces")
    parser.add_argument("--passages", type=int, default=4000, help="classroom passages of every family; 0 for none")
    parser.add_argument("--optimizer", choices=get_args(Optimizer), default=TrainingConfig().optimizer)
    parser.add_argument(
        "--decay", type=float, default=TrainingConfig().decay, help="the last part of the run, in which the rate falls"
    )
    parser.add_argument("--snapshots", type=int, default=0, help="how many checkpoints to keep along the way")
    parser.add_argument(
        "--repetition",
        type=int,
        nargs=3,
        metavar=("LAYER", "HEAD", "AFTER"),
        help="teach this head which pieces stand in both texts of a pair, after so many pieces of text",
    )
    parser.add_argument("--processes", type=int, default=1, help="share the processor's work between so many")
    parser.add_argument("--device", default="auto")
    parser.add_argument("--seed", type=int, default=0)
    arguments = parser.parse_args()
    if arguments.processes > 1 and arguments.device not in ("auto", "cpu"):
        parser.error(f"--processes {arguments.processes} shares a processor, but --device asks for {arguments.device}.")
    config = PRESETS[arguments.preset]
    data = prepare_data(arguments.run, arguments.text, arguments.held_out, config.d_vocab, passages=arguments.passages)
    training = TrainingConfig(
        pieces=arguments.pieces,
        seed=arguments.seed,
        optimizer=arguments.optimizer,
        snapshots=arguments.snapshots,
        decay=arguments.decay,
        repetition=None
        if arguments.repetition is None
        else RepetitionPlan(**dict(zip(("layer", "head", "after"), arguments.repetition, strict=True))),
    )
    device = pick_device(arguments.device if arguments.processes == 1 else "cpu")
    start_workers(run, (arguments.run, data, config, training, device), arguments.processes)


if __name__ == "__main__":
    main()
