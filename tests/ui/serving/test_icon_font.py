"""The small font of icons has all that are used, and stands for the font of the installed Streamlit alone."""

from __future__ import annotations

import json

import pytest
from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.responses import PlainTextResponse
from starlette.routing import Route
from starlette.testclient import TestClient
from streamlit.material_icon_names import ALL_MATERIAL_ICONS

from ui.serving import icon_font
from ui.serving.icon_font import ABOUT, FONT, UsedIcons, font_to_replace, used_icons, whole_fonts

HOW = "Make it anew: python -m tests.browser.make_icon_font"


def test_the_small_font_has_every_icon_that_is_used() -> None:
    (whole,) = whole_fonts()
    assert font_to_replace() == whole, HOW
    has = set(json.loads(ABOUT.read_text(encoding="utf-8"))["icons"])
    assert set(used_icons()) & ALL_MATERIAL_ICONS <= has, HOW
    assert FONT.stat().st_size < whole.stat().st_size / 10


def test_it_is_sent_for_that_font_and_for_nothing_else(monkeypatch: pytest.MonkeyPatch) -> None:
    app = Starlette(
        routes=[Route("/{path:path}", lambda _: PlainTextResponse("of Streamlit"))], middleware=[Middleware(UsedIcons)]
    )
    (whole,) = whole_fonts()
    with TestClient(app) as client:
        answer = client.get(f"/static/media/{whole.name}")
        assert answer.content == FONT.read_bytes()
        assert answer.headers["content-type"] == "font/woff2"
        assert "immutable" in answer.headers["cache-control"]
        assert client.get("/static/media/another.woff2").text == "of Streamlit"
        monkeypatch.setattr(icon_font, "font_to_replace", lambda: None)
        assert client.get(f"/static/media/{whole.name}").text == "of Streamlit"
