"""The page "What attention costs" as a reader meets it, in a real browser."""

from __future__ import annotations

from playwright.sync_api import expect

from tests.browser.reader import WAIT, Open, downloaded_lines, fits_a_telephone, in_address, titled
from tests.browser.waiting import press_until
from ui.answers.costs.writing import N_NEW

PARTS = {
    "Memory": "The cache of one text",
    "FlashAttention": "after block 1 of",
    "Sampling": "What may be written next",
    "Writing": "The cache grows",
}


def test_every_part_is_a_click_away_and_fits_a_telephone(go_on: Open) -> None:
    page = go_on("/what_attention_costs", width=390)
    titled(page, "The cache grows")
    for name, picture in PARTS.items():
        page.get_by_role("radio", name=name, exact=True).click()
        titled(page, picture)
        fits_a_telephone(page)


def test_the_cache_grows_by_itself_to_its_last_token(go_on: Open) -> None:
    page = go_on("/what_attention_costs", timed_token=N_NEW - 4)
    titled(page, "The cache grows")
    last = page.get_by_test_id("stSliderThumbValue").filter(has_text=str(N_NEW))
    press_until(page.get_by_role("button", name="Play"), last)
    in_address(page, timed_token=str(N_NEW - 1))
    expect(page.get_by_role("button", name="Play")).to_be_visible(timeout=WAIT)
    assert len(downloaded_lines(page, "Download the numbers")) == N_NEW + 1
