"""Words of the glossary open where they stand: by click, by finger and by keyboard; the focus goes back."""

from __future__ import annotations

from playwright.sync_api import Locator, Page, expect

from tests.browser.reader import Open, OpenFile, viewer_shows
from tests.browser.waiting import at_rest, becomes, box_of
from tests.ui.widgets.test_words import OF_THE_VIEWER
from viz.kit.demos.records import random_record, recording_of, tokens_of
from viz.kit.glossary import entry, slug

TEXT = "[CLS] play ##ing [SEP]"


def entry_on_show(page: Page) -> Locator:
    return page.locator("[popover][role=dialog]:popover-open")


def focus_is_on(page: Page, word: str) -> None:
    """Wait until a button or a link of that word has the focus, in the page or in a component."""
    focused = "() => { const at = document.activeElement; return (at.shadowRoot?.activeElement ?? at).outerHTML; }"
    becomes(page, lambda: f"word-{word}" in (html := page.evaluate(focused)) or f'data-word="{word}"' in html, True)


def test_a_word_in_prose_opens_by_click_and_by_keyboard_and_nothing_of_the_page_is_lost(visit: Open) -> None:
    page = visit("/", dark=True)
    viewer_shows(page, "Layer 0 · Head 0")
    at_rest(page)
    address = page.url
    word = page.locator('a[href="#word-head"]').first
    word.click()
    expect(entry_on_show(page)).to_contain_text(entry("head").meaning)
    box = box_of(entry_on_show(page))
    assert box["x"] >= 0
    assert box["x"] + box["width"] <= 1440
    page.keyboard.press("Escape")
    expect(entry_on_show(page)).to_have_count(0)
    focus_is_on(page, "head")
    page.keyboard.press("Enter")
    expect(entry_on_show(page)).to_contain_text(entry("head").formula)
    page.mouse.click(5, 1000)
    expect(entry_on_show(page)).to_have_count(0)
    assert page.url == address


def test_a_finger_opens_a_word_on_a_telephone_within_the_window(open_file: OpenFile) -> None:
    page = open_file(recording_of(random_record(tokens=tokens_of(TEXT))), width=390, touch=True)
    page.locator(".viewer .title .word").last.tap()
    expect(entry_on_show(page)).to_contain_text(entry("head").meaning)
    box = box_of(entry_on_show(page))
    assert box["x"] >= 0
    assert box["x"] + box["width"] <= 390


def test_every_word_of_the_viewer_opens_where_it_stands(open_file: OpenFile) -> None:
    page = open_file(recording_of(random_record(tokens=tokens_of(TEXT))))
    for word in OF_THE_VIEWER:
        page.locator(f'.viewer [data-word="{slug(word)}"]').first.focus()
        page.keyboard.press("Enter")
        expect(entry_on_show(page)).to_have_count(1)
        expect(entry_on_show(page).locator("strong")).to_have_text(word)
        expect(entry_on_show(page)).to_contain_text(entry(word).meaning)
        page.keyboard.press("Escape")
        focus_is_on(page, slug(word))
