"""Switches for all heads, and the answers of a model with all heads beside those without some."""

from __future__ import annotations

from collections.abc import Collection
from typing import Literal

import numpy as np
import plotly.graph_objects as go

from models.values.answers import best_ids
from models.values.arguments.check import check_arguments
from models.values.probing.contrast import AnswerLogits
from models.values.record import Array
from models.values.results.effects import HeadMap
from viz.heads.effects import head_map
from viz.kit import theme as style
from viz.kit.figures.bars import Bar, Scale, lying_bars
from viz.kit.figures.cells import readable_on
from viz.kit.language import said, to_say, tr
from viz.kit.layout import click_marks
from viz.kit.theme import Palette, Theme, nice_maximum, percentage
from viz.kit.tokens import spelled_apart

WHOLE_LAYER = -1
"""The head that a click on a whole layer hands back."""
MARK = 24
"""The size of a clickable marker, in CSS pixels."""
Missing = Literal["heads", "words"]
OUTLIERS = 3
"""The scale of colours ends at the effect of this rank: one strong head would leave the others without a colour."""
LEAST_SHOWN = 1e-3
"""Answers that are less likely both with all heads and without some are left out; two always stay."""
NEVER_FEWER = 2
SIDES: dict[Missing, tuple[str, str]] = {
    "heads": (to_say("with all heads"), to_say("without")),
    "words": (to_say("with all words"), to_say("without what is left out")),
}
"""The names of the answer from which nothing is missing, and of the other one."""
HOW_TO_SWITCH = to_say(
    "Click a head, or the dot of a layer, to switch it off (✕) or on. Orange: without that head alone the answer "
    "becomes less likely against the next best; blue: likelier."
)


@check_arguments
def switch_board(
    effects: HeadMap, *, off: Collection[tuple[int, int]], theme: Theme = "light", width: int = style.WIDEST
) -> go.Figure:
    """Draw every head of one kind of attention as a tile in the colour of its effect; those (layer, head) that are
    `off` are crossed out. A click returns (layer, head), or (layer, WHOLE_LAYER)."""
    title = tr("{n} of {all} heads off", n=len(off), all=effects.values.size)
    figure = head_map(
        effects,
        title=title,
        number=tr("change of the logit difference"),
        note=said(HOW_TO_SWITCH),
        reach=_reach(effects.values),
        theme=theme,
        width=width,
    ).update_traces(showscale=False, selector={"type": "heatmap"})
    palette, size = style.PALETTES[theme], style.sizes(width)
    n_layers, n_heads = effects.values.shape
    dots = {"symbol": "circle", "size": 11, "color": palette.still}
    figure.add_scatter(
        x=np.full(n_layers, WHOLE_LAYER), y=np.arange(n_layers), mode="markers", marker=dots, hoverinfo="skip"
    )
    for layer, head in sorted(off):
        figure.add_shape(
            type="rect",
            x0=head - 0.47,
            x1=head + 0.47,
            y0=layer - 0.46,
            y1=layer + 0.46,
            line={"width": 2.5, "color": palette.ink},
        )
        figure.add_annotation(
            x=head,
            y=layer,
            text="<b>✕</b>",
            showarrow=False,
            font={"size": size.word, "color": _readable_on_effect(effects.values, (layer, head), palette)},
        )
    figure.add_trace(_clicks(effects.values, off))
    figure.update_xaxes(range=[WHOLE_LAYER - 0.6, n_heads - 0.5])
    return figure.update_layout(dragmode=False, hovermode="closest", hoverdistance=-1, clickmode="event+select")


def _reach(effects: Array) -> float | None:
    """Return the end of the scale of colours; None for the largest effect."""
    sizes = np.sort(np.abs(effects[np.isfinite(effects)]))
    return float(sizes[-OUTLIERS]) if len(sizes) >= OUTLIERS and sizes[-OUTLIERS] > 0 else None


def _readable_on_effect(effects: Array, place: tuple[int, int], palette: Palette) -> str:
    """Return a colour that can be read on the tile of a head."""
    share = abs(float(effects[place])) / (_reach(effects) or 1)
    return readable_on(min(share, 1.0) if np.isfinite(share) else 0.0, palette)


def _clicks(effects: Array, off: Collection[tuple[int, int]]) -> go.Scatter:
    """Return clickable markers on every head, and one for every layer."""
    n_layers, n_heads = effects.shape
    places = [(layer, head) for layer in range(n_layers) for head in range(WHOLE_LAYER, n_heads)]
    return click_marks(
        [head for _, head in places],
        [layer for layer, _ in places],
        data=places,
        texts=[_pointed_at(effects, place, off) for place in places],
        hover="%{text}",
        side=MARK,
    )


def _pointed_at(effects: Array, place: tuple[int, int], off: Collection[tuple[int, int]]) -> str:
    """Return the hover text of a head or a layer, with the effect of a click."""
    layer, head = place
    if head == WHOLE_LAYER:
        all_off = all((layer, other_head) in off for other_head in range(effects.shape[1]))
        which = tr("Layer {layer}, all heads", layer=layer)
        click = tr("click to switch them on") if all_off else tr("click to switch them off")
        return f"{which}<br>{click}"
    effect = float(effects[place])
    lines = [tr("Layer {layer} · Head {head}", layer=layer, head=head)]
    if not np.isnan(effect):
        change = style.number(effect, plus=True)
        lines.append(tr("without it alone the logit difference changes by {change}", change=change))
    return "<br>".join([*lines, tr("click to switch it on") if place in off else tr("click to switch it off")])


@check_arguments
def answers_beside(
    whole: AnswerLogits,
    without: AnswerLogits,
    *,
    missing: Missing = "heads",
    n_best: int = 5,
    theme: Theme = "light",
    width: int = style.WIDEST,
) -> go.Figure:
    """Draw the likeliest answers with all heads or words and without some, side by side: all among the `n_best` of
    either."""
    palette = style.PALETTES[theme]
    ids = answers_of_both(whole, without, n_best)
    words, (with_all, with_less) = answer_texts(whole, ids), map(said, SIDES[missing])
    sides = ((with_all, whole, palette.bar), (with_less, without, palette.accent))
    bars = [
        _bar_of_answer(row, words[row], name, (float(chance), float(answers.logits[ids[row]])), (side, colour))
        for side, (name, answers, colour) in enumerate(sides)
        for row, chance in enumerate(answers.probabilities[ids])
    ]
    return lying_bars(
        bars,
        labels=list(enumerate(words)),
        row=2.5,
        title=tr("What the model answers"),
        scale=Scale(high=nice_maximum(max(bar.value for bar in bars)), title=tr("probability")),
        note=_note_of_best(missing, n_best),
        legend=[(name, colour) for name, _, colour in sides],
        theme=theme,
        width=width,
    )


def _note_of_best(missing: Missing, n_best: int) -> str:
    """Return the note below the answers: which of them are shown."""
    least = percentage(LEAST_SHOWN)
    if missing == "words":
        return tr(
            "The best {n} answers to the whole text, or when no token may see what is left out; none that is below "
            "{least} in both.",
            n=n_best,
            least=least,
        )
    return tr(
        "The best {n} answers with all heads, or without those that are off; none that is below {least} in both.",
        n=n_best,
        least=least,
    )


def _bar_of_answer(row: int, word: str, which: str, numbers: tuple[float, float], look: tuple[int, str]) -> Bar:
    """Return the bar of an answer from its probability and logit; `look` is its side, 0 or 1, and its colour."""
    (chance, logit), (side, colour) = numbers, look
    return Bar(
        place=row + (0.19 if side else -0.19),
        label="",
        value=chance,
        text=percentage(chance),
        hover=(
            word,
            tr("{which}: probability {chance}", which=which, chance=percentage(chance)),
            tr("logit {logit}", logit=style.number(logit, plus=True)),
        ),
        colour=colour,
        thickness=0.36,
    )


def answers_of_both(whole: AnswerLogits, without: AnswerLogits, n_best: int) -> list[int]:
    """Return the indices of the best choices of either answer that are not all but impossible in both, ordered by the
    higher of the two probabilities."""
    best = {int(one) for answer in (whole, without) for one in best_ids(answer.logits, n_best)}
    highest = np.maximum(whole.probabilities, without.probabilities)
    ordered = sorted(best, key=lambda one: (-highest[one], one))[: n_best + 1]
    return [one for place, one in enumerate(ordered) if place < NEVER_FEWER or highest[one] >= LEAST_SHOWN]


def answer_texts(answers: AnswerLogits, numbers: Collection[int]) -> tuple[str, ...]:
    """Return choices as people read them, no two alike if they differ by a space. NOT escaped for HTML."""
    pieces = [answers.choices[number] for number in numbers]
    if answers.of not in {"mask", "next"}:
        return tuple(pieces)
    return spelled_apart(pieces)


if __name__ == "__main__":
    from viz.heads.demos.effects import demo_ablation, demo_answers

    switch_board(demo_ablation().maps()[0], off={(1, 2), (3, 0)}).show()
    answers_beside(*demo_answers()).show()
