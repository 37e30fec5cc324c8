"""The measures of heads, on records whose answers are known; and a new one, which is one file."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from models.analysis import analyses, find_measure, head_measures, measure_heads, strongest, sums_of
from models.training.snapshots.over_time import embedded_runs, read_snapshot, snapshots_of
from models.training.snapshots.trajectory import read_trajectory
from models.values.history import History
from models.values.record import AttentionRecord
from recipes.evaluation.card import score_tables
from tests.closeness import CloseTo, assert_close
from tests.models.analysis.one_measure_more import one_measure_more
from ui.state.selection import read_address
from viz.kit.demos.records import random_record, record_from_scores, tokens_of
from viz.training.over_time.tables import share_table

TOKENS = tokens_of("[CLS] one two three [SEP] four five [SEP]")


def record_of(name: str) -> AttentionRecord:
    """One head that looks where a measure says wherever it can, and at the fifth token, a word, where it cannot."""
    scores = np.full((1, 1, 8, 8), -1000, np.float32)
    for query in range(8):
        key = {"previous": query - 1, "next": query + 1, "same": query, "special": 0}[name]
        scores[0, 0, query, key if 0 <= key < 8 else 5] = 0
    return record_from_scores(scores, TOKENS)


@pytest.mark.parametrize(("name", "share"), [("previous", 3 / 5), ("next", 3 / 5), ("same", 1), ("special", 1)])
def test_a_head_that_looks_at_one_place_has_that_share_of_it(name: str, share: float) -> None:
    found = measure_heads([record_of(name)])
    assert_close(found.of(name)[0, 0], share)
    special = 1 - share if name in {"previous", "next"} else float(name == "special")  # neighbours of [CLS], [SEP]
    assert_close(found.of("special")[0, 0], special)


def test_several_records_are_weighed_by_their_pieces() -> None:
    records = [random_record(seed=seed) for seed in (0, 1)]
    both, single = measure_heads(records), [measure_heads([record]) for record in records]
    assert_close(both.values, np.mean([one.values for one in single], axis=0))
    layer, head, share = strongest(both.of("special"))
    assert both.of("special")[layer, head] == share == both.of("special").max()


def test_the_sums_of_the_parts_of_a_corpus_merge_in_any_order() -> None:
    first, second, third = (sums_of(random_record(seed=seed)) for seed in range(3))
    left, right = ((first + second) + third).shares(), (third + (second + first)).shares()
    np.testing.assert_array_equal(left.values, right.values)
    with pytest.raises(ValueError, match="different models"):
        first + sums_of(random_record(n_layers=1))


def test_cross_attention_and_nothing_are_refused() -> None:
    for needs in ("texts", "pairs"):
        with pytest.raises(ValueError, match="cross"):
            measure_heads([random_record(key_tokens=TOKENS)], needs=needs)
    with pytest.raises(ValueError, match="at least one"):
        measure_heads([])


def test_what_comes_back_is_counted_in_the_other_text_alone() -> None:
    pair = tokens_of("[CLS] one two two [SEP] three two two [SEP]")  # of "two" two in each text; "one", "three" alone
    scores = np.zeros((1, 2, 9, 9), np.float32)  # the second head looks at all nine tokens alike
    for query, key in {1: 1, 2: 6, 3: 6, 5: 6, 6: 2, 7: 6}.items():  # the last of them at "two" in its own text
        scores[0, 0, query, key] = 1000
    nothing_twice = record_from_scores(np.zeros((1, 2, 8, 8), np.float32), TOKENS)
    shares = measure_heads([record_from_scores(scores, pair), nothing_twice], needs="pairs").of("repeated")
    assert_close(shares, [[3 / 4, 2 / 9]])
    assert strongest(shares) == (0, 0, CloseTo(3 / 4))
    with pytest.raises(ValueError, match="both texts"):
        measure_heads([nothing_twice], needs="pairs")


def test_every_analysis_says_what_it_is() -> None:
    of_texts = [measure.name for measure in head_measures() if measure.needs != "a corpus"]
    assert of_texts == ["previous", "next", "same", "special", "first", "repeated"]
    assert {"changes", "dependencies", "ablation", "patching", "atlas"} <= {analysis.name for analysis in analyses()}
    for analysis in analyses():
        assert all((analysis.title, analysis.paper, analysis.needs, analysis.returns, analysis.cost))


# -- one file more ----------------------------------------------------------------------------------------------------


@pytest.fixture
def last_token(tmp_path: Path) -> Iterator[None]:
    """A measure more while a test runs."""
    with one_measure_more(tmp_path):
        yield


@pytest.mark.usefixtures("last_token")
def test_a_new_measure_is_one_file_and_is_seen_in_the_history_the_tables_the_card_and_the_address() -> None:
    run = snapshots_of(embedded_runs()[0].folder)
    kept = replace(run, snapshots=run.snapshots[-1:], unseen=run.unseen[-1:])
    reading = read_snapshot(Path(kept.snapshots[0].folder), "the old dog lay at his feet")
    read = History(trajectory=kept, readings=(reading,))
    weights = read.last.recording.of("encoder").weights(0, 1)
    assert [measure.name for measure in read.measures("encoder")] == ["previous", "next", "same", "special", "last"]
    assert_close(read.shares("encoder", "last")[0, 0, 1], weights[1:-1, -1].mean())
    assert "last" in share_table(read, kind="encoder")
    report = {"heads": {"last": {"strongest (layer, head, share)": [0, 1, 0.5]}}}
    assert "| the very last token | Layer 0 · Head 1 | 0.50 |" in score_tables("tiny", report)
    assert read_address({"habit": "last"}) == {"habit": "last"}
    assert find_measure("last") is not None
    assert "last" not in read_trajectory(embedded_runs()[0].folder)[0].shares  # what was shipped stays readable


def test_without_that_file_there_is_no_such_measure() -> None:
    assert find_measure("last") is None
    assert read_address({"habit": "last"}) == {}
