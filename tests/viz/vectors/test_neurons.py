"""The contributions of the dimensions add up to what the softmax sees, and no constant changes them."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from models.values.errors import SelectionError
from viz.kit.demo import random_record, tokens_of
from viz.vectors.neurons import (
    contributions,
    dimension_bars,
    dimension_table,
    ranked_contributions,
    sentence_bars,
    sentence_contributions,
    unsigned_contributions,
)

AT = {"layer": 1, "head": 2}
RECORDS = [random_record(causal=True), random_record(key_tokens=tokens_of("el animal no")), random_record()]


@pytest.mark.parametrize("record", RECORDS)
def test_contributions_sum_to_the_scores(record) -> None:
    for position in range(len(record.query_tokens)):
        scores, weights = record.scores(1, 2)[position], record.weights(1, 2)[position]
        visible = np.isfinite(scores)
        raw = contributions(record, **AT, position=position, centred=False)
        np.testing.assert_allclose(raw.by_key.sum(axis=1)[visible], scores[visible], atol=1e-5)
        centred = contributions(record, **AT, position=position)
        expected = scores[visible] - scores[visible].mean()
        np.testing.assert_allclose(centred.by_key.sum(axis=1)[visible], expected, atol=1e-5)
        assert np.isnan(centred.by_key[~visible]).all()
        np.testing.assert_allclose(centred.of_query.sum(), weights[visible] @ expected, atol=1e-5)


def test_centred_contributions_do_not_see_what_all_keys_share() -> None:
    record = random_record(causal=True)
    shifted = replace(record, key=record.key + np.float32(3) * np.arange(8, dtype=np.float32))
    np.testing.assert_allclose(record.weights(1, 2), shifted.weights(1, 2), atol=1e-4)
    before, after = (contributions(each, **AT, position=9) for each in (record, shifted))
    np.testing.assert_allclose(before.of_query, after.of_query, atol=1e-3)
    raw = [contributions(each, **AT, position=9, centred=False).of_query for each in (record, shifted)]
    assert np.abs(raw[0] - raw[1]).max() > 1
    for centred, same in ((True, True), (False, False)):
        sums = [sentence_contributions(each, **AT, centred=centred) for each in (record, shifted)]
        assert np.allclose(*sums, atol=1e-2) == same


@pytest.mark.parametrize("record", RECORDS)
@pytest.mark.parametrize("centred", [True, False])
def test_the_sum_over_the_text_is_that_of_its_queries(record, centred: bool) -> None:
    each = [contributions(record, **AT, position=place, centred=centred) for place in range(len(record.query_tokens))]
    total = sum(one.of_query.astype(np.float64) for one in each)
    np.testing.assert_allclose(sentence_contributions(record, **AT, centred=centred), total, atol=1e-4)
    weights = record.weights(1, 2)
    unsigned = sum(row @ np.abs(np.nan_to_num(one.by_key)) for row, one in zip(weights, each, strict=True))
    np.testing.assert_allclose(unsigned_contributions(record, **AT, centred=centred), unsigned, atol=1e-4)


def test_the_bars_are_ranked_and_a_key_has_bars_of_its_own() -> None:
    record = random_record()
    found = contributions(record, **AT, position=3)
    (bars,) = dimension_bars(record, **AT, position=3, width=600).data
    np.testing.assert_allclose(np.abs(bars.x), np.sort(np.abs(found.of_query))[::-1], atol=1e-6)
    (bars,) = dimension_bars(record, **AT, position=3, key=5, width=600).data
    np.testing.assert_allclose(sum(bars.x), np.nansum(found.by_key[5]), atol=1e-5)
    with pytest.raises(SelectionError, match="key 16"):
        dimension_bars(record, **AT, position=3, key=16)
    (bars,) = sentence_bars(record, **AT, width=600).data
    np.testing.assert_allclose(sum(bars.x), sentence_contributions(record, **AT).sum(), atol=1e-4)


def test_the_map_and_the_table_follow_the_ranking() -> None:
    record = random_record(causal=True)
    found = contributions(record, **AT, position=6)
    figure = ranked_contributions(record, **AT, position=6)
    drawn = next(trace for trace in figure.data if trace.type == "heatmap" and np.shape(trace.z) == (16, 8)
                 and trace.zmin is not None)  # fmt: skip
    np.testing.assert_array_equal(drawn.z, found.by_key[:, found.ranking])
    assert list(drawn.x) == list(found.ranking)
    table = dimension_table(record, **AT, position=6)
    np.testing.assert_array_equal(table["contribution"], found.of_query[found.ranking])
    np.testing.assert_array_equal(table.iloc[:, 6:].to_numpy(), found.by_key.T[found.ranking])


def test_a_query_that_sees_one_key_alone_has_nothing_to_tell_apart() -> None:
    record = random_record(causal=True)
    np.testing.assert_allclose(contributions(record, **AT, position=0).of_query, 0, atol=1e-6)
    figure = dimension_bars(record, **AT, position=0)
    assert "Nothing sets the keys apart" in str(figure.layout.annotations).replace("<br>", " ")
