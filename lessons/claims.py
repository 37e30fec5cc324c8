"""Claims: comparisons of facts that models have computed, and sentences with facts in braces."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterable, Mapping
from typing import get_args

from lessons.values import Condition, Fact, Outcome, Relation
from models.values.arguments.check import check_arguments
from models.values.wording import Message, worded

RELATIONS: tuple[Relation, ...] = get_args(Relation)
FACT = re.compile(r"\{([a-z_]+(?:\.[a-z_]+)?)\}")
_NUMBER = re.compile(r"[-−]?[0-9]{1,9}(?:\.[0-9]{1,9})?(?: ?%)?")
_IS_ONE_THING = re.compile(rf"{_NUMBER.pattern}|\"[^\"]*\"|“[^”]*”")
_DOTTED = re.compile(r"[a-z]+\.[a-z_]+")
_CONDITION = re.compile(rf"(?P<left>[a-z_.]+) (?P<relation>{'|'.join(RELATIONS)}) (?P<right>.+)")


def read_condition(text: str, line: int) -> Condition:
    """Return one comparison, as in "share is at least 50 %". Raises ValueError with what was expected."""
    match = _CONDITION.fullmatch(text.strip())
    if match is None or (" " in match["right"].strip() and not _IS_ONE_THING.fullmatch(match["right"].strip())):
        raise ValueError(
            worded(
                "{given} is no comparison. Write the name of a fact, one of {relations}, and a number, another fact, "
                "or words in quotes, as in: share is at least 50 %.",
                given=repr(text),
                relations=", ".join(RELATIONS),
            )
        )
    relation = next(relation for relation in RELATIONS if relation == match["relation"])
    return Condition(left=match["left"], relation=relation, right=match["right"].strip(), line=line)


@check_arguments
def facts_of(outcomes: Mapping[str, Outcome]) -> dict[str, Fact]:
    """Return the facts of all questions of a step, those that stand beside the first by their names: "wide.share"."""
    return {
        f"{name}.{fact}" if name else fact: value for name, outcome in outcomes.items() for fact, value in outcome.facts
    }


@check_arguments
def holds(condition: Condition, facts: Mapping[str, Fact]) -> bool:
    """Return whether a comparison is true of the facts."""
    left, right = facts[condition.left].value, right_side(condition.right, facts)
    if condition.relation in ("is", "is not"):
        return _equal(left, right) is (condition.relation == "is")
    if isinstance(left, str) or isinstance(right, str):
        return False
    return {
        "is at least": left >= right,
        "is at most": left <= right,
        "is more than": left > right,
        "is less than": left < right,
    }[condition.relation]


@check_arguments
def untrue(conditions: Iterable[Condition], facts: Mapping[str, Fact]) -> tuple[Condition, ...]:
    """Return the comparisons that are not true of the facts."""
    return tuple(condition for condition in conditions if not holds(condition, facts))


def right_side(text: str, facts: Mapping[str, Fact]) -> float | str:
    """Parse the right side of a comparison: another fact, a number or a percentage, or a word."""
    if text in facts:
        return facts[text].value
    if _NUMBER.fullmatch(text):
        value = float(text.replace("−", "-").rstrip(" %"))
        return value / 100 if text.endswith("%") else value
    return text.strip('"“”')


def is_dotted(text: str) -> bool:
    """Return whether the right side of a comparison is written as the fact of another question."""
    return _DOTTED.fullmatch(text) is not None


@check_arguments
def in_words(condition: Condition, facts: Mapping[str, Fact]) -> Message:
    """Describe a comparison with the computed value, for the author of the lesson."""
    written, expected = _compared_text(facts[condition.left]), f"{condition.relation} {condition.right}"
    right = facts.get(condition.right)
    if right is None:
        return worded(
            "{fact} is {written}, expected: {expected}", fact=condition.left, written=written, expected=expected
        )
    return worded(
        "{fact} is {written}, expected: {expected}, which is {right}",
        fact=condition.left,
        written=written,
        expected=expected,
        right=_compared_text(right),
    )


def _compared_text(fact: Fact) -> str:
    """Return a fact as an author compares it: words stay those that stand in a comparison, in every language."""
    return str(fact.value) if isinstance(fact.value, str) else fact.written


@check_arguments
def parts(template: str, facts: Mapping[str, Fact], say: Callable[[str], str] = str) -> tuple[tuple[str, bool], ...]:
    """Return the text of a template in parts, and whether each is a fact that was computed; `say` puts the facts that
    are words into a language."""
    pieces: list[tuple[str, bool]] = []
    end = 0
    for match in FACT.finditer(template):
        written = say(facts[match[1]].written)
        begins = not template[: match.start()].strip()
        pieces += [(template[end : match.start()], False), (capitalise(written) if begins else written, True)]
        end = match.end()
    return tuple((text, is_fact) for text, is_fact in (*pieces, (template[end:], False)) if text)


def capitalise(text: str) -> str:
    """Return a text as it begins a sentence."""
    return text[:1].upper() + text[1:]


@check_arguments
def fill_template(template: str, facts: Mapping[str, Fact], say: Callable[[str], str] = str) -> str:
    """Return a template with its facts."""
    return "".join(text for text, _ in parts(template, facts, say))


def _equal(left: float | str, right: float | str) -> bool:
    if isinstance(left, str) or isinstance(right, str):
        return str(left).casefold() == str(right).casefold()
    return math.isclose(left, right, rel_tol=1e-6, abs_tol=5e-3)
