"""The arcs over a sentence: every link and share that they show is the record's, of whole words."""

from __future__ import annotations

import re
from itertools import pairwise
from pathlib import Path
from typing import Any
from xml.etree import ElementTree as ET

import numpy as np
import pytest
from playwright.sync_api import Locator, Page, expect

from models.values.record import AttentionRecord, Token
from tests.browser.reader import WAIT, OpenFile, press_file
from tests.browser.waiting import becomes, box_of, eventually
from tests.closeness import assert_close
from viz.attention.matrix import Matrix
from viz.attention.transform import prepare
from viz.kit.demos.records import (
    PAIR,
    SENTENCE,
    plausible_record,
    random_record,
    record_from_scores,
    recording_of,
    tokens_of,
)

LAYER, HEAD = 1, 2
HOSTILE = ("</script><script>window.pwned=1</script>", "<img src=x onerror=window.pwned=1>", "", "a" * 3000, "e\u0301")
ARABIC = "ذهب الولد إلى المدرسة في الصباح"
DRAWN = "JSON.parse(document.querySelector('.arcs-stage').dataset.arcs ?? '[]')"
KEPT = 0.01
"""The weakest link that is drawn of a word."""


def words_of(record: AttentionRecord, **choices: Any) -> tuple[Matrix, list[int]]:
    """The matrix of whole words, and the places in it of those that are no special tokens."""
    matrix = prepare(record, **({"layer": LAYER, "head": HEAD, "words": True} | choices))
    return matrix, [place for place, token in enumerate(matrix.query_tokens) if not token.is_special]


def links_of(record: AttentionRecord, word: int, **choices: Any) -> dict[int, float]:
    """The links of a word of the sentence, by the word that is looked at."""
    matrix, places = words_of(record, **choices)
    row = matrix.values[places[word]][places]
    return {key: round(float(row[key]), 4) for key in np.flatnonzero(row >= KEPT).tolist()}


def drawn_links(page: Page) -> dict[tuple[int, int], float]:
    links: list[tuple[int, int, float]] = page.evaluate(DRAWN)
    return {(query, key): value for query, key, value in links}


def word(page: Page, index: int) -> Locator:
    return page.locator(f".arcs-view [data-side=query] [data-index='{index}']")


def shows_links(page: Page, record: AttentionRecord, *words: int) -> None:
    """Wait until the arcs are those of these words, and only these."""
    wanted = {(query, key): value for query in words for key, value in links_of(record, query).items()}
    shown = eventually(page, lambda: drawn_links(page), lambda found: set(found) == set(wanted))
    assert_close([shown[link] for link in wanted], list(wanted.values()), magnitude=1, step=2e-4)  # both are rounded


@pytest.fixture
def record() -> AttentionRecord:
    return plausible_record()


def shown(open_file: OpenFile, record: AttentionRecord, **choices: Any) -> Page:
    where = {"layer": LAYER, "head": HEAD, "picture": "arcs"}
    return open_file(recording_of(record), **(where | choices))


def test_a_word_under_the_pointer_shows_its_own_links_a_click_holds_it_alone_and_shift_one_more(
    open_file: OpenFile, record: AttentionRecord
) -> None:
    page = shown(open_file, record)
    word(page, 1).hover()
    shows_links(page, record, 1)
    word(page, 1).click()
    word(page, 4).click()
    page.mouse.move(2, 2)
    shows_links(page, record, 4)
    expect(page.locator(".arcs-view [aria-selected=true]")).to_have_count(1)
    word(page, 7).click(modifiers=["Shift"])
    page.mouse.move(2, 2)
    shows_links(page, record, 4, 7)
    word(page, 4).click(modifiers=["Shift"])
    page.mouse.move(2, 2)
    shows_links(page, record, 7)
    word(page, 7).click()
    page.mouse.move(2, 2)
    expect(page.locator(".arcs-view [aria-selected=true]")).to_have_count(0)
    expect(page.locator(".arcs-said")).to_contain_text("The strongest links of this head")


def test_what_is_said_of_a_word_is_its_largest_shares_and_what_special_tokens_get(
    open_file: OpenFile, record: AttentionRecord
) -> None:
    page = shown(open_file, record, locked=[2])  # "animal", the second token of the text
    matrix, places = words_of(record)
    row = matrix.values[places[1]]
    strongest = sorted(places, key=lambda place: -row[place])[:3]
    said = ", ".join(f"“{matrix.key_tokens[place].text}” {row[place]:.0%}" for place in strongest)
    expect(page.locator(".arcs-said")).to_have_text(f"“animal” looks at {said}", timeout=WAIT)
    rest = sum(row[place] for place in range(len(row)) if place not in places)
    expect(page.locator(".arcs-rest")).to_have_text(f"{rest:.0%} rests on [CLS], [SEP]: the part that no word gets.")

    page = shown(open_file, record)
    average = np.mean([1 - matrix.values[place][places].sum() for place in places])
    expect(page.locator(".arcs-rest")).to_have_text(
        f"On average, {average:.0%} of a word's attention rests on [CLS], [SEP]: the part that no word gets."
    )


def test_unasked_it_shows_strong_links_between_two_words(open_file: OpenFile, record: AttentionRecord) -> None:
    page = shown(open_file, record)
    matrix, places = words_of(record)
    values = matrix.values[np.ix_(places, places)]
    np.fill_diagonal(values := values.copy(), 0)
    strong = sorted(values[values >= 0.1].tolist(), reverse=True)[:12]
    links = eventually(page, lambda: drawn_links(page), lambda found: len(found) == len(strong))
    assert strong
    assert all(query != key for query, key in links)
    assert_close(np.sort(list(links.values())), np.sort(strong), magnitude=1, step=1e-4)  # sent in 16 bits


def test_by_keyboard_and_for_a_screen_reader(open_file: OpenFile, record: AttentionRecord) -> None:
    page = shown(open_file, record)
    word(page, 0).focus()
    page.keyboard.press("ArrowRight")
    expect(word(page, 1)).to_be_focused()
    expect(word(page, 1)).to_have_attribute("aria-label", re.compile(r"^animal: looks at \w+"))
    shows_links(page, record, 1)
    page.keyboard.press("Enter")
    expect(word(page, 1)).to_have_attribute("aria-selected", "true")
    page.keyboard.press("End")
    page.keyboard.press("Shift+Enter")
    expect(page.locator(".arcs-view [aria-selected=true]")).to_have_count(2)
    page.keyboard.press("Escape")
    expect(page.locator(".arcs-view [aria-selected=true]")).to_have_count(0)


@pytest.mark.parametrize("width", [320, 390, 1366])
@pytest.mark.parametrize("text", [SENTENCE, ARABIC, " ".join(["word"] * 300)], ids=["few", "arabic", "many"])
def test_no_word_leaves_the_page_or_stands_on_another(open_file: OpenFile, width: int, text: str) -> None:
    page = shown(open_file, random_record(tokens=tokens_of(text)), layer=0, head=0, width=width)
    word(page, 0).hover()
    boxes = page.locator(".arcs-view .token-option").evaluate_all(
        "nodes => nodes.map((node) => node.getBoundingClientRect().toJSON())"
    )
    assert len(boxes) > 5
    assert all(box["left"] >= 0 and box["right"] <= width for box in boxes)
    lines = sorted({round(box["top"]) for box in boxes})
    on_lines = [sorted((box["left"], box["right"]) for box in boxes if round(box["top"]) == line) for line in lines]
    assert all(one[1] <= other[0] + 0.5 for line in on_lines for one, other in pairwise(line))
    assert page.evaluate("document.documentElement.scrollWidth") <= width


def test_hostile_words_are_text(open_file: OpenFile) -> None:
    tokens = [Token(text=text, word=place, segment=0, is_special=False) for place, text in enumerate(HOSTILE)]
    page = shown(open_file, random_record(tokens=tokens), layer=0, head=0)
    for index in range(len(HOSTILE)):
        word(page, index).hover()
        expect(page.locator(".arcs-said .arcs-from")).to_have_text(f"“{HOSTILE[index] or '∅'}”")
    assert page.evaluate("window.pwned === undefined && !document.querySelector('.arcs-view img, .arcs-view script')")


def test_two_texts_stand_above_each_other_and_a_pair_on_two_lines(open_file: OpenFile) -> None:
    source, target = (tokens_of(text) for text in ("The girl has a red skirt .", "La niña tiene una falda roja ."))
    cross = random_record(tokens=target, key_tokens=source)
    page = shown(open_file, cross, layer=0, head=0)
    word(page, 2).hover()
    expect(page.locator(".arcs-view [data-side=key] .token-option").first).to_be_visible()
    query, key = (box_of(page.locator(f".arcs-view [data-side={side}]")) for side in ("query", "key"))
    assert key["y"] + key["height"] <= query["y"]

    pair = shown(open_file, random_record(tokens=tokens_of(PAIR)), layer=0, head=0)
    word(pair, 0).hover()
    tops = pair.locator(".arcs-view .token-option").evaluate_all(
        "nodes => nodes.map((node) => node.getBoundingClientRect().top)"
    )
    segments = [token.segment for token in tokens_of(PAIR) if not token.is_special]
    assert len(set(tops)) >= len(set(segments)) == 2


def test_the_picture_is_taken_away_with_its_words_arcs_and_sentence(
    open_file: OpenFile, record: AttentionRecord
) -> None:
    page = shown(open_file, record, locked=[2])
    expect(page.locator(".arcs-said .arcs-from")).to_have_text("“animal”", timeout=WAIT)
    with page.expect_download() as taken:
        press_file(page, "SVG")
    svg = ET.fromstring(Path(taken.value.path()).read_text(encoding="utf-8"))
    texts = ["".join(node.itertext()) for node in svg.iter("{http://www.w3.org/2000/svg}text")]
    assert {"animal", "cross", "street"} <= set(texts)
    assert any("“animal” looks at" in text for text in texts)
    matrix, places = words_of(record)
    assert f"{matrix.values[places[1]][places].max():.0%}" in texts


@pytest.mark.parametrize(("other", "side"), [(2, 1), (7, -1)], ids=["it looks back", "it looks ahead"])
def test_the_share_of_a_words_own_arc_stands_beside_its_strongest_arc(
    open_file: OpenFile, other: int, side: int
) -> None:
    """That arc rises from the middle of the word, above which the small arc of the word itself stands."""
    tokens, at = tokens_of(SENTENCE), 5
    scores = np.zeros((2, 3, len(tokens), len(tokens)), np.float32)
    scores[LAYER, HEAD, at, other], scores[LAYER, HEAD, at, at] = 4, 3
    record = record_from_scores(scores, tokens)
    page = shown(open_file, record, locked=[at])
    expect(page.locator(".arcs-from")).to_have_text(f"“{tokens[at].text}”", timeout=WAIT)
    with page.expect_download() as taken:
        press_file(page, "SVG")
    svg = ET.fromstring(Path(taken.value.path()).read_text(encoding="utf-8"))
    middle, own = (x_of_text(svg, text) for text in (tokens[at].text, f"{record.weights(LAYER, HEAD)[at, at]:.0%}"))
    assert side * (own - middle) > 10  # more than half of the share's width


def x_of_text(svg: ET.Element, text: str) -> float:
    (node,) = [one for one in svg.iter("{http://www.w3.org/2000/svg}text") if "".join(one.itertext()) == text]
    return float(node.attrib["x"])


def test_another_head_moves_the_arcs_to_its_links(open_file: OpenFile, record: AttentionRecord) -> None:
    page = shown(open_file, record, locked=[2])
    shows_links(page, record, 1)
    page.locator(".viewer .overview canvas").first.focus()
    page.keyboard.press("ArrowRight")
    wanted = {(1, key): value for key, value in links_of(record, 1, head=HEAD + 1).items()}
    becomes(page, lambda: set(drawn_links(page)), set(wanted))


def test_a_special_token_that_is_held_is_shown_as_a_word(open_file: OpenFile, record: AttentionRecord) -> None:
    page = shown(open_file, record, locked=[0])
    expect(word(page, 0)).to_have_attribute("aria-label", re.compile(re.escape("[CLS]")), timeout=WAIT)
    expect(page.locator(".arcs-said")).to_contain_text("“[CLS]” looks at", timeout=WAIT)
    word(page, 0).click()
    page.mouse.move(2, 2)
    expect(page.locator(".arcs-said")).to_contain_text("The strongest links of this head", timeout=WAIT)
    expect(word(page, 0)).not_to_have_attribute("aria-label", re.compile(re.escape("[CLS]")), timeout=WAIT)


def test_a_picture_to_send_has_the_sentence_its_arcs_and_where_it_is_from(
    open_file: OpenFile, record: AttentionRecord
) -> None:
    page = shown(open_file, record, locked=[2])
    page.get_by_role("button", name="A picture to send").click()
    seen = page.get_by_role("img", name="“animal” looks at")
    expect(seen).to_have_attribute("width", "1200", timeout=WAIT)
    expect(seen).to_have_attribute("height", "630")
    panel = page.get_by_role("group", name="A picture to send")
    with page.expect_download(timeout=WAIT) as waiting:
        panel.get_by_role("button", name="SVG").click()
    drawing = ET.parse(waiting.value.path()).getroot()
    assert (drawing.get("width"), drawing.get("height")) == ("1200", "630")
    written = [element.text or "" for element in drawing.iter() if element.tag.endswith("text")]
    assert any("“animal” looks at “" in text for text in written)
    assert f"Layer {LAYER} · Head {HEAD}" in written[-1]
    assert written[-1].endswith("Headlight")
    with page.expect_download(timeout=WAIT) as waiting:
        panel.get_by_role("button", name="PNG").click()
    assert Path(waiting.value.path()).read_bytes()[16:24] == (1200).to_bytes(4) + (630).to_bytes(4)


def test_special_tokens_in_the_margin_of_the_map_get_what_the_rows_lack(
    open_file: OpenFile, record: AttentionRecord
) -> None:
    page = shown(open_file, record, picture="map", special="margin")
    matrix = prepare(record, layer=LAYER, head=HEAD, special="margin")
    with page.expect_download(timeout=WAIT) as waiting:
        press_file(page, "SVG")
    drawing = ET.parse(waiting.value.path()).getroot()
    written = [element.text or "" for element in drawing.iter() if element.tag.endswith("text")]
    shares = [f"{1 - row.sum():.0%}" for row in matrix.values]
    assert [text for text in written if re.fullmatch(r"\d+%", text)] == shares
    assert "[CLS] [SEP]" in written
    assert "with them it sums to 1" in " ".join(written)
