"""What there is not, a layer, a head, a method, a mask, a row that sums to 1, is said with what there is."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace
from functools import cache

import numpy as np
import pytest
import torch

import viz
from models import load
from models.analysis import (
    Example,
    ablate,
    atlas,
    attribute,
    attribute_by,
    compare,
    contrast_of,
    faithfulness,
    faithfulness_sums,
    head_paths,
    mean_outputs,
    measure_heads,
    patch,
    pruning_curve,
    strongest,
)
from models.recording.recorder import recording
from models.values.errors import ArgumentError, DeviceError, HeadlightError, RecordError, SelectionError, TextError
from models.values.probing.changes import Changes, HeadEdit, StateEdit
from models.values.probing.contrast import Contrast
from models.values.record import AttentionRecord, Token, record_of_weights
from tests.models.probed import opened

TEXT, PLAIN = "The [MASK] crossed the street.", "The animal crossed the street."
TOKENS = tuple(Token(text=letter) for letter in "abc")
WEIGHTS = np.full((2, 3, 3), 1 / 3, np.float32)
HEAD = ("encoder", 0, 0)


@cache
def contrast() -> Contrast:
    return contrast_of(opened("bert"), TEXT)


@cache
def record() -> AttentionRecord:
    return opened("bert").record(TEXT).of("encoder")


def weights_alone(*layers: object, **others: object) -> AttentionRecord:
    given = {"kind": "encoder", "query_tokens": TOKENS, "key_tokens": TOKENS, "weights": layers}
    return record_of_weights(**{**given, **others})


def under(**edit: object) -> object:
    """The answer with one head changed."""
    given = {"kind": "encoder", "layer": 0, "head": 0, "by": "zero", **edit}
    return opened("bert").answer_logits(TEXT, changes=Changes(heads=(HeadEdit(**given),)))


def with_states(positions: tuple[int, ...], shape: tuple[int, int]) -> object:
    edit = StateEdit(stack="encoder", layer=0, positions=positions, states=np.zeros(shape, np.float32))
    return opened("bert").answer_logits(TEXT, changes=Changes(states=(edit,)))


def without(**edit: object) -> object:
    given = {"kind": "decoder", "layer": 0, "head": 0, "by": "zero", **edit}
    return opened("gpt2").write_without(PLAIN, heads=[HeadEdit(**given)], n_new=1)


def shown(given: object) -> str:
    return viz.head_view(given)


def calls_kept() -> list[object]:
    with recording() as calls:
        opened("bert").record(PLAIN)
    return calls


CASES: dict[str, tuple[Callable[[], object], type[HeadlightError], str]] = {
    # texts
    "a list to record": (lambda: opened("bert").record(["a", "b"]), ArgumentError, "call it once for each"),
    "ids to record": (lambda: opened("bert").record([101, 7]), ArgumentError, "tokenizer.decode(ids)"),
    "a tensor to record": (lambda: opened("bert").record(torch.ones(1, 3)), ArgumentError, "Tensor [1, 3]"),
    "bytes to record": (lambda: opened("bert").record(b"a"), ArgumentError, 'decode("utf-8")'),
    "nothing to record": (lambda: opened("bert").record(""), TextError, "The text is empty"),
    "a number beside": (lambda: opened("bert").record("a", 3), ArgumentError, "text_b is 3"),
    "no second text": (lambda: opened("bert").next_sentence("a", " "), TextError, "no second sentence"),
    "letters as texts": (lambda: atlas(opened("bert"), "a text"), ArgumentError, "text.splitlines()"),
    "a number among texts": (lambda: atlas(opened("bert"), ["a", 3]), ArgumentError, "texts[1] is 3"),
    "one by one": (lambda: atlas(opened("bert"), (each for each in ("a", 3))), ArgumentError, "texts[1] is 3"),
    "no text": (lambda: atlas(opened("bert"), []), TextError, "one sentence a line"),
    "a table": (lambda: atlas(opened("bert"), {"text": ["a"]}), ArgumentError, "list(given.values())"),
    "a name for a model": (lambda: atlas("mini-bert", ["a"]), ArgumentError, "load('mini-bert')"),
    "texts by name": (lambda: faithfulness_sums(opened("bert"), ["a"], ["alty"]), SelectionError, "'alti'"),
    # masks and numbers
    "no mask to fill": (lambda: opened("bert").fill_mask(PLAIN), TextError, "Type [MASK] where"),
    "no word": (lambda: opened("bert").fill_mask(TEXT, top_k=0), ArgumentError, "at least 1"),
    "words as text": (lambda: opened("bert").fill_mask(TEXT, top_k="5"), ArgumentError, "top_k is '5'"),
    "no such answer": (lambda: opened("bert").answer_logits(TEXT, of="masks"), SelectionError, "mean 'mask'"),
    "no such token": (lambda: opened("bert").answer_logits(TEXT, position=99), SelectionError, "tokens 0 to"),
    "no temperature": (lambda: opened("gpt2").continue_text("a", temperature=float("nan")), ArgumentError, "nan"),
    "no seed": (lambda: opened("gpt2").continue_text("a", seed=2**70), ArgumentError, "seed is"),
    "no such device": (lambda: load("mini-bert", device="gpu"), DeviceError, "Try 'auto'"),
    # heads and layers
    "by zeros": (lambda: ablate(opened("bert"), TEXT, by="zeros"), SelectionError, "Did you mean 'zero'?"),
    "all heads": (lambda: ablate(opened("bert"), TEXT, "all"), ArgumentError, "every_layer(recording)"),
    "pairs": (lambda: ablate(opened("bert"), TEXT, [(0, 3)]), ArgumentError, "heads[0] is (0, 3)"),
    "a kind": (lambda: ablate(opened("bert"), TEXT, [("cross", 0, 0)]), SelectionError, "only encoder"),
    "a layer": (lambda: ablate(opened("bert"), TEXT, [("encoder", 9, 0)]), SelectionError, "layers 0 to 2"),
    "a layer below": (lambda: ablate(opened("bert"), TEXT, [("encoder", -1, 0)]), SelectionError, "layers 0 to 2"),
    "a head": (lambda: ablate(opened("bert"), TEXT, [("encoder", 0, 9)]), SelectionError, "heads 0 to 3"),
    "other means": (
        lambda: ablate(opened("bert"), TEXT, by="mean", means=mean_outputs([opened("gpt2").record(PLAIN)])),
        RecordError,
        "another model",
    ),
    "a receiver": (lambda: head_paths(opened("bert"), TEXT, (0, 1)), ArgumentError, "('encoder', 0, 3)"),
    "resid_pre": (lambda: patch(opened("bert"), TEXT, TEXT, what="resid_pre"), SelectionError, "'states', 'outputs'"),
    "a method": (lambda: attribute(opened("bert"), TEXT, "alty"), SelectionError, "Did you mean 'alti'?"),
    "one method": (lambda: attribute_by(opened("bert"), TEXT, "alti"), ArgumentError, "['alti']"),
    "no fraction": (lambda: faithfulness(opened("bert"), TEXT, fractions=[]), ArgumentError, "at least one"),
    "fractions": (lambda: faithfulness(opened("bert"), TEXT, fractions=[1, 2]), ArgumentError, "from 0 to 1"),
    "examples": (lambda: pruning_curve(opened("bert"), [TEXT]), ArgumentError, "Example(text=text"),
    "an example": (lambda: Example(text=TEXT, contrast="dog"), ArgumentError, "contrast_of(model"),
    "a head of a record": (lambda: record().weights(0, 9), SelectionError, "heads 0 to 3"),
    "a head as text": (lambda: record().weights(0, "0"), ArgumentError, "head is '0'"),
    "a head as truth": (lambda: record().weights(0, True), ArgumentError, "head is True"),
    "a layer beside": (
        lambda: compare(record(), record(), one_layer=0, other_layer=9, one_head=0, other_head=None),
        SelectionError,
        "layers 0 to 2",
    ),
    # changes
    "a changed kind": (lambda: under(kind="cross"), SelectionError, "only encoder"),
    "a changed position": (lambda: under(positions=(99,)), SelectionError, "positions 0 to"),
    "a changed shape": (lambda: under(by=None, weights=np.zeros((2, 2), np.float32)), SelectionError, "weights has"),
    "a changed output": (lambda: under(by=None, output=np.zeros((2, 2), np.float32)), SelectionError, "output has"),
    "a changed state": (lambda: with_states((0,), (1, 3)), SelectionError, "states has the shape [1, 3]"),
    "a state behind": (lambda: with_states((99,), (1, 32)), SelectionError, "positions 0 to"),
    "a hidden token": (
        lambda: opened("bert").answer_logits(TEXT, changes=Changes(hidden=(("encoder", 99),))),
        SelectionError,
        "0 to",
    ),
    "a blank token": (
        lambda: opened("bert").answer_logits(TEXT, changes=Changes(blank=(("encoder", -1),))),
        SelectionError,
        "0 to",
    ),
    "cross in a decoder": (lambda: without(kind="cross"), SelectionError, "only decoder"),
    "a layer in writing": (lambda: without(layer=9), SelectionError, "layers 0 to"),
    "a choice": (
        lambda: opened("bert").gradients(TEXT, contrast=replace(contrast(), rival=10**7)),
        SelectionError,
        "choices 0",
    ),
    "a group of nothing": (lambda: HeadEdit(kind="encoder", layer=0, head=0, by="zeros"), RecordError, "'zero'"),
    # records
    "a recording to draw": (lambda: shown(opened("bert").record(PLAIN)), ArgumentError, "recording.of('encoder')"),
    "a model to draw": (lambda: shown(opened("bert")), ArgumentError, "Record a text first"),
    "calls to draw": (lambda: shown(calls_kept()), ArgumentError, "model.record(text)"),
    "a context to draw": (lambda: shown(recording()), ArgumentError, "model.record(text)"),
    "a tensor to draw": (lambda: shown(torch.zeros(1, 2, 3, 3)), ArgumentError, "record_of_weights"),
    "attentions to draw": (lambda: shown((torch.zeros(1, 2, 3, 3),) * 2), ArgumentError, "axis of a batch"),
    "a text to draw": (lambda: shown(TEXT), ArgumentError, "Record a text first"),
    "a record for all": (lambda: viz.viewer_html(record()), ArgumentError, "the whole recording"),
    "one record": (lambda: measure_heads(record()), ArgumentError, "[record]"),
    "one recording": (lambda: mean_outputs(opened("bert").record(PLAIN)), ArgumentError, "[recording]"),
    "a quantity": (lambda: viz.attention_heatmap(record(), layer=0, quantity="score"), SelectionError, "'scores'"),
    "a theme": (lambda: viz.head_view(record(), theme="drak"), SelectionError, "'dark'"),
    "a width": (lambda: viz.attention_heatmap(record(), layer=0, width=0), HeadlightError, "at least 1"),
    "heads of a viewer": (
        lambda: viz.viewer_html(opened("bert").record(PLAIN), heads="all"),
        ArgumentError,
        "heads is 'all'",
    ),
    "a choice of a viewer": (
        lambda: viz.viewer_html(opened("bert").record(PLAIN), layers=1),
        HeadlightError,
        "Did you mean 'layer'?",
    ),
    # weights
    "a batch": (lambda: weights_alone(WEIGHTS[None]), RecordError, "[layer[0] for layer in weights]"),
    "a batch of all": (lambda: weights_alone(weights=WEIGHTS[None, None]), RecordError, "without the axis of a batch"),
    "whole numbers": (lambda: weights_alone(WEIGHTS.astype(int)), ArgumentError, "int64"),
    "double": (lambda: weights_alone(WEIGHTS.astype(float)), ArgumentError, "astype(numpy.float32)"),
    "a tensor of weights": (lambda: weights_alone(torch.tensor(WEIGHTS)), ArgumentError, ".cpu().numpy()"),
    "below 0": (lambda: weights_alone(-WEIGHTS), RecordError, "below 0"),
    "no numbers": (lambda: weights_alone(WEIGHTS * np.float32("nan")), RecordError, "NaN"),
    "half": (lambda: weights_alone(WEIGHTS / 2), RecordError, "sums to 0.5, expected 1"),
    "a head alone": (lambda: weights_alone(WEIGHTS[0]), RecordError, "[n_heads, n_query, n_key]"),
    "another shape": (lambda: weights_alone(WEIGHTS, WEIGHTS[:1]), RecordError, "weights[1] has the shape"),
    "no weights": (weights_alone, RecordError, "weights is empty"),
    "texts for tokens": (lambda: weights_alone(WEIGHTS, key_tokens="abc"), ArgumentError, "key_tokens is 'abc'"),
    "words for tokens": (lambda: weights_alone(WEIGHTS, key_tokens=["a", "b", "c"]), ArgumentError, "Token(text="),
    "shares": (lambda: strongest(np.zeros(3, np.float32)), RecordError, "[n_layers, n_heads]"),
}


@pytest.mark.parametrize("case", CASES)
def test_what_there_is_not_is_said_with_what_there_is(case: str) -> None:
    run, error, says = CASES[case]
    with pytest.raises(error, match=re.escape(says)):
        run()


def test_what_fits_is_taken_as_it_is() -> None:
    alone = weights_alone(WEIGHTS, WEIGHTS)
    assert weights_alone(weights=np.stack([WEIGHTS, WEIGHTS])).n_layers == alone.n_layers
    rows = np.array(WEIGHTS)
    rows[:, 0] = 0
    assert weights_alone(rows).weights(0, 1)[0].tolist() == [0, 0, 0]
    assert viz.head_view(alone, layer=np.int64(1), head=np.int32(0))
    model = opened("bert")
    assert len(ablate(model, TEXT, [HEAD, [HEAD, ("encoder", 1, 0)]]).groups) == 2
    assert head_paths(model, TEXT, ["encoder", 1, 0], senders=[list(HEAD)]).senders == (HEAD,)
    assert atlas(model, iter([PLAIN, TEXT]))[0].n_texts == 2
    assert atlas(model, np.array([PLAIN, TEXT]))[0].n_texts == 2
