"""Train the embedded causal model that reads long texts, in the layout of a Llama, on books at mixed lengths.

    python -m recipes.decoders.llama --text ../shared/corpus/gutenberg.txt.xz --run runs/mini-llama \
        --vocabulary models/pretrained/mini-bert --processes 2

A stopped run goes on where it was. At the end the checkpoint lies in the run's `model/`. The plan: docs/mini-llama.md.
"""

from __future__ import annotations

import argparse
import json
import sys
from dataclasses import dataclass
from pathlib import Path

import torch
from tokenizers import Tokenizer
from tqdm import tqdm

from models.checkpoints.bert import load_checkpoint
from models.checkpoints.devices import pick_device
from models.checkpoints.llama import load_llama
from models.scratch.config import PRESETS, TransformerConfig
from models.scratch.gpt import LanguageModel
from models.training.corpora.vocabulary import continuing_tokenizer
from models.training.tasks.next_token import NextTokenTask, Stage
from models.training.trainer.fit import MODEL, FitConfig, Progress, fit
from models.training.trainer.processes import ALONE, Worker, start_workers
from recipes.corpora.data import TrainingData, open_data, prepare_data
from recipes.decoders.gpt import begin_with, report
from recipes.evaluation.long_texts import read_long_texts

PRESET = "mini-llama"
STAGES: tuple[tuple[float, tuple[int, ...]], ...] = (
    (0.5, (256, 256, 512)),
    (0.8, (256, 512, 1024, 2048)),
    (1.0, (512, 1024, 2048, 2048, 4096)),
)
"""Up to which part of the run rows of which lengths are drawn: short ones first, which cost less and mix more texts;
the longest while the learning rate falls. The base of the angles is that of the paper, 10,000, with which the slowest
pair of a head of 32 makes an eighth of a turn in 4,096 positions: no angle is met that was not trained."""
SHORTEST = 256
CLASSROOM_SHARE, QUOTED_SHARE = 0.05, 0.1
SAVE_EVERY = 300.0


def stages(iterations: int, longest: int) -> tuple[Stage, ...]:
    """The stages of a run, without lengths that the model has no positions for."""
    return tuple(
        Stage(until=part * iterations, lengths=tuple(length for length in lengths if length <= longest) or (longest,))
        for part, lengths in STAGES
    )


def task_of(
    sizes: TransformerConfig,
    data: TrainingData,
    iterations: int,
    *,
    quoted: float,
    seed: int,
    repeated: float = 0.0,
    lengths: tuple[int, ...] = (),
) -> NextTokenTask:
    """What is learned: to continue the text, with the classroom beside it where there is one."""
    return NextTokenTask(
        sizes,
        continuing_tokenizer(data.tokenizer, sizes.max_tokens),
        data.learned,
        data.held_out,
        stages=(Stage(until=iterations, lengths=lengths),) if lengths else stages(iterations, sizes.max_tokens),
        side=data.classroom,
        side_share=CLASSROOM_SHARE,
        quoted=quoted,
        repeated=repeated,
        seed=seed,
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class Ways:
    """The shares of rows that quote and that repeat random pieces; the folder of a BERT whose token embeddings the run
    begins with, or of a Llama that it trains on; and the lengths of all rows, where they are not those of STAGES."""

    quoted: float = QUOTED_SHARE
    repeated: float = 0.0
    vectors: Path | None = None
    begin: Path | None = None
    lengths: tuple[int, ...] = ()


def run(
    folder: Path,
    sizes: TransformerConfig,
    config: FitConfig,
    ways: Ways,
    device: torch.device,
    *,
    worker: Worker = ALONE,
) -> None:
    """Train to the end, or go on with it, on what lies prepared in the folder. Each worker opens its own."""
    task = task_of(
        sizes,
        open_data(folder),
        config.iterations,
        quoted=ways.quoted,
        seed=config.seed,
        repeated=ways.repeated,
        lengths=ways.lengths,
    )
    if ways.begin:
        task.model.load_state_dict(load_llama(ways.begin).state_dict())
    elif ways.vectors:
        begin_with(task.model, load_checkpoint(ways.vectors))
    with tqdm(total=config.iterations, unit="iteration", disable=not worker.leads) as bar:

        def watch(progress: Progress) -> None:
            bar.update(progress.iteration - bar.n)
            if progress.held_out:
                found = {name: f"{value:.3f}" for name, value in progress.held_out.items()}
                bar.set_postfix(found, train=f"{progress.loss:.3f}")

        fit(folder, task, config, device=device, watch=watch, save_every=SAVE_EVERY, worker=worker)


def report_long(model: LanguageModel, data: TrainingData) -> dict[str, dict[str, float]]:
    """What the card says of long texts: unseen books, in rows of as many tokens as the model has positions."""
    if data.held_out is None:
        return {}
    return read_long_texts(model, data.held_out, data.learned, n_tokens=model.config.max_tokens)


def main() -> None:
    """Read the command line and train."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--text", type=Path, nargs="+", required=True, help="text files, plain or .xz")
    parser.add_argument("--run", type=Path, required=True, help="folder of this run; an unfinished run is resumed")
    parser.add_argument("--held-out", nargs="*", default=[], help="titles of documents never to train on")
    parser.add_argument("--pieces", type=int, default=24_000_000, help="length of the run in word pieces")
    parser.add_argument("--rows", type=int, default=32, help="rows of the shortest length, or so many pieces")
    parser.add_argument("--learning-rate", type=float, default=FitConfig(iterations=1).learning_rate)
    parser.add_argument("--decay", type=float, default=0.3, help="the last part, in which the learning rate falls")
    parser.add_argument("--measurements", type=int, default=20, help="how often the held-out part is measured")
    parser.add_argument("--warmup", type=int, default=100, help="iterations in which the learning rate rises")
    parser.add_argument("--snapshots", type=int, default=0, help="how many checkpoints to keep along the way")
    parser.add_argument("--passages", type=int, default=2000, help="classroom passages of every family; 0 for none")
    parser.add_argument("--quoted", type=float, default=QUOTED_SHARE, help="share of rows that end in a quotation")
    parser.add_argument("--repeated", type=float, default=0.0, help="share of rows that repeat random pieces")
    parser.add_argument("--lengths", type=int, nargs="*", default=[], help="of rows, each as likely, instead of stages")
    parser.add_argument("--begin", type=Path, help="the folder of a finished model to train on")
    parser.add_argument("--vocabulary", type=Path, help="a model whose vocabulary is taken; else one is learned")
    parser.add_argument("--vectors", type=Path, help="a BERT of the same vocabulary and width, to begin with its words")
    parser.add_argument("--processes", type=int, default=1, help="share the processor's work between so many")
    parser.add_argument("--device", default="auto")
    parser.add_argument("--seed", type=int, default=0)
    arguments = parser.parse_args()
    sizes = PRESETS[PRESET]
    given = arguments.vocabulary and Tokenizer.from_file(str(arguments.vocabulary / "tokenizer.json"))
    data = prepare_data(
        arguments.run, arguments.text, arguments.held_out, sizes.d_vocab, passages=arguments.passages, tokenizer=given
    )
    n_pieces = arguments.rows * min(arguments.lengths or [SHORTEST])
    config = FitConfig(
        iterations=max(1, arguments.pieces // n_pieces),
        rows=arguments.rows,
        learning_rate=arguments.learning_rate,
        warmup_iterations=arguments.warmup,
        decay=arguments.decay,
        seed=arguments.seed,
        snapshots=arguments.snapshots,
        measurements=arguments.measurements,
        log_every=20,
    )
    ways = Ways(
        quoted=arguments.quoted,
        repeated=arguments.repeated,
        vectors=arguments.vectors,
        begin=arguments.begin,
        lengths=tuple(arguments.lengths),
    )
    device = pick_device(arguments.device if arguments.processes == 1 else "cpu")
    start_workers(run, (arguments.run, sizes, config, ways, device), arguments.processes)
    model = load_llama(arguments.run / MODEL)
    sys.stdout.write(json.dumps(report(model, data) | {"long texts": report_long(model, data)}, indent=2) + "\n")


if __name__ == "__main__":
    main()
