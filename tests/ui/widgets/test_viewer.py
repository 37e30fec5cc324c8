"""Choices of the viewer that a browser sends: validated, and left out where they do not fit."""

from __future__ import annotations

from typing import Any

import pytest

from ui.widgets.viewer import parse_choices


def test_choices_that_fit_are_taken_with_their_types() -> None:
    sent = {"layer": 3, "head": "mean", "threshold": 0, "heads": [1, 2], "words": True, "locked": [], "known": ""}
    assert parse_choices(sent) == sent | {"heads": (1, 2), "locked": ()}


@pytest.mark.parametrize(
    "sent",
    [
        {"layer": "3"},
        {"layer": 1e9},
        {"head": {"toString": 1}},
        {"picture": "<script>"},
        {"words": "yes"},
        {"zoom": [1, 2, 3, 4]},
        {"locked": [[0]]},
        {"known": "a\nb"},
        {"text": "another sentence"},
        {"shows": "map"},
    ],
)
def test_what_does_not_fit_or_is_no_choice_of_the_viewer_is_left_out(sent: dict[str, Any]) -> None:
    assert parse_choices({"layer": 3} | sent) == ({} if "layer" in sent else {"layer": 3})
