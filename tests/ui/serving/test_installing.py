"""The page has our name and names its manifest, whose icons are there; every other answer is as it was."""

from __future__ import annotations

import io
import json
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from PIL import Image
from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.middleware.gzip import GZipMiddleware
from starlette.requests import Request
from starlette.responses import HTMLResponse, Response
from starlette.routing import Route
from starlette.testclient import TestClient
from streamlit.file_util import get_static_dir

from ui.desk.clients import A_MONTH, COOKIE, is_named
from ui.serving.installing import (
    ICONS,
    SIZES,
    STYLE,
    NamedPage,
    head_lines,
    installing_routes,
    manifest,
    name_page,
)
from ui.serving.link_cards import CARD

ORIGIN = "http://testserver"
STREAMLIT = (Path(get_static_dir()) / "index.html").read_text(encoding="utf-8")
OTHERS = {
    "file": HTMLResponse(STREAMLIT, headers={"Content-Disposition": "attachment"}),
    "gone": HTMLResponse(STREAMLIT, status_code=404),
    "text": Response(STREAMLIT, media_type="text/plain"),
    "else": HTMLResponse("<html><head><title>Else</title></head></html>"),
}


def _answer(request: Request) -> Response:
    return OTHERS.get(request.path_params["name"], HTMLResponse(STREAMLIT, headers={"ETag": '"x"'}))


@pytest.fixture
def client() -> Iterator[TestClient]:
    routes = [*installing_routes(), Route("/{name}", _answer)]
    with TestClient(Starlette(routes=routes, middleware=[Middleware(NamedPage)])) as client:
        yield client


def test_the_page_of_streamlit_gets_our_name_and_lines_once(client: TestClient) -> None:
    answer = client.get("/attention", headers={"Accept-Encoding": "identity"})
    assert answer.text.count("<title>Headlight</title>") == 1
    assert "<title>Streamlit</title>" not in answer.text
    ours = (head_lines("en", ORIGIN), f"<style>{STYLE}</style>")
    assert all(answer.text.count(lines) == 1 for lines in ours)
    assert answer.text.index(ours[1]) > answer.text.index('<link rel="stylesheet"'), "the later of equals wins"
    assert answer.text.replace(ours[0], "").replace(ours[1], "").replace("Headlight", "Streamlit") == STREAMLIT
    assert int(answer.headers["content-length"]) == len(answer.content)
    assert "etag" not in answer.headers
    once = name_page(STREAMLIT.encode(), head_lines("en", ORIGIN))
    assert name_page(once, head_lines("en", ORIGIN)) == once


def test_a_browser_gets_it_compressed_and_with_the_lines_where_streamlit_would_pack_it_itself() -> None:
    page = STREAMLIT
    apps = Starlette(
        routes=[Route("/{name}", lambda _: HTMLResponse(page))],
        middleware=[Middleware(NamedPage), Middleware(GZipMiddleware)],
    )
    with TestClient(apps) as client:
        for accept, encoding in (("br", "br"), ("gzip", "gzip"), ("identity", None)):
            answer = client.get("/attention", headers={"Accept": "text/html,*/*", "Accept-Encoding": accept})
            assert answer.headers.get("content-encoding") == encoding
            assert answer.text == name_page(page.encode(), head_lines("en", ORIGIN)).decode()
            assert {"Accept-Language", "Accept-Encoding"} <= set(answer.headers["vary"].split(", "))
        korean = client.get("/attention", headers={"Accept": "text/html", "Accept-Language": "ko"})
        assert korean.text == name_page(page.encode(), head_lines("ko", ORIGIN)).decode() != answer.text


@pytest.mark.parametrize("name", OTHERS)
def test_every_other_answer_is_as_it_was(client: TestClient, name: str) -> None:
    answer = client.get(f"/{name}")
    assert answer.content == OTHERS[name].body
    assert answer.status_code == OTHERS[name].status_code


def test_a_link_in_a_chat_has_a_picture_wherever_the_server_stands(client: TestClient) -> None:
    public = {"Host": "headlight.example.edu", "X-Forwarded-Proto": "https"}
    (picture,) = re.findall('property="og:image" content="([^"]+)"', client.get("/attention", headers=public).text)
    assert picture == f"https://headlight.example.edu/headlight/icons/{CARD}"
    with Image.open(io.BytesIO(client.get(picture.partition(".edu")[2]).content)) as card:
        assert card.size == (1200, 630)


def test_a_forged_host_stays_text(client: TestClient) -> None:
    answer = client.get("/attention", headers={"Host": 'x"><script>alert(1)</script>'})
    assert "<script>alert" not in answer.text


def test_the_manifest_names_icons_that_are_there_in_their_sizes(client: TestClient) -> None:
    answer = client.get("/headlight/manifest.webmanifest")
    assert answer.headers["content-type"] == "application/manifest+json"
    told = json.loads(answer.text)
    assert told == manifest()
    assert told["start_url"] == told["scope"] == "/"
    for icon in told["icons"]:
        content = client.get(icon["src"])
        assert content.headers["content-type"] == icon["type"]
    for size in SIZES:
        with Image.open(ICONS / f"icon-{size}.png") as icon:
            assert icon.size == (size, size)
    assert client.get("/headlight/icons/..%2Finstalling.py").status_code == 404


def test_a_browser_gets_a_name_with_its_first_page_and_keeps_it(client: TestClient) -> None:
    cookie = client.get("/page").headers["set-cookie"]
    name = cookie.partition(";")[0].partition("=")[2]
    assert is_named(name)
    for part in ("HttpOnly", "SameSite=Lax", "Path=/;", f"Max-Age={A_MONTH}"):
        assert part in cookie
    assert "set-cookie" not in client.get("/page").headers, "it has one"
    client.cookies.clear()
    assert name not in client.get("/page", headers={"cookie": f"{COOKIE}=<script>"}).headers["set-cookie"]
    client.cookies.clear()
    assert "set-cookie" not in client.get("/else").headers


def test_a_step_is_embedded_by_a_short_word(client: TestClient) -> None:
    asked = {"accept": "text/html"}
    moved = client.get("/page?text=a%26b&embed=1", headers=asked, follow_redirects=False)
    assert (moved.status_code, moved.headers["location"]) == (307, "?text=a%26b&embed=true")
    assert client.get("/page?embed=true", headers=asked, follow_redirects=False).status_code == 200
    assert client.get("/page?embed=1", headers={"accept": "*/*"}, follow_redirects=False).status_code == 200
