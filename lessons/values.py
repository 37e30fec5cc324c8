"""The values of a lesson: steps that ask a question, which a model answers when the lesson is read.

Nothing in a lesson is code: a question names one of the kinds of answer in `lessons.kinds`, a claim compares
numbers that these have computed.
"""

from __future__ import annotations

from collections.abc import Container, Mapping
from dataclasses import dataclass, field
from typing import Literal

from models.values.wording import Message, worded

Relation = Literal["is at least", "is at most", "is more than", "is less than", "is not", "is"]
"""The relations of a claim; the longer ones first, so that "is" is not found in "is not"."""
TapOn = Literal["token", "head", "number", "choice", "nothing"]
"""The kinds of prediction that a reader makes: a token, a head, a number on a line, one of several choices, or none."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Ask:
    """A question to a model: a kind of answer, and what is `given` to it. `model` is empty for that of the lesson."""

    what: str
    given: tuple[tuple[str, str | tuple[str, ...]], ...]
    model: str = ""
    line: int = field(default=0, compare=False)

    def text(self, name: str) -> str:
        """Return a text that was given; empty if it was not."""
        value = dict(self.given).get(name, "")
        return value if isinstance(value, str) else ", ".join(value)

    def words(self, name: str) -> tuple[str, ...]:
        """Return the items of a list that was given; none if it was not."""
        value = dict(self.given).get(name, ())
        return (value,) if isinstance(value, str) else value

    def about(self, given: Mapping[str, str | tuple[str, ...]], *, without: Container[str] = ()) -> Ask:
        """Return this question with other parameters, and without some of its own."""
        kept = {name: value for name, value in self.given if name not in without}
        return Ask(what=self.what, given=tuple((kept | dict(given)).items()), model=self.model, line=self.line)


@dataclass(frozen=True, slots=True, kw_only=True)
class Condition:
    """One comparison of a claim: the name of a fact, and a number, a word or the name of another fact."""

    left: str
    relation: Relation
    right: str
    line: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class LessonStep:
    """One step: words, a question with a prediction, the view that shows its answer, and a claim that holds.

    `text`, `question` and `claim` are templates: a name in braces is a fact that the questions have computed.
    """

    title: str
    text: str
    question: str
    ask: Ask
    claim: str
    holds: tuple[Condition, ...]
    also: tuple[tuple[str, Ask], ...] = ()
    """Other questions, by the names that their facts have in the claim."""
    view: str = ""
    """A link of the app: the name of a page, and choices."""
    picture: str = ""
    """A picture of the author's own, as `lessons.picture_files` reads it."""
    first: Literal["question", "view"] = "question"
    """Whether the question is asked before the view is seen, or while it is shown."""
    own: bool = True
    """Whether the same question may be asked about the reader's own sentence."""
    line: int = 0

    @property
    def asks(self) -> dict[str, Ask]:
        """All questions by name; the one that is predicted has none."""
        return {"": self.ask, **dict(self.also)}


@dataclass(frozen=True, slots=True, kw_only=True)
class Lesson:
    """A lesson: `models` are those for which its claims hold, the first one reads it where nothing else is chosen."""

    title: str
    about: str
    minutes: int
    models: tuple[str, ...]
    steps: tuple[LessonStep, ...]
    then: str = ""
    """The lesson that follows: the name of one of the app, or a link that holds one."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Fact:
    """A computed number or word, and its written form: a Message, if it is to be translated."""

    value: float | str
    written: str


ENDS = (20.0, *(10.0**digits for digits in range(2, 20)))
ROOM = 1.1
"""The least room above a number, relative to it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome:
    """The answer to a question: which of the `options` are `right`, or which `number` between `low` and `high`.

    `facts` are what a claim can speak of. `layer`, `head` and `position` say where the answer can be seen, if anywhere.
    """

    facts: tuple[tuple[str, Fact], ...]
    options: tuple[str, ...] = ()
    right: frozenset[int] = frozenset()
    number: float = float("nan")
    low: float = 0.0
    high: float = 1.0
    kind: str = ""
    layer: int | None = None
    head: int | None = None
    position: int | None = None
    bars: tuple[tuple[str, Fact], ...] = ()
    """The bars of the picture where the step has no view, each a name with its number."""

    def fact(self, name: str) -> Fact:
        """Return a fact by its name. Raises KeyError."""
        return dict(self.facts)[name]


def end_of_line(counted: float) -> float:
    """Return the end of a line on which a number is guessed, which tells no more than how many digits it has."""
    return next(end for end in ENDS if end >= ROOM * counted)


def share(value: float) -> Fact:
    """Return a share or a probability, as a percentage with as many digits as say something."""
    percent = 100 * value
    if 0 < percent < 0.005:
        return Fact(value=float(value), written=worded("less than {share}", share="0.01%"))
    if 99.995 <= percent < 100:
        return Fact(value=float(value), written=worded("more than {share}", share="99.99%"))
    digits = 0 if 10 <= percent < 99.5 or percent in (0, 100) else 1 if 1 <= percent < 10 else 2
    return Fact(value=float(value), written=f"{percent:.{digits}f}%")


def count(value: float) -> Fact:
    """Return a count as a fact."""
    return Fact(value=float(value), written=f"{value:,.0f}")


def number(value: float, digits: int = 2) -> Fact:
    """Return a number as a fact, written with `digits` decimals."""
    return Fact(value=float(value), written=f"{value:,.{digits}f}".replace("-", "−"))


def word(text: str) -> Fact:
    """Return a token, a word, the name of a head."""
    return Fact(value=text, written=text)


def phrase(text: str) -> Fact:
    """Return a phrase of the app as a fact; it is translated where it is shown."""
    return Fact(value=text, written=text if isinstance(text, Message) else Message(text))
