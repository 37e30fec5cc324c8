"""Opening a transformers model: it is tried in one way after the other until its attention is recorded as it is.

Its calls must be as many as its layers, and its hidden states equal to those of its own attention; or it hands out the
weights of every layer. What fails is refused.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import get_args

import torch
from torch import Tensor
from transformers.utils.generic import ModelOutput

from models.checkpoints.devices import dtype_name, put_on
from models.huggingface.attention_interface import IMPLEMENTATION
from models.huggingface.config import (
    d_ff,
    max_tokens,
    mixes_otherwise,
    n_kv_heads,
)
from models.huggingface.files import OpenedModel
from models.huggingface.lm_heads import (
    gives_score,
)
from models.huggingface.passes import HuggingFaceReader, Inputs, RecordedBy
from models.huggingface.recorded import TOKENS_TO_TRY, d_vocab, few_tokens, records_of
from models.huggingface.refusals import failed, unsupported
from models.huggingface.weights import EAGER, kept_exact
from models.recording.attention_call import AttentionCall
from models.recording.last_layer import module_of_last_layer
from models.recording.layer_calls import blocks_of_calls
from models.recording.query_scale import scales_in_queries
from models.recording.recorder import recording, undisturbed
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
from models.values.errors import DeviceError, RecordError, UnsupportedModelError
from models.values.record import AttentionRecord, ModelInfo, Token, overflowing
from models.values.wording import worded

MOST_WEIGHTS = 128 * 1024**2
"""How many weights a recording may keep where it keeps them all: 512 MB."""
WAYS: tuple[RecordedBy, ...] = get_args(RecordedBy)
TOLERANCE = 1e-3


def settle(model: HuggingFaceReader, device: torch.device, dtype: torch.dtype) -> None:
    """Move the model, tried in float32, to where it will run, in half precision. Raises DeviceError if its numbers
    are too large for that."""
    put_on(model.model, device, dtype, exact=kept_exact(model.model, dtype))
    model.device = device
    model.info = replace(model.info, device=str(device), dtype=dtype_name(dtype))
    with undisturbed():
        output = model.run(few_tokens(model), model.model.base_model)
    if not bool(last_states(output).isfinite().all()):
        raise DeviceError(overflowing(model.info))


def try_model(model: HuggingFaceReader, opened: OpenedModel) -> ModelInfo:
    """Run a few tokens, in the first way in which they are recorded, and describe the model by what came of it."""
    for way in WAYS:
        try:
            return _try_way(model, way, opened)
        except UnsupportedModelError as error:
            refused = error
        except RecordError as error:  # a configuration whose sizes contradict each other
            refused = failed(model.model, model.name, error)
    raise refused


def _finds_traces(model: HuggingFaceReader) -> bool:
    """Whether a pass of a few tokens changes what it runs through, or draws from the generators of the process."""
    copied, inputs = untouched_copy(model.model), few_tokens(model)
    with undisturbed(), same_randomness(model.device):
        before = state_of(copied), randomness()
        model.writes_on_itself = False  # for this pass, which has a copy of its own
        model.run(inputs, copied.base_model)
        model.classes_of_parts = classes_in(copied)
        return (state_of(copied), randomness()) != before or changes_by_length(copied)


def _try_way(model: HuggingFaceReader, way: RecordedBy, opened: OpenedModel) -> ModelInfo:
    """The same in one way. Raises UnsupportedModelError if the model cannot be recorded so."""
    model.way = way
    _attend_by(model, IMPLEMENTATION if way == "interface" else EAGER)
    model.writes_on_itself = _finds_traces(model)
    inputs = few_tokens(model)
    with undisturbed(), recording() as calls:
        output = model.run(inputs, model.model.base_model)
    tokens = tuple(Token(text=str(position)) for position in range(TOKENS_TO_TRY))
    records = records_of(model, calls, output, {"encoder": tokens, "decoder": tokens})
    with undisturbed():
        expect_calls_of_these_layers(model, inputs)
        _expect_same_as_own_attention(model, inputs, output)
        _expect_same_bias(model, inputs, calls)
        model.last_layer = module_of_last_layer(
            model.model.base_model,
            lambda body: model.states_of(model.run(inputs, body)),
            kind=records[0].kind,
            n_layers=model.n_blocks,
        )
        if calls and any(1 in record.scale for record in records):
            model.query_scales = scales_in_queries(model.model.base_model, lambda body: model.run(inputs, body))
    _expect_states_of_tokens(model, output)
    return _describe(model, opened, records, d_model=int(model.states_of(output)[0].shape[-1]))


def _attend_by(model: HuggingFaceReader, implementation: str) -> None:
    """Set the attention of transformers' interface, where the family passes by it."""
    if getattr(model.model.config, "_attn_implementation", None) in {IMPLEMENTATION, EAGER} - {implementation}:
        model.model.set_attn_implementation(implementation)


def _describe(
    model: HuggingFaceReader, opened: OpenedModel, records: Sequence[AttentionRecord], *, d_model: int
) -> ModelInfo:
    config = model.model.config.get_text_config()
    n_heads = records[0].n_heads
    return ModelInfo(
        name=model.name,
        family=str(model.model.config.model_type),
        implementation="huggingface",
        kinds=tuple(record.kind for record in records),
        n_layers=records[0].n_layers,
        n_heads=n_heads,
        n_kv_heads=n_kv_heads(config, n_heads),
        d_model=d_model,
        d_head=int(records[0].query.shape[-1]) or d_model // n_heads,
        d_ff=d_ff(config),
        d_vocab=d_vocab(model),
        max_tokens=_max_tokens(model, records),
        n_parameters=sum(weight.numel() for weight in model.model.parameters()),
        device=str(model.device),
        can_fill_mask=opened.has_mlm_head,
        can_judge_next_sentence=opened.has_nsp_head,
        can_find_replaced=opened.has_discriminator,
        can_label_tokens=opened.has_token_labels,
        can_label_text=opened.has_text_labels and not gives_score(model.model.config),
        can_translate=opened.has_lm_head and model.is_encoder_decoder,
        can_continue=opened.has_lm_head and opened.is_causal,
        has_vectors=records[0].has_vectors,
        has_sinks=any(record.has_sinks() for record in records),
        untrained=opened.untrained,
        layer_numbers=model.layer_numbers,
        mixes_otherwise=mixes_otherwise(model.model.config),
        notes=opened.notes,
        task_prefixes=task_prefixes(model.model.config),
    )


def expect_calls_of_these_layers(model: HuggingFaceReader, inputs: Inputs) -> None:
    """Find the layers of a hybrid. Raises UnsupportedModelError if others than those that have attention made the
    calls."""
    if not model.layer_numbers or model.way == "weights alone":
        return
    lists = block_lists(model.model.base_model, next(iter(model.n_blocks)), model.n_blocks)
    for blocks in lists:  # one that reads pictures may have as many
        if blocks_of_calls(model.model.base_model, blocks, lambda body: model.run(inputs, body)) == model.layer_numbers:
            model.hybrid_blocks = blocks
            return
    raise unsupported(model.name, str(model.model.config.model_type))


def _expect_same_as_own_attention(model: HuggingFaceReader, inputs: Inputs, output: ModelOutput) -> None:
    """Raise UnsupportedModelError if the model's own, plainly written attention comes to other hidden states."""
    if model.way == "weights alone":  # which is its own attention
        return
    way, model.way = model.way, "weights alone"
    _attend_by(model, EAGER)
    try:
        own = last_states(model.run(inputs, model.model.base_model))  # [1, TOKENS_TO_TRY, d_model]
    finally:
        model.way = way
        _attend_by(model, IMPLEMENTATION if way == "interface" else EAGER)
    if not torch.allclose(last_states(output), own, rtol=TOLERANCE, atol=TOLERANCE * float(own.abs().max())):
        raise unsupported(model.name, str(model.model.config.model_type))


def _expect_same_bias(model: HuggingFaceReader, inputs: Inputs, calls: Sequence[AttentionCall]) -> None:
    """Raise UnsupportedModelError if what a forward adds to its scores depends on the tokens: then it is no bias,
    but a product of other vectors (DeBERTa)."""
    if model.way != "written out":
        return
    with recording() as others:
        model.run(replace(inputs, ids=inputs.ids.flip(1)), model.model.base_model)
    for one, other in zip(calls, others, strict=True):
        if one.bias is not None and (other.bias is None or not torch.allclose(one.bias, other.bias)):
            raise unsupported(model.name, str(model.model.config.model_type))


def _expect_states_of_tokens(model: HuggingFaceReader, output: ModelOutput) -> None:
    """Raise UnsupportedModelError if the hidden states are not told apart by tokens first: Gemma 3n's are by its
    streams (Baykal et al. 2023, "Alternating Updates for Efficient Transformers", section 3)."""
    states = model.states_of_attention(model.states_of(output))
    if any(state.shape[:2] != (1, TOKENS_TO_TRY) for state in states):
        raise UnsupportedModelError(
            model.name,
            worded(
                "{model} is of the family {family}, whose layers do not hand on one vector a token. Choose another "
                "model, such as BERT, GPT-2 or T5.",
                model=model.name,
                family=repr(str(model.model.config.model_type)),
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
