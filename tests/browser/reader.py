"""What a reader does in the browser, and sees there."""

from __future__ import annotations

import re
from collections.abc import Callable
from urllib.parse import urlencode

from playwright.sync_api import Page, expect

PICTURE = ".js-plotly-plot"
WAIT = 60_000
Open = Callable[..., Page]


def shows(page: Page, text: str) -> None:
    expect(page.locator(f"{PICTURE} .gtitle").last).to_contain_text(text, timeout=WAIT)


def in_address(page: Page, **choices: str) -> None:
    """Wait until the address holds the choices."""
    for name, value in choices.items():
        wanted = re.compile(re.escape(urlencode({name: value})) + r"(&|$)")
        expect(page).to_have_url(wanted, timeout=WAIT)


def type_sentence(page: Page, text: str) -> None:
    page.get_by_label("Sentence A").fill(text)
    page.get_by_label("Sentence A").press("Enter")
