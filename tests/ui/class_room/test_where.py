"""The address that students type, as the page "Class room" of a running server says it."""

from __future__ import annotations

import re
import socket
from collections.abc import Iterator, Mapping
from urllib.parse import urlsplit

import httpx2
import pytest
from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from websockets.sync.client import ClientConnection, connect
from websockets.typing import Subprotocol

from tests.browser.server import running
from ui.state.where import own_address

BASE = "class"
IN_BOLD = re.compile(r"\*\*([^*]+/headlight/room)\*\*")


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of an app below a base path."""
    folder = tmp_path_factory.mktemp("server")
    changed = {"HEADLIGHT_SHARED": str(folder / "shared.sqlite"), "HEADLIGHT_LAB_RUNS": str(folder)}
    options = ("--server.baseUrlPath", BASE)
    with running("app.py", log=folder / "log", environment=changed, options=options) as (_, address):
        yield address


def run(line: ClientConnection, asked: BackMsg) -> list[ForwardMsg]:
    """What a run of the page sends."""
    asked.rerun_script.page_name = "class_room"
    line.send(asked.SerializeToString())
    told = [ForwardMsg()]
    while told[-1].WhichOneof("type") != "script_finished":
        message = ForwardMsg()
        message.ParseFromString(bytes(line.recv(timeout=120)))
        told.append(message)
    return told


def address_to_type(server: str, host: str, headers: Mapping[str, str]) -> str:
    """The address on the page, once a teacher whose browser asked for `host` has opened a room."""
    where = urlsplit(server)
    with (
        socket.create_connection((where.hostname, where.port)) as under,
        connect(
            f"ws://{host}{where.path}/_stcore/stream",
            sock=under,
            subprotocols=[Subprotocol("streamlit")],
            additional_headers=headers,
            max_size=None,
        ) as line,
    ):
        buttons = [message.delta.new_element.button for message in run(line, BackMsg())]
        (opens,) = [button.id for button in buttons if button.label == "Open a room"]
        asked = BackMsg()
        asked.rerun_script.widget_states.widgets.add(id=opens).trigger_value = True
        bodies = " ".join(message.delta.new_element.markdown.body for message in run(line, asked))
    (found,) = IN_BOLD.findall(bodies.replace("\\", "").replace(":gray[]", ""))  # as Markdown, a colon is escaped
    return found


@pytest.mark.parametrize(
    ("host", "headers", "expected"),
    [
        ("192.0.2.7:8857", {}, "192.0.2.7:8857"),
        ("hall.example.edu", {"X-Forwarded-Proto": "https"}, "hall.example.edu"),
        ("127.0.0.1:31316", {"X-Forwarded-Host": "hall.example.edu:8857"}, "hall.example.edu:8857"),
        ("localhost:8857", {}, f"{own_address() or 'localhost'}:8857"),
    ],
)
def test_the_page_says_the_host_the_port_and_the_base_path_that_the_teacher_asked_for(
    server: str, host: str, headers: dict[str, str], expected: str
) -> None:
    assert address_to_type(server, host, headers) == f"{expected}/{BASE}/headlight/room"


@pytest.mark.parametrize("typed", [f"/{BASE}/room/bcdf", "/room/bcdf", "/headlight/room/bcdf?show=projector"])
def test_other_addresses_of_a_room_lead_to_it(server: str, typed: str) -> None:
    where = urlsplit(server)
    query = typed.partition("?")[2]
    answer = httpx2.get(f"http://{where.netloc}{typed}", follow_redirects=False)
    assert answer.status_code == 307
    assert answer.headers["location"] == f"/{BASE}/headlight/room/bcdf" + (f"?{query}" if query else "")
    assert httpx2.get(f"http://{where.netloc}{typed}", follow_redirects=True).status_code == 200
