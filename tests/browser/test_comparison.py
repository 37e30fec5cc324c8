"""Two heads side by side, as a file that opens from a disk: what it says and gives away is what the library says."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np
import pytest
from playwright.sync_api import Browser, Page, expect

from models.analysis import compare
from models.values.results.comparison import AttentionComparison
from tests.browser.reader import Open, three_digits
from tests.browser.test_viewer_files import taken
from tests.browser.waiting import WAIT, becomes, box_of, eventually
from tests.closeness import assert_close
from tests.viz.viewer.test_comparison import ONE, OTHER, WORDS
from viz.kit.demos.records import random_record, tokens_of
from viz.viewer.comparison import comparison_html
from viz.viewer.html import joined_modules

OpenComparison = Callable[..., Page]
LONGER_THAN_IT_WAITS = 60_000
"""Milliseconds."""
BELOW, BESIDE = 390, 1340
"""Widths of a window in which the maps stand below and beside each other."""


@pytest.fixture(scope="module")
def compared() -> AttentionComparison:
    one, other = (random_record(tokens=tokens_of(text), seed=seed) for seed, text in enumerate((ONE, OTHER)))
    return compare(one, other, one_layer=1, other_layer=0, one_head=2, other_head=1)


@pytest.fixture
def open_comparison(browser: Browser, tmp_path: Path, compared: AttentionComparison) -> Iterator[OpenComparison]:
    """Opens the comparison from disk. At the end nothing but the file was asked for, and no script has failed."""
    asked: list[str] = []
    errors: list[str] = []
    file = tmp_path / "comparison.html"
    file.write_text(comparison_html(compared, WORDS, picture="map"), encoding="utf-8")
    context = browser.new_context(offline=True)
    context.set_default_timeout(WAIT)

    def _open(width: int) -> Page:
        page = context.new_page()
        page.set_viewport_size({"width": width, "height": 1000})
        page.on("request", lambda request: None if request.url == file.as_uri() else asked.append(request.url[:80]))
        page.on("pageerror", lambda error: errors.append(error.stack or str(error)))
        page.goto(file.as_uri())
        page.locator(".compared[data-shown]").wait_for()
        return page

    yield _open
    context.close()
    assert [address for address in asked if not address.startswith(("blob:", "data:"))] == []
    assert errors == []


def plots(page: Page) -> list[tuple[float, ...]]:
    """Where the cells of the three maps stand: left, top, width, height."""
    written = page.locator(".compared .map-grid").evaluate("(grid) => grid.dataset.plots ?? ''")
    return [tuple(map(float, plot.split(" "))) for plot in written.split(";") if plot]


def written(value: float) -> str:
    return "not there" if np.isnan(value) else three_digits(value)


@pytest.mark.parametrize("width", [BESIDE, BELOW])
def test_every_map_is_read_with_both_numbers_and_their_difference(
    open_comparison: OpenComparison, compared: AttentionComparison, width: int
) -> None:
    page = open_comparison(width)
    found = eventually(page, lambda: plots(page), lambda maps: len(maps) == 3)
    along = 0 if width == BESIDE else 1
    assert found[0][along] + found[0][2 + along] < found[1][along] < found[2][along]
    assert found[0][1 - along] == found[1][1 - along] == found[2][1 - along]
    names = page.locator(".compared .reading")
    for panel, (query, key, said) in enumerate(
        ((1, 2, "1 · she | 1 · he → 2 · ran"), (4, 0, "3 | 4 · [SEP] → 0 · [CLS]"), (2, 3, "2 · ran → | 3 · home"))
    ):
        left, top, wide, tall = found[panel]
        place = {"x": left + (key + 0.5) * wide / 5, "y": top + (query + 0.5) * tall / 5}
        page.locator(".compared .map-grid").hover(position=place)
        one, other = compared.one[query, key], compared.other[query, key]
        sign, size = "−" if other < one else "+", abs(other - one)
        difference = "" if np.isnan(size) else f" · difference {sign}{three_digits(size)}"
        expect(names).to_have_text(
            f"{said} · this sentence {written(one)} · the other sentence {written(other)}{difference}"
        )
        expect(page.locator(".compared .tip")).to_contain_text(said)
    page.locator(".compared .map-grid").focus()
    page.keyboard.press("ArrowUp")
    expect(names).to_contain_text("1 · she | 1 · he → | 3 · home")


def test_the_files_hold_the_numbers_of_the_library(
    open_comparison: OpenComparison, compared: AttentionComparison
) -> None:
    page = open_comparison(BESIDE)
    page.get_by_role("button", name="Take away").click()
    expect(page.get_by_role("button", name="HTML:", include_hidden=True)).to_be_hidden()
    page.keyboard.press("Escape")
    name, table = taken(page, "CSV")
    assert name == "compared-layer-1-head-2-two-sentences.csv"
    header, *lines = csv.reader(io.StringIO(table.decode("utf-8-sig"), newline=""))
    assert header == ["query", "key", "one", "other", "difference", "distance of the rows"]
    numbers = np.array([[float(cell or "nan") for cell in line[2:]] for line in lines])
    rows = np.repeat(compared.distances, len(compared.columns))
    expected = [compared.one.ravel(), compared.other.ravel(), compared.difference.ravel(), rows]
    assert_close(numbers, np.stack(expected, axis=1))
    _, content = taken(page, "NPZ")
    with np.load(io.BytesIO(content), allow_pickle=False) as arrays:
        for array in ("one", "other", "difference", "distances"):
            np.testing.assert_array_equal(arrays[array], getattr(compared, array))
        assert list(arrays["queries"])[1:3] == ["1 · she | 1 · he", "2 · ran"]
    _, drawing = taken(page, "SVG")
    assert b"second, brown" in drawing
    assert taken(page, "PNG")[1].startswith(b"\x89PNG")
    a_server_that_never_answers_is_named(page)


def a_server_that_never_answers_is_named(page: Page) -> None:
    """A while after the document was asked for, the page says so, and it may be asked for again."""
    page.clock.install()
    page.evaluate(
        f"""() => {{
          {joined_modules("comparison.js")}
          const data = JSON.parse(document.getElementById("contents").textContent);
          const root = document.createElement("div");
          root.dataset.root = "";
          document.querySelector("main").replaceChildren(root);
          window.asked = [];
          const setTriggerValue = (name) => window.asked.push(name);
          comparison_js.openComponent({{ data, parentElement: document, setStateValue() {{}}, setTriggerValue }});
        }}"""
    )
    for times in (1, 2):
        page.get_by_role("button", name="Take away").click()
        page.get_by_role("button", name="HTML:").click()
        assert page.evaluate("window.asked") == ["page"] * times
        page.clock.fast_forward(LONGER_THAN_IT_WAITS)
        expect(page.locator(".compared .news")).to_contain_text("The server has not answered", timeout=WAIT)


def test_a_reader_compares_two_sentences_on_the_page_and_the_address_keeps_it(visit: Open) -> None:
    page = visit(model="mini-bert", view="compare", layer=1, head=2)
    expect(page.locator(".compared-finding")).to_contain_text("“was”: “was” from", timeout=WAIT)
    expect(page.locator(".compared .map-grid")).to_be_visible()
    page.get_by_role("radio", name="Arcs").click()
    becomes(page, lambda: "picture" in page.url, wanted=False)
    one, other = (page.locator(f".compared-arcs[data-side={side}]") for side in ("one", "other"))
    for side in (one, other):
        expect(side.locator(".arcs-said")).to_contain_text("“was” looks at")
    other.get_by_role("option", name=re.compile("street")).click()
    for side in (one, other):
        expect(side.locator(".arcs-said")).to_contain_text("“street” looks at")
    one.get_by_role("option", name=re.compile("animal")).hover()
    expect(other.locator(".arcs-said")).to_contain_text("“animal” looks at")
    page.get_by_role("radio", name="Map").click()
    becomes(page, lambda: "picture=map" in page.url, wanted=True)
    page.get_by_role("button", name="How this is measured").click()
    expect(page.get_by_role("group", name="How this is measured")).to_contain_text("of the attention of “was” moves")
    page.get_by_text("Layer or head", exact=True).click()
    expect(page.locator(".compared[data-shown*=layer-0-head-1]")).to_be_visible(timeout=WAIT)
    becomes(page, lambda: "compared=head" in page.url, wanted=True)
    assert box_of(page.locator(".compared .map-grid"))["width"] > 800
    name, document = taken(page, "HTML")
    assert name == "compared-layer-1-head-2-and-layer-0-head-1-side-by-side.html"
    assert document.startswith(b"<!DOCTYPE html>")
