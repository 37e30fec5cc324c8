"""Sentences and columns on what chance gives beside an effect: inside its range an effect is said to be none."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pandas as pd

from models.values.record import Array
from models.values.results.null import NullOf, NullRange
from viz.kit.language import to_say, tr, trn
from viz.kit.theme import MINUS

_INSIDE: dict[NullOf, str] = {
    "words": to_say(
        "That is no effect beyond chance: of {n} random pairs of words in place of the answers, 95% give {low} to "
        "{high}."
    ),
    "labels": to_say(
        "That is no effect beyond chance: of {n} pairs of made-up labels in random directions, 95% give {low} to "
        "{high}."
    ),
}
_OUTSIDE: dict[NullOf, str] = {
    "words": to_say("Chance gives {low} to {high}: 95% of {n} random pairs of words in place of the answers."),
    "labels": to_say("Chance gives {low} to {high}: 95% of {n} pairs of made-up labels in random directions."),
}


def against_chance(effects: Array, null: NullRange | None, place: tuple[int, ...], say: Callable[[float], str]) -> str:
    """Return sentences on the effect at a place and on how many of all go beyond chance; empty without a null. `say`
    formats a number."""
    if null is None:
        return ""
    limits = {"n": null.n, "low": say(float(null.low[place])), "high": say(float(null.high[place]))}
    inside = null.holds(effects)
    one = tr((_INSIDE if inside[place] else _OUTSIDE)[null.drawn], **limits)
    beyond = int((~inside).sum())
    many = trn(
        "{n} of {all} effects goes beyond chance.", "{n} of {all} effects go beyond chance.", beyond, all=inside.size
    )
    return f"{one} {many}"


def percent(share: float) -> str:
    """Return a share in whole per cent with a true minus, and never less than nothing as "−0%"."""
    return f"{round(100 * float(share)) + 0:d}%".replace("-", MINUS)


def null_columns(null: NullRange | None) -> dict[str, Array]:
    """Return the columns null_low and null_high of a table, one row an effect; none without a null."""
    return {} if null is None else {"null_low": null.low.ravel(), "null_high": null.high.ravel()}


def null_of_paths(null: NullRange | None, names: tuple[str, ...]) -> pd.DataFrame:
    """Return two columns for each of the names, the low and the high end; none without a null."""
    if null is None:
        return pd.DataFrame()
    columns = [f"{name}_null_{end}" for name in names for end in ("low", "high")]
    return pd.DataFrame(np.stack([null.low, null.high], axis=-1).reshape(len(null.low), -1), columns=columns)
