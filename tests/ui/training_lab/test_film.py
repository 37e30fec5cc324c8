"""The film of a training that is over: its file holds what the snapshots of the embedded run give."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from lab.live.observation import DIGITS
from models.values.history import ATTENDS, IGNORES
from tests.closeness import assert_close
from ui.training_lab.recipe.film import observe_moments, read_moments


def test_the_file_holds_what_the_snapshots_write_and_where_they_look() -> None:
    kept, observed = read_moments(), observe_moments()
    nothing = np.zeros(0, np.float32)
    assert [replace(moment, weights=nothing).as_json() for moment in kept] == [
        replace(moment, weights=nothing).as_json() for moment in observed
    ]
    for one, other in zip(kept, observed, strict=True):
        assert_close(one.weights, other.weights, tolerance=10**-DIGITS, magnitude=1.0)


def test_it_tells_how_a_row_is_learned() -> None:
    first, *_, last = read_moments()
    assert not first.is_right
    assert last.is_right
    blurred, learned = (float(np.diag(moment.weights).mean()) for moment in (first, last))
    assert blurred < IGNORES
    assert learned > ATTENDS
