"""One browser and one running app for all browser tests, at the speed that the command line asks for (`speed.py`)."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Unpack
from urllib.parse import urlencode, urlsplit

import pytest
from playwright.sync_api import Browser, Page, expect, sync_playwright

from models.values.record import Recording
from tests.browser.reader import Open, OpenFile, follow_link, go_to_file
from tests.browser.server import running_app
from tests.browser.speed import NORMAL, SPEEDS, Speed
from tests.browser.waiting import WAIT
from tests.browser.windows import HEIGHT, NO_STREAMING, ONE_PROCESS, ONE_THREAD, Windows, resize
from viz.viewer.html import Choices, viewer_html

expect.set_options(timeout=WAIT)
REFUSED = "Content Security Policy"
"""What a browser says in its console where a page may not do what it tries."""
SLOW_TEST = 900
"""Seconds that a test may take where the reader's machine is made slow."""


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--speed", choices=SPEEDS, default=NORMAL, help="how fast the reader's network and machine are")


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Give the tests more time where everything is made slow."""
    if config.getoption("--speed", NORMAL) != NORMAL:
        for item in items:
            item.add_marker(pytest.mark.timeout(SLOW_TEST))


@pytest.fixture(scope="session")
def browser(chromium: str) -> Iterator[Browser]:
    """A headless Chromium."""
    with sync_playwright() as playwright:
        options = ["--no-sandbox", "--disable-gpu", ONE_PROCESS, ONE_THREAD, NO_STREAMING]
        started = playwright.chromium.launch(executable_path=chromium, args=options)
        yield started
        started.close()


HUB = re.compile(r"huggingface\.co|hf\.co")
"""Where a model comes from that a reader asks for, and no other host."""


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of a running app. At the end, after whatever its readers did, it has asked no other host for
    anything but a model that a reader named."""
    connections = tmp_path_factory.mktemp("server") / "connections"
    connections.touch()
    with running_app(connections) as address:
        yield address
    asked = set(connections.read_text(encoding="utf-8").split())
    assert {host for host in asked if not HUB.search(host)} == set()


@pytest.fixture(scope="session")
def windows(browser: Browser, server: str) -> Windows:
    """The windows in which the app is visited."""
    return Windows(browser, server)


OPEN_ON_A_FINDING = ("/", "/attention")


@pytest.fixture
def speed(request: pytest.FixtureRequest) -> Speed:
    """How fast everything is: as the test's `at_every_speed` says, or else as the command line does."""
    return SPEEDS[getattr(request, "param", request.config.getoption("--speed", NORMAL))]


@pytest.fixture
def visit(windows: Windows, server: str, speed: Speed) -> Iterator[Open]:
    """Opens a page for a reader who was never here, as `visiting` does."""
    with visiting(windows, server, speed) as opens:
        yield opens


@pytest.fixture(scope="module")
def go_on(windows: Windows, server: str, pytestconfig: pytest.Config) -> Iterator[Open]:
    """Opens a page for one reader, who stays in her window for all tests of a file and goes on from link to link: that
    costs half of a visit. `follow_link` says what the page before leaves behind."""
    pages: list[Page] = []
    with visiting(windows, server, SPEEDS[pytestconfig.getoption("--speed", NORMAL)]) as opens:

        def _go_on(path: str = "/attention", *, anew: bool = False, **asked: Any) -> Page:
            """`anew` loads the page, for a session that has chosen nothing."""
            if pages:
                resize(pages[0], **{name: asked.pop(name) for name in ("width", "height", "dark") if name in asked})
                address = address_of(path, **asked)
                pages[0].goto(server + address) if anew else follow_link(pages[0], address)
            else:
                pages.append(opens(path, **asked))
            return pages[0]

        yield _go_on


@contextmanager
def visiting(windows: Windows, server: str, speed: Speed) -> Iterator[Open]:
    """Open pages. At the end no request may have gone to another host, no script of a reader have run, none of ours
    have failed."""
    elsewhere: list[str] = []
    errors: list[str] = []
    pages: list[Page] = []

    def _visit(
        path: str = "/attention",
        *,
        width: int = 1440,
        height: int = HEIGHT,
        dark: bool = False,
        finds: bool = False,
        agent: str = "",
        **choices: object,
    ) -> Page:
        page = windows.open(width=width, height=height, dark=dark, speed=speed)
        if agent:
            page.context.new_cdp_session(page).send("Emulation.setUserAgentOverride", {"userAgent": agent})
        speed.slow_down_page(page, online=True)
        page.on("pageerror", lambda error: errors.append(error.stack or str(error)))
        page.on("console", lambda said: errors.append(said.text) if REFUSED in said.text else None)
        page.on("request", lambda request: _note_foreign(request.url, elsewhere))
        page.on("websocket", lambda socket: _note_foreign(socket.url, elsewhere))
        page.goto(server + address_of(path, finds=finds, **choices))
        pages.append(page)
        return page

    yield _visit
    for page in pages:
        assert {frame.evaluate("typeof window.pwned") for frame in page.frames} == {"undefined"}
        windows.close(page)
    assert elsewhere == []
    assert errors == []


def address_of(path: str, *, finds: bool = False, **choices: object) -> str:
    """Unless it is to be found what stands out, pages that open on that open on the first head, as a map."""
    if path in OPEN_ON_A_FINDING and not finds:
        choices = {"layer": 0, "head": 0, "picture": "map"} | choices
    return path + (f"?{urlencode(choices)}" if choices else "")


@pytest.fixture
def open_file(browser: Browser, tmp_path: Path, speed: Speed) -> Iterator[OpenFile]:
    """Opens a recording from disk, as a map unless the test asks for another picture. At the end nothing but the file
    was asked for, and no error and no script ran."""
    asked: list[str] = []
    errors: list[str] = []
    pages: list[Page] = []

    def _open(
        recording: Recording,
        *,
        width: int = 1440,
        height: int = 900,
        dark: bool = False,
        touch: bool = False,
        script: str = "",
        **choices: Unpack[Choices],
    ) -> Page:
        file = tmp_path / f"viewer-{len(pages)}.html"
        file.write_text(viewer_html(recording, **{"picture": "map", **choices}), encoding="utf-8")
        context = browser.new_context(
            viewport={"width": width, "height": height},
            color_scheme="dark" if dark else "light",
            offline=True,
            has_touch=touch,
        )
        context.set_default_timeout(WAIT)
        context.add_init_script(script)
        page = context.new_page()
        speed.slow_down_page(page, online=False)
        go_to_file(page, file, asked, errors)
        pages.append(page)
        return page

    yield _open
    for page in pages:
        assert page.evaluate("typeof window.pwned") == "undefined"
        page.context.close()
    assert [address for address in asked if not address.startswith(("blob:", "data:"))] == []
    assert errors == []


def _note_foreign(url: str, elsewhere: list[str]) -> None:
    if urlsplit(url).scheme in ("http", "https", "ws", "wss") and urlsplit(url).hostname not in (
        "localhost",
        "127.0.0.1",
    ):
        elsewhere.append(url)
