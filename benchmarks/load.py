"""Many readers at once: how long each waits for a new sentence, for another head, for another page.

    python -m benchmarks.load --readers 1 10 60 150 --seconds 60
    python -m benchmarks.load --readers 1 60 --seconds 60 --after-every-run
    python -m benchmarks.load --readers 60 150 --workers 1 2
    python -m benchmarks.load --readers 60 --every-page
    python -m benchmarks.load --readers 300 --acting 60

Readers are websocket clients without a browser: each opens a page, then sends a new sentence every three seconds, or as
soon as the one before has come. A wait goes from sending to the last byte of the overview of all heads. Readers and
server share this machine. With --after-every-run garbage is collected as Streamlit does it by itself, after every run.
With --workers the app is served as `python run.py serve` does it, by so many processes behind a proxy (0: alone). With
--every-page readers walk through all pages that read a sentence: a sentence, another layer, the next page; a wait ends
with the run of the page, or with the overview where one has changed. With --acting so many of the readers do something;
the others keep a page open.
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
from contextlib import AsyncExitStack, contextmanager, suppress
from pathlib import Path
from statistics import median, quantiles

import httpx2
import websockets
from streamlit.proto.Alert_pb2 import Alert
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


PAGES = (
    "attention", "switchboard", "queries_keys_values", "step_by_step", "masked_words", "next_sentence", "explanations",
    "bert_and_gpt",
)  # fmt: skip
"""Those that read a sentence with the model that opens first."""
LAYERS = 3
"""A reader turns to one of the first layers, which every embedded model has."""


class Reader:
    """One reader's websocket, and what is on the page that it must know to fill in the form."""

    def __init__(self, socket: websockets.ClientConnection, client: httpx2.AsyncClient, number: int) -> None:
        self._socket, self._client = socket, client
        self._field = self._button = self._base = self._slider = ""
        self._page = number % len(PAGES)
        self._layers: list[str] = []
        self._turned = 0
        self.n_errors = 0
        self._random = random.Random(f"{SEED}/{number}")
        self._number = number

    @property
    def base(self) -> str:
        """Where the numbers of the recording are that the page shows."""
        return self._base

    async def open(self) -> None:
        """Open the Attention page and wait for its overview."""
        await self._run("attention", BackMsg(), to_overview=True)

    async def send_sentence(self) -> float:
        """Send a sentence that nobody has read; gives the seconds until the last byte of its overview."""
        return await self._run("attention", self._sentence(f"{self._words(12)}."), to_overview=True)

    async def walk(self) -> dict[str, float]:
        """A sentence, another layer, the next page; the seconds of each that this page has."""
        page, waits = PAGES[self._page], {}
        if self._field:
            waits["a sentence"] = await self._run(page, self._sentence(f"{self._words(8)} [MASK]."))
        if self._slider:
            waits["another layer"] = await self._run(page, self._layer())
        self._page = (self._page + 1) % len(PAGES)
        self._field = self._button = self._slider = ""
        waits["another page"] = await self._run(PAGES[self._page], BackMsg())
        return waits

    async def open_first(self) -> None:
        """Open the page that this reader begins with."""
        await self._run(PAGES[self._page], BackMsg())

    def _words(self, n: int) -> str:
        return f"{self._number} {' '.join(self._random.choices(WORDS, k=n))}"

    def _sentence(self, text: str) -> BackMsg:
        asked = BackMsg()
        asked.rerun_script.widget_states.widgets.add(id=self._field).string_value = text
        asked.rerun_script.widget_states.widgets.add(id=self._button).trigger_value = True
        return asked

    def _layer(self) -> BackMsg:
        asked, self._turned = BackMsg(), (self._turned + 1) % LAYERS
        turned = asked.rerun_script.widget_states.widgets.add(id=self._slider)
        turned.string_array_value.data.append(self._layers[self._turned])
        return asked

    async def _run(self, page: str, asked: BackMsg, *, to_overview: bool = False) -> float:
        """The seconds until a page has run, and until the last byte of a changed overview; `to_overview` waits for one
        that has."""
        begun, before = time.perf_counter(), self._base
        asked.rerun_script.page_name = page
        await self._socket.send(asked.SerializeToString())
        while True:
            told = ForwardMsg()
            told.ParseFromString(await self._socket.recv())
            self._hear(told)
            if told.WhichOneof("type") == "script_finished" and (self._base != before or not to_overview):
                break
        if self._base != before:
            answer = await self._client.get(f"{self._base}/overview")
            answer.raise_for_status()
        return time.perf_counter() - begun

    def _hear(self, told: ForwardMsg) -> None:
        element = told.delta.new_element
        if element.HasField("exception") or element.alert.format == Alert.ERROR:
            self.n_errors += 1
        if element.text_input.label == "Sentence A":
            self._field = element.text_input.id
        elif element.slider.label == "Layer":
            self._slider, self._layers = element.slider.id, list(element.slider.options)
        elif element.button.label == "Show":
            self._button = element.button.id
        elif element.bidi_component.component_name == "headlight_viewer":
            self._base = json.loads(element.bidi_component.json)["base"]


async def waits_of(address: str, *, n_readers: int, seconds: float, acting: int = 0) -> list[float]:
    """The seconds of every wait for a sentence of so many readers, who begin one after the other within a pause; of
    all readers, unless it is said how many are acting."""
    async with AsyncExitStack() as stack:
        readers = [await entered(stack, address, number) for number in range(n_readers)]
        for reader in readers:
            await reader.open()
        begun, acting = time.monotonic(), acting or n_readers
        tasks = [
            _reads(reader, first=begun + PAUSE * place / acting, until=begun + seconds)
            for place, reader in enumerate(readers[:acting])
        ]
        found = await asyncio.wait_for(asyncio.gather(*tasks), seconds + LONGEST)
    return list(itertools.chain.from_iterable(found))


async def waits_of_walks(address: str, *, n_readers: int, seconds: float) -> tuple[dict[str, list[float]], int]:
    """The seconds of every wait by what was done, of readers who walk through all pages; and how many errors there
    were."""
    async with AsyncExitStack() as stack:
        readers = [await entered(stack, address, number) for number in range(n_readers)]
        for reader in readers:
            await reader.open_first()
        begun = time.monotonic()
        found = await asyncio.gather(
            *(
                _walks(reader, first=begun + PAUSE * place / n_readers, until=begun + seconds)
                for place, reader in enumerate(readers)
            )
        )
        errors = sum(reader.n_errors for reader in readers)
    waits: dict[str, list[float]] = {}
    for walk in itertools.chain.from_iterable(found):
        for name, wait in walk.items():
            waits.setdefault(name, []).append(wait)
    return waits, errors


async def entered(stack: AsyncExitStack, address: str, number: int) -> Reader:
    """A reader who has reached the server, until the stack ends."""
    client = await stack.enter_async_context(httpx2.AsyncClient(base_url=address, timeout=LONGEST))
    await client.get("/")  # a proxy says which worker it is to be
    socket = await stack.enter_async_context(_connected(address, client.cookies))
    return Reader(socket, client, number)


async def _walks(reader: Reader, *, first: float, until: float) -> list[dict[str, float]]:
    """A walk has three steps, so one begins every third pause."""
    walks = []
    for due in itertools.takewhile(lambda due: due < until, itertools.count(first, 3 * PAUSE)):
        await asyncio.sleep(max(0.0, due - time.monotonic()))
        if time.monotonic() > until:
            break
        walks.append(await reader.walk())
    return walks


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
    parser.add_argument("--acting", type=int, default=0, help="how many of the readers do something; 0: all")
    parser.add_argument("--every-page", action="store_true", help="walk through all pages")
    parser.add_argument("--workers", type=int, nargs="+", default=[0], help="processes behind a proxy; 0: none")
    arguments = parser.parse_args()
    os.environ["STREAMLIT_RUNNER_POST_SCRIPT_GC"] = str(arguments.after_every_run).lower()
    for workers in arguments.workers:
        with served_by(workers) if workers else running_app() as address:
            asyncio.run(waits_of(address, n_readers=2 * workers or 1, seconds=PAUSE))  # the model opens
            for n_readers in arguments.readers:
                who = f"{workers} workers, {n_readers:>4} readers" if workers else f"{n_readers:>4} readers"
                if arguments.every_page:
                    walks, errors = asyncio.run(waits_of_walks(address, n_readers=n_readers, seconds=arguments.seconds))
                    for name, waits in walks.items():
                        _say(f"{who}, {name}", waits, arguments.seconds)
                    sys.stdout.write(f"{who}: {errors} errors, {resident() / 1e6:,.0f} MB\n")
                    continue
                acting = min(arguments.acting, n_readers)
                waits = asyncio.run(waits_of(address, n_readers=n_readers, seconds=arguments.seconds, acting=acting))
                _say(who, waits, arguments.seconds)
                sys.stdout.write(f"{who}: {resident() / 1e6:,.0f} MB\n")


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
