"""The Ray engine on a cluster of this machine: sentences a second, waits, texts of a corpus a second, and their cost.

    python -m benchmarks.ray_engine --workers 1 2 --sentences 400 --texts 1536
    python -m benchmarks.ray_engine --shapes headlight-bert bert-base 1b

With `--shapes`, only the cost of a question: each sentence is recorded by a model of that size here, and then by a
replica; the median of the differences is what Ray costs. The weights are random but for headlight-bert's; the largest
model computes in bfloat16.

The first line is this process alone, one thread. Then for so many workers, each a node of one processor beside a head
that computes nothing: readers who each send a new sentence as soon as they have the one before (four for each worker),
and the atlas of a corpus by as many workers. The time until a worker has opened the model stands apart. Below, what
that comes to for a university and for a large corpus: a third of the processors is left free for readers, none for a
corpus. Readers, head and workers share this machine: the lines of as many workers as it has cores, or more, say little
about a cluster.
"""

from __future__ import annotations

import argparse
import os
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from functools import partial
from itertools import cycle, islice
from pathlib import Path
from shutil import copy
from statistics import median
from tempfile import TemporaryDirectory
from typing import Any

import torch
from torch import nn
from transformers import BertConfig, BertForMaskedLM, LlamaConfig, LlamaForCausalLM

from models.analysis.over_texts.corpus import sample_texts
from models.checkpoints.devices import FLOAT32
from models.engine.corpus import ATLAS, TEXTS_A_PART, over_parts
from models.engine.setting import RAY, SETTING, open_model
from models.model import Model
from models.opening.entries import PRETRAINED, ROOT
from models.opening.registry import load

READERS_A_WORKER = 4
WARM = 5
"""Questions that are not counted."""
FREE = 1 / 3
"""Of the processors for readers."""
SETTINGS = {"RAY_worker_niceness": "0", "RAY_max_direct_call_object_size": "16000000"}
"""Of the cluster, as `docs/serve-a-university.md` says and why."""
MEGABYTE = 1024 * 1024
say = partial(print, flush=True)
HEAD = "| workers | sentences a second | median wait ms | texts a second | until they read s | MB a replica |"


@dataclass(frozen=True, slots=True, kw_only=True)
class Line:
    """What some workers do; 0 is this process."""

    workers: int
    sentences: float
    wait: float
    texts: float
    start: float
    megabytes: float

    def __str__(self) -> str:
        name = "this process" if self.workers == 0 else str(self.workers)
        return (
            f"| {name} | {self.sentences:.1f} | {1e3 * self.wait:.1f} | {self.texts:.1f} | {self.start:.1f} | "
            f"{self.megabytes:.0f} |"
        )


def main() -> None:
    """Read the command line, measure, write the table and what it comes to."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--model", default="headlight-bert")
    parser.add_argument("--workers", type=int, nargs="+", default=[1, 2])
    parser.add_argument("--sentences", type=int, default=400, help="asked in each line (400)")
    parser.add_argument("--texts", type=int, default=1536, help="of the sample, read in each line (1536)")
    parser.add_argument("--part", type=int, default=TEXTS_A_PART, help=f"texts read at a time ({TEXTS_A_PART})")
    parser.add_argument("--shapes", nargs="+", choices=SHAPES, help="measure the cost of a question instead")
    parser.add_argument("--questions", type=int, default=40, help="asked of each shape (40)")
    parser.add_argument("--students", type=int, default=10_000)
    parser.add_argument(
        "--pause", type=float, default=10, help="seconds from one sentence of a student to the next (10)"
    )
    parser.add_argument("--corpus", type=int, default=10_000_000, help="sentences of a large corpus")
    asked = parser.parse_args()
    torch.set_num_threads(1)
    if asked.shapes:
        costs_of_questions(asked.shapes, asked.questions)
        return
    say(f"{asked.model}\n\n{HEAD}\n{'| --- ' * 6}|")
    lines = [here(asked.model, asked.sentences, asked.texts, asked.part)]
    say(str(lines[0]))
    with growing_cluster() as grow:
        for workers in sorted(asked.workers):
            grow(workers)
            lines.append(there(asked.model, workers, asked.sentences, asked.texts, asked.part))
            say(str(lines[-1]))
    say(arithmetic(lines[-1], students=asked.students, pause=asked.pause, corpus=asked.corpus))


def arithmetic(line: Line, *, students: int, pause: float, corpus: int) -> str:
    """What a line comes to: cores for students who each send a sentence every `pause` seconds, hours for a corpus."""
    of_one, texts = line.sentences / line.workers, line.texts / line.workers
    needed = students / pause
    cores = needed / of_one / (1 - FREE)
    hours = corpus / texts / 3600
    return (
        f"\n{students:,} students, a sentence every {pause:g} s each: {needed:,.0f} sentences a second, {of_one:.1f} a "
        f"core: {cores:,.0f} cores, a third of them free\n"
        f"{corpus:,} sentences of a corpus, {texts:.1f} a second and core: {hours:,.0f} core-hours, "
        f"{hours / 100:,.1f} hours of 100 cores"
    )


def here(name: str, n_sentences: int, n_texts: int, part: int) -> Line:
    """This process alone, one question after the other."""
    started = time.perf_counter()
    model = open_model(name, device="cpu")
    opened = time.perf_counter() - started
    rate, wait = asked_by(1, model, n_sentences)
    texts, _ = read(lambda tell: over_parts(ATLAS, name, sentences(n_texts), n_texts=part, progress=tell), n_texts)
    return Line(workers=0, sentences=rate, wait=wait, texts=texts, start=opened, megabytes=_memory_of("self"))


def there(name: str, workers: int, n_sentences: int, n_texts: int, part: int) -> Line:
    """The cluster, with so many workers."""
    from ray import serve

    from models.engine.ray.cluster import deploy
    from models.engine.ray.corpus import over_machines

    deploy(least=workers, most=workers)
    os.environ[SETTING] = RAY
    model = open_model(name)
    asked_by(READERS_A_WORKER * workers, model, 16 * workers)  # all of them open the model
    rate, wait = asked_by(READERS_A_WORKER * workers, model, n_sentences)
    megabytes = max(map(_memory_of, _replicas()))
    serve.shutdown()
    texts, start = read(
        lambda tell: over_machines(ATLAS, name, sentences(n_texts), workers=workers, n_texts=part, progress=tell),
        n_texts,
    )
    return Line(workers=workers, sentences=rate, wait=wait, texts=texts, start=start, megabytes=megabytes)


def costs_of_questions(shapes: Sequence[str], n: int) -> None:
    """Write a table of what a question costs beside the model's own time, one replica, one question at a time."""
    from models.engine.ray.cluster import deploy
    from models.engine.ray.model import RayModel

    say("| model | here ms | by a replica ms | more ms |\n| --- | --- | --- | --- |")
    with growing_cluster() as grow, TemporaryDirectory() as folder:
        grow(1)
        for shape in shapes:
            name = SHAPES[shape](Path(folder) / shape)
            dtype = "bfloat16" if shape == "1b" else FLOAT32
            deploy(dtype=dtype)
            waits = waits_of((load(name, device="cpu", dtype=dtype), RayModel(name)), n)
            here, there = map(median, zip(*waits, strict=True))
            more = median(there - here for here, there in waits)
            say(f"| {shape} | {1e3 * here:.1f} | {1e3 * there:.1f} | {1e3 * more:.1f} |")


def waits_of(models: Sequence[Model], n: int) -> list[list[float]]:
    """Return the seconds that each model takes for each sentence but the first few, in turn: all are slowed alike."""
    waits = [[seconds_of(partial(model.record, sentence)) for model in models] for sentence in sentences(n + WARM)]
    return waits[WARM:]


def seconds_of(work: Callable[[], object]) -> float:
    """Return how long some work takes."""
    started = time.perf_counter()
    work()
    return time.perf_counter() - started


def bert_base(folder: Path) -> str:
    """Save a BERT-base with random weights and the tokenizer of headlight-bert."""
    BertForMaskedLM(BertConfig()).save_pretrained(folder)
    return with_tokenizer(folder, "headlight-bert")


def one_billion(folder: Path) -> str:
    """Save a Llama of 1.0 billion parameters with random weights in bfloat16 and the tokenizer of mini-llama."""
    config = LlamaConfig(
        vocab_size=32_000,
        hidden_size=2048,
        intermediate_size=7168,
        num_hidden_layers=16,
        num_attention_heads=32,
        num_key_value_heads=8,
    )
    model = LlamaForCausalLM(config)
    nn.Module.to(model, torch.bfloat16)
    model.save_pretrained(folder)
    return with_tokenizer(folder, "mini-llama")


def with_tokenizer(folder: Path, name: str) -> str:
    """Copy the tokenizer of an embedded model."""
    for file in (ROOT / PRETRAINED / name).glob("tokenizer*.json"):
        copy(file, folder)
    return str(folder)


SHAPES: dict[str, Callable[[Path], str]] = {
    "headlight-bert": lambda _: "headlight-bert",
    "bert-base": bert_base,
    "1b": one_billion,
}
"""Functions that save a model in a folder and return what to open it by."""


def sentences(n: int) -> tuple[str, ...]:
    """So many sentences of the sample, from its beginning again where it ends."""
    return tuple(islice(cycle(sample_texts()), n))


def asked_by(readers: int, model: Model, n: int) -> tuple[float, float]:
    """(sentences a second, median wait in seconds) of readers who have each sent the next sentence at once."""
    waits: list[float] = []
    waiting, lock = iter(sentences(n)), threading.Lock()

    def reader() -> None:
        while True:
            with lock:
                text = next(waiting, None)
            if text is None:
                return
            waits.append(seconds_of(partial(model.record, text)))

    started = time.perf_counter()
    with ThreadPoolExecutor(readers) as threads:
        for each in [threads.submit(reader) for _ in range(readers)]:
            each.result()
    return n / (time.perf_counter() - started), median(waits)


def read(work: Callable[[Callable[[int], None]], Any], n_texts: int) -> tuple[float, float]:
    """(texts a second from the first part to the last, seconds until that was there)."""
    told: list[tuple[int, float]] = []
    started = time.perf_counter()
    work(lambda n_read: told.append((n_read, time.perf_counter())))
    (n_first, first), (_, last) = told[0], told[-1]
    return (n_texts - n_first) / (last - first) if last > first else float("nan"), first - started


@contextmanager
def growing_cluster() -> Iterator[Callable[[int], None]]:
    """A cluster of this machine that grows to so many nodes of one processor each."""
    import ray
    from ray.cluster_utils import Cluster

    from models.engine.ray.cluster import connect

    for name, value in SETTINGS.items():
        os.environ.setdefault(name, value)
    head = {"num_cpus": 0, "include_dashboard": False, "object_store_memory": 512 * MEGABYTE}
    cluster = Cluster(initialize_head=True, head_node_args=head)
    connect(cluster.address)

    def grow(n: int) -> None:
        while len(cluster.worker_nodes) < n:
            cluster.add_node(num_cpus=1, object_store_memory=256 * MEGABYTE)

    try:
        yield grow
    finally:
        ray.shutdown()
        cluster.shutdown()


def _replicas() -> list[str]:
    """The processes of the replicas on this machine, by their numbers."""
    found = []
    for path in Path("/proc").glob("[0-9]*/cmdline"):
        with suppress(OSError):  # one that has ended meanwhile
            if path.read_bytes().startswith(b"ray::ServeReplica"):
                found.append(path.parent.name)
    return found


def _memory_of(process: str) -> float:
    """Megabytes that a process has in memory, what it shares with others included."""
    status = Path(f"/proc/{process}/status").read_text(encoding="ascii")
    lines = dict(line.split(":", 1) for line in status.splitlines() if ":" in line)
    return float(lines["VmRSS"].split()[0]) / 1024


if __name__ == "__main__":
    main()
