"""The picture comes first: on the first screen of a laptop with its readout, on that of a telephone with its top."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from tests.browser.reader import (
    PICTURE,
    Open,
    fits_a_telephone,
    no_button_covers_a_title,
    nothing_sticks_out,
    turn_to_picture,
)
from tests.browser.test_keyboard_and_zoom import keeps_its_word
from tests.browser.test_layout_shift import TELEPHONE as TELEPHONE_SAYS
from tests.browser.test_layout_shift import opened_without_a_jump
from tests.browser.waiting import WAIT, at_rest, box_of, eventually
from tests.ui.test_pages import OPENS_WITH
from ui.state.navigation import PAGES

LAPTOP, TELEPHONE = (1366, 768), (390, 844)
WIDTHS = (1366, 1024, 820, 768, 320)
FIGURE_TOP = 440
"""Pixels of a laptop's 768 above which the first picture of every page begins."""
TELEPHONE_TOP = 700
PATHS = {"Home": "/"} | {page.title: f"/{page.path[6:-3]}" for page in PAGES if page.title != "Home"}
PICTURED = [title for title in PATHS if title in OPENS_WITH]
OF_ARCS = {"Home": "/", "Attention": "/attention"}
"""Pages that open on the arcs over the sentence."""
OF_TWO_SENTENCES = {"Positions"}
"""Pages that open on arcs over two sentences, and on no picture of plotly's."""
WITH_A_FORM = {"Masked words", "Next sentence"}
"""Pages whose sentences stand in a form with a button; that of the map has a test of its own."""
NAMES_A_MODEL = {"Masked words", "BERT and GPT", "Translation"}
"""Pages whose models have the longest names."""
SAYS_TELEPHONE = {"Step by step", "Switchboard"}
"""Pages that are opened by a browser that says it is a telephone's, and not only by its width: they begin otherwise."""
WORKS_LONG = {"Explanations"}
"""Pages that ask their model so often before they have a picture that they are opened with the smallest."""

FREE_BESIDE_NAVIGATION = """() => {
  const seen = (node) => node.checkVisibility({ visibilityProperty: true });
  const links = document.querySelectorAll('[data-testid="stTopNavLink"], [data-testid="stTopNavSection"]');
  const ends = [...links].filter(seen).map((node) => node.getBoundingClientRect().right);
  const menu = [...document.querySelectorAll("[class*=st-key-headlight_language]")].at(-1);
  return menu.getBoundingClientRect().left - Math.max(0, ...ends);
}"""
"""Pixels between the navigation and the menu of languages."""
CUT_NAME = """(field) => {
  const style = getComputedStyle(field);
  const pen = document.createElement("canvas").getContext("2d");
  pen.font = style.font;
  const room = field.clientWidth - parseFloat(style.paddingLeft) - parseFloat(style.paddingRight);
  return pen.measureText(field.value.split("  ")[0]).width - room;
}"""
"""Pixels by which the name of a model is longer than its field."""
SIDEWAYS = """() => {
  const main = document.querySelector('[data-testid="stMain"]');
  return main.scrollWidth - main.clientWidth;
}"""
"""Pixels by which a page can be scrolled sideways."""


def opened_on_a_telephone(visit: Open, title: str) -> Page:
    """Open a page on which nothing jumps while it loads."""
    choices = {"model": "mini-bert"} if title in WORKS_LONG else {"atlas": "measures"} if title == "Head atlas" else {}
    width, height = TELEPHONE
    agent = TELEPHONE_SAYS if title in SAYS_TELEPHONE else ""
    page = opened_without_a_jump(
        lambda: visit(PATHS[title], width=width, height=height, agent=agent, dark=True, finds=True, **choices)
    )
    first = page.locator(f"{PICTURE}, .map-grid canvas:visible, .arcs-stage canvas:visible").first
    expect(first).to_be_visible(timeout=WAIT)  # says what is there instead
    at_rest(page)
    return page


def put_on_a_laptop(page: Page) -> None:
    page.set_viewport_size({"width": LAPTOP[0], "height": LAPTOP[1]})
    at_rest(page)


def ends(page: Page, place: str) -> tuple[float, float]:
    """The top and the bottom of the highest of these places that is seen; far away while none is."""
    boxes: list[list[float]] = page.locator(place).evaluate_all(
        "nodes => nodes.map(node => node.getBoundingClientRect()).map(box => [box.top, box.bottom])"
    )
    return min(((top, bottom) for top, bottom in boxes if bottom - top > 40), default=(1e6, 1e6))


def names_have_room(page: Page) -> None:
    """Wait until the names of the models that are chosen are shorter than their fields."""
    for field in page.locator(":is(.st-key-model, .st-key-causal_model) input").all():
        eventually(page, lambda field=field: field.evaluate(CUT_NAME), lambda too_long: too_long <= 0)


@pytest.mark.parametrize("title", [title for title in PICTURED if title not in OF_ARCS])
def test_pictures_fit_a_telephone_and_begin_on_the_first_screen_of_a_laptop(visit: Open, title: str) -> None:
    page = opened_on_a_telephone(visit, title)
    if title in OF_TWO_SENTENCES:
        nothing_sticks_out(page)
    else:
        fits_a_telephone(page)
    no_button_covers_a_title(page)
    if title in NAMES_A_MODEL:
        names_have_room(page)
    if title in WITH_A_FORM:
        keeps_its_word(page, 390, 683, 720)
    put_on_a_laptop(page)
    eventually(page, lambda: ends(page, f"{PICTURE}, .map-grid, .arcs-stage")[0], lambda top: 0 < top <= FIGURE_TOP)
    no_button_covers_a_title(page)
    if title in NAMES_A_MODEL:
        names_have_room(page)


def arcs_are_in_sight(page: Page) -> None:
    """Wait until arcs are on the first screen of a telephone, and with their words on that of a laptop."""
    eventually(page, lambda: ends(page, ".arcs-stage")[0], lambda top: 0 < top <= TELEPHONE_TOP)
    nothing_sticks_out(page)
    for canvas in page.locator(".viewer canvas:visible").all():
        eventually(page, lambda canvas=canvas: box_of(canvas), lambda box: 0 <= box["x"] <= 390 - box["width"])
    put_on_a_laptop(page)
    eventually(page, lambda: ends(page, ".arcs-stage")[0], lambda top: 0 < top <= FIGURE_TOP)
    eventually(page, lambda: ends(page, ".arcs-stage")[1], lambda bottom: bottom <= LAPTOP[1])
    eventually(page, lambda: box_of(page.locator(".arcs-said")), lambda box: box["y"] + box["height"] <= LAPTOP[1])
    eventually(page, lambda: ends(page, ".arcs-stage"), lambda found: found[1] - found[0] > 150)


def test_home_begins_with_arcs_at_every_size_and_its_menus_stand_beside_each_other(visit: Open) -> None:
    page = opened_on_a_telephone(visit, "Home")
    arcs_are_in_sight(page)
    page.set_viewport_size({"width": LAPTOP[0] * 2 // 3, "height": LAPTOP[1] * 2 // 3})  # as at a large zoom
    at_rest(page)
    eventually(page, lambda: ends(page, ".arcs-stage")[0], lambda top: 0 < top <= LAPTOP[1] // 2)
    the_language_menu_stands_beside_the_navigation(page)
    the_menu_of_a_telephone_closes_after_a_choice(page)


def test_the_map_begins_with_arcs_what_asks_is_one_line_and_its_button_keeps_its_word(visit: Open) -> None:
    page = opened_on_a_telephone(visit, "Attention")
    arcs_are_in_sight(page)
    keeps_its_word(page, 720, 683, 390)
    put_on_a_laptop(page)
    turn_to_picture(page, "Map")
    at_rest(page)
    what_asks_is_one_line_and_what_is_seldom_turned_is_behind_more(page)


def what_asks_is_one_line_and_what_is_seldom_turned_is_behind_more(page: Page) -> None:
    line = [
        page.get_by_role("textbox", name="Sentence A"),
        page.get_by_role("button", name="Show", exact=True),
        page.get_by_role("combobox", name="Model"),
        page.locator(".st-key-ask").get_by_test_id("stPopover").last,
    ]
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


def the_menu_of_a_telephone_closes_after_a_choice(page: Page) -> None:
    page.set_viewport_size({"width": TELEPHONE[0], "height": TELEPHONE[1]})
    at_rest(page)
    page.get_by_test_id("stExpandSidebarButton").click()
    menu = page.get_by_test_id("stSidebarNavLink").filter(has_text="Positions")
    expect(menu).to_be_in_viewport(timeout=WAIT)
    menu.click()
    expect(page.get_by_role("heading", name="Positions").first).to_be_visible(timeout=WAIT)
    expect(menu).not_to_be_in_viewport(timeout=WAIT)


def the_language_menu_stands_beside_the_navigation(page: Page) -> None:
    for width in WIDTHS:
        page.set_viewport_size({"width": width, "height": LAPTOP[1]})
        at_rest(page)
        eventually(
            page,
            lambda width=width: {width: [page.evaluate(pixels) for pixels in (FREE_BESIDE_NAVIGATION, SIDEWAYS)]},
            lambda found, width=width: found[width][0] >= 0 and found[width][1] == 0,
        )
