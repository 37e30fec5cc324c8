"""What was right about a prediction, in words made from the numbers."""

from __future__ import annotations

import pytest

from lessons import Outcome
from lessons.verdicts import is_right, step_of, verdict

TOKENS = Outcome(facts=(), options=("the", "cat", "sat"), right=frozenset({1}))
SHARE = Outcome(facts=(), number=0.42)
COUNT = Outcome(facts=(), number=9, low=0, high=20)
RHO = Outcome(facts=(), number=-0.3, low=-1, high=1)


@pytest.mark.parametrize(
    ("prediction", "outcome", "said"),
    [
        (1.0, TOKENS, "You said “cat”, and that is right."),
        (2.0, TOKENS, "You said “sat”; the answer is “cat”."),
        (None, TOKENS, "You skipped the prediction. The answer is “cat”."),
        (0.42, SHARE, "You said 42%, and that is right."),
        (0.4, SHARE, "You said 40%, and that is very near: it is 42%."),
        (0.3, SHARE, "You said 30%, which is quite near: it is 42%."),
        (0.9, SHARE, "You said 90%. It is less: 42%."),
        (3.0, COUNT, "You said 3. It is more: 9."),
        (-0.3, RHO, "You said −0.30, and that is right."),
    ],
)
def test_a_prediction_is_judged(prediction: float | None, outcome: Outcome, said: str) -> None:
    assert verdict(prediction, outcome) == said
    if prediction is not None:
        assert is_right(prediction, outcome) == ("right" in said or "very near" in said)


def test_whole_numbers_are_guessed_in_whole_steps() -> None:
    ratio = Outcome(facts=(), number=1.4, low=1, high=10)
    assert [step_of(each) for each in (SHARE, COUNT, RHO, ratio)] == [0.01, 1, 0.05, 0.1]
