"""Opening a transformers model: it is tried in one way after the other until its attention is recorded as it is.

Its calls must be as many as its layers, and its hidden states equal to those of its own attention; or it hands out the
weights of every layer. What fails is refused.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import replace
from typing import get_args

import numpy as np
import torch
from torch import Tensor
from transformers import PreTrainedModel
from transformers.utils.generic import ModelOutput

from models.checkpoints.devices import dtype_name, put_on
from models.huggingface.attention_interface import IMPLEMENTATION
from models.huggingface.checkpoint.opened import OpenedModel
from models.huggingface.checkpoint.weights import EAGER, kept_exact
from models.huggingface.config import (
    d_ff,
    max_tokens,
    mixes_otherwise,
    n_kv_heads,
)
from models.huggingface.lm_heads import (
    gives_score,
)
from models.huggingface.network import Network, PassArguments, RecordedBy
from models.huggingface.passes import HuggingFaceReader
from models.huggingface.recorded import Tokens, records_of
from models.huggingface.refusals import expect_finite_states, reading_error, unsupported_error
from models.recording.attention_call import AttentionCall
from models.recording.last_layer import module_of_last_layer
from models.recording.layer_calls import blocks_of_calls
from models.recording.query_scale import scales_in_queries
from models.recording.recorder import recording, suspend_observer
from models.recording.untouched import (
    changes_by_length,
    classes_in,
    randomness,
    same_randomness,
    state_of,
    untouched_copy,
)
from models.recording.watched_copy import block_lists
from models.text.languages.codes import task_prefixes
from models.values.errors import DeviceError, HeadlightError, RecordError, UnsupportedModelError
from models.values.record import AttentionRecord, ModelInfo, overflowing
from models.values.wording import worded

MOST_WEIGHTS = 128 * 1024**2
"""How many weights a recording may keep where it keeps them all: 512 MB."""
WAYS: tuple[RecordedBy, ...] = get_args(RecordedBy)
TOLERANCE = 1e-3


def settle(
    network: Network, sample: PassArguments, info: ModelInfo, *, device: torch.device, dtype: torch.dtype
) -> ModelInfo:
    """Move a network, tried in float32, to where it will run in half precision, and return its description.

    Raises DeviceError if its numbers are too large for that.
    """
    put_on(network.model, device, dtype, exact=kept_exact(network.model, dtype))
    network.device = device
    info = replace(info, device=str(device), dtype=dtype_name(dtype))
    with suspend_observer():
        output = network.run(move_to(network, sample), network.body)
    if not bool(last_states(output).isfinite().all()):
        raise DeviceError(overflowing(info))
    return info


def move_to(network: Network, arguments: PassArguments) -> PassArguments:
    """Return arguments on the device of a network, numbers that are no ids in its precision."""
    dtype = next(network.model.parameters()).dtype
    return {
        name: tensor.to(network.device, dtype if tensor.is_floating_point() else tensor.dtype)
        for name, tensor in arguments.items()
    }


def try_network(
    network: Network, sample: PassArguments, tokens: Tokens
) -> tuple[ModelInfo, tuple[AttentionRecord, ...]]:
    """Run a sample in the first way in which it is recorded, and describe the model by what came of it.

    `tokens` are those of the sample, by the stack that reads them. Raises UnsupportedModelError if no way records it.
    """
    for way in WAYS:
        try:
            info, records = _try_way(network, way, sample, tokens)
            if network.is_encoder_decoder or network.is_causal == _is_causal(records):
                return info, records
            network.tell_kinds(is_causal=not network.is_causal)  # a BertLMHeadModel that is no decoder
            return _try_way(network, way, sample, tokens)
        except UnsupportedModelError as error:
            refused = error
        except RecordError as error:  # a configuration whose sizes contradict each other
            refused = reading_error(network.model, network.name, error)
    raise refused


def _is_causal(records: Sequence[AttentionRecord]) -> bool:
    """Whether no token looks at one that follows it, in any head."""
    weights = (
        record.weights(layer=layer, head=head)
        for record in records
        for layer in range(record.n_layers)
        for head in range(record.n_heads)
    )
    return not any(np.triu(of_head, k=1).any() for of_head in weights)


def _leaves_traces(network: Network, sample: PassArguments) -> bool:
    """Whether a pass changes what it runs through, or draws from the generators of the process."""
    copied = untouched_copy(network.model)
    with suspend_observer(), same_randomness(network.device):
        before = state_of(copied), randomness()
        network.writes_on_itself = False  # for this pass, which has a copy of its own
        network.run(sample, copied.base_model)
        with suppress(HeadlightError):  # what stands on top may need more than a text
            network.run(sample, copied)
        network.classes_of_parts = classes_in(copied)
        return (state_of(copied), randomness()) != before or changes_by_length(copied)


def _try_way(
    network: Network, way: RecordedBy, sample: PassArguments, tokens: Tokens
) -> tuple[ModelInfo, tuple[AttentionRecord, ...]]:
    """Try one way. Raises UnsupportedModelError if the model cannot be recorded so."""
    network.way = way
    _attend_by(network, IMPLEMENTATION if way == "interface" else EAGER)
    network.writes_on_itself = _leaves_traces(network, sample)
    with suspend_observer(), recording() as calls:
        output = network.run(sample, network.body)
    expect_finite_states(last_states(output), network.name)
    records = records_of(network, calls, output, tokens)
    with suspend_observer():
        expect_calls_of_these_layers(network, sample)
        _expect_same_as_own_attention(network, sample, output)
        _expect_same_bias(network, sample, calls)
        network.last_layer = module_of_last_layer(
            network.body,
            lambda body: network.states_of(network.run(sample, body)),
            kind=records[0].kind,
            n_layers=network.n_blocks,
        )
        if calls and any(1 in record.scale for record in records):
            network.query_scales = scales_in_queries(network.body, lambda body: network.run(sample, body))
    _expect_states_of_tokens(network, output, n_tokens=len(records[0].query_tokens))
    return _describe(network, records, d_model=int(network.states_of(output)[0].shape[-1])), records


def _attend_by(network: Network, implementation: str) -> None:
    """Set the attention of transformers' interface, where the family passes by it, in all parts of the model: it may be
    that only the inner ones can be set (GOT-OCR)."""
    parts = (module for module in network.model.modules() if isinstance(module, PreTrainedModel))
    said = {getattr(part.config, "_attn_implementation", None) for part in parts}
    if said & ({IMPLEMENTATION, EAGER} - {implementation}):
        network.model.set_attn_implementation(implementation)


def _describe(network: Network, records: Sequence[AttentionRecord], *, d_model: int) -> ModelInfo:
    """Describe a network without what it can be asked, which goes by its files."""
    first, config = records[0], network.model.config.get_text_config()
    return ModelInfo(
        name=network.name,
        family=str(network.model.config.model_type),
        implementation="huggingface",
        kinds=tuple(record.kind for record in records),
        n_layers=first.n_layers,
        n_heads=first.n_heads,
        n_kv_heads=n_kv_heads(config, first.n_heads),
        d_model=d_model,
        d_head=int(first.query.shape[-1]) or d_model // first.n_heads,
        d_ff=d_ff(config),
        d_vocab=0,
        max_tokens=first.n_query,
        n_parameters=sum(weight.numel() for weight in network.model.parameters()),
        device=str(network.device),
        can_fill_mask=False,
        can_judge_next_sentence=False,
        has_vectors=first.has_vectors,
        has_sinks=any(record.has_sinks() for record in records),
        layer_numbers=network.layer_numbers,
        mixes_otherwise=mixes_otherwise(network.model.config),
    )


def describe_reader(
    model: HuggingFaceReader, opened: OpenedModel, info: ModelInfo, records: Sequence[AttentionRecord]
) -> ModelInfo:
    """Add what a model that reads texts can be asked."""
    config = model.model.config
    return replace(
        info,
        d_vocab=model.network.d_vocab_of_target,
        max_tokens=_max_tokens(model, records),
        can_fill_mask=opened.has_mlm_head,
        can_judge_next_sentence=opened.has_nsp_head,
        can_find_replaced=opened.has_discriminator,
        can_label_tokens=opened.has_token_labels,
        can_label_text=opened.has_text_labels and not gives_score(config),
        can_translate=opened.has_lm_head and model.is_encoder_decoder,
        can_continue=opened.has_lm_head and model.network.is_causal,
        untrained=opened.untrained,
        notes=opened.notes,
        task_prefixes=task_prefixes(config),
    )


def expect_calls_of_these_layers(network: Network, sample: PassArguments) -> None:
    """Find the layers of a hybrid, and of a model that has two lists of as many: one may read pictures. Raises
    UnsupportedModelError if others than those that have attention made the calls of a hybrid."""
    if network.way == "weights alone" or network.is_encoder_decoder:
        return
    (kind, n_layers), *_ = network.n_blocks.items()
    lists = block_lists(network.body, kind, network.n_blocks)
    if not network.layer_numbers and len(lists) == 1:
        return
    expected = network.layer_numbers or tuple(range(n_layers))
    for blocks in lists:
        if blocks_of_calls(network.body, blocks, lambda body: network.run(sample, body)) == expected:
            network.blocks = blocks
            return
    if network.layer_numbers:
        raise unsupported_error(network.name, str(network.model.config.model_type))


def _expect_same_as_own_attention(network: Network, sample: PassArguments, output: ModelOutput) -> None:
    """Raise UnsupportedModelError if the model's own, plainly written attention comes to other hidden states."""
    if network.way == "weights alone":  # which is its own attention
        return
    way, network.way = network.way, "weights alone"
    _attend_by(network, EAGER)
    try:
        own = last_states(network.run(sample, network.body))  # [1, n_tokens, d_model]
    finally:
        network.way = way
        _attend_by(network, IMPLEMENTATION if way == "interface" else EAGER)
    if not torch.allclose(last_states(output), own, rtol=TOLERANCE, atol=TOLERANCE * float(own.abs().max())):
        raise unsupported_error(network.name, str(network.model.config.model_type))


def _expect_same_bias(network: Network, sample: PassArguments, calls: Sequence[AttentionCall]) -> None:
    """Raise UnsupportedModelError if what a forward adds to its scores depends on the tokens: then it is no bias,
    but a product of other vectors (DeBERTa)."""
    if network.way != "written out":
        return
    with recording() as others:
        name = next(iter(sample))  # the ids
        network.run({**sample, name: sample[name].flip(-1)}, network.body)
    for one, other in zip(calls, others, strict=True):
        if one.bias is not None and (other.bias is None or not torch.allclose(one.bias, other.bias)):
            raise unsupported_error(network.name, str(network.model.config.model_type))


def _expect_states_of_tokens(network: Network, output: ModelOutput, *, n_tokens: int) -> None:
    """Raise UnsupportedModelError if the hidden states are not told apart by tokens first: Gemma 3n's are by its
    streams (Baykal et al. 2023, "Alternating Updates for Efficient Transformers", section 3)."""
    states = network.states_of_attention(network.states_of(output))
    if any(state.shape[:2] != (1, n_tokens) for state in states):
        raise UnsupportedModelError(
            network.name,
            worded(
                "{model} is of the family {family}, whose layers do not hand on one vector a token. Choose another "
                "model, such as BERT, GPT-2 or T5.",
                model=network.name,
                family=repr(str(network.model.config.model_type)),
            ),
        )


def _max_tokens(model: HuggingFaceReader, records: Sequence[AttentionRecord]) -> int:
    """The most tokens of a recording: fewer where all weights are kept, which takes memory in their square."""
    most = max_tokens(model.model, model.tokenizer)
    if records[0].has_vectors:
        return most
    n_maps = sum(record.n_layers * record.n_heads for record in records)
    return min(most, int((MOST_WEIGHTS / n_maps) ** 0.5))


def last_states(output: ModelOutput) -> Tensor:
    """Return the last hidden states of a pass, the decoder's where there is one."""
    states: tuple[Tensor, ...] = output[
        "decoder_hidden_states" if "decoder_hidden_states" in output else "hidden_states"
    ]
    return states[-1]
