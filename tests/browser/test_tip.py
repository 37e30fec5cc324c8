"""The value stands at the pointer, and above the finger: tokens and four digits, within the picture."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Locator, Page, expect

from models.values.record import AttentionRecord, Recording
from tests.browser.reader import OpenFile, per_cent
from tests.browser.waiting import box_of, eventually
from viz.kit.demos.records import PAIR, random_record, recording_of, tokens_of

LAYER, HEAD = 1, 2
TEXTS = PAIR.split()
CORNERS = [(0, 0), (0, -1), (-1, 0), (-1, -1)]


@pytest.fixture
def record() -> AttentionRecord:
    return random_record(tokens=tokens_of(PAIR))


def place_of(page: Page, query: int, key: int) -> tuple[float, float]:
    """The middle of a cell of the map in the window."""
    grid = page.locator(".map-grid")
    said = eventually(page, lambda: grid.get_attribute("data-plot"), bool)
    box, plot, n = box_of(grid), [float(number) for number in str(said).split()], len(TEXTS)
    return box["x"] + plot[0] + plot[2] * (key + 0.5) / n, box["y"] + plot[1] + plot[3] * (query + 0.5) / n


def lies_within(tip: Locator, picture: Locator) -> None:
    inner, outer = box_of(tip), box_of(picture)
    assert inner["x"] >= outer["x"] - 0.5
    assert inner["y"] >= outer["y"] - 0.5
    assert inner["x"] + inner["width"] <= outer["x"] + outer["width"] + 0.5
    assert inner["y"] + inner["height"] <= outer["y"] + outer["height"] + 0.5


def opened(open_file: OpenFile, recording: Recording, **choices: object) -> Page:
    return open_file(recording, layer=LAYER, head=HEAD, **choices)


@pytest.mark.parametrize(("touch", "dark"), [(False, False), (True, True)])
def test_a_cell_says_its_tokens_and_its_weight_at_the_pointer_and_above_the_finger(
    open_file: OpenFile, record: AttentionRecord, touch: bool, dark: bool
) -> None:
    page = opened(open_file, recording_of(record), touch=touch, dark=dark, width=390 if touch else 1366)
    tip, weights, n = page.locator(".map-grid .tip"), record.weights(LAYER, HEAD), len(TEXTS)
    for row, column in [*CORNERS, (n // 2, n // 3)]:
        query, key = row % n, column % n
        x, y = place_of(page, query, key)
        if touch:
            page.touchscreen.tap(x, y)
        else:
            page.mouse.move(x, y)
        pair = re.escape(f"{query} · {TEXTS[query]} → {key} · {TEXTS[key]}")
        expect(tip).to_have_text(re.compile(rf"{pair}\s+weight {per_cent(weights[query, key])}"))
        lies_within(tip, page.locator(".map-grid"))
        label = box_of(tip)
        covers = label["x"] <= x <= label["x"] + label["width"] and label["y"] <= y <= label["y"] + label["height"]
        assert not covers
    expect(tip).to_have_attribute("aria-hidden", "true")
    ground = [
        int(number) for number in re.findall(r"\d+", tip.evaluate("node => getComputedStyle(node).backgroundColor"))
    ]
    assert (sum(ground[:3]) < 384) == dark


def test_a_finger_does_not_cover_what_it_points_at(open_file: OpenFile, record: AttentionRecord) -> None:
    page = opened(open_file, recording_of(record), touch=True, width=390)
    n = len(TEXTS)
    x, y = place_of(page, n - 2, n // 2)
    page.touchscreen.tap(x, y)
    tip = page.locator(".map-grid .tip")
    expect(tip).to_be_visible()
    assert box_of(tip)["y"] + box_of(tip)["height"] <= y - 30


def test_the_label_goes_with_the_pointer_and_with_the_keyboard(open_file: OpenFile, record: AttentionRecord) -> None:
    page = opened(open_file, recording_of(record))
    tip = page.locator(".map-grid .tip")
    page.mouse.move(*place_of(page, 3, 4))
    expect(tip).to_be_visible()
    page.locator(".map-grid").focus()
    page.keyboard.press("ArrowRight")
    expect(tip).to_be_hidden()
    page.mouse.move(*place_of(page, 3, 5))
    expect(tip).to_be_visible()
    page.mouse.move(2, 2)
    expect(tip).to_be_hidden()


def test_a_token_says_where_it_looks_most_at_the_pointer(open_file: OpenFile, record: AttentionRecord) -> None:
    page = opened(open_file, recording_of(record), picture="text")
    query, weights = 4, record.weights(LAYER, HEAD)
    page.locator(f'.token-pane[data-side="query"] [data-index="{query}"]').hover()
    strongest = int(weights[query].argmax())
    said = f"{strongest} · {TEXTS[strongest]} {weights[query, strongest]:.3f}"
    expect(page.locator(".token-stage .tip")).to_contain_text(said)
    lies_within(page.locator(".token-stage .tip"), page.locator(".token-stage"))
    page.mouse.move(2, 2)
    expect(page.locator(".token-stage .tip")).to_be_hidden()


def test_a_block_of_a_pair_says_its_share_at_the_pointer(open_file: OpenFile, record: AttentionRecord) -> None:
    page = opened(open_file, recording_of(record), picture="blocks")
    cell = page.locator(".pair-cell").nth(1)
    cell.hover()
    tip = page.locator(".pair-stage .tip")
    text = eventually(page, tip.text_content, lambda said: said and re.search(r"from A to B: 0\.\d{3} \(\d+%\)", said))
    expect(page.locator(".pair-said")).to_have_text(str(text))
    lies_within(tip, page.locator(".pair-stage"))
