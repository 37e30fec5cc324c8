"""A transformers model before which a text is put, to be asked many times what it answers at one place."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

import torch
from torch import Tensor, nn
from transformers.utils.generic import ModelOutput

from models.huggingface.lm_heads import is_multi_label, labels_of, mask_logits
from models.huggingface.passes import HuggingFaceReader
from models.inspection.probing.probe import Blanks, Probe
from models.recording.watched_copy import with_twins
from models.tasks.places import IS_REPLACED, JUDGEMENTS, AskedText, answer_place, blanked_rows
from models.tasks.predictions import mask_positions
from models.text.reading import Reading
from models.values.probing.changes import Stack, stack_of
from models.values.probing.contrast import AnswerOf
from models.values.record import Token


def put_probe(
    model: HuggingFaceReader, text: str, text_b: str | None, *, of: AnswerOf | None, position: int | None
) -> Probe:
    """Put a text before the model, to be asked at one place."""
    reading = model.read(text, text_b)
    stacks: tuple[Stack, ...] = tuple(dict.fromkeys(map(stack_of, model.network.n_calls)))
    tokens: dict[Stack, tuple[Token, ...]] = {stack: reading.tokens[stack] for stack in stacks}
    masks = () if model.is_encoder_decoder else mask_positions(reading.prepared.input_ids, model.tokenizer)
    first = int(model.is_encoder_decoder and model.first_id() is not None)
    asked = AskedText(tokens=tokens[stacks[-1]], masks=masks, text_b=text_b, first_written=first)
    of, position = answer_place(model.info, of, position, asked=asked, lacks=model.lacks)
    network: Any = model.model  # whose embeddings have no types
    return Probe(
        info=model.info,
        of=of,
        position=position,
        model=model.model,
        layers={stack: _layer_names(model, stack) for stack in stacks},
        tokens=tokens,
        n_layers=model.network.n_calls,
        run=partial(_logits_at, model=model, reading=reading, of=of, position=position),
        choices=_choices(model, of),
        embedding=_weight(network.get_input_embeddings),
        unembedding=_weight(network.get_output_embeddings),
        is_each_by_itself=of == "label" and is_multi_label(model.model.config),
    )


def _layer_names(model: HuggingFaceReader, stack: Stack) -> tuple[str, ...]:
    """Return the names of the layers that have attention; the others run between them unchanged."""
    network = model.network
    names = network.blocks_of(stack)
    names = tuple(names[number] for number in network.layer_numbers) or names
    return tuple(f"{network.body_name}.{name}".removeprefix(".") for name in names)


def _choices(model: HuggingFaceReader, of: AnswerOf) -> Sequence[str]:
    if of in {"mask", "next"}:
        return model.vocabulary
    config = model.model.config
    return {"sentence": JUDGEMENTS, "replaced": IS_REPLACED}.get(of) or labels_of(config, config.num_labels or 0)


def _logits_at(
    module: nn.Module, blanks: Blanks, *, model: HuggingFaceReader, reading: Reading, of: AnswerOf, position: int | None
) -> Tensor:
    """The logits [n_rows, n_choices] of a copy of the model for one text and its blanks."""
    model.expect_in_vocabulary(reading.prepared.input_ids, reading.decoder_ids)
    segment_ids = torch.tensor([reading.prepared.segment_ids], device=model.device)  # [1, n_tokens]
    rows = partial(blanked_rows, blanks=blanks, tokenizer=model.tokenizer, device=model.device)
    ids = rows(reading.prepared.input_ids, stack=stack_of(model.info.kinds[0]))  # [n_rows, n_tokens]
    target = None if reading.decoder_ids is None else rows(reading.decoder_ids, stack="decoder")
    inputs = model.network.text_arguments(ids, segment_ids=segment_ids, decoder_ids=target)
    body = _answering_body(model)
    if position is not None and body:
        module = with_twins(module, {body: partial(_hand_out, position=position)})
    output = model.network.run_rows(inputs, module)
    logits: Tensor = output["seq_relationship_logits"] if of == "sentence" else mask_logits(output)
    if position is None:
        return logits
    if of == "replaced":  # one logit a token: beside one of 0, the softmax of both is its sigmoid
        logits = torch.stack((torch.zeros_like(logits), logits), dim=-1)  # [n_rows, 1 or n_tokens, 2]
    return logits[:, position if logits.shape[1] > 1 else 0]


def _answering_body(model: HuggingFaceReader) -> str:
    """The module whose last hidden states the LM head or classifier reads; empty where that is the whole model."""
    if not model.is_encoder_decoder:
        return model.network.body_name
    network: Any = model.model
    decoder = network.get_decoder()
    names: dict[int, str] = {id(module): name for name, module in model.model.named_modules()}
    return names[id(decoder)]


def _weight(of: Callable[[], nn.Module | None]) -> Tensor | None:
    """The matrix of the embeddings, or of what the words come out of; None where the class has none."""
    try:
        weight = getattr(of(), "weight", None)
    except NotImplementedError:  # so transformers says that a class has none, or several
        return None
    return weight if isinstance(weight, Tensor) else None


def _hand_out(body: nn.Module, *, position: int) -> None:
    """Have a body give the last hidden state of one token, so that an LM head does not work for all of them."""

    def at_one_place(_module: nn.Module, _given: tuple[Any, ...], gave: Any) -> Any:
        if not isinstance(gave, ModelOutput) or "last_hidden_state" not in gave:
            return gave
        states: Tensor = gave["last_hidden_state"]
        same_class: Callable[..., ModelOutput] = type(gave)
        return same_class(**{**gave, "last_hidden_state": states[:, position : position + 1]})

    body.register_forward_hook(at_one_place)
