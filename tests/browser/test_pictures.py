"""The font of pictures is that of their page, and the pictures of the documents can be taken anew."""

from __future__ import annotations

from functools import partial

from playwright.sync_api import CDPSession

from tests.browser.reader import PICTURE, WAIT, Open, at_rest
from tests.browser.server import ROOT
from tests.browser.take_pictures import FOLDER, PICTURES, address_of
from tests.browser.waiting import eventually
from ui.state.choices import Selection
from ui.state.selection import read_address

FAMILY = "node => getComputedStyle(node).fontFamily.split(',')[0]"


def test_a_picture_is_written_in_the_font_of_the_page(visit: Open) -> None:
    page = visit("/masked_words")
    page.locator(f"{PICTURE} .ytick text").first.wait_for(timeout=WAIT)
    at_rest(page)
    written = [page.locator(where).first for where in ("h1", f"{PICTURE} .gtitle", f"{PICTURE} .ytick text")]
    eventually(page, lambda: {one.evaluate(FAMILY) for one in written}, lambda families: len(families) == 1)
    inspector = page.context.new_cdp_session(page)
    inspector.send("DOM.enable")
    inspector.send("CSS.enable")
    written_in = partial(fonts_of, inspector, "h1", ".js-plotly-plot .gtitle")
    eventually(page, written_in, lambda fonts: [is_brought_along for _, is_brought_along in fonts] == [True])


def fonts_of(inspector: CDPSession, *selectors: str) -> set[tuple[str, bool]]:
    """The fonts that elements are drawn in, and whether the page brought them along, or this machine has them."""
    root = inspector.send("DOM.getDocument")["root"]["nodeId"]
    nodes = [inspector.send("DOM.querySelector", {"nodeId": root, "selector": each})["nodeId"] for each in selectors]
    rendered = [inspector.send("CSS.getPlatformFontsForNode", {"nodeId": node})["fonts"] for node in nodes]
    return {(font["familyName"], font["isCustomFont"]) for fonts in rendered for font in fonts}


def test_the_pictures_of_the_documents_are_those_that_can_be_taken_anew() -> None:
    assert {file.stem for file in FOLDER.glob("*.png")} == set(PICTURES)
    for name, picture in PICTURES.items():
        assert (ROOT / "pages" / f"{picture.page or 'home'}.py").is_file(), name
        assert Selection(**read_address(address_of(picture.choices))) == picture.choices, name
