"""What a model can be asked: every question is typed once, known by its name, and answered or refused in a sentence."""

from __future__ import annotations

import inspect
import re
import threading
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Protocol

import pytest

from models.opening.guest import GuestModel
from models.tasks import capabilities
from models.tasks.capabilities import ADVICE, LACKS, QUESTIONS, Capable, Model, Reply
from models.tasks.missing import missing
from models.tasks.questions import Questions
from models.text.prepare import PreparedText, prepare
from models.values.errors import MissingCapabilityError
from models.values.record import ModelInfo
from tests.models.huggingface.families import wordpiece

ROOT = Path(__file__).resolve().parents[3]
INFO = ModelInfo(
    name="tiny", family="none", implementation="scratch", kinds=("encoder",), n_layers=1, n_heads=1, n_kv_heads=1,
    d_model=2, d_head=2, d_ff=2, d_vocab=2, max_tokens=20, n_parameters=1, device="cpu", can_fill_mask=False,
    can_judge_next_sentence=False,
)  # fmt: skip
SILENT = "silence"


class Counts(Capable, Protocol):
    """A capability as docs/add-a-capability.md tells to write one."""

    def count(self, text: str) -> int:
        """How many tokens a text has."""
        return self.otherwise(int, SILENT, "count", text)


class Silent(Questions, Counts):
    """An adapter that answers nothing by itself."""

    def __init__(self) -> None:
        self.info = INFO
        self.tokenizer = wordpiece()
        self.vocabulary = ()
        self._tokenizing = threading.Lock()

    def _prepare(self, text: str, text_b: str | None = None) -> PreparedText:
        return prepare(self.tokenizer, text, text_b, max_tokens=self.info.max_tokens)

    def _why_not(self, capability: str) -> str:
        return f"it has not learned {capability}"


class Counting(Silent):
    """One that answers the new question."""

    def count(self, text: str) -> int:
        return len(self._prepare(text).tokens)


def questions_of(protocol: type) -> dict[str, Callable[..., object]]:
    """The questions that a Protocol and those it is made of say."""
    return {
        name: found for name, found in inspect.getmembers(protocol, inspect.isfunction)
        if not name.startswith("_") and name not in {"otherwise", "in_languages"}
    }  # fmt: skip


def test_every_question_is_known_by_its_name() -> None:
    assert set(QUESTIONS) == set(questions_of(Model))
    model = Silent()
    assert {name: question(model).__name__ for name, question in QUESTIONS.items()} == {
        name: name for name in QUESTIONS
    }
    assert set(LACKS) == set(ADVICE)


@pytest.mark.parametrize("name", sorted(set(QUESTIONS) - {"ask_word"}))
def test_what_a_model_does_not_answer_it_says_in_a_sentence(name: str) -> None:
    given = {
        argument: {"layer": 0, "head": 0, "with_positions": True}.get(argument, "text")
        for argument, about in inspect.signature(questions_of(Model)[name]).parameters.items()
        if about.default is about.empty and argument != "self"
    }
    with pytest.raises(MissingCapabilityError, match=r"^tiny (has no|cannot) [^:]+: .+\. Choose .+\.$"):
        QUESTIONS[name](Silent())(**given)


def test_what_the_configuration_promises_and_the_files_do_not_hold_is_said() -> None:
    promised = replace(INFO, untrained=(capabilities.MASKED_WORDS,))
    assert "its configuration names it, but it is untrained" in str(missing(promised, capabilities.MASKED_WORDS, "why"))


def test_a_new_capability_is_answered_refused_and_sent_to_a_guest(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(LACKS, SILENT, "cannot count")
    monkeypatch.setitem(ADVICE, SILENT, "Choose one that counts.")
    assert Counting().count("the cat") > Counting().count("cat")
    with pytest.raises(MissingCapabilityError, match=r"tiny cannot count: it has not learned silence\. Choose"):
        Silent().count("the cat")

    class Guest(GuestModel, Counts):
        def __init__(self) -> None:
            self.asked: list[tuple[str, tuple[object, ...]]] = []

        def otherwise(
            self, reply: type[Reply], capability: str, question: str, *words: object, **choices: object
        ) -> Reply:
            self.asked.append((question, words))
            return reply()

    guest = Guest()
    assert guest.count("the cat") == 0
    assert guest.asked == [("count", ("the cat",))]


def test_the_guide_names_what_is_there() -> None:
    guide = (ROOT / "docs/add-a-capability.md").read_text(encoding="utf-8")
    steps = re.findall(r"^\d\. `([^`]+)`", guide, re.MULTILINE)
    assert len(steps) == 4
    assert all((ROOT / path).exists() for path in steps)
    for path in re.findall(r"`((?:models|ui|tests|docs)/[\w/.-]+)`", guide):
        assert (ROOT / path).exists(), path
    code = (ROOT / "models/tasks/capabilities.py").read_text(encoding="utf-8")
    for name in re.findall(r"`([A-Z]+)`", guide):
        assert f"{name}: " in code, name
