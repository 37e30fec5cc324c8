"""Records of one forward pass, and the values that they are made of.

Weights are derived, not stored: softmax(scale * q @ k.T + bias), "Attention Is All You Need", section 3.2.1. Where a
head has an attention sink, one more logit stands in the denominator (Xiao et al. 2023, section 3.3; gpt-oss, 2025).
A record of n tokens therefore takes memory in proportion to n, not to n squared.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, fields
from importlib import import_module
from typing import Any, Literal, get_args

import numpy as np
from numpy.typing import NDArray

from models.values.arguments.check import check_arguments, check_fields
from models.values.arguments.weights import expect_weights
from models.values.errors import DeviceError, MissingCapabilityError, RecordError, SelectionError
from models.values.head_roles import HeadRole
from models.values.offset_bias import known_offsets, pack, unpack
from models.values.places import Image, SourcePlace, Waveform
from models.values.text.languages import Languages
from models.values.wording import Message, joined, to_say, worded

Array = NDArray[np.float32]
Kind = Literal["encoder", "decoder", "cross"]
KINDS: tuple[Kind, ...] = get_args(Kind)
_KIND_NAMES: dict[str, str] = {"encoder": to_say("encoder"), "decoder": to_say("decoder"), "cross": to_say("cross")}
NOTEBOOK = "viz.viewer.notebook"  # by its name: nothing of `models/` needs a picture


@dataclass(frozen=True, slots=True, kw_only=True)
class Token:
    """A piece of text as the model reads it; or, with a `place`, of a picture or of sound.

    `text` is the tokenizer's own spelling ("##ing", "Ġthe", "▁the"). `start` and `end` are character offsets into the
    text that it came from, end exclusive; a special token that the user did not type has none. `segment` says which
    text: 0 for sentence A, 1 for sentence B. Pieces of one word share `word`, counted over both texts; a special token
    has none.
    """

    text: str
    start: int | None = None
    end: int | None = None
    word: int | None = None
    segment: int = 0
    is_special: bool = False
    place: SourcePlace | None = None
    """Where it stands in the `source` of the recording, if it is a patch or a frame: `text` is then a short name."""

    def __post_init__(self) -> None:
        check_fields(self, RecordError)


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelInfo:
    """The measures of a model, in the field's letters; sizes are counts, `max_tokens` includes special tokens."""

    name: str
    family: str
    """The architecture as its configuration names it: "bert", "gpt2", "t5"."""
    implementation: Literal["scratch", "huggingface"]
    kinds: tuple[Kind, ...]
    n_layers: int
    n_heads: int
    n_kv_heads: int
    d_model: int
    d_head: int
    d_ff: int
    d_vocab: int
    max_tokens: int
    n_parameters: int
    device: str
    can_fill_mask: bool
    can_judge_next_sentence: bool
    can_find_replaced: bool = False
    can_label_tokens: bool = False
    can_label_text: bool = False
    can_translate: bool = False
    """Whether it writes a text for a source: an encoder-decoder with its LM head."""
    can_continue: bool = False
    """Whether it continues a text: a decoder on its own with its LM head."""
    has_vectors: bool = True
    """Whether its queries, keys and values are recorded and its heads can be changed; else its weights alone are."""
    has_sinks: bool = False
    """Whether its heads can give a part of their attention to a sink, and so to no token."""
    untrained: tuple[str, ...] = ()
    """Capabilities, as `models.model` names them, that the configuration promises and for which the
    checkpoint has no weights."""
    head_roles: tuple[HeadRole, ...] = ()
    """The known roles of its heads, of an embedded model; empty where they were not measured."""
    nearest_roles: tuple[HeadRole, ...] = ()
    """Of the heads that were measured and are known for nothing, what each comes nearest to; it passes no threshold."""
    layer_numbers: tuple[int, ...] = ()
    """The model's own numbers of its layers, where only some of them have attention (Jamba): `n_layers` and every layer
    elsewhere count those alone. Empty where all have."""
    mixes_otherwise: bool = False
    """Whether its tokens learn of each other without attention, too: by a recurrent state or a convolution."""
    dtype: str = "float32"
    """The numbers in which it computes: "float32", "bfloat16" or "float16". Records are float32, whatever it is."""
    notes: tuple[str, ...] = ()
    """Notes on how it was opened, in sentences."""
    languages: Languages | None = None
    """Those that it is told to read and to write, and could be told; None for a model that is told none."""
    task_prefixes: tuple[str, ...] = ()
    """Prefixes before a text in training, as its configuration lists them: "translate English to German: "."""

    @property
    def identity(self) -> tuple[str, ...]:
        """The key of its answers in caches: name, device and precision, and the languages that it is told."""
        languages = () if self.languages is None else (self.languages.source, self.languages.target)
        return self.name, self.place, *languages

    def __post_init__(self) -> None:
        check_fields(self, RecordError)

    @property
    def place(self) -> str:
        """The device, and the precision if it is not float32: elsewhere the last digits differ."""
        return self.device if self.dtype == "float32" else f"{self.device} {self.dtype}"

    def own_number(self, layer: int) -> int:
        """The model's own number of a layer. Raises SelectionError if a hybrid does not have it."""
        if not self.layer_numbers:
            return layer
        if not 0 <= layer < len(self.layer_numbers):
            raise SelectionError(no_such_layer(layer, len(self.layer_numbers)))
        return self.layer_numbers[layer]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class AttentionRecord:
    """All layers and heads of one kind of attention in one forward pass, without the dimension of the batch.

    Shapes: `query` [n_layers, n_heads, n_query, d_head]; `key` and `value` [n_layers, n_heads, n_key, d_head], grouped
    key/value heads already repeated to n_heads. `bias` holds one array a layer, broadcastable to
    [n_heads, n_query, n_key] and shared between layers where it is the same: padding, causal and window masks (minus
    infinity where a query may not look) and position biases. `scale` holds one factor a layer, also where a model puts
    it into its queries (OPT): here they are without it. `soft_cap` bounds the scores as Gemma 2 does:
    soft_cap * tanh(scores / soft_cap), before the bias. `output_norms` [n_layers, n_heads, n_key] are the lengths of
    the values after W_O, ||v W_O||; None where W_O was not found, because a norm or a gate stands before it. `sinks`
    [n_layers, n_heads, n_query or 1] are the logits of attention sinks, minus infinity in a layer without; None for a
    model that has none. A record of weights alone (`record_of_weights`) has vectors of no dimensions, d_head 0.

    Raises RecordError, naming the field, if the shapes contradict each other.
    """

    kind: Kind
    query_tokens: tuple[Token, ...]
    key_tokens: tuple[Token, ...]
    query: Array
    key: Array
    value: Array
    bias: tuple[Array, ...]
    scale: tuple[float, ...]
    soft_cap: float | None = None
    output_norms: Array | None = None
    sinks: Array | None = None

    def __post_init__(self) -> None:
        check_fields(self, RecordError)
        if self.query.ndim != 4:
            raise RecordError(f"query has shape {self.query.shape}, expected [n_layers, n_heads, n_query, d_head].")
        n_layers, n_heads, n_query, d_head = self.query.shape
        n_key = len(self.key_tokens)
        _expect("query_tokens", len(self.query_tokens), n_query)
        _expect("key", self.key.shape, (n_layers, n_heads, n_key, d_head))
        _expect("value", self.value.shape[:3], (n_layers, n_heads, n_key))
        _expect("bias", len(self.bias), n_layers)
        _expect("scale", len(self.scale), n_layers)
        for bias in self.bias:
            try:
                np.broadcast_shapes(bias.shape, (n_heads, n_query, n_key))
            except ValueError:
                expected = [n_heads, n_query, n_key]
                raise RecordError(f"bias has shape {bias.shape}, which does not broadcast to {expected}.") from None
        norms = () if self.output_norms is None else (self.output_norms,)
        for array in norms:
            _expect("output_norms", array.shape, (n_layers, n_heads, n_key))
        sinks = () if self.sinks is None else (self.sinks,)
        for array in sinks:
            _expect("sinks", array.shape, (n_layers, n_heads, n_query if array.shape[2:] != (1,) else 1))
        for array in (self.query, self.key, self.value, *self.bias, *norms, *sinks):
            array.flags.writeable = False

    def __reduce__(self) -> tuple[Callable[[Mapping[str, Any]], AttentionRecord], tuple[Mapping[str, Any]]]:
        """Let another process rebuild the record, in memory that grows with the text and not with its square."""
        values = {field.name: getattr(self, field.name) for field in fields(self)}
        return _rebuild, (values | {"bias": pack(self.bias)},)

    @property
    def has_vectors(self) -> bool:
        """Whether queries, keys and values were recorded, and not the weights alone (`record_of_weights`)."""
        return int(self.query.shape[-1]) > 0

    @property
    def n_layers(self) -> int:
        return int(self.query.shape[0])

    @property
    def n_heads(self) -> int:
        return int(self.query.shape[1])

    @property
    def n_query(self) -> int:
        return len(self.query_tokens)

    @property
    def n_key(self) -> int:
        return len(self.key_tokens)

    @property
    def n_weights(self) -> int:
        """The number of weights of all heads of all layers."""
        return self.n_layers * self.n_heads * self.n_query * self.n_key

    @check_arguments
    def scores(self, layer: int, head: int, rows: slice | None = None) -> Array:
        """Return the numbers before the softmax [n_query, n_key]; minus infinity where a query may not look.

        With `rows` only those of some queries [n_rows, n_key], as for everything below that takes it.
        """
        self._check(layer, head)
        scores: Array = self._scores(layer, slice(head, head + 1), rows)[0]
        return scores

    def capped(self, scaled: Array) -> Array:
        """Return scaled scores within the bounds of the soft cap; the scores themselves if there is none."""
        if self.soft_cap is None:
            return scaled
        capped: Array = scaled / np.float32(self.soft_cap)
        np.tanh(capped, out=capped)
        capped *= np.float32(self.soft_cap)
        return capped

    @check_arguments
    def bias_of(self, layer: int, head: int, rows: slice | None = None) -> Array:
        """Return the bias of the scaled scores of a head [n_query, n_key]: a read-only view, not a copy."""
        self._check(layer, head)
        bias: Array = self._bias(layer, rows)[head]
        return bias

    @check_arguments
    def bias_by_offset(self, layer: int) -> Array | None:
        """Return the bias [n_heads or 1, n_query + n_key - 1] for key position - query position, from 1 - n_query on.

        None if the bias of this layer is not known to depend on nothing else.
        """
        self._check(layer, 0)
        bias = self.bias[layer]
        if bias.ndim == 3 and bias.shape[1:] == (1, 1):
            return np.broadcast_to(bias[:, 0], (len(bias), self.n_query + self.n_key - 1))
        return known_offsets(bias) if bias.shape[1:] == (self.n_query, self.n_key) else None

    @check_arguments
    def weights(self, layer: int, head: int, rows: slice | None = None) -> Array:
        """Return the attention weights [n_query, n_key]; every row sums to 1, less the share of its sink if there is
        one (to 0 if a query may look nowhere)."""
        scores = self.scores(layer, head, rows)
        return softmax(scores, sinks=self.sink_logits(layer, head, rows), out=scores)

    def has_sinks(self, layer: int | None = None) -> bool:
        """Return whether heads of a layer, or of any, give a part of their attention to a sink, and so to no token."""
        sinks = self.sinks if self.sinks is None or layer is None else self.sinks[layer]
        return sinks is not None and not bool(np.isneginf(sinks).all())

    @check_arguments
    def sink_shares(self, layer: int, head: int | None, rows: slice | None = None) -> Array:
        """Return the share of each query that goes to the sink of a head [n_query]: 1 less the sum of its weights. 0
        if there is no sink; `head=None` is the mean over the heads of the layer."""
        if head is None:
            shares_of_heads = [self.sink_shares(layer, number, rows) for number in range(self.n_heads)]
            mean: Array = np.mean(shares_of_heads, axis=0, dtype=np.float32)
            return mean
        self._check(layer, head)
        sinks = self.sink_logits(layer, head, rows)
        if sinks is None:
            return np.zeros(len(range(self.n_query)[rows or slice(None)]), np.float32)
        scores = self.scores(layer, head, rows)
        extended = np.concatenate([scores, np.broadcast_to(sinks, (len(scores), 1))], axis=1)  # [n_query, n_key + 1]
        shares: Array = softmax(extended, out=extended)[:, -1]
        return shares

    @check_arguments
    def layer_weights(self, layer: int, rows: slice | None = None) -> Array:
        """Return the weights of all heads of a layer [n_heads, n_query, n_key]."""
        self._check(layer, 0)
        scores = self._scores(layer, slice(None), rows)
        return softmax(scores, sinks=self.sink_logits(layer, slice(None), rows), out=scores)

    @check_arguments
    def mean_weights(self, layer: int, rows: slice | None = None) -> Array:
        """Return the mean over the heads of a layer [n_query, n_key]; rows still sum to 1, or to 1 less the mean share
        of the sinks."""
        total = self.weights(layer, 0, rows)
        for head in range(1, self.n_heads):
            total += self.weights(layer, head, rows)
        total /= np.float32(self.n_heads)
        return total

    @check_arguments
    def head_output(self, layer: int, head: int) -> Array:
        """Return the output of a head before W_O: weights @ value [n_query, d_head]."""
        output: Array = self.weights(layer, head) @ self.value[layer, head]
        return output

    def _scores(self, layer: int, heads: slice, rows: slice | None) -> Array:
        """Return the scores of some heads [n_of_them, n_query, n_key], in memory of their own."""
        query, key = self.query[layer, heads, rows or slice(None)], self.key[layer, heads]
        scores: Array = query @ key.swapaxes(1, 2)
        scores *= np.float32(self.scale[layer])
        scores = self.capped(scores)
        scores += self._bias(layer, rows)[heads]
        return scores

    def sink_logits(self, layer: int, heads: int | slice, rows: slice | None = None) -> Array | None:
        """Return the logits of the sinks of a head, or of some, for its scores [..., n_query or 1, 1]; None if none."""
        if self.sinks is None:
            return None
        sinks: Array = self.sinks[layer, heads, :, None]
        return sinks if rows is None or self.sinks.shape[2] == 1 else sinks[..., rows, :]

    def _bias(self, layer: int, rows: slice | None) -> Array:
        """Return the whole bias of a layer [n_heads, n_query, n_key]."""
        whole: Array = np.broadcast_to(self.bias[layer], (self.n_heads, self.n_query, self.n_key))
        return whole if rows is None else whole[:, rows]

    def _check(self, layer: int, head: int) -> None:
        if not 0 <= layer < self.n_layers:
            raise SelectionError(no_such_layer(layer, self.n_layers))
        if not 0 <= head < self.n_heads:
            raise SelectionError(no_such_head(head, self.n_heads))


@check_arguments
def record_of_weights(
    *, kind: Kind, query_tokens: tuple[Token, ...], key_tokens: tuple[Token, ...], weights: Sequence[Array]
) -> AttentionRecord:
    """Make a record of weights alone, one array [n_heads, n_query, n_key] a layer: its queries, keys and values have no
    dimensions, and its bias is the logarithm of the weights, which the softmax turns into them again.

    Raises RecordError if the shapes contradict each other, and for arrays that are no weights.
    """
    expect_weights(weights, len(query_tokens), len(key_tokens))
    n_layers, n_heads = len(weights), weights[0].shape[0]
    nothing = [np.zeros((n_layers, n_heads, len(tokens), 0), dtype=np.float32) for tokens in (query_tokens, key_tokens)]
    with np.errstate(divide="ignore"):
        bias = tuple(np.log(layer) for layer in weights)
    return AttentionRecord(
        kind=kind,
        query_tokens=query_tokens,
        key_tokens=key_tokens,
        query=nothing[0],
        key=nothing[1],
        value=nothing[1].copy(),
        bias=bias,
        scale=(1.0,) * n_layers,
    )


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
        for name, n_tokens in (
            ("hidden_states", self.hidden_states.shape[1]),
            ("final_state", self.final_state.shape[0]),
        ):
            _expect(name, n_tokens, len(self.tokens))
        if self.info.dtype != "float32" and not np.isfinite(self.final_state).all():
            raise DeviceError(overflowing(self.info))
        self.hidden_states.flags.writeable = False
        self.final_state.flags.writeable = False
        object.__setattr__(self, "kinds", tuple(record.kind for record in self.attention))

    @check_arguments
    def of(self, kind: Kind) -> AttentionRecord:
        """Return the record of one kind of attention. Raises SelectionError if the model has none of that kind."""
        for record in self.attention:
            if record.kind == kind:
                return record
        raise SelectionError(no_such_kind(self.info.name, kind, self.kinds))

    def _repr_html_(self) -> str | None:
        """Return the viewer for a notebook, if `viz` is there; None lets the notebook print the value instead."""
        try:
            cell: str = import_module(NOTEBOOK).as_cell(self)
        except ImportError:
            return None
        return cell


def no_vectors(info: ModelInfo) -> MissingCapabilityError:
    """Return the error for a question that needs vectors or changed heads, to a model recorded by its weights alone."""
    return MissingCapabilityError(
        info.name,
        worded(
            "{model} (family {family}) mixes more than queries and keys into its attention, so only its weights are "
            "recorded: there are no queries, keys and values to show, and its heads cannot be changed. Look at its "
            "weights on the page Attention, or choose another model, such as headlight-bert.",
            model=info.name,
            family=repr(info.family),
        ),
    )


def overflowing(info: ModelInfo) -> str:
    """Say that the numbers of a model are too large for the precision in which it computes."""
    return worded(
        "The numbers of {model} grow too large for {dtype}, so what it gives is no number any more. Open it in "
        "float32, or in bfloat16, which holds larger ones.",
        model=info.name,
        dtype=info.dtype,
    )


def mixed_otherwise(info: ModelInfo) -> MissingCapabilityError:
    """Return the error for a method that follows tokens through attention alone, for a model that does more."""
    return MissingCapabilityError(
        info.name,
        worded(
            "{model} (family {family}) carries something from token to token without attention, too (a recurrent state "
            "or a convolution), so what reaches an answer cannot be told from attention alone. Choose another method, "
            "or another model, such as headlight-bert.",
            model=info.name,
            family=repr(info.family),
        ),
    )


def _rebuild(values: Mapping[str, Any]) -> AttentionRecord:
    return AttentionRecord(**{**values, "bias": unpack(values["bias"])})


def kind_name(kind: str) -> str:
    """Return the name of a kind of attention, or of a stack, for a sentence; it is translated where that is shown."""
    return _KIND_NAMES.get(kind, kind)


def no_such_kind(model: str, kind: Kind, kinds: Iterable[Kind]) -> Message:
    """Say that a model does not have a kind of attention."""
    known = joined(*map(kind_name, kinds), by=", ")
    return worded("{model} has no {kind} attention, only {kinds}.", model=model, kind=kind_name(kind), kinds=known)


def no_such_layer(layer: int, n_layers: int) -> Message:
    """Say that a model does not have a layer."""
    return worded("layer {layer} was asked for, but this model has layers 0 to {last}.", layer=layer, last=n_layers - 1)


def no_such_head(head: int, n_heads: int) -> Message:
    """Say that a model does not have a head."""
    return worded("head {head} was asked for, but this model has heads 0 to {last}.", head=head, last=n_heads - 1)


def softmax(scores: Array, *, sinks: Array | None = None, out: Array | None = None) -> Array:
    """Compute the softmax over the last axis; a row that is minus infinity everywhere becomes zeros.

    `out` may be `scores`. `sinks` [..., n_query or 1, 1] are logits that stand in the denominator alone.
    """
    highest = scores.max(axis=-1, keepdims=True)
    if sinks is not None:
        highest = np.maximum(highest, sinks)
    highest[np.isneginf(highest)] = 0  # minus infinity minus itself is no number
    weights: Array = np.subtract(scores, highest, out=out)
    np.exp(weights, out=weights)
    total = weights.sum(axis=-1, keepdims=True)
    if sinks is not None:
        total += np.exp(sinks - highest)
    total[total == 0] = 1
    weights /= total
    return weights


def _expect(name: str, size: int | Iterable[int], expected: int | Iterable[int]) -> None:
    if size != expected:
        raise RecordError(f"{name} has size {size}, expected {expected}.")
