"""Recordings of a transformers model: of one text, or of several in one pass."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import torch
from torch import Tensor, nn
from transformers import PreTrainedModel
from transformers.utils.generic import ModelOutput

from models.huggingface.lm_heads import mask_logits
from models.huggingface.network import Network, PassArguments
from models.huggingface.passes import HuggingFaceReader
from models.inspection.output_factors import find_factors
from models.recording.assemble import StackStates, records_from_calls
from models.recording.attention_call import AttentionCall
from models.recording.exact import exact_products
from models.recording.recorder import recording, suspend_observer
from models.recording.rows import mask_padding, pad_rows, split_rows
from models.recording.weights_alone import records_from_weights, weights_handed_out
from models.tasks.mask_guesser import mask_predictions
from models.text.prepare import PreparedText
from models.text.reading import Reading
from models.values.record import Array, AttentionRecord, Kind, Recording, Token

Tokens = Mapping[Kind, tuple[Token, ...]]
"""The tokens that the attention of each kind runs over."""
TOKENS_TO_TRY = 8
SAME = 1e-5
"""Tolerance between a text in a pass of several and the same text alone, relative to the largest number."""


def record_together(
    model: HuggingFaceReader, texts: Sequence[PreparedText], output_factors: Mapping[Kind, Array]
) -> tuple[Recording, ...]:
    """Record several texts in one pass."""
    lengths = [len(text.input_ids) for text in texts]
    with recording() as calls:
        output, states = model.network.run_watched(_pad_texts(model, texts), _reader_of(model, texts[0]))
    return tuple(
        _as_recording(
            model,
            model.alone(text),
            row.calls(calls),
            row.of_stack(states),
            output=output,
            row=row.row,
            output_factors=output_factors,
        )
        for text, row in zip(texts, split_rows(lengths), strict=True)
    )


def record_alone(
    model: HuggingFaceReader,
    reading: Reading,
    positions: Sequence[int] | None,
    output_factors: Mapping[Kind, Array],
) -> Recording:
    """Record one text, its tokens at these positions, through the LM head only if it has a mask."""
    inputs = model.inputs(reading.prepared, reading.decoder_ids, positions)
    with recording() as calls:
        output, states = model.network.run_watched(inputs, _reader_of(model, reading.prepared))
    return _as_recording(model, reading, calls, states, output=output, row=0, output_factors=output_factors)


def _as_recording(
    model: HuggingFaceReader,
    reading: Reading,
    calls: Sequence[AttentionCall],
    states: StackStates,
    *,
    output: ModelOutput,
    row: int,
    output_factors: Mapping[Kind, Array],
) -> Recording:
    prepared = reading.prepared
    hidden_states, final_state = states.as_arrays()
    return Recording(
        info=model.info,
        tokens=prepared.tokens,
        attention=records_of(model.network, calls, output, reading.tokens, output_factors),
        hidden_states=hidden_states,
        final_state=final_state,
        segment_b_start=prepared.segment_b_start,
        predictions=mask_predictions(model, lambda at: mask_logits(output)[row][list(at)], prepared)
        if needs_lm_head(model, prepared)
        else (),
        note=reading.note,
    )


def records_of(
    network: Network,
    calls: Sequence[AttentionCall],
    output: ModelOutput,
    tokens: Tokens,
    output_factors: Mapping[Kind, Array] | None = None,
) -> tuple[AttentionRecord, ...]:
    """Return the records of a pass, one for each kind of attention."""
    if network.way == "weights alone":
        given = weights_handed_out(output, network.n_calls)
        return records_from_weights(given, name=network.name, tokens=tokens, n_layers=network.n_calls)
    return records_from_calls(
        calls,
        name=network.name,
        tokens=tokens,
        n_layers=network.n_calls,
        query_scales=network.query_scales,
        output_factors=output_factors,
    )


def needs_lm_head(model: HuggingFaceReader, text: PreparedText) -> bool:
    """Return whether a text has a mask, and the model something to say there."""
    return model.info.can_fill_mask and model.tokenizer.mask_token_id in text.input_ids


def _reader_of(model: HuggingFaceReader, text: PreparedText) -> nn.Module:
    return model.model if needs_lm_head(model, text) else model.network.body


def _pad_texts(model: HuggingFaceReader, texts: Sequence[PreparedText]) -> PassArguments:
    filled = model.tokenizer.pad_token_id or 0
    return model.network.text_arguments(
        pad_rows([text.input_ids for text in texts], filled, model.device),
        segment_ids=pad_rows([text.segment_ids for text in texts], 0, model.device),
        mask=mask_padding([len(text.input_ids) for text in texts], model.device),
    )


def is_same_together(model: HuggingFaceReader) -> bool:
    """Whether a text gets the same beside a longer one as alone: positions may be counted otherwise, or the tokens
    of all texts share something. Weights that are handed out alone are those of one text; and a class that changes
    itself may do so by the length of the longest."""
    if model.network.way == "weights alone" or model.network.writes_on_itself:
        return False
    ids = sample_tokens(model.network)["input_ids"][0].tolist()
    pair = (ids, ids[: TOKENS_TO_TRY // 2])
    with exact_products():
        alone = [_last_states(model, pair[row : row + 1]) for row in range(2)]
        together = _last_states(model, pair)
    cut = [together[row : row + 1, : len(ids)] for row, ids in enumerate(pair)]
    return all(
        torch.allclose(one, other, rtol=SAME, atol=SAME * float(one.abs().max()))
        for one, other in zip(alone, cut, strict=True)
    )


def _last_states(model: HuggingFaceReader, rows: Sequence[Sequence[int]]) -> Tensor:
    ids = pad_rows(rows, model.tokenizer.pad_token_id or 0, model.device)  # [b, n_tokens]
    network = model.network
    inputs = network.text_arguments(ids, mask=mask_padding(list(map(len, rows)), model.device))
    with suspend_observer():
        return network.states_of(network.run(inputs, network.body))[-1]  # [b, n_tokens, d_model]


def sample_tokens(network: Network) -> PassArguments:
    """Return the first tokens of the vocabulary, for passes that try the model."""
    ids = torch.arange(TOKENS_TO_TRY, device=network.device)[None] % network.d_vocab  # [1, TOKENS_TO_TRY]
    return network.text_arguments(ids, decoder_ids=ids if network.is_encoder_decoder else None)


def find_output_factors(network: Network, sample: PassArguments) -> Mapping[Kind, Array]:
    """Return by what the lengths of values after W_O follow from the values, for each kind of attention."""
    if network.way == "weights alone":
        return {}
    with exact_products():
        return find_factors(network.body, lambda body: network.run(sample, body))


def count_written(model: PreTrainedModel, n_read: int) -> int:
    """Return how many tokens an LM head has logits for, of those that the model reads: Llama 3.2 Vision reads more."""
    untyped: Any = model
    try:
        weight = getattr(untyped.get_output_embeddings(), "weight", None)
    except NotImplementedError:  # so transformers says that a class has none, or several
        return n_read
    return min(n_read, len(weight)) if isinstance(weight, Tensor) else n_read
