"""The browser side in Korean: a room for a telephone that asks for it, and a file that was taken away in it."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from contextlib import contextmanager

from playwright.sync_api import Browser, Page, expect

from tests.browser.model_says import first_finding, first_head, first_query
from tests.browser.reader import Open, OpenFile, in_address, turn_to_picture, viewer_shows
from tests.browser.test_class_room import ROOM, ask_about, follows, open_room, show_attention
from tests.browser.waiting import WAIT, eventually, press_until
from viz.kit.demos.records import random_recording
from viz.kit.language import FOLDER, read_in

TELEPHONE = {"width": 390, "height": 844}
ENGLISH = re.compile(r"[^가-힣]*[A-Za-z]{3,} [A-Za-z]{2,}[^가-힣]*")


@contextmanager
def korean_telephone(browser: Browser, address: str) -> Iterator[Page]:
    """A page in a browser that asks for Korean."""
    context = browser.new_context(locale="ko-KR", viewport=TELEPHONE)
    context.set_default_timeout(WAIT)
    page = context.new_page()
    errors: list[str] = []
    page.on("pageerror", lambda error: errors.append(error.stack or str(error)))
    page.goto(address)
    yield page
    context.close()
    assert errors == []


def sentences_seen(page: Page) -> set[str]:
    """Every text of a page and what a screen reader hears of it, apart from scripts."""
    found: list[str] = page.evaluate("""() => {
        const nodes = [...document.body.querySelectorAll(":not(script, style)")];
        const own = (node) => [...node.childNodes].filter((each) => each.nodeType === 3).map((each) => each.data);
        const said = (node) => ["aria-label", "title", "placeholder"].map((name) => node.getAttribute(name) ?? "");
        return nodes.flatMap((node) => [...own(node), ...said(node)]).map((text) => text.trim());
    }""")
    return set(found) - {""}


def test_one_student_reads_a_room_in_korean_and_another_in_english(visit: Open, browser: Browser, server: str) -> None:
    teacher, letters = open_room(visit)
    show_attention(teacher)
    english = visit(f"{ROOM}/{letters}", width=390)
    with korean_telephone(browser, f"{server}{ROOM}/{letters}") as korean:
        follows(korean, first_head("레이어", "헤드"))
        follows(english, first_head())
        ask_about(teacher, first_finding().query)
        expect(korean.locator(".asked")).to_have_text(
            f"“{first_query()}” 토큰이 가장 많이 보는 토큰은 무엇일까요?", timeout=WAIT
        )
        expect(english.locator(".asked")).to_have_text(
            f"Which token does “{first_query()}” look at most?", timeout=WAIT
        )
        expect(korean.locator(".question .note")).to_have_text("답을 누르세요.")
        korean.locator(".option", has_text="street").click()
        expect(korean.locator(".question .note")).to_have_text("답 1개", timeout=WAIT)
        teacher.get_by_role("button", name="Show the model's answer").click()
        expect(korean.locator(".model-says")).to_have_text(
            re.compile(f"^{first_head('레이어', '헤드')}: “{first_query()}” 토큰은"), timeout=WAIT
        )
        expect(english.locator(".model-says")).to_have_text(
            re.compile(f"^{first_head()}: “{first_query()}” gives"), timeout=WAIT
        )
        expect(korean.locator(".question .note")).to_have_text("다른 것을 골랐습니다.")
        width = "document.documentElement.scrollWidth"
        eventually(korean, lambda: korean.evaluate(width), lambda found: found <= TELEPHONE["width"])


def test_a_file_that_was_taken_away_in_korean_has_no_english_sentence_left(open_file: OpenFile) -> None:
    told = json.loads((FOLDER / "ko" / "browser.json").read_text(encoding="utf-8"))["sentences"]
    with read_in("ko"):
        page = open_file(random_recording(n_tokens=10), layer=1, head=2)
    expect(page.locator(".viewer .title")).to_have_text("레이어 1 · 헤드 2")
    expect(page.locator("html")).to_have_attribute("lang", "ko")
    page.locator(".map-grid").focus()
    page.keyboard.press("ArrowRight")
    expect(page.locator(".row-about")).to_have_text(re.compile("가장 강한 키 10개, 기준: 가중치$"))
    for picture in ("맵", "문장"):
        turn_to_picture(page, picture)
        seen = sentences_seen(page)
        assert len(seen) > 50
        assert seen & set(told) == set()
        assert {text for text in seen if ENGLISH.fullmatch(text)} == set()


def test_words_of_korean_open_their_entries(open_file: OpenFile) -> None:
    with read_in("ko"):
        page = open_file(random_recording(n_tokens=10), layer=1, head=2)
    asked = page.locator(".map-asked .word")
    expect(asked).to_have_text(["쿼리", "키", "점수", "소프트맥스", "가중치"])
    page.locator(".viewer .title .word", has_text="헤드").click()
    expect(page.locator(".word-panel strong")).to_have_text("헤드(head)")


def test_the_language_is_chosen_in_the_bar_and_all_else_stays(visit: Open) -> None:
    page = visit("/attention", layer=2, head=3, text="The cat sat on the mat.")
    viewer_shows(page, "Layer 2 · Head 3")
    page.get_by_role("combobox", name="Language").select_option("한국어")
    expect(page.locator(".viewer .title")).to_have_text("레이어 2 · 헤드 3", timeout=WAIT)
    in_address(page, lang="ko", layer="2", head="3", text="The cat sat on the mat.")
    expect(page.locator("html")).to_have_attribute("lang", "ko")
    bar = page.get_by_test_id("stTopNavLink")
    press_until(bar.filter(has_text="레슨"), page.get_by_role("heading", name="레슨").first)
    expect(page).to_have_url(re.compile("/lessons"), timeout=WAIT)
    press_until(bar.filter(has_text="어텐션"), page.locator(".viewer .title"))
    expect(page.locator(".viewer .title")).to_have_text("레이어 2 · 헤드 3", timeout=WAIT)
    page.get_by_role("combobox", name="언어").select_option("English")
    viewer_shows(page, "Layer 2 · Head 3")
    expect(page.get_by_test_id("stTopNavLink").filter(has_text="Lessons")).to_be_visible(timeout=WAIT)
    in_address(page, lang="en", layer="2", head="3")


def test_a_browser_that_asks_for_korean_reads_korean_unless_a_link_says_english(browser: Browser, server: str) -> None:
    with korean_telephone(browser, f"{server}/attention?layer=2&head=1") as page:
        expect(page.locator(".viewer .title")).to_have_text("레이어 2 · 헤드 1", timeout=WAIT)
        expect(page).not_to_have_url(re.compile("lang="))
        page.goto(f"{server}/attention?layer=2&head=1&lang=en")
        viewer_shows(page, "Layer 2 · Head 1")


def test_a_number_before_a_korean_particle_is_bold(visit: Open) -> None:
    page = visit("/lessons", lang="ko", lesson="finding-again", lesson_step=3)
    told = page.locator("p", has_text="뿐입니다")
    expect(told.locator("strong")).to_have_text(re.compile(r"^[\d.]+%$"), timeout=WAIT)
    expect(told).not_to_contain_text("**")
