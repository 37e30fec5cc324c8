"""Lessons: how they are written, and the questions in them, whose answers a model computes when they are read.

`reading` makes a lesson of a file, `registry` knows all kinds of answer, `claims` compares what they computed. Here is
nothing of pages, links and pictures, and no lesson: the app's own lie in the folder `lessons/`.
"""

from lessons.claims import facts_of, fill_template, holds, in_words, parts, untrue
from lessons.reading import Known, read_lesson
from lessons.registry import KINDS, answer_ask
from lessons.values import Ask, Condition, Fact, Lesson, LessonStep, Outcome

__all__ = [
    "KINDS",
    "Ask",
    "Condition",
    "Fact",
    "Known",
    "Lesson",
    "LessonStep",
    "Outcome",
    "answer_ask",
    "facts_of",
    "fill_template",
    "holds",
    "in_words",
    "parts",
    "read_lesson",
    "untrue",
]
