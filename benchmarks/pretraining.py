"""How fast pretraining goes, beside transformers' own BERT of the same shape on the same batches; how soon it learns.

    python -m benchmarks.pretraining --run runs/mini-bert --threads 2 --rounds 7
    python -m benchmarks.pretraining --run runs/mini-bert --threads 2 --learn 1000000
    python -m benchmarks.pretraining --run runs/mini-bert --threads 2 --processes 2

The run's folder holds its text (`python -m recipes.pretraining.pretrain --text books.txt --run runs/mini-bert`
makes it). Speed: the variants take one iteration each in turn, on the same pieces; the median of the rounds counts.
Learning: each optimizer trains from the same weights on the same batches, and is asked the same masks of unseen books.
Processes: whole iterations of a real run, with its classroom passages, by one process of so many threads and by so many
processes of one thread, in turn.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from typing import get_args

import torch
from transformers import BertConfig, BertForPreTraining

from models.scratch.config import PRESETS, TransformerConfig
from models.scratch.pretraining import PretrainingModel
from models.training.corpora.batches import NO_LABEL, Batch, make_batch
from models.training.trainer.optimizers import Optimizer
from models.training.trainer.processes import Worker, start_workers
from models.training.trainer.start import initialise
from recipes.corpora.data import TrainingData, prepare_data
from recipes.evaluation.baselines import count_bigrams
from recipes.evaluation.evaluate import evaluate
from recipes.pretraining.curriculum import TrainingConfig
from recipes.pretraining.trainer import Pretrainer

CPU = torch.device("cpu")
TOKENS = 128


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--run", type=Path, required=True, help="folder of a run, with its text")
    parser.add_argument("--preset", choices=PRESETS, default="mini-bert")
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--learn", type=int, default=0, metavar="PIECES", help="compare learning over so many pieces")
    parser.add_argument("--processes", type=int, default=0, help="compare so many processes with as many threads")
    parser.add_argument("--iterations", type=int, default=12, help="whole iterations of a round of --processes (12)")
    arguments = parser.parse_args()
    torch.set_num_threads(arguments.threads)
    data = prepare_data(arguments.run, [], [], 0)
    config = PRESETS[arguments.preset]
    if arguments.processes:
        compare_processes(config, data, arguments.processes, rounds=arguments.rounds, iterations=arguments.iterations)
    elif arguments.learn:
        compare_learning(config, data, arguments.learn)
    else:
        compare_speed(config, data, arguments.rounds)


# -- speed ------------------------------------------------------------------------------------------------------------


def compare_speed(config: TransformerConfig, data: TrainingData, rounds: int) -> None:
    """Pieces a second of every variant, and its ratio to transformers' own."""
    training = TrainingConfig(classroom_rows=0, sentence_rows=0)
    iterations = {"transformers, AdamW": peer_iteration(config, training, data)}
    for optimizer in get_args(Optimizer):
        iterations[f"ours, {optimizer}"] = our_iteration(config, replace(training, optimizer=optimizer), data)
    seconds: dict[str, list[float]] = {name: [] for name in iterations}
    for number in range(rounds + 1):
        for name, iteration in iterations.items():
            begun = time.perf_counter()
            iteration(number)
            if number:  # the first round warms up
                seconds[name].append(time.perf_counter() - begun)
    speeds = {name: training.pieces_per_batch / median(taken) for name, taken in seconds.items()}
    peer = next(iter(speeds.values()))
    say(f"| {TOKENS} tokens, iterations of {training.pieces_per_batch} pieces | pieces a second | ratio |")
    say("| --- | --- | --- |")
    for name, speed in speeds.items():
        say(f"| {name} | {speed:,.0f} | {speed / peer:.2f} |")


def our_iteration(config: TransformerConfig, training: TrainingConfig, data: TrainingData) -> Callable[[int], None]:
    """An iteration of our trainer at a fixed length, on the batch of that number."""
    model = PretrainingModel(config)
    initialise(model, 0)
    trainer = FixedLength(training, model, data, CPU)

    def iteration(number: int) -> None:
        trainer.iteration = number
        trainer.iterate()

    return iteration


class FixedLength(Pretrainer):
    """The trainer without its curriculum: every iteration has the same length, so that iterations can be compared."""

    def batches(self, iteration: int) -> list[list[Batch]]:
        return [[fixed_batch(self.config, self.model.config.d_vocab, self.data, iteration)]]


def fixed_batch(training: TrainingConfig, d_vocab: int, data: TrainingData, iteration: int) -> Batch:
    """The pairs of an iteration, all of one length."""
    return make_batch(
        data.learned,
        batch_size=training.pieces_per_batch // TOKENS,
        n_tokens=TOKENS,
        mask_rate=0.15,
        d_vocab=d_vocab,
        seed=training.seed,
        iteration=iteration,
    )


def peer_iteration(config: TransformerConfig, training: TrainingConfig, data: TrainingData) -> Callable[[int], None]:
    """The same iteration with transformers' model and loss, which runs its MLM head on every position."""
    model = BertForPreTraining(
        BertConfig(
            vocab_size=config.d_vocab,
            hidden_size=config.d_model,
            num_hidden_layers=config.n_layers,
            num_attention_heads=config.n_heads,
            intermediate_size=config.d_ff,
            hidden_dropout_prob=0.0,
            max_position_embeddings=config.max_tokens,
            attention_probs_dropout_prob=0.0,
        )
    ).train()
    optimizer = torch.optim.AdamW(model.parameters(), lr=training.learning_rate, fused=True)

    def iteration(number: int) -> None:
        batch = fixed_batch(training, config.d_vocab, data, number)
        labels = torch.full_like(batch.input_ids, NO_LABEL).flatten()
        labels[batch.masked] = batch.targets
        output = model(
            input_ids=batch.input_ids,
            token_type_ids=batch.segment_ids,
            attention_mask=batch.mask,
            labels=labels.view_as(batch.input_ids),
            next_sentence_label=batch.next_labels,
        )
        optimizer.zero_grad(set_to_none=True)
        output.loss.backward()
        torch.nn.utils.clip_grad_norm_(model.parameters(), training.clip)
        optimizer.step()

    return iteration


# -- learning ---------------------------------------------------------------------------------------------------------


def compare_learning(config: TransformerConfig, data: TrainingData, pieces: int) -> None:
    """The loss on unseen books, ten times along a short run, for every optimizer."""
    if data.held_out is None:
        raise SystemExit("this run has no held-out text; name some with --held-out when pretraining.")
    counts = count_bigrams([data.learned], config.d_vocab)
    say("| optimizer | pieces | loss on unseen books | best guess right | loss by frequency alone |")
    say("| --- | --- | --- | --- | --- |")
    for optimizer in get_args(Optimizer):
        training = TrainingConfig(pieces=pieces, optimizer=optimizer, classroom_rows=0, sentence_rows=0)
        model = PretrainingModel(config)
        initialise(model, 0)
        trainer = Pretrainer(training, model, data, CPU)
        while trainer.iteration < training.iterations:
            trainer.iterate()
            if trainer.iteration % max(1, training.iterations // 10) == 0:
                asked = evaluate(model, data.held_out, counts, n_batches=4, n_tokens=64).behind_mask
                seen = trainer.iteration * training.pieces_per_batch
                numbers = f"{asked.model.loss:.3f} | {asked.model.top_1:.3f} | {asked.unigram.loss:.3f}"
                say(f"| {optimizer} | {seen:,} | {numbers} |")


# -- processes --------------------------------------------------------------------------------------------------------

LEARNED = 3_000_000
"""Where in a run they stand: all lengths are drawn from there on."""


def compare_processes(
    config: TransformerConfig, data: TrainingData, size: int, *, rounds: int, iterations: int
) -> None:
    """Pieces a second of one process with `size` threads and of `size` processes with one, in turn."""
    speeds: dict[int, list[float]] = {1: [], size: []}
    with TemporaryDirectory() as folder:
        told = Path(folder) / "seconds"
        for _ in range(rounds):
            for members, found in speeds.items():
                start_workers(timed_iterations, (told, config, data, iterations), members)
                found.append(TrainingConfig().pieces_per_batch * iterations / float(told.read_text(encoding="utf-8")))
    say("| | pieces a second | ratio |")
    say("| --- | --- | --- |")
    for members, found in speeds.items():
        name = f"one process, {size} threads" if members == 1 else f"{size} processes, one thread each"
        say(f"| {name} | {median(found):,.0f} | {median(found) / median(speeds[1]):.2f} |")


def timed_iterations(
    told: Path, config: TransformerConfig, data: TrainingData, iterations: int, *, worker: Worker
) -> None:
    """Take the iterations, after one to warm up, as one of the workers; the first writes how many seconds they took."""
    model = PretrainingModel(config)
    initialise(model, 0)
    trainer = Pretrainer(TrainingConfig(), model, data, CPU, worker)
    trainer.iteration = LEARNED // trainer.config.pieces_per_batch
    trainer.iterate()
    begun = time.perf_counter()
    for _ in range(iterations):
        trainer.iterate()
    if worker.leads:
        told.write_text(str(time.perf_counter() - begun), encoding="utf-8")


def say(line: str) -> None:
    sys.stdout.write(line + "\n")
    sys.stdout.flush()


if __name__ == "__main__":
    main()
