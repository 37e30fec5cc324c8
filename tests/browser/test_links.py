"""The address says all that is seen: it is kept from page to page, copied with a button, and opens the same."""

from __future__ import annotations

import re
from urllib.parse import parse_qsl, urlsplit

from playwright.sync_api import Page, expect

from tests.browser.reader import Open, go_to, in_address, type_sentence, viewer_shows
from tests.browser.waiting import WAIT, eventually

SEEN = "[data-viewer] .map-grid"


def zoomed(page: Page) -> list[float]:
    """Enlarge the map with the keyboard, and give what is seen of it once it stands in the address."""
    grid = page.locator(SEEN)
    grid.focus()
    grid.press("+")
    grid.press("+")
    expect(page).to_have_url(re.compile(r"[?&]zoom=[1-9]"), timeout=WAIT)
    return seen(page)


def seen(page: Page) -> list[float]:
    """The rows and columns that are seen of an enlarged map: the first and the last."""
    edges = eventually(
        page,
        lambda: page.locator(SEEN).get_attribute("data-seen") or "0 99",
        lambda text: float(text.split()[1]) - float(text.split()[0]) < 14,
    )
    return [float(edge) for edge in edges.split()]


def test_zoom_and_held_tokens_come_back_with_the_page_and_with_the_link(go_on: Open, visit: Open) -> None:
    page = go_on("/attention", layer=2, head=1, locked="3-5", scale="row", known="", threshold=0.05, top=3)
    viewer_shows(page, "Layer 2 · Head 1")
    wanted = zoomed(page)
    in_address(page, locked="3-5", scale="row", threshold="0.05", top="3", layer="2")
    link = page.url
    go_to(page, "Lessons")
    go_to(page, "Attention")
    for other in (page, visit("/attention", **addressed(link))):
        viewer_shows(other, "Layer 2 · Head 1")
        found = seen(other)
        assert max(abs(one - two) for one, two in zip(found, wanted, strict=True)) < 0.02
        expect(other.locator("[data-viewer] .head-map .map-notes")).to_contain_text("Shown: the 3 largest of each row.")
        in_address(other, locked="3-5", threshold="0.05")


def addressed(link: str) -> dict[str, str]:
    """The choices in an address."""
    return dict(parse_qsl(urlsplit(link).query, keep_blank_values=True))


def test_the_view_as_text_with_several_heads_opens_from_its_link(go_on: Open) -> None:
    page = go_on("/attention", layer=2, head=1, picture="text", heads="1-4", across="yes")
    viewer_shows(page, "Layer 2 · Heads 1, 4")
    in_address(page, picture="text", heads="1-4", across="yes")
    expect(page.get_by_role("button", name="Running text")).to_have_attribute("aria-pressed", "true")
    page.get_by_role("button", name="Running text").click()
    expect(page).not_to_have_url(re.compile("across="), timeout=WAIT)
    page.get_by_role("radio", name="Arcs").click()
    expect(page).not_to_have_url(re.compile("picture="), timeout=WAIT)


def test_another_sentence_begins_without_what_was_held_and_the_first_one_has_it_again(go_on: Open) -> None:
    first = "The cat sat on the mat."
    page = go_on("/attention", layer=2, head=1, text=first, locked="3-5")
    viewer_shows(page, "Layer 2 · Head 1")
    in_address(page, locked="3-5")
    type_sentence(page, "A dog ran.")
    expect(page).not_to_have_url(re.compile("locked="), timeout=WAIT)
    type_sentence(page, first)
    in_address(page, locked="3-5")


def test_a_long_text_is_copied_as_a_short_link_that_opens_it(go_on: Open, visit: Open) -> None:
    long = ("The animal didn't cross the street because it was too tired. " * 60).strip()
    page = go_on("/attention", layer=1, head=1)
    viewer_shows(page, "Layer 1 · Head 1")
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    type_sentence(page, long)
    expect(page).to_have_url(re.compile(r"[?&]link=[0-9a-f]{16}"), timeout=WAIT)
    page.get_by_role("button", name="Copy link").click()
    expect(page.get_by_text("The link is copied.")).to_be_visible(timeout=WAIT)
    link = page.evaluate("navigator.clipboard.readText()")
    assert link == page.url
    assert len(link) < 300
    other = visit("/attention", **addressed(link))
    expect(other.get_by_role("textbox", name="Sentence A")).to_have_value(long.strip(), timeout=WAIT)


def test_a_link_that_the_server_does_not_know_is_said(go_on: Open) -> None:
    page = go_on("/attention", link="0123456789abcdef", layer=1, head=1)
    expect(page.get_by_text("this server does not know it")).to_be_visible(timeout=WAIT)
