"""The state of a room of a class, and its form in JSON."""

from __future__ import annotations

import json
import time
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from typing import Any

from models.values.errors import HeadlightError
from models.values.wording import Message

ASKED_ABOUT = ("text", "text_b", "model", "lesson", "lesson_step")
"""The choices of a view that a question about its sentence depends on."""
KEPT = ("letters", "view", "sight", "locked", "paused", "shut", "question")
IN_WORDS = ("text", "says")
LATE = 1.0
"""Seconds after the end of a question in which an answer still counts, because it was sent in time."""
Wordings = Mapping[str, tuple[str, str]]
"""The question and the model's answer in words, by language."""


class RoomError(HeadlightError, ValueError):
    """A room does not exist, or an action is impossible or not allowed."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SharedView:
    """The teacher's view: the name of a page's file, and its choices as in an address. `number` counts the views of the
    room."""

    page: str = ""
    choices: Mapping[str, str]
    number: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class RoomQuestion:
    """A question to the class. `kind` is what is tapped: "token", "head", "choice", or "hands" for a show of hands, or
    "sentence" for one that students type: only the teacher reads them, and `picked` is the one that everybody sees.

    The model's answer is the indices of the options that are `right`, the `values`, one for each option or none, and a
    sentence that it `says`; students see it once it is `revealed`. `ends` is a Unix time, 0 for no end. `text`, `says`
    and the options may be Messages, which everybody reads in their own language. `wordings` are `text` and `says` in
    the languages of a lesson; readers of other languages get the originals. `row` is the token that the question is
    about, where its row of the map is the answer. `about_view` is the number of a view that the question is about, and
    that shows no answer. Votes are seen once the question is closed, or while it is `live`. In a `quiz` it is one of
    some questions, as (number from 1, how many); outside of one that is empty.
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
    row: int | None = None
    about_view: int = -1
    live: bool = False
    quiz: tuple[int, ...] = ()
    picked: str = ""
    closed: bool = False
    revealed: bool = False

    def is_closed(self) -> bool:
        """Return whether no answer is taken any more."""
        return self.closed or self.revealed or 0 < self.ends < time.time() - LATE

    @property
    def is_of_sentence(self) -> bool:
        """Whether its options are those of the sentence on show, or of the step of a lesson."""
        return self.kind in ("token", "head") or bool(self.wordings)

    @property
    def is_secret(self) -> bool:
        """Whether there is an answer that is not shown yet."""
        return bool(self.right) and not self.revealed

    def veils(self, view: int) -> bool:
        """Return whether a view, by its number, is hidden because it would show the answer."""
        return self.is_secret and view != self.about_view


@dataclass(frozen=True, slots=True, kw_only=True)
class Room:
    """The state of a room. If `locked`, students follow the teacher's view; while `paused`, they keep the view of
    before; while `shut`, no new device comes in. `tally` counts the answers by option, `n_late` those of devices that
    came after the question; `waited_for` are the places of those who are here and have not answered, `tab` is the tab
    that teaches."""

    letters: str
    view: SharedView
    sight: str = ""
    """The key of the picture to which the teacher has scrolled; empty at the beginning of a page."""
    locked: bool = False
    paused: bool = False
    shut: bool = False
    question: RoomQuestion | None = None
    n_people: int = 0
    n_hands: int = 0
    n_quiz: int = 0
    quiz_place: int = 0
    """The number of questions that are prepared for a quiz, and of the one that was asked last; 0 for none."""
    tally: tuple[int, ...] = ()
    n_late: int = 0
    waited_for: tuple[int, ...] = ()
    tab: str = ""
    sentences: tuple[tuple[int, str], ...] = ()
    """Typed answers, as (place of the student, text), in order."""
    scores: Mapping[str, int] = field(default_factory=dict)
    """The number of right answers in the quiz by student, once the answer to its question is shown."""

    @property
    def n_answers(self) -> int:
        """The number of students who have answered."""
        return sum(self.tally) + len(self.sentences)


@dataclass(frozen=True, slots=True, kw_only=True)
class Student:
    """A student of a room: the number behind their name, whether the hand is up, and the answer to the current
    question, None for none, or the `sentence`."""

    person: str
    place: int
    hand: bool = False
    answer: int | None = None
    sentence: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class GivenAnswer:
    """A student's answer to a question, and the first one, if it was changed while the question was open."""

    place: int
    choice: int
    first: int


@dataclass(frozen=True, slots=True, kw_only=True)
class KeptQuestion:
    """A question that was asked in a room, with its answers."""

    question: RoomQuestion
    answers: tuple[GivenAnswer, ...]
    sentences: tuple[tuple[int, str], ...] = ()

    def right_at_first(self) -> float | None:
        """Return the share of right first answers; None where nothing is right, or nobody has answered."""
        if not self.question.right or not self.answers:
            return None
        return sum(answer.first in self.question.right for answer in self.answers) / len(self.answers)


def dump_room(room: Room) -> str:
    """Serialise a room as JSON, without its students and their answers."""
    state = {name: value for name, value in asdict(room).items() if name in KEPT}
    state["question"] = room.question and _question_state(room.question)
    return json.dumps(state)


def load_room(text: str) -> Room:
    """Parse the output of `dump_room`."""
    state = json.loads(text)
    return Room(
        letters=state["letters"],
        view=SharedView(**state["view"]),
        sight=state.get("sight", ""),
        locked=state["locked"],
        paused=state.get("paused", False),
        shut=state.get("shut", False),
        question=state["question"] and _question(state["question"]),
    )


def dump_question(question: RoomQuestion) -> str:
    """Serialise a question as JSON."""
    return json.dumps(_question_state(question))


def load_question(text: str) -> RoomQuestion:
    """Parse the output of `dump_question`."""
    return _question(json.loads(text))


def _question_state(question: RoomQuestion) -> dict[str, Any]:
    words = {name: _dump_words(getattr(question, name)) for name in IN_WORDS}
    return asdict(question) | words | {"options": [_dump_words(option) for option in question.options]}


def _question(state: dict[str, Any]) -> RoomQuestion:
    lists = {name: tuple(_load_words(item) for item in state[name]) for name in ("options", "right", "values")}
    lists["quiz"] = tuple(state.get("quiz", ()))
    words = {name: _load_words(state[name]) for name in IN_WORDS}
    wordings = {name: (text, says) for name, (text, says) in state.get("wordings", {}).items()}
    return RoomQuestion(**state | lists | words | {"wordings": wordings})


def _dump_words(value: object) -> object:
    """Return a Message as JSON types; anything else unchanged."""
    if not isinstance(value, Message):
        return value
    values = {name: _dump_words(part) for name, part in value.values.items()}
    return {"template": value.template, "plural": value.plural, "values": values}


def _load_words(value: Any) -> Any:
    """Parse the output of `_dump_words`."""
    if not isinstance(value, dict):
        return value
    return Message(
        value["template"], value["plural"], {name: _load_words(part) for name, part in value["values"].items()}
    )
