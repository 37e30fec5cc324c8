"""The stages of rooms: one run of a page for all screens of a kind, and the addresses at which a frame finds it."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from typing import Any

import pytest
from starlette.testclient import TestClient, WebSocketTestSession
from starlette.websockets import WebSocketDisconnect
from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.ClientState_pb2 import ClientState
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg

from ui.class_room.stage import page_run
from ui.class_room.stage.page_run import WIDTHS, PageRun
from ui.desk.clients import LOOPBACK, UNKNOWN, client_of
from ui.shared.rooms import Rooms
from ui.state.addresses import to_address
from ui.state.choices import Selection

PLACE = "/headlight/rooms"
VIEW = to_address(Selection(layer=3, head=1, lang="en"))


class Sessions:
    """Streamlit's runtime, whose sessions answer a request for a page with its name and its end."""

    def __init__(self) -> None:
        self.open: dict[str, PageRun] = {}
        self.asked: list[ClientState] = []
        self.headers: list[dict[str, str]] = []

    def connect_session(self, client: PageRun, _user: dict[str, Any]) -> str:
        name = f"session {len(self.asked)}"
        self.open[name] = client
        self.headers.append(dict(client.client_context.headers))
        assert client_of(str(client.client_context.remote_ip), ()) not in (UNKNOWN, *LOOPBACK), "a right of its own"
        return name

    def handle_backmsg(self, session: str, message: BackMsg) -> None:
        asked = message.rerun_script
        self.asked.append(asked)
        begins, title, too_early = ForwardMsg(), ForwardMsg(), ForwardMsg()
        begins.new_session.name = "a run of the whole page"
        title.page_config_changed.title = f"{asked.page_name} {asked.context_info.color_scheme}"
        too_early.page_config_changed.title = "a run that begins anew"
        again = ForwardMsg(script_finished=ForwardMsg.FINISHED_EARLY_FOR_RERUN)
        ends = ForwardMsg(script_finished=ForwardMsg.FINISHED_SUCCESSFULLY)
        for told in (begins, too_early, again, begins, title, ends):
            asyncio.get_running_loop().call_soon(self.open[session].write_forward_msg, told)

    def close_session(self, session: str) -> None:
        del self.open[session]


@pytest.fixture
def sessions(monkeypatch: pytest.MonkeyPatch) -> Sessions:
    runtime = Sessions()
    monkeypatch.setattr(page_run, "get_instance", lambda: runtime)
    return runtime


def frame(client: TestClient, letters: str, *, width: int = WIDTHS[0], language: str = "en") -> WebSocketTestSession:
    path = f"{PLACE}/{letters}/stage/{language}/{width}/_stcore/stream"
    return client.websocket_connect(path, subprotocols=["streamlit"])


def begin(socket: WebSocketTestSession, *, theme: str = "light") -> None:
    """Say what Streamlit's frontend says first."""
    asked = BackMsg()
    asked.rerun_script.context_info.color_scheme = theme
    socket.send_bytes(asked.SerializeToString())


def page_of(socket: WebSocketTestSession) -> str:
    """Receive all of a page; gives its title."""
    return titles_of(socket)[-1]


def titles_of(socket: WebSocketTestSession) -> list[str]:
    """Receive all of a page; gives the titles that it has had."""
    titles: list[str] = []
    while True:
        told = ForwardMsg()
        told.ParseFromString(socket.receive_bytes())
        titles += [told.page_config_changed.title] * bool(told.page_config_changed.title)
        if told.WhichOneof("type") == "script_finished" and told.script_finished == ForwardMsg.FINISHED_SUCCESSFULLY:
            return titles


def until(holds: Callable[[], bool]) -> None:
    """Wait until the server, which runs in another thread, has come so far."""
    end = time.monotonic() + 60
    while not holds():
        assert time.monotonic() < end
        time.sleep(0.01)


def test_a_page_is_run_once_for_all_screens_of_a_kind(client: TestClient, rooms: Rooms, sessions: Sessions) -> None:
    letters, key = rooms.open()
    rooms.show(letters, key, page="switchboard", choices=VIEW)
    with frame(client, letters) as first, frame(client, letters) as second, frame(client, letters) as dark:
        begin(first)
        assert page_of(first) == "switchboard light"
        begin(second)
        assert titles_of(second) == ["switchboard light"], "who comes later hears nothing of what began anew"
        assert len(sessions.asked) == 1
        begin(dark, theme="dark")
        assert page_of(dark) == "switchboard dark"
        assert len(sessions.asked) == 2
        rooms.show(letters, key, page="positions", choices=VIEW)
        assert {page_of(first), page_of(second)} == {"positions light"}
        assert page_of(dark) == "positions dark"
        assert len(sessions.asked) == 4
        assert len(sessions.open) == 2, "a session ends when the next page is there"
    until(lambda: sessions.open == {})


def test_a_screen_is_known_by_its_address(client: TestClient, rooms: Rooms, sessions: Sessions) -> None:
    letters, key = rooms.open()
    rooms.show(letters, key, page="switchboard", choices=VIEW)
    with frame(client, letters, width=WIDTHS[2], language="ko") as socket:
        begin(socket)
        page_of(socket)
    asked = sessions.asked[0]
    assert sessions.headers == [{page_run.WIDTH: str(WIDTHS[2]), "Accept-Language": "ko"}]
    assert asked.context_info.is_embedded
    assert asked.query_string.split("&").count("lang=ko") == 1
    assert {"layer=3", "head=1"} <= set(asked.query_string.split("&"))
    assert "lang=en" not in asked.query_string


def test_what_a_frame_says_is_not_heard(client: TestClient, rooms: Rooms, sessions: Sessions) -> None:
    letters, key = rooms.open()
    rooms.show(letters, key, page="switchboard", choices=VIEW)
    with frame(client, letters) as socket:
        begin(socket)
        page_of(socket)
        begin(socket)
        socket.send_text("hello")
        rooms.show(letters, key, page="positions", choices=VIEW)
        assert page_of(socket) == "positions light"
    assert [asked.page_name for asked in sessions.asked] == ["switchboard", "positions"]


def test_pages_that_a_browser_draws_from_numbers_are_not_run(
    client: TestClient, rooms: Rooms, sessions: Sessions
) -> None:
    letters, key = rooms.open()
    rooms.show(letters, key, page="attention", choices=VIEW)
    with frame(client, letters) as socket:
        begin(socket)
        rooms.show(letters, key, page="home", choices=VIEW)
        rooms.show(letters, key, page="positions", choices=VIEW)
        assert page_of(socket) == "positions light"
    assert [asked.page_name for asked in sessions.asked] == ["positions"]


@pytest.mark.parametrize("is_open", [True, False])
def test_a_frame_ends_with_its_room(client: TestClient, rooms: Rooms, sessions: Sessions, *, is_open: bool) -> None:
    letters, key = rooms.open()
    if not is_open:
        rooms.close(letters, key)
    with frame(client, letters) as socket:
        begin(socket)
        if is_open:
            rooms.show(letters, key, page="positions", choices=VIEW)
            page_of(socket)
            rooms.close(letters, key)
        with pytest.raises(WebSocketDisconnect):
            page_of(socket)
    until(lambda: sessions.open == {})


@pytest.mark.parametrize("place", ["en/329", "xx/328", "en/x"])
def test_there_are_no_other_stages(client: TestClient, place: str) -> None:
    assert client.get(f"{PLACE}/ABCD/stage/{place}/").status_code == 404


def test_a_frame_finds_streamlit_s_page_and_is_sent_on_for_what_all_have(client: TestClient) -> None:
    stage = f"{PLACE}/ABCD/stage/en/328"
    page = client.get(f"{stage}/").text
    assert 'src="./' not in page
    assert 'href="./' not in page
    assert page.index("/stage.js") < page.index("/static/js/index.")
    assert client.get(f"{stage}/positions").text == page, "the address of a page is Streamlit's page, too"
    assert client.get(f"{stage}/_stcore/health").text == "ok"
    for path in ("_stcore/host-config", "media/abc.png", "component/x/index.html"):
        answer = client.get(f"{stage}/{path}", follow_redirects=False)
        assert (answer.status_code, answer.headers["location"]) == (307, f"/{path}")
