"""The picture and the sound beside the map: what the pointer or the keyboard is on is marked there, and what it attends
to is as clear, or as strongly shaded, as its weight compares with the largest of the row."""

from __future__ import annotations

from math import ceil
from typing import Any

import numpy as np
import pytest
from playwright.sync_api import Locator, Page, expect

from models import load
from models.values.places import AudioFrame, Image, Patch
from models.values.record import Array, AttentionRecord, Recording
from tests.browser.reader import OpenFile, per_cent
from tests.browser.waiting import box_of, eventually
from tests.models.huggingface.modalities import TEXT, example_picture, example_sound, save_vit, save_whisper
from viz.kit.theme import DARK, LIGHT

LAYER, HEAD = 1, 2
VEIL, SHADE = 0.86, 0.85
"""How strong a veil over what gets nothing is, and the shade where most goes."""
INSIDE = 5.5 / 16
"""From the side of a patch to the middle of its sixth pixel."""


@pytest.fixture(scope="module")
def picture(tmp_path_factory: pytest.TempPathFactory) -> Recording:
    model: Any = load(save_vit(tmp_path_factory.mktemp("vit")), device="cpu")
    recording: Recording = model.record(example_picture())
    return recording


@pytest.fixture(scope="module")
def sound(tmp_path_factory: pytest.TempPathFactory) -> Recording:
    model: Any = load(save_whisper(tmp_path_factory.mktemp("whisper")), device="cpu")
    recording: Recording = model.record(example_sound(), TEXT)
    return recording


def numbers(grid: Locator, name: str) -> list[float]:
    said = eventually(grid.page, lambda: grid.get_attribute(name), bool)
    return [float(number) for number in str(said).split()]


def point_at(page: Page, query: int, key: int) -> None:
    """Move to a cell of the map, which is seen as a whole."""
    grid = page.locator(".map-grid")
    box = box_of(grid)
    x, y, width, height = numbers(grid, "data-plot")
    top, bottom, left, right = numbers(grid, "data-seen")
    place = (x + width * (key + 0.5 - left) / (right - left), y + height * (query + 0.5 - top) / (bottom - top))
    page.mouse.move(box["x"] + place[0], box["y"] + place[1])


def marks(page: Page, query: object, key: object) -> Locator:
    """The source beside the map, once these tokens are what is marked in it."""
    source = page.locator(".viewer .source")
    expect(source).to_have_attribute("data-query", str(query))
    expect(source).to_have_attribute("data-key", str(key))
    return source


def pixel(source: Locator, x: float, y: float) -> tuple[int, ...]:
    read = "(canvas, at) => [...canvas.getContext('2d').getImageData(at[0], at[1], 1, 1).data]"
    return tuple(source.locator("canvas").evaluate(read, [int(x), int(y)]))


def width_of(source: Locator) -> tuple[int, int]:
    """Of the canvas, in pixels: the screen of the tests has one a CSS pixel."""
    width, height = source.locator("canvas").evaluate("canvas => [canvas.width, canvas.height]")
    return width, height


def shares_of(record: AttentionRecord, query: int) -> Array:
    """What each key with a place has of the largest weight of a row, NaN for one without."""
    row = record.weights(LAYER, HEAD)[query].copy()
    row[[token.place is None for token in record.key_tokens]] = np.nan
    shares: Array = row / np.nanmax(row)
    return shares


def ground(dark: bool) -> Array:
    colour = (DARK if dark else LIGHT).ground
    return np.array([int(colour[at : at + 2], 16) for at in (1, 3, 5)], np.float32)


def opened(open_file: OpenFile, recording: Recording, **choices: object) -> Page:
    return open_file(recording, layer=LAYER, head=HEAD, **choices)


@pytest.mark.parametrize("dark", [False, True])
def test_a_patch_is_as_clear_as_the_query_attends_to_it(open_file: OpenFile, picture: Recording, dark: bool) -> None:
    page, record = opened(open_file, picture, dark=dark), picture.of("encoder")
    query, key = 9, 20
    point_at(page, query, key)
    source, shares = marks(page, query, key), shares_of(record, query)
    expect(source.locator(".source-query")).to_have_text("query: patch row 1, column 2")
    expect(source.locator(".source-key")).to_have_text("key: patch row 3, column 1")
    largest = np.nanmax(record.weights(LAYER, HEAD)[query, 1:])
    expect(source.locator(".source-caption")).to_contain_text(f"{per_cent(largest)}")
    image = picture.source
    assert isinstance(image, Image)
    order = [int(at) for at in np.argsort(-np.nan_to_num(shares)) if at not in {0, query, key}]
    for at in (order[0], order[1], order[len(order) // 2], order[-2]):
        place = record.key_tokens[at].place
        assert isinstance(place, Patch)
        share_x, share_y = ((place.column + INSIDE) / 6, (place.row + INSIDE) / 6)
        own = image.pixels[int(share_y * image.height), int(share_x * image.width)].astype(np.float32)
        veiled = own + (ground(dark) - own) * VEIL * (1 - shares[at])
        eventually(
            page,
            lambda x=share_x, y=share_y: pixel(source, x * width_of(source)[0], y * width_of(source)[1])[:3],
            lambda found, wanted=veiled: np.abs(np.array(found) - wanted).max() <= 3,
        )


def test_the_pointer_on_a_patch_is_on_its_row(open_file: OpenFile, picture: Recording) -> None:
    page = opened(open_file, picture)
    canvas = page.locator(".viewer .source canvas")
    box = box_of(canvas)
    page.mouse.move(box["x"] + box["width"] * 4.5 / 6, box["y"] + box["height"] * 2.5 / 6)
    marks(page, 1 + 2 * 6 + 4, "")
    expect(page.locator(".readout .reading")).to_contain_text("patch row 2, column 4 attends most to")
    page.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] + 400)
    marks(page, "", "")
    expect(page.locator(".source-caption")).to_contain_text("Point at a row of the map")


def test_the_keyboard_moves_the_marks_and_cls_has_none(open_file: OpenFile, picture: Recording) -> None:
    page = opened(open_file, picture)
    page.locator(".map-grid").focus()
    page.keyboard.press("Home")
    for _ in range(2):
        page.keyboard.press("ArrowDown")
    source = marks(page, 2, 0)
    expect(source.locator(".source-query")).to_contain_class("placed")
    expect(source.locator(".source-key")).to_have_text("key: 0 · [CLS]")
    expect(source.locator(".source-key")).not_to_contain_class("placed")


@pytest.mark.parametrize("dark", [False, True])
def test_a_stretch_is_shaded_as_the_query_attends_to_it(open_file: OpenFile, sound: Recording, dark: bool) -> None:
    page, record = opened(open_file, sound, kind="cross", dark=dark), sound.of("cross")
    query, key = 4, 21
    point_at(page, query, key)
    source, shares = marks(page, query, key), shares_of(record, query)
    expect(source.locator(".source-query")).to_have_text(f"query: 4 · {record.query_tokens[4].text}")
    expect(source.locator(".source-key")).to_have_text("key: 0.42 to 0.44 s")
    order = [int(at) for at in np.argsort(-shares) if abs(at - key) > 2]
    for at in (order[0], order[1], order[len(order) // 2], order[-1]):
        place = record.key_tokens[at].place
        assert isinstance(place, AudioFrame)
        eventually(
            page,
            lambda start=place.start: pixel(source, ceil(start / 2 * width_of(source)[0]), 1)[3],
            lambda found, wanted=255 * SHADE * shares[at]: abs(found - wanted) <= 2,
        )


def test_the_pointer_on_the_sound_is_on_its_row_and_text_alone_has_no_sound(
    open_file: OpenFile, sound: Recording
) -> None:
    page = opened(open_file, sound, kind="encoder")
    box = box_of(page.locator(".viewer .source canvas"))
    page.mouse.move(box["x"] + box["width"] * 0.5051, box["y"] + 20)
    marks(page, 50, "")
    expect(page.locator(".source-query")).to_have_text("query: 1.00 to 1.02 s")
    page.locator(".controls select").first.select_option("decoder")
    expect(page.locator(".viewer .source")).to_be_hidden()
