"""What all pictures share in the browser: they are written in the font of the page."""

from __future__ import annotations

from tests.browser.reader import PICTURE, WAIT, Open, at_rest


def test_a_picture_is_written_in_the_font_of_the_page(visit: Open) -> None:
    page = visit("/masked_words")
    page.locator(f"{PICTURE} .ytick text").first.wait_for(timeout=WAIT)
    at_rest(page)
    written = [page.locator(where).first for where in ("h1", f"{PICTURE} .gtitle", f"{PICTURE} .ytick text")]
    families = {one.evaluate("node => getComputedStyle(node).fontFamily.split(',')[0]") for one in written}
    assert len(families) == 1
    inspector = page.context.new_cdp_session(page)
    inspector.send("DOM.enable")
    inspector.send("CSS.enable")
    root = inspector.send("DOM.getDocument")["root"]["nodeId"]
    fonts = set()
    for selector in ("h1", ".js-plotly-plot .gtitle"):
        node = inspector.send("DOM.querySelector", {"nodeId": root, "selector": selector})["nodeId"]
        rendered = inspector.send("CSS.getPlatformFontsForNode", {"nodeId": node})["fonts"]
        fonts |= {font["familyName"] for font in rendered}
        assert all(font["isCustomFont"] for font in rendered)  # brought along by Streamlit, not one of this machine
    assert len(fonts) == 1
