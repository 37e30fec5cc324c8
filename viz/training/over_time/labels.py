"""Labels for the lines of shares over time: names, the shares before and after a change, its stretch, the loss."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np

from models.values.history import HeadChange, History
from models.values.record import Array
from viz.kit.figures.bar_legends import LETTER
from viz.kit.figures.line_ends import spread
from viz.kit.language import said, tr
from viz.kit.theme import Palette, Sizes
from viz.training.over_time.axis import places
from viz.training.over_time.lines import LOSS_NAMES
from viz.training.over_time.panels import TwoPanels, known_losses

MOST_NAMED = 5
"""Heads that are named at the ends of their lines, besides the chosen one."""
_LETTERS = 13
"""The width, in letters, of the label above a change: "0.11 → 0.62"."""


def named_heads(
    changes: Sequence[HeadChange], measure: str, chosen: tuple[int, int], colours: Sequence[str]
) -> dict[tuple[int, int], str]:
    """Return the heads, other than the chosen one, that begin to attend to it, each with a colour from the theme's
    lines."""
    heads = dict.fromkeys(
        (change.layer, change.head) for change in changes if change.measure.name == measure and change.is_towards
    )
    heads.pop(chosen, None)
    return dict(zip(list(heads)[:MOST_NAMED], colours, strict=False))


def bands(own: Sequence[HeadChange], frame: TwoPanels, palette: Palette) -> Iterator[dict[str, Any]]:
    """Yield the stretch of every change of the chosen head."""
    placed = places(frame.axis.iterations)
    for change in own:
        yield {
            "type": "rect",
            "xref": "x",
            "x0": placed[change.start],
            "x1": placed[change.end],
            "yref": "y domain",
            "y0": 0,
            "y1": 1,
            "fillcolor": palette.accent,
            "opacity": 0.16,
            "line": {"width": 0},
            "layer": "below",
        }


def change_labels(
    own: Sequence[HeadChange], frame: TwoPanels, palette: Palette, size: Sizes
) -> Iterator[dict[str, Any]]:
    """Yield labels above each stretch with the shares at its start and end."""
    placed = places(frame.axis.iterations)
    middles = np.array([(placed[change.start] + placed[change.end]) / 2 for change in own])
    wanted = frame.axis.pixels(middles)
    label_places = spread(wanted, distance=_LETTERS * LETTER * size.label, end=frame.axis.wide)
    for change, middle, shift in zip(own, middles, label_places - wanted, strict=True):
        said_of = tr("begins") if change.is_towards else tr("stops")
        verb = "" if size.compact else f"{said_of}<br>"
        yield {
            "xref": "x",
            "x": float(middle),
            "xshift": float(shift),
            "yref": "y domain",
            "y": 1,
            "yanchor": "bottom",
            "text": f"{verb}<b>{change.start_share:.0%} → {change.end_share:.0%}</b>",
            "showarrow": False,
            "font": {"size": size.label, "color": palette.accent},
        }


def end_labels(
    shares: Array, ends: Mapping[tuple[int, int], str], frame: TwoPanels, size: Sizes
) -> Iterator[dict[str, Any]]:
    """Yield the names of the highlighted lines, right of their ends, without overlap."""
    last = np.array([shares[-1, layer, head] for layer, head in ends], dtype=np.float64)
    wanted = last * frame.shares
    label_heights = spread(wanted, distance=1.25 * size.label, end=frame.shares)
    for (which, colour), share, shift in zip(ends.items(), last, label_heights - wanted, strict=True):
        yield {
            "xref": "paper",
            "x": 1,
            "xanchor": "left",
            "xshift": size.gap // 2,
            "yref": "y",
            "y": float(share),
            "yshift": float(shift),
            "yanchor": "middle",
            "text": f"<b>{_head_name(*which, size)}</b>",
            "showarrow": False,
            "font": {"size": size.label, "color": colour},
        }


def _head_name(layer: int, head: int, size: Sizes) -> str:
    return f"L{layer}·H{head}" if size.compact else tr("Layer {layer} · Head {head}", layer=layer, head=head)


def loss_label(history: History, at: int, frame: TwoPanels, size: Sizes) -> Iterator[dict[str, Any]]:
    """Yield the loss at the selected snapshot, beside its point."""
    loss = history.snapshots[at].loss
    if loss is None:
        return
    here = places(history.iterations)[at : at + 1]
    is_right = frame.axis.pixels(here)[0] > frame.axis.wide / 2
    yield {
        "xref": "x",
        "x": float(here[0]),
        "xanchor": "right" if is_right else "left",
        "xshift": -size.gap // 2 if is_right else size.gap // 2,
        "yref": "y2",
        "y": loss,
        "yanchor": "bottom" if not is_right else "top",
        "text": f"<b>{loss:.2f}</b>",
        "showarrow": False,
        "font": {"size": size.label},
    }


def loss_heading(history: History, frame: TwoPanels, palette: Palette, size: Sizes) -> Iterator[dict[str, Any]]:
    """Yield the names of the lines of the loss, in their colours, above the lower panel."""
    if not frame.loss:
        return
    colours = {"training": palette.quiet, "unseen": palette.bar}
    named = [
        f'<span style="color:{colours[name]}"><b>{said(LOSS_NAMES[name])}</b></span>' for name in known_losses(history)
    ]
    yield {
        "text": " · ".join(named),
        "xref": "paper",
        "x": 0,
        "xanchor": "left",
        "yref": "paper",
        "y": frame.loss / frame.panels,
        "yanchor": "bottom",
        "yshift": size.gap // 2,
        "showarrow": False,
        "font": {"size": size.label, "color": palette.quiet},
    }
