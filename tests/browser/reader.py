"""What a reader does in the browser, and sees there."""

from __future__ import annotations

import re
from collections.abc import Callable
from urllib.parse import urlencode

from playwright.sync_api import Locator, Page, expect

PICTURE = ".js-plotly-plot"
WAIT = 60_000
Open = Callable[..., Page]
OpenFile = Callable[..., Page]
"""Opens a recording as the file that a reader takes away; keywords are those of `viewer_html`, and the window's."""


def shows(page: Page, text: str) -> None:
    expect(page.locator(f"{PICTURE} .gtitle").last).to_contain_text(text, timeout=WAIT)


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
