"""A class: how long until what the teacher shows has reached every student, and until the picture can be drawn.

    python -m benchmarks.room --students 60 --views 40
    python -m benchmarks.room --students 60 --views 40 --new-sentences
    python -m benchmarks.room --students 30 --views 5 --pages

Students are websocket clients without a browser, all on this machine, as is the server. The teacher is another process
of the server: it writes a view into the shared file every second. The clock runs from there to the moment at which a
student has the message, and to the last byte of the numbers that the viewer then asks for (about, overview and head).
Every view is another head; with --new-sentences it is another sentence each time, which the model has to read. With
--pages, the students look at each page that Streamlit draws, another head for each view, and the clock runs until a
student has its last message; the first view of a page, which opens it, is not counted.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import tempfile
import time
from collections.abc import Mapping
from contextlib import AsyncExitStack
from dataclasses import dataclass, field, replace
from pathlib import Path
from statistics import median, quantiles
from typing import Any

import httpx2
import websockets
from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.ClientState_pb2 import ClientState
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from websockets.typing import Subprotocol

from tests.browser.server import running
from ui.shared.rooms import Rooms
from ui.state.addresses import to_address
from ui.state.choices import Selection

PAUSE = 1.0
"""Seconds from one view to the next."""
LONGEST = 60.0
N_LAYERS, N_HEADS = 6, 12
"""Of the model that opens by itself."""
STAGED = (
    *("head_atlas", "switchboard", "queries_keys_values", "step_by_step", "positions", "by_hand", "masked_words"),
    *("labels", "next_sentence", "translation", "bert_and_gpt", "what_attention_costs", "explanations", "lessons"),
)
"""The pages that the viewer does not draw alone."""


@dataclass(slots=True, kw_only=True)
class Waits:
    """Seconds from the showing of a view, of all students and views."""

    message: list[float] = field(default_factory=list)
    numbers: list[float] = field(default_factory=list)


class StudentClient:
    """One student: hears of views and fetches their numbers."""

    def __init__(self, socket: websockets.ClientConnection, client: httpx2.AsyncClient, waits: Waits) -> None:
        self._socket, self._client, self._waits = socket, client, waits
        self._known = ""

    async def follow(self, shown: Mapping[int, float], last: int) -> None:
        """Follow until the last view; `shown` says when each was, by its number."""
        number, fetching = 0, []
        while number < last:
            said = json.loads(await self._socket.recv())
            view = said.get("view")
            if view and view["number"] in shown:
                number = view["number"]
                self._waits.message.append(time.perf_counter() - shown[number])
                fetching.append(asyncio.create_task(self._draw(view["viewer"], shown[number])))
        await asyncio.gather(*fetching)

    async def _draw(self, drawn: dict[str, Any], since: float) -> None:
        if await self._fetch(drawn):
            self._waits.numbers.append(time.perf_counter() - since)

    async def _fetch(self, drawn: dict[str, Any]) -> bool:
        """What the viewer asks for; False where the teacher has gone on to another sentence meanwhile."""
        choices = drawn["choices"]
        paths = [f"head?kind=encoder&layer={choices['layer']}&head={choices['head']}"]
        if drawn["id"] != self._known:
            paths += ["about", "overview?kind=encoder"]
            self._known = drawn["id"]
        answers = await asyncio.gather(*(self._client.get(f"{drawn['base']}/{path}") for path in paths))
        return all(answer.status_code == 200 for answer in answers)


def view_of(number: int, *, is_new: bool) -> dict[str, str]:
    """The choices of a view: always another head, and another sentence if `is_new`."""
    selection = Selection(layer=number % N_LAYERS, head=number % N_HEADS)
    if is_new:
        text = f"The animal didn't cross street {number} because it was too tired."
        selection = replace(selection, text=text)
    return to_address(selection)


async def measure(address: str, rooms: Rooms, *, n_students: int, n_views: int, is_new: bool) -> Waits:
    """Show so many views to so many students."""
    letters, key = rooms.open()
    waits, shown = Waits(), dict[int, float]()
    async with AsyncExitStack() as stack:
        students = []
        for _ in range(n_students):
            client = await stack.enter_async_context(httpx2.AsyncClient(base_url=address, timeout=LONGEST))
            path = address.replace("http", "ws", 1) + f"/headlight/rooms/{letters}/socket"
            cookie = (await client.get(f"/headlight/room/{letters}")).headers["set-cookie"].partition(";")[0]
            line = websockets.connect(path, max_size=None, additional_headers={"Cookie": cookie})
            socket = await stack.enter_async_context(line)
            await socket.send(json.dumps({"role": "student"}))
            students.append(StudentClient(socket, client, waits))
        rooms.show(letters, key, page="attention", choices=view_of(0, is_new=False))  # the model is opened
        async with httpx2.AsyncClient(base_url=address, timeout=LONGEST) as client:
            message = json.loads(await _first_view(address, letters))
            (await client.get(f"{message['view']['viewer']['base']}/about")).raise_for_status()
        following = [asyncio.create_task(each.follow(shown, n_views + 1)) for each in students]
        for number in range(1, n_views + 1):
            shown[number + 1] = time.perf_counter()
            await asyncio.to_thread(rooms.show, letters, key, page="attention", choices=view_of(number, is_new=is_new))
            await asyncio.sleep(PAUSE)
        await asyncio.wait_for(asyncio.gather(*following), LONGEST)
    return waits


async def measure_pages(address: str, rooms: Rooms, *, n_students: int, n_views: int) -> dict[str, list[float]]:
    """Show so many views of each page to so many students with telephones; the seconds until each has all of it."""
    letters, key = rooms.open()
    waits: dict[str, list[float]] = {}
    async with AsyncExitStack() as stack:
        place = address.replace("http", "ws", 1) + f"/headlight/rooms/{letters}/stage/en/328/_stcore/stream"
        sockets = []
        for _ in range(n_students):
            line = websockets.connect(place, max_size=None, subprotocols=[Subprotocol("streamlit")])
            sockets.append(await stack.enter_async_context(line))
            await sockets[-1].send(BackMsg(rerun_script=ClientState()).SerializeToString())
        for page in STAGED:
            waits[page] = []
            for number in range(n_views + 1):
                begun = time.perf_counter()
                await asyncio.to_thread(rooms.show, letters, key, page=page, choices=view_of(number, is_new=False))
                ends = await asyncio.wait_for(asyncio.gather(*(_end_of_run(socket) for socket in sockets)), LONGEST)
                waits[page] += [end - begun for end in ends] if number else []
                await asyncio.sleep(PAUSE)
    return waits


async def _end_of_run(socket: websockets.ClientConnection) -> float:
    """The moment at which a student has the last message of a page."""
    while True:
        told = ForwardMsg()
        told.ParseFromString(await socket.recv())
        if told.WhichOneof("type") == "script_finished" and told.script_finished != told.FINISHED_EARLY_FOR_RERUN:
            return time.perf_counter()


async def _first_view(address: str, letters: str) -> str:
    """The first message that holds a view."""
    path = address.replace("http", "ws", 1) + f"/headlight/rooms/{letters}/socket"
    async with websockets.connect(path, max_size=None) as socket:
        await socket.send(json.dumps({"role": "projector"}))
        while True:
            said = str(await socket.recv())
            if '"view"' in said:
                return said


def said(name: str, waits: list[float]) -> str:
    """A line of the table."""
    ends = quantiles(waits, n=20)[-1] if len(waits) > 1 else waits[0]
    return f"{name:<36} median {median(waits):.3f} s   p95 {ends:.3f} s   longest {max(waits):.3f} s   of {len(waits)}"


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--students", type=int, default=60)
    parser.add_argument("--views", type=int, default=40)
    parser.add_argument("--new-sentences", action="store_true")
    parser.add_argument("--pages", action="store_true")
    asked = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        place = Path(folder) / "shared.sqlite"
        changed = {"HEADLIGHT_SHARED": str(place), "HEADLIGHT_LAB_RUNS": folder, "OMP_NUM_THREADS": "1"}
        with running("app.py", log=Path(folder) / "log", environment=changed) as (_, address):
            rooms = Rooms(place)
            if asked.pages:
                counted = measure_pages(address, rooms, n_students=asked.students, n_views=asked.views)
                print_pages(asyncio.run(counted), asked.students)
                return
            waits = asyncio.run(
                measure(address, rooms, n_students=asked.students, n_views=asked.views, is_new=asked.new_sentences)
            )
    missed = asked.students * asked.views - len(waits.message)
    print(f"{asked.students} students, {asked.views} views, {os.cpu_count()} cores")
    print(said("until a student has the view", waits.message))
    print(said("until the numbers are there, too", waits.numbers))
    print(f"views that a student did not see, because the next had come: {missed}")


def print_pages(waits: Mapping[str, list[float]], n_students: int) -> None:
    """Print a line for each page, and one for all."""
    print(f"{n_students} students, {os.cpu_count()} cores")
    for page, seconds in waits.items():
        print(said(page, seconds))
    print(said("all pages", [wait for seconds in waits.values() for wait in seconds]))


if __name__ == "__main__":
    main()
