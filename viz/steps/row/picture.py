"""A step for one token alone, large: its vectors, or its scores and weights token by token.

The same arrays as in viz/steps/walk.py, of which this is one row: the first picture of a step.
"""

from __future__ import annotations

import plotly.graph_objects as go

from models.values.arguments.check import check_arguments
from models.values.steps import LayerWalk, Step, StepArray, StepName
from viz.kit import theme as style
from viz.kit.figures.sheet import Box, Sheet, in_bold, joining
from viz.kit.language import said, to_say, tr
from viz.kit.theme import Theme
from viz.kit.tokens import escape
from viz.steps.one_row import looked_at
from viz.steps.row.keys import keys_picture
from viz.steps.walk import own_columns, reaches_of, signs_of

LINE = 70
"""From one vector to the next, in pixels."""
TALL, TALL_COMPACT = 44, 36
NAMES = 196
"""The width of the names, where they stand left of the vectors."""
MEANINGS: dict[tuple[StepName, str], str] = {
    ("embeddings", "E"): to_say("what it is"),
    ("embeddings", "P"): to_say("where it stands"),
    ("embeddings", "S"): to_say("which sentence"),
    ("projections", "Q"): to_say("what it asks"),
    ("projections", "K"): to_say("what it answers to"),
    ("projections", "V"): to_say("what it passes on"),
}
"""The meaning of an array, by its step and symbol, where its name does not say it."""


@check_arguments
def row_picture(
    walk: LayerWalk,
    name: StepName,
    *,
    row: int,
    before: LayerWalk | None = None,
    theme: Theme = "light",
    width: int = style.WIDEST,
) -> go.Figure:
    """Draw what a step does to the query token `row`. With `before`, the walk without a change, marks show where the
    scores and weights were.

    Raises SelectionError, with the reason, if this walk does not have the step.
    """
    step = walk.step(name)
    if any(array.columns == "key" for array in (*step.inputs, *step.outputs)):
        return keys_picture(walk, step, row=row, before=before, theme=theme, width=width)
    return _vectors_picture(walk, step, row=row, theme=theme, width=width)


def _vectors_picture(walk: LayerWalk, step: Step, *, row: int, theme: Theme, width: int) -> go.Figure:
    """Draw the token's vectors below each other, in the order of the sum or product that they belong to."""
    size = style.sizes(width)
    sheet, top, last_sign = Sheet(size=size, theme=theme), 1.6 * size.caption, ""
    arrays = (*step.inputs, *step.outputs)
    place: Box | None = None
    for array, reach, sign in zip(arrays, reaches_of(step), signs_of(walk, step), strict=True):
        mark = joining(sign)[0] or last_sign
        above, place = place, _name(sheet, step, array, mark, top=top)
        if step.name == "concatenation" and above is not None:
            _all_heads(sheet, walk, array, place, row=row, reach=reach, above=above)
        else:
            vector = array.values[_row_of(walk, array, row)]
            sheet.vector(vector, place, reach=reach)
            if above is None and not size.compact:
                sheet.number_dimensions(vector, place)
        top, last_sign = place.top + LINE, mark
    note = tr("The first numbers of each vector: blue above zero, orange below.")
    return sheet.figure(note=note, tall=top - LINE + TALL + size.gap)


def _name(sheet: Sheet, step: Step, array: StepArray, mark: str, *, top: float) -> Box:
    """Write the name of a vector left of it, or on a phone above it, and return the place of the vector."""
    size, quiet = sheet.size, sheet.palette.quiet
    name = f"{mark} {in_bold(array.symbol)} · {escape(said(array.name))}".strip()
    meaning = said(MEANINGS.get((step.name, array.symbol), ""))
    below = meaning or tr("{n} numbers", n=array.values.shape[1])
    if size.compact:
        sheet.write(f"{name} · {escape(below)}", size.gap, top + 0.5 * size.label)
        return Box(left=size.gap, top=top + 1.5 * size.label, wide=size.page - 2 * size.gap, tall=TALL_COMPACT)
    sheet.write(name, size.gap / 2, top + 0.28 * TALL)
    sheet.write(escape(below), size.gap / 2, top + 0.8 * TALL, ink=quiet)
    return Box(left=size.gap + NAMES, top=top, wide=size.page - NAMES - 2 * size.gap, tall=TALL)


def _all_heads(
    sheet: Sheet, walk: LayerWalk, array: StepArray, place: Box, *, row: int, reach: float, above: Box
) -> None:
    """Draw the outputs of all heads side by side as stripes, with a frame around those of the head that is followed,
    which stand above."""
    values = array.values[row : row + 1]
    sheet.stripe(values, place, reach=reach)
    first, last = own_columns(walk, array)
    each = place.wide / values.shape[1]
    own = Box(left=place.left + first * each, top=place.top, wide=(last + 1 - first) * each, tall=place.tall)
    sheet.frame(own)
    sheet.rays(above, own)


def _row_of(walk: LayerWalk, array: StepArray, row: int) -> int:
    """Return the row of an array that belongs to the token: its own, or of other tokens the one it looks at most."""
    return row if array.rows == "query" or walk.kind != "cross" else looked_at(walk, row)


if __name__ == "__main__":
    from viz.steps.demo import demo_walk

    row_picture(demo_walk(), "softmax", row=10).show()
