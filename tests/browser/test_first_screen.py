"""The picture comes first: on the first screen of a laptop with its readout, on that of a telephone with its top."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from tests.browser.reader import PICTURE, Open
from tests.browser.waiting import at_rest, box_of, eventually
from tests.ui.test_pages import OPENS_WITH
from ui.state.navigation import PAGES

LAPTOP, TELEPHONE = (1366, 768), (390, 844)
FIGURE_TOP = 420
"""Pixels of a laptop's 768 above which the first picture of every page begins."""
TELEPHONE_TOP = 700
PATHS = {"Home": "/"} | {page.title: f"/{page.path[6:-3]}" for page in PAGES if page.title != "Home"}
PICTURED = [title for title in PATHS if title in OPENS_WITH]
OF_A_MAP = {"Home": "/", "Attention": "/attention"}
"""Pages that open on a map with its readout."""


def opened(visit: Open, path: str, size: tuple[int, int]) -> Page:
    page = visit(path, width=size[0], finds=True)
    page.set_viewport_size({"width": size[0], "height": size[1]})
    page.locator(f"{PICTURE}, .map-grid canvas, .token-stage").first.wait_for()
    at_rest(page)
    return page


def ends(page: Page, place: str) -> tuple[float, float]:
    """The top and the bottom of the highest of these places that is seen; far away while none is."""
    boxes: list[list[float]] = page.locator(place).evaluate_all(
        "nodes => nodes.map(node => node.getBoundingClientRect()).map(box => [box.top, box.bottom])"
    )
    return min(((top, bottom) for top, bottom in boxes if bottom - top > 40), default=(1e6, 1e6))


@pytest.mark.parametrize("title", PICTURED)
def test_the_picture_of_every_page_begins_on_the_first_screen_of_a_laptop(visit: Open, title: str) -> None:
    page = opened(visit, PATHS[title], LAPTOP)
    eventually(page, lambda: ends(page, f"{PICTURE}, .map-grid")[0], lambda top: 0 < top <= FIGURE_TOP)


@pytest.mark.parametrize("title", OF_A_MAP)
def test_a_map_and_its_readout_are_on_one_screen_of_a_laptop(visit: Open, title: str) -> None:
    page = opened(visit, PATHS[title], LAPTOP)
    for place in (".map-grid", ".viewer .readout"):
        eventually(page, lambda place=place: ends(page, place)[1], lambda bottom: bottom <= LAPTOP[1])
    eventually(page, lambda: ends(page, ".map-grid"), lambda found: found[1] - found[0] > 300)


@pytest.mark.parametrize("title", OF_A_MAP)
def test_on_a_telephone_the_map_begins_on_the_first_screen(visit: Open, title: str) -> None:
    page = opened(visit, PATHS[title], TELEPHONE)
    eventually(page, lambda: ends(page, ".map-grid")[0], lambda top: 0 < top <= TELEPHONE_TOP)


def test_what_asks_is_one_line_and_what_is_seldom_turned_is_behind_more(visit: Open) -> None:
    page = opened(visit, "/attention", LAPTOP)
    line = [
        page.get_by_role("textbox", name="Sentence A"), page.get_by_role("button", name="Show", exact=True),
        page.get_by_role("combobox", name="Model"), page.locator(".st-key-ask").get_by_test_id("stPopover").last,
    ]  # fmt: skip
    boxes = [box_of(each) for each in line]
    middles = [box["y"] + box["height"] / 2 for box in boxes]
    assert max(middles) - min(middles) < 12
    for hidden in ("Device", "Sentence B (optional)"):
        expect(page.get_by_label(hidden).first).to_be_hidden()
    line[-1].get_by_role("button").first.click()
    for shown in ("Device", "Sentence B (optional)"):
        expect(page.get_by_label(shown).first).to_be_visible()
    for name in ("Special tokens", "Strongest of a row", "Scale"):
        expect(page.get_by_role("combobox", name=name)).to_be_hidden()
