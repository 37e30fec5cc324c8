"""Whoever uses the keyboard, a finger or an enlarged page reaches and reads the same."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from tests.browser.reader import PICTURE, Open, OpenFile, viewer_shows
from tests.browser.test_viewer_map import HeadMap
from tests.browser.test_viewer_theme import GROUND_OF_PAGE, rgb
from tests.browser.waiting import WAIT, at_rest, becomes, box_of
from viz.kit.demos.records import SENTENCE, random_record, recording_of, tokens_of
from viz.kit.theme import DARK, LIGHT

FOCUSED = """() => {
  let node = document.activeElement;
  while (node?.shadowRoot?.activeElement) node = node.shadowRoot.activeElement;
  return node;
}"""


CUT = """(node) => {
  const range = document.createRange();
  range.selectNodeContents(node);
  const text = range.getBoundingClientRect();
  const found = text.width > 20 && text.height < 40 ? [] : [`the word is ${text.width} x ${text.height}`];
  if (node.scrollWidth > node.clientWidth + 1) found.push(`${node.scrollWidth} in ${node.clientWidth}`);
  for (let box = node; box && box.tagName !== "FORM"; box = box.parentElement) {
    const seen = box.getBoundingClientRect();
    const cuts = getComputedStyle(box).overflowX !== "visible" || box.tagName === "BUTTON";
    if (cuts && (text.left < seen.left - 1 || text.right > seen.right + 1))
      found.push(`${text.left} to ${text.right} in ${box.tagName}, ${seen.left} to ${seen.right}`);
  }
  return found;
}"""
"""What cuts the word of an element off, or breaks it."""


def tab_into_the_content(page: Page) -> None:
    """Press Tab until the focus has left the navigation."""
    page.keyboard.press("Tab")
    for _ in range(40):
        if page.evaluate(
            "document.activeElement?.closest('[data-testid=stMain] [data-testid=stMainBlockContainer]') !== null"
        ):
            return
        page.keyboard.press("Tab")
    raise AssertionError("No Tab stop lies in the content of the page.")


def focused_text(page: Page) -> str:
    return str(page.evaluate(f"({FOCUSED})().textContent"))


def test_the_first_stop_of_the_content_skips_to_the_viewer(go_on: Open) -> None:
    page = go_on("/", anew=True)
    viewer_shows(page, "Layer 0 · Head 0")
    at_rest(page)
    tab_into_the_content(page)
    assert focused_text(page) == "Skip to the picture"
    link = page.get_by_role("link", name="Skip to the picture")
    box = box_of(link)
    assert min(box["width"], box["height"]) > 20  # it is seen while it has the focus
    page.keyboard.press("Enter")
    expect(page.locator(".viewer .map-grid")).to_be_focused()
    page.keyboard.press("ArrowRight")
    expect(page.locator(".viewer .readout .reading")).to_contain_text("1 · the → 2 · animal")


def test_the_first_stop_of_the_content_skips_to_a_figure(go_on: Open) -> None:
    page = go_on("/positions", anew=True, scheme="learned")
    page.locator(PICTURE).first.wait_for(timeout=WAIT)
    at_rest(page)
    tab_into_the_content(page)
    page.keyboard.press("Enter")
    expect(page.locator(PICTURE).first).to_be_focused()


def test_the_first_stop_of_the_content_skips_to_arcs_over_two_sentences(go_on: Open) -> None:
    page = go_on("/positions", anew=True)
    expect(page.locator(".compared-arcs .arcs-said").first).to_contain_text("looks at", timeout=WAIT)
    at_rest(page)
    tab_into_the_content(page)
    page.keyboard.press("Enter")
    expect(page.locator(".compared-arcs").first.locator(":focus")).to_have_count(1)


def test_the_focus_in_the_navigation_is_seen(go_on: Open) -> None:
    page = go_on("/lessons")
    for width, stop in ((1440, "stTopNavLink"), (720, "stSidebarNavLink")):
        page.set_viewport_size({"width": width, "height": 1200})
        at_rest(page)
        if width == 720:
            page.get_by_test_id("stExpandSidebarButton").click()
        links = page.get_by_test_id(stop)
        for scheme, palette in (("light", LIGHT), ("dark", DARK)):
            page.emulate_media(color_scheme=scheme)
            becomes(page, lambda: page.evaluate(GROUND_OF_PAGE), rgb(palette.ground))
            at_rest(page)
            expect(links.nth(1)).to_be_visible()
            links.first.focus()
            page.keyboard.press("Tab")
            expect(links.nth(1)).to_be_focused()
            expect(links.nth(1)).to_have_css("outline-style", "solid")
            expect(links.nth(1)).to_have_css("outline-width", "3px")


def keeps_its_word(page: Page, *widths: int) -> None:
    """Wait until the word of the form's button is seen as a whole, at each of these widths of the window."""
    word = page.get_by_test_id("stFormSubmitButton").get_by_text("Show")
    for width in widths:
        page.set_viewport_size({"width": width, "height": 1200})
        expect(word).to_be_visible(timeout=WAIT)
        at_rest(page)
        becomes(page, lambda: word.evaluate(CUT), [])


@pytest.mark.parametrize(
    ("path", "words"),
    [
        ("what_attention_costs", ["Play"]),
        ("translation", ["Back", "Next"]),
        ("training_lab?lab=over-time", ["Play", "Train"]),
    ],
)
def test_what_stands_beside_a_slider_or_a_sentence_keeps_its_word_on_a_tablet(
    go_on: Open, path: str, words: list[str]
) -> None:
    page = go_on(f"/{path}", width=768)
    at_rest(page)
    for name in words:
        word = page.get_by_test_id("stMain").get_by_role("button", name=name).or_(page.get_by_role("radio", name=name))
        becomes(page, lambda word=word, name=name: word.first.get_by_text(name, exact=True).evaluate(CUT), [])


def test_after_a_tap_the_hint_says_what_a_finger_can_do(open_file: OpenFile) -> None:
    record = random_record(tokens=tokens_of(SENTENCE))
    page = open_file(recording_of(record), height=1000, width=390, touch=True)
    shown = HeadMap(page, record)
    shown.grid.scroll_into_view_if_needed()
    page.touchscreen.tap(*shown.place(3, 4))
    shown.expect_weight(3, 4)
    hint = page.locator(".viewer .map-hint")
    expect(hint.locator(".map-pointing")).to_contain_text("Tap a token")
    expect(hint.locator(".map-keys")).to_be_hidden()
    expect(page.locator(".viewer .overview .hint")).to_contain_text("Tap one.")
    page.keyboard.press("ArrowRight")
    shown.expect_weight(3, 5)
    expect(hint.locator(".map-keys")).to_be_visible()
