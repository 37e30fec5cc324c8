"""What goes between processes is there what it was here."""

from __future__ import annotations

import pickle
from pathlib import Path

import numpy as np
import pytest

from models.engine.ray.messages import Refusal, RemoteQuestion, answer_in, outcome_of
from models.engine.ray.together import outcomes_of
from models.opening.registry import load
from models.values import errors
from models.values.errors import HeadlightError, LessonError, ModelError
from models.values.record import AttentionRecord
from models.values.wording import worded
from tests.models.opening.test_guest import same
from tests.models.tasks.tiny_translators import KINDS as KINDS_OF_TRANSLATORS

KINDS = [kind for kind in vars(errors).values() if isinstance(kind, type) and issubclass(kind, HeadlightError)]
SAYS = worded("{n} tokens are too many.", n=9)


def made(kind: type[HeadlightError]) -> HeadlightError:
    if issubclass(kind, LessonError):
        return kind((3, SAYS), (7, "plain"))
    return kind("a-model", SAYS) if issubclass(kind, ModelError) else kind(SAYS)


@pytest.mark.parametrize("kind", KINDS)
def test_an_error_crosses_as_itself(kind: type[HeadlightError]) -> None:
    """With the sentence that can be translated, the name of the model, the lines of mistakes."""

    def fail() -> None:
        raise made(kind)

    outcome = pickle.loads(pickle.dumps(outcome_of(fail)))
    with pytest.raises(kind) as caught:
        answer_in(outcome)
    error, expected = caught.value, made(kind)
    assert type(error) is kind
    assert vars(error) == vars(expected)
    assert str(error) == str(expected)
    assert getattr(str(error), "template", None) == getattr(str(expected), "template", None)


def test_an_error_of_others_is_said_with_its_name() -> None:
    outcome = outcome_of(lambda: {}["missing"])
    assert isinstance(outcome, Refusal)
    with pytest.raises(RuntimeError, match="KeyError on a machine of the cluster: 'missing'"):
        answer_in(outcome)


def test_a_question_says_the_languages_that_the_model_is_told(tmp_path: Path) -> None:
    model = load(KINDS_OF_TRANSLATORS["m2m100"].save(tmp_path), device="cpu")
    asked = RemoteQuestion(model="m2m100", question="translate", words=("the street",), languages=("de", "ko"))
    found = pickle.loads(pickle.dumps(asked)).asked_of(model)
    assert found.recording.note == "Read as de, translated into ko."
    assert pickle.loads(pickle.dumps(found.info)) == found.info
    recorded = RemoteQuestion(model="m2m100", question="record", words=("the street",), languages=("de", "ko"))
    (outcome,) = outcomes_of([(model, recorded)])
    assert outcome.tokens[0].text == "__de__"


def test_a_question_is_asked_with_its_words_and_choices() -> None:
    model = load("mini-bert", device="cpu")
    asked = RemoteQuestion(
        model="mini-bert", question="fill_mask", words=("The [MASK] sat down.",), choices={"top_k": 2}
    )
    (found,) = pickle.loads(pickle.dumps(asked)).asked_of(model)
    assert found == model.fill_mask("The [MASK] sat down.", top_k=2)[0]


def test_a_long_record_takes_no_more_on_its_way_than_in_memory() -> None:
    """A causal mask of n x n cells that are only seen goes as one number an offset, and once for all layers."""
    recording = load("mini-gpt", device="cpu").record("The cat sat on the mat and looked out. " * 40)
    (record,) = recording.attention
    there = pickle.loads(pickle.dumps(record))
    same(record, there)
    assert isinstance(there, AttentionRecord)
    offsets, expected = there.bias_by_offset(0), record.bias_by_offset(0)
    assert expected is not None
    np.testing.assert_array_equal(offsets, expected)
    seen = sum(bias.nbytes for bias in record.bias)
    arrays = sum(array.nbytes for array in (record.query, record.key, record.value))
    assert len(pickle.dumps(record)) < arrays + seen / 2
    assert there.bias[0].strides == record.bias[0].strides
