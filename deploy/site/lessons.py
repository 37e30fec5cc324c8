"""The lessons as a page: what each is about, how long it takes, what it asks, and where it is read without a server."""

from __future__ import annotations

from collections.abc import Container, Mapping
from dataclasses import dataclass

from lessons.values import Lesson


@dataclass(frozen=True, slots=True, kw_only=True)
class LessonWords:
    """The sentences of the page of a language, and the address of the page on which its lessons are read."""

    title: str
    about: str
    minutes: str
    here: str
    in_app: str
    page: str


WORDS = {
    "en": LessonWords(
        title="Lessons",
        about="Predict first, then the model answers. All lessons are in the app (`python run.py`, page *Lessons*); "
        "those with a link are also read here, where the model answers in your browser.",
        minutes="minutes",
        here="Read it here",
        in_app="This lesson needs the app.",
        page="../live/lessons.html",
    ),
    "ko": LessonWords(
        title="레슨",
        about="먼저 예측하고, 그다음 모델이 답합니다. 모든 레슨은 앱(`python run.py`)의 *레슨* 페이지에 있습니다. "
        "링크가 있는 레슨은 여기서도 읽을 수 있고, 모델이 브라우저 안에서 답합니다.",
        minutes="분",
        here="여기서 읽기",
        in_app="앱에서 읽는 레슨입니다.",
        page="../live-ko/lessons.html",
    ),
}


def lessons_page(lessons: Mapping[str, Lesson], language: str, live: Container[str]) -> str:
    """Return the Markdown of the page of a language; the `live` lessons are read on the site, too."""
    words = WORDS[language]
    parts = [f"# {words.title}", words.about]
    for number, (name, lesson) in enumerate(lessons.items()):
        steps = "\n".join(f"{place}. {step.title}: {step.question}" for place, step in enumerate(lesson.steps, start=1))
        link = f"[{words.here}]({words.page}?lesson={name})" if name in live else words.in_app
        about = f"{lesson.about} ({lesson.minutes} {words.minutes})"
        parts += [f"## {number}. {lesson.title}", about, link, steps]
    return "\n\n".join(parts) + "\n"
