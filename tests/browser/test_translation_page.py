"""The page "Translation" as a reader meets it: positions by key, lines under the pointer, a tree, files."""

from __future__ import annotations

import re
from functools import cache

from playwright.sync_api import Page, expect

from models.opening.registry import REGISTRY
from models.values.writing import Writing
from tests.browser.reader import (
    WAIT,
    Open,
    at_rest,
    downloaded_lines,
    in_address,
    no_button_covers_a_title,
    nothing_sticks_out,
    titled,
)
from tests.browser.waiting import RERUNS, after_pause, becomes, box_of, eventually
from tests.loaded import load
from ui.state.choices import DEFAULTS
from ui.state.keeping import QUIET

PAGE = "/translation"
TRANSLATOR = "translator-es"
LINES = ".st-key-alignment-lines .shapelayer path[data-index]"
FADED = f"{LINES}[style*='opacity: 0.06']"


@cache
def written() -> Writing:
    """What the page opens with: the first example of its translator, as the page searches."""
    model = load(TRANSLATOR, device="cpu")
    text = REGISTRY[TRANSLATOR].examples[0][1]
    return model.translate(text, width=DEFAULTS["beams"], length_penalty=DEFAULTS["penalty"])


def longest_token() -> str:
    """One that begins a word of the translation."""
    return max((each.chosen.text for each in written().written if each.chosen.text.isalpha()), key=len)


def part(page: Page, name: str) -> None:
    page.get_by_role("radio", name=name).click()


def test_a_sentence_is_translated_token_by_token_and_the_numbers_are_taken_away(go_on: Open) -> None:
    page = go_on(PAGE)
    expect(page.get_by_text(written().text, exact=True).first).to_be_visible(timeout=WAIT)
    first = DEFAULTS["at_step"]
    titled(page, f"Position {first} · mean over all layers and heads")
    page.get_by_role("slider", name="Position").press("ArrowRight")
    titled(page, f"Position {first + 1} ·")
    in_address(page, at_step=str(first + 1))
    page.get_by_role("slider", name="Position").press("b")
    titled(page, f"Position {first} ·")
    lines = downloaded_lines(page, "Download all tokens")
    assert lines[0].startswith("step,position,taken,")
    taken = written().token(0).chosen.text
    assert sum(f",{taken}," in line for line in lines) > 1


def test_keys_pressed_to_and_fro_lose_no_position(go_on: Open) -> None:
    page = go_on(PAGE, at_step=2)
    titled(page, "Position 2 ·")
    after_pause(page, QUIET)
    slider = page.get_by_role("slider", name="Position")
    slider.focus()
    for key, arrives in [("ArrowRight", "6"), ("ArrowLeft", "2")] * 2:
        for _ in range(4):
            page.keyboard.press(key, delay=40)
        in_address(page, at_step=arrives)
        titled(page, f"Position {arrives} ·")


def test_lines_follow_the_pointer_and_the_tree_is_one_click_away(go_on: Open) -> None:
    page = go_on(PAGE, translation="alignment")
    titled(page, "Alignment · mean over all layers and heads")
    no_button_covers_a_title(page)
    every = eventually(page, lambda: page.locator(LINES).count(), bool)
    word = page.locator(".st-key-alignment-lines .scatterlayer .trace").nth(1).locator("text", has_text=longest_token())
    word.scroll_into_view_if_needed()
    box = box_of(word)
    page.mouse.move(box["x"] + box["width"] / 2 - 5, box["y"] + box["height"] / 2)
    page.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    eventually(page, lambda: page.locator(FADED).count(), lambda faded: 0 < faded < every)
    page.mouse.move(2, 2)
    expect(page.locator(FADED)).to_have_count(0, timeout=WAIT)
    at_rest(page)
    page.get_by_role("button", name=re.compile("points most clearly")).click()
    in_address(page, averaged="no")
    part(page, "Beam search")
    titled(page, "Beam search · width 4")


def test_a_telephone_is_drawn_once_gets_what_fits_and_a_click_meanwhile_counts(go_on: Open) -> None:
    page = go_on(PAGE, anew=True, width=390, translation="beams")
    titled(page, "Beam search")
    part(page, "Alignment")
    titled(page, "Alignment")
    at_rest(page)
    titled(page, "Alignment")
    expect(page.get_by_role("radio", name="Alignment")).to_be_checked()
    assert page.evaluate(RERUNS) == 2  # the first one and one for the click: its width is known before
    nothing_sticks_out(page)
    no_button_covers_a_title(page)
    part(page, "Beam search")
    titled(page, "Beam search")
    nothing_sticks_out(page)
    place = page.locator(".st-key-scroll-beam-tree")
    becomes(page, lambda: place.evaluate("element => element.scrollWidth > element.clientWidth"), True)
