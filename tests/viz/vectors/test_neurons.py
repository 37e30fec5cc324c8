"""The contributions of the dimensions add up to what the softmax sees, and no constant changes them."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from models.values.errors import SelectionError
from tests.closeness import assert_close, is_close
from viz.kit.demos.records import random_record, tokens_of
from viz.vectors.contributions import contributions, sentence_contributions, unsigned_contributions
from viz.vectors.neurons import dimension_bars, dimension_table, ranked_contributions, sentence_bars

AT = {"layer": 1, "head": 2}
RECORDS = [random_record(causal=True), random_record(key_tokens=tokens_of("el animal no")), random_record()]


@pytest.mark.parametrize("record", RECORDS)
def test_contributions_sum_to_the_scores(record) -> None:
    for position in range(len(record.query_tokens)):
        scores, weights = record.scores(1, 2)[position], record.weights(1, 2)[position]
        visible = np.isfinite(scores)
        raw = contributions(record, **AT, position=position, centred=False)
        assert_close(raw.by_key.sum(axis=1)[visible], scores[visible])
        centred = contributions(record, **AT, position=position)
        expected = scores[visible] - scores[visible].mean()
        assert_close(centred.by_key.sum(axis=1)[visible], expected)
        assert np.isnan(centred.by_key[~visible]).all()
        assert_close(centred.of_query.sum(), weights[visible] @ expected, magnitude=weights[visible] @ np.abs(expected))


def test_centred_contributions_do_not_see_what_all_keys_share() -> None:
    record = random_record(causal=True)
    shifted = replace(record, key=record.key + np.float32(3) * np.arange(8, dtype=np.float32))
    assert_close(record.weights(1, 2), shifted.weights(1, 2))
    before, after = (contributions(each, **AT, position=9) for each in (record, shifted))
    assert_close(before.of_query, after.of_query, tolerance=1e-4, magnitude=1)
    raw = [contributions(each, **AT, position=9, centred=False).of_query for each in (record, shifted)]
    assert np.abs(raw[0] - raw[1]).max() > 1
    for centred, same in ((True, True), (False, False)):
        sums = [sentence_contributions(each, **AT, centred=centred) for each in (record, shifted)]
        assert is_close(*sums, tolerance=1e-3) == same


@pytest.mark.parametrize("record", RECORDS)
@pytest.mark.parametrize("centred", [True, False])
def test_the_sum_over_the_text_is_that_of_its_queries(record, centred: bool) -> None:
    each = [contributions(record, **AT, position=place, centred=centred) for place in range(len(record.query_tokens))]
    total = sum(one.of_query.astype(np.float64) for one in each)
    assert_close(sentence_contributions(record, **AT, centred=centred), total)
    weights = record.weights(1, 2)
    unsigned = sum(row @ np.abs(np.nan_to_num(one.by_key)) for row, one in zip(weights, each, strict=True))
    assert_close(unsigned_contributions(record, **AT, centred=centred), unsigned)


def test_the_bars_are_ranked_and_a_key_has_bars_of_its_own() -> None:
    record = random_record()
    found = contributions(record, **AT, position=3)
    (bars,) = dimension_bars(record, **AT, position=3, width=600).data
    assert_close(np.abs(bars.x), np.sort(np.abs(found.of_query))[::-1])
    (bars,) = dimension_bars(record, **AT, position=3, key=5, width=600).data
    assert_close(sum(bars.x), np.nansum(found.by_key[5]))
    with pytest.raises(SelectionError, match="key 16"):
        dimension_bars(record, **AT, position=3, key=16)
    (bars,) = sentence_bars(record, **AT, width=600).data
    assert_close(sum(bars.x), sentence_contributions(record, **AT).sum())


def test_the_map_and_the_table_follow_the_ranking() -> None:
    record = random_record(causal=True)
    found = contributions(record, **AT, position=6)
    figure = ranked_contributions(record, **AT, position=6)
    drawn = next(
        trace
        for trace in figure.data
        if trace.type == "heatmap" and np.shape(trace.z) == (16, 8) and trace.zmin is not None
    )
    np.testing.assert_array_equal(drawn.z, found.by_key[:, found.ranking])
    assert list(drawn.x) == list(found.ranking)
    table = dimension_table(record, **AT, position=6)
    np.testing.assert_array_equal(table["contribution"], found.of_query[found.ranking])
    np.testing.assert_array_equal(table.iloc[:, 6:].to_numpy(), found.by_key.T[found.ranking])


def test_a_query_that_sees_one_key_alone_has_nothing_to_tell_apart() -> None:
    record = random_record(causal=True)
    assert_close(contributions(record, **AT, position=0).of_query, 0, tolerance=1e-6, magnitude=1)
    figure = dimension_bars(record, **AT, position=0)
    words = " ".join(annotation.text for annotation in figure.layout.annotations).replace("<br>", " ")
    assert "Nothing sets the keys apart" in words
