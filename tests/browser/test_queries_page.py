"""The page "Queries, keys, values" as a reader meets it, in a real browser."""

from __future__ import annotations

import re

from playwright.sync_api import expect

from tests.browser.reader import PICTURE, WAIT, Open, at_rest, downloaded_lines, in_address, titled

PAGE = "/queries_keys_values"
SENTENCE = "the dog saw the cat"


def test_a_token_is_followed_read_under_the_pointer_frozen_and_sorted_and_the_link_brings_it_back(
    go_on: Open, visit: Open
) -> None:
    page = go_on(PAGE, text=SENTENCE, layer=1, head=2, query=1)
    titled(page, "(position 1)")
    page.get_by_role("radio", name="dog", exact=True).click()
    titled(page, "(position 2)")
    at_rest(page)
    all_numbers = page.locator(".st-key-one-query").locator(PICTURE)
    all_numbers.locator(".nsewdrag").nth(2).hover()
    expect(all_numbers.locator(".hoverlayer")).to_contain_text(re.compile(r"query [+−-]\d+\.\d{4} × key"))
    page.get_by_role("button", name="Freeze").click()
    expect(page.get_by_text("Frozen. Now choose another query token")).to_be_visible(timeout=WAIT)
    page.get_by_role("radio", name="cat", exact=True).click()
    titled(page, "beside “")
    page.get_by_role("radio", name="By weight").click()
    in_address(page, query="5", frozen="2", order="weight")
    lines = downloaded_lines(page, "Download scores and weights")
    assert lines[0].startswith("query_position,query_token,position,token,may_look,dot_product")
    assert len(lines) == 1 + 2 * 7
    again = visit("/" + page.url.split("/", 3)[3].replace("?", "?again=1&"))
    titled(again, "beside “")
    expect(again.get_by_role("radio", name="cat", exact=True)).to_be_checked()


def test_every_view_is_drawn_without_an_error(go_on: Open) -> None:
    page = go_on(PAGE, anew=True, text=SENTENCE)
    errors: list[str] = []
    page.on("pageerror", lambda error: errors.append(error.stack or str(error)))
    titled(page, "query “")
    for name, title in (
        ("Dimensions", "What guides “"),
        ("Whole head", "queries Q, keys K, values V"),
        ("Plane", "finds"),
    ):
        page.get_by_role("radio", name=name).click()
        titled(page, title)
    page.get_by_role("radio", name="bertviz neuron view").click()
    frame = page.frame_locator("iframe[srcdoc]")
    token = frame.get_by_role("button", name="Query cat, position 5")
    token.hover(timeout=WAIT)
    expect(frame.locator("#expanded > #product")).to_have_css("opacity", "1")
    in_address(page, part="neuron-view")
    assert errors == []
