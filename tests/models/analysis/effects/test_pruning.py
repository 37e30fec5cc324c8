"""Heads removed in order: nothing removed is the model, everything removed is a model without attention."""

from __future__ import annotations

import numpy as np
import pytest

from models.analysis.contrasts import contrast_of
from models.analysis.effects.ablation import ablate, every_head
from models.analysis.effects.importance import head_importance
from models.analysis.effects.pruning import Example, least_important_first, order_heads, pruning_curve
from models.opening.registry import load
from models.values.results.effects import HeadImportance, HeadMap
from tests.closeness import assert_close

PRAISED = ("a really good film", "the best story of the year", "I loved every minute", "a warm and funny film")
BLAMED = ("a really bad film", "the worst story of the year", "I hated every minute", "a dull and boring film")


def examples(model: object) -> list[Example]:
    return [
        Example(text=text, contrast=contrast_of(model, text, answer=label))
        for texts, label in ((PRAISED, "positive"), (BLAMED, "negative"))
        for text in texts
    ]


def test_the_curve_begins_with_the_model_and_ends_without_heads() -> None:
    model = load("sentiment", device="cpu")
    task = examples(model)
    told: list[tuple[int, int]] = []
    curve = pruning_curve(model, task, progress=lambda *done: told.append(done))
    assert (curve.n_removed, curve.n_examples) == ((0, 1, 2, 3, 4), 8)
    assert told[-1] == (8, 8)
    ablations = [
        ablate(
            model, each.text, [tuple(place for (place,) in every_head(model.record(each.text)))], contrast=each.contrast
        )
        for each in task
    ]
    assert curve.accuracy[0] == np.mean([each.whole > 0 for each in ablations]) == 1
    assert curve.accuracy[-1] == np.mean([each.differences[0] > 0 for each in ablations])
    assert_close(curve.differences[0], np.mean([each.whole for each in ablations]))
    assert_close(curve.differences[-1], np.mean([each.differences[0] for each in ablations]))
    assert curve.accuracy[-1] <= 0.75  # without attention [CLS] knows of no word


def test_what_matters_least_goes_first_and_keeps_more_than_the_reverse() -> None:
    model = load("mini-gpt", device="cpu")
    texts = ("The old dog barked at the", "Once upon a time there was a", "She went to the shop and bought a")
    task = [Example(text=text, contrast=contrast_of(model, text)) for text in texts]
    order = least_important_first(model, task)
    assert len(order) == len(set(order)) == 32
    best, worst = (pruning_curve(model, task, each, n_points=4) for each in (order, order[::-1]))
    assert best.n_removed == worst.n_removed == (0, 8, 16, 24, 32)
    assert best.differences[1] > worst.differences[1]
    assert_close(best.differences[[0, -1]], worst.differences[[0, -1]])
    with pytest.raises(ValueError, match="no example"):
        pruning_curve(model, [])


def test_importance_is_compared_within_its_layer() -> None:
    model = load("mini-gpt", device="cpu")
    given = head_importance(model, "The old dog barked at the")
    (of_kind,) = given.signed
    louder = of_kind.values * np.array([[100], [1], [1], [1]], np.float32)  # one layer louder than the others
    changed = HeadImportance(
        contrast=given.contrast, difference=given.difference, signed=(HeadMap(kind="decoder", values=louder),)
    )
    assert order_heads([changed]) == order_heads([given])
