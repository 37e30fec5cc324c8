"""The Ray engine on a cluster of this machine: sentences a second, waits, texts of a corpus a second, and their cost.

    python -m benchmarks.ray_engine --workers 1 2 --sentences 400 --texts 400

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
import sys
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from itertools import cycle, islice
from pathlib import Path
from statistics import median
from typing import Any

import torch

from models.analysis.over_texts.corpus import sample_texts
from models.engine.corpus import ATLAS, over_parts
from models.engine.setting import RAY, SETTING, open_model
from models.model import Model

READERS_A_WORKER = 4
FREE = 1 / 3
"""Of the processors for readers."""
MEGABYTE = 1024 * 1024
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
    parser.add_argument("--texts", type=int, default=400, help="of the sample, read in each line (400)")
    parser.add_argument("--students", type=int, default=10_000)
    parser.add_argument(
        "--pause", type=float, default=10, help="seconds from one sentence of a student to the next (10)"
    )
    parser.add_argument("--corpus", type=int, default=10_000_000, help="sentences of a large corpus")
    asked = parser.parse_args()
    torch.set_num_threads(1)
    _say(f"{asked.model}\n\n{HEAD}\n{'| --- ' * 6}|")
    lines = [here(asked.model, asked.sentences, asked.texts)]
    _say(str(lines[0]))
    with growing_cluster() as grow:
        for workers in sorted(asked.workers):
            grow(workers)
            lines.append(there(asked.model, workers, asked.sentences, asked.texts))
            _say(str(lines[-1]))
    _say(arithmetic(lines[-1], students=asked.students, pause=asked.pause, corpus=asked.corpus))


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


def here(name: str, n_sentences: int, n_texts: int) -> Line:
    """This process alone, one question after the other."""
    started = time.perf_counter()
    model = open_model(name, device="cpu")
    opened = time.perf_counter() - started
    rate, wait = asked_by(1, model, n_sentences)
    texts, _ = read(lambda tell: over_parts(ATLAS, name, sentences(n_texts), n_texts=16, progress=tell), n_texts)
    return Line(workers=0, sentences=rate, wait=wait, texts=texts, start=opened, megabytes=_memory_of("self"))


def there(name: str, workers: int, n_sentences: int, n_texts: int) -> Line:
    """The cluster, with so many workers."""
    from ray import serve

    from models.engine.ray_cluster import deploy
    from models.engine.ray_corpus import over_machines

    deploy(least=workers, most=workers)
    os.environ[SETTING] = RAY
    model = open_model(name)
    asked_by(READERS_A_WORKER * workers, model, 16 * workers)  # all of them open the model
    rate, wait = asked_by(READERS_A_WORKER * workers, model, n_sentences)
    megabytes = max(map(_memory_of, _replicas()))
    serve.shutdown()
    texts, start = read(
        lambda tell: over_machines(ATLAS, name, sentences(n_texts), workers=workers, n_texts=16, progress=tell), n_texts
    )
    return Line(workers=workers, sentences=rate, wait=wait, texts=texts, start=start, megabytes=megabytes)


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
            sent = time.perf_counter()
            model.record(text)
            waits.append(time.perf_counter() - sent)

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

    from models.engine.ray_cluster import connect

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


def _say(text: str) -> None:
    sys.stdout.write(text + "\n")
    sys.stdout.flush()


if __name__ == "__main__":
    main()
