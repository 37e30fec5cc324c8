"""One client cannot take the server from the others: requests, uploads, connections and archives are bounded."""

from __future__ import annotations

import asyncio
from concurrent.futures import ThreadPoolExecutor

import pytest
from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import Route, WebSocketRoute
from starlette.testclient import TestClient
from starlette.types import Receive, Scope, Send
from starlette.websockets import WebSocket, WebSocketDisconnect

from ui.desk.clients import client_of
from ui.serving.limited import FOR_STRANGERS, ClientLimits, Limited, read_client_limits

HERE = "10.0.0.1"


async def answer(_: Request) -> Response:
    return PlainTextResponse("numbers")


async def open_page(socket: WebSocket) -> None:
    await socket.accept()
    await socket.send_text("open")
    await socket.receive_text()


def served(address: str = HERE, **limits: int) -> TestClient:
    routes = [
        Route("/headlight/recordings/{key}/head", answer),
        Route("/_stcore/upload_file/{session}/{file}", answer, methods=["PUT"]),
        WebSocketRoute("/_stcore/stream", open_page),
    ]
    app = Starlette(routes=routes, middleware=[Middleware(Limited, limits=ClientLimits(**limits))])
    return TestClient(app, client=(address, 1000))


def from_another(client: TestClient) -> TestClient:
    return TestClient(client.app, client=("10.0.0.2", 1000))


def test_numbers_are_given_up_to_a_limit_and_to_others_still() -> None:
    client = served(requests=2)  # 20 in ten seconds
    found = [client.get("/headlight/recordings/x/head") for _ in range(30)]
    assert [each.status_code for each in found[:20]] == [200] * 20
    refused = next(each for each in found if each.status_code == 429)
    assert refused.headers["retry-after"] == "10"
    assert refused.text == "Your address has asked for too much at once. Wait 10 seconds and try again."
    assert client.get("/headlight/recordings/x/head", params={"lang": "ko"}).text.startswith("이 주소에서")
    assert from_another(client).get("/headlight/recordings/x/head").status_code == 200


@pytest.mark.parametrize(("limits", "n_taken"), [({"uploads": 3}, 3), ({"megabytes": 1}, 2), ({}, 8)])
def test_uploads_and_their_bytes_are_counted(limits: dict[str, int], n_taken: int) -> None:
    client = served(**limits)
    found = [client.put("/_stcore/upload_file/a/b", content=b"x" * 500_000).status_code for _ in range(8)]
    assert found == [200] * n_taken + [429] * (8 - n_taken)


def test_so_many_pages_are_open_and_one_that_is_closed_makes_room() -> None:
    client = served(tabs=1)
    with client.websocket_connect("/_stcore/stream") as first:
        assert first.receive_text() == "open"
        with pytest.raises(WebSocketDisconnect) as refused, client.websocket_connect("/_stcore/stream"):
            pass
        assert refused.value.code == 1013
        with from_another(client).websocket_connect("/_stcore/stream") as other:
            assert other.receive_text() == "open"
            other.send_text("close")
        first.send_text("close")
    with client.websocket_connect("/_stcore/stream") as again:
        assert again.receive_text() == "open"
        again.send_text("close")


def test_five_hundred_archives_of_one_client_let_another_one_through() -> None:
    under_way: list[str] = []
    done: list[str] = []
    most = 0

    async def archive(scope: Scope, receive: Receive, send: Send) -> None:
        nonlocal most
        client = scope["client"][0]
        under_way.append(client)
        most = max(most, len(under_way))
        assert under_way.count(client) == 1
        for _ in range(3):
            await asyncio.sleep(0)
        under_way.remove(client)
        done.append(client)

    async def ask() -> None:
        limited = Limited(archive, ClientLimits(), archives=2)

        async def of(client: str) -> None:
            scope = {"type": "http", "path": "/headlight/recordings/x/heads.npz", "client": (client, 1), "headers": []}
            await limited(scope, None, None)

        many = [asyncio.ensure_future(of(HERE)) for _ in range(500)]
        await asyncio.sleep(0)
        await of("10.0.0.2")
        await asyncio.gather(*many)
        assert not limited._archive_of

    with ThreadPoolExecutor(1) as beside:  # Playwright has a loop of its own in the thread of the tests
        beside.submit(lambda: asyncio.run(ask())).result(timeout=60)
    assert most == 2
    assert done.index("10.0.0.2") < 10


@pytest.mark.parametrize(
    ("peer", "forwarded", "proxies", "expected"),
    [
        ("192.0.2.1", [], "", "192.0.2.1"),
        ("192.0.2.1", ["198.51.100.7"], "", "192.0.2.1"),  # anybody may send the header
        ("127.0.0.1", ["198.51.100.7"], "1", "198.51.100.7"),
        ("127.0.0.1", ["6.6.6.6, 198.51.100.7"], "1", "198.51.100.7"),
        ("127.0.0.1", ["6.6.6.6", "198.51.100.7, 10.0.0.9"], "2", "198.51.100.7"),
        ("127.0.0.1", [], "1", "127.0.0.1"),
        ("2001:db8:1:2:3:4:5:6", [], "", "2001:db8:1:2::"),
        ("::ffff:192.0.2.1", [], "", "192.0.2.1"),
        ("testclient", [], "many", "testclient"),
    ],
)
def test_a_client_is_the_address_that_our_own_proxies_name(
    peer: str, forwarded: list[str], proxies: str, expected: str
) -> None:
    assert client_of(peer, forwarded, {"HEADLIGHT_PROXIES": proxies}) == expected


def test_limits_are_for_servers_of_strangers_unless_they_are_set() -> None:
    assert read_client_limits({}) == ClientLimits()
    assert read_client_limits({"HEADLIGHT_CURATED_ONLY": "1"}) == FOR_STRANGERS
    given = {"HEADLIGHT_CURATED_ONLY": "1", "HEADLIGHT_CLIENT_TABS": "0", "HEADLIGHT_CLIENT_UPLOADS": " 7 "}
    assert read_client_limits(given) == ClientLimits(requests=100, uploads=7, megabytes=200, tabs=0)
    with pytest.raises(ValueError, match="HEADLIGHT_CLIENT_TABS is '-1', expected a whole number"):
        read_client_limits({"HEADLIGHT_CLIENT_TABS": "-1"})
