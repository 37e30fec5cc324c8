"""What a person calls says in a sentence which argument is of a wrong kind, what was given, and what is possible.

The arguments are checked before anything is computed: no model is needed, and a function is called with nothing but
the one argument that is wrong.
"""

from __future__ import annotations

import collections.abc
import importlib
import inspect
import pkgutil
import types
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Annotated, Any, Union, get_args, get_origin, get_type_hints

import numpy as np
import pytest
import torch

import lessons
import models.analysis
import viz
from models.analysis.over_texts.corpus import texts_of
from models.huggingface.modalities.pictures import PictureModel
from models.huggingface.modalities.sounds import SoundModel
from models.huggingface.model import HuggingFaceModel
from models.inspection.costs.online_softmax import walk_blocks
from models.model import QUESTIONS, Model
from models.opening.forwarding import ModelElsewhere
from models.opening.guest import GuestModel
from models.opening.relatives import of_one_tokenizer, snapshots_beside
from models.recording.recorder import intervening
from models.scratch_models.decoder import ScratchDecoder
from models.scratch_models.encoder import ScratchModel
from models.scratch_models.translator import ScratchTranslator
from models.tasks.sampling import sampling_steps
from models.values.answers import LayerwisePrediction, MaskedText
from models.values.errors import HeadlightError
from models.values.history import HeadShares, History, SnapshotAnswer
from models.values.probing.contrast import AnswerLogits
from models.values.probing.stream import AnswerStreams, ResidualStream
from models.values.record import AttentionRecord, Recording, record_of_weights
from models.values.results.atlas import HeadAtlas
from models.values.results.attribution import Attribution, Faithfulness
from models.values.steps import LayerWalk
from models.values.text.languages import Languages
from models.values.writing import TokenGuesses, Writing
from viz.heads.compared import comparison_finding
from viz.kit.demos.records import random_recording
from viz.viewer.comparison import comparison_html

RECORDING = random_recording(n_tokens=4)
ATTENTIONS = tuple(torch.zeros(1, 2, 4, 4) for _ in range(2))
OF_DOCUMENTS = (
    record_of_weights,
    texts_of,
    comparison_html,
    comparison_finding,
    of_one_tokenizer,
    snapshots_beside,
    intervening,
    PictureModel.record,
    SoundModel.record,
    Recording.of,
    AttentionRecord.weights,
    AttentionRecord.scores,
    AttentionRecord.head_output,
    AttentionRecord.mean_weights,
    AttentionRecord.layer_weights,
    MaskedText.best,
    MaskedText.of,
    LayerwisePrediction.best,
    AnswerLogits.best,
    AnswerLogits.contrast,
    HeadAtlas.of,
    HeadAtlas.strongest,
    HeadAtlas.roles_of,
    HeadAtlas.examples_of,
    Writing.token,
    TokenGuesses.of,
    AnswerLogits.difference,
    AnswerStreams.of,
    Attribution.of_words,
    Faithfulness.points,
    Faithfulness.area,
    HeadShares.of,
    History.records,
    History.measures,
    History.shares,
    Languages.choose,
    LayerWalk.step,
    ResidualStream.attention,
    SnapshotAnswer.best,
    walk_blocks,
    sampling_steps,
)
MODELS = (ScratchModel, ScratchDecoder, ScratchTranslator, HuggingFaceModel, ModelElsewhere, GuestModel)
FOR_OTHER_FIGURES = ("viz.kit.", "demo")
"""Modules of what pictures are made of."""


WRONG: dict[Any, tuple[Any, ...]] = {
    AttentionRecord: (RECORDING, ATTENTIONS, [RECORDING.attention[0]], Path("record")),
    Recording: (RECORDING.attention[0], ATTENTIONS, [RECORDING]),
    str: (["one", "two"], b"one"),
    int: ([0],),
}
"""What people hand in where a value of a class is expected."""


def public_functions() -> Iterator[tuple[str, Callable[..., Any]]]:
    """All functions that packages export, that the documents show, and that draw."""
    for package in (models.analysis, lessons, viz):
        for name in package.__all__:
            if inspect.isfunction(getattr(package, name)):
                yield f"{package.__name__}.{name}", getattr(package, name)
    yield from ((each.__qualname__, each) for each in OF_DOCUMENTS)
    for module in pkgutil.walk_packages(viz.__path__, "viz."):
        if not any(part in module.name for part in FOR_OTHER_FIGURES):
            yield from figures_of(module.name)


def figures_of(name: str) -> Iterator[tuple[str, Callable[..., Any]]]:
    """The public functions of a module that give a figure of something."""
    for function in vars(importlib.import_module(name)).values():
        is_own = inspect.isfunction(function) and function.__module__ == name and function.__name__[0] != "_"
        if (
            is_own
            and inspect.signature(function).return_annotation == "go.Figure"
            and "figure" not in (inspect.signature(function).parameters)
        ):
            yield f"{name}.{function.__name__}", function


def answers_of_models() -> Iterator[tuple[str, Callable[..., Any]]]:
    """What each class of models answers by itself, or hands on to another process."""
    for model in MODELS:
        for question in QUESTIONS:
            answer = getattr(model, question)
            if answer is not getattr(Model, question):
                yield f"{model.__name__}.{question}", answer


def wrong_arguments(function: Callable[..., Any]) -> Iterator[tuple[str, Any]]:
    """(name of an argument, a value of another kind), for every argument."""
    called = function.__init__ if inspect.isclass(function) else function
    hints = get_type_hints(inspect.unwrap(called), include_extras=True)
    for argument, given in inspect.signature(called).parameters.items():
        if argument != "self" and given.kind not in (given.VAR_KEYWORD, given.VAR_POSITIONAL):
            yield from ((argument, wrong) for wrong in wrong_for(hints[argument]))


def wrong_for(hint: Any) -> Iterator[Any]:
    """Values that no annotation of this kind means."""
    kinds = {get_origin(each) or each for each in alternatives(hint)}
    if kinds & {Any, object}:
        return
    is_array = any(isinstance(each, type) and issubclass(each, np.ndarray) for each in kinds)
    is_number = bool(kinds & {int, float, bool})
    wrong = {
        None: type(None) not in kinds,
        "sideways": str not in kinds,
        3: not is_number,
        True: is_number and bool not in kinds,
    }
    yield from (value for value, is_wrong in wrong.items() if is_wrong)
    if not is_array:
        yield ATTENTIONS[0]
    if not kinds & {collections.abc.Mapping, dict}:
        yield {"a": 1}
    for of, others in WRONG.items():
        yield from others if of in kinds else ()


def alternatives(hint: Any) -> Iterator[Any]:
    """What a hint allows, one by one."""
    if get_origin(hint) is Annotated:
        yield from alternatives(get_args(hint)[0])
    elif get_origin(hint) in (Union, types.UnionType):
        for each in get_args(hint):
            yield from alternatives(each)
    else:
        yield hint


PUBLIC = dict([*public_functions(), *answers_of_models()])


@pytest.mark.parametrize("name", PUBLIC)
def test_an_argument_of_a_wrong_kind_is_named_with_what_is_possible(name: str) -> None:
    function = PUBLIC[name]
    is_method = "." in function.__qualname__ and not inspect.isclass(function)
    unsaid = [
        (argument, type(wrong).__name__, said)
        for argument, wrong in wrong_arguments(function)
        if not is_sentence(argument, said := what_is_said(function, is_method, argument, wrong))
    ]
    assert unsaid == []


def what_is_said(function: Callable[..., Any], is_method: bool, argument: str, wrong: Any) -> str:
    """The sentence of the error, or else what came of it."""
    try:
        function(*([object()] if is_method else []), **{argument: wrong})
    except HeadlightError as error:
        return str(error)
    except Exception as error:  # noqa: BLE001 - it is named
        return f"{type(error).__name__}: {error}"
    return "no error"


def is_sentence(argument: str, said: str) -> bool:
    """Whether it names the argument, what was given and what is possible, in nobody's inner words."""
    begins = said.startswith((f"{argument} is ", f"{argument}["))
    has_inner_words = "typing" in said or "<class" in said
    return begins and ", expected " in said and said[-1] in ".?" and not has_inner_words
