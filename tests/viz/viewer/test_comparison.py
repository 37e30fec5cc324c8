"""What the browser is sent of two heads, against what `models.analysis.compare` says of them."""

from __future__ import annotations

import base64
import json
from typing import Any

import numpy as np
import pytest

from models.analysis import compare
from models.values.record import AttentionRecord, Token
from models.values.results.comparison import AttentionComparison
from tests.viz.viewer.test_html import HOSTILE, Elements
from tests.viz.viewer.test_payload import unpacked
from viz.kit.demos.records import random_record, tokens_of
from viz.viewer.comparison import ComparedWords, comparison_data, comparison_html

WORDS = ComparedWords(
    one_title="“She ran”",
    other_title="“He ran home”",
    one="this sentence",
    other="the other sentence",
    title="Layer 1 · Head 2 · two sentences",
    models="Model: demo",
)
ONE, OTHER = "[CLS] she ran [SEP]", "[CLS] he ran home [SEP]"
SOURCE, OTHER_SOURCE = "[CLS] ella corre [SEP]", "[CLS] ella corre a casa [SEP]"


def records(kind: str) -> tuple[AttentionRecord, AttentionRecord]:
    """Two records of a kind, of texts of which one has a word more."""
    first, second = (
        random_record(
            tokens=tokens_of(text),
            key_tokens=tokens_of(source) if kind == "cross" else None,
            causal=kind == "decoder",
            seed=seed,
        )
        for seed, (text, source) in enumerate(((ONE, SOURCE), (OTHER, OTHER_SOURCE)))
    )
    return first, second


def compared(kind: str, head: int | None = 2) -> AttentionComparison:
    one, other = records(kind)
    return compare(one, other, one_layer=1, other_layer=0, one_head=head, other_head=head)


@pytest.mark.parametrize("head", [2, None])
@pytest.mark.parametrize("kind", ["encoder", "decoder", "cross"])
def test_the_numbers_that_are_sent_are_those_of_the_library(kind: str, head: int | None) -> None:
    found = compared(kind, head)
    sent = json.loads(json.dumps(comparison_data(found, WORDS), allow_nan=False))
    _, arrays = unpacked(base64.b64decode(sent["numbers"]))
    for name, expected in (("one", found.one), ("other", found.other), ("distances", found.distances)):
        np.testing.assert_array_equal(arrays[name], expected)
    for side, n_tokens in (("rows", len(found.rows)), ("columns", len(found.columns))):
        axis: dict[str, list[Any]] = sent["about"][side]
        assert {len(column) for column in axis.values()} == {n_tokens}


def test_tokens_are_named_with_their_places_in_both_texts_and_those_that_differ_are_marked() -> None:
    rows = comparison_data(compared("encoder"), WORDS)["about"]["rows"]
    assert rows["texts"] == ["[CLS]", "she | he", "ran", "| home", "[SEP]"]
    assert rows["names"] == ["0 · [CLS]", "1 · she | 1 · he", "2 · ran", "| 3 · home", "3 | 4 · [SEP]"]
    assert rows["equal"] == [True, False, True, False, True]
    assert rows["special"] == [True, False, False, False, True]


def test_tokens_and_titles_stay_text_in_the_file() -> None:
    hostile = [Token(text=text, word=index) for index, text in enumerate(HOSTILE)]
    record = random_record(tokens=hostile)
    found = compare(record, record, one_layer=0, other_layer=1, one_head=0, other_head=0)
    words = ComparedWords(**dict.fromkeys(("one_title", "other_title", "one", "other", "title", "models"), HOSTILE[0]))
    document = comparison_html(found, words)
    assert Elements(document).names == Elements(comparison_html(compared("encoder"), WORDS)).names
    document.encode()
