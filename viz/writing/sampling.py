"""Sampling in pictures: a next-token distribution before and after its settings, and what each of them cuts."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

import numpy as np
import pandas as pd
import plotly.graph_objects as go

from models.values.arguments.check import check_arguments
from models.values.results.sampling import SamplingStep, Setting
from viz.kit import theme as style
from viz.kit.figures.bars import Bar, Scale, lying_bars
from viz.kit.language import said, to_say, tr
from viz.kit.theme import Theme, nice_maximum, percentage
from viz.kit.tokens import spelled, spelled_apart

SHOWN, SHOWN_NARROW = 8, 6
"""The number of tokens drawn; the file holds more."""
IN_FILE = 200
SETTING_NAMES: dict[Setting, str] = {
    "model": to_say("the model"),
    "repetition_penalty": to_say("Repetition penalty"),
    "temperature": to_say("Temperature"),
    "top_k": to_say("Top-k"),
    "top_p": to_say("Top-p"),
    "min_p": to_say("Min-p"),
}


@check_arguments
def sampling_bars(
    steps: Sequence[SamplingStep], names: Sequence[str], *, theme: Theme = "light", width: int = style.WIDEST
) -> go.Figure:
    """Draw the likeliest tokens, and of what each setting cuts the likeliest, with the model's probability and the one
    after all settings; a token that is cut says by what. `names` are those of all choices."""
    palette = style.PALETTES[theme]
    own, after = steps[0].probabilities, steps[-1].probabilities
    best = rows_of(steps, SHOWN_NARROW if width < style.NARROW else SHOWN)
    words = spelled_apart([names[choice] for choice in best])
    bars: list[Bar] = []
    for row, (choice, word) in enumerate(zip(best, words, strict=True)):
        cut = cut_by(steps, choice)
        last = tr("cut: {setting}", setting=said(SETTING_NAMES[cut])) if cut else percentage(float(after[choice]))
        hover = (word, tr("the model: {number}", number=percentage(float(own[choice]))), last)
        for value, text, shift, colour in (
            (own[choice], percentage(float(own[choice])), -0.19, palette.still if cut else palette.bar),
            (after[choice], last, 0.19, palette.accent),
        ):
            bars.append(
                Bar(
                    place=row + shift,
                    label="",
                    value=float(value),
                    text=text,
                    hover=hover,
                    colour=colour,
                    thickness=0.36,
                )
            )
    return lying_bars(
        bars,
        labels=[(float(row), word) for row, word in enumerate(words)],
        legend=[(tr("the model"), palette.bar), (tr("with these settings"), palette.accent)],
        row=2.7,
        scale=Scale(high=nice_maximum(max(bar.value for bar in bars)), title=tr("probability")),
        title=tr("What may be written next"),
        note=tr("{n} of {all} tokens are left to draw from.", n=f"{steps[-1].n_kept:,}", all=f"{len(own):,}"),
        theme=theme,
        width=width,
    )


def sampling_story(steps: Sequence[SamplingStep], names: Sequence[str]) -> list[str]:
    """Return a sentence a setting that is on: what it does to the distribution, made from the numbers. NOT escaped: it
    names a token of the model."""
    lines = []
    for before, after in pairwise(steps):
        name = said(SETTING_NAMES[after.setting])
        lost = before.probabilities - after.probabilities
        best = int((lost if after.setting == "repetition_penalty" else before.probabilities).argmax())
        if after.setting in {"temperature", "repetition_penalty"}:
            told = tr(
                "{setting} takes “{token}” from {before} to {after}.",
                setting=name,
                token=spelled(names[best]),
                before=percentage(float(before.probabilities[best])),
                after=percentage(float(after.probabilities[best])),
            )
        else:
            told = tr(
                "{setting} cuts {n} tokens, which had {share} together.",
                setting=name,
                n=f"{after.n_cut:,}",
                share=percentage(after.cut),
            )
        lines.append(told)
    return lines


def sampling_table(steps: Sequence[SamplingStep], names: Sequence[str]) -> pd.DataFrame:
    """Return the likeliest tokens with their probability after each setting."""
    best = rows_of(steps, IN_FILE)
    return pd.DataFrame(
        {"token": [names[choice] for choice in best]} | {step.setting: step.probabilities[best] for step in steps}
    )


def rows_of(steps: Sequence[SamplingStep], n_best: int) -> list[int]:
    """Return the numbers of the choices that are likeliest before or after the settings, and the likeliest that each
    setting cuts, the model's best first."""
    own, after = steps[0].probabilities, steps[-1].probabilities
    chosen = set(np.argsort(-np.maximum(own, after), kind="stable")[:n_best].tolist())
    for before, step in pairwise(steps):
        if step.n_cut:
            chosen.add(int(np.where(step.probabilities == 0, before.probabilities, 0).argmax()))
    return sorted(chosen, key=lambda choice: -own[choice])


def cut_by(steps: Sequence[SamplingStep], choice: int) -> Setting | None:
    """Return the setting that cut a choice; None if it may be drawn."""
    return next((step.setting for step in steps if step.probabilities[choice] == 0), None)
