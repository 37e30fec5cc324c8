"""The addresses of a room: who may come in, who hears what, who may do what, and the numbers of what is shown."""

from __future__ import annotations

import json
import re
import xml.etree.ElementTree as ET
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import segno
from starlette.applications import Starlette
from starlette.testclient import TestClient, WebSocketTestSession

from lessons import KINDS, Outcome, answer_ask, facts_of
from lessons.values import Condition
from lessons.verdicts import verdict
from tests.closeness import assert_close
from tests.loaded import load
from ui.class_room import routes
from ui.class_room.asking import question_of_outcome
from ui.class_room.hub import Hub
from ui.class_room.of_lesson import in_all_languages
from ui.desk.clients import COOKIE as BROWSER
from ui.lessons.library import own_lessons
from ui.lessons.reading import for_class
from ui.shared.room_students import LATE_AT_ONCE, MOST_PEOPLE
from ui.shared.rooms import Rooms
from ui.shared.student_names import ANIMALS, COLOURS, name_of
from ui.state.addresses import to_address
from ui.state.choices import Selection
from ui.state.routes import routes as viewer_routes
from ui.state.where import origin_of, own_address

PLACE = "/headlight"


@contextmanager
def come_in(client: TestClient, letters: str, **hello: Any) -> Iterator[WebSocketTestSession]:
    """A browser in a room, which has said who it is: with the cookie of the page, if it is a student's."""
    if hello.get("role") == "student":
        client.get(f"{PLACE}/room/{letters}")
    with client.websocket_connect(f"{PLACE}/rooms/{letters}/socket") as socket:
        socket.send_json(hello)
        yield socket


def another_browser(client: TestClient) -> None:
    """What comes next is another browser."""
    client.cookies.clear()


def teacher_of(rooms: Rooms) -> tuple[str, dict[str, str]]:
    """The letters of a new room, and what its teacher's tab says."""
    letters, key = rooms.open()
    rooms.take_up(letters, key, "tab")
    return letters, {"role": "teacher", "key": key, "tab": "tab"}


def until(socket: WebSocketTestSession, holds: Any) -> dict[str, Any]:
    """The first message for which that holds."""
    while True:
        message: dict[str, Any] = socket.receive_json()
        if holds(message):
            return message


def is_room(message: dict[str, Any]) -> bool:
    return message["type"] == "room"


def test_a_student_gets_a_name_and_the_view_and_comes_back_as_the_same(client: TestClient, rooms: Rooms) -> None:
    letters, key = rooms.open()
    rooms.show(letters, key, page="attention", choices=to_address(Selection(layer=3, head=1, locked=(2,))))
    with come_in(client, letters, role="student") as socket:
        you, room = socket.receive_json(), until(socket, is_room)
        assert you["name"] == f"{next(iter(COLOURS))} {ANIMALS[0]}"
        assert room["people"] == 1
        drawn = room["view"]["viewer"]
        assert (drawn["choices"]["layer"], drawn["choices"]["locked"]) == (3, [2])
        rooms.show(letters, key, page="attention", choices=to_address(Selection(layer=4)))
        assert until(socket, lambda said: "view" in said)["view"]["viewer"]["choices"]["layer"] == 4
        rooms.lock(letters, key, True)
        assert "view" not in until(socket, lambda said: said.get("locked")), "what is known is not sent again"
    with come_in(client, letters, role="student") as socket:
        assert socket.receive_json()["name"] == you["name"]
    another_browser(client)
    with come_in(client, letters, role="student") as socket:
        assert socket.receive_json()["name"] != you["name"]


def test_a_room_knows_the_browsers_of_its_students(client: TestClient, rooms: Rooms) -> None:
    letters, hello = teacher_of(rooms)
    with come_in(client, letters, **hello) as teacher:
        until(teacher, is_room)
    assert rooms.browsers(letters) == {}
    with come_in(client, letters, role="student") as student:
        until(student, is_room)
    assert rooms.browsers(letters) == {client.cookies[BROWSER]: 0}
    another_browser(client)
    client.cookies.set(BROWSER, "no word of ours")
    with come_in(client, letters, role="student") as student:
        until(student, is_room)
    assert len(rooms.browsers(letters)) == 2
    assert "no word of ours" not in rooms.browsers(letters)


def test_votes_are_seen_once_the_question_is_closed_and_the_answer_of_the_model_when_it_is_shown(
    client: TestClient, rooms: Rooms
) -> None:
    letters, hello = teacher_of(rooms)
    rooms.show(letters, hello["key"], page="home", choices=to_address(Selection(layer=2, head=1)))
    with (
        come_in(client, letters, role="student") as student,
        come_in(client, letters, role="projector") as projector,
        come_in(client, letters, **hello) as teacher,
    ):
        teacher.send_json({"do": "ask", "about": "row", "position": 10, "seconds": 60})
        asked = until(student, lambda said: said.get("question"))["question"]
        assert asked["text"] == "Which token does “it” look at most?"
        assert asked["veiled"]
        assert not {"right", "values", "says", "row"} & set(asked)
        student.send_json({"do": "answer", "question": asked["id"], "choice": 13})
        arrived = until(student, lambda said: said["type"] == "answered")
        assert (arrived["question"], arrived["choice"]) == (asked["id"], 13)
        everybody = (student, projector, teacher)
        for socket in everybody:
            told = until(socket, lambda said: said.get("question") and said["question"]["answers"] == 1)
            assert told["question"]["tally"] is None
        teacher.send_json({"do": "votes", "live": True})
        assert until(projector, lambda said: is_room(said) and said["question"]["live"])["question"]["tally"][13] == 1
        teacher.send_json({"do": "votes", "live": False})
        teacher.send_json({"do": "close"})
        for socket in everybody:
            told = until(socket, lambda said: is_room(said) and said["question"]["closed"])["question"]
            assert (told["tally"][13], told["veiled"]) == (1, True)
            assert socket is teacher or not {"right", "values", "says", "row"} & set(told)
        student.send_json({"do": "answer", "question": asked["id"], "choice": 2})
        assert until(student, lambda said: said["type"] == "answered")["choice"] == 13, "answers are fixed"
        teacher.send_json({"do": "reveal"})
        shown = until(student, lambda said: said.get("question") and said["question"]["revealed"])["question"]
        weights = load("headlight-bert").record(Selection().text).of("encoder").weights(2, 1)[10]
        assert (shown["right"], shown["row"], shown["veiled"]) == ([int(weights.argmax())], 10, False)
        assert_close(shown["values"], weights)
        assert shown["options"][shown["right"][0]] in shown["says"]
        teacher.send_json({"do": "end"})
        assert until(student, lambda said: is_room(said) and said["question"] is None)


def test_the_votes_come_by_themselves_when_the_time_is_over(client: TestClient, rooms: Rooms) -> None:
    letters, key = rooms.open()
    with come_in(client, letters, role="student") as student:
        outcome = Outcome(facts=(), options=("yes", "no"), right=frozenset({0}))
        question = question_of_outcome("Is it?", "choice", outcome, says="It is.", seconds=0.2)
        rooms.ask(letters, key, question)
        student.send_json({"do": "answer", "question": question.id, "choice": 1})
        assert until(student, lambda said: is_room(said) and said["question"] and said["question"]["answers"])
        assert until(student, lambda said: is_room(said) and said["question"]["closed"])["question"]["tally"] == [0, 1]


def test_a_second_tab_of_the_teacher_does_not_act_until_it_has_taken_over(client: TestClient, rooms: Rooms) -> None:
    letters, hello = teacher_of(rooms)
    with (
        come_in(client, letters, **hello) as first,
        come_in(client, letters, **hello | {"tab": "second"}) as second,
    ):
        assert until(first, is_room)["teaches"]
        assert not until(second, is_room)["teaches"]
        second.send_json({"do": "lock", "locked": True})
        assert until(second, lambda said: said["type"] == "refused")["says"] == "Another tab teaches this room."
        assert not rooms.room(letters).locked
        assert not rooms.take_up(letters, hello["key"], "second")
        assert rooms.take_up(letters, hello["key"], "second", by_force=True)
        assert not until(first, lambda said: is_room(said) and not said["teaches"])["teaches"]
        second.send_json({"do": "lock", "locked": True})
        assert until(second, lambda said: is_room(said) and said["locked"])["teaches"]


def test_two_hundred_sockets_of_one_script_have_one_answer(client: TestClient, rooms: Rooms) -> None:
    letters, key = rooms.open()
    outcome = Outcome(facts=(), options=("yes", "no"), right=frozenset({0}))
    question = question_of_outcome("Is it?", "choice", outcome, says="It is.")
    rooms.ask(letters, key, question)
    forged = {"cookie": "headlight_device=mine.0123456789abcdef0123456789abcdef"}
    for headers in ({}, forged) * 100:
        with client.websocket_connect(f"{PLACE}/rooms/{letters}/socket", headers=headers) as socket:
            socket.send_json({"role": "student", "person": "invented"})
            socket.send_json({"do": "answer", "question": question.id, "choice": 1})
            until(socket, lambda said: said["type"] == "answered")
    assert rooms.room(letters).tally == (0, 1)
    with come_in(client, letters, role="student") as socket:
        socket.send_json({"do": "answer", "question": question.id, "choice": 0})
        until(socket, lambda said: said["type"] == "answered")
    assert rooms.room(letters).tally == (1, 1)


def test_a_script_that_loads_the_page_for_each_socket_has_few_answers_to_an_open_question(
    client: TestClient, rooms: Rooms
) -> None:
    letters, hello = teacher_of(rooms)
    outcome = Outcome(facts=(), options=("yes", "no"), right=frozenset({0}))
    question = question_of_outcome("Is it?", "choice", outcome, says="It is.")
    with come_in(client, letters, role="student") as student:
        until(student, is_room)
        rooms.ask(letters, hello["key"], question)
        refused = 0
        for _ in range(LATE_AT_ONCE + 20):
            another_browser(client)
            with come_in(client, letters, role="student") as socket:
                socket.send_json({"do": "answer", "question": question.id, "choice": 1})
                refused += until(socket, lambda said: said["type"] in ("answered", "refused"))["type"] == "refused"
        assert refused > 0
        n_late = LATE_AT_ONCE + 20 - refused
        student.send_json({"do": "answer", "question": question.id, "choice": 0})
        until(student, lambda said: said["type"] == "answered")
        assert rooms.room(letters).tally == (1, n_late)
        with come_in(client, letters, **hello) as teacher:
            assert until(teacher, is_room)["late"] == n_late
            teacher.send_json({"do": "shut", "shut": True})
            until(teacher, lambda said: is_room(said) and said["shut"])
    another_browser(client)
    with come_in(client, letters, role="student", language="ko") as socket:
        gone = socket.receive_json()
    assert gone["type"] == "gone"
    assert letters in gone["says"]


def test_the_teacher_reads_who_has_not_answered(client: TestClient, rooms: Rooms) -> None:
    letters, hello = teacher_of(rooms)
    outcome = Outcome(facts=(), options=("yes", "no"), right=frozenset({0}))
    question = question_of_outcome("Is it?", "choice", outcome, says="It is.")
    with come_in(client, letters, role="student") as first:
        name = first.receive_json()["name"]
        another_browser(client)
        with come_in(client, letters, role="student") as second, come_in(client, letters, **hello) as teacher:
            rooms.ask(letters, hello["key"], question)
            second.send_json({"do": "answer", "question": question.id, "choice": 0})
            told = until(teacher, lambda said: said.get("question") and said["question"]["answers"] == 1)
            assert told["waited_for"] == [name]
            assert "waited_for" not in until(second, lambda said: said.get("question"))


@pytest.mark.parametrize(
    "deed",
    [
        {"do": "lock", "locked": True},
        {"do": "ask", "about": "row", "position": 0},
        {"do": "reveal"},
        {"do": "end"},
        {"do": "hands"},
        {"do": "close"},
        {"do": "pause", "paused": True},
        {"do": "shut", "shut": True},
        {"do": "sight", "key": "a-picture"},
        {"do": "votes", "live": True},
        {"do": "pick", "place": 0},
        {"do": "next"},
        {"do": ["lock"]},
        {"do": None},
        {},
        ["do"],
        "do",
    ],
)
@pytest.mark.parametrize("role", ["student", "projector"])
def test_a_student_cannot_act_as_the_teacher(client: TestClient, rooms: Rooms, role: str, deed: Any) -> None:
    letters, key = rooms.open()
    rooms.show(letters, key, page="home", choices=to_address(Selection()))
    before = rooms.room(letters)
    with come_in(client, letters, role=role, key=key, person=key) as socket:
        socket.send_text(json.dumps(deed))
        assert until(socket, lambda said: said["type"] == "refused")["says"] == "That was not understood."
    after = rooms.room(letters)
    assert (after.question, after.locked, after.view) == (before.question, before.locked, before.view)


@pytest.mark.parametrize("hello", [{"role": "teacher", "key": "guessed"}, {"role": "teacher"}])
def test_without_the_key_nobody_teaches(client: TestClient, rooms: Rooms, hello: dict[str, str]) -> None:
    letters, _ = rooms.open()
    with come_in(client, letters, **hello) as socket:
        assert socket.receive_json()["type"] == "gone"


def test_a_room_that_is_closed_says_so_to_all_and_there_is_none_of_other_letters(
    client: TestClient, rooms: Rooms
) -> None:
    letters, key = rooms.open()
    with come_in(client, letters, role="student") as socket:
        until(socket, is_room)
        rooms.close(letters, key)
        assert until(socket, lambda said: said["type"] == "gone")
    with come_in(client, "ZZZZ", role="student") as socket:
        assert socket.receive_json()["type"] == "gone"


def test_a_page_of_another_site_opens_no_socket(client: TestClient, rooms: Rooms) -> None:
    letters, _ = rooms.open()
    told = {"origin": "https://elsewhere.example"}
    with client.websocket_connect(f"{PLACE}/rooms/{letters}/socket", headers=told) as socket:
        socket.send_json({"role": "student"})
        assert socket.receive_json()["type"] == "gone"
    assert rooms.room(letters).n_people == 0


@pytest.mark.parametrize(
    ("answer", "says"),
    [
        ({"do": "answer", "question": "Q", "choice": 99}, "there are 2"),
        ({"do": "answer", "question": "Q", "choice": "<script>"}, "not understood"),
        ({"do": "answer", "question": "Q", "choice": None}, "not understood"),
        ({"do": "answer"}, "not understood"),
    ],
)
def test_what_students_say_is_a_choice_and_no_text(
    client: TestClient, rooms: Rooms, answer: dict[str, Any], says: str
) -> None:
    letters, key = rooms.open()
    outcome = Outcome(facts=(), options=("yes", "no"), right=frozenset({0}))
    question = question_of_outcome("Is it?", "choice", outcome, says="It is.")
    with come_in(client, letters, role="student") as socket:
        rooms.ask(letters, key, question)
        if "question" in answer:
            answer = answer | {"question": question.id}
        socket.send_json(answer)
        assert says in until(socket, lambda said: said["type"] == "refused")["says"]
        socket.send_text("x" * 5000)
    assert rooms.room(letters).tally == (0, 0)


def test_teacher_and_students_may_be_on_different_processes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    here, there = Rooms(tmp_path / "shared.sqlite"), Rooms(tmp_path / "shared.sqlite")
    letters, key = here.open()
    hub = Hub(there)
    monkeypatch.setattr(routes, "rooms", lambda: there)
    monkeypatch.setattr(routes, "hub", lambda: hub)
    with (
        TestClient(Starlette(routes=routes.room_routes())) as client,
        come_in(client, letters, role="student") as socket,
    ):
        until(socket, is_room)
        here.show(letters, key, page="positions", choices=to_address(Selection()))
        view = until(socket, lambda said: "view" in said and said["view"]["title"])["view"]
        assert view["viewer"] is None
        assert view["link"].startswith("/positions?text=The+animal")


def test_the_numbers_are_those_of_the_sentence_that_is_shown_and_of_no_other(client: TestClient, rooms: Rooms) -> None:
    letters, key = rooms.open()
    rooms.show(letters, key, page="home", choices=to_address(Selection(text="A cat sat.")))
    with come_in(client, letters, role="student") as socket:
        base = until(socket, is_room)["view"]["viewer"]["base"]
    about = client.get(f"{base}/about").json()
    assert about["kinds"][0]["queries"]["texts"] == ["[CLS]", "a", "cat", "sat", ".", "[SEP]"]
    assert client.get(f"{base}/head?kind=encoder&layer=1&head=2").status_code == 200
    rooms.show(letters, key, page="home", choices=to_address(Selection(text="Another one.")))
    assert client.get(f"{base}/about").status_code == 404
    assert client.get(f"{PLACE}/rooms/ZZZZ/recordings/x/about").status_code == 404


def test_who_looks_around_alone_gets_a_page_that_reads_by_itself(client: TestClient, rooms: Rooms) -> None:
    letters, key = rooms.open()
    hostile = "A </script><b>cat</b> sat."
    rooms.show(letters, key, page="attention", choices=to_address(Selection(text=hostile, layer=1, head=2)))
    with come_in(client, letters, role="student") as socket:
        base = until(socket, is_room)["view"]["viewer"]["base"]
    page = client.get(f"{base}/alone?lang=ko")
    assert '<html lang="ko">' in page.text
    assert "<b>cat" not in page.text
    assert page.headers["content-security-policy"] == "frame-ancestors 'self'"
    told = json.loads(re.search(r'<script type="application/json".*?>(.*?)</script>', page.text, re.DOTALL)[1])
    assert (told["text"], told["choices"]["layer"], told["numbers"]) == (hostile, 1, base)
    weights = TestClient(Starlette(routes=viewer_routes())).get(told["address"])
    assert len(weights.content) == told["size"]
    for others in (
        Selection(text="One.", text_b="Two."),
        Selection(text="A cat sat. " * 50),
        Selection(model="tagger"),
    ):
        rooms.show(letters, key, page="attention", choices=to_address(others))
        answer = client.get(f"{base}/alone", follow_redirects=False)
        assert answer.status_code == 307
        assert answer.headers["location"].startswith("/attention?")
    assert client.get(f"{PLACE}/rooms/ZZZZ/recordings/x/alone").status_code == 404
    letters, _ = rooms.open()
    assert client.get(f"{PLACE}/rooms/{letters}/recordings/x/alone", follow_redirects=False).status_code == 307


def test_the_page_of_a_room_holds_nothing_that_was_typed_and_may_load_nothing_from_elsewhere(
    client: TestClient, rooms: Rooms
) -> None:
    letters, _ = rooms.open()
    known = client.get(f"{PLACE}/room/{letters.lower()}")
    assert f'"letters": "{letters}", "open": true' in known.text
    assert "default-src 'none'" in known.headers["content-security-policy"]
    for wrong in ("<script>alert(1)</script>", "ZZZZ", "가나다라", "%22%3E%3Cb%3E"):
        page = client.get(f"{PLACE}/room/{wrong}")
        assert '"open": false' in page.text or page.status_code == 404
        assert "alert(1)" not in page.text
        assert "<b>" not in page.text


def test_the_code_holds_the_address_as_other_computers_reach_it(client: TestClient, rooms: Rooms) -> None:
    letters, _ = rooms.open()
    drawn = client.get(
        f"{PLACE}/room/{letters}/code.svg", headers={"host": "school.example", "x-forwarded-proto": "https"}
    )
    assert ET.fromstring(drawn.content).tag == "{http://www.w3.org/2000/svg}svg"
    made = segno.make(f"https://school.example{PLACE}/room/{letters}", error="m")
    assert made.svg_inline(scale=8, border=2).split('d="')[1] in drawn.text.replace("\n", "")


@pytest.mark.parametrize(
    ("headers", "scheme", "expected"),
    [
        ({"Host": "192.168.1.7:8501"}, "http", "http://192.168.1.7:8501"),
        ({"Host": "[2001:db8::7]:8501"}, "http", "http://[2001:db8::7]:8501"),
        ({"Host": "hall.example:8501"}, "https", "https://hall.example:8501"),
        ({"Host": "hall.example", "X-Forwarded-Proto": "HTTPS, http"}, "http", "https://hall.example"),
        ({"Host": "inside:9001", "X-Forwarded-Host": "hall.example:88, inside"}, "http", "http://hall.example:88"),
        *(
            ({"Host": f"{own}:8501"}, "http", f"http://{own_address() or own}:8501")
            for own in ("localhost", "localhost.", "app.localhost", "127.0.1.1", "[::1]")
        ),
        ({"Host": "LOCALHOST"}, "http", f"http://{own_address() or 'localhost'}"),
    ],
)
def test_an_address_is_the_one_that_was_asked_for_as_others_reach_it(
    headers: dict[str, str], scheme: str, expected: str
) -> None:
    assert origin_of(headers, scheme) == expected


def test_every_student_has_a_name_of_their_own() -> None:
    assert len({name_of(place) for place in range(MOST_PEOPLE)}) == MOST_PEOPLE


def test_what_is_right_of_a_number_of_a_lesson_is_the_number_that_its_claim_says() -> None:
    asked = [
        (lesson, step, model)
        for lesson in own_lessons().values()
        for step in lesson.lesson.steps
        for model in lesson.lesson.models[:1]
        if KINDS[step.ask.what].tap == "number"
    ]
    assert len(asked) >= 7
    for _, step, model in asked:
        outcome = answer_ask(load(step.ask.model or model), step.ask)
        question = question_of_outcome("?", "number", outcome, says="")
        (right,) = question.right
        assert verdict(None, outcome).values["answer"] == question.options[right]
        assert question.kind == "choice"


def test_everybody_hears_the_same_question_in_their_own_language(client: TestClient, rooms: Rooms) -> None:
    letters, hello = teacher_of(rooms)
    rooms.show(letters, hello["key"], page="home", choices=to_address(Selection(layer=2, head=1)))
    with ExitStack() as stack:
        korean = stack.enter_context(come_in(client, letters, role="student", language="ko"))
        another_browser(client)
        other = stack.enter_context(come_in(client, letters, role="student", language="xx"))
        teacher = stack.enter_context(come_in(client, letters, **hello))
        names = {each.receive_json()["name"] for each in (korean, other)}
        assert names in ({"파란색 수달", "orange heron"}, {"주황색 왜가리", "blue otter"}), "whoever comes first"
        teacher.send_json({"do": "ask", "about": "row", "position": 10})
        asked = [until(each, lambda said: said.get("question"))["question"] for each in (korean, other)]
        assert [each["text"] for each in asked] == [
            "“it” 토큰이 가장 많이 보는 토큰은 무엇일까요?",
            "Which token does “it” look at most?",
        ]
        assert asked[0]["options"] == asked[1]["options"], "tokens are what they are"
        teacher.send_json({"do": "reveal"})
        shown = [
            until(each, lambda said: said.get("question") and said["question"]["revealed"]) for each in (korean, other)
        ]
        assert shown[0]["question"]["says"].startswith("레이어 2 · 헤드 1: “it” 토큰은")
        assert shown[1]["question"]["says"].startswith("Layer 2 · Head 1: “it” gives")
        korean.send_json({"do": "nothing"})
        assert until(korean, lambda said: said["type"] == "refused")["says"] == "요청을 이해하지 못했습니다."


def test_the_question_of_a_lesson_is_in_the_language_of_each_student(client: TestClient, rooms: Rooms) -> None:
    letters, key = rooms.open()
    lesson = own_lessons()["masks"]
    outcome = answer_ask(load("headlight-bert"), lesson.lesson.steps[0].ask)
    wordings = in_all_languages(lambda: for_class(lesson, 0, facts_of({"": outcome})))
    text, says = wordings["en"]
    rooms.ask(letters, key, question_of_outcome(text, "choice", outcome, says=says, wordings=wordings))
    rooms.reveal(letters, key)
    with (
        come_in(client, letters, role="student", language="ko") as korean,
        come_in(client, letters, role="student", language="en") as english,
    ):
        told = [until(each, lambda said: said.get("question"))["question"] for each in (korean, english)]
    assert [each["text"] for each in told] == [
        "이 모델에서 “cat” 토큰은 “mat” 토큰을 볼 수 있을까요? “The cat sat on the mat.”",
        "May “cat” look at “mat” in this model? “The cat sat on the mat.”",
    ]
    assert [each["options"] for each in told] == [["예", "아니요"], ["yes", "no"]]
    assert told[0]["says"].startswith("예. 모든 토큰은")
    assert told[1]["says"].startswith("Yes. Every token may")


def test_a_claim_that_does_not_hold_is_not_told_to_the_class() -> None:
    named = own_lessons()["masks"]
    outcome = answer_ask(load("headlight-bert"), named.lesson.steps[0].ask)
    wrong = Condition(left="answer", relation="is", right="no", line=1)
    steps = tuple(replace(step, holds=(wrong,)) for step in named.lesson.steps)
    _, says = for_class(
        replace(named, name="given", lesson=replace(named.lesson, steps=steps)), 0, facts_of({"": outcome})
    )
    assert says.startswith("Whether “cat” may look at “mat”: yes. The largest weight")


def test_the_page_and_what_is_known_of_heads_are_in_the_language_of_the_browser(
    client: TestClient, rooms: Rooms
) -> None:
    letters, key = rooms.open()
    rooms.show(letters, key, page="home", choices=to_address(Selection()))
    place = f"{PLACE}/room/{letters}"
    korean = client.get(place, headers={"accept-language": "ko-KR,ko;q=0.9,en;q=0.8"})
    assert '<html lang="ko">' in korean.text
    assert f"<title>교실 {letters} · Headlight</title>" in korean.text
    assert client.get(f"{place}?lang=ko").text == korean.text
    english = client.get(f"{place}?lang=en", headers={"accept-language": "ko"})
    assert '<html lang="en">' in english.text
    modules = [re.search(r'src="/headlight/frontend/[^/]+/(\w+)/room.js"', page.text)[1] for page in (english, korean)]
    assert modules == ["en", "ko"]
    with come_in(client, letters, role="student") as socket:
        base = until(socket, is_room)["view"]["viewer"]["base"]
    roles = [client.get(f"{base}/about{asked}").json()["roles"] for asked in ("?lang=ko", "", "?lang=xx")]
    assert roles[1] == roles[2]
    assert [role["name"] for role in roles[0]] == [role["name"] for role in roles[1]]
    without_examples = [re.sub("“[^”]*”", "", role["said"]) for role in roles[0]]
    assert all(not re.search("[A-Za-z]{3}.*[^)]$", said) for said in without_examples)
    assert all(re.search("[가-힣]", role["said"] + role["numbers"]) for role in roles[0])
