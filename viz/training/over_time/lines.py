"""The lines of the shares over time: one for each head, the same head on other text, and the loss."""

from __future__ import annotations

from collections.abc import Iterator

import plotly.graph_objects as go

from models.values.history import History, Measure
from models.values.record import Array
from viz.kit.language import said, to_say, tr
from viz.kit.theme import Palette, percentage
from viz.training.over_time.axis import places

LOSS_NAMES = {"training": to_say("loss while training"), "unseen": to_say("loss on unseen text")}


def head_line(
    history: History,
    shares: Array,
    measure: Measure,
    which: tuple[int, int],
    *,
    colour: str,
    quiet: bool = False,
    chosen: bool = False,
) -> go.Scatter:
    """Return the line of one head: thin and pale, in a colour of its own, or strong."""
    layer, head = which
    values = shares[:, layer, head]
    still = {"marker": {"opacity": 1}}
    return go.Scatter(
        x=places(history.iterations),
        y=values,
        mode="lines+markers",
        opacity=0.55 if quiet else 1,
        line={"color": colour, "width": 1.5 if quiet else 5 if chosen else 3},
        marker={"size": 5 if quiet else 11 if chosen else 8, "color": colour},
        selected=still,
        unselected=still,
        cliponaxis=False,
        customdata=[(layer, head, number) for number in range(len(values))],
        text=[
            f"<b>{_head(which)}</b><br>{_when(history, number)}<br>{said(measure.title)}: {percentage(float(share))}"
            for number, share in enumerate(values)
        ],
        hovertemplate="%{text}<extra></extra>",
    )


def other_line(
    history: History, shares: Array, which: tuple[int, int], palette: Palette, *, unseen: bool
) -> go.Scatter:
    """Return the chosen head in the unseen text if the picture is about the sentence, and vice versa."""
    layer, head = which
    name = _head(which)
    named = tr("<b>{head}</b>, this sentence", head=name) if unseen else tr("<b>{head}</b>, unseen text", head=name)
    return go.Scatter(
        x=places(history.iterations),
        y=shares[:, layer, head],
        mode="lines",
        line={"color": palette.accent, "width": 2, "dash": "dot"},
        cliponaxis=False,
        text=[
            f"{named}<br>{_when(history, number)}<br>{percentage(float(share))}"
            for number, share in enumerate(shares[:, layer, head])
        ],
        hovertemplate="%{text}<extra></extra>",
    )


def loss_lines(history: History, palette: Palette) -> Iterator[go.Scatter]:
    """Yield the losses of the run as lines: on its training batches, where recorded, and on unseen text."""
    series = {"training": palette.still, "unseen": palette.bar}
    for name, colour in series.items():
        points = [(point.iteration, getattr(point, name)) for point in history.trajectory.curve]
        known = [(iteration, loss) for iteration, loss in points if loss is not None]
        if known:
            iterations, losses = zip(*known, strict=True)
            yield go.Scatter(
                x=places(iterations, history.iterations),
                y=losses,
                yaxis="y2",
                mode="lines" if name == "training" else "lines+markers",
                line={"color": colour, "width": 1.5 if name == "training" else 3},
                marker={"size": 7, "color": colour},
                text=[f"{iteration:,}" for iteration in iterations],
                hovertemplate=tr(
                    "iteration {iteration}<br>{which_loss}: {loss}",
                    iteration="%{text}",
                    which_loss=LOSS_NAMES[name],
                    loss="%{y:.4f}",
                )
                + "<extra></extra>",
            )


def _head(which: tuple[int, int]) -> str:
    return tr("Layer {layer} · Head {head}", layer=which[0], head=which[1])


def _when(history: History, at: int) -> str:
    snapshot = history.snapshots[at]
    iteration = f"{snapshot.iteration:,}"
    if snapshot.tokens is None:
        return tr("iteration {iteration}", iteration=iteration)
    return tr("iteration {iteration} · {tokens} tokens read", iteration=iteration, tokens=f"{snapshot.tokens:,}")
