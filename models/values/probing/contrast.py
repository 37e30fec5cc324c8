"""Two answers of a model at one place, and by how much it prefers the one: the logit difference.

m = logit(answer) - logit(rival), as in Wang et al. 2022, "Interpretability in the Wild", section 2.2, and in Zhang and
Nanda 2024, "Towards Best Practices of Activation Patching", section 2. It is also the difference of the
log-probabilities, since the softmax subtracts the same from both.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from models.values.answers import best_ids
from models.values.arguments.bounds import Index
from models.values.arguments.check import check_arguments, check_fields
from models.values.arguments.shapes import fix_arrays
from models.values.errors import RecordError, SelectionError
from models.values.record import Array, ModelInfo, Token
from models.values.wording import worded

AnswerOf = Literal["mask", "next", "sentence", "label", "token_label", "replaced"]
"""What a model answers: the word behind a mask; the token after a place; whether sentence B follows A; the label of the
text; the label of a token; whether a token was replaced (ELECTRA)."""
AT_A_PLACE: tuple[AnswerOf, ...] = ("mask", "next", "token_label", "replaced")
"""The answers that a model gives at a token; the others are about the whole text."""
OF_LABELS: tuple[AnswerOf, ...] = ("label", "token_label")
"""The answers that are labels of a classifier."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class AnswerLogits:
    """The answers of a model at one place: `logits` [n_choices], and the names of the `choices`.

    `tokens` are those of the stack that answers, the decoder where there is one; `position` is the place among them,
    None for an answer about the whole text. `is_each_by_itself` says that every choice is a question of its own.
    """

    info: ModelInfo
    tokens: tuple[Token, ...]
    of: AnswerOf
    position: int | None
    choices: Sequence[str]
    logits: Array
    is_each_by_itself: bool = False

    def __post_init__(self) -> None:
        fix_arrays(self, logits=(len(self.choices),))

    @check_arguments
    def best(self, n_best: Index) -> tuple[int, ...]:
        """The numbers of the likeliest choices, best first."""
        return tuple(best_ids(self.logits, n_best).tolist())

    @property
    def probabilities(self) -> NDArray[np.float64]:
        """The softmax of the logits, or the sigmoid of each, where each is a question of its own [n_choices]."""
        logits = self.logits.astype(np.float64)
        if self.is_each_by_itself:
            return np.asarray(1 / (1 + np.exp(-np.clip(logits, -700, 700))))
        powers = np.exp(logits - logits.max())
        return np.asarray(powers / powers.sum())

    @check_arguments
    def difference(self, contrast: Contrast) -> float:
        """The logit of an answer less that of its rival; without a rival the logit alone. Raises SelectionError for a
        number that is no choice."""
        self._expect_choices(contrast.own)
        rival = 0.0 if contrast.rival is None else float(self.logits[contrast.rival])
        return float(self.logits[contrast.answer]) - rival

    @check_arguments
    def contrast(self, answer: int, rival: int | None = None) -> Contrast:
        """Two of the choices, by their numbers; without a rival the logit of the answer alone.

        Raises SelectionError for a number that is no choice, and for a rival that is the answer.
        """
        self._expect_choices((answer,) if rival is None else (answer, rival))
        if answer == rival:
            says = worded(
                "{choice} is the answer and its own rival. Choose another rival.", choice=self.choices[answer]
            )
            raise SelectionError(says)
        return Contrast(
            of=self.of,
            position=self.position,
            answer=answer,
            rival=rival,
            answer_text=self.choices[answer],
            rival_text="" if rival is None else self.choices[rival],
            is_each_by_itself=self.is_each_by_itself,
        )

    def _expect_choices(self, numbers: Sequence[int]) -> None:
        for number in numbers:
            if not 0 <= number < len(self.choices):
                raise SelectionError(
                    worded(
                        "choice {choice} was asked for, but there are choices 0 to {last}.",
                        choice=number,
                        last=len(self.choices) - 1,
                    )
                )


@dataclass(frozen=True, slots=True, kw_only=True)
class Contrast:
    """An answer and its rival, by their numbers among the choices; without a rival the logit of the answer alone.

    `is_each_by_itself` says that both are questions of their own, as labels are of which several may hold: else e^m is
    how many times as likely the answer is as its rival. `others` are choices to read beside them for a null, a pair
    after the other (a choice where there is no rival); numbers beyond those of all labels are labels drawn at random.
    """

    of: AnswerOf
    position: int | None
    answer: Index
    rival: Index | None = None
    answer_text: str = ""
    rival_text: str = ""
    is_each_by_itself: bool = False
    others: tuple[Index, ...] = ()

    def __post_init__(self) -> None:
        check_fields(self, RecordError)
        if len(self.others) % len(self.own):
            raise RecordError(f"others has {len(self.others)} choices, expected pairs of them.")

    @property
    def own(self) -> tuple[int, ...]:
        """The answer, and the rival if there is one."""
        return (self.answer,) if self.rival is None else (self.answer, self.rival)

    @property
    def numbers(self) -> tuple[int, ...]:
        """The answer, its rival and the others."""
        return (*self.own, *self.others)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class AnswersUnder:
    """The answers of a model under each of some changes: `logits` [n_changes, n_numbers] of the answer, its rival and
    the others of the contrast, and the log-probability of the answer in nats [n_changes]."""

    contrast: Contrast
    logits: Array
    log_probabilities: Array

    def __post_init__(self) -> None:
        fix_arrays(self, log_probabilities=("n_changes",), logits=("n_changes", len(self.contrast.numbers)))

    @property
    def differences(self) -> Array:
        """The logit differences [n_changes]; without a rival the logits of the answer."""
        return self._pairs[:, 0]

    @property
    def null_differences(self) -> Array:
        """The logit differences of the others [n_changes, n_null]."""
        return self._pairs[:, 1:]

    @property
    def _pairs(self) -> Array:
        if self.contrast.rival is None:
            return self.logits
        pairs: Array = self.logits[:, ::2] - self.logits[:, 1::2]
        return pairs
