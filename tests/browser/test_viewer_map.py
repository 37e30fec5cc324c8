"""The large map of a head: what it says of a cell is what the record says, and every way to move it works."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from playwright.sync_api import Locator, Page, expect

from models.values.record import AttentionRecord, Recording
from tests.browser.reader import OpenFile, more_tools, per_cent, reads, three_digits
from tests.browser.waiting import becomes, box_of, drawn, eventually
from tests.closeness import CloseTo, assert_close
from viz.attention.matrix import Quantity
from viz.attention.transform import NO_OUTPUT_NORMS, Special, prepare, select
from viz.kit.demos.records import PAIR, SENTENCE, random_record, random_recording, recording_of, tokens_of
from viz.kit.theme import DARK, LIGHT, Palette
from viz.kit.tokens import positioned_texts
from viz.viewer.payload import COARSE_SIDE

HOSTILE = (
    "[CLS] </script><script>window.pwned=1</script> <img/src=x/onerror=window.pwned=1> the the 동물 حيوان 👩‍👩‍👧 [SEP]"
)

OpenMap = Callable[..., "HeadMap"]


class HeadMap:
    """The map on an open page, in cells instead of pixels."""

    def __init__(self, page: Page, record: AttentionRecord) -> None:
        self.page, self.record = page, record
        self.grid: Locator = page.locator(".viewer .map-grid")
        self.reading: Locator = page.locator(".viewer .readout .reading")
        self.queries = positioned_texts(record.query_tokens, range(len(record.query_tokens)))
        self.keys = positioned_texts(record.key_tokens, range(len(record.key_tokens)))

    def numbers(self, name: str) -> tuple[float, ...]:
        return tuple(map(float, self.grid.evaluate("(grid, name) => grid.dataset[name].split(' ')", name)))

    def place(self, query: float, key: float) -> tuple[float, float]:
        """The middle of a cell, in pixels of the page."""
        box = box_of(self.grid)
        x, y = self.on_grid(query, key)
        return box["x"] + x, box["y"] + y

    def on_grid(self, query: float, key: float) -> tuple[float, float]:
        """The middle of a cell, in pixels of the grid."""
        x, y, width, height = self.numbers("plot")
        top, bottom, left, right = self.numbers("seen")
        return x + width * (key + 0.5 - left) / (right - left), y + height * (query + 0.5 - top) / (bottom - top)

    def expect_seen(self, region: object) -> None:
        """Wait until this part is seen: the first row, the one after the last, and so with the columns."""
        becomes(self.page, lambda: self.numbers("seen"), region)

    def expect_rows(self, count: object) -> None:
        """Wait until so many rows are seen."""
        becomes(self.page, lambda: self.numbers("seen")[1] - self.numbers("seen")[0], count)

    def hover(self, query: float, key: float) -> None:
        self.page.mouse.move(*self.place(query, key))

    def wheel(self, turn: int, *, control: bool = True) -> None:
        """Turn the wheel where the pointer is: negative is inwards."""
        if control:
            self.page.keyboard.down("Control")
        self.page.mouse.wheel(0, turn)
        if control:
            self.page.keyboard.up("Control")

    def colour(self, query: float, key: float) -> tuple[int, ...]:
        """The colour in the middle of a cell of the picture."""
        pixel = self.page.evaluate(
            """([x, y]) => {
                const canvas = document.querySelector(".viewer .map-grid canvas");
                const density = canvas.width / canvas.clientWidth;
                return [...canvas.getContext("2d").getImageData(x * density, y * density, 1, 1).data];
            }""",
            self.on_grid(query, key),
        )
        return tuple(pixel[:3])

    def expect_colour(self, query: float, key: float, weight: float, palette: Palette) -> None:
        """Wait until the middle of a cell has the colour of a weight in the sequential palette."""
        stops = np.array([[int(stop[at : at + 2], 16) for at in (1, 3, 5)] for stop in palette.sequential])
        places = np.linspace(0, 1, len(stops))
        colour = [float(np.interp(weight, places, stops[:, channel])) for channel in range(3)]
        becomes(self.page, lambda: self.colour(query, key), pytest.approx(tuple(colour), abs=4))

    def expect_weight(self, query: int, key: int, *, head: int = 0) -> None:
        """The readout says weight and score of a cell of layer 0."""
        weight, score = (self.number(query, key, head=head, quantity=quantity) for quantity in ("weights", "scores"))
        expect(self.reading).to_contain_text(
            f"{self.queries[query]} → {self.keys[key]} · weight {three_digits(weight)}"
        )
        expect(self.reading).to_contain_text(f"score {'+' * bool(score >= 0)}{three_digits(score)}")

    def number(self, query: int, key: int, *, head: int | None = 0, quantity: Quantity = "weights") -> float:
        row = select(self.record, layer=0, head=head, quantity=quantity, rows=slice(query, query + 1))
        return float(row.values[0, key])


@pytest.fixture
def open_map(open_file: OpenFile) -> OpenMap:
    """Opens the map of a recording."""

    def _open(recording: Recording | AttentionRecord, **choices: Any) -> HeadMap:
        whole = recording if isinstance(recording, Recording) else recording_of(recording)
        return HeadMap(open_file(whole, height=1000, **choices), whole.attention[0])

    return _open


@pytest.mark.parametrize("n_tokens", [8, 64, 512])
def test_a_cell_has_the_colour_of_its_weight_and_reads_its_numbers(open_map: OpenMap, n_tokens: int) -> None:
    shown = open_map(random_recording(n_tokens=n_tokens, n_layers=1, n_heads=2), head=1)
    weights = prepare(shown.record, layer=0, head=1).values
    strongest = np.unravel_index(np.argsort(weights, axis=None)[-5:], weights.shape)
    for query, key in [*zip(*strongest, strict=True), (0, 0), (n_tokens - 1, n_tokens // 2)]:
        if n_tokens < 100:  # no number stands in the middle of so small a cell
            shown.expect_colour(int(query), int(key) - (0.3 if n_tokens == 8 else 0), weights[query, key], LIGHT)
        shown.hover(int(query), int(key))
        shown.expect_weight(int(query), int(key), head=1)
    listed = shown.page.locator(".viewer .row-list li")
    expect(listed).to_have_count(min(10, n_tokens))
    row = weights[n_tokens - 1]
    for place, key in enumerate(np.argsort(-row, kind="stable")[:3]):
        expect(listed.nth(place)).to_contain_text(f"{shown.keys[key]}")
        expect(listed.nth(place)).to_contain_text(f"{per_cent(row[key])}")


@pytest.mark.parametrize("n_tokens", [1300, 4096])
def test_a_long_text_is_read_cell_by_cell_and_is_exact_when_enlarged(open_map: OpenMap, n_tokens: int) -> None:
    shown = open_map(random_recording(n_tokens=n_tokens, n_layers=1, n_heads=1))
    shown.hover(1000, 200)
    said = reads(shown.page, r"(\d+) · .* → (\d+) · .* · weight .* · score .*")
    query, key = int(said[1]), int(said[2])
    assert (query, key) == pytest.approx((1000, 200), abs=8)
    shown.expect_weight(query, key)  # where a pixel shows many cells, the strongest of them is read
    step = -(-n_tokens // COARSE_SIDE)
    block = slice(query // step * step, query // step * step + step)
    near = select(shown.record, layer=0, head=0, rows=block).values[:, key // step * step : key // step * step + step]
    assert_close(shown.number(query, key), near.max())
    for _ in range(40):
        shown.wheel(-120)
    expect(shown.page.locator(".viewer .minimap")).to_be_visible()
    expect(shown.page.get_by_role("button", name="Zoom in")).to_be_disabled()
    top, bottom, left, _ = eventually(
        shown.page, lambda: shown.numbers("seen"), lambda seen: 3 < seen[1] - seen[0] < 10
    )
    assert 992 < (top + bottom) / 2 < 1008
    query, key = int(top) + 2, int(left) + 2
    shown.hover(query, key)
    shown.expect_weight(query, key)
    shown.expect_colour(query, key - 0.4, shown.number(query, key), LIGHT)


def test_every_way_to_zoom_and_to_move(open_map: OpenMap) -> None:
    shown = open_map(random_recording(n_tokens=64, n_layers=1, n_heads=2), dark=True)
    page, whole = shown.page, (0.0, 64.0, 0.0, 64.0)
    plot = shown.numbers("plot")
    shown.hover(20, 40)
    page.evaluate("addEventListener('wheel', () => { window.isTurned = true; })")
    shown.wheel(-120, control=False)
    page.wait_for_function("window.isTurned")
    drawn(page)
    shown.expect_seen(whole)  # a page that scrolls past is not caught
    before = shown.place(20, 40)
    shown.wheel(-240)
    enlarged = 64 * np.exp(-1.2)
    shown.expect_rows(CloseTo(enlarged))
    assert shown.place(20, 40) == pytest.approx(before, abs=2)  # what is under the pointer stays there
    shown.wheel(-240, control=False)
    shown.expect_rows(CloseTo(enlarged * np.exp(-0.24)))  # and an enlarged map is enlarged further
    narrow = shown.numbers("seen")

    page.mouse.down()
    page.mouse.move(before[0] + 80, before[1] + 50, steps=4)
    page.mouse.up()
    size = narrow[1] - narrow[0]
    cell = plot[2] / size
    top, left = max(narrow[0] - 50 / cell, 0), max(narrow[2] - 80 / cell, 0)
    shown.expect_seen(pytest.approx((top, top + size, left, left + size), abs=0.3))

    box = box_of(page.locator(".viewer .minimap"))
    page.mouse.click(box["x"] + box["width"] - 2, box["y"] + 2)
    shown.expect_seen(CloseTo((0, size, 64 - size, 64)))

    page.get_by_role("button", name="Show the whole map").click()
    shown.expect_seen(whole)
    expect(page.locator(".viewer .minimap")).to_be_hidden()
    page.mouse.dblclick(*shown.place(10, 10))
    shown.expect_rows(CloseTo(32))

    shown.grid.focus()
    for key, size in [("+", 16), ("-", 32), ("0", 64), ("+", 32)]:
        page.keyboard.press(key)
        shown.expect_rows(CloseTo(size))
    left = shown.numbers("seen")[2]
    page.keyboard.press("Shift+ArrowRight")
    becomes(page, lambda: shown.numbers("seen")[2], CloseTo(min(left + 8, 32)))
    assert shown.numbers("plot") == plot


def test_two_fingers_enlarge(open_map: OpenMap) -> None:
    shown = open_map(random_recording(n_tokens=64, n_layers=1, n_heads=1), width=390, touch=True)
    shown.grid.scroll_into_view_if_needed()
    x, y = shown.place(32, 32)
    session = shown.page.context.new_cdp_session(shown.page)
    for kind, apart in [("touchStart", 20), ("touchMove", 40), ("touchMove", 80), ("touchEnd", 0)]:
        points = [] if kind == "touchEnd" else [{"x": x - apart, "y": y, "id": 0}, {"x": x + apart, "y": y, "id": 1}]
        session.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})
    shown.expect_rows(pytest.approx(16, rel=0.3))
    top, bottom, *_ = shown.numbers("seen")
    assert (top + bottom) / 2 == pytest.approx(32, abs=3)
    shown.page.touchscreen.tap(*shown.place(30, 31))
    shown.expect_weight(30, 31)


def test_the_keyboard_reads_cells_and_holds_rows(open_map: OpenMap) -> None:
    shown = open_map(random_record(tokens=tokens_of(SENTENCE)))
    page, n_tokens = shown.page, len(shown.queries)
    page.keyboard.press("Tab")
    shown.grid.focus()
    shown.expect_weight(0, 0)
    for press, place in [
        ("ArrowRight", (0, 1)),
        ("ArrowDown", (1, 1)),
        ("End", (1, n_tokens - 1)),
        ("Home", (1, 0)),
        ("Control+End", (n_tokens - 1, n_tokens - 1)),
        ("ArrowUp", (n_tokens - 2, n_tokens - 1)),
        ("Control+Home", (0, 0)),
        ("PageDown", (8, 0)),
        ("PageUp", (0, 0)),
    ]:
        page.keyboard.press(press)
        shown.expect_weight(*place)
    expect(shown.grid).to_have_attribute("aria-rowcount", str(n_tokens))
    active = (
        "grid => grid.querySelector('#' + grid.getAttribute('aria-activedescendant')).getAttribute('aria-colindex')"
    )
    becomes(page, lambda: shown.grid.evaluate(active), "1")
    expect(page.locator(".viewer .row-reading")).to_contain_text("the 10 strongest keys")

    page.keyboard.press("ArrowLeft")  # left of the first key is the row as a whole
    row = prepare(shown.record, layer=0, head=0).values[0]
    best = int(row.argmax())
    expect(shown.reading).to_contain_text(
        f"{shown.queries[0]} attends most to {shown.keys[best]} {three_digits(row[best])}"
    )
    page.keyboard.press("Enter")
    for _ in range(3):
        page.keyboard.press("ArrowDown")
    page.keyboard.press("Shift+Enter")
    page.evaluate("document.activeElement.blur()")
    total = prepare(shown.record, layer=0, head=0).values[[0, 3]].sum(axis=0)
    first = page.locator(".viewer .row-list li").first
    expect(first).to_contain_text(shown.keys[int(total.argmax())])
    expect(first).to_contain_text(f"{per_cent(total.max())}")
    shown.grid.focus()
    page.keyboard.press("Escape")
    expect(page.locator(".viewer .row-about")).not_to_contain_text("+")


def test_pointing_beside_the_map_reads_the_row(open_map: OpenMap) -> None:
    shown = open_map(random_record(tokens=tokens_of(PAIR)))
    plot, (x, y) = shown.numbers("plot"), shown.place(7, 0)
    box = box_of(shown.grid)
    shown.page.mouse.move(box["x"] + plot[0] - 20, y)
    expect(shown.reading).to_contain_text(f"{shown.queries[7]} attends most to")
    shown.page.mouse.click(box["x"] + plot[0] - 20, y)
    shown.page.mouse.move(x, y - 2000)
    row = prepare(shown.record, layer=0, head=0).values[7]
    expect(shown.page.locator(".viewer .row-list li").first).to_contain_text(f"{per_cent(row.max())}")
    expect(shown.page.locator(".viewer .row-about")).to_contain_text(shown.queries[7])


def test_masked_cells_are_hatched_and_called_masked(open_map: OpenMap) -> None:
    shown = open_map(random_record(causal=True))
    shown.hover(3, 9)
    expect(shown.reading).to_contain_text(f"{shown.queries[3]} → {shown.keys[9]} · masked")
    shown.hover(9, 3)
    shown.expect_weight(9, 3)
    eventually(shown.page, lambda: shown.colour(2, 12), lambda colour: max(colour) - min(colour) < 24)  # grey
    expect(shown.page.locator(".viewer .map-note")).to_contain_text("Grey: masked")


@pytest.mark.parametrize(
    ("quantity", "words", "special"),
    [("scores", False, "shown"), ("value_weighted", False, "hidden"), ("weights", True, "hidden_renormalised")],
)
def test_every_quantity_is_read_as_the_record_has_it(
    open_map: OpenMap, quantity: Quantity, words: bool, special: Special
) -> None:
    record = random_record(tokens=tokens_of(PAIR))
    shown = open_map(record, quantity=quantity, words=words, special=special, layer=1, head=2)
    matrix = prepare(record, layer=1, head=2, quantity=quantity, words=words, special=special)
    queries = positioned_texts(matrix.query_tokens, matrix.query_positions)
    keys = positioned_texts(matrix.key_tokens, matrix.key_positions)
    name = {"scores": "score", "value_weighted": "weight × value norm", "weights": "weight"}[quantity]
    for query, key in [(1, 2), (10, 9)]:
        shown.hover(query, key)
        value = matrix.values[query, key]
        number = f"{'+' * bool(quantity == 'scores' and value >= 0)}{three_digits(value)}"
        expect(shown.reading).to_contain_text(f"{queries[query]} → {keys[key]} · {name} {number}")
    plot = shown.numbers("plot")
    more_tools(shown.page)
    shown.page.get_by_role("combobox", name="Strongest of a row").select_option("3")
    shown.page.locator(".viewer .overview canvas").first.focus()
    assert shown.numbers("plot") == plot


def test_a_quantity_that_a_model_does_not_have_says_why(open_map: OpenMap) -> None:
    shown = open_map(replace(random_record(), output_norms=None))
    option = shown.page.get_by_role("option", name="Weights × norm after W_O (not here)")
    expect(option).to_be_disabled()
    expect(shown.page.get_by_label("Show", exact=True)).to_have_value("weights")
    more_tools(shown.page)
    expect(shown.page.get_by_text(NO_OUTPUT_NORMS)).to_be_visible()


def test_hostile_and_foreign_tokens_are_text(open_map: OpenMap) -> None:
    shown = open_map(random_record(tokens=tokens_of(HOSTILE)), width=390)
    for query in range(1, len(shown.queries) - 1):
        shown.hover(query, query)
        shown.expect_weight(query, query)
    is_narrow = "document.documentElement.scrollWidth <= 390"
    becomes(shown.page, lambda: shown.page.evaluate(is_narrow), True)


def test_one_token_and_cross_attention(open_map: OpenMap) -> None:
    shown = open_map(random_recording(n_tokens=1, n_layers=1, n_heads=1), dark=True)
    shown.expect_colour(0, -0.4, 1.0, DARK)
    shown.hover(0, 0)
    shown.expect_weight(0, 0)
    crossed = open_map(random_record(tokens=tokens_of("[CLS] ein Satz"), key_tokens=tokens_of(SENTENCE)))
    crossed.hover(1, 12)
    crossed.expect_weight(1, 12)


def test_a_text_of_special_tokens_only_can_be_hidden_and_shown_again(open_map: OpenMap) -> None:
    shown = open_map(random_recording(n_tokens=2, n_layers=1, n_heads=1))
    more_tools(shown.page)
    choose = shown.page.get_by_role("combobox", name="Special tokens")
    choose.select_option("hidden")
    expect(shown.grid).to_have_attribute("aria-rowcount", "0")
    shown.grid.focus()
    for key in ("ArrowRight", "+", "Enter", "Escape"):
        shown.page.keyboard.press(key)
    choose.select_option("shown")
    expect(shown.grid).to_have_attribute("aria-rowcount", "2")
    shown.hover(1, 0)
    shown.expect_weight(1, 0)


def test_the_mean_of_a_long_text_is_exact_once_it_is_pointed_at(open_map: OpenMap) -> None:
    shown = open_map(random_recording(n_tokens=1300, n_layers=1, n_heads=2))
    shown.page.locator(".viewer .overview canvas").first.focus()
    for _ in range(2):
        shown.page.keyboard.press("ArrowRight")
    shown.page.locator(".viewer[data-painted*='mean rough']").wait_for()
    shown.hover(600, 300)
    said = reads(shown.page, r"(\d+) · .* → (\d+) · .* · weight (\d\.\d+)")
    assert said[3] == three_digits(shown.number(int(said[1]), int(said[2]), head=None))
