"""A stranger's model: what it answers is what it would answer here, and what it takes is bounded."""

from __future__ import annotations

import io
import json
import os
import pickle
import sys
from collections.abc import Iterator
from dataclasses import fields, is_dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from models.opening.entries import PRETRAINED, ROOT
from models.opening.folders import load_folder
from models.opening.guest import GuestLimits, GuestModel
from models.opening.guest_answers import read_frame, write_frame
from models.values.errors import LessonError, ModelError, ModelLoadError, SelectionError, TextError
from models.values.steps import WhatIf
from models.values.wording import join_sentences, worded, worded_n
from tests.closeness import assert_close
from viz.kit.language import read_in, said

MINI_BERT = ROOT / PRETRAINED / "mini-bert"
TEXT = "The man worked as a [MASK]."
MOST_NICE = 19
"""Nobody steps back further than so."""


@pytest.fixture(scope="module")
def guest() -> Iterator[GuestModel]:
    model = GuestModel(MINI_BERT, name="a stranger's")
    yield model
    model.close()


def same(one: Any, other: Any) -> None:
    """Whether two answers are the same, to the last bit of their arrays."""
    assert type(one) is type(other)
    if isinstance(one, np.ndarray):
        np.testing.assert_array_equal(one, other)
        assert one.dtype == other.dtype
        assert not other.flags.writeable
    elif isinstance(one, tuple):
        assert len(one) == len(other)
        for first, second in zip(one, other, strict=True):
            same(first, second)
    elif is_dataclass(one):
        for field in fields(one):
            same(getattr(one, field.name), getattr(other, field.name))
    else:
        assert repr(one) == repr(other)  # a NaN does not equal itself


def sent(value: Any) -> Any:
    file = io.BytesIO()
    write_frame(file, value)
    file.seek(0)
    return read_frame(file)


@pytest.mark.parametrize(
    ("name", "question", "words", "choices"),
    [
        ("mini-bert", "record", (TEXT, "He is tall."), {}),
        ("mini-bert", "record_shuffled", ("a b c d",), {"with_positions": False, "seed": 1}),
        ("mini-bert", "walk", (TEXT,), {"layer": 1, "head": 2, "what_if": WhatIf(name="causal")}),
        ("mini-bert", "positions", (), {}),
        ("mini-bert", "fill_mask", (TEXT,), {}),
        ("mini-bert", "masked_words", (TEXT,), {}),
        ("mini-bert", "predict_by_layer", (TEXT,), {}),
        ("mini-bert", "fill_jointly", (TEXT,), {}),
        ("mini-bert", "ask_word", ("unhappily",), {}),
        ("mini-bert", "next_sentence", ("a", "b"), {}),
        ("mini-bert", "guess_tokens", ("a b c",), {}),
        ("sentiment", "label_text", ("a good film",), {}),
        ("translator-es", "translate", ("the cat sleeps",), {"width": 2}),
        ("mini-gpt", "continue_text", ("once upon",), {"n_new": 3, "seed": 2}),
    ],
)
def test_every_answer_goes_between_processes_unchanged(name: str, question: str, words: Any, choices: Any) -> None:
    model = load_folder(ROOT / PRETRAINED / name, name=name, device="cpu")
    answer = getattr(model, question)(*words, **choices)
    same(answer, sent(answer))
    same(model.info, sent(model.info))


def test_nothing_but_known_values_goes_between_processes() -> None:
    with pytest.raises(TypeError, match="Path does not go"):
        sent(Path())
    for head in (
        {"value": {"class": "Path", "fields": {}}, "arrays": []},
        {"value": {"array": 0}, "arrays": [{"dtype": "object", "shape": [1]}]},
        {"value": {"array": 0}, "arrays": [{"dtype": "float32", "shape": [2**62]}]},
        {"value": {"array": 0}, "arrays": [{"dtype": "float32", "shape": [-1]}]},
        {"value": {"array": 0}, "arrays": [{"dtype": "float32", "shape": [3]}]},
    ):
        content = json.dumps(head).encode()
        with pytest.raises((LookupError, ValueError, EOFError)):
            read_frame(io.BytesIO(len(content).to_bytes(8, "little") + content))
    with pytest.raises((ValueError, EOFError)):
        read_frame(io.BytesIO(pickle.dumps(print)))


def test_a_sentence_goes_between_processes_with_its_gaps() -> None:
    counted = worded_n("{n} token of {text}", "{n} tokens of {text}", 2, text=worded("Sentence {letter}", letter="A"))
    for each in (
        counted,
        join_sentences(counted, worded("It ends {here}.", here=3.5)),
        pickle.loads(pickle.dumps(counted)),
    ):
        again = sent(each)
        assert (again, again.template, again.plural, again.values) == (each, each.template, each.plural, each.values)
        assert shown_in_korean(again) == shown_in_korean(each) != each
    error = LessonError((3, counted), (7, "plain"))
    assert sent(str(error)).values == str(error).values


def shown_in_korean(message: str) -> str:
    with read_in("ko"):
        return said(message)


@pytest.mark.parametrize(
    ("template", "plural", "values"),
    [
        ("{a.__class__.__init__.__globals__}", "", {"a": "x"}),
        ("{a[0]}", "", {"a": "x"}),
        ("{a!r}", "", {"a": "x"}),
        ("{a:>999999999}", "", {"a": "x"}),
        ("{a:{a}}", "", {"a": 9}),
        ("{}", "", {"a": "x"}),
        ("{b}", "", {"a": "x"}),
        ("{n}", "{n}", {"n": "x"}),
        ("{a}", "", {"a": [1]}),
        ("{a}" * 1000, "", {"a": "x" * 5000}),
    ],
)
def test_a_gap_of_a_strangers_sentence_does_nothing_but_name_what_stands_in_it(
    template: str, plural: str, values: dict[str, object]
) -> None:
    tree = {"says": template, "plural": plural, "values": {"table": values}}
    content = json.dumps({"value": tree, "arrays": []}).encode()
    with pytest.raises((TypeError, ValueError)):
        read_frame(io.BytesIO(len(content).to_bytes(8, "little") + content))


def test_a_strangers_model_answers_as_it_would_here(guest: GuestModel) -> None:
    own = load_folder(MINI_BERT, name="a stranger's", device="cpu")
    same(own.info, guest.info)
    one, other = own.record(TEXT).of("encoder"), guest.record(TEXT).of("encoder")
    assert_close(one.weights(1, 2), other.weights(1, 2))
    steps = guest.walk(TEXT, layer=0, head=1, what_if=WhatIf(name="head_off"))
    assert steps.what_if == WhatIf(name="head_off")


def test_what_it_refuses_is_said_as_here(guest: GuestModel) -> None:
    with pytest.raises(TextError, match="The text is empty") as caught:
        guest.record("")
    assert shown_in_korean(str(caught.value)) == "글에 아무것도 없습니다. 단어를 몇 개 입력하세요."
    with pytest.raises(SelectionError):
        guest.walk(TEXT, layer=99, head=0)
    with pytest.raises(ModelError, match="a stranger's"):
        guest.translate(TEXT)


@pytest.mark.skipif("sys.platform == 'win32'", reason="niceness and sessions")
def test_it_steps_back_alone(guest: GuestModel) -> None:
    """The server it works for stays where it was; Linux shares the processor out by sessions."""
    assert guest.record(TEXT).tokens
    assert guest._process is not None
    niceness = os.getpriority(os.PRIO_PROCESS, guest._process.pid)
    own = os.getpriority(os.PRIO_PROCESS, 0)
    assert niceness > own or niceness == own == MOST_NICE
    assert os.getsid(guest._process.pid) != os.getsid(0)


def test_one_that_takes_too_long_is_ended_and_begins_anew_under_a_limit_of_memory(guest: GuestModel) -> None:
    usual = guest.limits
    guest.limits = GuestLimits(seconds=0.001)
    with pytest.raises(ModelLoadError, match=r"took more than 0\.001 seconds, and was stopped"):
        guest.record("word " * 500)
    if sys.platform == "linux":  # no other system holds a process to a limit of memory
        guest.limits = GuestLimits(megabytes=-150)
        with pytest.raises(ModelError, match="memory"):
            guest.record(TEXT)
    guest.limits = usual
    assert guest.record(TEXT).tokens


def test_one_that_was_ended_from_outside_begins_anew_and_ends_with_its_model() -> None:
    model = GuestModel(MINI_BERT, name="a stranger's")
    first = model._process
    assert first is not None
    first.kill()
    first.wait()
    assert model.record(TEXT).tokens
    second = model._process
    assert second is not None
    assert second.poll() is None
    del model
    assert second.poll() is not None
