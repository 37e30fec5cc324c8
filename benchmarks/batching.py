"""Sentences of several readers in one forward pass: where that is faster than one after another.

    python -m benchmarks.batching --threads 1 --rounds 7

For every model, number of sentences and length: the milliseconds of so many recordings, prepared text to Recording, one
after another and in one pass, medians over rounds in one process, the two in turn. On one thread of a processor it is
the time that the thread had the processor, so that other work on the machine counts little. The last line of a model is
a queue: sentences of mixed lengths that wait at once, read alone and by the rule of `models.engine.batching`, with how
long a reader waits in the mean. `bert-base-shape` is a BERT of the base shape with random weights.
"""

from __future__ import annotations

import argparse
import random
import sys
import time
from collections.abc import Callable, Sequence
from statistics import mean, median

import torch
from transformers import BertConfig

from benchmarks.recording import build
from models import load
from models.engine.batching import Sentence, is_faster, sentence_of
from models.tasks.together import RecordsTogether

BASE_SHAPE = "bert-base-shape"
MODELS = ("headlight-bert", "models/pretrained/tiny-bert/step-001708", BASE_SHAPE)
QUEUED = (5, 60)
"""The shortest and the longest sentence of the queue, in tokens."""
SEED = 0
Clock = Callable[[], float]
HEAD = "tokens | sentences | one after another ms | in one pass ms | times as fast"


def main() -> None:
    """Read the command line, measure, write a table for each model."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--models", nargs="+", default=list(MODELS))
    parser.add_argument("--device", default="cpu")
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--lengths", type=int, nargs="+", default=[15, 60, 120, 250], help="tokens of a sentence")
    parser.add_argument("--sentences", type=int, nargs="+", default=[2, 4, 8], help="how many in a pass")
    parser.add_argument("--queue", type=int, default=32, help="how many wait at once in the last line")
    asked = parser.parse_args()
    torch.set_num_threads(asked.threads)
    clock = time.thread_time if asked.device == "cpu" and asked.threads == 1 else time.perf_counter
    for name in asked.models:
        model = opened(name, asked.device)
        _say(f"\n{name} on {model.info.device}\n{HEAD}")
        for n_tokens in (n for n in asked.lengths if n <= model.info.max_tokens):
            for n_sentences in asked.sentences:
                alone, together = timed(sentences(model, [n_tokens] * n_sentences), asked.rounds, clock)
                _say(
                    f"{n_tokens:6} | {n_sentences:9} | {1e3 * alone:20.1f} | {1e3 * together:14.1f} | "
                    f"{alone / together:13.2f}"
                )
        _say(told_of_queue(model, asked.queue, asked.rounds, clock))


def opened(name: str, device: str) -> RecordsTogether:
    """A model by its name."""
    model = build(BertConfig(), ("ours",))["ours"] if name == BASE_SHAPE else load(name, device=device)
    if not isinstance(model, RecordsTogether):
        raise SystemExit(f"{name} reads every text alone.")
    return model


def sentences(model: RecordsTogether, lengths: Sequence[int]) -> list[Sentence]:
    """Sentences of so many tokens, [CLS] and [SEP] counted."""
    made = (sentence_of(model, "the " * (n - 2)) for n in lengths)
    return [sentence for sentence in made if sentence is not None]


def timed(batch: Sequence[Sentence], rounds: int, clock: Clock) -> tuple[float, float]:
    """The median seconds of the sentences one after another, and in one pass."""
    ways: tuple[Callable[[], object], ...] = (lambda: [_read([each]) for each in batch], lambda: _read(batch))
    seconds: tuple[list[float], list[float]] = ([], [])
    for way in ways:
        way()  # what is found when something is first recorded
    for number in range(rounds):
        for which in (0, 1) if number % 2 else (1, 0):
            begun = clock()
            ways[which]()
            seconds[which].append(clock() - begun)
    return median(seconds[0]), median(seconds[1])


def told_of_queue(model: RecordsTogether, n: int, rounds: int, clock: Clock) -> str:
    """How long those wait who have asked at once, read alone and by the rule."""
    generator = random.Random(SEED)
    waiting = sentences(model, [generator.randint(*QUEUED) for _ in range(n)])
    batches = in_batches(waiting)
    alone = [_waits([[each] for each in waiting], clock) for _ in range(rounds)]
    by_rule = [_waits(batches, clock) for _ in range(rounds)]
    (all_alone, mean_alone), (all_by_rule, mean_by_rule) = (
        (median(max(each) for each in found), median(mean(each) for each in found)) for found in (alone, by_rule)
    )
    return (
        f"{n} of {QUEUED[0]} to {QUEUED[1]} tokens at once, in {len(batches)} passes: all {1e3 * all_by_rule:.0f} ms, "
        f"mean {1e3 * mean_by_rule:.0f} ms; alone: all {1e3 * all_alone:.0f} ms, mean {1e3 * mean_alone:.0f} ms"
    )


def in_batches(waiting: Sequence[Sentence]) -> list[list[Sentence]]:
    """As an engine forms them of what waits."""
    left, batches = list(waiting), []
    while left:
        batch = [left.pop(0)]
        for each in list(left):
            if is_faster(batch, each):
                batch.append(each)
                left.remove(each)
        batches.append(batch)
    return batches


def _waits(batches: Sequence[Sequence[Sentence]], clock: Clock) -> list[float]:
    """The seconds until each sentence is read, from the beginning of all."""
    begun, waits = clock(), []
    for batch in batches:
        _read(batch)
        waits += [clock() - begun] * len(batch)
    return waits


def _read(batch: Sequence[Sentence]) -> object:
    return batch[0].model.record_all([each.text for each in batch])


def _say(text: str) -> None:
    sys.stdout.write(text + "\n")
    sys.stdout.flush()


if __name__ == "__main__":
    main()
