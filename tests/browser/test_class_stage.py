"""Pages that Streamlit draws, in a class: run once, seen by all as their screens want it, operated by the teacher."""

from __future__ import annotations

import re

from playwright.sync_api import Page, expect

from tests.browser.reader import Open, go_to
from tests.browser.test_class_room import ROOM, open_room
from tests.browser.waiting import WAIT, at_rest, eventually

FRAME = "iframe.other-page"
OPENED = "() => document.querySelector('iframe').contentWindow.performance.timeOrigin"
"""When the page in the frame was opened."""


def layer_is(page: Page, layer: str) -> None:
    slider = page.frame_locator(FRAME).get_by_role("slider").first
    expect(slider).to_have_value(layer, timeout=WAIT)


def test_students_see_the_page_of_the_teacher_and_only_she_operates_it(visit: Open) -> None:
    teacher, letters = open_room(visit)
    go_to(teacher, "Queries, keys, values")
    phone = visit(f"{ROOM}/{letters}", width=390, dark=True, lang="ko")
    framed = phone.frame_locator(FRAME)
    expect(framed.get_by_role("heading", name="쿼리·키·밸류", exact=True)).to_be_visible(timeout=WAIT)
    layer_is(phone, "3")
    opened = phone.evaluate(OPENED)
    teacher.get_by_role("slider", name="Layer").press("Home")
    layer_is(phone, "0")
    expect(framed.locator(".js-plotly-plot").first).to_be_visible(timeout=WAIT)
    eventually(phone, lambda: phone.evaluate("document.documentElement.scrollWidth"), lambda width: width <= 390)
    framed.get_by_role("slider").first.press("End")
    framed.get_by_role("textbox").first.press("x")
    teacher.get_by_role("slider", name="Layer").press("ArrowRight")
    layer_is(phone, "1")
    expect(framed.get_by_role("textbox").first).not_to_have_value(re.compile("x"))
    assert phone.evaluate(OPENED) == opened, "the frame is not opened anew"
    show = framed.get_by_test_id("stFormSubmitButton").first
    phone.get_by_role("button", name="혼자 둘러보기").click()
    expect(show).to_be_visible(timeout=WAIT)
    phone.get_by_role("button", name="수업으로 돌아가기").click()
    expect(show).to_be_hidden(timeout=WAIT)
    layer_is(phone, "1")
    phone.goto("about:blank")
    a_wall_is_read_from_the_last_row_and_follows_the_page(
        teacher, visit(f"{ROOM}/{letters}", show="projector", width=1920)
    )


def a_wall_is_read_from_the_last_row_and_follows_the_page(teacher: Page, wall: Page) -> None:
    go_to(teacher, "Masked words")
    framed = wall.frame_locator(FRAME)
    expect(framed.locator(".st-key-masked-words .js-plotly-plot")).to_be_visible(timeout=WAIT)
    eventually(wall, lambda: wall.evaluate(ENLARGED), lambda scale: scale >= 1.4)
    in_sight(wall, "masked-words")
    below = teacher.locator(".st-key-answer-by-layer .js-plotly-plot")
    expect(below).to_be_attached(timeout=WAIT)
    at_rest(teacher)
    below.scroll_into_view_if_needed()
    in_sight(wall, "answer-by-layer")
    teacher.locator("[data-testid=stMain]").evaluate("main => main.scrollTo(0, 0)")
    in_sight(wall, "masked-words")


ENLARGED = """() => {
  const frame = document.querySelector("iframe");
  return frame.getBoundingClientRect().width / frame.offsetWidth;
}"""
"""By how much the page in the frame is enlarged."""


def in_sight(wall: Page, key: str) -> None:
    """Wait until the wall shows the greater part of a picture."""
    expect(wall.frame_locator(FRAME).locator(f".st-key-{key}")).to_be_in_viewport(ratio=0.6, timeout=WAIT)
