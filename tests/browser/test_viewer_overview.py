"""All heads at a glance: every small map shows its own head, and every way to pick one works; and a long text, live."""

from __future__ import annotations

import base64
import dataclasses
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import transformers as hf
from numpy.typing import NDArray
from playwright.sync_api import Page, Route, expect

from models.values.record import AttentionRecord
from tests.browser.reader import (
    Open,
    OpenFile,
    another_recording,
    in_address,
    reads,
    three_digits,
    type_sentence,
    viewer_shows,
)
from tests.browser.waiting import box_of, drawn, eventually
from tests.loaded import load
from tests.models.huggingface.families import COMMON, FAMILIES, save
from viz.attention.transform import pool
from viz.kit.demos.records import random_record, random_recording
from viz.kit.theme import LIGHT
from viz.viewer.packing import CODES_8
from viz.viewer.payload import small_step

LEFT, TOP = 46, 40
"""Where the first map begins: room for the numbers of layers and heads."""


def maps_of(record: AttentionRecord) -> NDArray[Any]:
    """The codes of the small maps [n_layers, n_heads + 1, tall, wide]."""
    side = small_step(record)
    heads = [
        [*(record.weights(layer, head) for head in range(record.n_heads)), record.mean_weights(layer)]
        for layer in range(record.n_layers)
    ]
    return np.array([[np.round(np.sqrt(pool(weights, step=side)) * CODES_8) for weights in layer] for layer in heads])


def pixels(page: Page) -> NDArray[Any]:
    """What is on the canvas [height, width, 3], at one pixel of the picture for one of the page."""
    drawn = page.evaluate(
        """() => {
            const canvas = document.querySelector(".viewer .overview canvas");
            const { data, width, height } = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height);
            const parts = Array.from({ length: Math.ceil(data.length / 8192) }, (_, index) => index * 8192);
            const text = parts.map((at) => String.fromCharCode(...data.subarray(at, at + 8192))).join("");
            return [width, height, btoa(text)];
        }"""
    )
    width, height, data = drawn
    return np.frombuffer(base64.b64decode(data), np.uint8).reshape(height, width, 4)[:, :, :3]


def brightness(codes: NDArray[Any]) -> NDArray[Any]:
    """The mean lightness of maps of these codes, from 0, the strongest, to 1."""
    stops = np.array([[int(colour[at : at + 2], 16) for at in (1, 3, 5)] for colour in LIGHT.sequential], float)
    weights = (codes / CODES_8) ** 2
    places = np.linspace(0, 1, len(stops))
    colours = [np.interp(weights, places, stops[:, channel]) for channel in range(3)]
    shown: NDArray[Any] = np.mean(colours, axis=(0, -2, -1)) / 255
    return shown


@pytest.mark.parametrize("n_tokens", [1, 8, 64])
def test_every_small_map_is_that_of_its_head(open_file: OpenFile, n_tokens: int) -> None:
    recording = random_recording(n_tokens=n_tokens, n_layers=3, n_heads=4)
    page = open_file(recording)
    image = pixels(page)
    height, width = image.shape[:2]
    codes = maps_of(recording.attention[0])
    tall, wide = (height - TOP) / 4, (width - LEFT) / 5
    for layer in range(3):
        for column in range(5):
            top, left = TOP + layer * tall, LEFT + column * wide
            inner = image[round(top + 1) : round(top + tall * 0.88), round(left + 1) : round(left + wide * 0.88)]
            assert inner.mean() / 255 == pytest.approx(brightness(codes[layer, column]), abs=0.02)


@pytest.mark.parametrize("n_tokens", [8, 4096])
def test_heads_are_picked_by_pointer_and_by_keyboard(open_file: OpenFile, n_tokens: int) -> None:
    page = open_file(random_recording(n_tokens=n_tokens, n_layers=3, n_heads=4), layer=0, head=0)
    viewer, canvas = page.locator(".viewer"), page.locator(".viewer .overview canvas").first
    box = box_of(canvas)
    tall, wide = (box["height"] - TOP) / 4, (box["width"] - LEFT) / 5

    def place(layer: int, column: int) -> Any:
        return {"x": LEFT + wide * (column + 0.4), "y": TOP + tall * (layer + 0.4)}

    canvas.hover(position=place(3, 4))
    expect(page.locator(".viewer .preview")).to_contain_text("Mean over all layers and heads")
    canvas.hover(position=place(1, 2))
    expect(page.locator(".viewer .preview")).to_contain_text("Layer 1 · Head 2")
    preview = box_of(page.locator(".viewer .preview"))
    assert preview["x"] > box["x"] + box["width"] - 1  # no small map is under it
    canvas.click(position=place(1, 2))
    expect(viewer).to_have_attribute("data-painted", "encoder 1 2 exact")
    for key, painted in (
        ("ArrowRight", "1 3"),
        ("ArrowDown", "2 3"),
        ("ArrowDown", "2 3"),
        ("Home", "2 0"),
        ("PageUp", "0 0"),
    ):
        canvas.press(key)
        expect(viewer).to_have_attribute("data-painted", f"encoder {painted} exact")
        expect(page.locator(".viewer .preview")).to_be_hidden()
    expect(canvas).to_have_attribute("aria-label", "All heads of all layers. Chosen: Layer 0 · Head 0.")
    canvas.press("End")
    expect(page.locator(".viewer .title")).to_have_text("Layer 0 · mean of the heads")


def test_masked_blocks_are_grey_and_a_long_text_says_what_its_maps_look_at(
    open_file: OpenFile, monkeypatch: pytest.MonkeyPatch
) -> None:
    causal = random_record(n_layers=2, n_heads=2, causal=True)
    recording = dataclasses.replace(
        random_recording(n_tokens=len(causal.query_tokens)), tokens=causal.query_tokens, attention=(causal,)
    )
    page = open_file(recording)
    grey = [int(LIGHT.masked[at : at + 2], 16) for at in (1, 3, 5)]
    share = (pixels(page) == grey).all(axis=-1).mean()
    assert 0.2 < share < 0.5
    expect(page.locator(".viewer .overview .hint")).not_to_contain_text("long")
    monkeypatch.setattr("viz.viewer.payload.SAMPLED", 100_000)
    monkeypatch.setattr("viz.viewer.payload.WHOLE", 0)
    long = open_file(random_recording(n_tokens=300, n_layers=2, n_heads=2))
    expect(long.locator(".viewer .overview .hint")).to_contain_text("every 4th row")


def test_4096_tokens_on_the_page(visit: Open, tmp_path: Path) -> None:
    family = dataclasses.replace(
        FAMILIES["bert"],
        config=lambda: hf.BertConfig(**COMMON | {"pad_token_id": 0, "max_position_embeddings": 4096}),
    )
    folder = str(save(family, tmp_path))
    text = "the animal was tired and he went to the shop " * 600
    page = visit(model=folder, layer=0, head=0)
    viewer_shows(page, "Layer 0 · Head 0")
    with another_recording(page):
        type_sentence(page, text)
    viewer_shows(page, "Layer 0 · Head 0")
    record = load(folder, device="cpu").record(text).of("encoder")
    assert record.n_key == 4096
    page.locator(".viewer .overview canvas").first.press("ArrowRight")
    grid = viewer_shows(page, "Layer 0 · Head 1").get_by_role("grid", name="query tokens")
    in_address(page, head="1")
    for key, column in (("Home", 0), ("End", 4095)):
        grid.press(key)
        said = reads(page, rf"(\d+) · .* → {column} · .* · weight (\d\S*).* · score .*")
        query = int(said[1])
        assert said[2] == three_digits(record.weights(0, 1, rows=slice(query, query + 1))[0, column])


def test_a_map_that_is_pointed_at_before_it_has_come_is_shown_when_it_comes(visit: Open) -> None:
    page = visit(layer=0, head=0)
    viewer_shows(page, "Layer 0 · Head 0")
    held: list[Route] = []

    def hold(route: Route) -> None:
        held.append(route)

    page.route("**/overview?*", hold)
    with another_recording(page):
        type_sentence(page, "Another sentence stands here now.")
        eventually(page, lambda: len(held), bool)
    canvas = page.locator(".viewer .overview canvas").first
    box = box_of(canvas)
    canvas.hover(position={"x": LEFT + (box["width"] - LEFT) / 2, "y": TOP + (box["height"] - TOP) / 2})
    drawn(page)
    expect(page.locator(".viewer .preview")).to_be_hidden()
    held[0].continue_()
    expect(page.locator(".viewer .preview")).to_contain_text("Layer 3")  # in the middle of six layers and their mean
