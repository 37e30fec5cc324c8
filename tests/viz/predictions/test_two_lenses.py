"""Each cell of the two lenses is a probability or a share that it says, and the final answer is framed."""

from __future__ import annotations

import numpy as np

from tests.closeness import assert_close
from viz.kit.demos.answers import demo_lens, layerwise
from viz.predictions.two_lenses import lens_table, two_lenses


def test_cells_are_the_best_words_and_the_shares_of_their_lens() -> None:
    plain, lens = layerwise(), demo_lens()
    figure = two_lenses(plain, plain, lens)
    best = np.exp(plain.log_probabilities.max(axis=1))
    assert_close(figure.data[0].z, np.column_stack([best, lens.as_they_are, best, lens.carried]))
    words = [plain.best(state, 1)[0].text for state in range(len(best))]
    framed = {(shape.y0 + shape.y1) / 2 for shape in figure.layout.shapes if shape.x0 < 0}
    assert framed == {row for row, word in enumerate(words) if word == words[-1]}
    assert f"{lens.n_answers}" in figure.layout.annotations[0].text


def test_four_columns_fit_on_a_telephone() -> None:
    assert two_lenses(layerwise(), layerwise(), demo_lens(), width=358).layout.width <= 358


def test_the_table_has_a_row_for_every_state_and_lens() -> None:
    plain, lens = layerwise(), demo_lens()
    table = lens_table(plain, plain, lens)
    assert list(table["lens"]) == ["logit"] * 5 + ["Jacobian"] * 5
    assert_close(table["has_final_answer"], [*lens.as_they_are, *lens.carried])
