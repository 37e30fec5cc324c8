"""A class in the browser: what the teacher does is seen, what is asked is answered, and whoever was away comes back."""

from __future__ import annotations

import re
from urllib.parse import urlencode

from playwright.sync_api import Page, expect

from tests.browser.model_says import first_finding, first_head, first_query, most_looked_at
from tests.browser.reader import Open, downloaded_lines, go_to, in_address, type_sentence, viewer_shows
from tests.browser.waiting import WAIT, box_of, eventually, press_until

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


def ask_about(teacher: Page, position: int) -> None:
    teacher.get_by_role("button", name="Ask …").click()
    token = teacher.get_by_label("Token", exact=True)
    expect(token.locator("option")).not_to_have_count(0, timeout=WAIT)
    expect(token).to_have_value("")
    token.select_option(str(position))
    teacher.get_by_role("button", name="Ask the class").click()


def class_of_two(visit: Open) -> tuple[Page, list[Page], Page]:
    teacher, letters = open_room(visit)
    show_attention(teacher)
    students = [visit(f"{ROOM}/{letters}", width=390) for _ in range(2)]
    wall = visit(f"{ROOM}/{letters}", show="projector")
    for page in (*students, wall):
        follows(page, first_head())
    return teacher, students, wall


def votes_are(page: Page, *counts: str) -> None:
    expect(page.locator(".option .count").filter(has_text=re.compile("."))).to_have_text(list(counts), timeout=WAIT)


def test_the_class_is_asked_and_then_the_model_hands_hide_nothing_and_answers_are_kept(visit: Open) -> None:
    room = class_of_two(visit)
    the_class_is_asked_and_then_the_model(*room)
    hands_hide_nothing_and_answers_are_kept(*room)


def the_class_is_asked_and_then_the_model(teacher: Page, students: list[Page], wall: Page) -> None:
    ask_about(teacher, first_finding().query)
    right, share = most_looked_at()
    wrong = "street" if right != "street" else "cross"
    expect(teacher.get_by_text("2 have not answered")).to_be_visible(timeout=WAIT)
    for student, answer in zip(students, (wrong, right), strict=True):
        expect(student.get_by_text(f"Which token does “{first_query()}” look at most?")).to_be_visible(timeout=WAIT)
        student.locator(".option").filter(has_text=re.compile(f"^{re.escape(answer)}")).first.click()
    for page in (*students, wall, teacher):
        expect(page.locator(".question .note")).to_have_text("2 answers", timeout=WAIT)
        votes_are(page)
    for page in (*students, wall):
        expect(page.locator(".viewer")).to_be_hidden()
    teacher.get_by_role("button", name="Close the question").click()
    for page in (*students, wall, teacher):
        votes_are(page, "1", "1")
    for student in students:
        expect(student.locator(".option").first).to_be_disabled()
        expect(student.locator(".viewer")).to_be_hidden()
    expect(wall.locator(".option.right")).to_have_count(0)
    teacher.get_by_role("button", name="Show the model's answer").click()
    for page in (*students, wall, teacher):
        expect(page.locator(".option.right")).to_have_text(re.compile(f"^{re.escape(right)}"), timeout=WAIT)
        says = re.compile(f"“{first_query()}” gives {share}% of its attention to “{re.escape(right)}”")
        expect(page.locator(".model-says")).to_have_text(says)
    for page in (*students, wall):
        expect(page.locator(".viewer")).to_be_visible(timeout=WAIT)
    expect(students[0].locator(".question .note")).to_have_text("You chose another one.")
    expect(students[1].locator(".question .note")).to_have_text("So it is: you were right.")
    end_the_question(teacher, *students, wall)


def end_the_question(teacher: Page, *others: Page) -> None:
    teacher.get_by_role("button", name="End the question").click()
    for page in others:
        expect(page.locator(".question")).to_be_hidden(timeout=WAIT)


def hands_hide_nothing_and_answers_are_kept(teacher: Page, students: list[Page], wall: Page) -> None:
    ask_about(teacher, 1)
    for student in students:
        expect(student.locator(".option").first).to_be_visible(timeout=WAIT)
        student.locator(".option").nth(2).click()
    expect(teacher.locator(".question .note")).to_have_text("2 answers", timeout=WAIT)
    end_the_question(teacher, *students, wall)
    teacher.get_by_role("button", name="Show of hands").click()
    students[0].get_by_role("button", name="Raise my hand").click()
    expect(wall.locator(".question .note")).to_have_text("1 hand is up.", timeout=WAIT)
    expect(wall.locator(".viewer")).to_be_visible()
    go_to(teacher, "Class room")
    _, *lines = downloaded_lines(teacher, "All answers as CSV")
    asked = [f"{number},Which token does “{query}” look at most?" for number, query in ((1, first_query()), (2, "the"))]
    assert [",".join(line.split(",")[:2]) for line in lines] == [asked[0]] * 2 + [asked[1]] * 2


def test_a_student_is_led_looks_around_comes_back_and_taps_without_a_line(visit: Open) -> None:
    teacher, letters = open_room(visit)
    student = visit(f"{ROOM}/ZZZZ", width=390)
    letters_are_typed_where_no_code_is_read(teacher, student, letters)
    show_attention(teacher)
    follows(student, first_head())
    a_class_stays_where_it_is_while_the_teacher_pauses(teacher, student)
    a_student_looks_around_until_all_are_locked(teacher, student)
    whoever_was_away_comes_back(teacher, student, letters)
    a_teacher_who_opens_the_app_again_finds_what_the_class_sees(teacher, student)
    an_answer_that_was_tapped_without_a_line_is_sent_or_said_to_be_lost(teacher, student)
    a_room_is_closed_for_everybody(teacher, student)


def letters_are_typed_where_no_code_is_read(teacher: Page, student: Page, letters: str) -> None:
    expect(student.get_by_text("There is no room ZZZZ here, or not any more.")).to_be_visible(timeout=WAIT)
    field = student.get_by_label("The four letters that the teacher shows")
    field.fill(letters.lower())
    field.press("Enter")
    expect(student.locator(".letters")).to_have_text(letters, timeout=WAIT)
    expect(student.get_by_text("The teacher has not shown anything yet.")).to_be_visible(timeout=WAIT)
    expect(student.locator(".name")).to_have_text("blue otter", timeout=WAIT)
    expect(teacher.locator("[data-bar] .people")).to_have_text("1 student", timeout=WAIT)


def a_teacher_who_opens_the_app_again_finds_what_the_class_sees(teacher: Page, student: Page) -> None:
    text = "A <b>cat</b> sat on the mat."
    expect(student.locator(".texts")).to_have_text("The animal didn't cross the street because it was too tired.")
    type_sentence(teacher, text)
    expect(student.locator(".texts")).to_have_text(text, timeout=WAIT)
    follows(student, "Layer")
    eventually(student, lambda: student.evaluate("document.documentElement.scrollWidth"), lambda width: width <= 390)
    home = re.sub("/attention.*", "/", teacher.url)
    teacher.goto("about:blank")
    teacher.goto(home)
    expect(teacher).to_have_url(re.compile("/attention"), timeout=WAIT)
    viewer_shows(teacher, "Layer")
    expect(teacher.get_by_role("textbox", name="Sentence A")).to_have_value(text, timeout=WAIT)
    expect(student.locator(".texts")).to_have_text(text, timeout=WAIT)


def an_answer_that_was_tapped_without_a_line_is_sent_or_said_to_be_lost(teacher: Page, student: Page) -> None:
    for is_late in (False, True):
        ask_about(teacher, 0)
        expect(student.locator(".option").nth(1)).to_be_visible(timeout=WAIT)
        student.evaluate("() => { const { socket } = headlightRoom; socket.open = () => {}; socket.line.close(); }")
        expect(student.locator(".bar .news")).to_have_text(re.compile("line is gone"), timeout=WAIT)
        student.locator(".option").nth(1).click()
        expect(student.locator(".question .note")).to_have_text("Your answer is sent when the line is back.")
        if is_late:
            teacher.get_by_role("button", name="Close the question").click()
            expect(teacher.get_by_role("button", name="Close the question")).to_be_hidden(timeout=WAIT)
        student.evaluate("() => { const { socket } = headlightRoom; delete socket.open; socket.open(); }")
        expect(teacher.locator(".question .note")).to_have_text("0 answers" if is_late else "1 answer", timeout=WAIT)
        expect(student.locator(".option.mine")).to_have_count(0 if is_late else 1, timeout=WAIT)
        expect(student.locator(".bar .news")).to_have_text(re.compile("is lost") if is_late else "", timeout=WAIT)
        end_the_question(teacher, student)


def test_a_wall_shows_all_and_one_tab_teaches_while_others_follow(visit: Open) -> None:
    teacher, letters = open_room(visit)
    wall = visit(f"{ROOM}/{letters}", show="projector", width=1920)
    a_long_text_and_a_long_question_keep_the_picture_on_the_wall(teacher, wall)
    end_the_question(teacher, wall)
    second = teacher.context.new_page()
    second.goto(teacher.url.replace("/attention", "/positions"))
    expect(second.get_by_role("button", name="Teach in this tab")).to_be_visible(timeout=WAIT)
    expect(second.get_by_role("button", name="Ask …")).to_be_hidden()
    teacher.get_by_role("slider", name="Layer").press("Home")
    follows(wall, "Layer 0")
    teacher.reload()
    expect(teacher.get_by_role("button", name="Ask …")).to_be_visible(timeout=WAIT)
    go_to(teacher, "By hand")
    framed = wall.frame_locator("iframe.other-page")
    expect(framed.get_by_role("heading", name="By hand", exact=True)).to_be_visible(timeout=WAIT)
    expect(framed.locator("[data-bar] .letters")).to_have_count(0)
    second.get_by_role("button", name="Teach in this tab").click()
    expect(framed.get_by_role("heading", name="Positions", exact=True)).to_be_visible(timeout=WAIT)
    expect(second.get_by_role("button", name="Ask …")).to_be_visible(timeout=WAIT)
    expect(teacher.get_by_role("button", name="Teach in this tab")).to_be_visible(timeout=WAIT)


def test_what_the_teacher_does_in_a_lesson_is_seen_and_not_before_the_model_has_answered(visit: Open) -> None:
    teacher, letters = open_room(visit)
    teacher.goto(re.sub("/class_room.*", "/lessons?lesson=attention&lesson_step=2", teacher.url))
    wall = visit(f"{ROOM}/{letters}", show="projector")
    student = visit(f"{ROOM}/{letters}", width=390)
    framed = wall.frame_locator("iframe.other-page")
    expect(framed.get_by_role("button", name="Skip")).to_be_visible(timeout=WAIT)
    press_until(teacher.get_by_role("button", name="Ask the class"), wall.locator(".not-yet"))
    expect(wall.locator("iframe.other-page")).to_have_css("opacity", "0")
    expect(wall.locator(".option").filter(has_text="1.00")).to_have_count(1)
    student.locator(".option").nth(1).click()
    expect(wall.locator(".question .note")).to_have_text("1 answer", timeout=WAIT)
    teacher.get_by_role("button", name="Skip").click()
    expect(framed.get_by_text("You skipped the prediction.")).to_be_attached(timeout=WAIT)
    expect(wall.locator("iframe.other-page")).to_have_css("opacity", "0")
    teacher.get_by_role("button", name="Show the model's answer").click()
    expect(wall.locator(".model-says")).to_have_text(re.compile("1.00, in every row of every head"), timeout=WAIT)
    expect(wall.locator("iframe.other-page")).to_have_css("opacity", "1")
    expect(framed.get_by_text(re.compile("in every row of every")).first).to_be_visible(timeout=WAIT)


def a_long_text_and_a_long_question_keep_the_picture_on_the_wall(teacher: Page, wall: Page) -> None:
    eventually(wall, wall.locator(".code").bounding_box, lambda box: box and box["width"] > 500)  # it invites, so far
    for n_sentences in (24, 5):
        text = " ".join(["The animal didn't cross the street because it was tired."] * n_sentences)
        teacher.goto(re.sub("/[^/]*$", f"/attention?{urlencode({'text': text, 'picture': 'map'})}", teacher.url))
        viewer_shows(teacher, "Layer")
        expect(wall.locator(".texts")).to_have_text(text, timeout=WAIT)
        follows(wall, "Layer")
        assert box_of(wall.locator(".code"))["width"] < 200
        eventually(wall, lambda: wall.evaluate(BELOW), lambda below: below <= 0)
    ask_about(teacher, 1)
    teacher.get_by_role("button", name="Show the model's answer").click()
    expect(wall.locator(".option.right")).to_be_visible(timeout=WAIT)
    expect(wall.locator(".viewer")).to_be_visible(timeout=WAIT)
    eventually(wall, lambda: wall.evaluate(BELOW), lambda below: below <= 0)


BELOW = """() => Math.max(...[...document.querySelectorAll(".texts, .question, .option, .viewer")]
  .filter((node) => node.checkVisibility()).map((node) => node.getBoundingClientRect().bottom)) - innerHeight"""
"""How many pixels of what a wall shows are under its edge."""


def turn_to_layer(teacher: Page, layer: int) -> None:
    teacher.get_by_role("slider", name="Layer").press("End" if layer else "Home")
    viewer_shows(teacher, f"Layer {layer}")
    in_address(teacher, layer=str(layer))


def a_student_looks_around_until_all_are_locked(teacher: Page, student: Page) -> None:
    student.get_by_role("button", name="Look around alone").click()
    own = student.frame_locator("iframe.other-page")
    own.get_by_label("Type a sentence").fill("A cat sat.")
    expect(own.locator(".live-words button")).to_have_text(["A", "cat", "sat", "."], timeout=WAIT)
    expect(own.get_by_role("link", name="Open in the app")).to_have_attribute("href", re.compile("^/attention"))
    turn_to_layer(teacher, 5)
    expect(student.locator(".bar .news")).to_have_text("The teacher shows something else by now.", timeout=WAIT)
    teacher.get_by_role("button", name="Lock all to mine").click()
    follows(student, "Layer 5")
    expect(student.get_by_role("button", name="Look around alone")).to_be_disabled(timeout=WAIT)
    teacher.get_by_role("button", name="Lock all to mine").click()
    expect(student.get_by_role("button", name="Look around alone")).to_be_enabled(timeout=WAIT)


def a_class_stays_where_it_is_while_the_teacher_pauses(teacher: Page, student: Page) -> None:
    teacher.get_by_role("button", name="Pause").click()
    expect(student.locator(".bar .news")).to_have_text(re.compile("has paused"), timeout=WAIT)
    turn_to_layer(teacher, 0)
    follows(student, first_head())
    teacher.get_by_role("button", name="Pause").click()
    follows(student, "Layer 0")
    expect(student.locator(".bar .news")).to_be_empty(timeout=WAIT)


def whoever_was_away_comes_back(teacher: Page, student: Page, letters: str) -> None:
    student.evaluate("window.headlightRoom.socket.line.close()")  # as a telephone does that sleeps
    expect(student.locator(".bar .news")).to_have_text(re.compile("line is gone"), timeout=WAIT)
    expect(student.locator(".bar .news")).to_be_empty(timeout=WAIT)
    teacher.reload()
    expect(teacher.locator(".letters")).to_have_text(letters, timeout=WAIT)
    viewer_shows(teacher, "Layer 5")
    turn_to_layer(teacher, 0)
    follows(student, "Layer 0")
    expect(student.locator(".name")).to_have_text("blue otter", timeout=WAIT)


def a_room_is_closed_for_everybody(teacher: Page, student: Page) -> None:
    go_to(teacher, "Class room")
    teacher.get_by_role("button", name="Close the room").click()
    teacher.get_by_role("button", name="Close it for everybody").click()
    expect(student.get_by_text("This room is closed.")).to_be_visible(timeout=WAIT)
    expect(teacher.get_by_role("button", name="Open a room")).to_be_visible(timeout=WAIT)
    expect(teacher.locator("[data-bar] .letters")).to_have_count(0, timeout=WAIT)
