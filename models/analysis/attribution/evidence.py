"""The evidence of a method for one answer. Each part is asked of the model once, when a method first needs it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cached_property

import numpy as np

from models.model import Model, TellProgress
from models.values.probing.changes import NO_CHANGES, Changes, TokenPlace, stack_of
from models.values.probing.contrast import AnswersUnder, Contrast
from models.values.probing.gradients import Gradients, GradientsBy
from models.values.probing.stream import AnswerStreams
from models.values.record import Array, AttentionRecord, Kind, Recording, Token
from models.values.results.attribution import Word, words_of

WordSet = frozenset[int]
"""Some of the words, by their places among them."""
SETS_AT_ONCE = 64
"""So many sets of words are left out before it is said how far the work is."""


class Evidence:
    """A text, a model and an answer. The tokens are those of all stacks: of an encoder-decoder the source, then what
    the decoder reads."""

    def __init__(self, model: Model, text: str, text_b: str | None, contrast: Contrast) -> None:
        self.model = model
        self.text = text
        self.text_b = text_b
        self.contrast = contrast
        self._known: dict[WordSet, float] = {}

    @cached_property
    def recording(self) -> Recording:
        return self.model.record(self.text, self.text_b)

    @cached_property
    def streams(self) -> AnswerStreams:
        return self.model.answer_streams(self.text, self.text_b, contrast=self.contrast)

    @cached_property
    def gradients(self) -> Gradients:
        """With those by the weights of every head, of a model whose attention is recorded whole."""
        by: GradientsBy = "weights" if self.recording.info.has_vectors else "embeddings"
        return self.model.gradients(self.text, self.text_b, contrast=self.contrast, by=by)[0]

    def gradients_under(self, changes: Sequence[Changes]) -> tuple[Gradients, ...]:
        """Those by the embeddings alone."""
        return self.model.gradients(self.text, self.text_b, contrast=self.contrast, changes=changes, by="embeddings")

    def under(self, changes: Sequence[Changes]) -> AnswersUnder:
        """Return the probabilities of the answer."""
        return self.model.answers_under(self.text, self.text_b, contrast=self.contrast, changes=changes)

    @cached_property
    def whole(self) -> AnswersUnder:
        """The answer as it is."""
        return self.under([NO_CHANGES])

    def probabilities(self, sets: Iterable[WordSet], progress: TellProgress | None = None) -> dict[WordSet, float]:
        """The probability of the answer without some words, for every set of them; each set is asked only once.

        `progress` is told (done, of) between the batches.
        """
        wanted = list(dict.fromkeys(sets))
        missing = [words for words in wanted if words not in self._known]
        for begin in range(0, len(missing), SETS_AT_ONCE):
            batch = missing[begin : begin + SETS_AT_ONCE]
            changes = [self.without([token for word in sorted(words) for token in self.words[word]]) for words in batch]
            self._known |= zip(batch, np.exp(self.under(changes).log_probabilities).tolist(), strict=True)
            if progress is not None:
                progress(begin + len(batch), len(missing))
        return {words: self._known[words] for words in wanted}

    def without(self, tokens: Sequence[int]) -> Changes:
        """Some tokens left out: no other token sees them. The one from which the answer is read sees itself all the
        same, and so is read as a mask."""
        places = tuple(self.places[token] for token in tokens)
        return Changes(hidden=places, blank=tuple(self.places[token] for token in tokens if self.readers[token]))

    # -- tokens -------------------------------------------------------------------------------------------------------

    @cached_property
    def records(self) -> dict[Kind, AttentionRecord]:
        return {record.kind: record for record in self.recording.attention}

    @cached_property
    def places(self) -> tuple[TokenPlace, ...]:
        own = (record for record in self.recording.attention if record.kind != "cross")
        return tuple((stack_of(record.kind), position) for record in own for position in range(record.n_query))

    @cached_property
    def tokens(self) -> tuple[Token, ...]:
        return tuple(
            token for record in self.recording.attention if record.kind != "cross" for token in record.query_tokens
        )

    @cached_property
    def words(self) -> tuple[Word, ...]:
        """The words that may have mattered."""
        return words_of(self.tokens, self.places, self.contrast)

    @cached_property
    def n_source(self) -> int:
        """How many tokens stand before those of the decoder; none of a single stack."""
        return self.records["encoder"].n_query if "cross" in self.records else 0

    @cached_property
    def readers(self) -> Array:
        """From which tokens the answer is read, as shares [n_tokens]: the place that is asked about, or those states
        that it changes with."""
        answering = self.recording.attention[-1]  # the cross attention, where there is one
        shares = np.zeros(answering.n_query, np.float32)
        if self.contrast.position is not None:
            shares[self.contrast.position] = 1
        else:
            shares = np.linalg.norm(self.streams.direction, axis=1)
        whole = np.zeros(len(self.tokens), np.float32)
        whole[self.n_source :] = shares / shares.sum()
        return whole
