"""Questions to a model: each is declared once, known by its name, and answered or refused in words."""

from __future__ import annotations

import inspect
import re
import threading
from dataclasses import replace
from pathlib import Path
from typing import Any, NoReturn

import pytest

from models.model import ADVICE, LACKS, MASKED_WORDS, QUESTIONS, RECORDING, Model, missing
from models.opening.forwarding import ForwardingModel, answer_type
from models.tasks.local import LocalModel
from models.text.prepare import PreparedText, prepare
from models.text.reading import Reading
from models.values.errors import ArgumentError, MissingCapabilityError
from models.values.probing.contrast import Contrast
from models.values.record import ModelInfo, Recording
from tests.models.huggingface.families import wordpiece

ROOT = Path(__file__).resolve().parents[2]
INFO = ModelInfo(
    name="tiny",
    family="none",
    implementation="scratch",
    kinds=("encoder",),
    n_layers=1,
    n_heads=1,
    n_kv_heads=1,
    d_model=2,
    d_head=2,
    d_ff=2,
    d_vocab=2,
    max_tokens=20,
    n_parameters=1,
    device="cpu",
    can_fill_mask=False,
    can_judge_next_sentence=False,
)
GIVEN = {
    "layer": 0,
    "head": 0,
    "with_positions": True,
    "changes": (),
    "heads": (),
    "place": ("encoder", 0, 0),
    "query": 0,
    "key": 0,
    "contrast": Contrast(of="mask", position=1, answer=0),
}


class Silent(LocalModel):
    """An adapter that answers no question."""

    def __init__(self) -> None:
        self.info = INFO
        self.tokenizer = wordpiece()
        self.vocabulary = ()
        self.tokenizing = threading.Lock()

    def prepare(self, text: str, text_b: str | None = None) -> PreparedText:
        return prepare(self.tokenizer, text, text_b, max_tokens=self.info.max_tokens)

    def why_not(self, capability: str) -> str:
        return f"it has not learned {capability}"

    def read(self, text: str, text_b: str | None = None) -> NoReturn:
        raise self.lacks(RECORDING)

    def record_reading(self, reading: Reading) -> NoReturn:
        raise AssertionError(reading)

    def probe(self, text: str, text_b: str | None, of: object, position: int | None) -> NoReturn:
        raise self.lacks(RECORDING)


class Elsewhere(ForwardingModel):
    """A model that writes down what it is asked."""

    info = INFO

    def __init__(self) -> None:
        self.asked: list[tuple[str, tuple[Any, ...], dict[str, Any]]] = []

    def ask(self, question: str, *args: Any, **kwargs: Any) -> Any:
        self.asked.append((question, args, kwargs))


def arguments_of(question: str) -> dict[str, Any]:
    """Return the arguments that a question cannot do without."""
    return {
        name: GIVEN.get(name, "text")
        for name, parameter in inspect.signature(getattr(Model, question)).parameters.items()
        if parameter.default is parameter.empty and name != "self"
    }


def test_questions_are_all_public_methods_but_three() -> None:
    methods = {name for name, _ in inspect.getmembers(Model, inspect.isfunction) if not name.startswith("_")}
    assert methods - set(QUESTIONS) == {"in_languages", "lacks", "record_texts"}
    assert set(LACKS) == set(ADVICE)


@pytest.mark.parametrize("question", sorted(set(QUESTIONS) - {"ask_word"}))
def test_what_a_model_does_not_answer_it_says_in_a_sentence(question: str) -> None:
    with pytest.raises(MissingCapabilityError, match=r"^tiny (has no|cannot) [^:]+: .+\. Choose .+\.$"):
        getattr(Silent(), question)(**arguments_of(question))


def test_what_the_configuration_promises_and_the_files_do_not_hold_is_said() -> None:
    promised = replace(INFO, untrained=(MASKED_WORDS,))
    assert "its configuration names it, but it is untrained" in str(missing(promised, MASKED_WORDS, "why"))


@pytest.mark.parametrize("question", QUESTIONS)
def test_a_forwarding_model_sends_every_question_with_its_arguments(question: str) -> None:
    model, given = Elsewhere(), arguments_of(question)
    getattr(model, question)(**given)
    assert model.asked == [(question, (), given)]


def test_a_forwarding_model_checks_arguments_before_it_sends_them() -> None:
    model = Elsewhere()
    with pytest.raises(ArgumentError, match="contrast"):
        model.gradients("text", contrast="dog")
    with pytest.raises(ArgumentError, match="text"):
        model.record(3)
    assert model.asked == []


def test_the_class_of_an_answer_is_as_declared() -> None:
    assert (answer_type("record"), answer_type("fill_mask"), answer_type("next_sentence")) == (Recording, tuple, float)


def test_the_guide_names_what_is_there() -> None:
    guide = (ROOT / "docs/add-a-capability.md").read_text(encoding="utf-8")
    steps = re.findall(r"^\d\. `([^`]+)`", guide, re.MULTILINE)
    assert len(steps) == 4
    for path in [*steps, *re.findall(r"`((?:models|ui|tests|docs)/[\w/.-]+)`", guide)]:
        assert (ROOT / path).exists(), path
    code = (ROOT / "models/model.py").read_text(encoding="utf-8")
    for name in re.findall(r"`([A-Z]{2,})`", guide):
        assert re.search(rf"\b{name}\b", code), name
