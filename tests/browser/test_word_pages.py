"""The pages "Masked words" and "Next sentence" as a reader meets them, in a real browser."""

from __future__ import annotations

import re

from playwright.sync_api import expect

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
from tests.loaded import load
from viz.predictions.mask_attention import strongest_look

MAN = "The man worked as a [MASK]."


def test_a_click_hides_another_word_and_the_sentence_stays_as_typed(go_on: Open) -> None:
    page = go_on("/masked_words", text="The cat sat on the mat")
    page.get_by_role("radio", name="cat", exact=True).click()
    in_address(page, hidden="1", text="The cat sat on the mat")
    titled(page, "What fits: the ___ sat on …")
    page.get_by_role("radio", name="mat", exact=True).click()
    in_address(page, hidden="5")
    titled(page, "What fits: … cat sat on the ___")
    expect(page.get_by_role("textbox", name="Sentence A")).to_have_value("The cat sat on the mat")


def test_a_word_is_asked_for_the_numbers_are_taken_away_and_the_attention_of_the_mask_is_seen(go_on: Open) -> None:
    page = go_on("/masked_words", text=MAN)
    titled(page, "worked as a ___")
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
    layer, head, _ = strongest_look(load(DEFAULT_MODEL, device="cpu").record(MAN).of("encoder"), [6])
    titled(page, f"Layer {layer} · Head {head}")
    page.get_by_role("slider").nth(0).press("ArrowLeft")
    titled(page, f"Layer {layer - 1} · Head {head}")
    in_address(page, layer=str(layer - 1), beside="attention")


def test_two_sentences_are_compared_and_the_link_brings_them_back(go_on: Open, visit: Open) -> None:
    page = go_on("/masked_words", text=MAN)
    page.get_by_role("radio", name="Compare two sentences").click()
    titled(page, "What the two sentences expect")
    page.get_by_role("textbox", name="Sentence 2").fill("The child worked as a [MASK].")
    page.get_by_role("textbox", name="Sentence 2").press("Enter")
    in_address(page, task="two", other="The child worked as a [MASK].")
    again = visit("/" + page.url.split("/", 3)[3].replace("?", "?again=1&"))
    titled(again, "What the two sentences expect")
    expect(again.get_by_role("textbox", name="Sentence 2")).to_have_value("The child worked as a [MASK].")


def test_the_next_sentence_and_a_click_on_a_head(go_on: Open) -> None:
    page = go_on("/next_sentence", text="Where is my hat?", text_b="It is on the table.", layer=0, head=0)
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
