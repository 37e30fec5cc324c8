"""What was right about a prediction, in words made from the numbers."""

from __future__ import annotations

import pytest

from lessons import Outcome
from lessons.values import count, end_of_line
from lessons.verdicts import N_CHOICES, is_right, number_choices, step_of, verdict, written_number

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


@pytest.mark.parametrize("number", [0.0, 0.003, 0.42, 0.87, 1.0])
@pytest.mark.parametrize(("low", "high"), [(0, 1), (0, 3), (1, 20), (0, 72), (-1, 1), (0, 100_000)])
def test_the_true_number_is_among_those_to_choose_from(number: float, low: float, high: float) -> None:
    true_number = low + number * (high - low)
    for outcome in (
        Outcome(facts=(), number=true_number, low=low, high=high),
        Outcome(facts=(), number=float(round(true_number)), low=low, high=high),
    ):
        choices, true = number_choices(outcome)
        assert choices[true] == written_number(outcome.number, outcome)
        assert len(set(choices)) == len(choices) == N_CHOICES
        values = [float(choice.replace("−", "-").replace(",", "").rstrip("%")) for choice in choices]
        assert values == sorted(values)
        for place, value in enumerate(values):
            guess = value / 100 if choices[true].endswith("%") else value
            assert is_right(guess, outcome) is (place == true)


def test_the_true_number_stands_in_no_fixed_place() -> None:
    outcomes = [Outcome(facts=(("a", count(at)),), number=9, low=0, high=20) for at in range(40)]
    assert len({number_choices(outcome)[1] for outcome in outcomes}) > 1


@pytest.mark.parametrize("counted", [1, 9, 19, 72, 768, 30522])
def test_the_end_of_a_line_tells_no_more_than_the_digits(counted: int) -> None:
    assert counted < end_of_line(counted)
    assert end_of_line(counted) == end_of_line(max(1, counted - 1)) or counted == 19
