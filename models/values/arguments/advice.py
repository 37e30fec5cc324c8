"""Advise what to do about a value of the wrong kind, by its kind and the expected one.

The kinds are told apart by their names and attributes: nothing here imports torch, transformers or models.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import PurePath
from typing import Any, get_args, get_origin

import numpy as np

from models.values.arguments.bounds import Called
from models.values.arguments.fit import alternatives, is_several, is_tensor, misfit, row_of
from models.values.wording import to_say, worded

MODELS = frozenset({"Model"})
MADE_BY: dict[str, str] = {
    "Ablation": "ablate(model, text)",
    "AttentionComparison": "compare(one, other, one_layer=0, other_layer=0, one_head=0, other_head=0)",
    "Changes": 'Changes(heads=(HeadEdit(kind="encoder", layer=0, head=3, by="zero"),))',
    "Contrast": 'contrast_of(model, text, answer="dog", rival="cat")',
    "Example": "Example(text=text, contrast=contrast)",
    "Faithfulness": "faithfulness(model, text)",
    "HeadAtlas": "atlas(model, texts)",
    "JacobianLens": "jacobian_lens(model, texts)",
    "Matrix": "prepare(record, layer=0, head=0)",
    "ShuffledPair": "model.record_shuffled(text, with_positions=True)",
    "HeadEdit": 'HeadEdit(kind="encoder", layer=0, head=3, by="zero")',
    "HeadImportance": "head_importance(model, text)",
    "Lesson": "read_lesson(text, known)",
    "OutputSums": "mean_outputs(recordings)",
    "Token": 'Token(text="the")',
    "Writing": "model.continue_text(text)",
}
"""The code that makes a value, by the name of its class."""
_RECORDS = frozenset({"AttentionRecord", "Recording"})


def advice(value: Any, expected: Any) -> str:
    """A sentence that says what to do; empty where none is known."""
    return next(_advice(value, expected), "")


def _advice(value: Any, expected: Any) -> Iterator[str]:
    row = row_of(expected)
    yield from (mark.instead for mark in get_args(row or expected) if isinstance(mark, Called) and mark.instead)
    names = {getattr(alternative, "__name__", "") for alternative in alternatives(expected)}
    if names & MODELS:
        yield from _for_a_model(value)
    elif names & _RECORDS:
        yield from _for_a_record(value, is_whole="Recording" in names)
    elif row is not None and getattr(row, "__name__", "") in _RECORDS and _name(value) not in (row.__name__, "list"):
        yield from _for_a_record(value, is_whole=row.__name__ == "Recording")
    elif row is not None:
        yield from _for_several(value, row)
    elif names & MADE_BY.keys():
        yield worded("It is made by {code}.", code=MADE_BY[next(iter(sorted(names & MADE_BY.keys())))])
    elif str in alternatives(expected):
        yield from _for_a_text(value)
    elif any(get_origin(alternative) is np.ndarray for alternative in alternatives(expected)):
        yield from _for_an_array(value)


def _for_a_model(value: Any) -> Iterator[str]:
    if isinstance(value, str | PurePath):
        yield worded("Open it first: {code}.", code=f"load({str(value)!r})")
    elif hasattr(value, "save_pretrained"):
        yield worded("Save it with {code}, and open the folder: {load}.", code="save_pretrained", load="load(folder)")
    else:
        yield worded("Pass a model, as {code} opens one.", code='load("headlight-bert")')


def _for_a_record(value: Any, *, is_whole: bool) -> Iterator[str]:
    """Advise what to pass for a recording, `is_whole`, or for the record of one kind of its attention."""
    of = "" if is_whole else '.of("encoder")'
    if _name(value) == "Recording":
        choices = ", ".join(f"recording.of({kind!r})" for kind in getattr(value, "kinds", ()))
        yield worded("Pass the attention of one kind: {code}.", code=choices)
    elif _name(value) == "AttentionRecord":
        yield worded("Pass the whole recording that it is of, which {code} gives.", code="model.record(text)")
    elif hasattr(value, "recording") and hasattr(value, "written"):
        yield worded("Pass what it has recorded: {code}.", code=f"writing.recording{of.replace('encoder', 'decoder')}")
    elif hasattr(value, "record") or isinstance(value, str):
        yield worded("Record a text first: {code}.", code=f'load("headlight-bert").record("The cat sat."){of}')
    elif is_tensor(value) or _holds_weights(value):
        yield worded(
            "Weights alone become a record by {code}: for each layer one float32 array [n_heads, n_query, n_key], "
            "without the axis of a batch, with the tokens of its rows and columns.",
            code="models.values.record.record_of_weights",
        )
    else:
        yield worded("It is what {code} gives.", code=f"model.record(text){of}")


def _holds_weights(value: Any) -> bool:
    """Whether a value has the attentions of transformers, or is a row of arrays, one a layer."""
    if hasattr(value, "attentions") or hasattr(value, "__array__"):
        return True
    is_row = isinstance(value, list | tuple) and bool(value)
    return is_row and all(hasattr(item, "__array__") or is_tensor(item) for item in value)


def _for_several(value: Any, row: Any) -> Iterator[str]:
    is_one = misfit("", value, row) is None
    if isinstance(value, PurePath):
        code = "models.analysis.over_texts.corpus.texts_of(path)"
        yield worded("Read the file first: {code}.", code=code)
    elif hasattr(value, "columns"):
        yield worded("Choose a column of the table: {code}.", code='table["text"]')
    elif isinstance(value, set | frozenset):
        yield worded("A set has no order. Give a list: {code}.", code="sorted(given)")
    elif isinstance(value, Mapping):
        yield worded("Give its values: {code}.", code="list(given.values())")
    elif isinstance(value, str) and is_one and row is not str:
        yield worded(
            "Put a single one into a list, {one}, or cut it into lines: {lines}.",
            one="[text]",
            lines="text.splitlines()",
        )
    elif is_one:
        yield worded("Put a single one into a list: {one}.", one=f"[{_variable(value)}]")


def _for_a_text(value: Any) -> Iterator[str]:
    if isinstance(value, bytes | bytearray):
        yield worded("Make text of the bytes: {code}.", code='given.decode("utf-8")')
    elif isinstance(value, PurePath):
        yield worded("Read the file first: {code}.", code='path.read_text(encoding="utf-8")')
    elif is_tensor(value) or (is_several(value) and _are_ids(value)):
        yield worded("A model reads text itself, not token ids: {code}.", code="tokenizer.decode(ids)")
    elif is_several(value):
        yield to_say("One call takes one text: call it once for each.")


def _are_ids(value: Any) -> bool:
    return isinstance(value, list | tuple) and bool(value) and all(isinstance(item, int) for item in value)


def _for_an_array(value: Any) -> Iterator[str]:
    if is_tensor(value):
        yield worded("Make an array of it: {code}.", code="tensor.detach().float().cpu().numpy()")
    elif hasattr(value, "astype"):
        yield worded("Convert it: {code}.", code="array.astype(numpy.float32)")


def _name(value: Any) -> str:
    return type(value).__name__


def _variable(value: Any) -> str:
    """A value as code names it."""
    names = {"AttentionRecord": "record", "Recording": "recording", "Writing": "writing"}
    return names.get(_name(value), repr(value) if isinstance(value, str | int | float) else "given")
