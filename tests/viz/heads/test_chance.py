"""Effects beside those of chance."""

from __future__ import annotations

import pytest

from viz.heads.chance import percent


@pytest.mark.parametrize(
    ("share", "text"), [(0.674, "67%"), (-0.674, "−67%"), (-0.001, "0%"), (0.0, "0%"), (1.0, "100%")]
)
def test_a_share_has_a_true_minus_and_there_is_no_less_than_nothing(share: float, text: str) -> None:
    assert percent(share) == text
