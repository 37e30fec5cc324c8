"""A covered map holds the numbers of all rows but the covered ones."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest

from viz.attention.covered import COVERED, MARK, covered_map
from viz.kit.demos.records import random_record, tokens_of
from viz.kit.theme import sizes
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


@pytest.mark.parametrize("rows", [[10], range(3, 6), range(60)])
def test_no_mark_lies_on_another_and_each_names_its_row_where_not_all_have_labels(rows: range | list[int]) -> None:
    words = [f"w{place}" for place in range(60)]
    figure = covered_map(random_record(tokens=tokens_of(" ".join(words))), layer=1, head=2, covered=rows, width=358)
    layout = figure.layout
    cell = (layout.height - layout.margin.t - layout.margin.b) / len(layout.yaxis.categoryarray)
    marks = [note for note in layout.annotations if MARK in note.text and note.font.size == sizes(358).word]
    places = [note.y for note in marks]
    assert marks
    assert all(note.text == f"<b>{layout.yaxis.labelalias[str(note.y)]} → {MARK}</b>" for note in marks)
    assert all(below - above >= sizes(358).word / cell for above, below in pairwise(places))


def test_a_covered_position_is_like_no_other_in_the_figure() -> None:
    table = np.random.default_rng(0).normal(size=(6, 4)).astype(np.float32)
    cells = similarity_map(table, title="Positions", covered=2).data[-1].z
    others = np.delete(np.delete(cells, 2, axis=0), 2, axis=1)
    assert np.isnan(cells[2]).all()
    assert np.isnan(cells[:, 2]).all()
    assert np.isfinite(others).all()
