"""The scripts that a page names in its head are there, and are all that the first elements need."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from starlette.applications import Starlette
from starlette.testclient import TestClient
from streamlit.file_util import get_static_dir

from ui.serving.preloaded import ELEMENTS, SCRIPTS, of_elements, preload_lines
from ui.state.routes import routes
from ui.state.scripts import ENTRIES
from viz.kit.language import browser_catalogue, read_in
from viz.viewer.joining import constant

STATIC = Path(get_static_dir())


@pytest.fixture
def client() -> Iterator[TestClient]:
    with TestClient(Starlette(routes=routes())) as client:
        yield client


def test_every_element_is_named_with_all_that_it_imports() -> None:
    index = (STATIC / "index.html").read_text(encoding="utf-8")
    named = set(of_elements())
    assert {element for element in ELEMENTS if not any(name.startswith(f"{element}.") for name in named)} == set()
    for name in named:
        source = (STATIC / SCRIPTS / name).read_text(encoding="utf-8")
        needed = set(re.findall(r'[^(]"\./([^"/]+\.js)"', source))
        assert {each for each in needed if each not in named and f"/{each}" not in index} == set()
        assert f"/{name}" not in index


def test_plotly_is_not_sent_before_a_page_needs_it() -> None:
    assert not [name for name in of_elements() if "plotly" in name.lower()]


@pytest.mark.parametrize("spoken", ["en", "ko"])
def test_our_script_is_named_in_the_language_of_the_reader(client: TestClient, spoken: str) -> None:
    script, style = re.findall(r'href="(/headlight/[^"]+)"', preload_lines(spoken))
    assert client.get(style).headers["content-type"].startswith("text/css")
    answer = client.get(script)
    assert answer.headers["content-type"].startswith("text/javascript")
    assert "immutable" in answer.headers["cache-control"]
    assert answer.text.rstrip().endswith(f"export {{ {', '.join(map(constant, ENTRIES))} }};")
    with read_in(spoken):
        assert json.dumps(browser_catalogue()).replace("</", "<\\/") in answer.text
