"""Many readers at once: how long each waits for a new sentence, for another head, for another page.

    python -m benchmarks.load --readers 1 10 60 150 --seconds 60
    python -m benchmarks.load --readers 1 60 --seconds 60 --after-every-run
    python -m benchmarks.load --readers 60 150 --workers 1 2
    python -m benchmarks.load --readers 60 --every-page
    python -m benchmarks.load --readers 300 --acting 60
    python -m benchmarks.bert_base FOLDER
    python -m benchmarks.load --readers 30 --workers 2 --model FOLDER

Readers are websocket clients without a browser: each opens a page, then sends a new sentence every three seconds, or as
soon as the one before has come. A wait goes from sending to the last byte of the overview of all heads. Readers and
server share this machine. With --after-every-run garbage is collected as Streamlit does it by itself, after every run.
With --workers the app is served as `python run.py serve` does it, by so many processes behind a proxy (0: alone). With
--every-page readers walk through all pages: a sentence and another layer where the page has them, the next page; a wait
ends with the run of the page, or with the overview where one has changed. With --acting so many of the readers do
something; the others keep a page open. With --model another model reads.
"""

from __future__ import annotations

import argparse
import asyncio
import importlib.util
import itertools
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Coroutine, Iterator
from contextlib import AsyncExitStack, contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from statistics import median, quantiles
from typing import Any, TypeVar

import httpx2

from benchmarks.load_reader import LONGEST, Reader, entered
from serving.workers import free_ports
from tests.browser.server import running_app

PAUSE = 3.0
"""Seconds from one sentence of a reader to the next."""


Result = TypeVar("Result")


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """Who reads, for how long, and what."""

    n_readers: int
    seconds: float
    acting: int = 0
    """How many of them do something; 0 for all."""
    group: str = ""
    """Another group reads other sentences."""
    model: str = ""
    """A name or a folder; empty for the model that opens first."""


Waits = dict[str, list[float]]
"""The seconds of every wait, by what was done."""


async def waits_of(address: str, asked: Asked) -> tuple[Waits, int]:
    """The waits for a new sentence of readers who begin one after the other within a pause; and how many errors they
    were shown."""
    async with AsyncExitStack() as stack:
        readers = await _entered(stack, address, asked)
        for reader in readers:
            await reader.open()
        begun, acting = time.monotonic(), asked.acting or asked.n_readers
        tasks = [
            _reads(reader, first=begun + PAUSE * place / acting, until=begun + asked.seconds)
            for place, reader in enumerate(readers[:acting])
        ]
        found = await asyncio.wait_for(asyncio.gather(*tasks), asked.seconds + LONGEST)
        return {"a sentence": [*itertools.chain.from_iterable(found)]}, sum(reader.n_errors for reader in readers)


async def waits_of_walks(address: str, asked: Asked) -> tuple[Waits, int]:
    """The waits of readers who walk through all pages; and how many errors they were shown."""
    async with AsyncExitStack() as stack:
        readers = await _entered(stack, address, asked)
        waits: Waits = {"the first page": [await reader.open_first() for reader in readers]}
        begun = time.monotonic()
        tasks = [
            _walks(reader, first=begun + PAUSE * place / asked.n_readers, until=begun + asked.seconds)
            for place, reader in enumerate(readers)
        ]
        found = await asyncio.wait_for(asyncio.gather(*tasks), asked.seconds + LONGEST)
        for name, wait in (each for walks in found for walk in walks for each in walk.items()):
            waits.setdefault(name, []).append(wait)
        return waits, sum(reader.n_errors for reader in readers)


async def model_that_reads(address: str, model: str) -> str:
    """The name of the model that answers readers who ask for one."""
    async with AsyncExitStack() as stack:
        reader = await entered(stack, address, 0, model=model)
        await reader.open()
        return await reader.model_shown()


async def _entered(stack: AsyncExitStack, address: str, asked: Asked) -> list[Reader]:
    return [
        await entered(stack, address, number, group=asked.group, model=asked.model) for number in range(asked.n_readers)
    ]


async def _walks(reader: Reader, *, first: float, until: float) -> list[dict[str, float]]:
    """A walk has three steps, so one begins every third pause."""
    walks = []
    for due in itertools.takewhile(lambda due: due < until, itertools.count(first, 3 * PAUSE)):
        await asyncio.sleep(max(0.0, due - time.monotonic()))
        if time.monotonic() > until:
            break
        walks.append(await reader.walk())
    return walks


async def _reads(reader: Reader, *, first: float, until: float) -> list[float]:
    waits = []
    for due in _times(first, until):
        await asyncio.sleep(max(0.0, due - time.monotonic()))
        if time.monotonic() > until:
            break
        waits.append(await reader.send_sentence())
    return waits


def _times(first: float, until: float) -> Iterator[float]:
    return itertools.takewhile(lambda due: due < until, itertools.count(first, PAUSE))


def main() -> None:
    """Read the command line, measure, write what the readers waited."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--readers", type=int, nargs="+", default=[1, 10, 60])
    parser.add_argument("--seconds", type=float, default=60.0, help="how long the readers send sentences")
    parser.add_argument("--after-every-run", action="store_true", help="collect garbage as Streamlit does it")
    parser.add_argument("--acting", type=int, default=0, help="how many of the readers do something; 0: all")
    parser.add_argument("--every-page", action="store_true", help="walk through all pages")
    parser.add_argument("--workers", type=int, nargs="+", default=[0], help="processes behind a proxy; 0: none")
    parser.add_argument("--model", default="", help="a name or a folder, in the place of the model that opens first")
    arguments = parser.parse_args()
    os.environ["STREAMLIT_RUNNER_POST_SCRIPT_GC"] = str(arguments.after_every_run).lower()
    for workers in arguments.workers:
        with served_by(workers) if workers else running_app() as address:
            first = Asked(n_readers=2 * workers or 1, seconds=PAUSE, group="first", model=arguments.model)
            run(waits_of(address, first))  # the model opens
            sys.stdout.write(f"read by {run(model_that_reads(address, arguments.model))}\n")
            for n_readers in arguments.readers:
                who = f"{workers} workers, {n_readers:>4} readers" if workers else f"{n_readers:>4} readers"
                asked = Asked(
                    n_readers=n_readers,
                    seconds=arguments.seconds,
                    acting=min(arguments.acting, n_readers),
                    group=who,
                    model=arguments.model,
                )
                measured = waits_of_walks if arguments.every_page else waits_of
                used, begun = time.process_time(), time.monotonic()
                waits, errors = run(measured(address, asked))
                used = (time.process_time() - used) / (time.monotonic() - begun)
                for name, each in waits.items():
                    _say(f"{who}, {name}", each, asked.seconds)
                sys.stdout.write(
                    f"{who}: {errors} errors, {resident() / 1e6:,.0f} MB, the readers alone {used:.2f} cores\n"
                )
                sys.stdout.flush()


def event_loop_factory() -> Callable[[], asyncio.AbstractEventLoop] | None:
    """Return uvloop's constructor, or None where it is not installed: it has no version for Windows."""
    if not importlib.util.find_spec("uvloop"):
        return None
    new_event_loop: Callable[[], asyncio.AbstractEventLoop] = importlib.import_module("uvloop").new_event_loop
    return new_event_loop


def run(coroutine: Coroutine[Any, Any, Result]) -> Result:
    """What a coroutine gives, on the event loop that takes the least of the cores that readers and server share."""
    with asyncio.Runner(loop_factory=event_loop_factory()) as runner:
        return runner.run(coroutine)


def _say(who: str, waits: list[float], seconds: float) -> None:
    p95 = quantiles(waits, n=20)[-1] if len(waits) > 1 else waits[0]
    sys.stdout.write(
        f"{who}: median {median(waits):.2f} s   p95 {p95:.2f} s   slowest {max(waits):.2f} s"
        f"   of {len(waits)}, {len(waits) / seconds:.1f} a second\n"
    )
    sys.stdout.flush()


def resident() -> int:
    """The bytes that the processes of the app have in memory, all that this one has started; 0 where no /proc says."""
    parents, sizes = {}, {}
    for status in Path("/proc").glob("[0-9]*/status"):
        with suppress(OSError, ValueError):
            told = dict(line.split(":", 1) for line in status.read_text(encoding="utf-8").splitlines() if ":" in line)
            process = int(status.parent.name)
            parents[process], sizes[process] = int(told["PPid"]), 1024 * int(told.get("VmRSS", "0").split()[0])
    ours, found = {os.getpid()}, 0
    while ours:
        ours = {process for process, parent in parents.items() if parent in ours}
        found += sum(sizes[process] for process in ours)
    return found


@contextmanager
def served_by(workers: int) -> Iterator[str]:
    """The app in so many processes behind a proxy; its address, once all of them answer, and the proxy knows it."""
    with free_ports(1) as (port,):
        address = f"http://localhost:{port}"
    command = [sys.executable, "-m", "serving", "--workers", str(workers), "--port", str(port), "--drain", "0"]
    with tempfile.TemporaryDirectory() as trainings:
        process = subprocess.Popen(
            command, env=os.environ | {"HEADLIGHT_LAB_RUNS": trainings}, stdout=subprocess.DEVNULL
        )
        try:
            end = time.monotonic() + LONGEST
            while time.monotonic() < end and process.poll() is None:
                if _n_well(address) >= workers and _lets_in(address):
                    break
                time.sleep(0.2)
            yield address
        finally:
            process.terminate()
            process.wait()


def _n_well(address: str) -> int:
    try:
        return int(httpx2.get(f"{address}/headlight/health").json()["well"])
    except (httpx2.HTTPError, ValueError):
        return 0


def _lets_in(address: str) -> bool:
    """Whether the proxy hands a visitor on: it looks at its workers once a second, and at first finds them down."""
    try:
        return bool(httpx2.get(f"{address}/_stcore/health").is_success)
    except httpx2.HTTPError:
        return False


if __name__ == "__main__":
    main()
