"""The lessons of the app, files in the folder `lessons/`, and those from a reader's file or link.

A language has a folder, `lessons/ko/`: a file of the same name there is read in place of the English one, a translation
or a lesson of its own with other sentences and models.
"""

from __future__ import annotations

import base64
import binascii
import re
import zlib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from urllib.parse import parse_qsl, urlsplit

from lessons import KINDS, Ask, Fact, Known, Lesson, LessonStep, fill_template, read_lesson, untrue
from lessons.yaml_lines import MOST_BYTES
from models.opening.registry import PRETRAINED, REGISTRY, is_embedded
from models.values.errors import LessonError
from models.values.wording import to_say, worded
from ui.lessons.views import read_view
from ui.state.choices import GIVEN_LESSON, LONGEST_LESSON_LINK
from ui.state.navigation import ROOT
from viz.kit.language import language, said, shown

FOLDER = ROOT / "lessons"
FIRST_LESSON = Path("template") / "first-lesson.yaml"
"""The template for authors of lessons."""
_NUMBERED = re.compile(r"[0-9]+-(.+)")
"""The pattern of file names: a number for the order, and the name."""
DAMAGED = to_say("this link does not hold a whole lesson. Ask for it again, or for the file.")


@dataclass(frozen=True, slots=True, kw_only=True)
class NamedLesson:
    """A lesson with its name in addresses and its text."""

    name: str
    text: str
    lesson: Lesson

    @property
    def key(self) -> tuple[str, str]:
        """An identifier that is independent of the language; that of a given lesson contains its text."""
        return self.name, self.text if self.name == GIVEN_LESSON else ""


def embedded_models() -> tuple[str, ...]:
    """Return the models of the app, which lessons may name, and of which they may ask each snapshot of its training."""
    return tuple(name for name, entry in REGISTRY.items() if entry.is_embedded)


def model_titles() -> dict[str, str]:
    """Return how the models of the app are called in a list, by their names."""
    folder = f"{PRETRAINED.as_posix()}/"
    return {name: f"{name.removeprefix(folder)} · {said(REGISTRY[name].about)}" for name in embedded_models()}


def _check_model(name: str) -> None:
    if not is_embedded(name):
        raise ValueError(
            worded(
                "{given} is no model of this app, expected one of {models}.",
                given=repr(name),
                models=", ".join(embedded_models()),
            )
        )


def lesson_after(then: str) -> tuple[str, str]:
    """Return the name and the packed text of the lesson that follows another one; the text is empty for one of the app.

    Raises ValueError for what is neither the name of a lesson nor a link that holds one.
    """
    if then in _names():
        return then, ""
    packed = dict(parse_qsl(urlsplit(then).query)).get("lesson_text", "")
    try:
        unpack_lesson(packed)
    except LessonError:
        raise ValueError(
            worded(
                "{given} is neither a lesson of the app ({names}) nor a link with a lesson in it.",
                given=repr(then[:40]),
                names=", ".join(_names()),
            )
        ) from None
    return GIVEN_LESSON, packed


@cache
def _names() -> tuple[str, ...]:
    """Return the names of the lessons of the app, in order."""
    return tuple(_name_of(file) for file in sorted(FOLDER.glob("*.yaml")))


def _name_of(file: Path) -> str:
    numbered = _NUMBERED.fullmatch(file.stem)
    return numbered[1] if numbered else file.stem


KNOWN = Known(model=_check_model, view=read_view, lesson=lesson_after)
"""The app's checks of the models, views and lessons that a lesson names."""


def own_lessons() -> dict[str, NamedLesson]:
    """Return the lessons of the app by name, in order, in the current language. Raises LessonError for an invalid
    file."""
    return _lessons_in(language())


@cache
def _lessons_in(spoken: str) -> dict[str, NamedLesson]:
    lessons = {}
    for file in sorted(FOLDER.glob("*.yaml")):
        name = _name_of(file)
        text = _in_language(spoken, Path(file.name)).read_text(encoding="utf-8")
        lessons[name] = NamedLesson(name=name, text=text, lesson=lesson_of(text))
    return lessons


def _in_language(spoken: str, name: Path) -> Path:
    """Return the path of a file in a language; the English one if it is not translated."""
    translated = FOLDER / spoken / name
    return translated if translated.exists() else FOLDER / name


def first_lesson() -> str:
    """Return a lesson of one step that explains its lines, in the current language."""
    return _in_language(language(), FIRST_LESSON).read_text(encoding="utf-8")


def step_in_language(named: NamedLesson, number: int) -> LessonStep:
    """Return a step of a lesson in the current language, if the lesson asks the same there; else as it is."""
    step = named.lesson.steps[number]
    others = own_lessons().get(named.name, named).lesson.steps
    return others[number] if number < len(others) and others[number].asks == step.asks else step


def answer_in_words(step: LessonStep, facts: Mapping[str, Fact]) -> str:
    """Return the claim of a step with its facts; in the place of one that does not hold, what was computed."""
    says = said(KINDS[step.ask.what].says) if untrue(step.holds, facts) else step.claim
    return fill_template(says, facts, shown)


def question_in_words(ask: Ask, facts: Mapping[str, Fact]) -> str:
    """Return the question of a kind about a reader's own sentence, in the current language."""
    kind = KINDS[ask.what]
    return fill_template(said(kind.asks or kind.about), facts, shown)


def lesson_of(text: str) -> Lesson:
    """Parse a lesson from YAML. Raises LessonError with every mistake and its line."""
    return read_lesson(text, KNOWN)


def text_of_file(raw: bytes) -> str:
    """Return the text of a lesson's file. Raises LessonError for one that is too large, or is not UTF-8."""
    if len(raw) > MOST_BYTES:
        raise LessonError(
            (1, worded("the file has more than {most} kB. A lesson is shorter.", most=MOST_BYTES // 1000))
        )
    try:
        return raw.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = 1 + raw.count(b"\n", 0, error.start)
        says = worded("the file is not UTF-8. Save it as UTF-8, so that letters such as ü come along.")
        raise LessonError((line, says)) from None


def named_lesson(name: str, packed: str) -> NamedLesson | None:
    """Return a lesson of the app, or the packed one; None for an unknown name."""
    if name != GIVEN_LESSON:
        return own_lessons().get(name)
    text = unpack_lesson(packed)
    return NamedLesson(name=name, text=text, lesson=lesson_of(text))


def pack_lesson(text: str) -> str:
    """Compress a lesson for an address. The result may be longer than LONGEST_LESSON_LINK."""
    return base64.urlsafe_b64encode(zlib.compress(text.encode(), 9)).decode().rstrip("=")


def fits_a_link(text: str) -> bool:
    """Return whether a lesson is short enough for a link."""
    return len(pack_lesson(text)) <= LONGEST_LESSON_LINK


def unpack_lesson(address: str) -> str:
    """Decompress the output of `pack_lesson`, up to MOST_BYTES. Raises LessonError if it is damaged or longer."""
    try:
        decompressor = zlib.decompressobj()
        text = decompressor.decompress(base64.urlsafe_b64decode(address + "=" * (-len(address) % 4)), MOST_BYTES + 1)
        if decompressor.eof and len(text) <= MOST_BYTES:
            return text.decode()
    except (binascii.Error, zlib.error, ValueError):
        pass
    raise LessonError((1, DAMAGED))
