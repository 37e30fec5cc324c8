"""The text form of the heads that are switched off: "e5.8-c0.1" is one of the encoder and one of cross attention."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from models.values.head_roles import head_places
from models.values.probing.changes import HeadPlace
from models.values.record import Recording
from ui.state.patterns import ALL_ON, LETTERS

_KINDS = {letter: kind for kind, letter in LETTERS.items()}


def read_heads(text: str, recording: Recording) -> tuple[HeadPlace, ...]:
    """Parse a text of this form, without heads that the model does not have."""
    if text in {"", ALL_ON}:
        return ()
    places = {(_KINDS[one[0]], *map(int, one[1:].split("."))) for one in text.split("-")}
    return tuple(place for place in all_heads(recording) if place in places)


def write_heads(places: Iterable[HeadPlace]) -> str:
    """Write some heads as text; no heads as ALL_ON."""
    return "-".join(f"{LETTERS[kind]}{layer}.{head}" for kind, layer, head in places) or ALL_ON


def toggle_heads(off: Sequence[HeadPlace], group: Sequence[HeadPlace]) -> tuple[HeadPlace, ...]:
    """Toggle a group of heads: on if all of it is off, else off. Returns the heads that are off."""
    if set(group) <= set(off):
        return tuple(place for place in off if place not in group)
    return (*off, *(place for place in group if place not in off))


def all_heads(recording: Recording) -> list[HeadPlace]:
    """Return every head of every kind of attention, in order."""
    return [
        (record.kind, layer, head)
        for record in recording.attention
        for layer, head in head_places(record.n_layers, record.n_heads)
    ]
