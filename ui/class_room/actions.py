"""The actions of students and teachers in a room."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from models.values.wording import worded
from ui.class_room.asking import about_a_token, show_of_hands
from ui.class_room.hub import Visitor
from ui.class_room.messages import Role
from ui.shared.room_quiz import ask_next
from ui.shared.room_values import RoomError
from ui.shared.rooms import MOST_SECONDS, Rooms

LONGEST_KEY = 100
"""The most characters of the key of a picture."""
Reply = dict[str, Any] | None
"""A message to the browser that acted, if it is told anything at once."""


def act(rooms: Rooms, visitor: Visitor, message: dict[str, Any]) -> Reply:
    """Perform the action of a message. Raises KeyError for one that the role does not have, and RoomError for a tab
    that does not teach."""
    action = ACTIONS[visitor.role][message.get("do")]
    if visitor.role == "teacher" and not rooms.teaches(visitor.letters, visitor.tab):
        raise RoomError(worded("Another tab teaches this room."))
    return action(rooms, visitor, message)


def _answer(rooms: Rooms, visitor: Visitor, message: dict[str, Any]) -> Reply:
    """Answer a question, and tell the browser which answer counts: none if it came too late."""
    question = str(message["question"])
    rooms.answer(visitor.letters, visitor.person, question, int(message["choice"]))
    counts = rooms.answer_of(visitor.letters, visitor.person, question)
    return {"type": "answered", "question": question, "choice": counts}


def _write(rooms: Rooms, visitor: Visitor, message: dict[str, Any]) -> Reply:
    """Answer a question by a sentence, and tell the browser which one counts: none if it came too late."""
    question = str(message["question"])
    rooms.write(visitor.letters, visitor.person, question, str(message["text"]))
    return {
        "type": "answered",
        "question": question,
        "text": rooms.sentence_of(visitor.letters, visitor.person, question),
    }


def _hand(rooms: Rooms, visitor: Visitor, message: dict[str, Any]) -> None:
    rooms.raise_hand(visitor.letters, visitor.person, message["up"] is True)


def _lock(rooms: Rooms, visitor: Visitor, message: dict[str, Any]) -> None:
    rooms.lock(visitor.letters, visitor.key, message["locked"] is True)


def _ask(rooms: Rooms, visitor: Visitor, message: dict[str, Any]) -> None:
    """Ask the class about the head on show."""
    view, seconds = rooms.room(visitor.letters).view, min(max(float(message.get("seconds", 0)), 0), MOST_SECONDS)
    question = about_a_token(view, int(message["position"]), looks_at=message["about"] == "row", seconds=seconds)
    rooms.ask(visitor.letters, visitor.key, question)


def _show_of_hands(rooms: Rooms, visitor: Visitor, _message: dict[str, Any]) -> None:
    rooms.ask(visitor.letters, visitor.key, show_of_hands())


def _look(rooms: Rooms, visitor: Visitor, message: dict[str, Any]) -> None:
    """Bring a picture of the page into sight on all screens, by the key that Streamlit gives its element."""
    rooms.look_at(visitor.letters, visitor.key, str(message["key"])[:LONGEST_KEY])


def _pause(rooms: Rooms, visitor: Visitor, message: dict[str, Any]) -> None:
    rooms.pause(visitor.letters, visitor.key, message["paused"] is True)


def _shut(rooms: Rooms, visitor: Visitor, message: dict[str, Any]) -> None:
    rooms.shut(visitor.letters, visitor.key, message["shut"] is True)


def _show_votes(rooms: Rooms, visitor: Visitor, message: dict[str, Any]) -> None:
    rooms.show_votes(visitor.letters, visitor.key, message["live"] is True)


def _pick(rooms: Rooms, visitor: Visitor, message: dict[str, Any]) -> None:
    place = message["place"]
    rooms.pick_sentence(visitor.letters, visitor.key, None if place is None else int(place))


def _next(rooms: Rooms, visitor: Visitor, _message: dict[str, Any]) -> None:
    ask_next(rooms, visitor.letters, visitor.key)


def _close_question(rooms: Rooms, visitor: Visitor, _message: dict[str, Any]) -> None:
    rooms.close_question(visitor.letters, visitor.key)


def _reveal(rooms: Rooms, visitor: Visitor, _message: dict[str, Any]) -> None:
    rooms.reveal(visitor.letters, visitor.key)


def _end(rooms: Rooms, visitor: Visitor, _message: dict[str, Any]) -> None:
    rooms.end_question(visitor.letters, visitor.key)


ACTIONS: dict[Role, dict[Any, Callable[[Rooms, Visitor, dict[str, Any]], Reply]]] = {
    "student": {"answer": _answer, "write": _write, "hand": _hand},
    "teacher": {
        "lock": _lock,
        "pause": _pause,
        "sight": _look,
        "shut": _shut,
        "ask": _ask,
        "hands": _show_of_hands,
        "votes": _show_votes,
        "pick": _pick,
        "next": _next,
        "close": _close_question,
        "reveal": _reveal,
        "end": _end,
    },
    "projector": {},
}
"""The actions of each role. The room checks the key of a teacher once more."""
