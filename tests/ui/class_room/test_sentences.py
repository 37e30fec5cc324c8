"""A question that is answered by a sentence: only the teacher reads what is typed, until one is shown to all."""

from __future__ import annotations

from starlette.testclient import TestClient

from tests.ui.class_room.test_routes import another_browser, come_in, is_room, teacher_of, until
from ui.class_room.asking import asked_sentence, own_question
from ui.shared.room_quiz import add_to_quiz
from ui.shared.rooms import Rooms


def test_sentences_are_read_by_the_teacher_alone_until_one_is_shown(client: TestClient, rooms: Rooms) -> None:
    letters, hello = teacher_of(rooms)
    with come_in(client, letters, role="student") as student:
        name = student.receive_json()["name"]
        another_browser(client)
        with (
            come_in(client, letters, role="student") as other,
            come_in(client, letters, role="projector") as wall,
            come_in(client, letters, **hello) as teacher,
        ):
            question = asked_sentence("Why?", seconds=0)
            rooms.ask(letters, hello["key"], question)
            sentence = "It <b>looks</b> back."
            student.send_json({"do": "write", "question": question.id, "text": sentence})
            assert until(student, lambda said: said["type"] == "answered")["text"] == sentence
            told = until(teacher, lambda said: said.get("question") and said["question"]["answers"])["question"]
            assert told["sentences"] == [{"place": 0, "name": name, "text": sentence}]
            for socket in (other, wall):
                heard = until(socket, lambda said: said.get("question") and said["question"]["answers"])
                assert sentence not in str(heard)
            teacher.send_json({"do": "pick", "place": 0})
            for socket in (other, wall):
                shown = until(socket, lambda said: is_room(said) and said["question"]["picked"])["question"]
                assert shown["picked"] == sentence
                assert name not in str(shown)
            teacher.send_json({"do": "close"})
            until(student, lambda said: is_room(said) and said["question"]["closed"])
            student.send_json({"do": "write", "question": question.id, "text": "Too late"})
            assert until(student, lambda said: said["type"] == "answered")["text"] == sentence


def test_a_quiz_is_asked_from_the_bar_and_says_who_was_right_to_each(client: TestClient, rooms: Rooms) -> None:
    letters, hello = teacher_of(rooms)
    for text in ("One?", "Two?"):
        question = own_question(text, ["a", "b"], 1, seconds=0)
        add_to_quiz(rooms, letters, hello["key"], question, seconds=0)
    with come_in(client, letters, role="student") as student, come_in(client, letters, **hello) as teacher:
        assert until(teacher, is_room)["quiz"] == [1, 2]
        for number in (1, 2):
            teacher.send_json({"do": "next"})
            asked = until(student, lambda said, n=number: said.get("question") and said["question"]["quiz"] == [n, 2])
            student.send_json({"do": "answer", "question": asked["question"]["id"], "choice": 2 - number})
            until(student, lambda said: said["type"] == "answered")
            teacher.send_json({"do": "reveal"})
            told = until(student, lambda said: is_room(said) and "score" in said)
            assert told["score"] == 1, "the first was right, the second was not"
