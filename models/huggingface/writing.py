"""How a transformers model is asked for the next token, with its own key/value cache, for `models.tasks.decoding`.

What a checkpoint's generation_config.json forbids or forces is kept to: Marian never writes its padding, a
multilingual model begins with the code of a language. https://huggingface.co/docs/transformers/generation_strategies
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from inspect import signature
from typing import Any

import torch
from torch import Tensor
from transformers import DynamicCache, EncoderDecoderCache, GenerationConfig, PreTrainedConfig, PreTrainedModel
from transformers.generation.logits_process import (
    ForcedBOSTokenLogitsProcessor,
    LogitsProcessor,
    NoBadWordsLogitsProcessor,
    NoRepeatNGramLogitsProcessor,
    SuppressTokensAtBeginLogitsProcessor,
    SuppressTokensLogitsProcessor,
)
from transformers.utils.generic import ModelOutput

from models.huggingface.config import mixes_otherwise
from models.tasks.decoding import Rule
from models.values.errors import HeadlightError

TOLERANCE = 1e-3


class HuggingFaceCache:
    """The keys and values that a transformers model keeps of one batch; with a `config`, what its layers without
    attention keep, too. Of a model that keeps none, what it has read [b, n_tokens], to be read once more each time."""

    def __init__(self, *, with_source: bool, config: PreTrainedConfig | None = None, of_model: bool = True) -> None:
        own = DynamicCache(config=config)
        self.kept = EncoderDecoderCache(own, DynamicCache()) if with_source else own
        self.n_tokens = 0
        self.of_model = of_model
        self.ids: Tensor | None = None

    @property
    def n_bytes(self) -> int:
        """The bytes of all that is kept, also by layers without attention."""
        own = self.kept.self_attention_cache if isinstance(self.kept, EncoderDecoderCache) else self.kept
        kept = (tensor for layer in own.layers for tensor in vars(layer).values())
        return sum(tensor.nbytes for tensor in kept if isinstance(tensor, Tensor))

    def reorder(self, rows: Tensor) -> None:
        """Make the batch out of these of its rows [b_new]; one may be taken several times, or never."""
        if self.ids is not None:
            self.ids = self.ids[rows]
        if self.of_model:
            layers: Any = self.kept  # asks for a LongTensor, a class of which no tensor is an instance for mypy
            layers.reorder_cache(rows)


@dataclass(frozen=True, kw_only=True)
class HuggingFaceDecoding:
    """A model that continues texts, or one that has read its `source`: then that is what its encoder made of it, with a
    last_hidden_state [1, n_source, d_model]. `run` calls the model so that its attention knows which model runs."""

    model: PreTrainedModel
    run: Callable[..., ModelOutput]
    source: ModelOutput | None = None
    keeps_cache: bool = True
    """Whether the class takes keys and values of before (GPT-1 does not)."""

    def new_cache(self) -> HuggingFaceCache:
        """An empty cache for one batch."""
        config = self.model.config
        return HuggingFaceCache(
            with_source=self.source is not None,
            config=config if mixes_otherwise(config) else None,
            of_model=self.keeps_cache,
        )

    def next_logits(self, input_ids: Tensor, cache: HuggingFaceCache | None = None) -> Tensor:
        """Logits [b, d_vocab] of the token after ids [b, n_tokens]; with a cache, after all that it has read, too."""
        few = {"logits_to_keep": 1} if self._keeps_few else {}
        return self._logits(input_ids, cache, **few)[:, -1]  # [b, d_vocab]

    def all_logits(self, input_ids: Tensor, cache: HuggingFaceCache | None = None) -> Tensor:
        """Logits [b, n_tokens, d_vocab] of the token after each of the ids [b, n_tokens]."""
        return self._logits(input_ids, cache)

    def _logits(self, input_ids: Tensor, cache: HuggingFaceCache | None, **options: int) -> Tensor:
        n_rows, n_new = input_ids.shape
        if cache is not None and not cache.of_model:
            cache.ids = input_ids if cache.ids is None else torch.cat((cache.ids, input_ids), dim=1)
            return self._logits(cache.ids, None, **options)[:, -n_new:]  # [b, n_new, d_vocab]
        n_read = 0 if cache is None else cache.n_tokens
        given: dict[str, Any] = {
            "past_key_values": None if cache is None else cache.kept,
            "use_cache": cache is not None,
        }
        if self.source is None:
            given |= {"input_ids": input_ids, "attention_mask": input_ids.new_ones(n_rows, n_read + n_new)}
        else:
            states = self.source["last_hidden_state"].expand(n_rows, -1, -1)  # [b, n_source, d_model]
            same_class: Any = type(self.source)  # Switch reads more of it than a BaseModelOutput has
            given |= {
                "decoder_input_ids": input_ids,
                "encoder_outputs": same_class(last_hidden_state=states),
                "attention_mask": input_ids.new_ones(states.shape[:2]),
            }
        logits: Tensor = self.run(**given, **options)["logits"]  # [b, n_new, d_vocab]
        if cache is not None:
            cache.n_tokens += n_new
        return logits

    @cached_property
    def _keeps_few(self) -> bool:
        """Whether the model can leave out the logits that nobody asks for."""
        return "logits_to_keep" in signature(self.model.forward).parameters


def keeps_what_it_read(decoding: HuggingFaceDecoding, ids: Tensor) -> bool:
    """Whether a model says the same after some ids [1, n_tokens] if it is given them one after the other."""
    cache, whole = decoding.new_cache(), decoding.next_logits(ids)
    try:
        decoding.next_logits(ids[:, :-1], cache)
        stepwise = decoding.next_logits(ids[:, -1:], cache)
    except HeadlightError:
        return False
    return torch.allclose(stepwise, whole, rtol=TOLERANCE, atol=TOLERANCE * float(whole.abs().max()))


def rule_of(
    config: GenerationConfig,
    end_ids: Sequence[int],
    *,
    has_source: bool,
    device: torch.device,
    first_id: int | None = None,
) -> Rule | None:
    """Return the rule of tokens that a checkpoint's configuration forbids and forces; None if there is none.

    Tokens and n-grams that may not be written, and, with a source, the token `first_id`, which has to come first.
    """
    processors: list[LogitsProcessor] = []
    if config.no_repeat_ngram_size:
        processors.append(NoRepeatNGramLogitsProcessor(config.no_repeat_ngram_size))
    if config.bad_words_ids:
        ends = torch.tensor(list(end_ids), device=device)
        processors.append(NoBadWordsLogitsProcessor(config.bad_words_ids, eos_token_id=ends))
    if config.suppress_tokens:
        processors.append(SuppressTokensLogitsProcessor(config.suppress_tokens, device=str(device)))
    if config.begin_suppress_tokens:
        first = (1 if first_id is None else 2) if has_source else 0
        processors.append(SuppressTokensAtBeginLogitsProcessor(config.begin_suppress_tokens, first, device=str(device)))
    if has_source and first_id is not None:
        processors.append(ForcedBOSTokenLogitsProcessor(first_id))
    return _all_of(processors) if processors else None


def _all_of(processors: Sequence[LogitsProcessor]) -> Rule:
    def rule(ids: Tensor, log_probabilities: Tensor) -> Tensor:
        allowed = log_probabilities  # [n_beams, d_vocab]
        for processor in processors:
            allowed = processor(ids, allowed)
        return allowed

    return rule
