"""A covered map holds the numbers of all rows but the covered ones."""

from __future__ import annotations

import numpy as np
import pytest

from viz.attention.covered import COVERED, MARK, covered_map
from viz.kit.demos.records import random_record, tokens_of
from viz.positions.learned import similarity_map


@pytest.mark.parametrize("rows", [[1], range(3), []])
@pytest.mark.parametrize("is_causal", [False, True])
def test_a_covered_row_is_not_in_the_figure(rows: range | list[int], is_causal: bool) -> None:
    record = random_record(tokens=tokens_of("one two three"), causal=is_causal)
    figure = covered_map(record, layer=1, head=2, covered=rows)
    for row, weights in enumerate(record.weights(1, 2)):
        shown = [trace.z[row] for trace in figure.data]
        if row in rows:
            assert np.isnan(shown).all()
        else:
            np.testing.assert_array_equal(shown[-1][weights > 0], weights[weights > 0])
    notes = [str(note.text) for note in figure.layout.annotations]
    assert notes.count(f"<b>{MARK}</b>") == len(rows)
    assert (COVERED in " ".join(notes).replace("<br>", " ")) is bool(rows)


def test_a_covered_position_is_like_no_other_in_the_figure() -> None:
    table = np.random.default_rng(0).normal(size=(6, 4)).astype(np.float32)
    cells = similarity_map(table, title="Positions", covered=2).data[-1].z
    others = np.delete(np.delete(cells, 2, axis=0), 2, axis=1)
    assert np.isnan(cells[2]).all()
    assert np.isnan(cells[:, 2]).all()
    assert np.isfinite(others).all()
