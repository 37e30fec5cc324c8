"""The page "Positions" as a reader meets it, in a real browser."""

from __future__ import annotations

from playwright.sync_api import expect

from models.opening.registry import DEFAULT_MODEL
from tests.browser.reader import (
    WAIT,
    Open,
    downloaded_lines,
    downloaded_picture,
    fits_a_telephone,
    in_address,
    nothing_sticks_out,
    titled,
    type_sentence,
)
from tests.browser.waiting import box_of, eventually

SECTIONS = {
    "Learned": f"Similarity: {DEFAULT_MODEL}",
    "Rotary": "Query and key, turned by their positions",
    "ALiBi": "The bias of head 0",
    "T5 buckets": "Which bucket a distance falls into",
}


def test_every_section_is_a_click_away_fits_a_telephone_and_is_in_the_address(go_on: Open) -> None:
    page = go_on("/positions", width=390, scheme="sinusoidal")
    titled(page, "The sinusoidal encoding")
    for name, picture in SECTIONS.items():
        page.get_by_role("radio", name=name, exact=True).click()
        titled(page, picture)
        fits_a_telephone(page)
    page.get_by_role("radio", name="Rotary", exact=True).click()
    in_address(page, scheme="rotary")
    page.get_by_role("radio", name="Why positions", exact=True).click()
    expect(page.locator(".compared-arcs canvas")).to_have_count(2, timeout=WAIT)
    nothing_sticks_out(page)


def test_a_slider_turned_with_the_arrows_draws_the_formula_anew(go_on: Open) -> None:
    page = go_on("/positions", scheme="sinusoidal", length=20, d_model=16)
    titled(page, "The sinusoidal encoding")
    page.get_by_role("slider", name="d_model").press("ArrowRight")
    in_address(page, d_model="18")
    expect(page.get_by_text("20 positions and 9 pairs")).to_be_visible(timeout=WAIT)
    lines = downloaded_lines(page, "Download the numbers")
    assert len(lines) == 21
    assert len(lines[0].split(",")) == 19
    assert downloaded_picture(page) == "sinusoidal-encoding.png"


def test_a_sentence_is_read_with_its_positions_and_without(go_on: Open) -> None:
    page = go_on("/positions", scheme="why", text="the dog saw the man", layer=2, head=1)
    finding = page.locator(".compared-finding")
    expect(finding).to_contain_text("The same attention", timeout=WAIT)
    page.get_by_role("radio", name="with positions", exact=True).click()
    expect(finding).not_to_contain_text("The same attention", timeout=WAIT)
    in_address(page, with_positions="yes")
    page.get_by_role("button", name="Shuffle anew").click()
    in_address(page, seed="1")
    type_sentence(page, "A new first sentence.")
    in_address(page, text="A new first sentence.")
    expect(page.locator(".arcs-said").first).to_contain_text("looks at", timeout=WAIT)
    page.locator(".compared-head").get_by_role("radio", name="Map", exact=True).click()
    in_address(page, picture="map")
    expect(page.get_by_role("grid", name="Two heads and their difference")).to_be_visible(timeout=WAIT)


def test_both_orders_stand_on_the_first_screen_of_a_laptop_with_what_they_show(go_on: Open) -> None:
    page = go_on("/positions", width=1366, height=768)
    said = [f".compared-arcs[data-side={side}] .arcs-said" for side in ("one", "other")]
    for place in (".compared-finding", *said):
        eventually(page, lambda place=place: box_of(page.locator(place)), lambda box: box["y"] + box["height"] <= 768)
