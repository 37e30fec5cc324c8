"""Messages to the browsers in a room, in the current language: JSON types only."""

from __future__ import annotations

import hashlib
import json
import time
from pathlib import PurePath
from typing import Any, Literal
from urllib.parse import urlencode

from ui.shared.links import links
from ui.shared.room_quiz import next_place
from ui.shared.room_values import Room, RoomQuestion, SharedView, Student
from ui.shared.student_names import name_of, student_name
from ui.state.addresses import read_address, shorten_address
from ui.state.choices import DEFAULTS
from ui.state.navigation import ATTENTION, HOME, PAGES, PageEntry
from ui.state.routes import address, app_address
from ui.widgets.viewer import PLAIN
from viz.kit.language import language, said, shown
from viz.viewer.choices import SHARED

Role = Literal["student", "teacher", "projector"]
BY_NAME: dict[str, PageEntry] = {PurePath(page.path).stem: page for page in PAGES}
OF_THE_TEXT = ("model", "device", "text", "text_b")
"""The choices that determine a recording."""


def of_room(room: Room, role: Role, *, with_view: bool, tab: str = "", person: str = "") -> dict[str, Any]:
    """Return the state of a room for a role; the view only `with_view`, because texts may be long. `tab` is the one of
    a teacher that is told, `person` the student."""
    message: dict[str, Any] = {
        "type": "room",
        "letters": room.letters,
        "sight": room.sight,
        "locked": room.locked,
        "paused": room.paused,
        "people": room.n_people,
        "hands": room.n_hands,
        "question": room.question and of_question(room.question, room, role),
        "now": time.time(),
    }
    if role == "teacher":
        waited_for = [student_name(place) for place in room.waited_for]
        message |= {"teaches": room.tab == tab, "shut": room.shut, "late": room.n_late, "waited_for": waited_for}
        message["quiz"] = (next_place(room) + 1, room.n_quiz)
    if role == "student" and person in room.scores:
        message["score"] = room.scores[person]
    return message | ({"view": of_view(room)} if with_view else {})


def of_question(question: RoomQuestion, room: Room, role: Role) -> dict[str, Any]:
    """Return a question, and the answers of the class once it is closed, or while they are shown live; the model's
    answer only for the teacher, or once it is revealed."""
    text, says = question.wordings.get(language(), (question.text, question.says))
    options = tuple(shown(option) for option in question.options)
    message = {
        "id": question.id,
        "kind": question.kind,
        "text": said(text),
        "options": options,
        "ends": question.ends,
        "tally": room.tally if question.live or question.is_closed() else None,
        "answers": room.n_answers,
        "live": question.live,
        "closed": question.is_closed(),
        "revealed": question.revealed,
        "secret": question.is_secret,
        "veiled": question.veils(room.view.number),
        "quiz": question.quiz,
        "picked": question.picked,
    }
    if role == "teacher" and question.kind == "sentence":
        message["sentences"] = [
            {"place": place, "name": student_name(place), "text": sentence} for place, sentence in room.sentences
        ]
    if not (question.revealed or role == "teacher"):
        return message
    of_model = {"right": question.right, "values": question.values, "says": said(says), "row": question.row}
    return message | of_model


def of_view(room: Room) -> dict[str, Any]:
    """Return the teacher's view: as data for the viewer if the page is drawn by it alone, and as a link to the app."""
    view = room.view
    page = BY_NAME.get(view.page)
    if page is None:
        return {"number": view.number, "title": "", "link": "", "viewer": None}
    return {
        "number": view.number,
        "title": said(page.title),
        "link": link_of(view),
        "viewer": _for_viewer(room) if is_drawn_here(view) else None,
    }


def link_of(view: SharedView) -> str:
    """Return the path and the query of the page of the app that shows a view; "" before there is one."""
    page = BY_NAME.get(view.page)
    query = urlencode(shorten_address(view.choices, links().keep))
    return f"{app_address()}{'' if page is HOME else view.page}?{query}" if page else ""


def viewer_choices(view: SharedView) -> dict[str, Any]:
    """Return the choices with which students' browsers draw a view."""
    choices = chosen(view)
    picked = {name: choices[name] for name in SHARED} | {"locked": choices["locked"] or ()}
    if BY_NAME[view.page] is HOME:
        picked |= {"shows": "picture", **PLAIN["picture"]}
    return picked


def is_drawn_here(view: SharedView) -> bool:
    """Return whether a view is a picture of the viewer, which students' browsers draw from the numbers alone."""
    page = BY_NAME.get(view.page)
    return page is HOME or (page is ATTENTION and chosen(view)["view"] == "explore")


def chosen(view: SharedView) -> dict[str, Any]:
    """Return all choices of a view."""
    return DEFAULTS | read_address(view.choices)


def recording_name(view: SharedView) -> str:
    """Return the identifier of the recording of a view, a digest of the model and the texts."""
    asked = [chosen(view)[name] for name in OF_THE_TEXT]
    return hashlib.sha256(json.dumps(asked).encode()).hexdigest()[:24]


def numbers_address(letters: str, view: SharedView) -> str:
    """Return the address of the numbers of a view."""
    return address(f"rooms/{letters}/recordings/{recording_name(view)}")


def of_student(student: Student) -> dict[str, Any]:
    """Return the message to a student about their name and answer."""
    return {
        "type": "you",
        "name": student_name(student.place),
        "colour": name_of(student.place)[1],
        "hand": student.hand,
        "answer": student.answer,
        "sentence": student.sentence,
    }


def _for_viewer(room: Room) -> dict[str, Any]:
    choices, recording = chosen(room.view), recording_name(room.view)
    return {
        "id": recording,
        "base": numbers_address(room.letters, room.view),
        "choices": viewer_choices(room.view),
        "text": choices["text"],
        "text_b": choices["text_b"],
        "model": choices["model"],
    }
