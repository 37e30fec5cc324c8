"""The colours of the neuron view follow the head that is shown, and scores are coloured by what the softmax sees."""

from __future__ import annotations

import re
from dataclasses import replace

import numpy as np
import pytest

from models.values.record import AttentionRecord
from tests.closeness import assert_close, is_close
from viz.bertviz.neuron_colours import colours_in_words, neuron_colours
from viz.kit.demos.records import random_record, tokens_of

AT = {"layer": 1, "head": 2}
RECORDS = [random_record(causal=True), random_record(key_tokens=tokens_of("el animal no")), random_record()]


@pytest.mark.parametrize("record", RECORDS)
def test_colours_end_at_the_largest_number_where_none_stands_out(record: AttentionRecord) -> None:
    colours = neuron_colours(record, **AT)
    query, key = record.query[1, 2], record.key[1, 2]
    visible = np.isfinite(record.scores(1, 2))
    assert_close(colours.queries, np.abs(query).max())
    assert_close(colours.keys, np.abs(key).max())
    largest = np.abs((query[:, None] * key)[visible]).max()
    assert is_close(colours.product, largest) or largest > 1.6 * colours.product
    for position, row in enumerate(visible):
        scores = record.scale[1] * (key[row] @ query[position])
        assert_close(colours.means[position], scores.mean())


def test_what_all_keys_share_changes_no_colour_of_a_score() -> None:
    record = random_record(causal=True)
    shifted = replace(record, key=record.key + np.float32(7))
    before, after = neuron_colours(record, **AT), neuron_colours(shifted, **AT)
    assert_close(after.dotproducts, before.dotproducts)
    assert after.product > 2 * before.product


def test_one_outlier_does_not_take_the_colours_of_the_others() -> None:
    record = random_record(tokens=tokens_of("word " * 60))
    query = record.query.copy()
    query[1, 2, 0, 0] = 500
    assert neuron_colours(replace(record, query=query), **AT).queries < 10


def test_the_words_name_the_ends() -> None:
    colours = neuron_colours(random_record(), **AT)
    named = [float(end) for end in re.findall(r"\d+\.\d+|\d+(?= )", colours_in_words(colours))]
    assert_close(named, list(colours.ends.values()), tolerance=5e-3)
