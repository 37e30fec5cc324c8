"""Curves of a training run while it goes on, and the results on held-out text.

Curves keep their axis from the first iteration to the last one planned, so that they grow and never jump.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
import pandas as pd
import plotly.graph_objects as go
from numpy.typing import NDArray

from models.values.arguments.check import check_arguments
from viz.kit import theme as style
from viz.kit.figures.still import Figure
from viz.kit.language import said, to_say, tr
from viz.kit.theme import Sizes, Theme
from viz.training.confusion import confusion_figure

CurveName = Literal["loss", "accuracy", "masked_loss", "masked_accuracy", "next_loss", "next_accuracy"]
TITLES: dict[CurveName, str] = {
    "loss": to_say("Loss"),
    "accuracy": to_say("Right answers"),
    "masked_loss": to_say("Hidden words: loss"),
    "masked_accuracy": to_say("Hidden words: right answers"),
    "next_loss": to_say("Next sentence: loss"),
    "next_accuracy": to_say("Next sentence: right answers"),
}
FILES: dict[CurveName, str] = {
    "loss": "loss",
    "accuracy": "right-answers",
    "masked_loss": "hidden-words-loss",
    "masked_accuracy": "hidden-words-right",
    "next_loss": "next-sentence-loss",
    "next_accuracy": "next-sentence-right",
}
"""The name of a curve's picture when it is downloaded."""
NOTES: dict[CurveName, str] = {
    "loss": to_say(
        "How much the true answers surprise the model: −ln of their probability, on average. Lower is better. Guessing "
        "among n answers costs ln n."
    ),
    "accuracy": to_say("The share of questions whose likeliest answer is the true one. Higher is better."),
    "masked_loss": to_say(
        "How much the true pieces surprise the model: −ln of their probability, on average. Lower is better. Dotted: "
        "going only by how frequent each piece is."
    ),
    "masked_accuracy": to_say(
        "The share of questions whose likeliest answer is the true one. Higher is better. Dotted: always saying the "
        "most frequent piece."
    ),
    "next_loss": to_say(
        "How much the true answers surprise the model: −ln of their probability, on average. Lower is better. Pairs "
        "that follow and pairs that do not count the same. Dotted: a coin toss, ln 2."
    ),
    "next_accuracy": to_say(
        "The share of questions whose likeliest answer is the true one. Higher is better. Pairs that follow and pairs "
        "that do not count the same. Dotted: always the same answer."
    ),
}
PARTS: tuple[tuple[CurveName, CurveName], ...] = (("masked_loss", "masked_accuracy"), ("next_loss", "next_accuracy"))
WHOLE: tuple[tuple[CurveName, CurveName], ...] = (("loss", "accuracy"),)
HEIGHT, COMPACT_HEIGHT = 270, 210
"""Of the picture without its words, in CSS pixels."""
SMOOTHED = 15
"""Lines over which the training curve is a mean: single batches jump."""
RIGHT, WRONG = to_say("✓ right"), to_say("✗ wrong")


def curves_of(curves: pd.DataFrame) -> tuple[tuple[CurveName, CurveName], ...]:
    """Return the curves of a run, two in a row: those of each thing that it learns, or one of the whole."""
    return tuple(row for row in PARTS if set(row) <= set(curves)) or WHOLE


@check_arguments
def curve_figure(
    curves: pd.DataFrame, *, iterations: int, measure: CurveName, theme: Theme = "light", width: int = style.WIDEST
) -> go.Figure:
    """Draw a measure over the iterations of a run, on its batches and on held-out text.

    `curves` has the columns step (the iteration), the measure, and "held_out_" with its name, NaN where nothing was
    measured; where there is one, that with "_baseline" is drawn as a level. `iterations` is the length of the run.
    """
    size, palette = style.sizes(width), style.PALETTES[theme]
    run = _read_run(curves, measure)
    figure = Figure()
    if run.level is not None:
        figure.add_hline(y=run.level, line={"color": palette.quiet, "width": 2, "dash": "dot"})
    figure.add_scatter(
        x=run.iterations,
        y=run.learned,
        mode="lines",
        opacity=0.35,
        hoverinfo="skip",
        line={"color": palette.still, "width": 1},
    )
    figure.add_scatter(
        x=run.iterations,
        y=run.smooth,
        mode="lines",
        name="training",
        line={"color": palette.bar, "width": 2.5},
        hovertemplate=tr("iteration {x}<br>training {y}", x="%{x:,}", y="%{y:.4f}") + "<extra></extra>",
    )
    figure.add_scatter(
        x=run.measured_at,
        y=run.held_out,
        mode="lines+markers",
        name="held out",
        line={"color": palette.accent, "width": 2.5},
        marker={"size": 9, "symbol": "diamond"},
        hovertemplate=tr("iteration {x}<br>held out {y}", x="%{x:,}", y="%{y:.4f}") + "<extra></extra>",
    )
    return figure.update_layout(_layout(run, iterations=iterations, theme=theme, size=size))


@dataclass(frozen=True, slots=True, kw_only=True)
class _Run:
    """A measure of a run: on its batches, as it is and smoothed, on held-out text, and the level of its baseline."""

    measure: CurveName
    iterations: NDArray[np.float64]
    learned: NDArray[np.float64]
    smooth: NDArray[np.float64]
    measured_at: NDArray[np.float64]
    held_out: NDArray[np.float64]
    level: float | None

    def format(self, number: float) -> str:
        return f"{number:.1%}" if self.is_share else f"{number:.3f}"

    @property
    def is_share(self) -> bool:
        return self.measure.endswith("accuracy")

    @property
    def highest(self) -> float:
        """The upper end of the axis: above all values but the one in two hundred that is extreme."""
        values = np.concatenate([self.learned, self.held_out])
        if self.is_share or not values.size:
            return 1.02
        return max(float(np.nanpercentile(values, 99.5)), self.level or 0.0) * 1.05


def _read_run(curves: pd.DataFrame, measure: CurveName) -> _Run:
    table = curves.astype({"step": "int64"}) if len(curves) else curves
    learned = table[["step", measure]].dropna()
    held_out = table.reindex(columns=["step", f"held_out_{measure}"]).dropna()
    return _Run(
        measure=measure,
        iterations=_array(learned["step"]),
        learned=_array(learned[measure]),
        smooth=_array(learned[measure].rolling(SMOOTHED, min_periods=1, center=True).mean()),
        measured_at=_array(held_out["step"]),
        held_out=_array(held_out[f"held_out_{measure}"]),
        level=baseline_of(curves, measure),
    )


def baseline_of(curves: pd.DataFrame, measure: CurveName) -> float | None:
    """Return the score of a baseline that knows only frequencies; None where it was not measured."""
    name = f"held_out_{measure}_baseline"
    known = curves[name].dropna() if name in curves else curves.iloc[:0, 0]
    return float(known.iloc[-1]) if len(known) else None


def _layout(run: _Run, *, iterations: int, theme: Theme, size: Sizes) -> dict[str, Any]:
    palette = style.PALETTES[theme]
    lines = style.wrap_text(said(NOTES[run.measure]), size, pixels=size.page - 2 * size.gap)
    top, bottom = 2.6 * size.title + 1.6 * size.word, 4.2 * size.label + 1.45 * size.caption * len(lines) + size.gap
    tall = COMPACT_HEIGHT if size.compact else HEIGHT
    axis = {
        "gridcolor": palette.masked,
        "griddash": "dot",
        "zerolinecolor": palette.border,
        "fixedrange": True,
        "tickfont": {"size": size.label, "color": palette.quiet},
    }
    left = 3.6 * size.label
    return style.base_layout(theme, size, title=said(TITLES[run.measure])) | {
        "width": size.page,
        "height": top + tall + bottom,
        "margin": {"l": left, "r": 1.5 * size.label, "t": top, "b": bottom, "pad": 0},
        "xaxis": axis
        | {
            "range": [0, iterations],
            "title": {"text": tr("iteration"), "font": {"size": size.axis}, "standoff": 4},
            "nticks": 6,
        },
        "yaxis": axis
        | {
            "range": [0, run.highest],
            "tickformat": ".0%" if run.is_share else "~g",
            "nticks": 6,
            "rangemode": "tozero",
        },
        "dragmode": False,
        "annotations": [
            _names(run, theme=theme, size=size, left=left),
            style.caption("<br>".join(lines), theme, size, below=3.9 * size.label) | {"xshift": size.gap // 2 - left},
        ],
    }


def _names(run: _Run, *, theme: Theme, size: Sizes, left: float) -> dict[str, Any]:
    """Return the lines by name in the line above the picture, with their last numbers."""
    palette = style.PALETTES[theme]
    last, latest = run.learned[-SMOOTHED:], run.held_out[-1:]
    trained = tr("training {number}", number=run.format(last.mean()) if last.size else "").strip()
    unseen = tr("held out {number}", number=run.format(latest[0]) if latest.size else "").strip()
    text = (
        f'<span style="color:{palette.bar}">━ <b>{trained}</b></span>   '
        f'<span style="color:{palette.accent}">◆ <b>{unseen}</b></span>'
    )
    if run.level is not None:
        baseline = tr("baseline {number}", number=run.format(run.level))
        text += f'   <span style="color:{palette.quiet}">┄ {baseline}</span>'
    return {
        "text": text,
        "xref": "paper",
        "yref": "paper",
        "x": 0,
        "xanchor": "left",
        "y": 1,
        "yanchor": "bottom",
        "xshift": size.gap // 2 - left,
        "yshift": size.gap // 2,
        "showarrow": False,
        "font": {"size": size.label + 1},
    }


def answer_table(rows: Sequence[tuple[object, ...]], names: Sequence[str], is_right: Sequence[bool]) -> pd.DataFrame:
    """Return rows of answers as an English table for a file, each with a sign and a word for right or wrong."""
    table = pd.DataFrame(list(rows), columns=list(names))
    table.insert(0, "", [RIGHT if hit else WRONG for hit in is_right])
    return table


def _array(values: pd.Series) -> NDArray[np.float64]:
    return values.to_numpy(dtype=np.float64)


if __name__ == "__main__":
    from viz.training.demo_curves import made_up_curves

    curve_figure(made_up_curves(), iterations=400, measure="loss").show()
    curve_figure(made_up_curves(), iterations=400, measure="accuracy", theme="dark").show()
    confusion_figure(("negative", "positive", "<b>"), ((31, 4, 0), (2, 40, 1), (3, 0, 5))).show()
