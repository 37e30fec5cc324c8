"""Attention over time in a real browser: by keyboard, by itself, by a click, and taken away."""

from __future__ import annotations

from playwright.sync_api import Page, expect

from tests.browser.reader import WAIT, Open, at_rest, downloaded_lines, in_address


def stands_at(page: Page, iteration: str) -> None:
    expect(page.get_by_text(f"Iteration {iteration} ·").first).to_be_visible(timeout=WAIT)


def test_the_snapshot_is_chosen_by_key_by_itself_and_by_a_click_and_taken_away(visit: Open) -> None:
    page = visit("/training_lab", lab="over-time")
    expect(page.get_by_role("heading", name="begins to look at the previous token between iterations")).to_be_visible(
        timeout=WAIT
    )
    stands_at(page, "604")
    page.locator(".st-key-snapshot input").first.press("ArrowLeft")
    stands_at(page, "359")
    in_address(page, snapshot="6")
    page.get_by_role("button", name="Play").click()
    stands_at(page, "1,016")
    stands_at(page, "1,708")
    expect(page.get_by_role("button", name="Play")).to_be_visible(timeout=WAIT)  # it has stopped at the end
    at_rest(page)
    second_map = {"x": 190, "y": 130}
    page.locator(".st-key-film-strip .stPlotlyChart:visible").click(position=second_map)
    stands_at(page, "27")
    lines = downloaded_lines(page, "Download the shares")
    assert lines[0].startswith("step,tokens,loss,accuracy,layer,head,previous,next,same,special,unseen_previous")
    assert len(lines) == 1 + 10 * 2 * 4
