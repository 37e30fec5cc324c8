"""Many readers of the Attention page at once: how long each waits for a new sentence.

    python -m benchmarks.load --readers 1 10 60 150 --seconds 60
    python -m benchmarks.load --readers 1 60 --seconds 60 --after-every-run

Readers are websocket clients without a browser: each opens the page, then sends a new sentence every three seconds, or
as soon as the one before has come. A wait goes from sending to the last byte of the overview of all heads. Readers and
server share this machine. With --after-every-run garbage is collected as Streamlit does it by itself, after every run.
"""

from __future__ import annotations

import argparse
import asyncio
import itertools
import json
import os
import random
import sys
import time
from collections.abc import Iterator
from contextlib import AsyncExitStack
from statistics import median, quantiles

import httpx2
import websockets
from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg

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
        client = await stack.enter_async_context(httpx2.AsyncClient(base_url=address, timeout=LONGEST))
        readers = []
        for number in range(n_readers):
            socket = await stack.enter_async_context(_connected(address))
            readers.append(Reader(socket, client, number))
            await readers[-1].open()
        begun = time.monotonic()
        tasks = [
            _reads(reader, first=begun + PAUSE * place / n_readers, until=begun + seconds)
            for place, reader in enumerate(readers)
        ]
        found = await asyncio.wait_for(asyncio.gather(*tasks), seconds + LONGEST)
    return list(itertools.chain.from_iterable(found))


def _connected(address: str) -> websockets.connect:
    socket = address.replace("http", "ws", 1) + "/_stcore/stream"
    return websockets.connect(socket, subprotocols=["streamlit"], max_size=None, origin=address)  # type: ignore[list-item]


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
    arguments = parser.parse_args()
    os.environ["STREAMLIT_RUNNER_POST_SCRIPT_GC"] = str(arguments.after_every_run).lower()
    with running_app() as address:
        asyncio.run(waits_of(address, n_readers=1, seconds=PAUSE))  # the model opens
        for n_readers in arguments.readers:
            waits = asyncio.run(waits_of(address, n_readers=n_readers, seconds=arguments.seconds))
            p95 = quantiles(waits, n=20)[-1] if len(waits) > 1 else waits[0]
            sys.stdout.write(
                f"{n_readers:>4} readers: median {median(waits):.2f} s   p95 {p95:.2f} s   slowest {max(waits):.2f} s"
                f"   of {len(waits)} sentences, {len(waits) / arguments.seconds:.1f} a second\n"
            )
            sys.stdout.flush()


if __name__ == "__main__":
    main()
