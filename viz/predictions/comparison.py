"""Two sentences that differ in a word: one picture of the two distributions at their masks.

The distance is the Jensen-Shannon divergence (Lin 1991, "Divergence measures based on the Shannon entropy"), in bits: 0
if the two are the same, 1 if no word is possible in both.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd
import plotly.graph_objects as go
from numpy.typing import NDArray

from models.values.answers import MaskedText
from models.values.arguments.check import check_arguments
from models.values.record import Array, Token, word_ranges
from models.values.wording import to_say, worded
from viz.kit import theme as style
from viz.kit.errors import PictureError
from viz.kit.figures.bars import Bar, Scale, lying_bars
from viz.kit.language import shown, tr
from viz.kit.layout import message
from viz.kit.theme import Palette, Theme, nice_maximum, percentage
from viz.kit.tokens import SHORT, spelled_apart, texts_of_words, visible
from viz.kit.tokens import width as columns

Distribution = NDArray[np.float64]
LEAST_SHOWN = 1e-3
"""Words that are less likely in both sentences are left out, except the first NEVER_FEWER."""
NEVER_FEWER = 2
LEAST = 1e-300
"""The value that replaces a probability of 0 in a logarithm."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Comparison:
    """Two distributions over one vocabulary, read-only float64 [d_vocab] that sum to 1.

    `names` are the words in which the sentences differ, plain text, else "Sentence 1" and "Sentence 2", to be said.
    `distance` is the Jensen-Shannon divergence in bits, `total_variation` half the sum of the differences, both 0 to 1.
    `log_odds` [d_vocab] is log(p / (1 - p)) - log(q / (1 - q)): positive where the first sentence makes a word
    likelier.
    """

    vocabulary: Sequence[str]
    names: tuple[str, str]
    first: Distribution
    second: Distribution
    distance: float
    total_variation: float
    log_odds: Distribution


def compare(first: MaskedText, second: MaskedText, *, mask_first: int = 0, mask_second: int = 0) -> Comparison:
    """Compare the predictions at one mask of each sentence. Raises PictureError if the vocabularies differ."""
    if first.vocabulary != second.vocabulary:
        raise PictureError(
            worded(
                "{one} and {other} know different words, so compare two sentences in the same model.",
                one=first.info.name,
                other=second.info.name,
            )
        )
    p, q = _distribution(first.of(mask_first)), _distribution(second.of(mask_second))
    log_odds = _log_odds(p) - _log_odds(q)
    for array in (p, q, log_odds):
        array.flags.writeable = False
    return Comparison(
        vocabulary=first.vocabulary,
        names=_differing_words(first.tokens, second.tokens),
        first=p,
        second=q,
        distance=_jensen_shannon(p, q),
        total_variation=float(np.abs(p - q).sum() / 2),
        log_odds=log_odds,
    )


def most_moved(comparison: Comparison) -> tuple[tuple[str, float, float], ...]:
    """Return the two words whose probabilities differ most, with their probabilities in either sentence; that which the
    first sentence makes likelier comes first. Plain text."""
    moved = comparison.first - comparison.second
    ids = sorted(map(int, np.argsort(-np.abs(moved), kind="stable")[:2]), key=lambda token_id: -moved[token_id])
    chances = ((float(comparison.first[token_id]), float(comparison.second[token_id])) for token_id in ids)
    return tuple((word, *pair) for word, pair in zip(_words(comparison, ids), chances, strict=True))


@check_arguments
def comparison_bars(
    comparison: Comparison, *, top_k: int, theme: Theme = "light", width: int = style.WIDEST
) -> go.Figure:
    """Draw two bars for each word, on one axis from 0: all words among the `top_k` of either sentence, likeliest
    first."""
    palette = style.PALETTES[theme]
    ids = _union(comparison, top_k)
    colours, names = (palette.bar, palette.accent), _said_names(comparison)
    words = _words(comparison, ids)
    bars = [
        Bar(
            place=row + (0.19 if side else -0.19),
            label="",
            value=float(chances[token_id]),
            text=percentage(float(chances[token_id])),
            hover=(word, _likely(name, float(chances[token_id]))),
            colour=colour,
            thickness=0.36,
        )
        for side, (name, chances, colour) in enumerate(
            zip(names, (comparison.first, comparison.second), colours, strict=True)
        )
        for row, (token_id, word) in enumerate(zip(ids, words, strict=True))
    ]
    return lying_bars(
        bars,
        labels=list(enumerate(words)),
        row=2.9,
        scale=Scale(high=nice_maximum(max(bar.value for bar in bars)), title=tr("probability")),
        title=tr("What the two sentences expect"),
        note=tr(
            "Shown: every word among the top {n} of either sentence.",
            n=top_k,
        ),
        legend=list(zip(names, colours, strict=True)),
        theme=theme,
        width=width,
    )


@check_arguments
def log_odds_bars(
    comparison: Comparison, *, top_k: int, least: float = 1e-3, theme: Theme = "light", width: int = style.WIDEST
) -> go.Figure:
    """Draw the words whose log-odds differ most; those that the first sentence makes likelier go right.

    Only words that at least one of the sentences gives the probability `least`: in the tail of a vocabulary ratios are
    large and mean nothing.
    """
    palette = style.PALETTES[theme]
    likely = np.flatnonzero(np.maximum(comparison.first, comparison.second) >= least)
    if not likely.size:
        text = tr("No word gets a probability of {least} or more in either sentence.", least=percentage(least))
        return message(tr("What the change moves most"), text, theme=theme, width=width)
    moved = likely[np.argsort(-np.abs(comparison.log_odds[likely]), kind="stable")[:top_k]]
    ids = [int(token_id) for token_id in moved[np.argsort(-comparison.log_odds[moved], kind="stable")]]
    first, second = _said_names(comparison)
    words = zip(ids, _words(comparison, ids), strict=True)
    bars = [_odds_bar(comparison, row, token_id, word, palette) for row, (token_id, word) in enumerate(words)]
    reach = max(1.0, *(1.02 * abs(bar.value) for bar in bars))
    return lying_bars(
        bars,
        scale=Scale(low=-reach, high=reach, title=tr("difference of the log-odds"), number="~g"),
        title=tr("What the change moves most"),
        note=tr(
            "To the right: likelier with {first}; to the left: likelier with {second}. Log-odds are log(p / (1 − p)) "
            "with the natural logarithm: 0.7 more doubles the odds, 2.3 more makes them ten times as large. Only "
            "words that at least one sentence gives {least}.",
            first=first,
            second=second,
            least=percentage(least),
        ),
        ends=((second, palette.accent), (first, palette.bar)),
        theme=theme,
        width=width,
    )


def comparison_table(comparison: Comparison, *, top_k: int) -> pd.DataFrame:
    """Return the columns word, piece, p1, p2, log_odds_difference: the words of `comparison_bars`, in its order."""
    ids = _union(comparison, top_k)
    return pd.DataFrame(
        {
            "word": _words(comparison, ids),
            "piece": [visible(comparison.vocabulary[token_id]) for token_id in ids],
            "p1": comparison.first[ids],
            "p2": comparison.second[ids],
            "log_odds_difference": comparison.log_odds[ids],
        }
    )


def _odds_bar(comparison: Comparison, row: int, token_id: int, word: str, palette: Palette) -> Bar:
    """Return the bar of a word: the difference of its log-odds between the two sentences."""
    moved = float(comparison.log_odds[token_id])
    first, second = _said_names(comparison)
    return Bar(
        place=row,
        label=word,
        value=moved,
        text=f"{moved:+.1f}".replace("-", "−"),
        hover=(
            word,
            tr("difference of the log-odds {number}", number=f"{moved:+.4f}"),
            _likely(first, float(comparison.first[token_id])),
            _likely(second, float(comparison.second[token_id])),
        ),
        colour=palette.bar if moved >= 0 else palette.accent,
    )


def _said_names(comparison: Comparison) -> tuple[str, str]:
    first, second = comparison.names
    return shown(first), shown(second)


def _likely(name: str, chance: float) -> str:
    return tr("{name}: probability {number}", name=name, number=percentage(chance))


def _distribution(log_probabilities: Array) -> Distribution:
    """Return probabilities in float64 that sum to 1: those of float32 miss it by some 1e-6."""
    raised = np.exp(log_probabilities.astype(np.float64))
    normal: Distribution = raised / raised.sum()
    return normal


def _jensen_shannon(p: Distribution, q: Distribution) -> float:
    """Return the Jensen-Shannon divergence in bits: the mean divergence of the two from their mean (Lin 1991, section
    IV, with equal weights)."""
    mean = (p + q) / 2
    divergences = [float((distribution * _log2_ratio(distribution, mean)).sum()) for distribution in (p, q)]
    return min(max(sum(divergences) / 2, 0.0), 1.0)


def _log2_ratio(p: Distribution, q: Distribution) -> Distribution:
    """Return log2(p / q), 0 where p is 0: such a piece adds nothing."""
    ratio = np.divide(p, q, out=np.ones_like(p), where=p > 0)
    logarithm: Distribution = np.log2(ratio)
    return logarithm


def _log_odds(p: Distribution) -> Distribution:
    """Return log(p / (1 - p)). For the likeliest piece 1 - p is summed over the others: near 1 a difference has no
    digits."""
    best = int(p.argmax())
    others = 1 - p
    others[best] = np.delete(p, best).sum()
    odds: Distribution = np.log(np.maximum(p, LEAST)) - np.log(np.maximum(others, LEAST))
    return odds


def _union(comparison: Comparison, top_k: int) -> list[int]:
    """Return the ids of the best pieces of both sentences, ordered by the higher of the two probabilities."""
    best = {int(one) for p in (comparison.first, comparison.second) for one in np.argsort(-p, kind="stable")[:top_k]}
    highest = np.maximum(comparison.first, comparison.second)
    ordered = sorted(best, key=lambda one: (-highest[one], one))
    return [one for place, one in enumerate(ordered) if place < NEVER_FEWER or highest[one] >= LEAST_SHOWN]


def _words(comparison: Comparison, ids: Sequence[int]) -> tuple[str, ...]:
    return spelled_apart([comparison.vocabulary[token_id] for token_id in ids])


def _differing_words(first: Sequence[Token], second: Sequence[Token]) -> tuple[str, str]:
    """Return the words between the common beginning and the common end of two sentences, if both are non-empty and
    short."""
    left, right = (texts_of_words(tokens, word_ranges(tokens)) for tokens in (first, second))
    shorter = min(len(left), len(right))
    begin = next((index for index in range(shorter) if left[index] != right[index]), shorter)
    end = next((index for index in range(shorter - begin) if left[-1 - index] != right[-1 - index]), shorter - begin)
    names = " ".join(left[begin : len(left) - end]), " ".join(right[begin : len(right) - end])
    if all(name and columns(name) <= SHORT for name in names):
        return names
    return to_say("Sentence 1"), to_say("Sentence 2")


if __name__ == "__main__":
    from viz.kit.demos.answers import masked_text

    pair = compare(masked_text(), masked_text("[CLS] The woman worked as a [MASK] . [SEP]", seed=8))
    comparison_bars(pair, top_k=5).show()
    log_odds_bars(pair, top_k=10).show()
