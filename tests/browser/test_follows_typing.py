"""The picture follows what is typed, key by key, from a model in the browser; the server, once asked, says the same.

The numbers are those of the recording that PyTorch makes of the same text.
"""

from __future__ import annotations

import csv
import re
from pathlib import Path

import numpy as np
import pytest
from playwright.sync_api import Locator, Page, expect

from models import load
from tests.browser.reader import Open, go_to, press_file, viewer_shows
from tests.browser.waiting import WAIT, at_rest, drawn, eventually
from tests.closeness import assert_close
from ui.state.choices import DEFAULTS

TYPED = re.compile("^typed ")
RERUN = "window.changedAt"
"""When the server was asked for a rerun the last time, or answered."""
MASKED = "masked"
HOSTILE = "<img src=x onerror=window.pwned=1> </script><script>window.pwned=1</script> &amp; 😀"
SENTENCES = {
    "mini-bert": ("The dog ate the naïve bone.", " It was old"),
    "headlight-ko": ("친구와 함께 영화를 봤다.", " 학교에서는"),
    "mini-llama": ("The cat sat on the mat", " and slept"),
}


def field_of(page: Page) -> Locator:
    return page.locator(".st-key-typed_text input")


def viewer_of(page: Page) -> Locator:
    return page.locator(".viewer")


def follows(page: Page, keys: int | None = None) -> None:
    """Wait until the picture is of a text that was typed and not sent, and of the one after so many keys."""
    recording = TYPED if keys is None else f"typed {keys}"
    expect(viewer_of(page)).to_have_attribute("data-recording", recording, timeout=WAIT)
    expect(viewer_of(page)).to_have_attribute("data-painted", re.compile("exact$"), timeout=WAIT)


def table_of(page: Page) -> tuple[list[str], np.ndarray]:
    """The tokens and the weights of the head on show, as a reader takes them away."""
    with page.expect_download(timeout=WAIT) as waiting:
        press_file(page, "CSV")
    table = list(csv.reader(Path(waiting.value.path()).read_text(encoding="utf-8-sig").splitlines()))
    tokens = [name.split(" · ", 1)[1] for name in table[0][1:]]
    numbers = [[0.0 if number == MASKED else float(number) for number in row[1:]] for row in table[1:]]
    return tokens, np.array(numbers)


def expect_numbers(page: Page, name: str, text: str) -> None:
    """Hold the tokens and weights on show to those of PyTorch."""
    recording = load(name, device="cpu").record(text)
    wanted = [token.text for token in recording.tokens]
    _, weights = eventually(page, lambda: table_of(page), lambda table: table[0] == wanted)
    assert_close(weights, recording.attention[0].weights(1, 4), tolerance=1e-4)


@pytest.mark.parametrize("name", SENTENCES)
def test_each_key_changes_the_picture_and_the_server_says_the_same(go_on: Open, name: str) -> None:
    page = go_on("/attention", model=name, text=SENTENCES[name][0], layer=1, head=4)
    each_key_changes_the_picture_and_the_server_says_the_same(page, name)
    if name == "mini-bert":
        what_is_typed_after_sending_stays_on_show(page)
        what_is_long_waits_for_the_server_and_what_is_typed_stays_text(page)


def each_key_changes_the_picture_and_the_server_says_the_same(page: Page, name: str) -> None:
    text, more = SENTENCES[name]
    viewer_shows(page, "Layer 1 · Head 4")
    at_rest(page)
    expect(page.locator(".st-key-said-notes p").last).to_be_visible()
    field = field_of(page)
    field.click()
    field.press("End")
    asked = page.evaluate(RERUN)
    field.press_sequentially(more)
    follows(page, len(more))
    requests: list[str] = []
    page.on("request", lambda request: requests.append(request.url))
    field.press("Backspace")
    follows(page, len(more) + 1)
    assert page.evaluate(RERUN) == asked
    assert requests == []
    expect(page.locator(".st-key-said-notes p").last).to_be_hidden()
    expect_numbers(page, name, (text + more)[:-1])
    field.press("Enter")
    expect(viewer_of(page)).not_to_have_attribute("data-recording", TYPED, timeout=WAIT)
    viewer_shows(page, "Layer 1 · Head 4")
    expect(page.locator(".st-key-said-notes p").last).to_be_visible()
    expect(field).to_have_value((text + more)[:-1])
    expect_numbers(page, name, (text + more)[:-1])


def what_is_typed_after_sending_stays_on_show(page: Page) -> None:
    at_rest(page)
    field = field_of(page)
    field.fill("The first one.")
    follows(page)
    field.press("Enter")
    field.press_sequentially(" More")
    at_rest(page)
    follows(page)
    expect_numbers(page, "mini-bert", "The first one. More")
    expect(field).to_have_value("The first one. More")


def what_is_long_waits_for_the_server_and_what_is_typed_stays_text(page: Page) -> None:
    field_of(page).fill("a cat " * 80)
    expect(viewer_of(page)).not_to_have_attribute("data-recording", TYPED, timeout=WAIT)
    field_of(page).fill(HOSTILE)
    follows(page)
    expect(page.locator(".viewer img, .viewer script")).to_have_count(0)
    assert page.evaluate("typeof window.pwned") == "undefined"
    go_to(page, "Masked words")
    expect(field_of(page)).to_have_value(HOSTILE)


def test_the_arc_of_a_held_word_follows_on_home_and_a_chosen_example_takes_the_place_of_what_was_typed(
    go_on: Open,
) -> None:
    page = go_on("/", anew=True, finds=True)
    viewer_shows(page, "Layer")
    at_rest(page)
    looks = page.locator(".viewer .arcs-view strong, .viewer .arcs-view").filter(has_text="looks at").last
    expect(looks).to_contain_text("it")
    expect(page.locator(".st-key-swing").get_by_text("animal")).to_be_visible()
    field = field_of(page)
    text = DEFAULTS["text"]
    expect(field).to_have_value(text)
    field.fill(f"Look: {text}")
    follows(page, 1)
    expect(looks).to_contain_text("“it”")
    expect(page.locator(".st-key-swing").get_by_text("animal")).to_be_hidden()
    field.fill(text)
    expect(viewer_of(page)).not_to_have_attribute("data-recording", TYPED, timeout=WAIT)
    expect(page.locator(".st-key-swing").get_by_text("animal")).to_be_visible()
    field.fill("The first one.")
    expect(viewer_of(page)).to_have_attribute("data-recording", TYPED, timeout=WAIT)
    page.locator(".st-key-showcases button").nth(1).click()
    expect(viewer_of(page)).not_to_have_attribute("data-recording", TYPED, timeout=WAIT)
    at_rest(page)
    expect(viewer_of(page)).not_to_have_attribute("data-recording", TYPED)
    expect(page.locator(".st-key-showcases")).to_be_visible()


@pytest.mark.parametrize("asked", [{"model": "tagger"}, {"model": "mini-bert", "text_b": "And another."}])
def test_what_a_browser_cannot_read_waits_for_the_server(go_on: Open, asked: dict[str, str]) -> None:
    page = go_on("/attention", **asked)
    viewer_shows(page, "Layer")
    at_rest(page)
    requests: list[str] = []
    page.on("request", lambda request: requests.append(request.url))
    field_of(page).fill("Something else.")
    drawn(page)
    expect(viewer_of(page)).not_to_have_attribute("data-recording", TYPED)
    assert requests == []
