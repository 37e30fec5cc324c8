"""A class that writes sentences: the teacher alone reads them, and shows one."""

from __future__ import annotations

import re

from playwright.sync_api import expect

from tests.browser.reader import Open
from tests.browser.test_class_room import ROOM, open_room
from tests.browser.waiting import WAIT, at_rest, press_until


def test_a_sentence_is_written_and_the_teacher_shows_one(visit: Open) -> None:
    teacher, letters = open_room(visit)
    student = visit(f"{ROOM}/{letters}", width=390)
    wall = visit(f"{ROOM}/{letters}", show="projector")
    expect(teacher.locator("[data-bar] .people")).to_have_text("1 student", timeout=WAIT)
    at_rest(teacher)
    teacher.locator(".st-key-own-question summary").click()
    form = teacher.get_by_role("textbox", name="Question", exact=True)
    form.fill("Why is “it” the animal?")
    form.press("Enter")
    at_rest(teacher)
    written = teacher.get_by_text("A sentence that they write", exact=True)
    press_until(written, teacher.get_by_text(re.compile("^Only you read the sentences")))
    press_until(teacher.get_by_role("button", name="Ask the class"), teacher.locator(".question .asked"))
    field = student.get_by_role("textbox", name="Your sentence")
    field.fill("Because <b>it</b> was tired.")
    student.get_by_role("button", name="Send").click()
    expect(student.locator(".question .note")).to_have_text(re.compile("^Your sentence is sent"), timeout=WAIT)
    line = teacher.locator(".sentences li")
    expect(line.locator("bdi")).to_have_text("Because <b>it</b> was tired.", timeout=WAIT)
    expect(line.locator("small")).to_have_text("blue otter")
    expect(wall.locator(".question .note")).to_have_text("1 answer", timeout=WAIT)
    expect(wall.locator(".picked")).to_be_hidden()
    student.reload()
    expect(field).to_have_value("Because <b>it</b> was tired.", timeout=WAIT)
    line.get_by_role("button", name="Show to all").click()
    for page in (wall, student):
        expect(page.locator(".picked")).to_have_text("Because <b>it</b> was tired.", timeout=WAIT)
    teacher.get_by_role("button", name="Close the question").click()
    expect(field).to_be_disabled(timeout=WAIT)
    line.get_by_role("button", name="Show to all").click()
    expect(wall.locator(".picked")).to_be_hidden(timeout=WAIT)
