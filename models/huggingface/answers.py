"""What sits on top of a transformers model, asked: the LM head for masks, the NSP head, the discriminator, classifiers.

A class for the adapter to build on: it says nothing about recording.
"""

from __future__ import annotations

from collections.abc import Sequence

import torch
from torch import Tensor

from models.huggingface.classes import architecture, names_other_head, sees_both_sides
from models.huggingface.lm_heads import (
    IS_NEXT,
    averages_elsewhere,
    gives_score,
    is_multi_label,
    labels_of,
    logits_of_states,
    mask_logits,
    read_from,
)
from models.huggingface.passes import HuggingFaceReader, Inputs
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


class HuggingFaceAnswers(HuggingFaceReader):
    """A transformers model that answers what its checkpoint has weights for."""

    _has_text_labels: bool
    """Whether it has a classifier for texts, if only one that gives a score."""
    _has_no_mask: bool
    """Whether it has an LM head for masked words, and its tokenizer no mask."""

    def next_sentence(self, text: str, text_b: str) -> float:
        """The probability, 0 to 1, that `text_b` follows `text`. Raises MissingCapabilityError without an NSP head."""
        if not self.info.can_judge_next_sentence:
            raise self.lacks(NEXT_SENTENCE)
        output = self._run(self._inputs(self.prepare_follow_up(text, text_b)), self.model)
        logits: Tensor = output["seq_relationship_logits"]  # [1, 2]
        return float(softmax(logits[0])[IS_NEXT])

    def find_replaced(self, text: str, text_b: str | None = None) -> ReplacedTokens:
        """For every token the probability that somebody replaced it. Raises MissingCapabilityError."""
        if not self.info.can_find_replaced:
            raise self.lacks(REPLACED_TOKENS)
        prepared = self.prepare(text, text_b)
        logits: Tensor = self._run(self._inputs(prepared), self.model)["logits"][0]  # [n_tokens]
        return ReplacedTokens(
            info=self.info, tokens=prepared.tokens, probabilities=as_array(logits.float().sigmoid()), note=prepared.note
        )

    def label_tokens(self, text: str, text_b: str | None = None) -> TokenLabels:
        """For every token the probabilities of the labels. Raises MissingCapabilityError without such a classifier."""
        if not self.info.can_label_tokens:
            raise self.lacks(LABELS_OF_TOKENS)
        prepared = self.prepare(text, text_b)
        logits: Tensor = self._run(self._inputs(prepared), self.model)["logits"][0]  # [n_tokens, n_labels]
        return TokenLabels(
            info=self.info,
            tokens=prepared.tokens,
            labels=labels_of(self.model.config, logits.shape[-1]),
            probabilities=softmax(logits),
            note=prepared.note,
        )

    def label_text(self, text: str, text_b: str | None = None) -> TextLabels:
        """The probabilities of the labels of the text. Raises MissingCapabilityError, also for a score."""
        if not self.info.can_label_text:
            raise self.lacks(LABELS_OF_TEXTS)
        prepared = self.prepare(text, text_b)
        logits: Tensor = self._run(self._inputs(prepared), self.model)["logits"][0]  # [n_labels]
        each_by_itself = is_multi_label(self.model.config)
        return TextLabels(
            info=self.info,
            tokens=prepared.tokens,
            labels=labels_of(self.model.config, len(logits)),
            probabilities=as_array(logits.float().sigmoid()) if each_by_itself else softmax(logits),
            is_multi_label=each_by_itself,
            read_from=read_from(self.model.config, len(prepared.tokens)),
            note=prepared.note,
        )

    # -- logits -------------------------------------------------------------------------------------------------------

    def mask_logits(self, prepared: PreparedText) -> Tensor:
        return mask_logits(self._run(self._inputs(prepared), self.model))[0]

    def logits_if_masked(self, prepared: PreparedText, positions: Sequence[int]) -> Tensor:
        rows, masked = torch.arange(len(positions)), torch.tensor(positions)
        read = self._inputs(prepared)
        ids = read.ids.repeat(len(positions), 1)  # [n_positions, n_tokens]
        ids[rows, masked] = self.tokenizer.mask_token_id
        logits = mask_logits(self._run(Inputs(ids=ids, segment_ids=read.segment_ids.expand_as(ids)), self.model))
        return logits[rows, masked]  # [n_positions, d_vocab]

    @torch.inference_mode()
    def mask_logits_by_layer(self, prepared: PreparedText, position: int) -> Tensor:
        """In one forward pass. Raises MissingCapabilityError if the last state does not give the model's own answer."""
        output, seen = self._run_watched(self._inputs(prepared), self.model)
        states = torch.stack([state[0, position] for state in seen.hidden_states])  # [n_layers + 1, d_model]
        logits = logits_of_states(self.model, states, own=mask_logits(output)[0, position])
        if logits is None:
            raise self._unreadable_states()
        return logits

    def _unreadable_states(self) -> MissingCapabilityError:
        return MissingCapabilityError(
            self.name,
            worded(
                "The hidden states of {model} (family {family}) cannot be read layer by layer: from the last one, its "
                "LM head does not give the model's own answer. Choose a BERT or RoBERTa.",
                model=self.name,
                family=repr(self.info.family),
            ),
        )

    def lacks(self, capability: str) -> MissingCapabilityError:
        """The error for a capability that is not there: what the model is, from its class and its configuration."""
        if self._has_text_labels and gives_score(self.model.config):
            why = worded(
                "it is of the class {class_name}, which has learned numbers here (a regression), and has no labels, "
                "words or tokens to choose from",
                class_name=self._named,
            )
            return missing(self.info, capability, why, lacks=gives_scores(self.model.config.num_labels or 1))
        return missing(self.info, capability, self.why_not(capability), lacks=self.instead(capability))

    def instead(self, capability: str) -> str:
        """What is said first where the model has what the capability asks for, and cannot be asked it; else empty."""
        if capability == LABELS_OF_TEXTS and averages_elsewhere(self.model.config):
            return to_say("cannot label texts here")
        return to_say("cannot fill masks") if capability == MASKED_WORDS and self._has_no_mask else ""

    def why_not(self, capability: str) -> str:
        if capability == LABELS_OF_TEXTS and averages_elsewhere(self.model.config):
            return worded(
                "its classifier takes the mean over the words, and transformers' class for a BERT reads [CLS] alone, "
                "so open it in our own encoder, by its name in the list"
            )
        if capability == MASKED_WORDS and self._has_no_mask:
            return worded("its tokenizer has no mask")
        if capability == MASKED_WORDS and self.info.can_continue:
            return worded("it is causal, so it has learned to continue a text, not to fill gaps")
        return self._what_it_is(capability)

    def _what_it_is(self, capability: str) -> str:
        """What the model is instead of one that has a capability, as half a sentence."""
        info, config, named = self.info, self.model.config, self._named
        writes = capability in {TRANSLATION, NEXT_TOKENS}
        found: tuple[tuple[bool, str], ...] = (
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
                worded(
                    "it is a decoder, and its checkpoint, of the class {class_name}, has no LM head", class_name=named
                ),
            ),
            (
                writes and sees_both_sides(config),
                worded("its tokens see each other in both directions, so that it does not write word by word"),
            ),
            (writes, why_it_does_not_write(info, capability)),
            (True, worded("its checkpoint, of the class {class_name}, has no weights for it", class_name=named)),
        )
        return next(what for is_so, what in found if is_so)

    @property
    def _named(self) -> str:
        return architecture(self.model.config) or "(none)"
