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
    asks: str
    computes: str
    page: str


WORDS = {
    "en": LessonWords(
        title="Lessons",
        about="Predict first, then the model answers. All lessons are in the app (`python run.py`, page *Lessons*); "
        "those with a link are also read here, where the model answers in your browser.",
        minutes="minutes",
        here="Read it here",
        in_app="This lesson needs the app ([how to install it](../docs/start.md)).",
        asks="It asks {models}, which this site does not have.",
        computes="It asks what only the app computes.",
        page="../live/lessons.html",
    ),
    "ko": LessonWords(
        title="레슨",
        about="먼저 예측하고, 그다음 모델이 답합니다. 모든 레슨은 앱(`python run.py`)의 *레슨* 페이지에 있습니다. "
        "링크가 있는 레슨은 여기서도 읽을 수 있고, 모델이 브라우저 안에서 답합니다.",
        minutes="분",
        here="여기서 읽기",
        in_app="앱에서 읽는 레슨입니다([설치 방법](../docs/start.ko.md)).",
        asks="이 사이트에 없는 모델에 묻는 레슨입니다({models}).",
        computes="앱만 계산할 수 있는 것을 묻는 레슨입니다.",
        page="../live-ko/lessons.html",
    ),
}


def lessons_page(
    lessons: Mapping[str, Lesson], language: str, live: Container[str], models: Container[str] = ()
) -> str:
    """Return the Markdown of the page of a language; the `live` lessons are read on the site, too, by its `models`."""
    words = WORDS[language]
    parts = [f"# {words.title}", words.about]
    for number, (name, lesson) in enumerate(lessons.items()):
        steps = "\n".join(f"{place}. {step.title}: {step.question}" for place, step in enumerate(lesson.steps, start=1))
        why = f"{words.in_app} {why_not_live(lesson, language, models)}"
        link = f"[{words.here}]({words.page}?lesson={name})" if name in live else why
        about = f"{lesson.about} ({lesson.minutes} {words.minutes})"
        parts += [f"## {number}. {lesson.title}", about, link, steps]
    return "\n\n".join(parts) + "\n"


def why_not_live(lesson: Lesson, language: str, models: Container[str]) -> str:
    """Return why a site with these models cannot serve a lesson, in a language."""
    asked = (ask.model or lesson.models[0] for step in lesson.steps for ask in step.asks.values())
    missing = dict.fromkeys(_short_name(name) for name in asked if name not in models)
    words = WORDS[language]
    return words.asks.format(models=", ".join(missing)) if missing else words.computes


def _short_name(model: str) -> str:
    """Return the name of a model; of a snapshot that of the model."""
    return model.removeprefix("models/pretrained/").partition("/")[0]
