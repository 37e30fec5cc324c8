"""The answer after every layer: what the model's own LM head reads in the states on the way to its answer."""

from __future__ import annotations

from typing import TYPE_CHECKING

from models.inspection.probing.questions import logits_by_layer
from models.model import MASKED_WORDS
from models.tasks.places import no_mask
from models.tasks.predictions import log_softmax, mask_positions
from models.values.answers import MASK, LayerwisePrediction
from models.values.errors import SelectionError, TextError
from models.values.results.lens import JacobianLens
from models.values.wording import worded

if TYPE_CHECKING:
    from models.tasks.local import LocalModel


def predict_by_layer(
    model: LocalModel, text: str, mask: int, text_b: str | None, lens: JacobianLens | None
) -> LayerwisePrediction:
    """Return the prediction after every layer: at one [MASK], or of a causal model for the token after the text.

    Masks are counted from 0. Raises TextError if there is nothing to read, SelectionError if there is no such mask, or
    for the lens of another model, MissingCapabilityError without an LM head.
    """
    place = None if model.info.can_continue else _mask_position(model, text, mask, text_b)
    probe = model.probe(text, text_b, "mask" if place is not None else "next", place)
    position = 0 if probe.position is None else probe.position
    return LayerwisePrediction(
        info=model.info,
        tokens=tuple(probe.tokens.values())[-1],
        position=position,
        log_probabilities=log_softmax(logits_by_layer(probe, None if lens is None else lens.matrices)),
        vocabulary=model.vocabulary,
    )


def _mask_position(model: LocalModel, text: str, mask: int, text_b: str | None) -> int:
    if not model.info.can_fill_mask:
        raise model.lacks(MASKED_WORDS)
    positions = mask_positions(model.prepare(text, text_b).input_ids, model.tokenizer)
    if not positions:
        raise TextError(no_mask(text if text_b is None else f"{text} {text_b}"))
    if not 0 <= mask < len(positions):
        raise SelectionError(
            worded(
                "Mask {mask} was asked for, but this text has {n}, counted from 0. Type {token} where a word "
                "should be guessed.",
                mask=mask,
                n=len(positions),
                token=MASK,
            )
        )
    return positions[mask]
