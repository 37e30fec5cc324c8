"""The stored cell of a notebook in a browser: its viewer unpacks itself; where no script runs there is a picture."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import get_args

import numpy as np
import pytest
from playwright.sync_api import Browser, Frame, Page, expect

from tests.closeness import assert_close
from viz import notebook_html
from viz.kit.demos.records import PAIR, SENTENCE, plausible_record, random_recording, recording_of
from viz.viewer.choices import Picture
from viz.viewer.html import read_source
from viz.viewer.joining import join_modules
from viz.viewer.notebook import BOOT
from viz.viewer.packing import CODES_16

DECODER, _ = BOOT.read_text(encoding="utf-8").split("function inflated")
RESTORED = f"""
(kind) => {{
  {DECODER}
  {join_modules(("stored_weights.js",), read_source)}
  const numbers = document.getElementById("numbers").textContent;
  return new Response(new Blob([decoded(numbers)]).stream().pipeThrough(new DecompressionStream("deflate")))
    .arrayBuffer().then((buffer) => [...new Uint16Array(stored_weights_js.restored(buffer).overviews[kind].buffer)]);
}}
"""
"""The codes of all heads and means of a kind, as the viewer makes them of what is stored."""


@contextmanager
def opened(browser: Browser, folder: Path, markup: str, *, quiet: bool = True) -> Iterator[Page]:
    """A page with a stored cell on it, as a notebook that was made into a page; it asks for no other file."""
    cell = folder / "cell.html"
    cell.write_text(f"<!DOCTYPE html><meta charset=utf-8><body>{markup}", "utf-8")
    page = browser.new_page(viewport={"width": 720, "height": 800})
    errors: list[str] = []
    asked: list[str] = []
    page.on("pageerror", lambda error: errors.append(error.stack or str(error)))
    page.on("console", lambda message: errors.append(message.text) if message.type == "error" else None)
    page.on("request", lambda request: asked.append(request.url))
    page.goto(cell.as_uri())
    yield page
    page.close()
    assert errors == [] or not quiet
    assert [url for url in asked if not url.startswith(("file:", "data:", "about:", "blob:"))] == []


def frame_in(page: Page) -> Frame:
    """The frame of the cell, when its viewer has drawn a head."""
    expect(page.frame_locator("iframe").locator("[data-painted]")).to_be_visible()
    return page.frames[1]


def test_the_viewer_unpacks_itself_and_turns_to_any_head(browser: Browser, tmp_path: Path) -> None:
    with opened(browser, tmp_path, notebook_html(random_recording(n_layers=3, n_heads=4), picture="map")) as page:
        frame = frame_in(page)
        grid = frame.get_by_role("grid").first
        expect(frame.locator(".title")).to_contain_text("Layer 0 · Head 0")
        expect(frame.locator("[data-painted='encoder 0 0 exact']")).to_be_visible()
        grid.focus()
        page.keyboard.press("ArrowRight")
        expect(frame.locator(".title")).to_contain_text("Layer 0 · Head 1")
        expect(frame.locator("[data-painted='encoder 0 1 exact']")).to_be_visible()
        expect(frame.get_by_role("button", name="Take away")).to_have_count(0)


@pytest.mark.parametrize("picture", get_args(Picture))
def test_every_picture_is_drawn_and_read_by_the_short_script(
    browser: Browser, tmp_path: Path, picture: Picture
) -> None:
    record = plausible_record(PAIR)
    with opened(browser, tmp_path, notebook_html(recording_of(record), picture=picture)) as page:
        frame = frame_in(page)
        expect(frame.locator(f"[data-viewer][data-picture={picture}]")).to_be_visible()
        large = frame.locator(".large > :visible").first
        for place in ({"x": 120, "y": 60}, {"x": 200, "y": 140}):
            large.hover(position=place)
            large.click(position=place)
        for key in ("Tab", "ArrowRight", "ArrowDown", "Enter", "Escape"):
            page.keyboard.press(key)
        frame.get_by_role("grid").first.focus()
        page.keyboard.press("ArrowDown")
        expect(frame.locator(".title")).to_contain_text("Layer 1 · Head 0")


@pytest.mark.parametrize("causal", [False, True])
def test_the_means_are_those_of_the_heads(browser: Browser, tmp_path: Path, causal: bool) -> None:
    record = plausible_record(SENTENCE, causal=causal)
    with opened(browser, tmp_path, notebook_html(recording_of(record))) as page:
        frame = frame_in(page)
        codes = np.array(frame.evaluate(RESTORED, record.kind))
    n = record.n_query
    heads = codes[: -n * n].reshape(record.n_layers, record.n_heads + 1, n, n)
    weights = np.stack([record.layer_weights(layer) for layer in range(record.n_layers)])
    seen = heads <= CODES_16
    assert seen.all() != causal
    expected = np.concatenate([weights, weights.mean(axis=1, keepdims=True)], axis=1)
    assert_close(np.where(seen, heads, 0) / CODES_16, np.sqrt(expected), step=2 / CODES_16)
    overall = np.where(codes[-n * n :] <= CODES_16, codes[-n * n :], 0).reshape(n, n)
    assert_close(overall / CODES_16, np.sqrt(weights.mean(axis=(0, 1))), step=2 / CODES_16)


def test_another_quantity_says_where_its_numbers_are(browser: Browser, tmp_path: Path) -> None:
    with opened(browser, tmp_path, notebook_html(random_recording())) as page:
        frame = frame_in(page)
        refused = frame.locator("option:disabled, [aria-disabled=true]", has_text="Scores")
        expect(refused).to_have_count(1)


@pytest.mark.parametrize("frame", ["refused", "without scripts"])
def test_where_no_script_is_let_in_there_is_a_picture(browser: Browser, tmp_path: Path, frame: str) -> None:
    markup = notebook_html(random_recording())
    stored = re.search(r"<iframe.*</iframe>", markup, re.DOTALL)[0]
    within = markup.replace(stored, "" if frame == "refused" else stored.replace("allow-scripts", ""))
    with opened(browser, tmp_path, within, quiet=frame == "refused") as page:
        assert page.locator("img").evaluate("image => image.complete && image.naturalWidth") > 300
        seen = page.screenshot()
        page.locator("img").evaluate("image => { image.style.visibility = 'hidden'; }")
        assert page.screenshot() != seen, "there is no picture, or it is covered"
