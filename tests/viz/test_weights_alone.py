"""Every picture of a record that holds weights alone: drawn, or refused with the reason; never a stray error."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterator
from importlib import import_module
from pkgutil import walk_packages
from types import GeneratorType
from typing import Any, get_type_hints

import numpy as np
import pytest

import viz
from models.inspection.costs.online_softmax import walk_blocks
from models.values.record import AttentionRecord, Recording, record_of_weights
from models.values.record.portable import PortableModel
from models.values.results.finding import Finding
from tests.closeness import assert_close
from viz.attention.heatmap import attention_heatmap
from viz.attention.transform import prepare
from viz.kit.demos.answers import random_score
from viz.kit.demos.records import PAIR, plausible_record, recording_of
from viz.kit.errors import NO_VECTORS, PictureError
from viz.kit.theme import LIGHT
from viz.two_models.maps import ModelHead, two_maps
from viz.viewer.html import viewer_html
from viz.viewer.live import Served

WHOLE = plausible_record(PAIR)
ALONE = record_of_weights(
    kind=WHOLE.kind,
    query_tokens=WHOLE.query_tokens,
    key_tokens=WHOLE.key_tokens,
    weights=[WHOLE.layer_weights(layer) for layer in range(WHOLE.n_layers)],
)
FILLED: dict[str, Any] = {
    "layer": 0,
    "head": 1,
    "position": 1,
    "frozen": 2,
    "key": 2,
    "positions": (1,),
    "rows": slice(None),
    "covered": [2],
    "selected": (0, 1),
    "n_rows": 3,
    "whole_words": False,
    "quantity": "weights",
    "view": "head",
    "segment_b_start": 9,
    "centred": True,
    "kind": "encoder",
    "name": "a name",
    "address": {"head": "2"},
    "choices": {"head": 2},
    "ending": "csv",
    "palette": LIGHT,
    "width": 720.0,
    "query": 2,
    "tells": "a line",
    "parts": random_score(),
    "source": "a model",
    "model": PortableModel(
        name="a model", weights=b"", tokenizer={"model": {"vocab": {}}}, config={}, license="MIT", notice="", sha256=""
    ),
    "served": Served(text="", numbers="/numbers", address="/weights", size=1, page="/attention"),
    "heads": [(0, [0, 1])],
    "blocks": walk_blocks(WHOLE, layer=0, head=1, query=2),
    "number": 1,
    "chosen": {"kind": "encoder", "layer": 0, "head": 1},
    "picture": "map",
    "theme": "light",
    "found": Finding(
        kind="encoder", layer=0, head=1, query=1, key=2, weight=0.5, expected=0.1, against="texts", bits=1
    ),
}
"""What a function is handed beside the record, by the name of the parameter."""
NEED_VECTORS = {
    "score_sum",
    "key_list",
    "neuron_view",
    "neuron_colours",
    "project",
    "query_key_plane",
    "plane_table",
    "heads_of_group",
    "group_story",
    "head_maps",
    "common_favourite",
    "head_story",
    "query_bands",
    "compared_bands",
    "look_up",
    "head_table",
    "contributions",
    "sentence_contributions",
    "unsigned_contributions",
    "dimension_bars",
    "sentence_bars",
    "ranked_contributions",
    "dimension_table",
    "whole_head",
    "alike_for_others",
    "dimension_story",
    "expect_vectors",
    "block_bars",
    "end_story",
}
"""The functions that show, or work on, queries, keys and values."""


def of_records() -> Iterator[tuple[str, Callable[..., object]]]:
    """Every public function of `viz` that takes a record or a recording."""
    for module in walk_packages(viz.__path__, "viz."):
        if module.name != "viz.kit.demos.records":
            for name, function in vars(import_module(module.name)).items():
                is_own = inspect.isfunction(function) and function.__module__ == module.name
                if is_own and not name.startswith("_") and _record_parameters(function):
                    yield f"{module.name}.{name}", function


def _record_parameters(function: Callable[..., object]) -> list[str]:
    hints = get_type_hints(function)
    return [name for name in inspect.signature(function).parameters if hints[name] in (AttentionRecord, Recording)]


def called(function: Callable[..., object], record: AttentionRecord) -> object:
    hints, given = get_type_hints(function), {}
    for name, parameter in inspect.signature(function).parameters.items():
        if hints[name] in (AttentionRecord, Recording):
            given[name] = record if hints[name] is AttentionRecord else recording_of(record)
        elif parameter.default is parameter.empty and parameter.kind is not parameter.VAR_KEYWORD:
            given[name] = FILLED[name]
    returned = function(**given)
    return list(returned) if isinstance(returned, GeneratorType) else returned


FUNCTIONS = dict(of_records())


@pytest.mark.parametrize("name", FUNCTIONS)
def test_a_function_draws_the_weights_or_says_what_is_not_there(name: str) -> None:
    function = FUNCTIONS[name]
    called(function, WHOLE)  # what it is handed is right
    if function.__name__ in NEED_VECTORS:
        with pytest.raises(PictureError) as refused:
            called(function, ALONE)
        assert refused.value.args[0] == NO_VECTORS
    else:
        called(function, ALONE)


@pytest.mark.parametrize("head", [None, 0, 3])
@pytest.mark.parametrize("special", ["shown", "hidden", "hidden_renormalised"])
@pytest.mark.parametrize("words", [False, True])
def test_a_heatmap_of_weights_alone_is_that_of_the_whole_record(head: int | None, special: Any, words: bool) -> None:
    drawn, expected = (
        attention_heatmap(record, layer=1, head=head, special=special, words=words) for record in (ALONE, WHOLE)
    )
    assert_close(drawn.data[-1].z, expected.data[-1].z)
    assert drawn.data[-1].customdata is None, "there are no scores for the pointer to read"


@pytest.mark.parametrize("quantity", ["scores", "value_weighted", "output_weighted"])
def test_what_needs_vectors_is_refused_wherever_it_is_asked_for(quantity: Any) -> None:
    for draw in (attention_heatmap, prepare):
        with pytest.raises(PictureError, match="only its weights"):
            draw(ALONE, layer=0, head=0, quantity=quantity)
    with pytest.raises(PictureError, match="only its weights"):
        viewer_html(recording_of(ALONE), quantity=quantity)


def test_two_models_are_drawn_beside_each_other() -> None:
    one, other = (ModelHead(name=name, record=record, layer=0, head=2) for name, record in (("a", ALONE), ("b", WHOLE)))
    figure = two_maps(one, other, token=(1, 1))
    assert_close(np.nan_to_num(figure.data[0].z.astype(float)), WHOLE.weights(0, 2))
