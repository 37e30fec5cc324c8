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
    titled,
    type_sentence,
)

SECTIONS = {
    "Learned": f"Similarity: {DEFAULT_MODEL}",
    "Rotary": "Query and key, turned by their positions",
    "ALiBi": "The bias of head 0",
    "T5 buckets": "Which bucket a distance falls into",
    "Why positions": "Shuffled, brought back",
}


def test_every_section_is_a_click_away_fits_a_telephone_and_is_in_the_address(visit: Open) -> None:
    page = visit("/positions", width=390, scheme="sinusoidal")
    titled(page, "The sinusoidal encoding")
    for name, picture in SECTIONS.items():
        page.get_by_role("radio", name=name, exact=True).click()
        titled(page, picture)
        fits_a_telephone(page)
    page.get_by_role("radio", name="Rotary", exact=True).click()
    in_address(page, scheme="rotary")


def test_a_slider_turned_with_the_arrows_draws_the_formula_anew(visit: Open) -> None:
    page = visit("/positions", scheme="sinusoidal", length=20, d_model=16)
    titled(page, "The sinusoidal encoding")
    page.get_by_role("slider", name="d_model").press("ArrowRight")
    in_address(page, d_model="18")
    expect(page.get_by_text("20 positions and 9 pairs")).to_be_visible(timeout=WAIT)
    lines = downloaded_lines(page, "Download the numbers")
    assert len(lines) == 21
    assert len(lines[0].split(",")) == 19
    assert downloaded_picture(page) == "sinusoidal-encoding.png"


def test_a_sentence_is_read_with_its_positions_and_without(visit: Open) -> None:
    page = visit("/positions", scheme="why", text="the dog saw the man", layer=2, head=1)
    titled(page, SECTIONS["Why positions"])
    expect(page.get_by_text("The same attention")).to_be_visible(timeout=WAIT)
    page.get_by_role("radio", name="with positions", exact=True).click()
    expect(page.get_by_text("Not the same attention")).to_be_visible(timeout=WAIT)
    in_address(page, with_positions="yes")
    page.get_by_role("button", name="Shuffle anew").click()
    in_address(page, seed="1")
    type_sentence(page, "A new first sentence.")
    in_address(page, text="A new first sentence.")
    expect(page.get_by_text("Written:")).to_contain_text("sentence", timeout=WAIT)
