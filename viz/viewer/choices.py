"""What a reader chooses in the viewer: every choice once, with its name, its values, its default and how it is read.

The browser side reads it as a module (`viz.viewer.html.DECLARED`), the file to take away and the address of a page as
they are.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final, Literal, TypedDict, cast, get_args

from models.values.errors import SelectionError
from models.values.record import Kind, Recording
from viz.attention.transform import PictureError, Quantity, Special

MEAN: Final = "mean"
"""How a choice of a head says the mean over the heads of the layer."""
Picture = Literal["map", "text", "blocks"]
ScaleName = Literal["one", "map", "row"]
"""Which number has the strongest colour: a weight of 1, the largest of the map, or in every row the largest of it."""
Shows = Literal["all", "picture", "map"]


class Choices(TypedDict, total=False):
    """What a reader chooses in the viewer; the same names and meanings in its browser side.

    `heads` are those of the layer that the text view shows beside each other, `locked` the positions of the tokens that
    are held, `threshold` and `top` (the largest of a row) say what is not drawn, `shows` what surrounds the picture.
    """

    kind: Kind
    layer: int
    head: int | Literal["mean"]
    quantity: Quantity
    words: bool
    special: Special
    picture: Picture
    scale: ScaleName
    threshold: float
    top: int
    heads: list[int]
    across: bool
    locked: list[int]
    shows: Shows


DEFAULTS: Choices = {
    "kind": "encoder",
    "layer": 0,
    "head": 0,
    "quantity": "weights",
    "words": False,
    "special": "shown",
    "picture": "map",
    "scale": "one",
    "threshold": 0,
    "top": 0,
    "heads": [],
    "across": False,
    "locked": [],
    "shows": "all",
}
"""What is chosen where nothing is said; a recording without an encoder begins with its first kind."""

SHARED: Final = ("kind", "layer", "head", "quantity", "words", "special", "scale")
"""The choices that a page keeps, too: it is told of them."""


def read_choices(recording: Recording, address: Mapping[str, str]) -> Choices:
    """The choices in the query of an address, where all is text; what does not fit is as if it were not there."""
    chosen: dict[str, Any] = {}
    for name in filter(address.__contains__, PARSERS):
        try:
            value = PARSERS[name](address[name])
            checked(recording, {**chosen, name: value})
        except (ValueError, SelectionError):
            continue
        chosen[name] = value
    return cast("Choices", chosen)


def checked(recording: Recording, choices: Mapping[str, Any]) -> dict[str, Any]:
    """The choices with a kind, a layer and a head among them.

    Raises SelectionError for a kind, layer, head or token that is not there, PictureError for any other choice.
    """
    chosen = {"kind": recording.kinds[0], "layer": 0, "head": 0, **choices}
    record = recording.of(chosen["kind"])
    _in_bounds("layer", [chosen["layer"]], record.n_layers)
    heads = [*chosen.get("heads", ()), *([] if chosen["head"] == MEAN else [chosen["head"]])]
    _in_bounds("head", heads, record.n_heads)
    _in_bounds("token", chosen.get("locked", ()), record.n_query)
    for name, value in chosen.items():
        if name not in PARSERS:
            raise PictureError(f"The viewer has no choice {name!r}, only {', '.join(PARSERS)}.")
        possible = OPTIONS.get(name, (value,))
        if value not in possible:
            raise PictureError(f"{name} is {value!r}, expected one of {', '.join(possible)}.")
    if not 0 <= chosen.get("threshold", 0) <= 1 or chosen.get("top", 0) < 0:
        raise PictureError("A threshold must be from 0 to 1, and the number of largest weights at least 0.")
    if chosen.get("words") and chosen.get("quantity") == "scores":
        raise PictureError("Scores belong to word pieces. To see whole words, show the weights instead.")
    return chosen


def _in_bounds(what: str, indices: Any, size: int) -> None:
    for index in indices:
        if not isinstance(index, int) or not 0 <= index < size:
            raise SelectionError(f"{what} {index!r} was asked for, but there are {what}s 0 to {size - 1} only.")


def _numbers(written: str) -> list[int]:
    return sorted({int(number) for number in written.split(",") if number})


def _head_number(written: str) -> int | str:
    return written if written == MEAN else int(written)


def _truth(written: str) -> bool:
    if written not in {"true", "false"}:
        raise ValueError(f"{written!r} is neither true nor false.")
    return written == "true"


OPTIONS: dict[str, tuple[Any, ...]] = {
    "quantity": get_args(Quantity),
    "special": get_args(Special),
    "picture": get_args(Picture),
    "scale": get_args(ScaleName),
    "shows": get_args(Shows),
}
"""The values of the choices that have few."""
PARSERS: dict[str, Callable[[str], Any]] = {
    "kind": str,
    "layer": int,
    "head": _head_number,
    "quantity": str,
    "words": _truth,
    "special": str,
    "picture": str,
    "scale": str,
    "threshold": float,
    "top": int,
    "heads": _numbers,
    "across": _truth,
    "locked": _numbers,
    "shows": str,
}
"""Every choice, and how it is read from text."""
