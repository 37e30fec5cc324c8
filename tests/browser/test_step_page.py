"""The page "Step by step" as a reader meets it, in a real browser."""

from __future__ import annotations

import re

from playwright.sync_api import Page, expect

from tests.browser.reader import WAIT, Open, downloaded_lines, in_address, shows
from ui.state.choices import DEFAULTS

PATH = "/step_by_step"


def is_at(page: Page, name: str, title: str) -> None:
    """Wait until the page shows a step, and its address says so."""
    shows(page, title)
    in_address(page, step=name)


def test_keys_and_buttons_go_through_the_steps_and_typing_does_not(go_on: Open) -> None:
    page = go_on(PATH, step="scores", layer=0, head=0)
    shows(page, "Scores · Layer 0 · Head 0")
    expect(page.locator(".katex").first).to_be_visible(timeout=WAIT)
    page.keyboard.press("n")
    is_at(page, "scaling", "Scaling")
    page.keyboard.press("b")
    is_at(page, "scores", "Scores")
    page.get_by_role("button", name="Next").click()
    is_at(page, "scaling", "Scaling")
    page.get_by_role("slider").nth(0).press("ArrowRight")
    is_at(page, "scaling", "Scaling · Layer 1")
    page.get_by_role("slider").nth(0).press("n")
    is_at(page, "mask", "Mask · Layer 1")
    page.get_by_role("textbox", name="Sentence A").press_sequentially(" bn nb")
    page.get_by_role("textbox", name="Sentence A").press("Enter")
    shows(page, "Mask · Layer 1")
    in_address(page, step="mask")


def test_a_change_is_seen_kept_and_undone(go_on: Open) -> None:
    page = go_on(PATH, step="mask", layer=1, head=2, text=DEFAULTS["text"])
    shows(page, "Mask")
    page.get_by_text("Hide the future").click()
    shows(page, "with a causal mask")
    in_address(page, what_if="causal")
    page.keyboard.press("n")
    is_at(page, "softmax", "Softmax · Layer 1 · Head 2 · with a causal mask")
    expect(page.get_by_text("The largest difference is")).to_be_visible(timeout=WAIT)
    lines = downloaded_lines(page, "Download the numbers")
    assert lines[0].startswith("goes,array,symbol,shape,position,token,0,1")
    assert len(lines) == 1 + 2 * 16
    page.get_by_role("button", name="Switch it off").click()
    expect(page.get_by_text("The largest difference is")).to_have_count(0, timeout=WAIT)
    expect(page).not_to_have_url(re.compile("what_if"), timeout=WAIT)
