"""Sentences that wait for one model, read in one forward pass where that is faster.

A pass costs about as much as so many more tokens, however short the sentence is: the weights are fetched once, each
operation begins once. A batch saves that for all sentences but one, and pays for its padding.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass

from models.tasks.together import RecordsTogether
from models.text.prepare import PreparedText


@dataclass(frozen=True, slots=True, kw_only=True)
class BatchRule:
    """Measurements of a device (`python -m benchmarks.batching`, docs/performance.md)."""

    tokens_of_a_pass: int
    """So many tokens more cost as much as another pass."""
    most_tokens: int
    """Of a whole batch, padding included; beyond that nothing is gained, and everybody waits for all."""
    most_sentences: int


ON_PROCESSOR = BatchRule(tokens_of_a_pass=20, most_tokens=256, most_sentences=8)
ON_ACCELERATOR = BatchRule(tokens_of_a_pass=2048, most_tokens=16_384, most_sentences=32)
"""Of a GPU, which is idle for most of a pass of one sentence: bounds for its memory, and not measured yet."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Sentence:
    """A text, or a pair, as its model reads it."""

    model: RecordsTogether
    text: PreparedText

    @property
    def n_tokens(self) -> int:
        return len(self.text.input_ids)

    @property
    def group(self) -> Hashable:
        """Sentences with equal ones may be read in one pass."""
        return id(self.model), self.model.pass_group(self.text)


def sentence_of(model: object, text: str, text_b: str | None = None) -> Sentence | None:
    """A text, or a pair, that its model may read together with others; None if it reads it alone. Raises what
    `prepared` raises."""
    if not isinstance(model, RecordsTogether):
        return None
    prepared = model.prepare_together(text, text_b)
    return None if prepared is None else Sentence(model=model, text=prepared)


def rule_of(device: str) -> BatchRule:
    """The rule for a device, by its name."""
    return ON_PROCESSOR if device == "cpu" else ON_ACCELERATOR


def is_faster(batch: Sequence[Sentence], more: Sentence, rule: BatchRule | None = None) -> bool:
    """Whether a batch with one more sentence takes less time than the batch, and then the sentence alone."""
    rule = rule or rule_of(more.model.info.device)
    if len(batch) >= rule.most_sentences or more.group != batch[0].group:
        return False
    before = max(sentence.n_tokens for sentence in batch)
    n_tokens = max(before, more.n_tokens) * (len(batch) + 1)
    costs_more = n_tokens - before * len(batch)
    return n_tokens <= rule.most_tokens and costs_more < more.n_tokens + rule.tokens_of_a_pass
