"""A call that does not fit is told in a sentence: what is missing, unknown or too much; and what counts as a number."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from typing import Annotated, Any

import numpy as np
import pytest
import torch

from models import load
from models.analysis import ablate, faithfulness, read_atlas
from models.values.arguments.bounds import AtLeastOne
from models.values.arguments.check import check_arguments
from models.values.errors import ArgumentError, RecordError
from viz import show
from viz.attention.heatmap import attention_heatmap
from viz.kit.demos.records import random_recording

RECORD = random_recording(n_tokens=4).attention[0]


@check_arguments
def count(texts: Sequence[str], times: int = 1, *, by: float = 1.0) -> tuple[int, float]:
    """A function as the library has them."""
    return len(texts) * times, by


@check_arguments
def fail(text: str) -> str:
    """One with an error of its own."""
    raise TypeError(f"of {text}")


@check_arguments
def collect(texts: Annotated[Iterable[str], AtLeastOne()] | None = None) -> int:
    """One that takes an iterable in any order."""
    return len(list(texts or ()))


@pytest.mark.parametrize(
    ("call", "says"),
    [
        (count, "count() was called without texts. It takes texts, times, by."),
        (
            lambda: count(["a"], tims=2),
            "count() has no argument tims. Did you mean 'times'? It takes texts, times, by.",
        ),
        (lambda: count(["a"], 1, 2), "Without names it takes at most texts, times. Give others by name: by=…."),
        (ablate, "ablate() was called without model, text. It takes model, text, heads,"),
        (load, "load() was called without name. It takes name, tokenizer, device,"),
        (lambda: load("headlight-bert", devce="cpu"), "load() has no argument devce. Did you mean 'device'?"),
        (lambda: load("headlight-bert", None, "cpu"), "Without names it takes at most name, tokenizer."),
        (lambda: attention_heatmap(RECORD, 0, 0), "it takes at most record. Give others by name: layer=…, head=…"),
        (RECORD.mean_weights, "mean_weights() was called without layer. It takes layer"),
    ],
)
def test_a_call_that_does_not_fit_says_what_the_function_takes(call: Callable[[], Any], says: str) -> None:
    with pytest.raises(ArgumentError, match=re.escape(says)):
        call()


def test_an_error_from_inside_is_left_as_it_is() -> None:
    with pytest.raises(TypeError, match="of it") as caught:
        fail("it")
    assert not isinstance(caught.value, ArgumentError)


@pytest.mark.parametrize("two", [np.int64(2), np.array(2), torch.tensor(2), torch.tensor([1, 2]).max()])
def test_a_number_of_numpy_or_torch_is_a_number(two: Any) -> None:
    given = count(["a"], two, by=two * 0.5)
    assert given == (2, 1.0)
    assert [type(number) for number in given] == [int, float]


@pytest.mark.parametrize(
    ("value", "shown"),
    [
        (torch.tensor(True), "True"),
        (torch.tensor(2.0), "2.0"),
        (torch.tensor([2]), "Tensor [1] int64"),
        (np.array([2]), "ndarray [1] int64"),
    ],
)
def test_what_only_looks_like_a_whole_number_is_none(value: Any, shown: str) -> None:
    with pytest.raises(ArgumentError, match=re.escape(f"times is {shown}, expected a whole number (int).")):
        count(["a"], value)


def test_a_set_is_no_list_but_may_be_gone_through() -> None:
    with pytest.raises(ArgumentError, match=r"A set has no order\. Give a list: sorted\(given\)\."):
        count({"a", "b"})
    with pytest.raises(ArgumentError, match="tokens is "):
        show(np.eye(3), {"a", "b", "c"})
    assert collect({"a", "b"}) == 2
    assert count({"a": 1, "b": 2}.keys()) == (2, 1.0)


def test_nothing_in_the_place_of_a_choice_is_said() -> None:
    with pytest.raises(
        ArgumentError, match=r"texts is \[\], expected a list, each item a text \(str\), at least one or None"
    ):
        collect([])
    model = object.__new__(type(load("headlight-bert", device="cpu")))
    for call in (
        lambda: ablate(model, "The [MASK].", heads=[]),
        lambda: faithfulness(model, "The [MASK].", methods=[]),
    ):
        with pytest.raises(ArgumentError, match="at least one"):
            call()


@pytest.mark.parametrize("text", ["atlas.json", "{}", "[]", '{"form":'])
def test_what_is_no_atlas_is_said_in_our_words(text: str) -> None:
    with pytest.raises(RecordError, match=r"The text is no atlas of heads, expected what atlas_json\(atlases\) writes"):
        read_atlas(text)


def test_a_pair_of_other_kinds_is_shown_with_each_of_them() -> None:
    with pytest.raises(ArgumentError, match=re.escape("heads[0] is ('encoder', 0, Tensor [] int64), expected a head")):
        ablate(load("headlight-bert", device="cpu"), "The [MASK].", heads=[("encoder", 0, torch.tensor(1))])
