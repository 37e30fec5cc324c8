"""Train an embedded translator, from nothing: on everyday sentences (docs/translators.md), or on a grammar alone.

    python -m recipes.translators.train es --parallel ../shared/parallel --run RUN --processes 2

The same command starts and resumes. Without --parallel it learns the grammar alone (docs/parallel.md). At the end the
checkpoint lies in the run's `model/`.
"""

from __future__ import annotations

import argparse
import json
import sys
from dataclasses import dataclass, replace
from pathlib import Path
from typing import get_args

from tqdm import tqdm

from models.checkpoints.devices import pick_device
from models.training.tasks.translation import TranslationTask
from models.training.trainer.fit import MODEL, FitConfig, Progress, fit
from models.training.trainer.processes import ALONE, Worker, start_workers
from recipes.sentences.parallel import Language
from recipes.translators.card import write_head
from recipes.translators.of_collection import PLANS, CollectionPlan, collection_task, prepare
from recipes.translators.of_grammar import grammar_task

SAVE_EVERY = 120.0
"""Seconds."""
GRAMMAR_ITERATIONS, GRAMMAR_ROWS, GRAMMAR_PAIRS = 4000, 128, 300_000


@dataclass(frozen=True, slots=True, kw_only=True)
class TranslatorRun:
    """What the command line asks for; `plan` is None for the grammar alone."""

    language: Language
    run: Path
    plan: CollectionPlan | None
    pairs: int
    d_model: int
    layers: int
    config: FitConfig
    device: str


def train(asked: TranslatorRun, *, worker: Worker = ALONE) -> None:
    """Train to the end, or go on with it; of several workers, the first tells how it goes."""
    last: list[Progress] = []
    task = _task(asked)
    with tqdm(total=asked.config.iterations, unit="iteration", disable=not worker.leads) as bar:

        def watch(progress: Progress) -> None:
            bar.update(progress.iteration - bar.n)
            if progress.held_out:
                bar.set_postfix(loss=f"{progress.loss:.3f}", held_out=f"{progress.held_out['loss']:.3f}")
                last[:] = [progress]

        is_ended = fit(
            asked.run,
            task,
            asked.config,
            device=pick_device(asked.device),
            watch=watch,
            save_every=SAVE_EVERY,
            worker=worker,
        )
    if worker.leads and is_ended and last and asked.plan is not None:
        write_head(asked.run / MODEL, asked.plan, task, asked.config, last[-1], processes=worker.size)
    if worker.leads:
        sys.stdout.write(json.dumps([progress.as_line() for progress in last]) + "\n")


def _task(asked: TranslatorRun) -> TranslationTask:
    if asked.plan is None:
        return grammar_task(asked.language, asked.pairs, d_model=asked.d_model, layers=asked.layers)
    return collection_task(asked.run, asked.plan)


def main() -> None:
    """Read the command line and train."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("language", choices=get_args(Language))
    parser.add_argument("--run", type=Path, required=True, help="folder of this run; an unfinished run is resumed")
    parser.add_argument(
        "--parallel", type=Path, help="folder with the everyday sentences; without it, the grammar alone"
    )
    parser.add_argument("--start", type=Path, help="checkpoint of another translator to set out from")
    parser.add_argument("--self-made", type=Path, help="pairs of self_made.py, to be learned, too")
    parser.add_argument("--pairs", type=int, default=GRAMMAR_PAIRS, help="of the grammar alone: different pairs")
    parser.add_argument("--iterations", type=int, help="where the run ends")
    parser.add_argument("--decay", type=float, help="the last part of it, in which the rate falls to 0")
    parser.add_argument("--rows", type=int, help="pairs in a batch")
    parser.add_argument("--dropout", type=float, help="of everyday sentences: share of activations left out, 0 to 1")
    parser.add_argument("--d-model", type=int, default=192, help="of the grammar alone")
    parser.add_argument("--layers", type=int, default=2, help="of the grammar alone")
    parser.add_argument("--processes", type=int, default=1, help="share the processor's work between so many")
    parser.add_argument("--device", default="auto")
    arguments = parser.parse_args()
    if arguments.processes > 1 and arguments.device not in ("auto", "cpu"):
        parser.error(f"--processes {arguments.processes} shares a processor, but --device asks for {arguments.device}.")
    config = FitConfig(
        iterations=GRAMMAR_ITERATIONS, rows=GRAMMAR_ROWS, warmup_iterations=100, log_every=20, snapshots=0
    )
    plan = None
    if arguments.parallel is not None:
        plan = replace(
            PLANS[arguments.language], parallel=arguments.parallel, start=arguments.start, self_made=arguments.self_made
        )
        if arguments.dropout is not None:
            plan = replace(plan, dropout=arguments.dropout)
        config = plan.config
        prepare(arguments.run, plan)
    given = {name: getattr(arguments, name) for name in ("iterations", "decay", "rows")}
    asked = TranslatorRun(
        language=arguments.language,
        run=arguments.run,
        plan=plan,
        pairs=arguments.pairs,
        d_model=arguments.d_model,
        layers=arguments.layers,
        config=replace(config, **{k: v for k, v in given.items() if v is not None}),
        device="cpu" if arguments.processes > 1 else arguments.device,
    )
    start_workers(train, (asked,), arguments.processes)


if __name__ == "__main__":
    main()
