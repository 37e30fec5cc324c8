"""The page "Explanations" as a reader meets it, in a real browser."""

from __future__ import annotations

import re
from pathlib import Path

from playwright.sync_api import expect

from tests.browser.model_says import two_guesses
from tests.browser.reader import PICTURE, WAIT, Open, at_rest, in_address, titled
from tests.browser.waiting import box_of, press_until

MODEL = "mini-bert"
"""It is asked many hundred times: the smallest is enough."""
CAPITAL = "The capital of France is [MASK]."
LONG = (
    "The old man who lived near the river [MASK] every morning to the market, where he sold apples, pears and bread, "
    "and where he met his friends."
)


def test_a_click_on_a_method_shows_its_words_and_the_answer_is_changed(go_on: Open) -> None:
    page = go_on("/explanations", model=MODEL, text=CAPITAL, all_methods="yes")
    answer, rival = two_guesses(CAPITAL, MODEL)
    titled(page, f"“{answer}” rather than “{rival}”: which words mattered")
    expect(page.get_by_text(re.compile("(The method to believe here|No method beats)"))).to_be_visible(timeout=WAIT)
    at_rest(page)
    box = box_of(page.locator(PICTURE).first.locator(".nsewdrag").first)
    page.mouse.click(box["x"] + box["width"] / 2, box["y"] + box["height"] * 9.5 / 10)
    in_address(page, method="leave_out")
    titled(page, f"“{answer}” rather than “{rival}”: leaving a word out")
    at_rest(page)
    with page.expect_download(timeout=WAIT) as waiting:  # those of the methods stand below those of the verdict
        page.get_by_role("button", name="Download the numbers").last.click()
    lines = Path(waiting.value.path()).read_text(encoding="utf-8-sig").splitlines()
    assert lines[0].startswith("word,token,")
    assert "raw attention" in lines[0].split(",")
    assert len(lines) == 7
    page.get_by_test_id("stMain").get_by_role("button", name="Question").click()
    page.get_by_role("combobox", name="Rather than").fill("Berlin")
    page.get_by_role("combobox", name="Rather than").press("Enter")
    in_address(page, rival="Berlin")
    titled(page, f"“{answer}” rather than “berlin”: which words mattered")


def test_a_reader_stops_the_work_and_goes_on_later(go_on: Open) -> None:
    page = go_on("/explanations", anew=True, model=MODEL, text=LONG, judged_by="agreement", all_methods="yes")
    main = page.get_by_test_id("stMain")  # in the header Streamlit has a button to stop, too
    press_until(main.get_by_role("button", name="Stop"), main.get_by_text("stopped."))
    at_rest(page)
    expect(page.locator(PICTURE)).to_have_count(0)
    main.get_by_role("button", name="Go on").click()
    titled(page, "do the methods agree?")
