"""The gradient's estimate is the derivative of a gate on each head, and agrees with what taking it away does."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from models.analysis.contrasts import contrast_of
from models.analysis.effects.ablation import ablate
from models.analysis.effects.importance import agreement, head_importance
from models.analysis.ranks import rank_agreement, ranks
from models.opening.registry import load
from models.values.probing.changes import Changes, HeadEdit
from models.values.results.effects import map_of
from tests.closeness import assert_close

ASKED = {
    "mini-bert": ("The old [MASK] barked at the cat.", None),
    "mini-gpt": ("The old dog barked at the", None),
    "translator-es": ("the old cat sleeps in the house", "El gato"),
}


@pytest.mark.parametrize("name", ASKED)
def test_the_estimate_is_the_derivative_of_a_gate_on_the_head(name: str) -> None:
    model = load(name, device="cpu")
    text, text_b = ASKED[name]
    contrast = contrast_of(model, text, text_b)
    found = head_importance(model, text, text_b=text_b, contrast=contrast)
    for record in model.record(text, text_b).attention:
        places = [(layer, head) for layer in range(record.n_layers) for head in (0, record.n_heads - 1)]
        changes = [
            Changes(
                heads=(
                    HeadEdit(
                        kind=record.kind,
                        layer=layer,
                        head=head,
                        output=np.float32(gate) * record.head_output(layer, head),
                    ),
                )
            )
            for layer, head in places
            for gate in (1.01, 0.99)
        ]
        under = model.answers_under(text, text_b, contrast=contrast, changes=changes).differences.reshape(-1, 2)
        derivative = (under[:, 0] - under[:, 1]) / 0.02
        estimates = [map_of(found.signed, record.kind)[place] for place in places]
        assert_close(estimates, -derivative, tolerance=2e-2)
    assert all((each.values >= 0).all() for each in found.importance)


@pytest.mark.parametrize("name", ASKED)
def test_the_estimate_by_the_outputs_is_michel_s_by_the_weights(name: str) -> None:
    """Michel et al. 2019, equation 2: sum(Att · dm/dAtt), which the outputs of the heads come to as well."""
    model = load(name, device="cpu")
    text, text_b = ASKED[name]
    contrast = contrast_of(model, text, text_b)
    found = head_importance(model, text, text_b=text_b, contrast=contrast)
    (gradients,) = model.gradients(text, text_b, contrast=contrast, by="weights")
    for each in gradients.weights:
        expected = -np.einsum("lhqk,lhqk->lh", each.weights, each.gradient)
        assert_close(map_of(found.signed, each.kind), expected)


@pytest.mark.parametrize(("name", "least"), [("mini-bert", 0.4), ("mini-gpt", 0.8), ("translator-es", 0.8)])
def test_the_estimate_orders_the_heads_much_as_their_ablation_does(name: str, least: float) -> None:
    model = load(name, device="cpu")
    text, text_b = ASKED[name]
    found = head_importance(model, text, text_b=text_b)
    assert agreement(found, ablate(model, text, text_b=text_b)) > least


def test_agreement_is_over_the_heads_that_were_taken_away() -> None:
    model = load("mini-gpt", device="cpu")
    text, _ = ASKED["mini-gpt"]
    importance = head_importance(model, text)
    few = ablate(model, text, [(("decoder", layer, 0),) for layer in range(4)])
    expected = rank_agreement(np.abs(few.effects), map_of(importance.importance, "decoder")[:, 0])
    assert_close(agreement(importance, few), expected)


def test_ranks_and_their_agreement_are_those_of_statistics() -> None:
    rng = np.random.default_rng(0)
    one, other = rng.integers(0, 6, 40), rng.normal(size=40)
    np.testing.assert_array_equal(ranks(one), pd.Series(one).rank())
    expected = pd.Series(ranks(one)).corr(pd.Series(ranks(other)))
    assert_close(rank_agreement(one, other), expected)
    assert_close(rank_agreement(other, np.exp(other)), 1)
    assert_close(rank_agreement(other, -other), -1)
    assert np.isnan(rank_agreement(np.ones(4), np.arange(4)))
    with pytest.raises(ValueError, match="3 and 4"):
        rank_agreement([1, 2, 3], [1, 2, 3, 4])
