"""A head is named where its share passes a threshold and a baseline, and nowhere else."""

from __future__ import annotations

import numpy as np
import pytest

from models.analysis.grammar.dependencies import ParsedSentence, RelationCounts, count_relations
from models.analysis.grammar.relations import relation_title
from models.analysis.heads.measuring import HeadSums, sums_of, sums_of_even_attention
from models.analysis.over_texts.roles import (
    LEAST_GAIN,
    LEAST_SHARE,
    is_role,
    measured_roles,
    nearest_roles,
    relation_roles,
)
from models.values.errors import RecordError
from models.values.head_roles import SPECIAL, HeadRole, sort_roles
from models.values.record import AttentionRecord
from models.values.results.grammar import Direction
from tests.closeness import CloseTo, assert_close
from viz.kit.demos.records import random_record, record_from_scores, tokens_of

TOKENS = tokens_of("[CLS] one two three four [SEP]")
SENTENCE = ParsedSentence(words=("the", "dog", "ran"), heads=(1, 2, -1), relations=("det", "nsubj", "root"))
RIGHT, WRONG = np.array([[[1, 2, 1]]]), np.array([[[2, 0, 0]]])
"""What one head of one layer looks at from each word: always the other word of the relation, or never."""


def looks_back() -> AttentionRecord:
    """Two heads: the first looks at the token before, the second at all alike."""
    scores = np.zeros((1, 2, 6, 6), np.float32)
    scores[0, 0] = -1000
    scores[0, 0, np.arange(1, 6), np.arange(5)] = 0
    return record_from_scores(scores, TOKENS)


def treebank(*looks: tuple[np.ndarray, int]) -> dict[str, RelationCounts]:
    totals: dict[str, RelationCounts] = {}
    for found, times in looks:
        for _ in range(times):
            count_relations(SENTENCE, found, totals)
    return totals


def test_a_measure_names_the_head_that_passes_and_says_over_how_many_tokens() -> None:
    record = looks_back()
    (role,) = measured_roles(sums_of(record), sums_of_even_attention(record))
    assert (role.layer, role.head, role.name, role.unit) == (0, 0, "previous", "weight")
    assert (role.share, role.n) == (CloseTo(3 / 4), 4)  # the first word piece stands behind [CLS]
    assert_close(role.baseline, 3 / 4 / 6)


def test_a_head_without_a_role_comes_nearest_to_what_it_has_most_of_above_its_baseline() -> None:
    record = looks_back()
    both = sums_of(record), sums_of_even_attention(record)
    named = {(role.layer, role.head) for role in measured_roles(*both)}
    (nearest,) = nearest_roles(*both, named)
    assert (nearest.layer, nearest.head) == (0, 1)
    assert nearest.gain == max(role.gain for role in nearest_roles(*both, ()) if role.head == 1)
    assert_close(nearest.gain, 0, tolerance=1e-6, magnitude=1)  # it looks at all alike
    first, second = nearest_roles(*both, ())
    assert (first.head, first.name, second) == (0, "previous", nearest)


def test_attention_that_is_spread_evenly_is_measured_as_a_record_of_it_would_be() -> None:
    for mask in (None, np.tril(np.ones((6, 6), np.bool_))):
        even = record_from_scores(np.zeros((1, 1, 6, 6), np.float32), TOKENS, mask=mask)
        assert_close(sums_of_even_attention(even).totals, sums_of(even).totals)


def test_the_sums_of_even_attention_merge() -> None:
    first, second = (sums_of_even_attention(random_record(seed=seed)) for seed in range(2))
    both = first + second
    assert isinstance(both, HeadSums)
    assert_close(both.totals, 2 * first.totals)


def test_a_relation_names_a_head_that_passes_on_both_parts() -> None:
    dev, test = treebank((RIGHT, 80)), treebank((RIGHT, 60), (WRONG, 20))
    roles = {role.name: role for role in relation_roles(dev, test)}
    # "the" stands one word before "dog", always: an offset knows that as well
    assert roles == {}
    far = {"obj": far_counts(right=60, n=80)}
    (role,) = relation_roles({"obj": far_counts(right=70, n=80)}, far)
    assert (role.name, role.share, role.baseline, role.n) == ("obj from the dependent", 0.75, 0.25, 80)
    assert role.baseline_of == "always the word 2 before"
    assert list(relation_roles({"obj": far_counts(right=10, n=80)}, far)) == []
    assert list(relation_roles({"obj": far_counts(right=70, n=80)}, {"obj": far_counts(right=40, n=49)})) == []


def far_counts(*, right: int, n: int) -> RelationCounts:
    """One head that is right from the dependent; the other word stands in a quarter of the cases two words before."""
    offsets = {-2: n // 4} | dict.fromkeys(range(3, 3 + n - n // 4), 1)
    return RelationCounts(right=np.array([[[right]], [[0]]]), n=n, offsets=offsets)


def test_the_threshold_and_the_gain_are_both_needed() -> None:
    assert is_role(LEAST_SHARE, LEAST_SHARE - LEAST_GAIN)
    assert not is_role(LEAST_SHARE - 1e-6, 0)
    assert not is_role(0.9, 0.9 - LEAST_GAIN + 1e-6)


def test_the_surest_role_comes_first_and_special_tokens_come_last() -> None:
    record = looks_back()
    (role,) = measured_roles(sums_of(record), sums_of_even_attention(record))
    weaker = HeadRole(**{name: getattr(role, name) for name in HeadRole.__slots__} | {"name": "next", "share": 0.5})
    surest = HeadRole(**{name: getattr(role, name) for name in HeadRole.__slots__} | {"name": SPECIAL, "share": 1.0})
    assert sort_roles([surest, weaker, role]) == (role, weaker, surest)


def test_a_share_beyond_one_is_refused() -> None:
    with pytest.raises(RecordError, match=r"share is 1\.5"):
        HeadRole(
            layer=0,
            head=0,
            name="x",
            title="x",
            unit="weight",
            share=1.5,
            baseline=0,
            baseline_of="",
            n=1,
            counted_as="words",
        )


@pytest.mark.parametrize(
    ("relation", "direction", "title"),
    [
        ("obj", "from the dependent", "from an object to its verb (obj)"),
        ("obj", "from the governor", "from a verb to its object (obj)"),
        ("dislocated", "from the governor", "from a governor to its dependent (dislocated)"),
    ],
)
def test_a_relation_is_written_out(relation: str, direction: Direction, title: str) -> None:
    assert relation_title(relation, direction) == title
