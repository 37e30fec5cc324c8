"""Texts that a model wrote, token by token, with the alternatives. The pictures draw these values.

Beam search: Vaswani et al. 2017, section 6.1; Wu et al. 2016, section 7. Temperature: Ackley et al. 1985, "A Learning
Algorithm for Boltzmann Machines", section 2. Top-k: Fan et al. 2018, "Hierarchical Neural Story Generation", section
5.4. Entropy: Shannon 1948, "A Mathematical Theory of Communication", section 6.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from models.values.answers import best_ids
from models.values.arguments.check import check_arguments, check_fields
from models.values.errors import RecordError, SelectionError
from models.values.record import ModelInfo, Recording, Token, WordChoice
from models.values.wording import worded

Numbers = NDArray[np.float64]


@dataclass(frozen=True, slots=True, kw_only=True)
class WrittenToken:
    """A token that a decoder wrote.

    `position` is the row of the decoder's attention that chose it: the token before it, which is the last one that was
    there. `candidates` are the likeliest tokens at that moment, best first, with the probabilities that the model gave
    them before temperature and top-k; `chosen` is the one that was taken, whether or not it is among them, and
    `text_so_far` all that is written with it, as a person reads it, without special tokens.

    `drawn` has for each candidate, and `chosen_drawn` for the one that was taken, the probability that it was drawn
    with: `apply_temperature`, of what the checkpoint allows; empty and None without sampling, as in a translation.
    `entropy` is that of the model's own distribution over all of the vocabulary, in bits, None if nobody computed it.
    Raises RecordError for sizes that contradict each other, and for numbers that are no probabilities.
    """

    position: int
    token_id: int
    chosen: WordChoice
    candidates: tuple[WordChoice, ...]
    text_so_far: str
    drawn: tuple[float, ...] = ()
    chosen_drawn: float | None = None
    entropy: float | None = None

    def __post_init__(self) -> None:
        if self.drawn and len(self.drawn) != len(self.candidates):
            raise RecordError(f"drawn has {len(self.drawn)} entries, expected {len(self.candidates)}, one a candidate.")
        if bool(self.drawn) != (self.chosen_drawn is not None):
            raise RecordError("drawn and chosen_drawn belong together, but only one of them is given.")
        if any(not 0 <= chance <= 1 for chance in (*self.drawn, self.chosen_drawn or 0.0)):
            raise RecordError("drawn or chosen_drawn contains a number that is not a probability, expected 0 to 1.")
        if self.entropy is not None and self.entropy < 0:
            raise RecordError(f"entropy is {self.entropy}, expected 0 bits or more.")


@dataclass(frozen=True, slots=True, kw_only=True)
class Branch:
    """A text that a beam search kept at some position: its tokens, their log-probability in nats, and the score that
    ranked it (log-probability over the length penalty). `text` is it as a person reads it."""

    token_ids: tuple[int, ...]
    tokens: tuple[str, ...]
    text: str
    log_probability: float
    score: float
    is_finished: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Familiarity:
    """The likeness of a source to those that a translator has learned from: `bits` a piece by a small language model of
    them, and the `limit` above which it is unlike them."""

    bits: float
    limit: float

    @property
    def is_unlike(self) -> bool:
        """Whether the source is unlike what was learned."""
        return self.bits > self.limit


@dataclass(frozen=True, slots=True, kw_only=True)
class Writing:
    """A text that a decoder wrote, after a prompt of its own or for a source that an encoder read.

    `recording` is one pass over everything, prompt and written text together: a decoder sees no later token, so the
    row of its "decoder" and "cross" attention at the `position` of a token is the one that the token was chosen from,
    and is the same as if the tokens had come one by one. The last token that was written may be missing there, because
    nothing followed it.
    `branches` holds, after every token, the texts that a beam search kept, best first; empty without one.
    `unknown_words` are words of the source, as the reader typed them, that the model has never seen, and `familiarity`
    is that of the whole source, None where nobody measured what the model has learned from.
    `is_finished` says whether the model ended the text itself; if not, it was cut at the longest allowed.
    """

    info: ModelInfo
    recording: Recording
    written: tuple[WrittenToken, ...]
    branches: tuple[tuple[Branch, ...], ...] = ()
    unknown_words: tuple[str, ...] = ()
    familiarity: Familiarity | None = None
    is_finished: bool = True

    def __post_init__(self) -> None:
        check_fields(self, RecordError)
        if not self.written:
            raise RecordError("written is empty, expected at least one token that was written.")
        n_query = self.recording.of("decoder").n_query
        if not 0 <= self.written[-1].position < n_query:
            raise RecordError(f"the last token stands at row {self.written[-1].position}, expected 0 to {n_query - 1}.")

    def __repr__(self) -> str:
        return f"<{self.info.name} wrote {self.text!r} in {len(self.written)} tokens>"

    @property
    def text(self) -> str:
        """All that was written, as a person reads it."""
        return self.written[-1].text_so_far

    @check_arguments
    def token(self, number: int) -> WrittenToken:
        """A token that was written, counted from 0. Raises SelectionError for one that is not there."""
        if not 0 <= number < len(self.written):
            raise SelectionError(
                worded("token {number} was asked for, but {n} tokens were written.", number=number, n=len(self.written))
            )
        return self.written[number]


@dataclass(frozen=True, slots=True, kw_only=True)
class TokenGuess:
    """A model's guess of one token of a text without seeing it: `choices` best first, and of the token that stands
    there the `probability` and the `rank`, 1 for the likeliest. `position` is its place among the tokens."""

    position: int
    choices: tuple[WordChoice, ...]
    probability: float
    rank: int


@dataclass(frozen=True, slots=True, kw_only=True)
class TokenGuesses:
    """Every token of a text guessed: from both sides, each hidden behind a mask in turn ("both"), or from the tokens
    before it alone ("left"). A token that nothing stands before, or that is special, has no guess.

    `next_choices` is what would follow the last token; only a model that reads from the left says so.
    """

    info: ModelInfo
    tokens: tuple[Token, ...]
    sides: str
    guesses: tuple[TokenGuess, ...]
    next_choices: tuple[WordChoice, ...] = ()
    note: str = ""

    def __post_init__(self) -> None:
        if self.sides not in {"both", "left"}:
            raise RecordError(f"sides is {self.sides!r}, expected 'both' or 'left'.")
        if any(not 0 <= guess.position < len(self.tokens) for guess in self.guesses):
            raise RecordError(f"a guess stands outside the {len(self.tokens)} tokens.")

    @check_arguments
    def of(self, position: int) -> TokenGuess | None:
        """Return the guess for the token at a position, None if there is none."""
        return next((guess for guess in self.guesses if guess.position == position), None)


def apply_temperature(log_probabilities: NDArray[np.floating], *, temperature: float, top_k: int = 0) -> Numbers:
    """The probabilities [d_vocab] that a token is drawn with, which sum to 1, from those of the model, or its logits.

    q_i = p_i^(1/T) / Σ_j p_j^(1/T), the sum over the `top_k` likeliest, q_i = 0 for the others; `top_k` 0 keeps all.
    With p = softmax(z) that is softmax(z / T) over them. T = 0 is the limit: the likeliest alone, the first of equals.
    """
    logs = np.asarray(log_probabilities, np.float64)
    drawn = np.zeros_like(logs)
    if temperature == 0:
        drawn[logs.argmax()] = 1
        return drawn
    kept = best_ids(logs, top_k) if top_k else np.arange(len(logs))  # [n_kept]
    powers = np.exp((logs[kept] - logs.max()) / temperature)  # [n_kept]
    drawn[kept] = powers / powers.sum()
    return drawn


def entropy_bits(log_probabilities: NDArray[np.floating]) -> float:
    """-Σ p log2 p of a distribution [d_vocab], in bits: 0 if one token is sure, log2(d_vocab) if all are alike."""
    p = apply_temperature(log_probabilities, temperature=1)  # sums to 1 with more digits than float32 has
    return abs(float((p * np.log2(np.where(p > 0, p, 1))).sum()))
