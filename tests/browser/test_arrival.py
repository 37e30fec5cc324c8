"""A page that arrives: what would jump when the script of an element is here waits for it, and no longer."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, Route, expect

from tests.browser.reader import Open, go_to
from tests.browser.waiting import WAIT, at_rest

MENU, CHART = "**/static/js/Selectbox.*.js", "**/static/js/PlotlyChart.*.js"
PICTURE = ".st-key-living_picture"
STYLES_OF_MENUS = """() => [...document.querySelectorAll("style")].filter(
  (style) => style.textContent.includes("data-react-aria-pressable")
).length"""


def opened_without(visit: Open, script: str) -> tuple[Page, list[Route]]:
    """Home, and the requests for a script that it waits for."""
    held: list[Route] = []
    page = visit("/_stcore/health")

    def hold(route: Route) -> None:
        held.append(route)

    page.route(script, hold)
    page.goto(page.url.replace("/_stcore/health", "/"), wait_until="commit")
    return page, held


def test_what_follows_an_element_that_is_still_to_come_is_seen_with_it(visit: Open) -> None:
    page, held = opened_without(visit, MENU)
    expect(page.get_by_role("heading", level=1)).to_be_visible(timeout=WAIT)
    expect(page.locator(PICTURE)).to_have_css("visibility", "hidden", timeout=WAIT)
    for route in held:
        route.continue_()
    expect(page.locator(PICTURE)).to_have_css("visibility", "visible", timeout=WAIT)


@pytest.mark.parametrize(
    "go_on",
    [
        pytest.param(lambda page: page.keyboard.press("Tab"), id="a key"),
        pytest.param(lambda page: page.mouse.click(5, 300), id="the pointer"),
        pytest.param(lambda page: page.evaluate("() => (document.adoptedStyleSheets = [])"), id="time"),
    ],
)
def test_it_waits_no_longer_than_a_reader_does(visit: Open, go_on: Callable[[Page], object]) -> None:
    """The style of the tests, which stops whatever moves, stops the time, too."""
    page, _ = opened_without(visit, MENU)
    expect(page.locator(PICTURE)).to_have_css("visibility", "hidden", timeout=WAIT)
    go_on(page)
    expect(page.locator(PICTURE)).to_have_css("visibility", "visible", timeout=WAIT)


def test_the_next_page_arrives_as_the_first_one(visit: Open) -> None:
    page, held = opened_without(visit, CHART)
    at_rest(page)
    page.keyboard.press("Tab")
    go_to(page, "Masked words")
    after = page.get_by_test_id("stElementContainer").last
    expect(after).to_have_css("visibility", "hidden", timeout=WAIT)
    for route in held:
        route.continue_()
    expect(after).to_have_css("visibility", "visible", timeout=WAIT)


def test_fonts_are_taken_once(visit: Open) -> None:
    """A browser takes all of them anew when React Aria puts its style in front of the others: the page brings it."""
    page = visit("/")
    at_rest(page)
    expect(page.locator("[data-react-aria-pressable]").first).to_be_visible()
    assert "[data-react-aria-pressable]" in page.request.get(page.url, headers={"Accept": "text/html"}).text()
    assert page.evaluate(STYLES_OF_MENUS) == 1
