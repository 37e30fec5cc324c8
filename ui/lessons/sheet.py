"""A lesson as a sheet to print: its questions with room for an answer, and on a page of its own the key.

python -m ui.lessons.sheet heads --out heads.html                    # print it from the browser, or save it as a PDF
python -m ui.lessons.sheet heads --language ko --out heads-ko.html
python -m ui.lessons.sheet my-lesson.yaml --out mine.html            # a lesson of your own
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from lessons import KINDS, Lesson, LessonStep, Outcome, answer_ask, facts_of, fill_template
from models.opening.registry import load
from models.values.errors import HeadlightError
from ui.lessons.library import answer_in_words, lesson_of, own_lessons, text_of_file
from ui.widgets.paper import blanks, printed_page
from viz.kit.language import ENGLISH, LANGUAGES, read_in, shown, tr
from viz.kit.tokens import escape

MOST_OPTIONS = 16
"""More than so many are not listed: the answer is written down."""


def sheet_html(lesson: Lesson, answers: Sequence[Mapping[str, Outcome]], *, model: str) -> str:
    """Return a page in the current language; `answers` are those of a model to the questions of each step, by name."""
    steps = list(zip(lesson.steps, answers, strict=True))
    questions = "".join(_question(number, step, found) for number, (step, found) in enumerate(steps, start=1))
    key = "".join(_solution(number, step, found) for number, (step, found) in enumerate(steps, start=1) if _asks(step))
    by = tr("The answers are those that {model} gives, computed when this sheet was made.", model=model)
    return printed_page(lesson.title, lesson.about, questions=questions, key=key, about_key=by)


def _asks(step: LessonStep) -> bool:
    return KINDS[step.ask.what].has_question


def _question(number: int, step: LessonStep, answers: Mapping[str, Outcome]) -> str:
    facts = facts_of(answers)
    sentences = dict.fromkeys(text for name in ("text", "text_b") if (text := step.ask.text(name)))
    words = [
        f"<section><h2>{number} · {escape(step.title)}</h2>",
        f"<p>{escape(fill_template(step.text, facts, shown))}</p>",
        *([f'<img src="{escape(step.picture)}" alt="">'] if step.picture else []),
        *(f'<p class="sentence">{escape(sentence)}</p>' for sentence in sentences),
    ]
    asks = [
        f'<p class="question">{escape(fill_template(step.question, facts, shown))}</p>',
        *_options(answers[""]),
        blanks(tr("My guess"), tr("The model")),
    ]
    return "\n".join([*words, *(asks if _asks(step) else []), "</section>\n"])


def _options(outcome: Outcome) -> Iterator[str]:
    """Yield the options of a question, if they can be read at a glance."""
    if 0 < len(outcome.options) <= MOST_OPTIONS:
        options = "".join(f"<span>○ {escape(option)}</span> " for option in outcome.options)
        yield f'<p class="options">{options}</p>'


def _solution(number: int, step: LessonStep, answers: Mapping[str, Outcome]) -> str:
    facts = facts_of(answers)
    return (
        f"<section><h2>{number} · {escape(step.title)}</h2>\n"
        f'<p class="question">{escape(fill_template(step.question, facts, shown))}</p>\n'
        f"<p>{escape(answer_in_words(step, facts))}</p></section>\n"
    )


def main() -> None:
    """Read the command line and write the sheet."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("lesson", help=f"one of {', '.join(own_lessons())}, or the file of another lesson")
    parser.add_argument("--language", choices=LANGUAGES, default=ENGLISH)
    parser.add_argument("--model", help="the model that answers (default: the first of the lesson)")
    parser.add_argument("--out", type=Path, required=True, help="the HTML file to write")
    asked = parser.parse_args()
    try:
        with read_in(asked.language):
            lesson = read_named(asked.lesson)
            asked.out.write_text(sheet_of(lesson, asked.model or lesson.models[0]), encoding="utf-8")
    except (HeadlightError, OSError) as error:
        parser.exit(1, f"{error}\n")


def read_named(name: str) -> Lesson:
    """Return a lesson of the app, or that of a file. Raises LessonError or OSError."""
    named = own_lessons().get(name)
    return named.lesson if named else lesson_of(text_of_file(Path(name).read_bytes()))


def sheet_of(lesson: Lesson, model: str) -> str:
    """Return the sheet of a lesson with the answers of a model."""
    opened = {name: load(name) for name in {ask.model or model for step in lesson.steps for ask in step.asks.values()}}
    answers = [
        {name: answer_ask(opened[ask.model or model], ask) for name, ask in step.asks.items()} for step in lesson.steps
    ]
    return sheet_html(lesson, answers, model=model)


if __name__ == "__main__":
    main()
