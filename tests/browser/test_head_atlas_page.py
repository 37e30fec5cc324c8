"""The page "Head atlas" as a reader meets it, in a real browser."""

from __future__ import annotations

import json
import re
from pathlib import Path

from playwright.sync_api import Locator, Page, expect

from models.analysis import read_atlas
from models.opening.registry import DEFAULT_MODEL
from tests.browser.reader import (
    PICTURE,
    WAIT,
    Open,
    at_rest,
    download,
    downloaded_lines,
    fits_a_telephone,
    in_address,
    titled,
    viewer_shows,
)
from tests.browser.waiting import box_of, press_until

N_TEXTS = 200
"""Enough of them that a reader finds the time to stop."""


def test_a_head_is_picked_in_the_picture(go_on: Open) -> None:
    page = go_on("/head_atlas", atlas="measures", layer=1, head=1)
    viewer_shows(page, "Layer 1 · Head 1")
    at_rest(page)
    picture = page.locator(PICTURE).first
    layer, head = picture.evaluate("plot => Array.from(plot.data[0].customdata[0])")
    point = box_of(picture.locator(".scatterlayer .trace").first.locator("path.point").first)
    page.mouse.click(point["x"] + point["width"] / 2, point["y"] + point["height"] / 2)
    in_address(page, layer=str(layer), head=str(head))
    viewer_shows(page, f"Layer {layer} · Head {head}")


def tiles(page: Page) -> Locator:
    return page.locator("[class*=st-key-headlight_wall] button")


def test_a_head_is_chosen_on_the_wall_by_click_and_by_keyboard(go_on: Open) -> None:
    page = go_on("/head_atlas", layer=1, head=1)
    viewer_shows(page, "Layer 1 · Head 1")
    expect(tiles(page)).to_have_count(72, timeout=WAIT)
    expect(page.get_by_role("button", name=re.compile("^L1 · H1 ?"), pressed=True)).to_have_count(1, timeout=WAIT)
    page.locator("[class*=st-key-headlight_wall] button[name='2.0']").click()
    in_address(page, layer="2", head="0")
    viewer_shows(page, "Layer 2 · Head 0")
    at_rest(page)
    page.locator("[class*=st-key-headlight_wall] button[name='3.1']").press("Enter")
    in_address(page, layer="3", head="1")
    viewer_shows(page, "Layer 3 · Head 1")


def test_heads_that_look_alike_fit_a_telephone_and_the_numbers_and_the_atlas_are_taken_away(go_on: Open) -> None:
    page = go_on("/head_atlas", width=390, dark=True, atlas="alike")
    titled(page, "heads that look alike")
    viewer_shows(page, "Layer")
    fits_a_telephone(page)
    lines = downloaded_lines(page, "Download all measures")
    assert lines[0].startswith("layer,head,name,")
    assert len(lines) == 1 + 6 * 12
    taken = json.loads(Path(download(page, "Download the atlas").path()).read_text(encoding="utf-8"))
    assert read_atlas(json.dumps(taken))[0].model == DEFAULT_MODEL


def test_texts_of_ones_own_are_read_with_a_bar_can_be_stopped_and_gone_on_with(go_on: Open) -> None:
    page = go_on("/head_atlas", model="mini-bert")
    viewer_shows(page, "Layer")
    main = page.get_by_test_id("stMain")
    main.get_by_role("radio", name="My own texts").click()
    texts = "\n".join(f"The man saw {number} cats, and {number} cats saw the man." for number in range(N_TEXTS))
    main.get_by_role("textbox", name="Sentences, one a line").fill(texts)
    main.get_by_role("textbox", name="Sentences, one a line").press("Control+Enter")
    main.get_by_role("button", name=f"Read {N_TEXTS} texts").click()
    press_until(main.get_by_role("button", name="Stop", exact=True), main.get_by_text("Reading the texts: stopped."))
    main.get_by_role("button", name="Go on").click()
    expect(main.get_by_text("heads do one thing often enough")).to_be_visible(timeout=2 * WAIT)
    expect(tiles(page)).to_have_count(32, timeout=WAIT)
