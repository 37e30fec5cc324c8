"""The state of a room of a class."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from typing import Any

from models.values.errors import HeadlightError
from models.values.wording import Message

KEPT = ("letters", "view", "locked", "question")
IN_WORDS = ("text", "says")
Wordings = Mapping[str, tuple[str, str]]
"""The question and the model's answer in words, by language."""


class RoomError(HeadlightError, ValueError):
    """A room is not there, or what is wanted of it is not possible, or not allowed."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SharedView:
    """The teacher's view: a page by the name of its file, and its choices as an address has them. `number` counts the
    views of the room."""

    page: str = ""
    choices: Mapping[str, str]
    number: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class RoomQuestion:
    """A question to the class. `kind` says what is tapped: "token", "head", "choice", or "hands": hands are raised.

    The model's answer are the options that are `right`, the `values`, a number for each option (or none), and what it
    `says` in words; students are told when it is `revealed`. `ends` is in seconds of the clock, 0 for no end. `text`,
    `says` and the options are kept as Messages, if they are some: everybody reads them in their own language.
    `wordings` are `text` and `says` in the languages that a lesson is written in; the others read those.
    """

    id: str
    kind: str
    text: str
    options: tuple[str, ...]
    right: tuple[int, ...] = ()
    values: tuple[float, ...] = ()
    says: str = ""
    wordings: Wordings = field(default_factory=dict)
    ends: float = 0.0
    revealed: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Room:
    """The state of a room. If `locked`, students cannot look around alone; `tally` counts the answers by option."""

    letters: str
    view: SharedView
    locked: bool = False
    question: RoomQuestion | None = None
    n_people: int = 0
    n_hands: int = 0
    tally: tuple[int, ...] = ()

    @property
    def n_answers(self) -> int:
        """The number of students who have answered."""
        return sum(self.tally)


@dataclass(frozen=True, slots=True, kw_only=True)
class Student:
    """A student of a room: the number that their colour and animal follow from, whether the hand is up, and what was
    answered to the question that is asked (None for nothing)."""

    person: str
    place: int
    hand: bool = False
    answer: int | None = None


def written(room: Room) -> str:
    """Serialise the stored part of a room as JSON: neither its students nor their answers."""
    kept = {name: value for name, value in asdict(room).items() if name in KEPT}
    if room.question:
        kept["question"] |= {name: _told(getattr(room.question, name)) for name in IN_WORDS}
        kept["question"]["options"] = [_told(option) for option in room.question.options]
    return json.dumps(kept)


def read(kept: str) -> Room:
    """Return the room of what `written` gave."""
    found = json.loads(kept)
    return Room(
        letters=found["letters"],
        view=SharedView(**found["view"]),
        locked=found["locked"],
        question=found["question"] and _question(found["question"]),
    )


def _question(kept: dict[str, Any]) -> RoomQuestion:
    lists = {name: tuple(_heard(each) for each in kept[name]) for name in ("options", "right", "values")}
    words = {name: _heard(kept[name]) for name in IN_WORDS}
    wordings = {name: (text, says) for name, (text, says) in kept.get("wordings", {}).items()}
    return RoomQuestion(**kept | lists | words | {"wordings": wordings})


def _told(value: object) -> object:
    """Return a Message as JSON types; anything else as it is."""
    if not isinstance(value, Message):
        return value
    values = {name: _told(each) for name, each in value.values.items()}
    return {"template": value.template, "plural": value.plural, "values": values}


def _heard(kept: Any) -> Any:
    """Parse the output of `_told`."""
    if not isinstance(kept, dict):
        return kept
    return Message(kept["template"], kept["plural"], {name: _heard(each) for name, each in kept["values"].items()})
