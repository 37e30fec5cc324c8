"""Windows that are used again: what the browser has loaded and compiled stays, what a page has stored does not.

Every visit of a test is that of a new reader, but to load and compile Streamlit anew takes seconds of a processor.
"""

from __future__ import annotations

from playwright.sync_api import Browser, BrowserContext, Page

from tests.browser.speed import Speed
from tests.browser.waiting import WAIT, WATCH

ONE_PROCESS = "--renderer-process-limit=1"
"""For the browser: all pages of a window share a process, and with it what is compiled."""
ONE_THREAD = "--js-flags=--single-threaded"
"""For the browser: no other threads compile scripts and collect garbage ahead of time, for pages that soon close."""
NO_STREAMING = "--disable-features=ScriptStreaming,PaintHolding"
"""For the browser: scripts that are compiled already are not parsed once more while they come, a seventh of a visit.
Playwright switches features off, too, and the last list counts: of its own, holding back the first paint matters."""
HEIGHT = 1200
EMPTY = "/_stcore/health"
"""A page of the server on which nothing runs."""
STILL = """() => {
  const sheet = new CSSStyleSheet();
  sheet.replaceSync("*, *::before, *::after { animation: none !important; transition: none !important }");
  document.adoptedStyleSheets.push(sheet);
}"""
"""For a new page: nothing is moved by its style sheets, which without a graphics card costs a fifth of a visit."""
STORED = "cookies,local_storage,indexeddb,file_systems,cache_storage,service_workers"
"""What a page can leave behind; `sessionStorage` ends with its tab."""


def resize(page: Page, *, width: int = 1440, height: int = HEIGHT, dark: bool = False) -> None:
    """Give a page the size of a window and the colours that its reader prefers."""
    if page.viewport_size != {"width": width, "height": height}:
        page.set_viewport_size({"width": width, "height": height})
    page.emulate_media(color_scheme="dark" if dark else "light")


class Windows:
    """The windows of one browser that look at one server. A window belongs to one visit at a time."""

    def __init__(self, browser: Browser, server: str) -> None:
        self._browser, self._server = browser, server
        self._free: list[BrowserContext] = []
        self._kept: dict[BrowserContext, Page] = {}

    def open(self, *, width: int, height: int = HEIGHT, dark: bool, speed: Speed) -> Page:
        """An empty page for a reader who was never here. Where the network is slow, everything is loaded anew."""
        window = self._new(speed) if speed != Speed() else self._free.pop() if self._free else self._new_to_keep()
        page = window.new_page()
        resize(page, width=width, height=height, dark=dark)
        return page

    def close(self, page: Page) -> None:
        """Close a page and all others that were opened beside it, and forget what they stored."""
        window = page.context
        if window not in self._kept:
            window.close()
            return
        kept = self._kept[window]
        for each in window.pages:
            if each != kept:
                each.close()
        inspector = window.new_cdp_session(kept)
        inspector.send("Storage.clearDataForOrigin", {"origin": self._server, "storageTypes": STORED})
        inspector.detach()
        self._free.append(window)

    def _new_to_keep(self) -> BrowserContext:
        """A window with a page that stays open, and its process with it."""
        window = self._new(Speed())
        self._kept[window] = window.new_page()
        self._kept[window].goto(self._server + EMPTY)
        return window

    def _new(self, speed: Speed) -> BrowserContext:
        window = self._browser.new_context(viewport={"width": 1440, "height": HEIGHT})
        window.set_default_timeout(WAIT)
        speed.slow_down(window)
        window.add_init_script(f"({WATCH})();\n({STILL})()")
        return window
