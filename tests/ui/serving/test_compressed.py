"""What never changes comes compressed, and is the same once unpacked; all else comes as it was."""

from __future__ import annotations

import gzip
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor

import anyio
import brotli
import pytest
from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import Route
from starlette.testclient import TestClient
from starlette.types import Message, Receive, Scope, Send

from ui.serving.compressed import LEAST, Compressed, encoding_for

SCRIPT = "export const answer = 42;\n" * 400
FOREVER = {"Cache-Control": "public, immutable, max-age=31536000"}
ASKED: list[str] = []


def _script(request: Request) -> Response:
    ASKED.append(request.url.path)
    answers = {
        "script.js": Response(SCRIPT, media_type="text/javascript", headers=FOREVER),
        "changes.js": Response(SCRIPT, media_type="text/javascript", headers={"Cache-Control": "no-cache"}),
        "short.js": Response("x" * (LEAST - 1), media_type="text/javascript", headers=FOREVER),
        "packed.js": Response(gzip.compress(SCRIPT.encode(), mtime=0), headers=FOREVER | {"Content-Encoding": "gzip"}),
        "picture.png": Response(b"\x89PNG" * 400, media_type="image/png", headers=FOREVER),
    }
    return answers.get(request.path_params["name"], PlainTextResponse("not there" * 100, 404, headers=FOREVER))


@pytest.fixture
def client() -> Iterator[TestClient]:
    ASKED.clear()
    app = Starlette(routes=[Route("/static/{name}", _script)], middleware=[Middleware(Compressed)])
    with TestClient(app) as client:
        yield client


def raw(client: TestClient, name: str, accept: str, **headers: str) -> tuple[Response, bytes]:
    """An answer as it crosses the network."""
    with client.stream("GET", f"/static/{name}", headers={"Accept-Encoding": accept, **headers}) as answer:
        return answer, b"".join(answer.iter_raw())


@pytest.mark.parametrize(
    ("accept", "encoding", "unpack"),
    [
        ("gzip, deflate, br, zstd", "br", brotli.decompress),
        ("gzip, deflate", "gzip", gzip.decompress),
        ("br;q=0, gzip;q=1.0", "gzip", gzip.decompress),
    ],
)
def test_a_script_that_never_changes_is_compressed_once(
    client: TestClient, accept: str, encoding: str, unpack: object
) -> None:
    assert callable(unpack)
    for _ in range(3):
        answer, content = raw(client, "script.js", accept)
        assert answer.headers["content-encoding"] == encoding
        assert answer.headers["content-length"] == str(len(content))
        assert answer.headers["vary"] == "Accept-Encoding"
        assert answer.headers["cache-control"] == FOREVER["Cache-Control"]
        assert answer.headers["content-type"].startswith("text/javascript")
        assert len(content) < len(SCRIPT) / 10
        assert unpack(content).decode() == SCRIPT
    assert len(ASKED) == 1


def test_who_takes_nothing_compressed_gets_it_plain(client: TestClient) -> None:
    answer, content = raw(client, "script.js", "identity")
    assert "content-encoding" not in answer.headers
    assert content.decode() == SCRIPT


@pytest.mark.parametrize("name", ["changes.js", "short.js", "packed.js", "picture.png", "gone.js"])
def test_all_else_comes_as_it_was(client: TestClient, name: str) -> None:
    plain, content = raw(client, name, "identity")
    ASKED.clear()
    for _ in range(2):
        answer, same = raw(client, name, "gzip, br")
        assert same == content
        assert dict(answer.headers) == dict(plain.headers)
        assert answer.status_code == plain.status_code
    assert len(ASKED) == 2


def test_a_part_of_a_file_and_a_question_whether_it_has_changed_are_passed_on() -> None:
    def asked(**headers: str) -> str | None:
        given = [(name.replace("_", "-").encode(), value.encode()) for name, value in headers.items()]
        return encoding_for({"type": "http", "method": "GET", "path": "/static/a.js", "headers": given})

    assert asked(accept_encoding="br") == "br"
    assert asked(accept_encoding="br", range="bytes=0-1") is None
    assert asked(accept_encoding="br", if_none_match='"x"') is None
    assert asked() is None


def test_what_is_kept_is_bounded(client: TestClient, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("ui.serving.compressed.MOST_KEPT", len(SCRIPT) + 1)
    monkeypatch.setattr("ui.serving.compressed.ENCODINGS", {"br": lambda content: content + b" "})
    for _ in range(2):
        assert raw(client, "script.js", "br")[1].decode() == SCRIPT + " "
    assert len(ASKED) == 1
    monkeypatch.setattr("ui.serving.compressed.ENCODINGS", {"gzip": lambda content: content + b" "})
    for _ in range(2):
        assert raw(client, "script.js", "gzip")[1].decode() == SCRIPT + " "
    assert len(ASKED) == 3


def test_an_answer_that_was_cut_short_is_not_kept() -> None:
    """As an app's is when its reader leaves in the middle: kept, it would end every page that needs the script."""
    asked: list[str] = []

    async def leaves_once(scope: Scope, receive: Receive, send: Send) -> None:
        asked.append(scope["path"])
        content = SCRIPT.encode()
        headers = {"content-length": str(len(content)), "cache-control": FOREVER["Cache-Control"]}
        raw_headers = [(name.encode(), value.encode()) for name, value in headers.items()]
        await send({"type": "http.response.start", "status": 200, "headers": raw_headers})
        await send({"type": "http.response.body", "body": content[:1000] if len(asked) == 1 else content})

    async def ask(app: Compressed) -> bytes:
        said: list[Message] = []

        async def send(message: Message) -> None:
            said.append(message)

        scope = {
            "type": "http",
            "method": "GET",
            "path": "/static/script.js",
            "headers": [(b"accept-encoding", b"br")],
        }
        await app(scope, anyio.sleep_forever, send)
        return b"".join(message.get("body", b"") for message in said)

    app = Compressed(leaves_once)
    with ThreadPoolExecutor(1) as beside:  # a browser of other tests has an event loop in this thread
        answers = [beside.submit(anyio.run, ask, app).result() for _ in range(3)]
    assert len(answers[0]) < len(SCRIPT)
    assert [brotli.decompress(answer).decode() for answer in answers[1:]] == [SCRIPT, SCRIPT]
    assert len(asked) == 2
