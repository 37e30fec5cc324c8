"""A teacher who closes the app in a class and opens it again."""

from __future__ import annotations

import re

from playwright.sync_api import expect

from tests.browser.reader import Open, type_sentence, viewer_shows
from tests.browser.test_class_room import ROOM, open_room, show_attention
from tests.browser.waiting import WAIT


def test_a_teacher_who_opens_the_app_again_finds_what_the_class_sees(visit: Open) -> None:
    teacher, letters = open_room(visit)
    show_attention(teacher)
    student = visit(f"{ROOM}/{letters}", width=390)
    type_sentence(teacher, "A cat sat on the mat.")
    expect(student.locator(".texts")).to_have_text("A cat sat on the mat.", timeout=WAIT)
    home = re.sub("/attention.*", "/", teacher.url)
    teacher.goto("about:blank")
    teacher.goto(home)
    expect(teacher).to_have_url(re.compile("/attention"), timeout=WAIT)
    viewer_shows(teacher, "Layer")
    expect(teacher.get_by_role("textbox", name="Sentence A")).to_have_value("A cat sat on the mat.", timeout=WAIT)
    expect(student.locator(".texts")).to_have_text("A cat sat on the mat.", timeout=WAIT)
