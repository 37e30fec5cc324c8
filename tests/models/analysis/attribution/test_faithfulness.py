"""Methods judged by what happens without the words that they name; and in words which is to be believed."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from models.analysis.attribution.attribute import attribute
from models.analysis.attribution.belief import BETTER_THAN, better_than_random, choose_method, finding, findings
from models.analysis.attribution.evidence import Evidence
from models.analysis.attribution.faithfulness import STEPS, faithfulness, judge_methods
from models.analysis.contrasts import contrast_of
from models.opening.registry import load
from models.values.errors import SelectionError, TextError
from models.values.results.attribution import Attribution, Faithfulness, FaithfulnessCurve, count_words
from tests.closeness import assert_close

TEXT = "this was not a really good film at all"


@pytest.fixture(scope="module")
def evidence() -> Evidence:
    model = load("sentiment", device="cpu")
    return Evidence(model, TEXT, None, contrast_of(model, TEXT))


def saying(evidence: Evidence, name: str, scores: np.ndarray) -> Attribution:
    """A method of our own that gives the words these scores."""
    found = np.zeros(len(evidence.tokens), np.float32)
    for word, score in zip(evidence.words, scores, strict=True):
        found[list(word)] = score / len(word)
    return Attribution(
        method=name,
        title=name,
        contrast=evidence.contrast,
        tokens=evidence.tokens,
        places=evidence.places,
        scores=found,
        is_signed=True,
    )


def test_the_curves_are_the_probabilities_without_those_words(evidence: Evidence) -> None:
    n_words = len(evidence.words)
    assert n_words == 9
    scores = np.arange(n_words)[::-1].astype(np.float32)  # the first word first
    found = judge_methods(evidence, [saying(evidence, "from the left", scores)], fractions=(0.01, 0.2, 0.5), n_random=3)
    (curve,) = found.curves
    model = load("sentiment", device="cpu")
    for at, count in enumerate((1, 2, 5)):
        first, rest = (
            tuple(position for word in words for position in word)
            for words in (evidence.words[:count], evidence.words[count:])
        )
        under = model.answers_under(
            TEXT, contrast=evidence.contrast, changes=[evidence.without(first), evidence.without(rest)]
        )
        assert_close([curve.without[at], curve.with_only[at]], np.exp(under.log_probabilities))
    assert_close(curve.whole, float(np.exp(evidence.whole.log_probabilities[0])))
    assert_close(curve.comprehensiveness, curve.whole - curve.without.mean())
    assert_close(curve.sufficiency, curve.whole - curve.with_only.mean())


def test_the_right_order_beats_chance_and_its_reverse_does_not(evidence: Evidence) -> None:
    """Greedily, word after word, the one that takes most from the answer: as right as an order can be made."""
    order: list[int] = []
    rest = set(range(len(evidence.words)))
    while rest:
        candidates = sorted(rest)
        changes = [
            evidence.without([at for word in (*order, each) for at in evidence.words[word]]) for each in candidates
        ]
        order.append(candidates[int(evidence.under(changes).log_probabilities.argmin())])
        rest.remove(order[-1])
    ranks = np.empty(len(order), np.float32)
    ranks[order] = np.arange(len(order), 0, -1)
    found = judge_methods(evidence, [saying(evidence, "right", ranks), saying(evidence, "reversed", -ranks)])
    right, wrong = found.curves
    assert np.mean([right.comprehensiveness >= each.comprehensiveness for each in found.random]) > 0.9
    assert better_than_random(found, right) > 0.5 > better_than_random(found, wrong)
    assert_close(found.agreement, [[1, -1], [-1, 1]])


def test_every_method_is_judged_alike_every_time() -> None:
    model = load("mini-bert", device="cpu")
    text = "The old [MASK] barked at the cat."
    contrast = contrast_of(model, text)
    one, other = (faithfulness(model, text, ["raw", "alti"], contrast=contrast, n_random=5) for _ in range(2))
    assert [curve.method for curve in one.curves] == ["raw", "alti"]
    for first, second in zip((*one.curves, *one.random), (*other.curves, *other.random), strict=True):
        np.testing.assert_array_equal(first.without, second.without)
    alone = faithfulness(model, text, ["alti"], contrast=contrast, n_random=0)
    assert_close(alone.curves[0].without, one.curves[1].without)
    assert np.isnan(better_than_random(alone, alone.curves[0]))
    assert one.agreement[0, 1] == one.agreement[1, 0] < 1
    words = [attribute(model, text, name, contrast=contrast).of_words(one.words) for name in ("raw", "alti")]
    assert one.curves[0].without[0] != one.curves[1].without[0] or words[0].argmax() == words[1].argmax()


def test_what_was_asked_is_not_asked_again_and_work_ends_when_it_is_told_to() -> None:
    model = load("sentiment", device="cpu")
    own = Evidence(model, TEXT, None, contrast_of(model, TEXT))
    scores = np.arange(len(own.words))[::-1].astype(np.float32)
    asked: list[tuple[int, int]] = []

    def tell(done: int, of: int) -> None:
        asked.append((done, of))

    first = judge_methods(own, [saying(own, "from the left", scores)], n_random=10, progress=tell)
    assert asked[-1][0] == asked[-1][1] > 0
    asked.clear()
    again = judge_methods(own, [saying(own, "from the left", scores)], n_random=10, progress=tell)
    assert not asked
    np.testing.assert_array_equal(first.curves[0].without, again.curves[0].without)

    def stop(_done: int, _of: int) -> None:
        raise InterruptedError

    with pytest.raises(InterruptedError):
        judge_methods(own, [saying(own, "from the right", -scores)], n_random=0, progress=stop)


def test_a_curve_to_the_last_word_ends_where_no_word_is_left(evidence: Evidence) -> None:
    scores = np.arange(len(evidence.words), dtype=np.float32)
    found = judge_methods(evidence, [saying(evidence, "any", scores)], fractions=STEPS, n_random=2)
    (one,) = found.curves
    assert found.n_left_out[-1] == len(evidence.words)
    assert_close(one.with_only[-1], one.whole)
    for each in (one, *found.random):
        assert_close(found.points(each, nothing_else=True)[0], one.without[-1])
    assert_close(found.area(one), float(np.trapezoid(found.points(one), [0, *STEPS])))


def test_a_tenth_of_thirty_words_is_three() -> None:
    assert count_words(STEPS, 30) == (3, 6, 9, 12, 15, 18, 21, 24, 27, 30)
    assert count_words((0.01, 0.05, 0.1), 12) == (1, 1, 2)


def test_what_cannot_be_judged_is_said() -> None:
    model = load("mini-bert", device="cpu")
    with pytest.raises(TextError, match="no word"):
        faithfulness(model, "[MASK]")
    with pytest.raises(SelectionError, match="unknown"):
        faithfulness(model, "The [MASK].", ["guess"])


# -- in words ---------------------------------------------------------------------------------------------------------


def curve(method: str, without: float, with_only: float = 0.9) -> FaithfulnessCurve:
    one = np.ones(2, np.float32)
    return FaithfulnessCurve(method=method, title=method, whole=0.9, without=without * one, with_only=with_only * one)


def told(evidence: Evidence, *curves: FaithfulnessCurve, n_worse: int = 40, n_random: int = 40) -> Faithfulness:
    """Random orders of which so many fall to 0.5, and the others to 0.1."""
    found = judge_methods(evidence, [saying(evidence, "any", np.ones(len(evidence.words)))], n_random=0)
    random = [curve("random", 0.5 if number < n_worse else 0.1) for number in range(n_random)]
    agreement = np.ones((len(curves), len(curves)), np.float32)
    return replace(found, curves=curves, random=tuple(random), agreement=agreement)


def test_the_best_method_is_believed_if_it_beats_chance(evidence: Evidence) -> None:
    best, weaker = curve("alti", 0.2), curve("rollout", 0.3)
    for curves in ((best, weaker), (weaker, best)):
        assert choose_method(told(evidence, *curves)) is best
    enough = told(evidence, best, n_worse=int(40 * BETTER_THAN))
    assert choose_method(enough) is best
    assert "believe here is alti" in finding(enough)
    assert "from 90% to 20%" in finding(enough)
    assert "It beats 95% of 40 random orders" in finding(enough)
    too_few = told(evidence, best, n_worse=int(40 * BETTER_THAN) - 1)
    assert choose_method(too_few) is None
    assert finding(too_few).startswith("No method beats 95% of 40 random orders here")


def test_raw_attention_is_never_believed_and_its_place_is_told(evidence: Evidence) -> None:
    raw = curve("raw", 0.0)
    alone = told(evidence, raw)
    assert choose_method(alone) is None
    assert "Raw attention is no explanation by itself" in finding(alone)
    assert finding(alone).endswith("Here it beats 100% of the random orders, and is number 1 of 1 methods.")
    assert choose_method(told(evidence, raw, curve("alti", 0.2))).method == "alti"
    assert "Raw attention" not in finding(told(evidence, curve("alti", 0.2)))
    assert "number 2 of 2 methods" in finding(told(evidence, curve("raw", 0.3), curve("alti", 0.2)))


def test_methods_that_do_exactly_as_well_are_named_beside_the_believed_one(evidence: Evidence) -> None:
    _, as_good = findings(told(evidence, curve("alti", 0.2), curve("norms", 0.3), curve("flow", 0.2)))
    assert as_good == "Exactly as good here: flow."
    assert len(findings(told(evidence, curve("alti", 0.2), curve("norms", 0.3)))) == 1


def test_few_words_that_suffice_count_as_much(evidence: Evidence) -> None:
    sufficient, not_so = curve("alti", 0.3, with_only=0.9), curve("norms", 0.3, with_only=0.2)
    assert choose_method(told(evidence, not_so, sufficient)) is sufficient
