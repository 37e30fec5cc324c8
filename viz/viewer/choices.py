"""The reader's choices in the viewer: every one once, with its name, its values, its default and its parser.

The browser side reads it as a module (`viz.viewer.html.DECLARED`), the file to take away and the address of a page as
they are.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final, Literal, TypedDict, cast, get_args, get_type_hints

from models.values.arguments.check import check_arguments, fit_value
from models.values.arguments.words import did_you_mean
from models.values.errors import SelectionError
from models.values.record import Kind, Recording
from models.values.wording import join_sentences, to_say, worded
from viz.attention.matrix import Quantity
from viz.attention.transform import Special, refused_quantities
from viz.kit.errors import PictureError
from viz.kit.parsing import MEAN, flag, head_or_mean, index, list_of, matching, number, one_of

Picture = Literal["map", "text", "blocks"]
ScaleName = Literal["one", "map", "row"]
"""The number with the strongest colour: a weight of 1, the largest of the map, or the largest of each row."""
Shows = Literal["all", "picture", "map"]


class Choices(TypedDict, total=False):
    """The reader's choices in the viewer; the browser side has the same names and meanings.

    `heads` are those of the layer that the text view shows beside each other, `locked` the positions of the tokens that
    are held, `threshold` and `top` (the largest of a row) say what is not drawn, `zoom` which part of the map is seen
    (how many times enlarged, the first row, the first column; empty for all of it), `known` what the heads do that are
    not veiled (empty for anything), `shows` what surrounds the picture.
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
    heads: Sequence[int]
    across: bool
    locked: Sequence[int]
    zoom: Sequence[float]
    known: str
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
    "zoom": [],
    "known": "",
    "shows": "all",
}
"""The default choices; a recording without an encoder begins with its first kind."""

SHARED: Final = tuple(name for name in DEFAULTS if name != "shows")
"""The choices that are also kept by the page, which is notified of them."""
MOST_HEADS, MOST_LOCKED = 64, 4096
"""Heads beside each other, tokens held."""
OF_A_TEXT: Final = ("locked", "zoom")
"""The choices that refer to tokens of one text: they are dropped with another text."""
_NO_LAYER = to_say("layer {asked} was asked for, but there are layers 0 to {last} only.")
_NO_HEAD = to_say("head {asked} was asked for, but there are heads 0 to {last} only.")
_NO_TOKEN = to_say("token {asked} was asked for, but there are tokens 0 to {last} only.")


@check_arguments
def read_choices(recording: Recording, address: Mapping[str, str]) -> Choices:
    """Parse the choices in the query of a URL, where all is text; invalid ones are ignored."""
    chosen: dict[str, Any] = {}
    for name in filter(address.__contains__, PARSERS):
        try:
            value = PARSERS[name](address[name])
            check_choices(recording, {**chosen, name: value})
        except (ValueError, SelectionError):
            continue
        chosen[name] = value
    return cast("Choices", chosen)


@check_arguments
def check_choices(recording: Recording, choices: Mapping[str, Any]) -> dict[str, Any]:
    """Return the choices with a kind, a layer and a head among them.

    Raises SelectionError for a kind, layer, head or token out of range, ArgumentError for a value of another kind,
    PictureError for any other choice.
    """
    chosen = {"kind": recording.kinds[0], "layer": 0, "head": 0, **choices}
    for name, value in choices.items():
        chosen[name] = _fitting(name, value)
    record = recording.of(chosen["kind"])
    _in_bounds(_NO_LAYER, [chosen["layer"]], record.n_layers)
    heads = [*chosen.get("heads", ()), *([] if chosen["head"] == MEAN else [chosen["head"]])]
    _in_bounds(_NO_HEAD, heads, record.n_heads)
    _in_bounds(_NO_TOKEN, chosen.get("locked", ()), record.n_query)
    if len(chosen.get("zoom", ())) not in (0, 3):
        raise PictureError(worded("A zoom is how many times, the first row and the first column, or nothing."))
    if not 0 <= chosen.get("threshold", 0) <= 1 or chosen.get("top", 0) < 0:
        raise PictureError(worded("A threshold must be from 0 to 1, and the number of largest weights at least 0."))
    if refusal := refused_quantities(record).get(chosen.get("quantity", "weights")):
        raise PictureError(refusal)
    if chosen.get("words") and chosen.get("quantity") == "scores":
        raise PictureError(worded("Scores belong to word pieces. To see whole words, show the weights instead."))
    return chosen


def _fitting(name: str, value: Any) -> Any:
    """Return the value of a choice. Raises PictureError for an unknown choice or option, ArgumentError for
    a value of another kind."""
    if name not in PARSERS:
        raise PictureError(
            join_sentences(
                worded("The viewer has no choice {name}, only {names}.", name=repr(name), names=", ".join(PARSERS)),
                did_you_mean(name, tuple(PARSERS)),
            )
        )
    if isinstance(value, str) and value not in OPTIONS.get(name, (value,)):
        raise PictureError(
            join_sentences(
                worded(
                    "{name} is {value}, expected one of {values}.",
                    name=name,
                    value=repr(value),
                    values=", ".join(OPTIONS[name]),
                ),
                did_you_mean(value, OPTIONS[name]),
            )
        )
    return fit_value(name, value, get_type_hints(Choices)[name])


def _in_bounds(says: str, indices: Any, size: int) -> None:
    for asked in indices:
        if not isinstance(asked, int) or not 0 <= asked < size:
            raise SelectionError(worded(says, asked=repr(asked), last=size - 1))


OPTIONS: dict[str, tuple[Any, ...]] = {
    "quantity": get_args(Quantity),
    "special": get_args(Special),
    "picture": get_args(Picture),
    "scale": get_args(ScaleName),
    "shows": get_args(Shows),
}
"""The values of the choices that have few."""
PARSERS: dict[str, Callable[[str], Any]] = {
    "kind": one_of(*get_args(Kind)),
    "layer": index,
    "head": head_or_mean,
    "quantity": one_of(*get_args(Quantity)),
    "words": flag,
    "special": one_of(*get_args(Special)),
    "picture": one_of(*get_args(Picture)),
    "scale": one_of(*get_args(ScaleName)),
    "threshold": number((0, 1)),
    "top": index,
    "heads": list_of(index, most=MOST_HEADS, once=True),
    "across": flag,
    "locked": list_of(index, most=MOST_LOCKED, once=True),
    "zoom": list_of(number((0, 9999)), most=3),
    "known": matching(r"[^\x00-\x1f]{0,80}"),
    "shows": one_of(*get_args(Shows)),
}
"""The parser of every choice."""
