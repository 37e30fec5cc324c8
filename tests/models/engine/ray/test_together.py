"""Questions that a replica answers at once: each as if it had come alone."""

from __future__ import annotations

import pytest

from models.engine.ray.messages import Refusal, RemoteQuestion
from models.engine.ray.together import _batches, outcomes_of
from models.model import Model
from models.opening.registry import load
from models.values.errors import TextError
from tests.closeness import assert_close

SENTENCES = ("The cat sat down.", "", "The dog ran away.", "It rained on the old house.")


@pytest.fixture(scope="module")
def model() -> Model:
    return load("mini-bert", device="cpu")


def asking(question: str, *words: object) -> RemoteQuestion:
    return RemoteQuestion(model="mini-bert", question=question, words=words)


def test_each_answer_is_what_it_is_alone_and_what_is_wrong_with_one_touches_no_other(model: Model) -> None:
    asked = [(model, asking("record", text, None)) for text in SENTENCES]
    asked.insert(1, (model, asking("fill_mask", "The [MASK] sat down.")))
    batches = [[at for at, _ in batch] for batch in _batches(asked)]
    assert batches  # short sentences of one model: the rule has some of them read together
    assert not {1, 2} & {at for batch in batches for at in batch}
    outcomes = outcomes_of(asked)
    assert outcomes.pop(1) == model.fill_mask("The [MASK] sat down.")
    refused = outcomes.pop(1)
    assert isinstance(refused, Refusal)
    assert isinstance(refused.error, TextError)
    for text, found in zip((text for text in SENTENCES if text), outcomes, strict=True):
        alone = model.record(text)
        assert found.tokens == alone.tokens
        assert_close(found.hidden_states, alone.hidden_states)
        assert_close(found.of("encoder").weights(2, 1), alone.of("encoder").weights(2, 1))


def test_sentences_of_different_models_are_not_read_together(model: Model) -> None:
    other = load("headlight-bert", device="cpu")
    asked = [(each, asking("record", "The cat sat down.", None)) for each in (model, other)]
    assert list(_batches(asked)) == []
    assert [each.info.name for each in outcomes_of(asked)] == ["mini-bert", "headlight-bert"]
