"""A covered bar says nothing of its number: all are of one length."""

from __future__ import annotations

from viz.attention.covered import MARK
from viz.predictions.covered import covered_bars


def test_only_the_known_bars_have_their_length() -> None:
    bars = covered_bars(["with all heads", "without", "other"], known=[0.25], title="Answers").data[-1]
    assert list(bars.x) == [0.25, 1.0, 1.0]
    known, *covered = bars.text
    assert covered == [MARK, MARK]
    assert known != MARK
