"""A class in the browser: what the teacher does is seen, what is asked is answered, and whoever was away comes back."""

from __future__ import annotations

import re

from playwright.sync_api import Page, expect

from tests.browser.model_says import first_finding, first_head, first_query, most_looked_at
from tests.browser.reader import Open, go_to, in_address, type_sentence, viewer_shows
from tests.browser.waiting import WAIT, eventually

ROOM = "/headlight/room"


def open_room(visit: Open) -> tuple[Page, str]:
    """A teacher who has opened a room, and its letters."""
    teacher = visit("/class_room")
    teacher.get_by_role("button", name="Open a room").click()
    expect(teacher.get_by_role("button", name="Close the room")).to_be_visible(timeout=WAIT)
    letters = teacher.get_by_role("heading", name=re.compile("^[B-Z]{4}$"))
    expect(letters).to_be_visible(timeout=WAIT)
    shown = eventually(teacher, letters.inner_text, re.compile("^[B-Z]{4}$").match)
    expect(teacher.locator(".letters")).to_have_text(shown, timeout=WAIT)
    return teacher, shown


def show_attention(teacher: Page) -> None:
    go_to(teacher, "Attention")
    viewer_shows(teacher, "Layer")


def follows(student: Page, title: str) -> None:
    expect(student.locator(".viewer .title")).to_have_text(re.compile(title), timeout=WAIT)
    expect(student.locator(".viewer")).to_have_attribute("data-painted", re.compile("exact$"), timeout=WAIT)


def test_letters_are_typed_where_no_code_is_read_and_students_see_what_the_teacher_sees(visit: Open) -> None:
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


def test_the_class_is_asked_and_then_the_model(visit: Open) -> None:
    teacher, letters = open_room(visit)
    show_attention(teacher)
    students = [visit(f"{ROOM}/{letters}", width=390) for _ in range(2)]
    projector = visit(f"{ROOM}/{letters}", show="projector")
    for page in (*students, projector):
        follows(page, first_head())
    teacher.get_by_role("button", name="Ask …").click()
    expect(teacher.get_by_label("Token", exact=True)).to_have_value(str(first_finding().query), timeout=WAIT)
    teacher.get_by_role("button", name="Ask the class").click()
    right, share = most_looked_at()
    wrong = "street" if right != "street" else "cross"
    for student, answer in zip(students, (wrong, right), strict=True):
        expect(student.get_by_text(f"Which token does “{first_query()}” look at most?")).to_be_visible(timeout=WAIT)
        student.locator(".option").filter(has_text=re.compile(f"^{re.escape(answer)}")).first.click()
    for page in (*students, projector, teacher):
        expect(page.locator(".question .note")).to_have_text("2 answers", timeout=WAIT)
    expect(projector.locator(".option.right")).to_have_count(0)
    teacher.get_by_role("button", name="Show the model's answer").click()
    for page in (*students, projector, teacher):
        expect(page.locator(".option.right")).to_have_text(re.compile(f"^{re.escape(right)}"), timeout=WAIT)
        expect(page.locator(".model-says")).to_have_text(
            re.compile(f"“{first_query()}” gives {share}% of its attention to “{re.escape(right)}”")
        )
    expect(students[0].locator(".question .note")).to_have_text("You chose another one.")
    expect(students[1].locator(".question .note")).to_have_text("So it is: you were right.")
    teacher.get_by_role("button", name="End the question").click()
    for page in (*students, projector):
        expect(page.locator(".question")).to_be_hidden(timeout=WAIT)
    teacher.get_by_role("button", name="Show of hands").click()
    students[0].get_by_role("button", name="Raise my hand").click()
    expect(projector.locator(".question .note")).to_have_text("1 hand is up.", timeout=WAIT)


def test_a_student_looks_around_until_all_are_locked(visit: Open) -> None:
    teacher, letters = open_room(visit)
    show_attention(teacher)
    student = visit(f"{ROOM}/{letters}")
    follows(student, first_head())
    student.get_by_role("button", name="Look around alone").click()
    own = student.frame_locator("iframe.other-page")
    expect(own.get_by_role("heading", name="Attention", exact=True)).to_be_visible(timeout=WAIT)
    teacher.get_by_role("slider", name="Layer").press("Home")
    viewer_shows(teacher, "Layer 0")
    expect(student.locator(".bar .news")).to_have_text("The teacher shows something else by now.", timeout=WAIT)
    teacher.get_by_role("button", name="Lock all to mine").click()
    follows(student, "Layer 0")
    expect(student.get_by_role("button", name="Look around alone")).to_be_disabled(timeout=WAIT)
    teacher.get_by_role("button", name="Lock all to mine").click()
    expect(student.get_by_role("button", name="Look around alone")).to_be_enabled(timeout=WAIT)


def test_whoever_was_away_comes_back(visit: Open) -> None:
    teacher, letters = open_room(visit)
    show_attention(teacher)
    student = visit(f"{ROOM}/{letters.lower()}", width=390)
    follows(student, first_head())
    expect(student.locator(".name")).to_have_text("blue otter", timeout=WAIT)
    student.evaluate("window.headlightRoom.socket.line.close()")  # as a telephone does that sleeps
    expect(student.locator(".bar .news")).to_have_text(re.compile("line is gone"), timeout=WAIT)
    expect(student.locator(".bar .news")).to_be_empty(timeout=WAIT)
    teacher.reload()
    expect(teacher.locator(".letters")).to_have_text(letters, timeout=WAIT)
    viewer_shows(teacher, "Layer")
    teacher.get_by_role("slider", name="Layer").press("Home")
    viewer_shows(teacher, "Layer 0")
    in_address(teacher, layer="0")
    follows(student, "Layer 0")
    expect(student.locator(".name")).to_have_text("blue otter", timeout=WAIT)
    go_to(teacher, "Class room")
    teacher.get_by_role("button", name="Close the room").click()
    expect(student.get_by_text("This room is closed.")).to_be_visible(timeout=WAIT)
    expect(teacher.get_by_role("button", name="Open a room")).to_be_visible(timeout=WAIT)
    expect(teacher.locator("[data-bar] .letters")).to_have_count(0, timeout=WAIT)


def test_a_page_without_the_viewer_opens_as_it_is(visit: Open) -> None:
    teacher, letters = open_room(visit)
    go_to(teacher, "Lessons")
    student = visit(f"{ROOM}/{letters}")
    shown = student.frame_locator("iframe.other-page")
    expect(shown.get_by_role("heading", name="Lessons", exact=True)).to_be_visible(timeout=WAIT)
    teacher.get_by_role("button", name=re.compile("^(Begin|Go on)")).first.click()
    teacher.get_by_role("button", name="Ask the class").click()
    expect(student.locator(".question .asked")).to_be_visible(timeout=WAIT)
    options = student.locator(".option")
    expect(options.nth(1)).to_be_visible(timeout=WAIT)
    options.nth(1).click()
    expect(student.locator(".question .note")).to_have_text("1 answer", timeout=WAIT)
