"""Answers of a model: words for its masks, labels for its tokens. The pictures draw these values.

Probabilities are kept as natural logarithms, so that the tail of a vocabulary keeps its digits and a ratio of odds is a
difference. Masked words: Devlin et al. 2018, section 3.1; replaced tokens: Clark et al. 2020 (ELECTRA), section 2.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from models.values.arguments.bounds import Index
from models.values.arguments.check import check_arguments
from models.values.arguments.shapes import fix_arrays
from models.values.errors import RecordError, SelectionError
from models.values.record import Array, ModelInfo, Token, WordChoice
from models.values.wording import worded

MASK = "[MASK]"
"""The text that a person types for a masked word, whichever model reads it."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class MaskedText:
    """The answers of an MLM head for every mask of a text.

    `positions` are the masks' places among the `tokens`; `log_probabilities` [n_masks, d_vocab] in nats; `vocabulary`
    [d_vocab] is the tokenizer's own spelling of every piece. Raises RecordError if the sizes contradict each other.
    """

    info: ModelInfo
    tokens: tuple[Token, ...]
    positions: tuple[int, ...]
    log_probabilities: Array
    vocabulary: Sequence[str]
    note: str = ""

    def __post_init__(self) -> None:
        fix_arrays(self, np.float32, log_probabilities=(len(self.positions), len(self.vocabulary)))

    @check_arguments
    def best(self, mask: int, top_k: Index) -> tuple[WordChoice, ...]:
        """The `top_k` likeliest pieces for a mask, best first. Raises SelectionError for a mask that is not there."""
        return best_choices(self.of(mask), self.vocabulary, top_k)

    @check_arguments
    def of(self, mask: int) -> Array:
        """The log-probabilities of one mask [d_vocab], masks counted from 0. Raises SelectionError."""
        if not 0 <= mask < len(self.positions):
            raise SelectionError(
                worded("mask {mask} was asked for, but this text has {n} of them.", mask=mask, n=len(self.positions))
            )
        chosen: Array = self.log_probabilities[mask]
        return chosen

    @check_arguments
    def choice(self, mask: int, token_id: int) -> WordChoice:
        """Return one piece of the vocabulary with its probability at a mask. Raises SelectionError."""
        self._expect_piece(token_id)
        return WordChoice(text=self.vocabulary[token_id], probability=float(np.exp(self.of(mask)[token_id])))

    @check_arguments
    def rank(self, mask: int, token_id: int) -> int:
        """The place of a piece among all of the vocabulary, 1 for the likeliest. Raises SelectionError."""
        self._expect_piece(token_id)
        chosen = self.of(mask)
        return 1 + int((chosen > chosen[token_id]).sum())

    def _expect_piece(self, token_id: int) -> None:
        if not 0 <= token_id < len(self.vocabulary):
            raise SelectionError(
                worded(
                    "piece {piece} was asked for, but the vocabulary has pieces 0 to {last}.",
                    piece=token_id,
                    last=len(self.vocabulary) - 1,
                )
            )


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class LayerwisePrediction:
    """The MLM head applied to the hidden state of one mask after every layer (the "logit lens": nostalgebraist 2020).

    `log_probabilities` [n_layers + 1, d_vocab]: entry 0 reads the embeddings, the last one is the model's own answer.
    """

    info: ModelInfo
    tokens: tuple[Token, ...]
    position: int
    log_probabilities: Array
    vocabulary: Sequence[str]

    def __post_init__(self) -> None:
        fix_arrays(self, np.float32, log_probabilities=(self.info.n_layers + 1, len(self.vocabulary)))

    @check_arguments
    def best(self, state: int, top_k: Index) -> tuple[WordChoice, ...]:
        """The likeliest pieces after `state` layers, 0 for the embeddings, best first. Raises SelectionError."""
        if not 0 <= state < len(self.log_probabilities):
            raise SelectionError(
                worded(
                    "state {state} was asked for, but this model has states 0 to {last}: the embeddings, and one after "
                    "each layer.",
                    state=state,
                    last=len(self.log_probabilities) - 1,
                )
            )
        return best_choices(self.log_probabilities[state], self.vocabulary, top_k)


@dataclass(frozen=True, slots=True, kw_only=True)
class FilledMask:
    """A mask that was filled, one of several: at `position` the piece `token_id`, with the probability it had then."""

    position: int
    token_id: int
    text: str
    probability: float


@dataclass(frozen=True, slots=True, kw_only=True)
class JointFilling:
    """Several masks filled one after the other, the surest first; each later guess has read the earlier ones.

    `masks` are in the order of filling. `log_probability` is the sum over them, in nats: a greedy lower bound of
    the best joint filling.
    """

    masks: tuple[FilledMask, ...]

    @property
    def log_probability(self) -> float:
        """The sum of the logarithms of the probabilities of the masks, in nats."""
        return float(sum(np.log(mask.probability) for mask in self.masks))


@dataclass(frozen=True, slots=True, kw_only=True)
class AskedWord:
    """A word that a person asks about, as the vocabulary spells it: one piece, or several, or unknown.

    `token_ids` are the single pieces that spell it (with and without a space in front, for vocabularies that tell the
    two apart), and `pieces` their spellings. If it takes several, or is unknown, `token_ids` is empty and `pieces`
    shows what it becomes.
    """

    word: str
    token_ids: tuple[int, ...]
    pieces: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class ReplacedTokens:
    """For every token the probability, 0 to 1, that somebody replaced it (ELECTRA's discriminator) [n_tokens]."""

    info: ModelInfo
    tokens: tuple[Token, ...]
    probabilities: Array
    note: str = ""

    def __post_init__(self) -> None:
        fix_arrays(self, np.float32, probabilities=(len(self.tokens),))


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class TokenLabels:
    """For every token the probabilities of the labels [n_tokens, n_labels]; every row sums to 1."""

    info: ModelInfo
    tokens: tuple[Token, ...]
    labels: tuple[str, ...]
    probabilities: Array
    note: str = ""

    def __post_init__(self) -> None:
        fix_arrays(self, np.float32, probabilities=(len(self.tokens), len(self.labels)))


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class TextLabels:
    """The probabilities of the labels of a text [n_labels]. They sum to 1 unless `is_multi_label`: then each label is
    a question of its own.

    `read_from` are the positions whose last states the classifier reads: one, or several that it takes the mean of;
    empty where nobody knows.
    """

    info: ModelInfo
    tokens: tuple[Token, ...]
    labels: tuple[str, ...]
    probabilities: Array
    is_multi_label: bool = False
    read_from: tuple[int, ...] = ()
    note: str = ""

    def __post_init__(self) -> None:
        fix_arrays(self, np.float32, probabilities=(len(self.labels),))
        if not all(0 <= position < len(self.tokens) for position in self.read_from):
            raise RecordError(f"read_from is {self.read_from}, expected positions from 0 to {len(self.tokens) - 1}.")


def best_choices(log_probabilities: Array, vocabulary: Sequence[str], top_k: int) -> tuple[WordChoice, ...]:
    """The `top_k` likeliest pieces of one distribution [d_vocab], best first; equals in the order of the vocabulary."""
    best = best_ids(log_probabilities, top_k)
    return tuple(
        WordChoice(text=vocabulary[token_id], probability=float(np.exp(log_probabilities[token_id])))
        for token_id in best
    )


def best_ids(log_probabilities: NDArray[np.floating], top_k: int) -> NDArray[np.intp]:
    """The places of the pieces of `best_choices` in the vocabulary [top_k]."""
    n_choices = max(0, min(top_k, len(log_probabilities)))
    if not n_choices:
        return np.empty(0, np.intp)
    last = np.partition(log_probabilities, -n_choices)[-n_choices]  # sorting all of a vocabulary takes 20 times as long
    among = np.flatnonzero(log_probabilities >= last)  # [at least n_choices]
    return among[np.argsort(-log_probabilities[among], kind="stable")][:n_choices]
