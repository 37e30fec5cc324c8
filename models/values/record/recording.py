"""The whole record of one forward pass, with the predictions of an MLM head."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from importlib import import_module
from typing import Any

import numpy as np

from models.values.arguments.check import check_arguments, check_fields
from models.values.arguments.shapes import fix_arrays
from models.values.errors import DeviceError, RecordError, SelectionError
from models.values.places import Image, Waveform
from models.values.record.attention import AttentionRecord
from models.values.record.model_info import ModelInfo, overflowing
from models.values.record.tokens import Array, Kind, Token, kind_name
from models.values.wording import Message, join_sentences, worded

NOTEBOOK = "viz.viewer.notebook"  # by its name: nothing of `models/` needs a picture


@dataclass(frozen=True, slots=True, kw_only=True)
class WordChoice:
    """A word piece of the vocabulary and the probability that a model gives it, 0 to 1."""

    text: str
    probability: float


@dataclass(frozen=True, slots=True, kw_only=True)
class MaskPrediction:
    """The proposals of an MLM head for the mask at `position` of the tokens, best first."""

    position: int
    choices: tuple[WordChoice, ...]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Recording:
    """The whole record of one forward pass.

    `tokens` are the input of the model (of the encoder, if there is one). `hidden_states` [n_layers + 1, n_tokens,
    d_model] is the residual stream of the first stack: the embeddings, then the output of every layer, the last one too
    before a final norm. `final_state` [n_tokens, d] is what is read on top of that stack, by the LM head, the NSP head
    and the classifiers, or by the cross attention of an encoder-decoder: the last hidden state after the final norm, or
    as it is where there is none (post-LN). d is d_model, except where a model projects once more (OPT 350m).
    `segment_b_start` is the index of the first token of sentence B, None for a single text. `note` tells the reader
    what was changed on the way in (a text that was cut), empty if nothing was.
    """

    info: ModelInfo
    tokens: tuple[Token, ...]
    attention: tuple[AttentionRecord, ...]
    hidden_states: Array
    final_state: Array
    segment_b_start: int | None = None
    predictions: tuple[MaskPrediction, ...] = ()
    note: str = ""
    source: Image | Waveform | None = None
    kinds: tuple[Kind, ...] = field(init=False)

    def __post_init__(self) -> None:
        check_fields(self, RecordError)
        if not self.attention:
            raise RecordError("attention is empty, expected at least one AttentionRecord.")
        n_tokens = len(self.tokens)
        fix_arrays(self, hidden_states=("n_states", n_tokens, "d_model"), final_state=(n_tokens, "d_final"))
        if self.info.dtype != "float32" and not np.isfinite(self.final_state).all():
            raise DeviceError(overflowing(self.info))
        object.__setattr__(self, "kinds", tuple(record.kind for record in self.attention))

    def __repr__(self) -> str:
        return f"<attention of {self.info.name}: {'; '.join(record.size for record in self.attention)}>"

    @check_arguments
    def of(self, kind: Kind) -> AttentionRecord:
        """Return the record of one kind of attention. Raises SelectionError if the model has none of that kind."""
        for record in self.attention:
            if record.kind == kind:
                return record
        raise SelectionError(no_such_kind(self.info.name, kind, self.kinds))

    def _repr_mimebundle_(self, **_named: Any) -> dict[str, str] | None:
        """Return the viewer for a notebook and its picture by their MIME types, if `viz` is there; None lets the
        notebook print the value instead."""
        try:
            cell: dict[str, str] = import_module(NOTEBOOK).as_cell(self)
        except ImportError:
            return None
        return cell

    def _repr_html_(self) -> str | None:
        """Return the viewer alone, for a notebook that takes HTML only."""
        cell = self._repr_mimebundle_()
        return None if cell is None else cell["text/html"]


def no_such_kind(model: str, kind: Kind, kinds: Iterable[Kind]) -> Message:
    """Say that a model does not have a kind of attention."""
    known = join_sentences(*map(kind_name, kinds), by=", ")
    return worded("{model} has no {kind} attention, only {kinds}.", model=model, kind=kind_name(kind), kinds=known)
