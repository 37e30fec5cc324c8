"""The app as a reader meets it: a real server, a real browser, the embedded model, no network."""

from __future__ import annotations

import os
import re
import urllib.request
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

import pytest
from playwright.sync_api import Page, expect

from tests.browser.reader import PICTURE, WAIT, Open, in_address, shows, type_sentence

HOSTILE = "</script><script>window.pwned=1</script> <img src=x onerror=pwned=1> <b>bold</b> ${1} \\ \" ' `"


def heatmap(page: Page) -> str:
    """Title, labels and cells of the large picture, as the browser drew them."""
    return page.locator(PICTURE).last.evaluate(
        "plot => JSON.stringify([plot.layout.title.text, plot.layout.yaxis.labelalias, plot.data.at(-1).z])"
    )


def test_a_sentence_a_layer_and_a_head(visit: Open) -> None:
    page = visit(layer=0, head=0)
    shows(page, "Layer 0 · Head 0")
    first = heatmap(page)
    assert "animal" in first
    type_sentence(page, "The cat sat on the mat")
    in_address(page, text="The cat sat on the mat")
    expect(page.locator(f"{PICTURE} .yaxislayer-above, {PICTURE} .ytick").filter(has_text="mat").first).to_be_visible()
    second = heatmap(page)
    assert "mat" in second
    assert second != first
    layer, head = page.get_by_role("slider").nth(0), page.get_by_role("slider").nth(1)
    layer.press("ArrowRight")
    shows(page, "Layer 1 · Head 0")
    in_address(page, layer="1")
    head.press("ArrowRight")
    shows(page, "Layer 1 · Head 1")
    in_address(page, layer="1", head="1", text="The cat sat on the mat")
    assert heatmap(page) != second


def test_a_click_on_a_small_map_picks_the_head(visit: Open) -> None:
    page = visit(layer=0, head=0)
    shows(page, "Layer 0 · Head 0")
    maps = page.locator(f"{PICTURE} .nsewdrag").first

    def click(layer: int, column: int) -> None:
        box = maps.bounding_box()  # anew every time: the page may have moved on since
        assert box is not None
        maps.click(position={"x": box["width"] * (column + 0.5) / 9, "y": box["height"] * (layer + 0.5) / 4})

    for layer, head in ((2, 5), (3, 1)):
        click(layer, head)
        shows(page, f"Layer {layer} · Head {head}")
        in_address(page, layer=str(layer), head=str(head))
    click(0, 8)
    shows(page, "Layer 0 · mean over 8 heads")
    in_address(page, head="mean")


def test_a_copied_link_restores_the_view(visit: Open) -> None:
    page = visit(text="one two three", text_b="four five", layer=3, head=2, quantity="scores", view="pair")
    shows(page, "Layer 3 · Head 2")
    copied = parse_qs(urlsplit(page.url).query)
    again = visit(**{name: values[0] for name, values in copied.items()})
    shows(again, "Layer 3 · Head 2")
    assert heatmap(again) == heatmap(page)
    assert again.get_by_role("textbox", name="Sentence B (optional)").input_value() == "four five"


def test_the_sentence_is_kept_across_pages(visit: Open) -> None:
    page = visit("/")
    shows(page, "Layer")
    type_sentence(page, "kept from page to page")
    in_address(page, text="kept from page to page")
    page.get_by_role("link", name="Attention").first.click()
    expect(page.get_by_role("heading", name="Attention")).to_be_visible()
    in_address(page, text="kept from page to page")
    assert page.get_by_label("Sentence A").input_value() == "kept from page to page"


@pytest.mark.parametrize("view", ["explore", "pair", "head-view", "model-view"])
def test_a_hostile_sentence_stays_text(visit: Open, view: str) -> None:
    page = visit(text=HOSTILE, text_b=HOSTILE if view == "pair" else "", view=view)
    if view.endswith("view"):
        expect(page.frame_locator("iframe[title*=bertviz]").locator("svg").first).to_be_visible(timeout=WAIT)
    else:
        shows(page, "Layer")
        assert "script" in heatmap(page)
    assert page.locator("b", has_text="bold").count() == 0


def test_a_model_that_is_not_there_is_said_and_forgotten(visit: Open) -> None:
    page = visit(model="![x](http://example.com/x.png)")
    expect(page.get_by_role("alert")).to_be_visible(timeout=WAIT)
    assert page.locator("img[src*=example]").count() == 0
    page.get_by_role("combobox", name="Model").click()
    page.get_by_role("option", name="mini-bert · embedded, in our").click()
    shows(page, "Layer")


def test_a_telephone_gets_pictures_that_fit(visit: Open) -> None:
    page = visit(width=390, dark=True)
    shows(page, "Layer")
    expect(page.locator(PICTURE).last.locator("svg.main-svg").first).to_have_css(
        "width", re.compile(r"^3[0-5]\d"), timeout=WAIT
    )
    assert page.evaluate("document.documentElement.scrollWidth") <= 390


def test_the_numbers_can_be_taken_away(visit: Open, tmp_path: Path) -> None:
    page = visit(layer=1, head=4)
    shows(page, "Layer 1 · Head 4")
    with page.expect_download(timeout=WAIT) as waiting:
        page.get_by_role("button", name="Download the numbers").click()
    waiting.value.save_as(tmp_path / "numbers.csv")
    lines = (tmp_path / "numbers.csv").read_text(encoding="utf-8-sig").splitlines()
    assert waiting.value.suggested_filename == "attention-layer-1-head-4.csv"
    assert len(lines) == 16
    assert sum(float(cell) for cell in lines[3].split(",")[1:]) == pytest.approx(1, abs=1e-5)


def test_everything_runs_offline_by_itself(server: str) -> None:
    assert os.environ["HF_HUB_OFFLINE"] == "1"
    with urllib.request.urlopen(server, timeout=10) as answer:
        assert not re.findall(rb"(?:src|href)=.https?://", answer.read())
