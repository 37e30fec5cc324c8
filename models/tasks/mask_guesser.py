"""Predictions of an MLM head: every mask at once, layer by layer, or one mask after the other.

An adapter says how it reads a text and how it runs; the questions are the same. Masked words: Devlin et al. 2018,
section 3.1; filling the surest mask first: Ghazvininejad et al. 2019 ("mask-predict"), one mask a round.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np
from torch import Tensor

from models.model import MASKED_WORDS
from models.tasks.places import no_mask
from models.tasks.predictions import (
    log_probabilities_at,
    log_softmax,
    mask_positions,
    predict_masks,
)
from models.tasks.token_guesses import MOST_NUMBERS, ROWS_AT_ONCE, guess_of
from models.text.prepare import PreparedText
from models.text.tokenizer.vocabulary import NAMELESS
from models.values.answers import FilledMask, JointFilling, MaskedText
from models.values.errors import TextError
from models.values.record import Array, MaskPrediction
from models.values.wording import worded
from models.values.writing import TokenGuess, TokenGuesses

if TYPE_CHECKING:
    from models.tasks.local import LocalModel

MOST_MASKS = 64
"""The whole text is read again for every mask that is filled."""


def masked_words(model: LocalModel, text: str, text_b: str | None = None) -> MaskedText:
    """The whole distribution of every [MASK]; no rows if there is no [MASK].

    Raises TextError if there is nothing to read, MissingCapabilityError without an MLM head.
    """
    prepared = _prepare_masks(model, text, text_b)
    positions = mask_positions(prepared.input_ids, model.tokenizer)
    return MaskedText(
        info=model.info,
        tokens=prepared.tokens,
        positions=positions,
        log_probabilities=_log_probabilities(model, prepared, positions),
        vocabulary=model.vocabulary,
        note=prepared.note,
    )


def fill_mask(model: LocalModel, text: str, top_k: int = 5, text_b: str | None = None) -> tuple[MaskPrediction, ...]:
    """The best words for every [MASK]. Raises TextError if there is no [MASK], MissingCapabilityError."""
    masked = masked_words(model, text, text_b)
    if not masked.positions:
        raise TextError(no_mask(text))
    return tuple(
        MaskPrediction(position=position, choices=masked.best(mask, top_k))
        for mask, position in enumerate(masked.positions)
    )


def fill_jointly(
    model: LocalModel, text: str, text_b: str | None = None, progress: Callable[[int, int], None] | None = None
) -> JointFilling:
    """Fill the surest [MASK], read the text again with it, and so on; nothing if there is no [MASK].

    No mask is filled with a special token or a nameless piece; the probabilities are the model's own all the same,
    not renormalised. `progress` is told (done, of) after each. Raises TextError for more than MOST_MASKS masks,
    MissingCapabilityError without an MLM head.
    """
    prepared = _prepare_masks(model, text, text_b)
    n_masks = len(mask_positions(prepared.input_ids, model.tokenizer))
    _expect_few(n_masks)
    never = _never_filled_in(model)
    masks: list[FilledMask] = []
    for done in range(1, n_masks + 1):
        mask = _surest(model, prepared, never)
        masks.append(mask)
        prepared = _fill_mask(prepared, mask)
        if progress is not None:
            progress(done, n_masks)
    return JointFilling(masks=tuple(masks))


def guess_tokens(model: LocalModel, text: str) -> TokenGuesses:
    """Every token hidden behind a mask in turn, and what the model says there; one pass for several of them.

    Special tokens, and masks that are there already, have no guess. Raises TextError if there is nothing to read,
    MissingCapabilityError without an MLM head.
    """
    prepared = _prepare_masks(model, text, None)
    asked = [
        position
        for position, token in enumerate(prepared.tokens)
        if not token.is_special and prepared.input_ids[position] != model.tokenizer.mask_token_id
    ]
    n_rows = max(1, min(ROWS_AT_ONCE, MOST_NUMBERS // (len(prepared.tokens) * model.info.d_vocab)))
    guesses: list[TokenGuess] = []
    for begin in range(0, len(asked), n_rows):
        positions = asked[begin : begin + n_rows]
        rows = log_softmax(model.logits_if_masked(prepared, positions))  # [n_rows, d_vocab]
        guesses += (
            guess_of(row, position=position, token_id=prepared.input_ids[position], vocabulary=model.vocabulary)
            for position, row in zip(positions, rows, strict=True)
        )
    return TokenGuesses(
        info=model.info, tokens=prepared.tokens, sides="both", guesses=tuple(guesses), note=prepared.note
    )


def _prepare_masks(model: LocalModel, text: str, text_b: str | None) -> PreparedText:
    if not model.info.can_fill_mask:
        raise model.lacks(MASKED_WORDS)
    return model.prepare(text, text_b)


def _log_probabilities(model: LocalModel, prepared: PreparedText, positions: tuple[int, ...]) -> Array:
    """The log-probabilities [n_positions, d_vocab]; the model does not run for none."""
    if not positions:
        return np.empty((0, len(model.vocabulary)), dtype=np.float32)
    return log_probabilities_at(model.mask_logits(prepared), positions)


def mask_predictions(
    model: LocalModel, logits_at: Callable[[Sequence[int]], Tensor], prepared: PreparedText
) -> tuple[MaskPrediction, ...]:
    """The five best words for every mask; `logits_at` gives the MLM head's answers at some tokens [n, d_vocab], and
    is not asked where there is no mask."""
    positions = mask_positions(prepared.input_ids, model.tokenizer)
    return predict_masks(logits_at(positions), positions, model.vocabulary, top_k=5) if positions else ()


def _never_filled_in(model: LocalModel) -> list[int]:
    """The ids of the special tokens and of what has no name."""
    special = set(model.tokenizer.all_special_ids)
    return [
        token_id for token_id, piece in enumerate(model.vocabulary.pieces) if token_id in special or piece == NAMELESS
    ]


def _surest(model: LocalModel, prepared: PreparedText, never: list[int]) -> FilledMask:
    """The mask whose best piece is the likeliest of all, filled; the first of equals."""
    positions = mask_positions(prepared.input_ids, model.tokenizer)
    allowed = _log_probabilities(model, prepared, positions)  # [n_masks, d_vocab]
    allowed[:, never] = -np.inf
    mask, token_id = divmod(int(allowed.argmax()), allowed.shape[1])
    return FilledMask(
        position=positions[mask],
        token_id=token_id,
        text=model.vocabulary[token_id],
        probability=float(np.exp(allowed[mask, token_id])),
    )


def _fill_mask(prepared: PreparedText, mask: FilledMask) -> PreparedText:
    """The same text with one more of its masks filled, by number: spelling it and reading it again could differ."""
    ids = list(prepared.input_ids)
    ids[mask.position] = mask.token_id
    return replace(prepared, input_ids=tuple(ids))


def _expect_few(n_masks: int) -> None:
    if n_masks > MOST_MASKS:
        raise TextError(
            worded(
                "This text has {n} masks, and at most {most} are filled in one after the other, because the whole text "
                "is read again for each one. Remove {too_many} of them, or guess them all at once.",
                n=n_masks,
                most=MOST_MASKS,
                too_many=n_masks - MOST_MASKS,
            )
        )
