"""Where a model answers: which of its answers is asked for, at which token, and the rows of text that are read."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import torch
from torch import Tensor
from transformers import PreTrainedTokenizerBase

from models.model import (
    ANSWERS,
    LABELS_OF_TEXTS,
    LABELS_OF_TOKENS,
    MASKED_WORDS,
    NEXT_SENTENCE,
    NEXT_TOKENS,
    REPLACED_TOKENS,
)
from models.values.answers import MASK
from models.values.errors import HeadlightError, SelectionError, TextError
from models.values.probing.changes import Stack, TokenPlace
from models.values.probing.contrast import AT_A_PLACE, AnswerOf
from models.values.record import ModelInfo, Token
from models.values.wording import Message, to_say, worded

JUDGEMENTS = (to_say("is next"), to_say("comes from elsewhere"))
"""The choices of an NSP head, in their order (Devlin et al. 2018, section 3.1)."""
IS_REPLACED = (to_say("original"), to_say("replaced"))
"""The choices of a discriminator for a token (Clark et al. 2020, section 2)."""
_ALMOST_A_MASK = re.compile(r"[\[<({]\s*(?:mask|blank)\s*[\])}>]|_{2,}", re.IGNORECASE)
"""A mask as other models, or people, write it."""
_CAPABILITIES: dict[AnswerOf, str] = {
    "mask": MASKED_WORDS,
    "next": NEXT_TOKENS,
    "sentence": NEXT_SENTENCE,
    "label": LABELS_OF_TEXTS,
    "token_label": LABELS_OF_TOKENS,
    "replaced": REPLACED_TOKENS,
}


@dataclass(frozen=True, slots=True, kw_only=True)
class AskedText:
    """A text that is read: the tokens of the stack that answers, its masks, and sentence B if there is one."""

    tokens: tuple[Token, ...]
    masks: tuple[int, ...] = ()
    text_b: str | None = None
    first_written: int = 0
    """Where a decoder is about to write its first word: behind its start, and the language that it is told."""


def answer_place(
    info: ModelInfo,
    of: AnswerOf | None,
    position: int | None,
    *,
    asked: AskedText,
    lacks: Callable[[str], HeadlightError],
) -> tuple[AnswerOf, int | None]:
    """Which answer, and at which token; what is not said is what a reader asks first. `lacks` makes the error for what
    the model cannot answer.

    Raises SelectionError for a token that is not there, TextError for a text without a mask.
    """
    can = answers_of(info)
    if of is None and not any(can.values()):
        raise lacks(ANSWERS)
    of = of or _usual(can, asked)
    if not can[of]:
        raise lacks(_CAPABILITIES[of])
    if of not in AT_A_PLACE:
        return of, None
    position = _usual_position(info, of, asked) if position is None else position
    return of, in_text(position, len(asked.tokens))


def in_text(position: int, n_tokens: int) -> int:
    """The position of a token. Raises SelectionError for one that is not there."""
    if not 0 <= position < n_tokens:
        raise SelectionError(
            worded(
                "Token {position} was asked for, but this text has tokens 0 to {last}.",
                position=position,
                last=n_tokens - 1,
            )
        )
    return position


def answers_of(info: ModelInfo) -> dict[AnswerOf, bool]:
    """Return which answers the model can give, first the one that it is asked first."""
    return {
        "mask": info.can_fill_mask,
        "label": info.can_label_text,
        "token_label": info.can_label_tokens,
        "replaced": info.can_find_replaced,
        "next": info.can_continue or info.can_translate,
        "sentence": info.can_judge_next_sentence,
    }


def _usual(can: dict[AnswerOf, bool], asked: AskedText) -> AnswerOf:
    if asked.text_b and can["sentence"] and not asked.masks:
        return "sentence"
    return next((of for of, is_there in can.items() if is_there), "mask")


def _usual_position(info: ModelInfo, of: AnswerOf, asked: AskedText) -> int:
    """The first mask, the first word that a decoder writes for a source, the last word of a text that is continued, or
    the first word."""
    if of == "mask":
        if not asked.masks:
            raise TextError(no_mask("".join(token.text for token in asked.tokens)))
        return asked.masks[0]
    if of == "next" and info.can_translate:
        return min(asked.first_written, len(asked.tokens) - 1)
    words = [position for position, token in enumerate(asked.tokens) if not token.is_special] or [0]
    return words[-1] if of == "next" else words[0]


def no_mask(text: str) -> Message:
    """Return the sentence for a text in which a masked word is asked for and none is masked. It names what another
    model's reader types there, such as "<mask>" or "___"."""
    almost = _ALMOST_A_MASK.search(text)
    if almost is None:
        return worded("No token is masked. Type {token} where a word is to be guessed.", token=MASK)
    return worded(
        "No token is masked: {typed} is read as ordinary text. Type {token} where a word is to be guessed.",
        typed=repr(almost[0]),
        token=MASK,
    )


def blanked_rows(
    ids: Sequence[int],
    blanks: Sequence[Sequence[TokenPlace]],
    stack: Stack,
    tokenizer: PreTrainedTokenizerBase,
    device: torch.device,
) -> Tensor:
    """The ids of a stack once for each row of `blanks` [n_rows, n_tokens], with the tokenizer's mask, or what it has
    instead, at the places that the row names."""
    rows = torch.tensor(ids, device=device).repeat(len(blanks), 1)  # [n_rows, n_tokens]
    names = (f"{name}_token_id" for name in ("mask", "unk", "pad", "eos"))
    blank = next((token_id for name in names if (token_id := getattr(tokenizer, name)) is not None), 0)
    for row, places in zip(rows, blanks, strict=True):
        row[[in_text(position, len(ids)) for of, position in places if of == stack]] = blank
    return rows
