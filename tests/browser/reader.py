"""What a reader does in the browser, and sees there."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from urllib.parse import urlencode

from playwright.sync_api import Download, Locator, Page, expect

PICTURE = ".js-plotly-plot:visible"
"""While a page draws itself anew, Streamlit keeps the picture of before, invisible, beside the one that replaces it."""
WAIT = 60_000
Open = Callable[..., Page]
OpenFile = Callable[..., Page]
"""Opens a recording as the file that a reader takes away; keywords are those of `viewer_html`, and the window's."""


_AT_REST = """() => {
  const app = document.querySelector("[data-test-script-state]");
  const drawn = app?.dataset.testScriptState === "notRunning" && !document.querySelector("[data-stale=true]");
  window.atRestSince = drawn ? (window.atRestSince ?? performance.now()) : undefined;
  return drawn && performance.now() - window.atRestSince > 500;
}"""


def at_rest(page: Page) -> None:
    """Wait until nothing is drawn anew. Call it before a place on the page is measured, pointed at or clicked: a page
    is drawn once more when its width is known, and what stood at a place may stand elsewhere then."""
    page.wait_for_function(_AT_REST, timeout=WAIT)


def shows(page: Page, text: str) -> None:
    expect(page.locator(f"{PICTURE} .gtitle").last).to_contain_text(text, timeout=WAIT)


def titled(page: Page, text: str) -> None:
    """Wait for a picture with that title."""
    expect(page.locator(f"{PICTURE} .gtitle").filter(has_text=text).first).to_be_visible(timeout=WAIT)


def download(page: Page, button: str) -> Download:
    """Press the first button whose name begins so, and wait for the file."""
    at_rest(page)
    with page.expect_download(timeout=WAIT) as waiting:
        page.get_by_role("button", name=button).first.click()
    return waiting.value


def downloaded_lines(page: Page, button: str) -> list[str]:
    """The lines of a table that a button gives."""
    return Path(download(page, button).path()).read_text(encoding="utf-8-sig").splitlines()


def downloaded_picture(page: Page) -> str:
    """The name of the file that the first picture is saved as, by the button that it shows under the pointer."""
    at_rest(page)
    page.locator(PICTURE).first.hover()
    return download(page, "Download plot as a PNG").suggested_filename


def fits_a_telephone(page: Page) -> None:
    """Wait until the first and the last picture fit a page of 390 px; nothing reaches over its edge then."""
    for picture in (page.locator(PICTURE).first, page.locator(PICTURE).last):
        expect(picture.locator("svg.main-svg").first).to_have_css("width", re.compile(r"^(2\d|3[0-5])\d"), timeout=WAIT)
    nothing_sticks_out(page)


def nothing_sticks_out(page: Page) -> None:
    """Once it is at rest, nothing reaches over the edge of a page of 390 px."""
    at_rest(page)
    assert page.evaluate("document.documentElement.scrollWidth") <= 390


def viewer_shows(page: Page, title: str) -> Locator:
    """Wait until the viewer has drawn the exact numbers of a head; gives its element."""
    found = page.locator(".viewer", has=page.locator(".title", has_text=title))
    expect(found).to_have_attribute("data-painted", re.compile("exact$"), timeout=WAIT)
    return found


def readout(page: Page) -> str:
    """What the viewer says of the cell under the pointer or the focus."""
    return page.locator(".viewer .readout").inner_text()


def in_address(page: Page, **choices: str) -> None:
    """Wait until the address holds the choices."""
    for name, value in choices.items():
        wanted = re.compile(re.escape(urlencode({name: value})) + r"(&|$)")
        expect(page).to_have_url(wanted, timeout=WAIT)


def type_sentence(page: Page, text: str) -> None:
    page.get_by_role("textbox", name="Sentence A").fill(text)
    page.get_by_role("textbox", name="Sentence A").press("Enter")
