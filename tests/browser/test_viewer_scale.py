"""The scale of the colours: its end is drawn, said, kept in the address and taken away; the small maps follow."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any
from xml.etree import ElementTree as ET

import numpy as np
import pytest
from numpy.typing import NDArray
from playwright.sync_api import Page, expect

from models.values.record import Recording
from tests.browser.reader import Open, OpenFile, in_address, more_tools, press_file, viewer_shows
from tests.browser.test_viewer_files import taken, texts_of
from tests.browser.test_viewer_map import HeadMap
from tests.browser.test_viewer_overview import LEFT, TOP, brightness, pixels
from tests.browser.waiting import WAIT, becomes, eventually
from tests.closeness import assert_close
from viz.attention.transform import pool, prepare
from viz.kit.demos.records import PAIR, random_record, random_recording, recording_of, tokens_of
from viz.kit.theme import LIGHT
from viz.viewer.packing import CODES_8
from viz.viewer.payload import small_step

ALL = ("0", "0.2", "0.4", "0.6", "0.8", "1")
WRITTEN = """
  window.written = [];
  const write = CanvasRenderingContext2D.prototype.fillText;
  CanvasRenderingContext2D.prototype.fillText = function (text, ...place) {
    window.written.push(text);
    return write.call(this, text, ...place);
  };
"""
"""Keeps what is written on canvases."""


def shown_maps(page: Page, n_layers: int, n_columns: int) -> NDArray[Any]:
    """The mean lightness of every small map."""
    image = pixels(page)
    tall, wide = (image.shape[0] - TOP) / (n_layers + 1), (image.shape[1] - LEFT) / n_columns
    means = np.zeros((n_layers, n_columns))
    for layer, column in np.ndindex(means.shape):
        top, left = TOP + layer * tall, LEFT + column * wide
        inner = image[round(top + 1) : round(top + tall * 0.88), round(left + 1) : round(left + wide * 0.88)]
        means[layer, column] = inner.mean() / 255
    return means


def of_weights(recording: Recording, change: Any) -> NDArray[Any]:
    """The mean lightness that every small map has when its weights, in 0..1, are changed so."""
    record = recording.attention[0]
    side = small_step(record)
    heads = [[*range(record.n_heads), None] for _ in range(record.n_layers)]
    maps = [
        [np.sqrt(pool(change(layer, head), step=side)) * CODES_8 for head in row] for layer, row in enumerate(heads)
    ]
    return np.array([[brightness(np.round(codes)) for codes in row] for row in maps])


def test_a_long_text_is_not_empty_on_a_scale_that_fits(open_file: OpenFile) -> None:
    sharp = random_recording(n_tokens=256, n_layers=2, n_heads=3)
    record = replace(sharp.attention[0], scale=(0.25, 0.25))  # no weight is large, as in most heads of a long text
    recording = replace(sharp, attention=(record,))
    page = open_file(recording, layer=1, head=1)
    shown = HeadMap(page, recording.attention[0])
    weights = prepare(shown.record, layer=1, head=1).values
    query, key = (int(place) for place in np.unravel_index(weights.argmax(), weights.shape))
    assert weights.max() < 0.5
    note = page.locator(".viewer .map-note")
    expect(note).to_contain_text("Scale: 0 to 1.")
    shown.expect_colour(query, key, weights.max(), LIGHT)
    more_tools(page)
    page.get_by_role("combobox", name="Scale").select_option("map")
    expect(note).to_contain_text(f"Scale: 0 to {weights.max():.3f}, the largest here.")
    shown.expect_colour(query, key, 1.0, LIGHT)
    drawing = ET.fromstring(taken(page, "SVG")[1])
    assert f"{weights.max():.3f}" in texts_of(drawing)
    assert any(f"Scale: 0 to {weights.max():.3f}" in text for text in texts_of(drawing))
    page.get_by_role("combobox", name="Show", exact=True).select_option("scores")
    more_tools(page)
    expect(page.get_by_role("combobox", name="Scale")).to_be_disabled()
    expect(note).to_contain_text("Scale: −")
    expect(page.locator(".viewer .overview-legend")).to_contain_text("Only the large map shows scores.")


@pytest.mark.parametrize("is_long", [False, True])
def test_small_maps_follow_the_scale(open_file: OpenFile, monkeypatch: pytest.MonkeyPatch, is_long: bool) -> None:
    if is_long:
        monkeypatch.setattr("viz.viewer.payload.WHOLE", 0)
    recording = random_recording(n_tokens=96, n_layers=2, n_heads=3)
    page = open_file(recording)
    legend, record = page.locator(".viewer .overview-legend"), recording.attention[0]

    def fitted(layer: int, head: int | None) -> NDArray[Any]:
        weights = prepare(record, layer=layer, head=head).values
        return weights / weights.max()

    expect(legend).to_have_text("01 (weight)")
    more_tools(page)
    page.get_by_role("combobox", name="Scale").select_option("map")
    expect(legend).to_have_text("0largest weight of each map")
    assert_close(shown_maps(page, 2, 4), of_weights(recording, fitted), tolerance=0.03, magnitude=1)
    page.locator(".viewer .overview canvas").first.hover(position={"x": LEFT + 5, "y": TOP + 5})
    largest = "" if is_long else f"{prepare(record, layer=0, head=0).values.max():.2f}"  # blocks come in 8 bits
    expect(page.locator(".viewer .preview")).to_contain_text(f"Layer 0 · Head 0 · up to {largest}")


def test_small_maps_follow_words_special_tokens_and_what_is_left_out(open_file: OpenFile) -> None:
    recording = recording_of(random_record(tokens=tokens_of(PAIR), n_layers=2, n_heads=3))
    page = open_file(recording, special="hidden_renormalised", words=True, top=1)

    def strongest(layer: int, head: int | None) -> NDArray[Any]:
        weights = prepare(
            recording.attention[0], layer=layer, head=head, words=True, special="hidden_renormalised"
        ).values
        return np.where(weights == weights.max(axis=1, keepdims=True), weights, 0)

    assert_close(shown_maps(page, 2, 4), of_weights(recording, strongest), tolerance=0.03, magnitude=1)
    expect(page.locator(".viewer .overview-legend")).to_have_text("01 (weight)")
    more_tools(page)
    page.get_by_role("combobox", name="Scale").select_option("row")
    expect(page.locator(".viewer .overview-legend")).to_have_text("0largest weight of each row")

    def by_row(layer: int, head: int | None) -> NDArray[Any]:
        return (strongest(layer, head) > 0).astype(np.float32)

    assert_close(shown_maps(page, 2, 4), of_weights(recording, by_row), tolerance=0.03, magnitude=1)


def test_small_maps_of_a_long_text_say_what_they_do_not_follow(
    open_file: OpenFile, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("viz.viewer.payload.WHOLE", 0)
    page = open_file(random_recording(n_tokens=96, n_layers=1, n_heads=2), words=True, special="hidden", top=3)
    expect(page.locator(".viewer .overview-legend")).to_have_text(
        "01 (weight). Only the large map shows whole words, that special tokens are hidden and the strongest of a row."
    )


def test_the_scale_is_in_the_address_and_in_the_file(visit: Open, tmp_path: Path) -> None:
    page = visit(layer=1, head=2, scale="map")
    viewer = viewer_shows(page, "Layer 1 · Head 2")
    more_tools(page)
    scale = viewer.get_by_role("combobox", name="Scale")
    expect(scale).to_have_value("map")
    with page.expect_download(timeout=WAIT) as waiting:
        press_file(viewer, "HTML")
    waiting.value.save_as(tmp_path / "viewer.html")
    more_tools(page)
    scale.select_option("row")
    in_address(page, scale="row")
    expect(viewer.locator(".map-note")).to_contain_text("the largest of a row is strongest")
    again = page.context.new_page()
    again.goto((tmp_path / "viewer.html").as_uri())
    more_tools(again)
    expect(again.get_by_role("combobox", name="Scale")).to_have_value("map")
    expect(again.locator(".viewer .map-note")).to_contain_text("the largest here")
    again.close()


def test_long_numbers_under_a_short_colour_bar_do_not_run_into_each_other(open_file: OpenFile) -> None:
    recording = random_recording(n_tokens=16, n_layers=2, n_heads=3)
    page = open_file(recording, width=390, touch=True, layer=1, head=1, script=WRITTEN)
    largest = prepare(recording.attention[0], layer=1, head=1).values.max()
    becomes(page, lambda: [text for text in ALL if text not in page.evaluate("window.written")], [])
    page.evaluate("window.written = []")
    more_tools(page)
    page.get_by_role("combobox", name="Scale").select_option("map")
    expect(page.locator(".viewer .map-note")).to_contain_text(f"Scale: 0 to {largest:.3f}, the largest here.")
    eventually(page, lambda: page.evaluate("window.written"), lambda written: f"{largest:.3f}" in written)
    assert f"{0.8 * largest:.3f}" not in page.evaluate("window.written")
