"""The order of a text, shuffled: the tokens in another order, or the same tokens told other positions."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import TypeGuard

import numpy as np

from models.text.prepare import PreparedText
from models.values.errors import UnsupportedModelError
from models.values.positions import ShuffledPair
from models.values.record import ModelInfo, Recording
from models.values.steps import WhatIf
from models.values.wording import Message, worded


def shuffled_order(prepared: PreparedText, seed: int) -> tuple[int, ...]:
    """Which token stands at each place: special tokens where they were, the others shuffled within their sentence.

    Where a sentence has two tokens or more that are not special, it never stays as it was.
    """
    random = np.random.default_rng(seed)
    order = np.arange(len(prepared.tokens))  # [n_tokens]
    for segment in (0, 1):
        places = [
            place for place, token in enumerate(prepared.tokens) if token.segment == segment and not token.is_special
        ]
        if len(places) > 1:
            permuted = random.permutation(places)
            order[places] = np.roll(permuted, 1) if (permuted == places).all() else permuted
    return tuple(order.tolist())


def reorder(prepared: PreparedText, order: Sequence[int]) -> PreparedText:
    """The same text with its tokens in another order."""
    return replace(
        prepared,
        input_ids=tuple(prepared.input_ids[place] for place in order),
        segment_ids=tuple(prepared.segment_ids[place] for place in order),
        tokens=tuple(prepared.tokens[place] for place in order),
    )


def record_pair(
    prepared: PreparedText,
    recorded: Callable[[PreparedText, Sequence[int] | None], Recording],
    *,
    with_positions: bool,
    seed: int,
    first: int = 0,
) -> ShuffledPair:
    """A text as it is written and shuffled; `recorded` takes a text and the positions to tell, None to count them.

    Without positions every token is told the `first` one.
    """
    order = shuffled_order(prepared, seed)
    positions = None if with_positions else [first] * len(order)
    return ShuffledPair(
        written=recorded(prepared, positions),
        shuffled=recorded(reorder(prepared, order), positions),
        order=order,
        with_positions=with_positions,
    )


def is_shuffling(what_if: WhatIf | None) -> TypeGuard[WhatIf]:
    """Whether a what-if shuffles the positions."""
    return what_if is not None and what_if.name == "shuffled_positions"


def shuffling_error(info: ModelInfo) -> UnsupportedModelError:
    """The error for a model whose text is not shuffled: its mask tells the order, or it has two texts."""
    if "encoder" not in info.kinds:
        return UnsupportedModelError(info.name, ordered_by_mask(info.name))
    return UnsupportedModelError(
        info.name,
        worded(
            "{model} has an encoder and a decoder, and positions can be changed only for an encoder on its own. Choose "
            "an encoder such as headlight-bert or another BERT.",
            model=info.name,
        ),
    )


def ordered_by_mask(model: str) -> Message:
    """Return the message about a causal model whose positions are to be taken away."""
    return worded(
        "{model} reads from left to right: its mask tells the order even without positions. Choose an encoder such as "
        "headlight-bert or another BERT.",
        model=model,
    )
