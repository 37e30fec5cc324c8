"""What is said of the rows behind a label follows from their numbers."""

from __future__ import annotations

import numpy as np

from models.analysis.one_text.answer_rows import answer_rows
from models.values.record import Array
from models.values.results.answer_rows import AnswerRows
from tests.closeness import assert_close
from viz.kit.demos.records import record_from_scores, tokens_of
from viz.predictions.answer_rows import answer_rows_map, what_is_read, what_the_choice_changes

TOKENS = tokens_of("[CLS] it was not good [SEP]")
N = len(TOKENS)


def read(weights: Array, read_from: tuple[int, ...], *, n_layers: int = 1) -> AnswerRows:
    scores = np.broadcast_to(np.log(weights), (n_layers, 1, N, N))
    return answer_rows(record_from_scores(scores, TOKENS), read_from)


def even(**rows: list[float]) -> Array:
    """Even attention but for some rows, "row3"."""
    weights = np.full((N, N), 1 / N, np.float32)
    for name, row in rows.items():
        weights[int(name.removeprefix("row"))] = row
    return weights


PEAKED = even(row0=[0.02, 0.01, 0.02, 0.55, 0.38, 0.02])
PAIRED = even(row4=[0.05, 0.05, 0.05, 0.75, 0.05, 0.05])


def test_one_row_is_named_with_what_it_looks_at() -> None:
    said = what_is_read(read(PEAKED, (0,)))
    assert said.startswith(
        "Of 6 rows, one leads to the label: that of “[CLS]”. It looks most at “not” (55%), “good” (38%)"
    )
    assert "95% of the attention in all" in said
    assert said.endswith("If it were spread evenly, 3 of 6 tokens would get 50%.")


def test_several_rows_are_counted() -> None:
    said = what_is_read(read(PAIRED, (1, 2, 3, 4)))
    assert said.startswith(
        "4 of 6 rows lead to the label, and each counts for 1/4. Together they look most at “not” (31%)"
    )


def test_what_cls_overlooks_is_named_and_what_words_tell_each_other() -> None:
    one, several = read(PEAKED, (0,)), read(PAIRED, (1, 2, 3, 4))
    heard, told, concentrated = what_the_choice_changes(one, several)
    assert "2 of 4 words get less than half an even share: “it”, “was”." in heard
    assert "each of the 4 words is part of the label anyway" in told
    assert told.endswith("Most of all, “good” looks at “not” (75%).")
    assert "more concentrated with “[CLS]”" in concentrated
    assert "95%" in concentrated
    assert f"{several.shares[several.favourites(3)].sum():.0%} with the mean" in concentrated


def test_the_other_way_round_and_alike_are_said_too() -> None:
    flat, peaked = read(even(), (0,)), read(np.repeat(PEAKED[:1], N, axis=0), (1, 2, 3, 4))
    heard, _, concentrated = what_the_choice_changes(flat, peaked)
    assert "every word gets at least half an even share" in heard
    assert "more concentrated with the mean" in concentrated
    _, _, same = what_the_choice_changes(flat, read(even(), (1, 2, 3, 4)))
    assert "about equally concentrated" in same


def test_of_several_layers_only_the_last_one_is_spoken_of() -> None:
    alone, deeper = (read(PEAKED, (0,), n_layers=n) for n in (1, 2))
    assert "in the last layer" not in what_the_choice_changes(alone, alone)[0]
    assert "in the last layer" in what_the_choice_changes(deeper, deeper)[0]


def test_the_map_has_a_column_for_each_reading() -> None:
    one, several = read(PEAKED, (0,)), read(PAIRED, (1, 2, 3, 4))
    (cells,) = answer_rows_map([("[CLS]", one), ("mean", several)]).data
    assert_close(cells.z, np.stack([one.shares, several.shares], axis=1))
