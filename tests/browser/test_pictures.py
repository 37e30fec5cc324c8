"""What all pictures share in the browser: they are written in the font of the page, and no button covers their text."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect

from tests.browser.reader import PICTURE, WAIT, Open, at_rest

WITH_PICTURES = ("/masked_words", "/positions", "/translation?translation=alignment")
"""Pictures side by side, with long titles, and wider than a telephone."""
COVERED = """() => [...document.querySelectorAll(".js-plotly-plot")].flatMap((one) => {
  const bar = one.querySelector(".modebar").getBoundingClientRect();
  return [...one.querySelectorAll("svg.main-svg text")].filter((text) => {
    const {left, right, top, bottom, width} = text.getBoundingClientRect();
    return width && right > bar.left && left < bar.right && bottom > bar.top + 1 && top < bar.bottom - 1;
  }).map((text) => text.textContent);
})"""
"""The texts of all pictures that their tool bars overlap."""


@pytest.fixture(scope="module")
def telephone(browser: Browser) -> Iterator[BrowserContext]:
    """A small screen that is touched, where nothing points: plotly shows its tool bar all the time."""
    context = browser.new_context(viewport={"width": 390, "height": 844}, has_touch=True, is_mobile=True)
    context.set_default_timeout(WAIT)
    yield context
    context.close()


def covered(page: Page) -> list[str]:
    """The texts that a tool bar covers, once the page is drawn."""
    page.locator(PICTURE).first.wait_for()
    page.wait_for_function("() => document.querySelector('.js-plotly-plot .modebar-btn')")
    at_rest(page)
    return list(page.evaluate(COVERED))


def whole(page: Page) -> None:
    """The button that saves the first picture is there to be pressed, and nothing cuts it off."""
    save = page.locator(PICTURE).first.get_by_role("button", name="Download plot as a PNG")
    save.scroll_into_view_if_needed()
    expect(save).to_be_in_viewport(ratio=0.9, timeout=WAIT)
    save.click(trial=True)


@pytest.mark.parametrize("path", WITH_PICTURES)
def test_no_button_covers_a_text_of_a_picture(path: str, visit: Open) -> None:
    page = visit(path)
    assert covered(page) == []
    page.locator(PICTURE).first.hover()
    whole(page)


def test_nor_on_a_telephone_where_the_one_that_saves_it_can_be_touched(telephone: BrowserContext, server: str) -> None:
    for path in WITH_PICTURES:
        page = telephone.new_page()
        page.goto(f"{server}{path}")
        assert covered(page) == []
        whole(page)
        page.close()


def test_a_picture_is_written_in_the_font_of_the_page(visit: Open) -> None:
    page = visit("/masked_words")
    at_rest(page)
    written = [page.locator(where).first for where in ("h1", f"{PICTURE} .gtitle", f"{PICTURE} .ytick text")]
    families = {one.evaluate("node => getComputedStyle(node).fontFamily") for one in written}
    assert len(families) == 1
    inspector = page.context.new_cdp_session(page)
    inspector.send("DOM.enable")
    inspector.send("CSS.enable")
    root = inspector.send("DOM.getDocument")["root"]["nodeId"]
    fonts = set()
    for selector in ("h1", ".js-plotly-plot .gtitle"):
        node = inspector.send("DOM.querySelector", {"nodeId": root, "selector": selector})["nodeId"]
        rendered = inspector.send("CSS.getPlatformFontsForNode", {"nodeId": node})["fonts"]
        fonts |= {font["familyName"] for font in rendered}
        assert all(font["isCustomFont"] for font in rendered)  # brought along by Streamlit, not one of this machine
    assert len(fonts) == 1
