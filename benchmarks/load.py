"""Many readers of the Attention page at once: how long each waits for a new sentence.

    python -m benchmarks.load --readers 1 10 60 150 --seconds 60
    python -m benchmarks.load --readers 1 60 --seconds 60 --after-every-run
    python -m benchmarks.load --readers 60 150 --workers 1 2

Readers are websocket clients without a browser: each opens the page, then sends a new sentence every three seconds, or
as soon as the one before has come. A wait goes from sending to the last byte of the overview of all heads. Readers and
server share this machine. With --after-every-run garbage is collected as Streamlit does it by itself, after every run.
With --workers the app is served as `python run.py serve` does it, by so many processes behind a proxy (0: alone).
"""

from __future__ import annotations

import argparse
import asyncio
import itertools
import json
import os
import random
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import AsyncExitStack, contextmanager
from statistics import median, quantiles

import httpx2
import websockets
from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg

from serving.workers import free_ports
from tests.browser.server import running_app

PAUSE = 3.0
"""Seconds from one sentence of a reader to the next."""
LONGEST = 300.0
"""Seconds after which nothing comes any more."""
SEED = 0
WORDS = (
    "apple", "bridge", "cellar", "doctor", "engine", "forest", "garden", "harbour", "island", "jacket", "kitchen",
    "ladder", "market", "needle", "orchard", "palace", "quarry", "river", "school", "temple", "uncle", "village",
    "window", "yard",
)  # fmt: skip


class Reader:
    """One reader's websocket, and what is on the page that it must know to fill in the form."""

    def __init__(self, socket: websockets.ClientConnection, client: httpx2.AsyncClient, number: int) -> None:
        self._socket, self._client = socket, client
        self._field = self._button = self._base = ""
        self._random = random.Random(f"{SEED}/{number}")
        self._number = number

    async def open(self) -> None:
        """Open the page and wait for its overview."""
        asked = BackMsg()
        asked.rerun_script.page_name = "attention"
        await self._ask(asked)

    async def send_sentence(self) -> float:
        """Send a sentence that nobody has read; gives the seconds until the last byte of its overview."""
        begun = time.perf_counter()
        asked = BackMsg()
        text = asked.rerun_script.widget_states.widgets.add(id=self._field)
        text.string_value = f"{self._number} {' '.join(self._random.choices(WORDS, k=12))}."
        asked.rerun_script.widget_states.widgets.add(id=self._button).trigger_value = True
        asked.rerun_script.page_name = "attention"
        await self._ask(asked)
        return time.perf_counter() - begun

    async def _ask(self, asked: BackMsg) -> None:
        before = self._base
        await self._socket.send(asked.SerializeToString())
        while True:
            told = ForwardMsg()
            told.ParseFromString(await self._socket.recv())
            self._hear(told)
            if told.WhichOneof("type") == "script_finished" and self._base != before:
                break
        answer = await self._client.get(f"{self._base}/overview")
        answer.raise_for_status()

    def _hear(self, told: ForwardMsg) -> None:
        element = told.delta.new_element
        if element.text_input.label == "Sentence A":
            self._field = element.text_input.id
        elif element.button.label == "Show":
            self._button = element.button.id
        elif element.bidi_component.component_name == "headlight_viewer":
            self._base = json.loads(element.bidi_component.json)["base"]


async def waits_of(address: str, *, n_readers: int, seconds: float) -> list[float]:
    """The seconds of every wait of so many readers, who begin one after the other within a pause."""
    async with AsyncExitStack() as stack:
        readers = []
        for number in range(n_readers):
            client = await stack.enter_async_context(httpx2.AsyncClient(base_url=address, timeout=LONGEST))
            await client.get("/")  # a proxy says which worker it is to be
            socket = await stack.enter_async_context(_connected(address, client.cookies))
            readers.append(Reader(socket, client, number))
            await readers[-1].open()
        begun = time.monotonic()
        tasks = [
            _reads(reader, first=begun + PAUSE * place / n_readers, until=begun + seconds)
            for place, reader in enumerate(readers)
        ]
        found = await asyncio.wait_for(asyncio.gather(*tasks), seconds + LONGEST)
    return list(itertools.chain.from_iterable(found))


def _connected(address: str, cookies: httpx2.Cookies) -> websockets.connect:
    socket = address.replace("http", "ws", 1) + "/_stcore/stream"
    told = {"Cookie": "; ".join(f"{name}={value}" for name, value in cookies.items())} if cookies else None
    return websockets.connect(
        socket,
        subprotocols=["streamlit"],
        max_size=None,
        origin=address,
        additional_headers=told,  # type: ignore[list-item]
    )


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
    parser.add_argument("--workers", type=int, nargs="+", default=[0], help="processes behind a proxy; 0: none")
    arguments = parser.parse_args()
    os.environ["STREAMLIT_RUNNER_POST_SCRIPT_GC"] = str(arguments.after_every_run).lower()
    for workers in arguments.workers:
        with served_by(workers) if workers else running_app() as address:
            asyncio.run(waits_of(address, n_readers=2 * workers or 1, seconds=PAUSE))  # the model opens
            for n_readers in arguments.readers:
                waits = asyncio.run(waits_of(address, n_readers=n_readers, seconds=arguments.seconds))
                _say(workers, n_readers, waits, arguments.seconds)


def _say(workers: int, n_readers: int, waits: list[float], seconds: float) -> None:
    p95 = quantiles(waits, n=20)[-1] if len(waits) > 1 else waits[0]
    by = f"{workers} workers, " if workers else ""
    sys.stdout.write(
        f"{by}{n_readers:>4} readers: median {median(waits):.2f} s   p95 {p95:.2f} s   slowest {max(waits):.2f} s"
        f"   of {len(waits)} sentences, {len(waits) / seconds:.1f} a second\n"
    )
    sys.stdout.flush()


@contextmanager
def served_by(workers: int) -> Iterator[str]:
    """The app in so many processes behind a proxy; its address, once all of them answer."""
    with free_ports(1) as (port,):
        address = f"http://localhost:{port}"
    command = [sys.executable, "-m", "serving", "--workers", str(workers), "--port", str(port), "--drain", "0"]
    with tempfile.TemporaryDirectory() as trainings:
        process = subprocess.Popen(
            command, env=os.environ | {"HEADLIGHT_LAB_RUNS": trainings}, stdout=subprocess.DEVNULL
        )
        try:
            end = time.monotonic() + LONGEST
            while _n_well(address) < workers and time.monotonic() < end and process.poll() is None:
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


if __name__ == "__main__":
    main()
