"""The viewer on its page: what travels between the page, the server and the browser, and what does not."""

from __future__ import annotations

import urllib.error
import urllib.request
from pathlib import Path

import numpy as np
import pytest
from playwright.sync_api import Locator, Page, expect

from models.opening.registry import DEFAULT_MODEL
from models.values.record import AttentionRecord
from tests.browser.reader import (
    WAIT,
    Open,
    another_recording,
    at_rest,
    go_to,
    in_address,
    more_tools,
    press_file,
    reads,
    three_digits,
    turn_to_picture,
    type_sentence,
    viewer_shows,
)
from tests.browser.speed import at_every_speed
from tests.browser.waiting import becomes, box_of
from tests.closeness import assert_close
from tests.loaded import load
from viz.attention.sentence_pairs import block_shares
from viz.attention.transform import matrix_csv, prepare

SENTENCE = "The animal didn't cross the street because it was too tired."


def overview(page: Page) -> Locator:
    return page.locator(".viewer .overview canvas").first


@pytest.fixture(scope="module")
def record() -> AttentionRecord:
    return load(DEFAULT_MODEL, device="cpu").record(SENTENCE).of("encoder")


def test_a_head_picked_by_key_or_by_click_is_the_head_of_the_page_and_without_the_server_the_viewer_says_so(
    visit: Open, record: AttentionRecord
) -> None:
    page = visit(layer=0, head=0)
    viewer_shows(page, "Layer 0 · Head 0")
    at_rest(page)
    a_head_picked_in_the_viewer_is_the_head_of_the_page(page, record)
    a_click_on_a_small_map_picks_the_head(page, record)
    page.route("**/recordings/**", lambda route: route.fulfill(status=404, body="gone"))
    overview(page).press("ArrowLeft")
    expect(page.locator(".viewer > .failure")).to_contain_text("Reload", timeout=WAIT)


def a_head_picked_in_the_viewer_is_the_head_of_the_page(page: Page, record: AttentionRecord) -> None:
    viewer_shows(page, "Layer 0 · Head 0").evaluate("frame => { frame.marked = true; }")
    overview(page).press("ArrowDown")
    viewer_shows(page, "Layer 1 · Head 0")
    in_address(page, layer="1", head="0")
    expect(page.get_by_role("slider", name="Layer")).to_have_attribute("aria-valuetext", "1")
    for _ in range(record.n_heads):
        overview(page).press("ArrowRight")
    viewer_shows(page, "Layer 1 · mean of the heads")
    in_address(page, layer="1", head="mean")
    page.get_by_role("slider", name="Layer").press("ArrowRight")
    viewer = viewer_shows(page, "Layer 2 · mean of the heads")
    becomes(page, lambda: viewer.evaluate("frame => frame.marked"), True)


def a_click_on_a_small_map_picks_the_head(page: Page, record: AttentionRecord) -> None:
    at_rest(page)
    box = box_of(overview(page))
    left, top, n_columns, n_rows = 46, 40, record.n_heads + 1, record.n_layers + 1  # the last ones are means
    for layer, head, title in ((2, 5, "Head 5"), (3, 1, "Head 1"), (0, record.n_heads, "mean of the heads")):
        x = left + (box["width"] - left) * (head + 0.5) / n_columns
        y = top + (box["height"] - top) * (layer + 0.5) / n_rows
        overview(page).hover(position={"x": x, "y": y})
        expect(page.locator(".viewer .preview")).to_contain_text(f"Layer {layer} · {title}")
        overview(page).click(position={"x": x, "y": y})
        viewer_shows(page, f"Layer {layer} · {title}")
    in_address(page, layer="0", head="mean")


def test_the_switches_are_in_the_address_and_outlive_the_page(visit: Open) -> None:
    page = visit(layer=1, head=2)
    viewer = viewer_shows(page, "Layer 1 · Head 2")
    more_tools(page)
    viewer.get_by_label("Special tokens").select_option("hidden_renormalised")
    in_address(page, special="hidden_renormalised")
    more_tools(page)
    viewer.get_by_label("Whole words").check()
    in_address(page, words="yes")
    viewer.get_by_label("Show", exact=True).select_option("value_weighted")
    in_address(page, quantity="value_weighted")
    go_to(page, "Lessons")
    go_to(page, "Attention")
    again = viewer_shows(page, "Layer 1 · Head 2")
    expect(again.get_by_label("Show", exact=True)).to_have_value("value_weighted")
    more_tools(page)
    expect(again.get_by_label("Whole words")).to_be_checked()
    again.get_by_label("Show", exact=True).select_option("scores")
    more_tools(page)
    expect(again.get_by_label("Whole words")).to_be_disabled()


@at_every_speed
def test_the_numbers_are_those_of_the_record(visit: Open, record: AttentionRecord) -> None:
    page = visit(text=SENTENCE, layer=1, head=2)
    grid = viewer_shows(page, "Layer 1 · Head 2").get_by_role("grid").last
    grid.press("Home")
    for step, (query, key) in enumerate([(0, 0), (1, 0), (2, 0), (2, 1)]):
        if step:
            grid.press("ArrowRight" if key else "ArrowDown")
        said = reads(page, rf"{query} · .* → {key} · .* · weight (\d\.\d+)(?: \(.*\))? · score ([+-]\d+\.\d+)")
        numbers = record.weights(1, 2)[query, key], record.scores(1, 2)[query, key]
        assert_close([float(number) for number in said.groups()], numbers, step=1e-2)  # three digits


def test_what_is_fetched_is_addressed_by_a_key_that_nobody_guesses_and_a_rerun_fetches_nothing_again(
    visit: Open, server: str, record: AttentionRecord
) -> None:
    received: list[int] = []
    asked: list[str] = []
    page = visit("/_stcore/health")
    page.on("websocket", lambda socket: socket.on("framereceived", lambda frame: received.append(len(frame))))
    page.on("request", lambda request: asked.append(request.url))
    page.goto(f"{server}/attention?layer=0&head=0")
    viewer_shows(page, "Layer 0 · Head 0")
    at_rest(page)
    bases = {url.split("/recordings/")[1].split("/")[0] for url in asked if "/recordings/" in url}
    received.clear()
    asked.clear()
    page.get_by_role("textbox", name="Sentence A").press("Enter")
    at_rest(page)
    assert received
    assert sum(received) < 34_000  # the widgets, and the list of the heads that are known for something
    assert [url for url in asked if "/recordings/" in url] == []  # what else comes is the model that reads as one types
    assert len(bases) == 1
    (key,) = bases
    assert key not in page.url
    assert len(key) >= 32
    with urllib.request.urlopen(f"{server}/headlight/recordings/{key}/about", timeout=10) as answer:
        assert answer.headers["Cache-Control"] == "no-store"
    for path in ("recordings/guess/about", f"recordings/{key[:-1]}/about", "frontend/x/en/viewer_payload.py"):
        with pytest.raises(urllib.error.HTTPError) as error:
            urllib.request.urlopen(f"{server}/headlight/{path}", timeout=10)
        assert error.value.code == 404
    with pytest.raises(urllib.error.HTTPError) as error:
        urllib.request.urlopen(f"{server}/headlight/recordings/{key}/head?layer=99", timeout=10)
    assert error.value.code == 400
    assert f"layers 0 to {record.n_layers - 1}" in error.value.read().decode()


def test_nothing_of_the_old_sentence_stays(visit: Open) -> None:
    page = visit(text="the cat sat here", text_b="it was red", layer=1, head=2)
    viewer = viewer_shows(page, "Layer 1 · Head 2")
    grid = viewer.get_by_role("grid", name="query tokens")
    grid.press("Home")
    expect(page.locator(".viewer .readout")).to_contain_text("score")
    with another_recording(page):
        type_sentence(page, "two men ran home")
    new = load(DEFAULT_MODEL, device="cpu").record("two men ran home", "it was red").of("encoder")
    grid.press("Home")
    said = page.locator(".viewer .readout")
    expect(said).to_contain_text(three_digits(new.weights(1, 2)[0, 0]))
    expect(said).to_contain_text(three_digits(new.scores(1, 2)[0, 0]))
    turn_to_picture(page, "A and B")
    expect(viewer).to_have_attribute("data-picture", "blocks")
    blocks = block_shares(new)
    here = blocks[(blocks["layer"] == 1) & (blocks["head"] == 2)]
    for way in ("A to A", "B to A", "[CLS] to B"):
        cell = viewer.get_by_role("gridcell", name=f"from {way}: {here[way].item():.3f}")
        expect(cell).to_have_count(1)


def test_files_come_from_the_server(visit: Open, record: AttentionRecord, tmp_path: Path) -> None:
    page = visit(text=SENTENCE, layer=1, head=4)
    viewer = viewer_shows(page, "Layer 1 · Head 4")
    more_tools(page)
    expect(viewer.get_by_role("radio", name="Sentence")).to_be_visible()
    expect(viewer.get_by_role("radio", name="A and B")).to_be_hidden()  # there is no B
    page.keyboard.press("Escape")

    def taken(name: str) -> Path:
        with page.expect_download(timeout=WAIT) as waiting:
            press_file(viewer, name)
        waiting.value.save_as(tmp_path / waiting.value.suggested_filename)
        return tmp_path / waiting.value.suggested_filename

    table = taken("CSV")
    assert table.name == "attention-layer-1-head-4.csv"
    assert table.read_bytes() == matrix_csv(prepare(record, layer=1, head=4))
    with np.load(taken("NPZ"), allow_pickle=False) as arrays:
        assert_close(arrays["weights"][1, 4], record.weights(1, 4))
    assert "Layer" not in taken("SVG").read_text(encoding="utf-8")[:100]
    assert taken("PNG").read_bytes().startswith(b"\x89PNG")
    again = page.context.new_page()
    again.goto(taken("HTML").as_uri())
    expect(again.locator(".viewer .title")).to_contain_text("Layer 1 · Head 4")
    again.close()


def test_any_text_is_drawn(visit: Open) -> None:
    page = visit(text="나는 학교에 간다", layer=0, head=0)
    for text in ("שלום עולם مرحبا", "the the the the", "x"):
        viewer_shows(page, "Layer 0 · Head 0")
        for picture in ("Sentence", "Map"):
            turn_to_picture(page, picture)
        expect(page.locator(".viewer > .failure")).to_be_hidden()
        with another_recording(page):
            type_sentence(page, text)
    viewer_shows(page, "Layer 0 · Head 0")
    expect(page.locator(".viewer > .failure")).to_be_hidden()
