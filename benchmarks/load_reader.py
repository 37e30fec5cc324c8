"""One reader of the app without a browser: a websocket, and what of a page it must know to fill in the form."""

from __future__ import annotations

import json
import random
import time
from contextlib import AsyncExitStack
from urllib.parse import urlencode

import httpx2
import websockets
from streamlit.proto.Alert_pb2 import Alert
from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from websockets.typing import Origin, Subprotocol

LONGEST = 300.0
"""Seconds after which nothing comes any more."""
WORDS = (
    "apple",
    "bridge",
    "cellar",
    "doctor",
    "engine",
    "forest",
    "garden",
    "harbour",
    "island",
    "jacket",
    "kitchen",
    "ladder",
    "market",
    "needle",
    "orchard",
    "palace",
    "quarry",
    "river",
    "school",
    "temple",
    "uncle",
    "village",
    "window",
    "yard",
)
PAGES = (
    "attention",
    "switchboard",
    "queries_keys_values",
    "step_by_step",
    "masked_words",
    "next_sentence",
    "explanations",
    "bert_and_gpt",
    "",
    "positions",
    "labels",
    "head_atlas",
    "translation",
    "lessons",
    "training_lab",
    "class_room",
    "by_hand",
    "what_attention_costs",
    "make_a_lesson",
)
"""All of them; the first eight read a sentence with the model that opens first, and "" is Home."""
LAYERS = 3
"""A reader turns to one of the first layers, which every embedded model has."""


class Reader:
    """One reader's websocket, and what is on the page that it must know to fill in the form."""

    def __init__(
        self, socket: websockets.ClientConnection, client: httpx2.AsyncClient, number: int, *, group: str, model: str
    ) -> None:
        self._socket, self._client = socket, client
        self._field = self._button = self._base = self._slider = ""
        self._page = number % len(PAGES)
        self._layers: list[str] = []
        self._turned = 0
        self.n_errors = 0
        self._random = random.Random(f"{group}/{number}")
        self._number = number
        self._address = urlencode({"model": model}) if model else ""

    @property
    def base(self) -> str:
        """Where the numbers of the recording are that the page shows."""
        return self._base

    async def open(self) -> None:
        """Open the Attention page and wait for its overview."""
        await self._run("attention", BackMsg(), to_overview=True)

    async def model_shown(self) -> str:
        """The name of the model whose attention the page shows."""
        answer = await self._client.get(f"{self._base}/about")
        return str(answer.raise_for_status().json()["model"])

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

    async def open_first(self) -> float:
        """Open the page that this reader begins with; the seconds until it has run."""
        return await self._run(PAGES[self._page], BackMsg())

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
        asked.rerun_script.page_name, asked.rerun_script.query_string = page, self._address
        await self._socket.send(asked.SerializeToString())
        while True:
            told = ForwardMsg()
            told.ParseFromString(await self._socket.recv())
            self._hear(told)
            if _ends_run(told) and (self._base != before or not to_overview):
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


def _ends_run(told: ForwardMsg) -> bool:
    """Whether a page has run: a part that runs by itself ends otherwise, and so does what gives way to another run."""
    whole = (ForwardMsg.FINISHED_SUCCESSFULLY, ForwardMsg.FINISHED_WITH_COMPILE_ERROR)
    return told.WhichOneof("type") == "script_finished" and told.script_finished in whole


async def entered(stack: AsyncExitStack, address: str, number: int, *, group: str = "", model: str = "") -> Reader:
    """A reader who has reached the server, until the stack ends. Each of a group has sentences of its own, and another
    group has others: what the server has read before, it does not read again. `model` is read by in the place of the
    one that opens first."""
    client = await stack.enter_async_context(httpx2.AsyncClient(base_url=address, timeout=LONGEST))
    await client.get("/")  # a proxy says which worker it is to be
    socket = await stack.enter_async_context(_connected(address, client.cookies))
    return Reader(socket, client, number, group=group, model=model)


def _connected(address: str, cookies: httpx2.Cookies) -> websockets.connect:
    socket = address.replace("http", "ws", 1) + "/_stcore/stream"
    told = {"Cookie": "; ".join(f"{name}={value}" for name, value in cookies.items())} if cookies else None
    return websockets.connect(
        socket,
        subprotocols=[Subprotocol("streamlit")],
        max_size=None,
        max_queue=None,  # as a browser, it takes what comes at any time
        ping_interval=None,
        origin=Origin(address),
        additional_headers=told,
    )
