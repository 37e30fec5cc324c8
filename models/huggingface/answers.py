"""Answers of the heads on top of a transformers model: MLM head, NSP head, discriminator, classifiers.

A class for the adapter to build on: it says nothing about recording.
"""

from __future__ import annotations

from collections.abc import Sequence

import torch
from torch import Tensor

from models.huggingface.classes import WRITERS, architecture, names_other_head, sees_both_sides
from models.huggingface.lm_heads import (
    IS_NEXT,
    averages_elsewhere,
    gives_score,
    is_multi_label,
    labels_of,
    mask_logits,
    read_from,
)
from models.huggingface.passes import HuggingFaceReader
from models.model import (
    ANSWERS,
    LABELS_OF_TEXTS,
    LABELS_OF_TOKENS,
    MASKED_WORDS,
    NEXT_SENTENCE,
    NEXT_TOKENS,
    REPLACED_TOKENS,
    TRANSLATION,
    missing,
)
from models.tasks.missing import gives_scores, why_it_does_not_write
from models.tasks.predictions import as_array, softmax
from models.text.prepare import PreparedText
from models.values.answers import ReplacedTokens, TextLabels, TokenLabels
from models.values.errors import MissingCapabilityError
from models.values.wording import to_say, worded

WITH_LM_HEAD = frozenset({ANSWERS, MASKED_WORDS, NEXT_TOKENS, TRANSLATION})
"""Capabilities that need an LM head."""


def next_sentence(model: HuggingFaceReader, text: str, text_b: str, *, exchange_segments: bool = False) -> float:
    """The probability, 0 to 1, that `text_b` follows `text`. Raises MissingCapabilityError without an NSP head."""
    if not model.info.can_judge_next_sentence:
        raise model.lacks(NEXT_SENTENCE)
    prepared = model.prepare_follow_up(text, text_b, exchange_segments=exchange_segments)
    output = model.network.run(model.inputs(prepared), model.model)
    logits: Tensor = output["seq_relationship_logits"]  # [1, 2]
    return float(softmax(logits[0])[IS_NEXT])


def find_replaced(model: HuggingFaceReader, text: str, text_b: str | None = None) -> ReplacedTokens:
    """For every token the probability that somebody replaced it. Raises MissingCapabilityError."""
    if not model.info.can_find_replaced:
        raise model.lacks(REPLACED_TOKENS)
    prepared = model.prepare(text, text_b)
    logits: Tensor = model.network.run(model.inputs(prepared), model.model)["logits"][0]  # [n_tokens]
    return ReplacedTokens(
        info=model.info, tokens=prepared.tokens, probabilities=as_array(logits.float().sigmoid()), note=prepared.note
    )


def label_tokens(model: HuggingFaceReader, text: str, text_b: str | None = None) -> TokenLabels:
    """For every token the probabilities of the labels. Raises MissingCapabilityError without such a classifier."""
    if not model.info.can_label_tokens:
        raise model.lacks(LABELS_OF_TOKENS)
    prepared = model.prepare(text, text_b)
    logits: Tensor = model.network.run(model.inputs(prepared), model.model)["logits"][0]  # [n_tokens, n_labels]
    return TokenLabels(
        info=model.info,
        tokens=prepared.tokens,
        labels=labels_of(model.model.config, logits.shape[-1]),
        probabilities=softmax(logits),
        note=prepared.note,
    )


def label_text(model: HuggingFaceReader, text: str, text_b: str | None = None) -> TextLabels:
    """The probabilities of the labels of the text. Raises MissingCapabilityError, also for a score."""
    if not model.info.can_label_text:
        raise model.lacks(LABELS_OF_TEXTS)
    prepared = model.prepare(text, text_b)
    logits: Tensor = model.network.run(model.inputs(prepared), model.model)["logits"][0]  # [n_labels]
    each_by_itself = is_multi_label(model.model.config)
    return TextLabels(
        info=model.info,
        tokens=prepared.tokens,
        labels=labels_of(model.model.config, len(logits)),
        probabilities=as_array(logits.float().sigmoid()) if each_by_itself else softmax(logits),
        is_multi_label=each_by_itself,
        read_from=read_from(model.model.config, len(prepared.tokens)),
        note=prepared.note,
    )


# -- logits -------------------------------------------------------------------------------------------------------


def read_mask_logits(model: HuggingFaceReader, prepared: PreparedText) -> Tensor:
    return mask_logits(model.network.run(model.inputs(prepared), model.model))[0]


def read_logits_if_masked(model: HuggingFaceReader, prepared: PreparedText, positions: Sequence[int]) -> Tensor:
    rows, masked = torch.arange(len(positions)), torch.tensor(positions)
    ids = model.inputs(prepared)["input_ids"].repeat(len(positions), 1)  # [n_positions, n_tokens]
    segment_ids = torch.tensor([prepared.segment_ids], device=model.device)  # [1, n_tokens]
    ids[rows, masked] = model.tokenizer.mask_token_id
    logits = mask_logits(model.network.run(model.network.text_arguments(ids, segment_ids=segment_ids), model.model))
    return logits[rows, masked]  # [n_positions, d_vocab]


def error_for_lacking(model: HuggingFaceReader, capability: str) -> MissingCapabilityError:
    """The error for a capability that is not there: what the model is, from its class and its configuration."""
    if model.has_text_labels and gives_score(model.model.config):
        why = worded(
            "it is of the class {class_name}, which has learned numbers here (a regression), and has no labels, "
            "words or tokens to choose from",
            class_name=_class_name(model),
        )
        return missing(model.info, capability, why, lacks=gives_scores(model.model.config.num_labels or 1))
    return missing(model.info, capability, model.why_not(capability), lacks=model.instead(capability))


def said_instead(model: HuggingFaceReader, capability: str) -> str:
    """Return the first words where the model has the weights of a capability and cannot be asked for it; else empty."""
    if capability == LABELS_OF_TEXTS and averages_elsewhere(model.model.config):
        return to_say("cannot label texts here")
    return to_say("cannot fill masks") if capability == MASKED_WORDS and model.has_no_mask else ""


def reason_for_lacking(model: HuggingFaceReader, capability: str) -> str:
    if capability == LABELS_OF_TEXTS and averages_elsewhere(model.model.config):
        return worded(
            "its classifier takes the mean over the words, and transformers' class for a BERT reads [CLS] alone, "
            "so open it in our own encoder, by its name in the list"
        )
    if capability == MASKED_WORDS and model.has_no_mask:
        return worded("its tokenizer has no mask")
    if capability == MASKED_WORDS and model.info.can_continue:
        return worded("it is causal, so it has learned to continue a text, not to fill gaps")
    return _what_it_is(model, capability)


def _what_it_is(model: HuggingFaceReader, capability: str) -> str:
    """Return what kind of model it is instead of one with the capability, as half a sentence."""
    info, config, named = model.info, model.model.config, _class_name(model)
    writes = capability in {TRANSLATION, NEXT_TOKENS}
    is_writer = named.endswith(WRITERS)
    sees_both = sees_both_sides(config) or (is_writer and "encoder" in info.kinds)
    descriptions: tuple[tuple[bool, str], ...] = (
        (info.can_label_text, worded("it has learned only to label texts")),
        (info.can_label_tokens, worded("it has learned only to label tokens")),
        (
            names_other_head(config),
            worded("it is of the class {class_name}, whose answers Headlight does not ask for", class_name=named),
        ),
        (
            info.can_translate and capability != NEXT_TOKENS,
            worded("it is an encoder-decoder, which writes a new text for a given one"),
        ),
        (writes and (info.can_translate or info.can_continue), why_it_does_not_write(info, capability)),
        (
            "decoder" in info.kinds and capability in WITH_LM_HEAD,
            worded("it is a decoder, and its checkpoint, of the class {class_name}, has no LM head", class_name=named),
        ),
        (
            is_writer and capability == MASKED_WORDS,
            worded(
                "it is of the class {class_name}, which has learned to continue a text, not to fill gaps",
                class_name=named,
            ),
        ),
        (
            (writes or capability == ANSWERS) and sees_both,
            worded("its tokens see each other in both directions, so that it does not write word by word"),
        ),
        (writes, why_it_does_not_write(info, capability)),
        (True, worded("its checkpoint, of the class {class_name}, has no weights for it", class_name=named)),
    )
    return next(what for is_so, what in descriptions if is_so)


def _class_name(model: HuggingFaceReader) -> str:
    return architecture(model.model.config) or "(none)"
