"""Which tokens mattered for an answer, by one of several methods; and how far each method can be believed."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import ceil

import numpy as np

from models.values.arguments.check import check_arguments
from models.values.arguments.shapes import fix_arrays
from models.values.errors import RecordError, SelectionError
from models.values.probing.changes import TokenPlace
from models.values.probing.contrast import Contrast
from models.values.record import Array, Token
from models.values.wording import to_say, worded

Word = tuple[int, ...]
"""The places of the tokens of a word among all tokens."""
NO_WORDS = to_say(
    "There is no word in this text that could have mattered. Type more than the word that is asked about."
)
STANDS_STILL = 0.01
"""An estimate is made finer until no score moves by more than this part of the largest."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Attribution:
    """The influence of every token on an answer: `scores` [n_tokens].

    `tokens` are all that is read: of an encoder-decoder the source, then what the decoder reads; `places` says where
    each of them stands. Signed scores speak for the answer above 0, and against it below. `sums_to` is what the scores
    should add up to, where the method says; NaN where it does not. `off_by` is how far a score moved, as a part of the
    largest, when an estimate was last made finer: more than STANDS_STILL if it did not settle.
    """

    method: str
    title: str
    contrast: Contrast
    tokens: tuple[Token, ...]
    places: tuple[TokenPlace, ...]
    scores: Array
    is_signed: bool
    sums_to: float = float("nan")
    off_by: float = 0.0

    def __post_init__(self) -> None:
        fix_arrays(self, scores=(len(self.tokens),))
        if len(self.places) != len(self.tokens):
            raise RecordError(f"places has {len(self.places)} entries, expected one a token of {len(self.tokens)}.")

    @property
    def n_words(self) -> int:
        """The number of words that may have mattered."""
        return len(words_of(self.tokens, self.places, self.contrast))

    @check_arguments
    def of_words(self, words: Sequence[Word]) -> Array:
        """The scores of words [n_words], each the sum of its tokens'. Raises SelectionError for a token that there is
        not."""
        for position in (position for word in words for position in word):
            if not 0 <= position < len(self.scores):
                raise SelectionError(
                    worded(
                        "position {position} was asked for, but there are positions 0 to {last} only.",
                        position=position,
                        last=len(self.scores) - 1,
                    )
                )
        return np.array([self.scores[list(word)].sum() for word in words], dtype=np.float32)


def words_of(tokens: Sequence[Token], places: Sequence[TokenPlace], contrast: Contrast) -> tuple[Word, ...]:
    """The words that may have mattered: special tokens are none, nor is the mask that is asked about, nor what stands
    behind the place from which a next token is told."""
    asked = ("encoder", contrast.position) if contrast.of == "mask" else None
    last = contrast.position if contrast.of == "next" else None
    together: dict[tuple[object, ...], list[int]] = {}
    for number, (token, place) in enumerate(zip(tokens, places, strict=True)):
        is_seen = last is None or place[0] != "decoder" or place[1] <= last
        if not token.is_special and place != asked and is_seen:
            name = (place[0], "token", number) if token.word is None else (place[0], "word", token.word)
            together.setdefault(name, []).append(number)
    return tuple(map(tuple, together.values()))


def count_words(fractions: Sequence[float], n_words: int) -> tuple[int, ...]:
    """Return the number of words for each fraction, at least one, without rounding errors of floats."""
    return tuple(max(1, ceil(round(fraction * n_words, 9))) for fraction in fractions)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class FaithfulnessCurve:
    """The probability of the answer as words are left out in the order of a method, the most important first.

    `without` [n_fractions] are the probabilities when that part of the words is left out, `with_only` when nothing else
    is left.
    """

    method: str
    title: str
    whole: float
    without: Array
    with_only: Array

    @property
    def comprehensiveness(self) -> float:
        """The mean fall of the probability without the important words, over the fractions: more is better (DeYoung
        et al. 2020, section 4.2)."""
        return float(self.whole - self.without.mean())

    @property
    def sufficiency(self) -> float:
        """The mean fall of the probability with those words alone: less is better."""
        return float(self.whole - self.with_only.mean())

    @property
    def score(self) -> float:
        """The comprehensiveness less the sufficiency of the order."""
        return self.comprehensiveness - self.sufficiency


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Faithfulness:
    """Methods judged by what happens without the words that they name, beside words in random order.

    `agreement` [n_methods, n_methods] is Spearman's rho between the scores of the words. `random` are as many random
    orders as were drawn.
    """

    contrast: Contrast
    tokens: tuple[Token, ...]
    words: tuple[Word, ...]
    fractions: tuple[float, ...]
    curves: tuple[FaithfulnessCurve, ...]
    random: tuple[FaithfulnessCurve, ...]
    agreement: Array

    def __post_init__(self) -> None:
        fix_arrays(self, agreement=(len(self.curves), len(self.curves)))

    @property
    def n_left_out(self) -> tuple[int, ...]:
        """The number of words for each fraction, at least one."""
        return count_words(self.fractions, len(self.words))

    @check_arguments
    def points(self, curve: FaithfulnessCurve, *, nothing_else: bool = False) -> Array:
        """The probability of the answer from 0 words on [n_fractions + 1]: without the first ones, or with
        `nothing_else` with them alone. What it is with no word at all is known if a fraction is 1, else it is NaN.

        Raises SelectionError for a curve of other fractions.
        """
        if len(curve.without) != len(self.fractions):
            raise SelectionError(
                worded(
                    "The curve of {method} has {given} points, and these are judged at {n}. Choose one of `curves`, or "
                    "of `random`.",
                    method=curve.title,
                    given=len(curve.without),
                    n=len(self.fractions),
                )
            )
        nothing = float(curve.without[-1]) if self.fractions[-1] == 1 else float("nan")
        start, after = (nothing, curve.with_only) if nothing_else else (curve.whole, curve.without)
        return np.concatenate(([start], after)).astype(np.float32)

    @check_arguments
    def area(self, curve: FaithfulnessCurve, *, nothing_else: bool = False) -> float:
        """The area under these points, 0 to 1 if they go on to all words: small without the words that mattered, large
        with nothing but them (Samek et al. 2017, section III)."""
        shares = np.array([0.0, *self.fractions])
        return float(np.trapezoid(self.points(curve, nothing_else=nothing_else), shares))
