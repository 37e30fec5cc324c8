"""From a file to a lesson: what may stand in it, and every mistake with its line.

What a link of the app is and which models there are is not known here: `Known` says it.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from lessons.claims import FACT, is_dotted, read_condition
from lessons.entries import EntryReader
from lessons.picture_files import LONGEST_PICTURE, read_picture
from lessons.registry import KINDS
from lessons.values import Ask, Condition, Lesson, LessonStep
from lessons.yaml_lines import Entries, Scalar, YamlPart, read_yaml
from models.values.arguments.check import check_arguments
from models.values.errors import LessonError
from models.values.wording import Message, to_say, worded

MOST_STEPS, LONGEST, LONGEST_TITLE, MOST_MINUTES, MOST_MODELS = 20, 2000, 100, 60, 8
LONGEST_LINK = 16_000
OF_A_LESSON = ("title", "about", "minutes", "models", "steps", "then")
OF_A_STEP = ("title", "text", "question", "ask", "also", "view", "picture", "first", "claim", "holds", "own")
OF_AN_ASK = ("what", "model")


@dataclass(frozen=True, slots=True, kw_only=True)
class Known:
    """Checks by the app of models, views and lessons that a lesson names; they raise ValueError with what was expected,
    a whole sentence."""

    model: Callable[[str], object]
    view: Callable[[str], object]
    lesson: Callable[[str], object]


@check_arguments
def read_lesson(text: str, known: Known) -> Lesson:
    """Return a lesson from its YAML. Raises LessonError with all that is wrong, line by line."""
    whole = read_yaml(text)
    mistakes: list[tuple[int, str]] = []
    lesson = _Reading(known, mistakes).lesson(whole)
    if mistakes or lesson is None:
        raise LessonError(*sorted(set(mistakes)))
    return lesson


class _Reading:
    """One reading of a lesson; what is wrong is collected, and the reading goes on."""

    def __init__(self, known: Known, mistakes: list[tuple[int, str]]) -> None:
        self._known = known
        self._mistakes = mistakes

    def lesson(self, whole: YamlPart) -> Lesson | None:
        read = EntryReader(whole, OF_A_LESSON, to_say("a lesson"), self._mistakes)
        models = read.texts("models", most=MOST_MODELS)
        for line, name in models:
            self._check_value(line, self._known.model, name)
        steps = read.list_of("steps", most=MOST_STEPS)
        then = self._read_checked(read, "then", self._known.lesson, longest=LONGEST_LINK)
        return Lesson(
            title=read.text("title", longest=LONGEST_TITLE),
            about=read.text("about", longest=LONGEST),
            minutes=read.number("minutes", most=MOST_MINUTES),
            models=tuple(name for _, name in models),
            steps=tuple(self._step(step) for step in steps),
            then=then,
        )

    def _step(self, part: YamlPart) -> LessonStep:
        read = EntryReader(part, OF_A_STEP, to_say("a step"), self._mistakes)
        ask = self._ask(read.part("ask"))
        also = tuple((name.text, self._ask(entry)) for name, entry in read.map_of("also"))
        named = {f"{name}.": asked for name, asked in also} | {"": ask}
        facts = {
            f"{before}{fact}"
            for before, asked in named.items()
            if asked.what in KINDS
            for fact in KINDS[asked.what].facts
        }
        asks = ask.what not in KINDS or KINDS[ask.what].has_question
        said = {
            name: read.line_and_text(name, longest=LONGEST, is_required=asks or name == "text")
            for name in ("text", "question", "claim")
        }
        for line, template in said.values():
            self._template(line, template, facts)
        return LessonStep(
            title=read.text("title", longest=LONGEST_TITLE),
            text=said["text"][1],
            question=said["question"][1],
            claim=said["claim"][1],
            ask=ask,
            also=also,
            view=self._read_checked(read, "view", self._known.view, longest=LONGEST),
            picture=self._read_checked(read, "picture", read_picture, longest=LONGEST_PICTURE),
            holds=self._conditions(read, facts),
            line=part.line,
            first="view" if read.choice("first", ("question", "view")) == "view" else "question",
            own=read.choice("own", ("yes", "no")) == "yes" and ask.what in KINDS and KINDS[ask.what].is_of_text,
        )

    def _ask(self, part: YamlPart | None) -> Ask:
        if part is None:
            return Ask(what="", given=())
        named = part.entries if isinstance(part, Entries) else ()
        what = next((value for name, value in named if name.text == "what"), None)
        if not isinstance(what, Scalar) or what.text not in KINDS:
            line, kinds = part.line if what is None else what.line, ", ".join(KINDS)
            says = (
                worded("{given} is no kind of answer, expected one of {kinds}.", given=repr(what.text), kinds=kinds)
                if isinstance(what, Scalar)
                else worded("“what” is missing, expected one of {kinds}.", kinds=kinds)
            )
            self._mistakes.append((line, says))
            return Ask(what="", given=(), line=part.line)
        return self._read_ask(part, what.text)

    def _read_ask(self, part: YamlPart, what: str) -> Ask:
        """Read the parameters of a question of a kind."""
        kind = KINDS[what]
        names = (*OF_AN_ASK, *(parameter.name for parameter in kind.parameters))
        read = EntryReader(part, names, worded("a question of the kind {kind}", kind=what), self._mistakes)
        given: list[tuple[str, str | tuple[str, ...]]] = []
        for parameter in kind.parameters:
            if parameter.is_list:
                fewest = 1 if parameter.name == "right" else 2
                listed = read.texts(parameter.name, is_required=parameter.is_required, fewest=fewest)
                for line, text in listed:
                    self._check_value(line, parameter.read, text)
                if listed:
                    given.append((parameter.name, tuple(text for _, text in listed)))
                continue
            line, text = read.line_and_text(parameter.name, longest=LONGEST, is_required=parameter.is_required)
            if text:
                self._check_value(line, parameter.read, text)
                given.append((parameter.name, text))
        line, model = read.line_and_text("model", longest=LONGEST_TITLE, is_required=False)
        if model:
            self._check_value(line, self._known.model, model)
        return Ask(what=what, given=tuple(given), model=model, line=part.line)

    def _conditions(self, read: EntryReader, facts: set[str]) -> tuple[Condition, ...]:
        conditions = []
        for line, text in read.texts("holds", is_required=False):
            try:
                condition = read_condition(text, line)
            except ValueError as error:
                self._mistakes.append((line, error.args[0]))
                continue
            if condition.left not in facts:
                self._mistakes.append((line, self._no_fact(condition.left, facts)))
            elif is_dotted(condition.right) and condition.right not in facts:
                self._mistakes.append((line, self._no_fact(condition.right, facts)))
            conditions.append(condition)
        return tuple(conditions)

    def _template(self, line: int, template: str, facts: set[str]) -> None:
        """A text speaks of facts that are computed, and of no others."""
        for match in FACT.finditer(template):
            if match[1] not in facts:
                self._mistakes.append((line, self._no_fact(match[1], facts)))
        if "{" in FACT.sub("", template) or "}" in FACT.sub("", template):
            says = worded("braces stand around the name of a fact, as in {share}, and nowhere else.")
            self._mistakes.append((line, says))

    @staticmethod
    def _no_fact(name: str, facts: set[str]) -> Message:
        if not facts:
            return worded("{name} is no fact of these questions, expected one of none.", name=repr(name))
        return worded(
            "{name} is no fact of these questions, expected one of {facts}.",
            name=repr(name),
            facts=", ".join(sorted(facts)),
        )

    def _read_checked(self, read: EntryReader, name: str, check: Callable[[str], object], *, longest: int) -> str:
        """Read a text that may be left out and has to pass a check."""
        line, text = read.line_and_text(name, longest=longest, is_required=False)
        if text:
            self._check_value(line, check, text)
        return text

    def _check_value(self, line: int, check: Callable[[str], object], text: str) -> None:
        try:
            check(text)
        except ValueError as error:
            self._mistakes.append((line, error.args[0]))
