"""Make AttentionRecords of the calls that the recorder kept.

The layer is the order of the calls within a kind. The number of calls is checked against what the configuration
promises, so a model whose attention passes by the recorder raises, and never gives an empty or half-empty recording.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import torch
from torch import Tensor

from models.recording.attention_call import AttentionCall
from models.values.errors import UnsupportedModelError
from models.values.offset_bias import offsets_of, spread_out
from models.values.record import KINDS, Array, AttentionRecord, Kind, Token, kind_name
from models.values.wording import worded

MASKED_BELOW = -1e30
"""Some models write "may not look" as the lowest float and not as minus infinity; the records know only the latter."""


def records_from_calls(
    calls: Sequence[AttentionCall],
    *,
    name: str,
    tokens: Mapping[Kind, tuple[Token, ...]],
    n_layers: Mapping[Kind, int],
    batch_index: int = 0,
    query_scales: Mapping[Kind, tuple[float, ...]] | None = None,
    output_factors: Mapping[Kind, Array] | None = None,
) -> tuple[AttentionRecord, ...]:
    """Make one record for each kind in `n_layers`, in the order of KINDS.

    `tokens` gives the sequence that "encoder" and "decoder" attention run over; "cross" looks from the decoder's to the
    encoder's. `query_scales` are the factors, one a layer, that the queries of the calls are multiplied by already (see
    `models.recording.query_scale`): a record has them in its scale instead. `output_factors` give the lengths of values
    after W_O (see `models.inspection.output_factors`). Raises UnsupportedModelError, naming the model, if the calls do
    not fit `n_layers` and `tokens`.
    """
    by_kind = {kind: [call for call in calls if call.kind == kind] for kind in KINDS}
    for kind, of_kind in by_kind.items():
        _check_number(name, kind, len(of_kind), n_layers.get(kind, 0))
    return tuple(
        _record(
            by_kind[kind],
            kind=kind,
            name=name,
            tokens=tokens,
            batch_index=batch_index,
            in_query=(query_scales or {}).get(kind, (1.0,) * len(by_kind[kind])),
            factors=(output_factors or {}).get(kind),
        )
        for kind in KINDS
        if kind in n_layers
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class StackStates:
    """The states of the first stack of a model for one text: fields of a Recording, as tensors.

    `hidden_states` are n_layers + 1 tensors [1, n_tokens, d_model], `final` [1, n_tokens, d] the output of the stack.
    """

    hidden_states: Sequence[Tensor]
    final: Tensor

    def as_arrays(self) -> tuple[Array, Array]:
        """Return `hidden_states` [n_layers + 1, n_tokens, d_model] and `final_state` [n_tokens, d], float32.

        The streams of hyper-connections (Zhu et al. 2024, section 2) come one after another: n_streams * d_model.
        """
        return stack_layers([state[0].flatten(1) for state in self.hidden_states]), stack_layers([self.final[0]])[0]


def _record(
    calls: Sequence[AttentionCall],
    *,
    kind: Kind,
    name: str,
    tokens: Mapping[Kind, tuple[Token, ...]],
    batch_index: int,
    in_query: tuple[float, ...],
    factors: Array | None,
) -> AttentionRecord:
    query_tokens = tokens["decoder" if kind == "cross" else kind]
    key_tokens = tokens["encoder" if kind == "cross" else kind]
    _check_shapes(name, kind, calls, n_query=len(query_tokens), n_key=len(key_tokens))
    value = stack_layers([call.value[batch_index] for call in calls])
    return AttentionRecord(
        kind=kind,
        query_tokens=query_tokens,
        key_tokens=key_tokens,
        query=stack_layers(
            [
                call.query[batch_index] if factor == 1 else call.query[batch_index] / factor
                for call, factor in zip(calls, in_query, strict=True)
            ]
        ),
        key=stack_layers([call.key[batch_index] for call in calls]),
        value=value,
        bias=_shared_biases(calls, batch_index),
        scale=tuple(call.scale * factor for call, factor in zip(calls, in_query, strict=True)),
        soft_cap=calls[0].soft_cap,
        sinks=_sinks(calls, batch_index),
        output_norms=None if factors is None else _lengths(value @ factors),
    )


def stack_layers(layers: Sequence[Tensor]) -> Array:
    """Copy the tensors of several layers into one float32 array, a layer first.

    Shorter vectors (Gemma 4's layers differ in d_head) get zeros at their end, which change no product.
    """
    width = max(layer.shape[-1] for layer in layers)
    array = np.empty((len(layers), *layers[0].shape[:-1], width), dtype=np.float32)
    for number, layer in enumerate(layers):  # one after the other: together they would be on the device twice
        array[number, ..., layer.shape[-1] :] = 0
        array[number, ..., : layer.shape[-1]] = on_cpu(layer)
    return array


def on_cpu(tensor: Tensor) -> Array:
    """Convert a tensor of any device and type to a float32 array."""
    array: Array = tensor.detach().cpu().float().numpy()
    return array


def _shared_biases(calls: Sequence[AttentionCall], batch_index: int) -> tuple[Array, ...]:
    """Return a bias [n_heads or 1, n_query or 1, n_key or 1] for every layer, one array for layers that share it."""
    known: list[tuple[Tensor, Array]] = []
    biases: list[Array] = []
    nothing = np.zeros((1, 1, 1), dtype=np.float32)
    causal: Array | None = None
    for call in calls:
        if call.bias is None and call.is_causal:
            causal = _causal_bias(call) if causal is None else causal
            biases.append(causal)
            continue
        whole = call.whole_bias
        if whole is None:
            biases.append(nothing)
            continue
        bias = whole[batch_index if whole.shape[0] > 1 else 0]
        array = next((array for tensor, array in known if _are_equal(tensor, bias)), None)
        if array is None:
            array = _bias_array(bias, call.query.dtype) if bool(bias.any()) else nothing
            known.append((bias, array))
        biases.append(array)
    return tuple(biases)


def _sinks(calls: Sequence[AttentionCall], batch_index: int) -> Array | None:
    """Return the logits of the sinks [n_layers, n_heads, n_query or 1], minus infinity where a layer has none.

    None if no layer has sinks.
    """
    sinks_of_layers = {
        layer: call.sinks[batch_index if len(call.sinks) > 1 else 0, ..., 0]  # [n_heads, n_query or 1]
        for layer, call in enumerate(calls)
        if call.sinks is not None
    }
    if not sinks_of_layers:
        return None
    n_query = max(sinks.shape[1] for sinks in sinks_of_layers.values())
    array = np.full((len(calls), calls[0].query.shape[1], n_query), -np.inf, dtype=np.float32)
    for layer, sinks in sinks_of_layers.items():
        array[layer] = on_cpu(sinks)
    return array


def _causal_bias(call: AttentionCall) -> Array:
    """Return the bias of a causal mask [1, n_query, n_key], as a view over its offsets, so that it takes no memory."""
    n_query, n_key = call.query.shape[2], call.key.shape[2]
    offsets = np.zeros((1, n_query + n_key - 1), dtype=np.float32)  # of key and query, from 1 - n_query on
    offsets[:, n_key:] = -np.inf  # the queries are the last of the keys' positions
    return spread_out(offsets, n_query)


def _bias_array(bias: Tensor, dtype: torch.dtype) -> Array:
    """Copy a bias, with minus infinity where the model may not look.

    A bias that depends on offsets alone becomes a view over them. `dtype` is the type of the queries.
    """
    array = on_cpu(bias)  # [n_heads or 1, n_query or 1, n_key or 1]
    offsets = offsets_of(array)
    lowest = max(MASKED_BELOW, torch.finfo(dtype).min / 2)  # a position bias may have been added
    return _hide_below(array, lowest) if offsets is None else spread_out(_hide_below(offsets, lowest), array.shape[1])


def _hide_below(bias: Array, lowest: float) -> Array:
    return np.where(bias <= lowest, np.float32(-np.inf), bias)


def _are_equal(one: Tensor, other: Tensor) -> bool:
    same_memory = one.data_ptr() == other.data_ptr() and one.stride() == other.stride()
    return one.shape == other.shape and (same_memory or torch.equal(one, other))


def _check_number(name: str, kind: Kind, n_calls: int, n_layers: int) -> None:
    if n_calls != n_layers:
        raise UnsupportedModelError(
            name,
            worded(
                "{model} made {n} recordable {kind} attention calls, expected {expected} (one per layer): its "
                "attention bypasses Headlight's recorder. Choose another model, such as BERT, RoBERTa, GPT-2 or T5.",
                model=name,
                n=n_calls,
                kind=kind_name(kind),
                expected=n_layers,
            ),
        )


def _check_shapes(name: str, kind: Kind, calls: Sequence[AttentionCall], *, n_query: int, n_key: int) -> None:
    first = calls[0]
    for call in calls:
        alike = call.query.shape[:3] == first.query.shape[:3] and call.value.shape[:3] == first.value.shape[:3]
        if not alike or call.soft_cap != first.soft_cap:
            raise UnsupportedModelError(
                name,
                worded(
                    "The layers of {model} differ in shape: their {kind} attention cannot be recorded.",
                    model=name,
                    kind=kind_name(kind),
                ),
            )
        if call.query.shape[2] != n_query or call.key.shape[2] != n_key:
            raise UnsupportedModelError(
                name,
                worded(
                    "The {kind} attention of {model} runs over {n_query} by {n_key} positions, expected {queries} by "
                    "{keys} (its tokens): it cannot be labelled, so it is not recorded.",
                    kind=kind_name(kind),
                    model=name,
                    n_query=call.query.shape[2],
                    n_key=call.key.shape[2],
                    queries=n_query,
                    keys=n_key,
                ),
            )


def _lengths(vectors: Array) -> Array:
    """Return the lengths of vectors [..., d], whose squares may be too large for float32."""
    lengths: Array = np.linalg.norm(vectors.astype(np.float64), axis=-1).astype(np.float32)
    return lengths
