"""The lessons of the app, files in the folder `lessons/`, and those that a reader has brought by a file or a link.

A lesson of the app in another language is a file of the same name in a folder of `lessons/`: `lessons/ko/`.
"""

from __future__ import annotations

import base64
import binascii
import re
import zlib
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from lessons import Known, Lesson, LessonStep, read_lesson
from lessons.yaml_lines import MOST_BYTES
from models.opening.registry import REGISTRY
from models.values.errors import LessonError
from models.values.wording import to_say, worded
from ui.lessons.views import read_view
from ui.state.choices import GIVEN_LESSON, LONGEST_LESSON_LINK
from ui.state.navigation import ROOT
from viz.kit.language import language

FOLDER = ROOT / "lessons"
FIRST_LESSON = Path("template") / "first-lesson.yaml"
"""The template for authors of a lesson."""
_NUMBERED = re.compile(r"[0-9]+-(.+)")
"""The number before the name of a file says in which order the lessons stand."""
DAMAGED = to_say("this link does not hold a whole lesson. Ask for it again, or for the file.")


@dataclass(frozen=True, slots=True, kw_only=True)
class NamedLesson:
    """A lesson with its name in the address and its text."""

    name: str
    text: str
    lesson: Lesson

    @property
    def key(self) -> tuple[str, str]:
        """The identifier of the lesson, independent of the language; that of a given one contains its text."""
        return self.name, self.text if self.name == GIVEN_LESSON else ""


def embedded_models() -> tuple[str, ...]:
    """Return the models that are part of the app: a lesson may speak of them."""
    return tuple(name for name, entry in REGISTRY.items() if entry.is_embedded)


def _check_model(name: str) -> None:
    if name not in embedded_models():
        raise ValueError(
            worded(
                "{given} is no model of this app, expected one of {models}.",
                given=repr(name),
                models=", ".join(embedded_models()),
            )
        )


KNOWN = Known(model=_check_model, view=read_view)
"""The app's checks of the models and views that a lesson names."""


def own_lessons() -> dict[str, NamedLesson]:
    """Return the lessons of the app, in their order, by name, in the language that is spoken. Raises LessonError for
    one that cannot be read."""
    return _lessons_in(language())


@cache
def _lessons_in(spoken: str) -> dict[str, NamedLesson]:
    found = {}
    for file in sorted(FOLDER.glob("*.yaml")):
        numbered = _NUMBERED.fullmatch(file.stem)
        name = numbered[1] if numbered else file.stem
        text = _in_language(spoken, Path(file.name)).read_text(encoding="utf-8")
        found[name] = NamedLesson(name=name, text=text, lesson=lesson_of(text))
    return found


def _in_language(spoken: str, name: Path) -> Path:
    """Return a file of the folder in a language; the English one where there is none."""
    translated = FOLDER / spoken / name
    return translated if translated.exists() else FOLDER / name


def first_lesson() -> str:
    """Return a lesson of one step that says what each line is for, in the language that is spoken."""
    return _in_language(language(), FIRST_LESSON).read_text(encoding="utf-8")


def retold(found: NamedLesson, at: int) -> LessonStep:
    """Return a step of a lesson in the language that is spoken now; of a given lesson as its author has written it."""
    return own_lessons().get(found.name, found).lesson.steps[at]


def lesson_of(text: str) -> Lesson:
    """Return a lesson from its YAML. Raises LessonError with every mistake and its line."""
    return read_lesson(text, KNOWN)


def named_lesson(name: str, packed: str) -> NamedLesson | None:
    """Return a lesson of the app, or the one that is packed in the address; None for a name that there is not."""
    if name != GIVEN_LESSON:
        return own_lessons().get(name)
    text = unpacked(packed)
    return NamedLesson(name=name, text=text, lesson=lesson_of(text))


def packed(text: str) -> str:
    """Return a lesson as an address carries it. It may be longer than `LONGEST_LESSON_LINK`."""
    return base64.urlsafe_b64encode(zlib.compress(text.encode(), 9)).decode().rstrip("=")


def fits_a_link(text: str) -> bool:
    """Return whether a lesson is short enough for a link."""
    return len(packed(text)) <= LONGEST_LESSON_LINK


def unpacked(address: str) -> str:
    """Return the text of `packed`, never longer than a lesson may be. Raises LessonError if it is not whole."""
    try:
        made = zlib.decompressobj()
        text = made.decompress(base64.urlsafe_b64decode(address + "=" * (-len(address) % 4)), MOST_BYTES + 1)
        if made.eof and len(text) <= MOST_BYTES:
            return text.decode()
    except (binascii.Error, zlib.error, ValueError):
        pass
    raise LessonError((1, DAMAGED))
