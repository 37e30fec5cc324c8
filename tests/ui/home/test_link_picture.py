"""A link with a sentence has a picture of that sentence in a chat; any other has Home's."""

from __future__ import annotations

import io
import re
from collections.abc import Iterator
from html import unescape
from urllib.parse import urlencode

import numpy as np
import pytest
from PIL import Image
from starlette.applications import Starlette
from starlette.testclient import TestClient

from ui.home import link_picture
from ui.home.link_picture import picture_routes
from ui.serving.installing import installing_routes
from ui.serving.link_cards import ABOUT, CARD, LONGEST, NAME, card_lines
from ui.state.choices import DEFAULTS

ORIGIN = "https://headlight.example.edu"
PIZZA = "My dog loves pizza but my cat hates it."
STRANGE = 'She said <b>"no"</b> & left.'


@pytest.fixture
def client() -> Iterator[TestClient]:
    with TestClient(Starlette(routes=[*installing_routes(), *picture_routes()])) as client:
        yield client


def _said(lines: str, name: str) -> str:
    (said,) = re.findall(f'property="og:{name}" content="([^"]*)"', lines)
    return unescape(said)


def _picture(client: TestClient, spoken: str = "en", **asked: str) -> Image.Image:
    place = _said(card_lines(spoken, ORIGIN, asked), "image")
    assert place.startswith(f"{ORIGIN}/headlight/")
    answer = client.get(place.removeprefix(ORIGIN))
    assert answer.headers["content-type"] == "image/png"
    return Image.open(io.BytesIO(answer.content)).convert("RGB")


def _ink(picture: Image.Image) -> int:
    """The number of dots that are no ground."""
    dots = np.asarray(picture).astype(int)  # [height, width, 3]
    return int((np.abs(dots - dots[0, 0]).sum(axis=2) > 0).sum())


@pytest.mark.parametrize(
    ("spoken", "asked"),
    [
        ("en", {"text": PIZZA}),
        ("en", {"text": PIZZA, "layer": "0", "head": "0", "locked": "4"}),
        ("en", {"text": STRANGE, "text_b": PIZZA, "model": "headlight-bert"}),
        ("ko", {"text": "고양이가 쥐를 잡았다.", "model": "headlight-ko"}),
        ("en", {"text": PIZZA, "model": "sentiment", "kind": "cross", "layer": "0", "head": "1"}),
    ],
)
def test_a_sentence_has_a_picture_of_its_own(client: TestClient, spoken: str, asked: dict[str, str]) -> None:
    lines = card_lines(spoken, ORIGIN, asked)
    assert _said(lines, "title") == " · ".join(asked[name] for name in ("text", "text_b") if name in asked)
    assert asked.get("model", DEFAULTS["model"]) in _said(lines, "description")
    assert "<b>" not in lines
    picture, other = _picture(client, spoken, **asked), _picture(client)
    assert picture.size == other.size == (1200, 630)
    assert picture.tobytes() != other.tobytes()
    assert _ink(picture) > 0


def test_it_shows_the_head_and_the_word_that_the_link_names(client: TestClient) -> None:
    chosen = {"text": PIZZA, "layer": "3", "head": "1"}
    pictures = [_picture(client, **chosen, locked=str(word)).tobytes() for word in (2, 4)]
    assert len({*pictures, _picture(client, **chosen | {"layer": "5"}).tobytes()}) == 3


@pytest.mark.parametrize(
    "asked",
    [
        {},
        {"text": " "},
        {"text": "word " * LONGEST},
        {"text": PIZZA, "model": "somebody/else"},
        {"text": PIZZA, "model": "/etc"},
        {"text": PIZZA, "model": "translator-es"},
    ],
)
def test_any_other_link_has_homes(client: TestClient, asked: dict[str, str]) -> None:
    lines = card_lines("en", ORIGIN, asked)
    assert (_said(lines, "title"), _said(lines, "description")) == (NAME, ABOUT)
    assert _said(lines, "image") == f"{ORIGIN}/headlight/icons/{CARD}"
    answer = client.get(f"/headlight/link.png?{urlencode(asked)}", follow_redirects=False)
    assert (answer.status_code, answer.headers["location"]) == (302, f"/headlight/icons/{CARD}")


@pytest.mark.parametrize("wrong", [{"layer": "99", "head": "1"}, {"layer": "3", "head": "1", "locked": "99"}])
def test_a_head_or_a_word_that_is_not_there_gives_homes_too(client: TestClient, wrong: dict[str, str]) -> None:
    answer = client.get(f"/headlight/link.png?{urlencode({'text': PIZZA} | wrong)}", follow_redirects=False)
    assert answer.status_code == 302


def test_only_some_new_pictures_are_painted_in_a_minute(client: TestClient, monkeypatch: pytest.MonkeyPatch) -> None:
    known = _picture(client, text=PIZZA)
    monkeypatch.setattr(link_picture, "MOST_A_MINUTE", 0)
    assert client.get("/headlight/link.png?text=Birds+fly.", follow_redirects=False).status_code == 302
    assert _picture(client, text=PIZZA).tobytes() == known.tobytes()
