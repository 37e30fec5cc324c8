"""The worksheet of the lab: what a training has given stands in the key alone, in both languages."""

from __future__ import annotations

import pytest

from lab.presets import PRESETS, QUICK
from ui.training_lab.recipe.sheet import TASKS, TrainedTask, sheet_html
from viz.kit.language import LANGUAGES, read_in

COPY = TrainedTask(task="copy", right=((0, 0.03), (96, 0.25), (107, 0.94)), diagonal=((0, 0.19), (250, 0.97)))
REVERSE = TrainedTask(task="reverse", right=((0, 0.04), (300, 0.31)), diagonal=((0, 0.21), (300, 0.22)))


@pytest.mark.parametrize("language", LANGUAGES)
def test_what_the_trainings_have_given_stands_in_the_key_alone(language: str) -> None:
    with read_in(language):
        questions, key = sheet_html([COPY, REVERSE]).split('<div class="key">')
    for found in ("94%", "97%", ">96<", "25%"):
        assert found in key
        assert found not in questions
    for task in TASKS:
        assert str(PRESETS[task][QUICK].iterations) in questions
    assert questions.count("<section>") == 6


def test_the_key_says_when_it_was_learned_and_when_it_was_not() -> None:
    key = sheet_html([COPY, REVERSE])
    assert "At iteration 96 fewer than 30% of the letters are right, at iteration 107 at least 90%." in key
    assert "It is not learned in so few iterations." in key
    assert (COPY.guessed_until, COPY.learned_at, REVERSE.learned_at) == (96, 107, None)
