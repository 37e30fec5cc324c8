"""The effect of a what-if on a step: the array before, after, and the difference, centred at 0."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
import plotly.graph_objects as go
from numpy.typing import NDArray

from models.values.arguments.check import check_arguments
from models.values.errors import SelectionError
from models.values.record import Array
from models.values.steps import LayerWalk, StepArray, StepName
from models.values.wording import to_say, worded
from viz.kit import theme as style
from viz.kit.calculation import EQUAL, write_operands
from viz.kit.language import said, tr
from viz.kit.theme import Theme, colour_end, number
from viz.kit.tokens import token_texts
from viz.steps.panels import panel_picture
from viz.steps.walk import is_weights, masked_cells, notes, panel_of, picture_title, tokens_of_rows
from viz.steps.what_ifs import what_if_name

DIFFERENCE = to_say("after − before")


@dataclass(frozen=True, slots=True, kw_only=True)
class Change:
    """An array of a step before and after; `row` and `column` are the cell with the largest finite difference.

    `difference` [n_rows, n_columns] is NaN where one of the two may not be looked at.
    """

    before: StepArray
    after: StepArray
    difference: Array
    row: int
    column: int

    @property
    def largest(self) -> float:
        """The largest difference, with its sign; 0 if nothing changed, or nothing finite."""
        value = float(self.difference[self.row, self.column])
        return value if np.isfinite(value) else 0.0


def change_of(before: LayerWalk, after: LayerWalk, name: StepName, *, output: int = -1) -> Change:
    """Return the change of an output of a step. Raises SelectionError if one of the walks lacks it."""
    first, second = before.step(name).outputs[output], after.step(name).outputs[output]
    if first.values.shape != second.values.shape:
        unlike = worded(
            "{array} has a different shape after the change, so the two cannot be compared.", array=first.name
        )
        raise SelectionError(unlike)
    seen = np.isfinite(first.values) & np.isfinite(second.values)
    difference = np.full(first.values.shape, np.nan, np.float32)
    np.subtract(second.values, first.values, out=difference, where=seen)
    place = int(np.nanargmax(np.abs(difference))) if seen.any() else 0
    row, column = divmod(place, first.values.shape[1])
    return Change(before=first, after=second, difference=difference, row=row, column=column)


@check_arguments
def change_picture(
    before: LayerWalk,
    after: LayerWalk,
    name: StepName,
    *,
    output: int = -1,
    row: int | None = None,
    theme: Theme = "light",
    width: int = style.WIDEST,
) -> go.Figure:
    """Draw three tables: before, after, and the difference; the first two have the same colours.

    Raises what `change_of` raises.
    """
    change = change_of(before, after, name, output=output)
    hidden = masked_cells(before), masked_cells(after)
    reach = 1.0 if is_weights(change.before) else colour_end(change.before.values, change.after.values)
    first = panel_of(before, change.before, hidden=hidden[0], reach=reach)
    second = panel_of(after, change.after, hidden=hidden[1], reach=reach, sign="→")
    third = panel_of(
        after, change.after, hidden=hidden[0] & hidden[1], reach=colour_end(change.difference), values=change.difference
    )
    panels = [
        replace(first, name=tr("{array}, before", array=said(first.name))),
        replace(second, name=_name_array(second.name, after)),
        replace(third, name=DIFFERENCE, symbol=f"Δ{third.symbol}", is_signed=True),
    ]
    below = [
        *notes([change.before], has_sinks=before.sinks is not None),
        tr("The first two tables use the same colours."),
    ]
    return panel_picture(panels, title=picture_title(after, name), notes=below, row=row, theme=theme, width=width)


def _name_array(array: str, after: LayerWalk) -> str:
    """Return the name of an array, with the what-if that changed it."""
    if after.what_if is None:
        return array
    return tr("{array}, {change}", array=said(array), change=what_if_name(after.what_if, head=after.head))


def largest_change(walk: LayerWalk, change: Change) -> str:
    """Return a sentence on where the largest difference is, with four digits, in plain text."""
    lost = _count(np.isneginf(change.after.values) & np.isfinite(change.before.values))
    masked = tr("{n} cells can no longer be looked at.", n=lost)
    nothing = tr("No number of {array} changes.", array=said(change.after.name))
    largest = _largest(walk, change) if change.largest else nothing
    return f"{largest} {masked}" if lost > 1 else largest


def _largest(walk: LayerWalk, change: Change) -> str:
    values = [float(array.values[change.row, change.column]) for array in (change.before, change.after)]
    difference = number(change.largest, plus=True)
    (was, is_now), sign = write_operands(values, difference, lambda pair: pair[1] - pair[0])
    token = token_texts(tokens_of_rows(walk, change.after.rows))[change.row]
    numbers = {"difference": difference, "was": was, "is_now": is_now, "token": token, "position": change.row}
    if change.after.columns == "key":
        looked_at = {"key": token_texts(walk.key_tokens)[change.column], "key_position": change.column}
        if sign == EQUAL:
            return tr(
                "The largest difference is {difference}: “{token}” (position {position}) to “{key}” (position "
                "{key_position}) goes from {was} to {is_now}.",
                **numbers,
                **looked_at,
            )
        return tr(
            "The largest difference is about {difference}: “{token}” (position {position}) to “{key}” (position "
            "{key_position}) goes from {was} to {is_now}.",
            **numbers,
            **looked_at,
        )
    if sign == EQUAL:
        return tr(
            "The largest difference is {difference}: “{token}” (position {position}) in dimension {dimension} goes "
            "from {was} to {is_now}.",
            dimension=change.column,
            **numbers,
        )
    return tr(
        "The largest difference is about {difference}: “{token}” (position {position}) in dimension {dimension} goes "
        "from {was} to {is_now}.",
        dimension=change.column,
        **numbers,
    )


def _count(cells: NDArray[np.bool_]) -> int:
    return int(cells.sum())


if __name__ == "__main__":
    from models.values.steps import WhatIf
    from viz.steps.demo import demo_walk

    causal = demo_walk(what_if=WhatIf(name="causal"))
    change_picture(demo_walk(), causal, "softmax").show()
