"""A sentence that is typed and not yet shown stays typed when the page is changed (review C3)."""

from __future__ import annotations

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.browser.reader import Open, go_to, in_address, viewer_shows
from tests.browser.waiting import at_rest, press_until

TYPED, CHOSEN = "My dog loves pizza.", "The cat sat on the mat."
WIDTHS = (1366, 1440)
"""A page that is wider than the app assumes is drawn twice."""


@pytest.mark.parametrize("width", WIDTHS)
def test_a_typed_sentence_is_kept_from_page_to_page_and_shown_when_it_is_sent(visit: Open, width: int) -> None:
    page = visit("/attention", width=width)
    at_rest(page)
    _field(page).fill(TYPED)
    go_to(page, "Masked words")  # which opens with another sentence
    expect(_field(page)).to_have_value(TYPED)
    go_to(page, "Lessons")  # which has no field
    _go_home(page)
    expect(_field(page)).to_have_value(TYPED)
    at_rest(page)
    page.get_by_role("button", name="Show", exact=True).click()
    in_address(page, text=TYPED)
    viewer_shows(page, "Layer")
    expect(_field(page)).to_have_value(TYPED)


@pytest.mark.parametrize("width", WIDTHS)
def test_a_field_holds_the_sentence_on_show_on_every_page(visit: Open, width: int) -> None:
    page = visit("/attention", width=width)
    at_rest(page)
    _field(page).fill(TYPED)
    _field(page).fill(CHOSEN)
    _field(page).press("Enter")
    in_address(page, text=CHOSEN)
    _go_home(page)
    at_rest(page)
    expect(_field(page)).to_have_value(CHOSEN)
    go_to(page, "Attention")
    at_rest(page)
    expect(_field(page)).to_have_value(CHOSEN)


def _field(page: Page) -> Locator:
    return page.locator(".st-key-typed_text input")


def _go_home(page: Page) -> None:
    at_rest(page)
    press_until(page.get_by_test_id("stTopNavLink").filter(has_text="Home"), page.locator(".st-key-showcases"))
