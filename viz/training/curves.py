"""Curves of a training run while it goes on, and the results on held-out text.

Curves keep their axis from the first iteration to the last one planned, so that they grow and never jump.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal

import numpy as np
import pandas as pd
import plotly.graph_objects as go

from models.values.arguments.check import check_arguments
from viz.kit import theme as style
from viz.kit.language import said, to_say, tr
from viz.kit.theme import Sizes, Theme
from viz.kit.tokens import plain_label

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
        "In nats per question: what the true answers cost. Lower is better. Guessing among n answers costs ln n."
    ),
    "accuracy": to_say("The share of questions whose likeliest answer is the true one. Higher is better."),
    "masked_loss": to_say(
        "In nats per question: what the true answers cost. Lower is better. Dotted: going only by how frequent each "
        "piece is."
    ),
    "masked_accuracy": to_say(
        "The share of questions whose likeliest answer is the true one. Higher is better. Dotted: always saying the "
        "most frequent piece."
    ),
    "next_loss": to_say(
        "In nats per question: what the true answers cost. Lower is better. Pairs that follow and pairs that do not "
        "count the same. Dotted: a coin toss, ln 2."
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
LabelledThings = Literal["texts", "words"]
_CONFUSED: dict[LabelledThings, str] = {
    "texts": to_say("true: %{y}<br>said: %{x}<br>%{customdata} texts, %{z:.1%} of the row"),
    "words": to_say("true: %{y}<br>said: %{x}<br>%{customdata} words, %{z:.1%} of the row"),
}
MOST_LABELS_NAMED = 24
"""Of more labels, the numbers in the cells would not be legible."""


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
    table = curves.astype({"step": "int64"}) if len(curves) else curves
    learned = table[["step", measure]].dropna()
    smooth = learned[measure].rolling(SMOOTHED, min_periods=1, center=True).mean()
    held_out = table.reindex(columns=["step", f"held_out_{measure}"]).dropna()
    figure, level = go.Figure(), baseline_of(curves, measure)
    if level is not None:
        figure.add_hline(y=level, line={"color": palette.quiet, "width": 2, "dash": "dot"})
    figure.add_scatter(
        x=_array(learned["step"]),
        y=_array(learned[measure]),
        mode="lines",
        opacity=0.35,
        hoverinfo="skip",
        line={"color": palette.still, "width": 1},
    )
    figure.add_scatter(
        x=_array(learned["step"]),
        y=_array(smooth),
        mode="lines",
        name="training",
        line={"color": palette.bar, "width": 2.5},
        hovertemplate=tr("iteration {x}<br>training {y}", x="%{x:,}", y="%{y:.4f}") + "<extra></extra>",
    )
    figure.add_scatter(
        x=_array(held_out["step"]),
        y=_array(held_out[f"held_out_{measure}"]),
        mode="lines+markers",
        name="held out",
        line={"color": palette.accent, "width": 2.5},
        marker={"size": 9, "symbol": "diamond"},
        hovertemplate=tr("iteration {x}<br>held out {y}", x="%{x:,}", y="%{y:.4f}") + "<extra></extra>",
    )
    layout = _layout(measure, learned, held_out, level, iterations=iterations, theme=theme, size=size)
    return figure.update_layout(layout)


def baseline_of(curves: pd.DataFrame, measure: CurveName) -> float | None:
    """Return the score of a baseline that knows only frequencies; None where it was not measured."""
    name = f"held_out_{measure}_baseline"
    known = curves[name].dropna() if name in curves else curves.iloc[:0, 0]
    return float(known.iloc[-1]) if len(known) else None


def _layout(
    measure: CurveName,
    learned: pd.DataFrame,
    held_out: pd.DataFrame,
    level: float | None,
    *,
    iterations: int,
    theme: Theme,
    size: Sizes,
) -> dict[str, Any]:
    palette = style.PALETTES[theme]
    lines = style.wrap_text(said(NOTES[measure]), size, pixels=size.page - 2 * size.gap)
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
    return style.base_layout(theme, size, title=said(TITLES[measure])) | {
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
            "range": [0, _highest(measure, learned, held_out, level)],
            "tickformat": ".0%" if measure.endswith("accuracy") else "~g",
            "nticks": 6,
            "rangemode": "tozero",
        },
        "dragmode": False,
        "annotations": [
            _names(measure, learned, held_out, level, theme=theme, size=size, left=left),
            style.caption("<br>".join(lines), theme, size, below=3.9 * size.label) | {"xshift": size.gap // 2 - left},
        ],
    }


def _highest(measure: CurveName, learned: pd.DataFrame, held_out: pd.DataFrame, level: float | None) -> float:
    """Return the upper end of the axis: above all values but the one in two hundred that is extreme."""
    values = np.concatenate([_array(learned[measure]), _array(held_out[f"held_out_{measure}"])])
    if measure.endswith("accuracy") or not values.size:
        return 1.02
    return max(float(np.nanpercentile(values, 99.5)), level or 0.0) * 1.05


def _names(
    measure: CurveName,
    learned: pd.DataFrame,
    held_out: pd.DataFrame,
    level: float | None,
    *,
    theme: Theme,
    size: Sizes,
    left: float,
) -> dict[str, Any]:
    """Return the lines by name in the line above the picture, with their last numbers."""
    palette = style.PALETTES[theme]

    def last(values: pd.Series, smoothed: int = 1) -> str:
        return written(float(values.tail(smoothed).mean())) if len(values) else ""

    def written(number: float) -> str:
        return f"{number:.1%}" if measure.endswith("accuracy") else f"{number:.3f}"

    trained = tr("training {number}", number=last(learned[measure], SMOOTHED)).strip()
    unseen = tr("held out {number}", number=last(held_out[f"held_out_{measure}"])).strip()
    text = (
        f'<span style="color:{palette.bar}">━ <b>{trained}</b></span>   '
        f'<span style="color:{palette.accent}">◆ <b>{unseen}</b></span>'
    )
    if level is not None:
        baseline = tr("baseline {number}", number=written(level))
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


@check_arguments
def confusion_figure(
    labels: Sequence[str],
    counts: Sequence[Sequence[int]],
    *,
    of: LabelledThings = "texts",
    theme: Theme = "light",
    width: int = style.WIDEST,
) -> go.Figure:
    """Draw how often a text of each true label (row) was given each label (column); the diagonal is right.

    `counts` [true][predicted], `of` the kind of thing labelled. The colour is the share of the row, so that rare labels
    show up, too.
    """
    size, palette = style.sizes(width), style.PALETTES[theme]
    numbers = np.array(counts, dtype=np.float32).reshape(len(labels), len(labels))
    shares = numbers / np.maximum(numbers.sum(axis=1, keepdims=True), 1)
    names = [plain_label(label) for label in labels]
    longest = max((len(name) for name in names), default=1)
    left, top = 0.62 * size.label * min(longest, 16) + 3 * size.label, 2.6 * size.title
    cell = min((size.page - left - 2 * size.gap) / len(labels), 110.0)
    bottom = 0.5 * size.label * min(longest, 16) + 3.5 * size.label
    figure = go.Figure(
        go.Heatmap(
            z=shares,
            zmin=0,
            zmax=1,
            colorscale=style.colour_scale(palette.sequential),
            showscale=False,
            xgap=2,
            ygap=2,
            customdata=numbers,
            text=numbers.astype(int) if len(labels) <= MOST_LABELS_NAMED else None,
            texttemplate="%{text}" if len(labels) <= MOST_LABELS_NAMED else None,
            textfont={"size": size.word},
            hovertemplate=said(_CONFUSED[of]) + "<extra></extra>",
        )
    )
    axis = {
        "tickvals": list(range(len(labels))),
        "ticktext": names,
        "tickfont": {"size": size.label},
        "showgrid": False,
        "fixedrange": True,
        "zeroline": False,
    }
    tall = min(cell, 70.0) * len(labels)
    return figure.update_layout(
        style.base_layout(theme, size, title=tr("Which label became which"))
        | {
            "width": left + cell * len(labels) + 2 * size.gap,
            "height": top + tall + bottom,
            "margin": {"l": left, "r": 2 * size.gap, "t": top, "b": bottom, "pad": 4},
            "xaxis": axis | {"title": {"text": tr("said"), "font": {"size": size.axis}}},
            "yaxis": axis | {"title": {"text": tr("true"), "font": {"size": size.axis}}, "autorange": "reversed"},
        }
    )


def answer_table(rows: Sequence[tuple[object, ...]], names: Sequence[str], is_right: Sequence[bool]) -> pd.DataFrame:
    """Return rows of answers as an English table for a file, each with a sign and a word for right or wrong."""
    table = pd.DataFrame(list(rows), columns=list(names))
    table.insert(0, "", [RIGHT if hit else WRONG for hit in is_right])
    return table


def _array(values: pd.Series) -> np.ndarray[Any, np.dtype[np.float64]]:
    return values.to_numpy(dtype=np.float64)


if __name__ == "__main__":
    from viz.training.demo_curves import made_up_curves

    curve_figure(made_up_curves(), iterations=400, measure="loss").show()
    curve_figure(made_up_curves(), iterations=400, measure="accuracy", theme="dark").show()
    confusion_figure(("negative", "positive", "<b>"), ((31, 4, 0), (2, 40, 1), (3, 0, 5))).show()
