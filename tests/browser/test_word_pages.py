"""The pages "Masked words" and "Next sentence" as a reader meets them, in a real browser."""

from __future__ import annotations

import re

from playwright.sync_api import expect

from models import load
from models.opening.registry import DEFAULT_MODEL
from tests.browser.reader import (
    PICTURE,
    WAIT,
    Open,
    at_rest,
    downloaded_lines,
    downloaded_picture,
    in_address,
    shows,
    titled,
    type_sentence,
)
from tests.browser.waiting import box_of, eventually

MAN = "The man worked as a [MASK]."


def test_a_click_hides_a_word_and_another_brings_it_back(visit: Open) -> None:
    page = visit("/masked_words", text="The cat sat on the mat")
    expect(page.get_by_text("There is no [MASK]")).to_be_visible(timeout=WAIT)
    page.get_by_role("button", name="cat", exact=True).click()
    in_address(page, text="The [MASK] sat on the mat")
    titled(page, "What fits position 2?")
    expect(page.get_by_role("textbox", name="Sentence A")).to_have_value("The [MASK] sat on the mat")
    page.get_by_role("button", name="mat", exact=True).press("Enter")
    in_address(page, text="The [MASK] sat on the [MASK]")
    expect(page.get_by_text("Together, the most certain first:")).to_be_visible(timeout=WAIT)
    page.get_by_role("button", name="cat", exact=True).click()
    in_address(page, text="The cat sat on the [MASK]")


def test_a_word_is_asked_for_the_numbers_are_taken_away_and_the_attention_of_the_mask_is_seen(visit: Open) -> None:
    page = visit("/masked_words", text=MAN)
    titled(page, "What fits position 6?")
    page.get_by_role("textbox", name="Ask for a word").fill("bread")
    page.get_by_role("textbox", name="Ask for a word").press("Enter")
    expect(page.get_by_text(re.compile(r"has a probability of .*, rank [\d,]+ of "))).to_be_visible(timeout=WAIT)
    in_address(page, asked="bread")
    lines = downloaded_lines(page, "Download the numbers")
    assert lines[0] == "mask,position,rank,word,piece,probability"
    assert len(lines) == 11
    assert downloaded_picture(page) == "masked-words.png"
    titled(page, "The answer after every layer")
    page.get_by_role("radio", name="What it looks at: a head").click()
    titled(page, "Layer 0 · Head 0")
    page.get_by_role("slider").nth(0).press("ArrowRight")
    titled(page, "Layer 1 · Head 0")
    in_address(page, layer="1", beside="attention")


def test_two_sentences_are_compared_and_the_link_brings_them_back(visit: Open) -> None:
    page = visit("/masked_words", text=MAN)
    page.get_by_role("radio", name="Compare two sentences").click()
    titled(page, "What the two sentences expect")
    page.get_by_role("textbox", name="Sentence 2").fill("The child worked as a [MASK].")
    page.get_by_role("textbox", name="Sentence 2").press("Enter")
    in_address(page, task="two", other="The child worked as a [MASK].")
    again = visit("/" + page.url.split("/", 3)[3].replace("?", "?again=1&"))
    titled(again, "What the two sentences expect")
    expect(again.get_by_role("textbox", name="Sentence 2")).to_have_value("The child worked as a [MASK].")


def test_the_next_sentence_and_a_click_on_a_head(visit: Open) -> None:
    page = visit("/next_sentence", text="Where is my hat?", text_b="It is on the table.", layer=0, head=0)
    titled(page, "Does B follow A?")
    titled(page, "Attention across")
    at_rest(page)
    box = box_of(page.locator(PICTURE).nth(1).locator(".nsewdrag").first)
    info = load(DEFAULT_MODEL, device="cpu").info
    page.mouse.click(box["x"] + box["width"] * 6.5 / info.n_heads, box["y"] + box["height"] * 2.5 / info.n_layers)
    shows(page, "Layer 2 · Head 6")
    in_address(page, layer="2", head="6")
    crossing = page.get_by_role("button", name="Go to the head that looks across most")
    found = re.search(r"Layer (\d+) · Head (\d+)", eventually(page, crossing.inner_text, bool))
    assert found is not None
    crossing.click()
    in_address(page, layer=found.group(1), head=found.group(2))
    type_sentence(page, "A new first sentence.")
    in_address(page, text="A new first sentence.")
