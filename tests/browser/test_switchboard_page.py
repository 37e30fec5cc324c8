"""The page "Switchboard" as a reader meets it: a click on a head switches it, and long work can be stopped."""

from __future__ import annotations

from playwright.sync_api import Page, expect

from tests.browser.reader import PICTURE, Open, at_rest, downloaded_lines, in_address, titled
from tests.browser.waiting import WAIT, box_of, press_until

N_HEADS = 8
"""Of mini-bert, in each of its 4 layers."""


def _cells(page: Page, title: str) -> dict[str, float]:
    """Where the cells of a map lie in the window."""
    picture = page.locator(PICTURE).filter(has_text=title).first
    return box_of(picture.locator(".heatmaplayer image").first)


def test_a_click_on_a_head_switches_it_off_and_one_on_the_dot_of_a_layer_all_of_it(go_on: Open) -> None:
    page = go_on("/switchboard", model="mini-bert", off="none")
    titled(page, "0 of 32 heads off")
    at_rest(page)
    cells = _cells(page, "0 of 32 heads off")
    wide, tall = cells["width"] / N_HEADS, cells["height"] / 4
    page.mouse.click(cells["x"] + 2.5 * wide, cells["y"] + 1.5 * tall)
    in_address(page, off="e1.2")
    titled(page, "1 of 32 heads off")
    expect(page.get_by_text("Without Layer 1 · Head 2 the probability")).to_be_visible(timeout=WAIT)
    at_rest(page)
    cells = _cells(page, "1 of 32 heads off")
    page.mouse.click(cells["x"] + 2.5 * wide, cells["y"] + 1.5 * tall)
    titled(page, "0 of 32 heads off")
    at_rest(page)
    cells = _cells(page, "0 of 32 heads off")
    page.mouse.click(cells["x"] - 0.5 * wide, cells["y"] + 3.5 * tall)
    titled(page, "8 of 32 heads off")
    lines = downloaded_lines(page, "Download the answers")
    assert lines[0] == "answer,probability,probability_without,logit,logit_without"
    assert len(lines) > 20


def test_long_work_is_stopped_by_a_button_and_goes_on_by_another(go_on: Open) -> None:
    page = go_on("/switchboard", anew=True, board="patch", patched="weights", by_token="yes")
    press_until(
        page.get_by_test_id("stMain").get_by_role("button", name="Stop"),  # in the header Streamlit has one, too
        page.get_by_text("Putting parts of the first text into the second: stopped."),
    )
    at_rest(page)
    page.get_by_role("button", name="Go on").click()
    expect(page.get_by_role("button", name="Download all heads and tokens")).to_be_visible(timeout=WAIT)
    expect(page.locator(PICTURE)).to_have_count(2, timeout=WAIT)
