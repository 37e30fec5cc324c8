"""Attention over time: how much of its attention every head gives to a habit, step by step, above the loss of the run.

What is called a turn, and from which share on, stands in `models.analysis.turns`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import plotly.graph_objects as go

from models.values.history import HABIT_NAMES, Habit, History, Turn
from models.values.record import Array, Kind
from viz.attention.heatmap import KIND_TITLES
from viz.kit import theme as style
from viz.kit.bars import LETTER
from viz.kit.line_ends import spread
from viz.kit.theme import Palette, Sizes, Theme, four_digits
from viz.training.over_time_axis import StepAxis, places

WIDEST = 1100
"""The widest this picture becomes."""
MARKS = (0.25, 0.5)
"""Between these shares a head turns, as `models.analysis.turns` has it."""
MOST_NAMED = 5
"""Heads that are named at the ends of their lines, besides the chosen one."""
_TURN_LETTERS = 13
"""The width of what stands above a turn: "0.11 → 0.62"."""
LOSS_NAMES = {"training": "loss while training", "unseen": "loss on unseen text"}


@dataclass(frozen=True, slots=True, kw_only=True)
class _Frame:
    """Where the two panels stand, in pixels: from the left, from the top, their axis and their heights."""

    left: float
    right: float
    top: float
    axis: StepAxis
    shares: float
    gap: float
    loss: float
    foot: float

    @property
    def panels(self) -> float:
        """The height of both, with the gap between them."""
        return self.shares + self.gap + self.loss


def shares_over_time(
    history: History,
    *,
    kind: Kind,
    habit: Habit,
    layer: int,
    head: int,
    at: int,
    turns: Sequence[Turn] = (),
    unseen: bool = False,
    theme: Theme = "light",
    width: int = WIDEST,
) -> go.Figure:
    """One line a head, the chosen one strong, its `turns` shaded; below it the loss; a line at snapshot number `at`.

    With `unseen` the lines are those of the unseen text of the run. A click on a line is read by `picked_moment`.
    Raises SelectionError if the habit was not measured.
    """
    size, palette = replace(style.sizes(width), page=min(width, WIDEST)), style.PALETTES[theme]
    shares = history.shares(kind, habit, unseen=unseen)
    named = _named(turns, habit, (layer, head), palette.lines)
    frame = _frame(history, size)
    figure = go.Figure()
    for each_layer, each_head in np.ndindex(*shares.shape[1:]):
        if (each_layer, each_head) not in {(layer, head), *named}:
            figure.add_trace(_line(history, shares, habit, (each_layer, each_head), colour=palette.still, quiet=True))
    for (each_layer, each_head), colour in named.items():
        figure.add_trace(_line(history, shares, habit, (each_layer, each_head), colour=colour))
    other = _other_series(history, kind, habit, unseen=unseen)
    if other is not None:
        figure.add_trace(_other_line(history, other, (layer, head), palette, unseen=unseen))
    figure.add_trace(_line(history, shares, habit, (layer, head), colour=palette.accent, chosen=True))
    for trace in _loss_lines(history, palette):
        figure.add_trace(trace)
    own = [turn for turn in turns if (turn.layer, turn.head, turn.habit) == (layer, head, habit)]
    note = _note(unseen=unseen, has_other=other is not None)
    figure.update_layout(
        _layout(history, frame, at=at, title=_title(kind, habit, unseen=unseen), note=note, theme=theme, size=size)
    )
    for shape in (*_bands(own, frame, palette), *frame.axis.current(at, palette, ("y", "y2"))):
        figure.add_shape(shape)
    ends = {(layer, head): palette.accent, **named}
    for label in (
        *_turn_labels(own, frame, palette, size),
        *_end_labels(shares, ends, frame, size),
        *_loss_label(history, at, frame, size),
    ):
        figure.add_annotation(label)
    return figure


def picked_moment(selection: Mapping[str, Any]) -> tuple[int, int, int] | None:
    """(layer, head, snapshot) of the point that was clicked, from what Streamlit keeps; None without one.

    What a browser sends is not trusted: anything unexpected is no click.
    """
    try:
        layer, head, at = selection["selection"]["points"][0]["customdata"]
    except (KeyError, IndexError, TypeError, ValueError):
        return None
    if any(type(number) is not int or number < 0 for number in (layer, head, at)):
        return None
    return layer, head, at


# -- lines ------------------------------------------------------------------------------------------------------------


def _line(
    history: History, shares: Array, habit: Habit, which: tuple[int, int], *, colour: str,
    quiet: bool = False, chosen: bool = False,
) -> go.Scatter:  # fmt: skip
    """One head: thin and pale, in a colour of its own, or strong."""
    layer, head = which
    values = shares[:, layer, head]
    still = {"marker": {"opacity": 1}}
    return go.Scatter(
        x=places(history.steps),
        y=values,
        mode="lines+markers",
        opacity=0.55 if quiet else 1,
        line={"color": colour, "width": 1.5 if quiet else 5 if chosen else 3},
        marker={"size": 5 if quiet else 11 if chosen else 8, "color": colour},
        selected=still,
        unselected=still,
        cliponaxis=False,
        customdata=[(layer, head, at) for at in range(len(values))],
        text=[
            f"<b>Layer {layer} · Head {head}</b><br>{_moment(history, at)}<br>"
            f"{HABIT_NAMES[habit]}: {four_digits(float(share))}"
            for at, share in enumerate(values)
        ],
        hovertemplate="%{text}<extra></extra>",
    )


def _other_series(history: History, kind: Kind, habit: Habit, *, unseen: bool) -> Array | None:
    """The same habit in the unseen text if the picture is about the sentence, and the other way round."""
    if habit not in history.habits(kind, unseen=not unseen):
        return None
    return history.shares(kind, habit, unseen=not unseen)


def _other_line(
    history: History, shares: Array, which: tuple[int, int], palette: Palette, *, unseen: bool
) -> go.Scatter:
    layer, head = which
    where = "this sentence" if unseen else "unseen text"
    return go.Scatter(
        x=places(history.steps),
        y=shares[:, layer, head],
        mode="lines",
        line={"color": palette.accent, "width": 2, "dash": "dot"},
        cliponaxis=False,
        text=[
            f"<b>Layer {layer} · Head {head}</b>, {where}<br>{_moment(history, at)}<br>{four_digits(float(share))}"
            for at, share in enumerate(shares[:, layer, head])
        ],
        hovertemplate="%{text}<extra></extra>",
    )


def _loss_lines(history: History, palette: Palette) -> Iterator[go.Scatter]:
    """The loss on the batches of the training, where the run wrote it, and on unseen text."""
    series = {"training": palette.still, "unseen": palette.bar}
    for name, colour in series.items():
        points = [(point.step, getattr(point, name)) for point in history.run.curve]
        known = [(step, loss) for step, loss in points if loss is not None]
        if known:
            steps, losses = zip(*known, strict=True)
            yield go.Scatter(
                x=places(steps, history.steps),
                y=losses,
                yaxis="y2",
                mode="lines" if name == "training" else "lines+markers",
                line={"color": colour, "width": 1.5 if name == "training" else 3},
                marker={"size": 7, "color": colour},
                text=[f"{step:,}" for step in steps],
                hovertemplate=f"step %{{text}}<br>{LOSS_NAMES[name]}: %{{y:.4f}} nats<extra></extra>",
            )


def _moment(history: History, at: int) -> str:
    snapshot = history.snapshots[at]
    tokens = "" if snapshot.tokens is None else f" · {snapshot.tokens:,} tokens read"
    return f"step {snapshot.step:,}{tokens}"


# -- what stands out --------------------------------------------------------------------------------------------------


def _named(
    turns: Sequence[Turn], habit: Habit, chosen: tuple[int, int], colours: Sequence[str]
) -> dict[tuple[int, int], str]:
    """The heads, other than the chosen one, that turn to this habit, each with a colour from the theme's lines."""
    heads = dict.fromkeys((turn.layer, turn.head) for turn in turns if turn.habit == habit and turn.is_towards)
    heads.pop(chosen, None)
    return dict(zip(list(heads)[:MOST_NAMED], colours, strict=False))


def _bands(own: Sequence[Turn], frame: _Frame, palette: Palette) -> Iterator[dict[str, Any]]:
    """The stretch of every turn of the chosen head."""
    placed = places(frame.axis.steps)
    for turn in own:
        yield {
            "type": "rect",
            "xref": "x",
            "x0": placed[turn.start],
            "x1": placed[turn.end],
            "yref": "y domain",
            "y0": 0,
            "y1": 1,
            "fillcolor": palette.accent,
            "opacity": 0.16,
            "line": {"width": 0},
            "layer": "below",
        }


def _turn_labels(own: Sequence[Turn], frame: _Frame, palette: Palette, size: Sizes) -> Iterator[dict[str, Any]]:
    """Above each stretch from which share to which it leads."""
    placed = places(frame.axis.steps)
    middles = np.array([(placed[turn.start] + placed[turn.end]) / 2 for turn in own])
    wanted = frame.axis.pixels(middles)
    found = spread(wanted, distance=_TURN_LETTERS * LETTER * size.label, end=frame.axis.wide)
    for turn, middle, shift in zip(own, middles, found - wanted, strict=True):
        verb = "" if size.compact else "turns to it<br>" if turn.is_towards else "turns away<br>"
        yield {
            "xref": "x",
            "x": float(middle),
            "xshift": float(shift),
            "yref": "y domain",
            "y": 1,
            "yanchor": "bottom",
            "text": f"{verb}<b>{turn.start_share:.2f} → {turn.end_share:.2f}</b>",
            "showarrow": False,
            "font": {"size": size.label, "color": palette.accent},
        }


def _end_labels(
    shares: Array, ends: Mapping[tuple[int, int], str], frame: _Frame, size: Sizes
) -> Iterator[dict[str, Any]]:
    """The names of the lines that stand out, right of their ends, none over another."""
    last = np.array([shares[-1, layer, head] for layer, head in ends], dtype=np.float64)
    wanted = last * frame.shares
    found = spread(wanted, distance=1.25 * size.label, end=frame.shares)
    for (which, colour), share, shift in zip(ends.items(), last, found - wanted, strict=True):
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
    return f"L{layer}·H{head}" if size.compact else f"Layer {layer} · Head {head}"


def _loss_label(history: History, at: int, frame: _Frame, size: Sizes) -> Iterator[dict[str, Any]]:
    """The loss at the snapshot that is looked at, beside its point."""
    loss = history.snapshots[at].loss
    if loss is None:
        return
    here = places(history.steps)[at : at + 1]
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


# -- places -----------------------------------------------------------------------------------------------------------


def _frame(history: History, size: Sizes) -> _Frame:
    left, right = 3.6 * size.label, (LETTER * size.label * (6 if size.compact else 17)) + size.gap
    shares = 240 if size.compact else 330
    has_loss = any(True for _ in _loss_lines(history, style.LIGHT))
    return _Frame(
        left=left,
        right=right,
        top=2.2 * size.title + (1.4 if size.compact else 2.8) * size.label,
        axis=StepAxis(steps=history.steps, wide=size.page - left - right),
        shares=shares,
        gap=2.6 * size.label if has_loss else 0,
        loss=(90 if size.compact else 120) if has_loss else 0,
        foot=3.6 * size.label,
    )


# -- the figure -------------------------------------------------------------------------------------------------------


def _title(kind: Kind, habit: Habit, *, unseen: bool) -> str:
    return f"{KIND_TITLES[kind]}Attention to {HABIT_NAMES[habit]} · {'unseen text' if unseen else 'this sentence'}"


def _note(*, unseen: bool, has_other: bool) -> str:
    dotted = f" Dotted: the same head in {'this sentence' if unseen else 'unseen text'}." if has_other else ""
    return (
        f"Every line is a head: the share of its attention that it gives there, 0 to 1. Orange: the chosen one.{dotted}"
        f" In colour: others that turn to it. A head turns when its share goes from below {MARKS[0]} to {MARKS[1]} or "
        "more; the shaded stretch is where it did. Early steps are spaced more widely."
    )


def _layout(
    history: History, frame: _Frame, *, at: int, title: str, note: str, theme: Theme, size: Sizes
) -> dict[str, Any]:  # fmt: skip
    palette = style.PALETTES[theme]
    lines = style.wrapped(note, size, pixels=size.page - 2 * size.gap)
    bottom = frame.foot + size.gap + 1.45 * size.caption * len(lines)
    y_axis = {
        "fixedrange": True, "zeroline": False, "tickfont": {"size": size.label, "color": palette.quiet},
        "gridcolor": palette.masked, "griddash": "dot", "ticklabelstandoff": size.gap // 2,
    }  # fmt: skip
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
            *_loss_heading(history, frame, palette, size),
        ],
        "xaxis": frame.axis.layout(at, palette, size) | {"anchor": "y2" if frame.loss else "y"},
        "yaxis": y_axis
        | {
            "domain": [1 - frame.shares / frame.panels, 1],
            "range": [0, 1],
            "tickvals": [0, *MARKS, 0.75, 1],
            "zeroline": True,
            "zerolinecolor": palette.border,
        },
        "yaxis2": y_axis | {"domain": [0, frame.loss / frame.panels], "nticks": 4, "visible": bool(frame.loss)},
    }


def _loss_heading(history: History, frame: _Frame, palette: Palette, size: Sizes) -> Iterator[dict[str, Any]]:
    """The names of the lines of the loss, in their colours, above the lower panel."""
    if not frame.loss:
        return
    colours = {"training": palette.quiet, "unseen": palette.bar}
    known = [name for name in colours if any(getattr(point, name) is not None for point in history.run.curve)]
    named = [f'<span style="color:{colours[name]}"><b>{LOSS_NAMES[name]}</b></span>' for name in known]
    yield {
        "text": f"{' · '.join(named)} (nats)",
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


if __name__ == "__main__":
    from viz.training.demo_history import history

    shares_over_time(history(), kind="encoder", habit="previous", layer=0, head=1, at=3).show()
