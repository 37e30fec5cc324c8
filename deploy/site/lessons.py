"""The lessons as a page: what each is about, how long it takes, and what it asks."""

from __future__ import annotations

from lessons.values import Lesson

WORDS = {
    "en": (
        "Lessons",
        "Predict first, then the model answers. They open in the app: `python run.py`, page *Lessons*.",
        "minutes",
    ),
    "ko": ("수업", "먼저 예측하고, 그다음 모델이 답합니다. 앱의 *수업* 페이지에서 열립니다: `python run.py`.", "분"),
}


def lessons_page(lessons: dict[str, Lesson], language: str) -> str:
    """Return the Markdown of the page of a language."""
    title, about, minutes = WORDS[language]
    parts = [f"# {title}", about]
    for number, lesson in enumerate(lessons.values(), start=1):
        steps = "\n".join(f"{place}. {step.title}: {step.question}" for place, step in enumerate(lesson.steps, start=1))
        parts += [f"## {number}. {lesson.title}", f"{lesson.about} ({lesson.minutes} {minutes})", steps]
    return "\n\n".join(parts) + "\n"
