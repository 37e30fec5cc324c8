"""Check that changes fit the pass that they change: kinds, layers, positions and shapes. All raise SelectionError."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from models.values.errors import SelectionError
from models.values.probing.changes import HeadEdit
from models.values.probing.contrast import OF_LABELS, Contrast
from models.values.record import Kind, kind_name, no_such_layer
from models.values.wording import join_sentences, worded


def expect_heads(edits: Iterable[HeadEdit], n_layers: Mapping[Kind, int]) -> None:
    """Check that every changed head is of a kind and of a layer that the model has."""
    for edit in edits:
        if edit.kind not in n_layers:
            raise SelectionError(
                worded(
                    "this model has no {kind} attention, only {kinds}.",
                    kind=kind_name(edit.kind),
                    kinds=join_sentences(*map(kind_name, n_layers), by=", "),
                )
            )
        if not 0 <= edit.layer < n_layers[edit.kind]:
            raise SelectionError(no_such_layer(edit.layer, n_layers[edit.kind]))


def expect_positions(positions: Iterable[int], n_tokens: int) -> None:
    """Check that every position is one of the tokens."""
    wrong = next((position for position in positions if not 0 <= position < n_tokens), None)
    if wrong is not None:
        raise SelectionError(
            worded(
                "position {position} was asked for, but there are positions 0 to {last} only.",
                position=wrong,
                last=n_tokens - 1,
            )
        )


def expect_shape(name: str, shape: Sequence[int], *expected: Sequence[int]) -> None:
    """Check that an array has one of the expected shapes."""
    if not any(tuple(shape) == tuple(allowed) for allowed in expected):
        raise SelectionError(
            worded(
                "{name} has the shape {shape}, expected {expected}.",
                name=name,
                shape=list(shape),
                expected=join_sentences(*(str(list(allowed)) for allowed in expected), by=", "),
            )
        )


def expect_choices(contrast: Contrast, choices: Sequence[str]) -> None:
    """Check that the answer and its rival are choices of the model; of a classifier others may be drawn at random."""
    named = contrast.own if contrast.of in OF_LABELS else contrast.numbers
    wrong = next((number for number in named if number >= len(choices)), None)
    if wrong is not None:
        raise SelectionError(
            worded(
                "choice {choice} was asked for, but there are choices 0 to {last}.", choice=wrong, last=len(choices) - 1
            )
        )
