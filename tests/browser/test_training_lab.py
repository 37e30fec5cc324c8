"""The page "Training lab" in a real browser: a small model is trained, seen to learn, and opened in another page."""

from __future__ import annotations

import re
from contextlib import suppress

import pytest
from playwright.sync_api import Error, Page, expect

from tests.browser.reader import WAIT, Open, download, nothing_sticks_out
from tests.browser.test_keyboard_and_zoom import focused_text, tab_into_the_content
from tests.browser.waiting import eventually
from ui.training_lab.recipe.film import read_moments

TRAINING = 600_000
"""Milliseconds that a process may take to open torch and to train for some seconds. It lets all others come first: on a
machine that is busy with tests, those are always there."""


@pytest.mark.timeout(2 * TRAINING / 1000)
def test_a_model_is_seen_to_learn_is_stopped_and_opened_in_another_page(visit: Open) -> None:
    page = visit("/training_lab")
    page.get_by_text("More: name, sizes and cost").click()
    page.get_by_role("spinbutton", name="Iterations").fill("90000")
    page.get_by_role("spinbutton", name="Iterations").press("Enter")
    expect(page.get_by_role("cell", name=re.compile("512 × 90,000 iterations"))).to_be_visible(timeout=WAIT)
    page.get_by_role("textbox", name="Name").fill("browser")
    page.get_by_role("button", name="Start").click()
    expect(page).to_have_url(re.compile(r"run=[0-9a-f]{20}"), timeout=WAIT)
    of_the_run = page.url
    attention_and_answers_are_seen_while_it_learns_and_stay_when_it_is_stopped(page)
    page.get_by_role("button", name="Download the model").click()
    expect(page.get_by_role("button", name="Save")).to_be_visible(timeout=WAIT)
    assert download(page, "Save").suggested_filename == "browser.zip"
    page.get_by_role("link", name="Attention").last.click()
    expect(page).to_have_url(re.compile(r"/attention\?.*model=lab%2Fbrowser-"), timeout=WAIT)
    expect(page.locator(".viewer")).to_have_attribute("data-painted", re.compile("exact$"), timeout=WAIT)
    page.goto(of_the_run)
    expect(page.get_by_text(re.compile("Stopped at iteration [1-9]"))).to_be_visible(timeout=WAIT)
    delete_the_run(page)
    expect(page.get_by_role("button", name="Start")).to_be_visible(timeout=WAIT)


def attention_and_answers_are_seen_while_it_learns_and_stay_when_it_is_stopped(page: Page) -> None:
    attention = page.get_by_role("img", name="Cross-attention")
    expect(attention).to_be_visible(timeout=TRAINING)
    drawing = attention.locator("svg")
    first = eventually(page, drawing.inner_html, bool)
    expect(page.get_by_text(re.compile(r"Training · iteration [1-9][\d,]* of 90,000"))).to_be_visible(timeout=TRAINING)
    expect(page.get_by_text(re.compile(r"^Iteration [1-9]"))).to_be_visible(timeout=TRAINING)
    eventually(page, drawing.inner_html, lambda shown: shown != first)
    page.get_by_test_id("stMain").get_by_role("button", name="Stop").last.click()
    expect(page.get_by_text(re.compile("Stopped at iteration [1-9]"))).to_be_visible(timeout=TRAINING)
    for name in ("Cross-attention", "Loss"):
        expect(page.get_by_role("img", name=name)).to_be_visible(timeout=WAIT)
    expect(page.get_by_role("button", name="Resume")).to_be_visible(timeout=WAIT)


def delete_the_run(page: Page) -> None:
    """Press Delete, and confirm. A page that has just been opened is drawn once more when its width is known, and then
    closes what had been unfolded: a reader presses again."""
    confirm = page.get_by_role("button", name="Delete it")
    for _ in range(5):
        page.get_by_role("button", name="Delete", exact=False).first.click()
        with suppress(AssertionError, Error):
            expect(confirm).to_be_visible(timeout=5_000)
            confirm.press("Enter", timeout=5_000)
            return
    raise AssertionError("the run could not be deleted.")


def test_a_telephone_gets_a_page_that_fits_and_has_no_picture_to_skip_to(visit: Open) -> None:
    page = visit("/training_lab", width=390, dark=True)
    expect(page.get_by_role("button", name="Start")).to_be_visible(timeout=WAIT)
    the_film_ends_with_the_row_copied(page)
    nothing_sticks_out(page)
    tab_into_the_content(page)
    assert focused_text(page) != "Skip to the picture"


def the_film_ends_with_the_row_copied(page: Page) -> None:
    film = page.get_by_role("slider", name="Training iteration")
    film.scroll_into_view_if_needed(timeout=WAIT)
    page.get_by_role("img", name="Cross-attention").scroll_into_view_if_needed(timeout=WAIT)
    expect(film).to_have_value(str(len(read_moments()) - 1), timeout=WAIT)
    asked = read_moments()[-1].expected
    expect(page.get_by_text(f"{asked} → {asked}")).to_be_visible(timeout=WAIT)
