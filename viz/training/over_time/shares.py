"""Attention over time: the share of its attention that every head gives somewhere, at every snapshot, above the loss.

What is called a change, and from which share on, is defined in `models.analysis.changes`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

import numpy as np
import plotly.graph_objects as go

from models.values.arguments.check import check_arguments
from models.values.history import ATTENDS, IGNORES, HeadChange, History, Measure
from models.values.record import Array, Kind
from viz.attention.heatmap import KIND_TITLES
from viz.kit import theme as style
from viz.kit.figures.still import Figure
from viz.kit.language import said, tr
from viz.kit.theme import Palette, Sizes, Theme
from viz.training.over_time.labels import bands, change_labels, end_labels, loss_heading, loss_label, named_heads
from viz.training.over_time.lines import head_line, loss_lines, other_line
from viz.training.over_time.panels import TwoPanels, frame_of

WIDEST = 1100
"""The widest this picture becomes."""


@check_arguments
def shares_over_time(
    history: History,
    *,
    kind: Kind,
    measure: str,
    layer: int,
    head: int,
    at: int,
    changes: Sequence[HeadChange] = (),
    unseen: bool = False,
    theme: Theme = "light",
    width: int = WIDEST,
) -> go.Figure:
    """Draw one line for each head, the chosen one strong, its `changes` shaded; below it the loss; a line at snapshot
    number `at`.

    With `unseen` the lines are those of the unseen text of the run. A click on a line is read by `picked_point`.
    Raises SelectionError if the measure was not taken.
    """
    size, palette = replace(style.sizes(width), page=min(width, WIDEST)), style.PALETTES[theme]
    named, frame = history.measure(kind, measure, unseen=unseen), frame_of(history, size)
    shares = history.shares(kind, measure, unseen=unseen)
    others = named_heads(changes, measure, (layer, head), palette.lines)
    lines = _Lines(history=history, kind=kind, measure=named, chosen=(layer, head), others=others, unseen=unseen)
    own = [change for change in changes if (change.layer, change.head, change.measure.name) == (layer, head, measure)]
    title, note = _title(kind, named, unseen=unseen), _note(unseen=unseen, has_other=lines.on_other_text is not None)
    layout = _layout(history, frame, at=at, title=title, note=note, theme=theme, size=size)
    layout["shapes"] = [*bands(own, frame, palette), *frame.axis.current(at, palette, ("y", "y2"))]
    layout["annotations"] += [
        *change_labels(own, frame, palette, size),
        *end_labels(shares, {(layer, head): palette.accent, **others}, frame, size),
        *loss_label(history, at, frame, size),
    ]
    return Figure([*lines.of_heads(shares, palette), *loss_lines(history, palette)], layout)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class _Lines:
    """The heads that are highlighted: the `chosen` one, and `others`, each in a colour of its own."""

    history: History
    kind: Kind
    measure: Measure
    chosen: tuple[int, int]
    others: Mapping[tuple[int, int], str]
    unseen: bool

    @property
    def on_other_text(self) -> Array | None:
        """The shares in the unseen text if the picture is about the sentence, and vice versa; None where not
        recorded."""
        if self.measure not in self.history.measures(self.kind, unseen=not self.unseen):
            return None
        return self.history.shares(self.kind, self.measure.name, unseen=not self.unseen)

    def of_heads(self, shares: Array, palette: Palette) -> Iterator[go.Scatter]:
        """Yield the pale lines first, the chosen one last, so that it is on top."""
        line = partial(head_line, self.history, shares, self.measure)
        for which in np.ndindex(*shares.shape[1:]):
            if which not in {self.chosen, *self.others}:
                yield line(which, colour=palette.still, quiet=True)
        for which, colour in self.others.items():
            yield line(which, colour=colour)
        if self.on_other_text is not None:
            yield other_line(self.history, self.on_other_text, self.chosen, palette, unseen=self.unseen)
        yield line(self.chosen, colour=palette.accent, chosen=True)


def picked_point(selection: Mapping[str, Any]) -> tuple[int, int, int] | None:
    """Return (layer, head, snapshot) of the clicked point, from the selection that Streamlit keeps; None without one.

    Input from a browser is not trusted: anything unexpected counts as no click.
    """
    try:
        layer, head, snapshot = selection["selection"]["points"][0]["customdata"]
    except (KeyError, IndexError, TypeError, ValueError):
        return None
    if any(type(number) is not int or number < 0 for number in (layer, head, snapshot)):
        return None
    return layer, head, snapshot


# -- the figure -------------------------------------------------------------------------------------------------------


def _title(kind: Kind, measure: Measure, *, unseen: bool) -> str:
    place = said(measure.title)
    about = (
        tr("Attention to {place} · unseen text", place=place)
        if unseen
        else tr("Attention to {place} · this sentence", place=place)
    )
    return f"{said(KIND_TITLES[kind])}{about}"


def _note(*, unseen: bool, has_other: bool) -> str:
    parts = [
        tr("Every line is a head: the share of its attention that goes there, 0 to 1. Orange: the chosen head."),
        tr(
            "In colour: other heads that begin to attend there. A head starts when its share rises from below "
            "{ignores} to {attends} or more; the shaded stretch shows when. Early iterations are spaced more widely.",
            ignores=IGNORES,
            attends=ATTENDS,
        ),
    ]
    if has_other and unseen:
        parts.insert(1, tr("Dotted: the same head in this sentence."))
    elif has_other:
        parts.insert(1, tr("Dotted: the same head in unseen text."))
    return " ".join(parts)


def _layout(
    history: History, frame: TwoPanels, *, at: int, title: str, note: str, theme: Theme, size: Sizes
) -> dict[str, Any]:
    palette = style.PALETTES[theme]
    lines = style.wrap_text(note, size, pixels=size.page - 2 * size.gap)
    bottom = frame.foot + size.gap + 1.45 * size.caption * len(lines)
    y_axis = {
        "fixedrange": True,
        "zeroline": False,
        "tickfont": {"size": size.label, "color": palette.quiet},
        "gridcolor": palette.masked,
        "griddash": "dot",
        "ticklabelstandoff": size.gap // 2,
    }
    caption = style.caption("<br>".join(lines), theme, size, below=frame.foot + size.gap // 2)
    return style.base_layout(theme, size, title=title) | {
        "width": size.page,
        "height": frame.top + frame.panels + bottom,
        "margin": {"l": frame.left, "r": frame.right, "t": frame.top, "b": bottom, "pad": 0},
        "dragmode": False,
        "clickmode": "event+select",
        "hovermode": "closest",
        "annotations": [
            caption | {"xshift": size.gap // 2 - frame.left},
            *loss_heading(history, frame, palette, size),
        ],
        "xaxis": frame.axis.layout(at, palette, size) | {"anchor": "y2" if frame.loss else "y"},
        "yaxis": y_axis
        | {
            "domain": [1 - frame.shares / frame.panels, 1],
            "range": [0, 1],
            "tickvals": [0, IGNORES, ATTENDS, 0.75, 1],
            "zeroline": True,
            "zerolinecolor": palette.border,
        },
        "yaxis2": y_axis | {"domain": [0, frame.loss / frame.panels], "nticks": 4, "visible": bool(frame.loss)},
    }


if __name__ == "__main__":
    from viz.training.over_time.demo import history

    shares_over_time(history(), kind="encoder", measure="previous", layer=0, head=1, at=3).show()
