"""The page "By hand" in a browser: cells are painted with the mouse, typed with the keyboard, kept over a reload."""

from __future__ import annotations

import re

import numpy as np
from playwright.sync_api import Locator, Page, expect

from models.inspection.by_hand.goals import HIDDEN, previous_head
from models.inspection.by_hand.heads import D_FIRST, D_HEAD, HandHead
from tests.browser.reader import WAIT, Open, fits_a_telephone
from tests.browser.waiting import at_rest
from ui.layers.by_hand.kept import write_head

N_CELLS = D_FIRST * D_HEAD
"""The cells of one matrix."""
RIGHT = f"{len(HIDDEN['previous'])} of {len(HIDDEN['previous'])} hidden words right."


def cell(matrix: int, row: int, column: int) -> int:
    """Return the number of a cell."""
    return matrix * N_CELLS + row * D_HEAD + column


def button(page: Page, at: int) -> Locator:
    """Return a cell of the three matrices."""
    return page.locator(f'[data-at="{at}"]')


def test_a_head_is_typed_and_painted_and_kept_over_a_reload(go_on: Open) -> None:
    page = go_on("/by_hand")
    cos, sin = D_FIRST - 2, D_FIRST - 1
    expect(button(page, 0)).to_be_visible(timeout=WAIT)
    at_rest(page)  # a change during the first run of a page that a link opens may lose to the link
    button(page, cell(0, cos, 0)).focus()
    for key in ("4", "ArrowRight", "4", "-", "ArrowDown", "4", "ArrowLeft", "4"):
        page.keyboard.press(key)
    typed = {(0, cos, 0): 4, (0, cos, 1): -4, (0, sin, 0): 4, (0, sin, 1): 4}
    for place, number in typed.items():
        expect(button(page, cell(*place))).to_have_text(f"{number}".replace("-", "−"))
    painted = [(1, cos, 0), (1, sin, 1), *((2, letter, letter) for letter in range(D_HEAD))]
    for place in painted:
        button(page, cell(*place)).click()
    expect(page.get_by_text(RIGHT)).to_be_visible(timeout=WAIT)
    for place in painted:
        expect(button(page, cell(*place))).to_have_text("3")
    numbers = np.zeros((3, D_FIRST, D_HEAD), np.float32)
    for place, number in (typed | dict.fromkeys(painted, 3)).items():
        numbers[place] = number
    made = write_head(HandHead(query=numbers[0], key=numbers[1], value=numbers[2]))
    expect(page).to_have_url(re.compile(rf"matrices={made}\b"), timeout=WAIT)
    page.reload()
    expect(page.get_by_text(RIGHT)).to_be_visible(timeout=WAIT)
    expect(button(page, cell(0, cos, 1))).to_have_text("−4")


def test_a_second_click_takes_a_number_away_and_undo_brings_it_back(go_on: Open) -> None:
    page = go_on("/by_hand", matrices=write_head(previous_head(3)))
    expect(page.get_by_text(RIGHT)).to_be_visible(timeout=WAIT)
    at_rest(page)
    at = cell(1, D_FIRST - 2, 0)
    button(page, at).click()
    expect(button(page, at)).to_have_text("0")
    expect(page.get_by_text(RIGHT)).to_have_count(0, timeout=WAIT)
    undo = page.get_by_role("button", name="Undo")
    expect(undo).to_be_enabled(timeout=WAIT)
    at_rest(page)
    undo.click()
    expect(page.get_by_text(RIGHT)).to_be_visible(timeout=WAIT)
    expect(button(page, at)).to_have_text("3")


def test_the_level_of_two_layers_fits_a_telephone(go_on: Open) -> None:
    page = go_on("/by_hand", width=390, goal="copy")
    page.get_by_role("radio", name="Layer 1", exact=True).click(timeout=WAIT)
    expect(page.get_by_text("output of layer 0").first).to_be_visible(timeout=WAIT)
    fits_a_telephone(page)
