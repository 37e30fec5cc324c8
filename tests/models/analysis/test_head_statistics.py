"""The four habits of heads, on records whose answers are known."""

from __future__ import annotations

import numpy as np
import pytest

from models.analysis.head_statistics import HABITS, head_statistics, repetition_shares, strongest
from models.values.record import AttentionRecord
from viz.kit.demo import random_record, record_from_scores, tokens_of

TOKENS = tokens_of("[CLS] one two three [SEP] four five [SEP]")


def record_of(habit: str) -> AttentionRecord:
    """One head that follows a habit wherever it can, and looks at the fifth token, a word, where it cannot."""
    scores = np.full((1, 1, 8, 8), -1000, np.float32)
    for query in range(8):
        key = {"previous": query - 1, "next": query + 1, "same": query, "special": 0}[habit]
        scores[0, 0, query, key if 0 <= key < 8 else 5] = 0
    return record_from_scores(scores, TOKENS)


@pytest.mark.parametrize(("habit", "share"), [("previous", 3 / 5), ("next", 3 / 5), ("same", 1), ("special", 1)])
def test_a_head_with_one_habit_has_that_share_of_it(habit: str, share: float) -> None:
    found = head_statistics([record_of(habit)])
    assert getattr(found, habit)[0, 0] == pytest.approx(share)
    special = 1 - share if habit in {"previous", "next"} else float(habit == "special")  # neighbours of [CLS], [SEP]
    assert found.special[0, 0] == pytest.approx(special)


def test_several_records_are_weighed_by_their_pieces() -> None:
    records = [random_record(seed=seed) for seed in (0, 1)]
    both, single = head_statistics(records), [head_statistics([record]) for record in records]
    for habit in HABITS:
        np.testing.assert_allclose(
            getattr(both, habit), np.mean([getattr(one, habit) for one in single], axis=0), atol=1e-6
        )
    layer, head, share = strongest(both.special)
    assert both.special[layer, head] == share == both.special.max()


def test_cross_attention_and_nothing_are_refused() -> None:
    with pytest.raises(ValueError, match="cross"):
        head_statistics([random_record(key_tokens=TOKENS)])
    with pytest.raises(ValueError, match="cross"):
        repetition_shares([random_record(key_tokens=TOKENS)])
    with pytest.raises(ValueError, match="at least one"):
        head_statistics([])


def test_what_comes_back_is_counted_in_the_other_text_alone() -> None:
    pair = tokens_of("[CLS] one two two [SEP] three two two [SEP]")  # of "two" two in each text; "one", "three" alone
    scores = np.zeros((1, 2, 9, 9), np.float32)  # the second head looks at all nine tokens alike
    for query, key in {1: 1, 2: 6, 3: 6, 5: 6, 6: 2, 7: 6}.items():  # the last of them at "two" in its own text
        scores[0, 0, query, key] = 1000
    nothing_twice = record_of("same")
    shares = repetition_shares([record_from_scores(scores, pair), nothing_twice])
    np.testing.assert_allclose(shares, [[3 / 4, 2 / 9]], atol=1e-6)
    assert strongest(shares) == (0, 0, pytest.approx(3 / 4))


def test_without_a_piece_in_both_texts_there_is_no_share() -> None:
    with pytest.raises(ValueError, match="both texts"):
        repetition_shares([record_of("same")])
