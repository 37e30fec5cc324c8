"""Students who type the room's letters see the teacher's page; a teacher who closes the app finds it again."""

from __future__ import annotations

import re

from playwright.sync_api import Page, expect

from tests.browser.reader import Open, type_sentence, viewer_shows
from tests.browser.test_class_room import ROOM, follows, open_room, show_attention
from tests.browser.waiting import WAIT, eventually


def test_letters_are_typed_where_no_code_is_read_and_students_see_what_the_teacher_sees_and_finds_again(
    visit: Open,
) -> None:
    teacher, letters = open_room(visit)
    student = visit(f"{ROOM}/ZZZZ", width=390)
    expect(student.get_by_text("There is no room ZZZZ here, or not any more.")).to_be_visible(timeout=WAIT)
    field = student.get_by_label("The four letters that the teacher shows")
    field.fill(letters.lower())
    field.press("Enter")
    expect(student.locator(".letters")).to_have_text(letters, timeout=WAIT)
    expect(student.get_by_text("The teacher has not shown anything yet.")).to_be_visible(timeout=WAIT)
    expect(student.locator(".name")).to_have_text("blue otter", timeout=WAIT)
    expect(teacher.locator("[data-bar] .people")).to_have_text("1 student", timeout=WAIT)
    show_attention(teacher)
    follows(student, "Layer")
    expect(student.locator(".texts")).to_have_text("The animal didn't cross the street because it was too tired.")
    teacher.get_by_role("slider", name="Layer").press("Home")
    viewer_shows(teacher, "Layer 0")
    follows(student, "Layer 0")
    type_sentence(teacher, "A <b>cat</b> sat on the mat.")
    expect(student.locator(".texts")).to_have_text("A <b>cat</b> sat on the mat.", timeout=WAIT)
    follows(student, "Layer")
    eventually(student, lambda: student.evaluate("document.documentElement.scrollWidth"), lambda width: width <= 390)
    a_teacher_who_opens_the_app_again_finds_what_the_class_sees(teacher, student)


def a_teacher_who_opens_the_app_again_finds_what_the_class_sees(teacher: Page, student: Page) -> None:
    text = "A <b>cat</b> sat on the mat."
    home = re.sub("/attention.*", "/", teacher.url)
    teacher.goto("about:blank")
    teacher.goto(home)
    expect(teacher).to_have_url(re.compile("/attention"), timeout=WAIT)
    viewer_shows(teacher, "Layer")
    expect(teacher.get_by_role("textbox", name="Sentence A")).to_have_value(text, timeout=WAIT)
    expect(student.locator(".texts")).to_have_text(text, timeout=WAIT)
