"""The reader's choices in the viewer: every one once, with its name, its values, its default and its parser.

The browser side reads it as a module (`viz.viewer.html.DECLARED`), the file to take away and the address of a page as
they are.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, Literal, get_args, get_origin, get_type_hints

from models.values.arguments.check import check_arguments, fit_value
from models.values.arguments.words import did_you_mean
from models.values.errors import SelectionError
from models.values.record import Kind, Recording
from models.values.wording import join_sentences, to_say, worded
from viz.attention.matrix import Quantity
from viz.attention.transform import Special, refused_quantities
from viz.kit.declaring import choice, collect_choices
from viz.kit.errors import PictureError
from viz.kit.parsing import MEAN, flag, head_or_mean, index, list_of, matching, maybe, number, one_of

Picture = Literal["map", "arcs", "text", "blocks"]
ScaleName = Literal["one", "map", "row"]
"""The number with the strongest colour: a weight of 1, the largest of the map, or the largest of each row."""
Shows = Literal["all", "picture", "map", "heads"]


MOST_HEADS, MOST_LOCKED = 64, 4096
"""Heads beside each other, tokens held."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SharedChoices:
    """The choices in the viewer that a page of the app keeps, too."""

    kind: Kind = choice("encoder", one_of(*get_args(Kind)))
    """Of a recording without an encoder, its first kind is the default."""
    layer: int = choice(0, index)
    head: int | str = choice(0, head_or_mean)
    """A head, or MEAN."""
    quantity: Quantity = choice("weights", one_of(*get_args(Quantity)))
    words: bool = choice(False, flag)
    special: Special = choice("shown", one_of(*get_args(Special)))
    picture: Picture = choice("arcs", one_of(*get_args(Picture)))
    scale: ScaleName = choice("one", one_of(*get_args(ScaleName)))
    threshold: float = choice(0.0, number((0, 1)))
    """Smaller numbers are not drawn, nor those beyond the `top` largest of a row; a `top` of 0 is all."""
    top: int = choice(0, index)
    heads: Sequence[int] = choice((), list_of(index, most=MOST_HEADS, once=True))
    """The heads of the layer that the text view shows beside each other."""
    across: bool = choice(False, flag)
    locked: Sequence[int] | None = choice(None, maybe(list_of(index, most=MOST_LOCKED, once=True)))
    """The positions of the tokens that are held; None for those that the app holds."""
    zoom: Sequence[float] = choice((), list_of(number((0, 9999)), most=3))
    """The part of the map that is seen: how many times enlarged, the first row, the first column; empty for all."""
    known: str = choice("", matching(r"[^\x00-\x1f]{0,80}"))
    """The role whose heads are not veiled, by its name; empty for all heads."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Choices(SharedChoices):
    """The reader's choices in the viewer; the browser side has the same names, defaults and meanings."""

    shows: Shows = choice("all", one_of(*get_args(Shows)))
    """The parts of the viewer that are shown: all, the picture with its files to take away, the picture alone, or the
    picture beside all heads."""


CHOICES: Final = collect_choices(Choices)
_ANNOTATIONS: Final = get_type_hints(Choices)
SHARED: Final = tuple(collect_choices(SharedChoices))
OF_A_TEXT: Final = ("locked", "zoom")
"""The choices that refer to tokens of one text: they are dropped with another text."""
_NO_LAYER = to_say("layer {asked} was asked for, but there are layers 0 to {last} only.")
_NO_HEAD = to_say("head {asked} was asked for, but there are heads 0 to {last} only.")
_NO_TOKEN = to_say("token {asked} was asked for, but there are tokens 0 to {last} only.")


@check_arguments
def read_choices(recording: Recording, address: Mapping[str, str]) -> dict[str, Any]:
    """Parse the choices in the query of a URL, where all is text; invalid ones are ignored."""
    chosen: dict[str, Any] = {}
    for name in filter(address.__contains__, CHOICES):
        try:
            value = CHOICES[name].parse(address[name])
            check_choices(recording, {**chosen, name: value})
        except (ValueError, SelectionError):
            continue
        chosen[name] = value
    return chosen


@check_arguments
def check_choices(recording: Recording, choices: Mapping[str, Any]) -> dict[str, Any]:
    """Return the choices with a kind, a layer and a head among them; one that is None is as if it were not given.

    Raises SelectionError for a kind, layer, head or token out of range, ArgumentError for a value of another kind,
    PictureError for any other choice.
    """
    given = {name: _fitting(name, value) for name, value in choices.items()}
    chosen: dict[str, Any] = {"kind": recording.kinds[0], "layer": 0, "head": 0}
    chosen |= {name: value for name, value in given.items() if value is not None}
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
    if name not in CHOICES:
        raise PictureError(
            join_sentences(
                worded("The viewer has no choice {name}, only {names}.", name=repr(name), names=", ".join(CHOICES)),
                did_you_mean(name, tuple(CHOICES)),
            )
        )
    annotation = _ANNOTATIONS[name]
    options = get_args(annotation) if get_origin(annotation) is Literal else ()
    if options and isinstance(value, str) and value not in options:
        raise PictureError(
            join_sentences(
                worded(
                    "{name} is {value}, expected one of {values}.",
                    name=name,
                    value=repr(value),
                    values=", ".join(options),
                ),
                did_you_mean(value, options),
            )
        )
    return fit_value(name, value, annotation)


def _in_bounds(says: str, indices: Any, size: int) -> None:
    for asked in indices:
        if not isinstance(asked, int) or not 0 <= asked < size:
            raise SelectionError(worded(says, asked=repr(asked), last=size - 1))
