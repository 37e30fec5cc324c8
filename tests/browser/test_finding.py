"""What stands out, in the browser: the head and the row that pages open on, and a click to the next."""

from __future__ import annotations

import re

from playwright.sync_api import expect

from models.text.pieces import MASK
from models.values.record import Token
from models.values.results.finding import Finding
from tests.browser.reader import Open, another_recording, in_address, reads, viewer_shows
from tests.browser.waiting import WAIT, at_rest, drawn
from tests.findings import expected_finding
from ui.state.choices import DEFAULTS

HELD, FREE = "Rows are held.*", "Point at a cell.*"


def found_in(text: str) -> tuple[Finding, Token]:
    """What stands out, and the token that is looked at."""
    found, record = expected_finding(text)
    assert found is not None
    return found, record.key_tokens[found.key]


def test_home_opens_on_what_stands_out_and_leads_to_the_next(visit: Open) -> None:
    page, (found, _) = visit("/", finds=True), found_in(DEFAULTS["text"])
    viewer_shows(page, f"Layer {found.layer} · Head {found.head}")
    said = page.get_by_text(re.compile(rf"{found.weight:.0%} of its attention"))
    expect(said).to_be_visible(timeout=WAIT)
    at_rest(page)
    with another_recording(page):
        page.get_by_role("button", name="Change “tired” to “wide”").click()
    text = DEFAULTS["text"].replace("tired", "wide")
    wide, key = found_in(text)
    viewer_shows(page, f"Layer {wide.layer} · Head {wide.head}")
    page.get_by_role("button", name="Hide “").click()
    expect(page.get_by_role("heading", name="Masked words")).to_be_visible(timeout=WAIT)
    hidden = next(word for word in text.rstrip(".").split() if key.text in word)
    in_address(page, text=text.replace(hidden, MASK))


def test_a_row_that_the_reader_has_let_go_is_not_held_again(visit: Open) -> None:
    page, (found, _) = visit(finds=True), found_in(DEFAULTS["text"])
    viewer = viewer_shows(page, f"Layer {found.layer} · Head {found.head}")
    at_rest(page)
    reads(page, HELD)
    viewer.locator(".map-grid").press("Escape")
    reads(page, FREE)
    in_address(page, locked="none")
    at_rest(page)
    page.get_by_role("slider", name="Layer").press("ArrowLeft")
    viewer_shows(page, f"Layer {found.layer - 1} · Head {found.head}")
    at_rest(page)
    drawn(page)
    reads(page, FREE)
    page.get_by_role("button", name="Show what stands out").click()
    viewer_shows(page, f"Layer {found.layer} · Head {found.head}")
    reads(page, HELD)
