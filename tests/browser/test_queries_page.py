"""The page "Queries, keys, values" as a reader meets it, in a real browser."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import expect

from tests.browser.reader import PICTURE, WAIT, Open, at_rest, downloaded_lines, fits_a_telephone, in_address, titled

PAGE = "/queries_keys_values"
SENTENCE = "the dog saw the cat"
HOSTILE = "</script><script>window.pwned=1</script> <img src=x onerror=pwned=1> ${1} $x$ `c`"


def test_a_token_is_followed_frozen_and_sorted_and_the_link_brings_it_back(visit: Open) -> None:
    page = visit(PAGE, text=SENTENCE, layer=1, head=2)
    titled(page, "(position 1)")
    page.get_by_role("radio", name="dog", exact=True).click()
    titled(page, "(position 2)")
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


def test_numbers_stand_under_the_pointer(visit: Open) -> None:
    page = visit(PAGE, text=SENTENCE, layer=1, head=2, query=2)
    titled(page, "(position 2)")
    at_rest(page)
    product = page.locator(f"{PICTURE} .nsewdrag").nth(2)
    product.hover()
    expect(page.locator(f"{PICTURE} .hoverlayer")).to_contain_text(re.compile(r"query [+−-]\d+\.\d{4} × key"))


def test_every_view_is_drawn_without_an_error(visit: Open) -> None:
    page = visit(PAGE, text=SENTENCE)
    errors: list[str] = []
    page.on("pageerror", lambda error: errors.append(str(error)))
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


@pytest.mark.parametrize("part", ["bands", "dimensions", "plane", "neuron-view"])
def test_a_hostile_sentence_stays_text(visit: Open, part: str) -> None:
    page = visit(PAGE, text=HOSTILE, part=part, frozen=3)
    shown = page.locator(f"{PICTURE}, iframe[srcdoc]").first
    expect(shown).to_be_visible(timeout=WAIT)
    expect(page.get_by_role("textbox", name="Sentence A")).to_have_value(HOSTILE)


@pytest.mark.parametrize("dark", [False, True])
def test_a_telephone_gets_pictures_that_fit(visit: Open, dark: bool) -> None:
    page = visit(PAGE, width=390, dark=dark)
    fits_a_telephone(page)
