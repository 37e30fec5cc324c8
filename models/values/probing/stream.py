"""The residual stream of one pass as a sum: what every head and every feed-forward network adds, and the norms between.

"The residual stream is simply the sum of the output of all the previous layers" (Elhage et al. 2021, "A Mathematical
Framework for Transformer Circuits"). In post-LN models a norm follows each sum. With its mean and deviation held at
what they were in the pass, a norm is linear, and so the sum stays one.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Literal

import numpy as np

from models.values.arguments.check import check_arguments
from models.values.arguments.shapes import fix_arrays, make_read_only
from models.values.errors import RecordError, SelectionError
from models.values.probing.changes import Stack
from models.values.probing.contrast import Contrast
from models.values.record import Array, Kind, ModelInfo, Token, kind_name
from models.values.wording import worded
from models.values.writing import Numbers

EmbeddingName = Literal["token", "position", "segment"]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class FixedNorm:
    """A layer norm with the statistics of one pass: gain · (x - mean(x)) / deviation + shift.

    `gain` and `shift` [d_model], `deviation` [n_tokens], the root of the variance and `epsilon`. RMS norms (Zhang and
    Sennrich 2019) do not subtract the mean: `is_centred` is False.
    """

    gain: Array
    shift: Array
    deviation: Array
    epsilon: float
    is_centred: bool

    def __post_init__(self) -> None:
        fix_arrays(self, gain=("d_model",), shift=("d_model",), deviation=("n_tokens",))

    def linear(self, parts: Array, position: int) -> Array:
        """Norm some parts [..., d_model] of the vector at a position, without the shift.

        The normed parts add up to the normed vector without its shift.
        """
        centred = parts - parts.mean(axis=-1, keepdims=True) if self.is_centred else parts
        normed: Array = centred * (self.gain / self.deviation[position])
        return normed

    def exact(self, vectors: Array) -> Array:
        """Norm other vectors [n_tokens, d_model] by statistics of their own, as the model does."""
        centred = vectors - vectors.mean(axis=-1, keepdims=True) if self.is_centred else vectors
        deviation = np.sqrt((centred**2).mean(axis=-1, keepdims=True) + np.float32(self.epsilon))  # [n_tokens, 1]
        normed: Array = centred / deviation * self.gain + self.shift
        return normed

    def before(self, directions: Numbers, position: int) -> Numbers:
        """Return the directions [..., d_model] before the norm that read what `directions` read after it: the transpose
        of `linear`."""
        scaled: Numbers = directions * self.gain / self.deviation[position]
        return scaled - scaled.mean(axis=-1, keepdims=True) if self.is_centred else scaled


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Projection:
    """The projection of heads into the residual stream: `weight` [n_heads, d_head, d_model] (W_O, a slice a head),
    `bias` [d_model], and the norm that some models put after it. `value_bias` [n_heads, d_head] is the part of
    every value that no token changes; zeros where the projection of the values was not found."""

    weight: Array
    bias: Array
    value_bias: Array
    norm: FixedNorm | None = None

    def __post_init__(self) -> None:
        heads = ("n_heads", "d_head")
        fix_arrays(self, weight=(*heads, "d_model"), bias=("d_model",), value_bias=heads)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class SubLayer:
    """One addition to the residual stream: `carried` [n_tokens, d_model] runs past it, `added` is added.

    `part` is the kind of attention, or "feed_forward"; `projection` is there for attention. `norm` follows the sum in
    post-LN models, `read_norm` stands before what the sub-layer reads in pre-LN models; each is None in the others.
    """

    part: Kind | Literal["feed_forward"]
    layer: int
    carried: Array
    added: Array
    norm: FixedNorm | None = None
    read_norm: FixedNorm | None = None
    projection: Projection | None = None

    def __post_init__(self) -> None:
        fix_arrays(self, carried=("n_tokens", "d_model"), added=("n_tokens", "d_model"))
        if (self.projection is None) != (self.part == "feed_forward"):
            raise RecordError(f"a sub-layer of {self.part} has no place for such a projection.")


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class ResidualStream:
    """One stack: the input of its first layer [n_tokens, d_model], and everything that is added, in order."""

    stack: Stack
    tokens: tuple[Token, ...]
    embeddings: Array
    sub_layers: tuple[SubLayer, ...]

    @check_arguments
    def attention(self, kind: Kind, layer: int) -> SubLayer:
        """The attention of one kind in one layer. Raises SelectionError if there is none."""
        for sub_layer in self.sub_layers:
            if (sub_layer.part, sub_layer.layer) == (kind, layer):
                return sub_layer
        raise SelectionError(
            worded(
                "The {stack} has no {kind} attention in layer {layer}.",
                stack=kind_name(self.stack),
                kind=kind_name(kind),
                layer=layer,
            )
        )

    @check_arguments
    def below(self, kind: Kind, layer: int) -> tuple[SubLayer, ...]:
        """The additions that the attention of one kind in one layer reads, in order. The norm after the last of them is
        left out where both are in one layer: there it is a part of how the head reads."""
        place = self.sub_layers.index(self.attention(kind, layer))
        below = self.sub_layers[:place]
        return (*below[:-1], replace(below[-1], norm=None)) if below and below[-1].layer == layer else below


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class LayerInputs:
    """The inputs of the layers of a stack: `states` [n_layers, n_tokens, d_model]."""

    stack: Stack
    tokens: tuple[Token, ...]
    states: Array

    def __post_init__(self) -> None:
        fix_arrays(self, states=("n_layers", len(self.tokens), "d_model"))


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class AnswerStreams:
    """The residual streams that lead to an answer, that of the encoder first where there are two, and how the logit
    difference m is read from the end of the last one: m = sum(`direction` · last states) + `constant`.

    `direction` [n_tokens, d_model] is zero at all tokens that the answer is not read from. It holds the final norm at
    its statistics, and writes every activation f of what sits on top of the model as z · (f(z) / z) with the factor
    held as it was. `null_directions` [n_null, n_read, d_model] are those of the others of the contrast, at the tokens
    that the answer is read from; None without others.
    """

    info: ModelInfo
    contrast: Contrast
    streams: tuple[ResidualStream, ...]
    direction: Array
    constant: float
    difference: float
    null_directions: Array | None = None

    def __post_init__(self) -> None:
        fix_arrays(self, direction=self.streams[-1].embeddings.shape)

    @property
    def answering(self) -> ResidualStream:
        """The stream that the answer is read from."""
        return self.streams[-1]

    @check_arguments
    def of(self, kind: Kind) -> ResidualStream:
        """The stream that a kind of attention adds to. Raises SelectionError if the model has none of that kind."""
        for stream in self.streams:
            if any(sub_layer.part == kind for sub_layer in stream.sub_layers):
                return stream
        raise SelectionError(worded("{model} has no {kind} attention.", model=self.info.name, kind=kind_name(kind)))


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class ReadVector:
    """The query or the key of a head at one `position`, as it is read from a residual stream with all norms held:
    vector [d_head] = `read` [d_head, d_model] · x [d_model] + `constant` [d_head], x the sum of `stream` there.

    `embeddings` [d_model] are the terms of the first state, of "token", "position" and "segment" those that the model
    has; what they leave of it is bias.
    """

    stream: ResidualStream
    position: int
    embeddings: Mapping[EmbeddingName, Array]
    read: Array
    constant: Array

    def __post_init__(self) -> None:
        fix_arrays(self, constant=("d_head",), read=("d_head", self.stream.embeddings.shape[1]))
        make_read_only(*self.embeddings.values())


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class ScoreStreams:
    """The two vectors that meet in one score of a head: score = `scale` · query · key + `bias`.

    The factor of a soft cap is held at what it was, and stands in `scale`. `bias` is what relative positions or ALiBi
    add, 0 in other models.
    """

    info: ModelInfo
    query: ReadVector
    key: ReadVector
    scale: float
    bias: float
