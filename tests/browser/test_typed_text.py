"""A sentence that is typed and not yet shown stays typed when the page is changed (review C3)."""

from __future__ import annotations

from playwright.sync_api import Locator, Page, expect

from tests.browser.reader import Open, go_to, in_address, viewer_shows
from tests.browser.waiting import at_rest, press_until

TYPED, CHOSEN = "My dog loves pizza.", "The cat sat on the mat."


def test_a_typed_sentence_is_kept_from_page_to_page_and_the_one_on_show_is_in_the_field_of_every_page(
    visit: Open,
) -> None:
    page = visit("/attention")
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
    at_rest(page)
    _field(page).fill(f"{TYPED} Not this.")
    _field(page).fill(CHOSEN)
    _field(page).press("Enter")
    in_address(page, text=CHOSEN)
    go_to(page, "Attention")
    at_rest(page)
    expect(_field(page)).to_have_value(CHOSEN)
    _go_home(page)
    at_rest(page)
    expect(_field(page)).to_have_value(CHOSEN)


def _field(page: Page) -> Locator:
    return page.locator(".st-key-typed_text input")


def _go_home(page: Page) -> None:
    at_rest(page)
    press_until(page.get_by_test_id("stTopNavLink").filter(has_text="Home"), page.locator(".st-key-showcases"))
