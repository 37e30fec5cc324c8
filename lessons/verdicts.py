"""Verdicts on predictions, in words made from the numbers."""

from __future__ import annotations

from collections.abc import Sequence
from zlib import crc32

from lessons.values import Outcome
from models.values.wording import Message, worded

NEAR, QUITE_NEAR = 0.05, 0.15
"""Shares of the line on which a number was guessed."""
MOST_NAMED = 3
N_CHOICES = 5
"""Numbers that are offered in the place of a line."""
TINY = 1e-9


def is_percentage(outcome: Outcome) -> bool:
    """Return whether the number is a share or a probability."""
    return (outcome.low, outcome.high) == (0, 1)


def step_of(outcome: Outcome) -> float:
    """Return the steps in which a number can be guessed."""
    reach = outcome.high - outcome.low
    if is_percentage(outcome):
        return 0.01
    if not float(outcome.number).is_integer() and reach <= 50:
        return 0.05 if reach <= 5 else 0.1
    return float(max(1, round(reach / 500)))


def written_number(value: float, outcome: Outcome) -> str:
    """Return a number of the line as it is shown."""
    if is_percentage(outcome):
        return f"{100 * value:.0f}%"
    step = step_of(outcome)
    digits = 0 if step >= 1 else 1 if step >= 0.1 else 2
    return f"{value:,.{digits}f}".replace("-", "−")


def is_right(prediction: float, outcome: Outcome) -> bool:
    """Return whether an option was right, or a number near."""
    if outcome.options:
        return int(prediction) in outcome.right
    return abs(prediction - outcome.number) <= NEAR * (outcome.high - outcome.low)


def number_choices(outcome: Outcome) -> tuple[list[str], int]:
    """Return numbers to choose from, as they are written, and the index of the true one.

    They lie as far apart as makes them differ for a reader who knows, and end in the same digits, so that the true one
    does not stand out; its place among them follows from the facts.
    """
    apart = _apart(outcome)
    below = int((outcome.number - outcome.low) / apart + TINY)
    above = int((outcome.high - outcome.number) / apart + TINY)
    first, last = max(0, N_CHOICES - 1 - above), min(below, N_CHOICES - 1)
    true = first + crc32(repr(outcome.facts).encode()) % (last - first + 1) if first < last else last
    values = [outcome.number + (place - true) * apart for place in range(N_CHOICES)]
    return [written_number(value, outcome) for value in values], true


def _apart(outcome: Outcome) -> float:
    """Return the distance between numbers to choose from: a sixth of the line, rounded down to what can be written, so
    that the true one may stand in any place."""
    step = step_of(outcome)
    return max(step, step * ((outcome.high - outcome.low) / ((N_CHOICES + 1) * step) // 1))


def verdict(prediction: float | None, outcome: Outcome) -> Message:
    """Return the reader's prediction and whether it was right; only the answer if the prediction was skipped."""
    answer = _answer(outcome)
    if prediction is None:
        return worded("You skipped the prediction. The answer is {answer}.", answer=answer)
    if not outcome.options:
        return _of_number(prediction, outcome, answer)
    said = outcome.options[int(prediction)]
    if is_right(prediction, outcome):
        return worded("You said “{said}”, and that is right.", said=said)
    return worded("You said “{said}”; the answer is {answer}.", said=said, answer=answer)


def _of_number(prediction: float, outcome: Outcome, answer: str) -> Message:
    said = written_number(prediction, outcome)
    apart = abs(prediction - outcome.number) / (outcome.high - outcome.low)
    if said == answer:
        return worded("You said {said}, and that is right.", said=said)
    if apart <= NEAR:
        return worded("You said {said}, and that is very near: it is {answer}.", said=said, answer=answer)
    if apart <= QUITE_NEAR:
        return worded("You said {said}, which is quite near: it is {answer}.", said=said, answer=answer)
    if outcome.number < prediction:
        return worded("You said {said}. It is less: {answer}.", said=said, answer=answer)
    return worded("You said {said}. It is more: {answer}.", said=said, answer=answer)


def _answer(outcome: Outcome) -> str:
    if not outcome.options:
        return written_number(outcome.number, outcome)
    return _either(
        [worded("“{answer}”", answer=outcome.options[index]) for index in sorted(outcome.right)[:MOST_NAMED]]
    )


def _either(answers: Sequence[Message]) -> Message:
    """ "a", "a or b", "a or b or c"."""
    *some, last = answers
    return worded("{some} or {last}", some=_either(some), last=last) if some else last
