"""The distance is a distance, the odds are odds, and the bars are both distributions on one axis."""

from __future__ import annotations

import numpy as np
import pytest

from models.values.answers import MaskedText
from tests.closeness import assert_close
from viz.kit.demos.answers import masked_text
from viz.kit.errors import PictureError
from viz.predictions.comparison import Comparison, compare, comparison_bars, comparison_table, log_odds_bars

WORDS = ("a", "b", "c", "d")


def given(*probabilities: float, text: str = "[CLS] The man is [MASK] [SEP]") -> MaskedText:
    with np.errstate(divide="ignore"):
        logits = np.maximum(np.log(np.array([probabilities], np.float64)), -200).astype(np.float32)
    return masked_text(text, vocabulary=WORDS, logits=logits)


def pair(first: tuple[float, ...], second: tuple[float, ...]) -> Comparison:
    return compare(given(*first), given(*second))


def test_the_same_sentence_is_at_no_distance() -> None:
    same = compare(masked_text(), masked_text())
    assert same.distance == same.total_variation == 0
    assert not same.log_odds.any()


def test_nothing_in_common_is_one_bit() -> None:
    apart = pair((0.5, 0.5, 0, 0), (0, 0, 0.3, 0.7))
    assert_close(apart.distance, 1)
    assert_close(apart.total_variation, 1)
    assert np.isfinite(apart.log_odds).all()


def test_the_distance_is_the_same_in_both_directions_and_that_of_lin() -> None:
    p, q = np.array([0.1, 0.2, 0.3, 0.4]), np.array([0.4, 0.4, 0.1, 0.1])
    there, back = pair(tuple(p), tuple(q)), pair(tuple(q), tuple(p))
    entropy = lambda x: -(x * np.log2(x)).sum()  # noqa: E731
    assert_close(there.distance, back.distance)
    assert_close(there.distance, entropy((p + q) / 2) - entropy(p) / 2 - entropy(q) / 2)
    assert_close(there.total_variation, 0.5)
    assert_close(there.log_odds, -back.log_odds)


def test_log_odds_are_exact_near_zero_and_near_one() -> None:
    p, q = (1 - 3e-9, 1e-9, 1e-9, 1e-9), (0.5, 0.25, 0.125, 0.125)
    odds = pair(p, q).log_odds
    assert_close(odds[0], np.log(1 / 3e-9) - 0)
    assert_close(odds[1], np.log(1e-9) - np.log(1 / 3))


def test_the_bars_are_both_distributions_on_one_axis() -> None:
    comparison = pair((0.6, 0.3, 0.1, 0), (0.1, 0.1, 0.1, 0.7))
    figure = comparison_bars(comparison, top_k=2)
    (bars,) = figure.data
    table = comparison_table(comparison, top_k=2)
    assert list(table["word"]) == ["d", "a", "b"]  # the union, likeliest first
    assert_close(bars.x[:3], table["p1"])
    assert_close(bars.x[3:], table["p2"])
    assert figure.layout.xaxis.range[0] == 0
    assert (np.array(bars.y[:3]) < np.array(bars.y[3:])).all()  # the first sentence is the upper bar


def test_log_odds_leave_out_what_neither_sentence_expects() -> None:
    comparison = pair((0.7, 0.2999, 1e-4, 1e-9), (0.3, 0.6999, 1e-9, 1e-4))
    (bars,) = log_odds_bars(comparison, top_k=4, least=1e-3).data
    assert_close(bars.x, sorted(comparison.log_odds[:2], reverse=True))
    low, high = log_odds_bars(comparison, top_k=4).layout.xaxis.range
    assert low == -high


def test_no_word_that_is_likely_enough_is_said_in_words() -> None:
    figure = log_odds_bars(pair((0.25,) * 4, (0.25,) * 4), top_k=3, least=0.5)
    assert not figure.data
    assert "No word" in figure.layout.annotations[0].text


@pytest.mark.parametrize(
    ("first", "second", "names"),
    [
        ("[CLS] The man is [MASK] [SEP]", "[CLS] The woman is [MASK] [SEP]", ("man", "woman")),
        ("[CLS] a wait ##er is [MASK] [SEP]", "[CLS] a wait ##ress is [MASK] [SEP]", ("waiter", "waitress")),
        ("[CLS] so it is [MASK] [SEP]", "[CLS] so is [MASK] [SEP]", ("Sentence 1", "Sentence 2")),
        ("[CLS] a a [MASK] [SEP]", "[CLS] a [MASK] [SEP]", ("Sentence 1", "Sentence 2")),
        ("[CLS] one is [MASK] [SEP]", "[CLS] one is [MASK] [SEP]", ("Sentence 1", "Sentence 2")),
    ],
)
def test_sentences_are_called_by_the_words_that_differ(first: str, second: str, names: tuple[str, str]) -> None:
    assert compare(masked_text(first), masked_text(second)).names == names


def test_two_models_cannot_be_compared() -> None:
    with pytest.raises(PictureError, match="the same model"):
        compare(masked_text(), given(0.25, 0.25, 0.25, 0.25))
