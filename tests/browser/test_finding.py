"""What stands out, in the browser: the head and the row that pages open on, and a click to the next."""

from __future__ import annotations

from playwright.sync_api import expect

from models.values.record import Token
from models.values.results.finding import Finding
from tests.browser.reader import Open, another_recording, in_address, reads, titled, viewer_shows
from tests.browser.waiting import WAIT, at_rest, drawn
from tests.findings import expected_finding
from ui.state.choices import DEFAULTS
from ui.widgets.asking.showcases import SHOWCASES

APPLE = "The boy took the apple from the tree and ate it."
"""A sentence of no showcase."""
HELD, FREE = ".*Escape releases what is held.*", "Point at a cell or a token.*"


def found_in(text: str) -> tuple[Finding, Token]:
    """What stands out, and the token that is looked at."""
    found, record = expected_finding(text)
    assert found is not None
    return found, record.key_tokens[found.key]


def test_home_opens_on_a_swing_and_leads_to_the_next(visit: Open) -> None:
    page, tired = visit("/", finds=True), SHOWCASES[0].sides[0]
    viewer = viewer_shows(page, f"Layer {tired.layer} · Head {tired.head}")
    expect(viewer.locator(".arcs-said")).to_contain_text("“it” looks at “animal”", timeout=WAIT)
    at_rest(page)
    with another_recording(page):
        page.get_by_role("radio", name="wide").click()
    expect(viewer.locator(".arcs-said")).to_contain_text("“it” looks at “street”", timeout=WAIT)
    viewer_shows(page, f"Layer {tired.layer} · Head {tired.head}")
    text = DEFAULTS["text"].replace("tired", "wide")
    in_address(page, text=text)
    page.get_by_role("button", name="Hide “street”").click()
    expect(page.get_by_role("heading", name="Masked words")).to_be_visible(timeout=WAIT)
    titled(page, "cross the ___")
    in_address(page, text=text)


def test_a_chip_brings_its_sentence_and_its_head(visit: Open) -> None:
    page = visit("/", finds=True)
    viewer_shows(page, "Layer 3 · Head 1")
    at_rest(page)
    with another_recording(page):
        page.get_by_role("button", name="not bad at all").click()
    viewer = viewer_shows(page, "Layer 0 · Head 0")
    expect(viewer.locator(".arcs-said")).to_contain_text("“[CLS]” looks at “not”", timeout=WAIT)
    expect(page.get_by_placeholder("Type a sentence")).to_have_value(SHOWCASES[5].sides[0].text, timeout=WAIT)


def test_a_row_that_the_reader_has_let_go_is_not_held_again(visit: Open) -> None:
    page, (found, _) = visit(finds=True, text=APPLE, picture="map"), found_in(APPLE)
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
