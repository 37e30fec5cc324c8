"""How a new token is drawn: what the model expects, what temperature and top-k make of it, and which token was taken.

Temperature: Ackley et al. 1985, "A Learning Algorithm for Boltzmann Machines", section 2. Top-k: Fan et al. 2018,
"Hierarchical Neural Story Generation", section 5.4. Entropy: Shannon 1948, "A Mathematical Theory of Communication",
section 6.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
import pandas as pd
import plotly.graph_objects as go
from numpy.typing import NDArray

from models.record import WordChoice
from models.writing import Writing, WritingStep
from viz import theme as style
from viz.bars import Bar, Scale, lying_bars
from viz.theme import Theme, four_digits, nice_maximum, percentage
from viz.tokens import spelled, spelled_apart, visible
from viz.written import steps_table

Numbers = NDArray[np.float64]
SHOWN, SHOWN_NARROW = 10, 7
"""So many candidates are drawn; the file holds all that are known."""
TAKEN = "▸ "
CUT = "cut off"
CLOSE = 1e-3
"""Two ends of a range that differ by less than this are one number to a reader."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Chance:
    """The probability with which a token is drawn, between `low` and `high`: they differ only where it depends on
    tokens that are not among the candidates. A token that is `cut` cannot be drawn."""

    low: float
    high: float
    is_cut: bool

    @property
    def is_exact(self) -> bool:
        return self.high - self.low < CLOSE

    @property
    def middle(self) -> float:
        return (self.low + self.high) / 2

    def said(self) -> str:
        """ "42.1%", "12 to 15%" or "cut off"."""
        if self.is_cut:
            return CUT
        if self.is_exact:
            return percentage(self.middle)
        return f"{percentage(self.low).removesuffix('%')} to {percentage(self.high)}"


def tempered(probabilities: NDArray[np.floating], *, temperature: float, top_k: int = 0) -> Numbers:
    """The probabilities [n] that a token is drawn with, which sum to 1.

    q_i = p_i^(1/T) / Σ_j p_j^(1/T), the sum over the `top_k` likeliest, q_i = 0 for the others; `top_k` 0 keeps all.
    With p = softmax(z) that is softmax(z / T) over them. T = 0 is the limit: the likeliest alone, the first of equals.
    """
    p = np.asarray(probabilities, np.float64)
    order = np.argsort(-p, kind="stable")
    drawn = np.zeros_like(p)
    if temperature == 0:
        drawn[order[0]] = 1
        return drawn
    kept = order[: top_k or None]
    powers = _powers(p[kept], temperature, float(p.max()))
    drawn[kept] = powers / powers.sum()
    return drawn


def chances(step: WritingStep, *, temperature: float, top_k: int, d_vocab: int) -> tuple[Chance, ...]:
    """How each candidate of a step was drawn, as `tempered` says, for a vocabulary of `d_vocab` tokens.

    Where tokens take part that are not among the candidates, all that is known of them is what they have together, and
    that none is likelier than the last candidate; the chance then lies within a range.
    """
    p = np.array([choice.probability for choice in step.candidates])
    n_known = len(p)
    if temperature == 0 or 0 < top_k <= n_known:
        drawn = tempered(p, temperature=temperature, top_k=top_k)
        return tuple(
            Chance(low=float(one), high=float(one), is_cut=temperature > 0 and place >= top_k)
            for place, one in enumerate(drawn)
        )
    if temperature == 1 and top_k == 0:
        return tuple(Chance(low=float(one), high=float(one), is_cut=False) for one in p)
    powers = _powers(p, temperature, float(p.max()))
    n_rest = (top_k or d_vocab) - n_known
    least, most = _rest_of_powers(p, n_rest, temperature, is_all=top_k in (0, d_vocab))
    return tuple(
        Chance(low=float(one / (powers.sum() + most)), high=float(one / (powers.sum() + least)), is_cut=False)
        for one in powers
    )


def entropy_bits(choices: Sequence[WordChoice], d_vocab: int) -> tuple[float, float]:
    """The least and the most that -Σ p log2 p can be, in bits, for a distribution over `d_vocab` tokens of which these
    are the likeliest: 0 if one token is sure, log2(d_vocab) if all are alike."""
    p = np.array([choice.probability for choice in choices], np.float64)
    known = float(-(p * np.log2(np.where(p > 0, p, 1))).sum())
    rest, n_rest = max(1 - float(p.sum()), 0.0), d_vocab - len(p)
    if rest < 1e-6 or n_rest < 1:
        return known, known
    return known - rest * math.log2(max(float(p.min()), rest / n_rest)), known + rest * math.log2(n_rest / rest)


def candidate_chances(
    writing: Writing, *, step: int, temperature: float, top_k: int, theme: Theme = "light", width: int = style.WIDEST
) -> go.Figure:
    """The likeliest tokens of a step, each with two bars: what the model expects, and what it is drawn with.

    Cut-off ones are grey and say so; an arrow marks the token that was taken. Raises SelectionError for a step that is
    not there.
    """
    shown, palette = writing.step(step), style.PALETTES[theme]
    drawn = chances(shown, temperature=temperature, top_k=top_k, d_vocab=writing.info.d_vocab)
    changes = temperature != 1 or top_k > 0
    n_best = min(len(drawn), SHOWN_NARROW if width < style.NARROW else SHOWN)
    taken = _place_taken(shown)
    places = list(range(n_best)) + ([taken] if taken is not None and taken >= n_best else [])
    words = spelled_apart([shown.candidates[place].text for place in places])
    bars: list[Bar] = []
    labels: list[tuple[float, str]] = []
    for row, (place, word) in enumerate(zip(places, words, strict=True)):
        at = row + (0.3 if row >= n_best else 0)
        labels.append((at, f"{TAKEN if place == taken else ''}{word}"))
        bars += _two_bars(shown.candidates[place], word, drawn[place], at=at, rank=place + 1, changes=changes,
                          palette=palette)  # fmt: skip
    legend = [("the model", palette.bar), ("drawn with", palette.accent)] if changes else [("the model", palette.bar)]
    return lying_bars(
        bars,
        labels=labels,
        legend=legend,
        row=2.7 if changes else 1.95,
        scale=Scale(high=nice_maximum(max(bar.value for bar in bars)), title="probability"),
        title=f"New token {step}: what may come next?",
        note=_note(writing, shown, drawn, taken, temperature=temperature, top_k=top_k),
        theme=theme,
        width=width,
    )


def first_steps(writing: Writing, n_steps: int) -> Writing:
    """The writing as it was after some of its steps: the model has not ended it then, unless that was the last one."""
    if n_steps >= len(writing.steps):
        return writing
    return replace(writing, steps=writing.steps[:n_steps], is_finished=False)


def rule_sentence(temperature: float, top_k: int) -> str:
    """What temperature and top-k do, in a sentence."""
    if temperature == 0:
        return "Temperature 0: the likeliest token is taken, always."
    kept = f"one of the {top_k} likeliest tokens" if top_k else "a token"
    if temperature == 1:
        return f"Temperature 1: {kept} is drawn by the model's own probabilities."
    how = "sharper: likely tokens become likelier" if temperature < 1 else "flatter: unlikely tokens get a chance"
    return f"Temperature {temperature:g}: {kept} is drawn, the probabilities made {how}."


def generation_table(writing: Writing, *, temperature: float, top_k: int) -> pd.DataFrame:
    """Every candidate of every step as in `steps_table`, with how it was drawn: drawn_low and drawn_high (the same
    number where it is exact), is_cut; and the temperature, the top_k."""
    table = steps_table(writing)
    drawn = [
        chance
        for step in writing.steps
        for chance in chances(step, temperature=temperature, top_k=top_k, d_vocab=writing.info.d_vocab)
    ]
    return table.assign(
        drawn_low=[chance.low for chance in drawn],
        drawn_high=[chance.high for chance in drawn],
        is_cut=[chance.is_cut for chance in drawn],
        temperature=temperature,
        top_k=top_k,
    )


def _powers(p: Numbers, temperature: float, likeliest: float) -> Numbers:
    """(p / likeliest)^(1/T): the same shares as p^(1/T), and nothing that underflows to 0 all over."""
    with np.errstate(divide="ignore"):
        powers: Numbers = np.exp((np.log(p) - math.log(likeliest)) / temperature)
    return powers


def _rest_of_powers(p: Numbers, n_rest: int, temperature: float, *, is_all: bool) -> tuple[float, float]:
    """The least and the most that Σ (p_j / likeliest)^(1/T) can be over `n_rest` tokens that share what `p` leaves.

    None is likelier than the last of `p`. x^(1/T) is convex below T = 1: few large ones give the most, equal shares the
    least; above it is the other way round. Unless they are `all` that is left, they may also have nothing.
    """
    rest, last, top = max(1 - float(p.sum()), 0.0), float(p.min()), float(p.max())
    if n_rest < 1 or rest == 0 or last == 0:
        return 0.0, 0.0
    alike = n_rest * float(_powers(np.array([min(rest / n_rest, last)]), temperature, top)[0])
    few = min(rest / last, n_rest) * float(_powers(np.array([last]), temperature, top)[0])
    least, most = sorted((alike, few))
    return (least if is_all else 0.0), most


def _two_bars(
    choice: WordChoice, word: str, chance: Chance, *, at: float, rank: int, changes: bool, palette: style.Palette
) -> list[Bar]:
    """What the model expects, and below it what the token is drawn with."""
    hover = (
        word, f"rank {rank}, piece {visible(choice.text)}", f"the model: {four_digits(choice.probability)}",
        f"drawn with: {CUT}" if chance.is_cut else f"drawn with: {_digits(chance)}",
    )  # fmt: skip
    own = Bar(
        place=at - 0.19 if changes else at, label="", value=choice.probability, text=percentage(choice.probability),
        hover=hover, colour=palette.still if chance.is_cut else palette.bar, thickness=0.36 if changes else 0.72,
    )  # fmt: skip
    if not changes:
        return [own]
    drawn = Bar(
        place=at + 0.19, label="", value=chance.middle, text=chance.said(), hover=hover, colour=palette.accent,
        thickness=0.36,
    )  # fmt: skip
    return [own, drawn]


def _digits(chance: Chance) -> str:
    if chance.is_exact:
        return four_digits(chance.middle)
    return f"{four_digits(chance.low)} to {four_digits(chance.high)}"


def _place_taken(shown: WritingStep) -> int | None:
    """The place of the token that was taken among the candidates, None if it is not there."""
    return next((at for at, choice in enumerate(shown.candidates) if choice.text == shown.chosen.text), None)


def _note(
    writing: Writing, shown: WritingStep, drawn: Sequence[Chance], taken: int | None, *, temperature: float, top_k: int
) -> str:
    parts = [rule_sentence(temperature, top_k)]
    word = spelled(shown.chosen.text)
    if taken is None:
        parts.append(f"Taken: “{word}”, with {percentage(shown.chosen.probability)} not among these candidates.")
    else:
        parts.append(f"{TAKEN.strip()} “{word}” was taken, rank {taken + 1}.")
    low, high = entropy_bits(shown.candidates, writing.info.d_vocab)
    bits = f"{low:.2f} bits" if high - low < 0.02 else f"between {low:.1f} and {high:.1f} bits"
    parts.append(f"The model's uncertainty here (entropy): {bits}; all {writing.info.d_vocab:,} tokens alike would be "
                 f"{math.log2(writing.info.d_vocab):.1f}.")  # fmt: skip
    if any(not chance.is_exact for chance in drawn):
        parts.append(
            f"Ranges: only the {len(drawn)} likeliest tokens are known here, and the others share what is left."
        )
    return " ".join(parts)


if __name__ == "__main__":
    from viz.demo_readers import continuation

    candidate_chances(continuation(), step=2, temperature=0.7, top_k=5).show()
