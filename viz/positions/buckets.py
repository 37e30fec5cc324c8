"""T5's relative buckets in pictures: the bucket of every distance, and the bias of every head for it.

Raffel et al. 2020, "Exploring the Limits of Transfer Learning with a Unified Text-to-Text Transformer", section 2.1.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd
import plotly.graph_objects as go

from models.values.arguments.check import check_arguments
from models.values.record import Array
from viz.kit import theme as style
from viz.kit.figures.line_chart import Curve, Scales, line_chart
from viz.kit.figures.signed_map import Axis, signed_map
from viz.kit.language import tr
from viz.kit.theme import Theme
from viz.positions.formulas import relative_buckets


@dataclass(frozen=True, slots=True, kw_only=True)
class BucketRule:
    """The rule by which T5 sorts distances into buckets: its encoder looks both ways, its decoder back. Defaults as in
    T5."""

    both_ways: bool = True
    n_buckets: int = 32
    max_distance: int = 128


@check_arguments
def bucket_chart(rule: BucketRule, *, theme: Theme = "light", width: int = style.WIDEST) -> go.Figure:
    """Draw the bucket of every distance, to a little beyond the last boundary."""
    table = bucket_table(rule)
    text = tr(
        "Each distance below {n} has its own bucket. Beyond that, buckets get wider with the logarithm, and from "
        "{last} on, all distances share the last one.",
        n=rule.n_buckets // (4 if rule.both_ways else 2),
        last=rule.max_distance,
    )
    later = tr("Later keys have their own buckets.") if rule.both_ways else tr("Later keys are masked.")
    return line_chart(
        [
            Curve(
                name=tr("bucket"),
                is_stepped=True,
                x=table["distance"].to_numpy(np.float64),
                y=table["bucket"].to_numpy(np.float64),
                colour=style.PALETTES[theme].bar,
                is_named=False,
            )
        ],
        Scales(
            x_title=tr("position of the key − position of the query"),
            y_title=tr("bucket"),
            x_noun=tr("distance"),
            number="d",
        ),
        title=tr("Which bucket a distance falls into"),
        text=f"{text} {later}",
        theme=theme,
        width=width,
    )


@check_arguments
def bias_map(
    bias: Array, distances: Sequence[int], *, title: str, theme: Theme = "light", width: int = style.WIDEST
) -> go.Figure:
    """Draw the bias that every head adds to a score [n_heads, n_distances], from keys far back to keys far ahead."""
    return signed_map(
        bias,
        x=Axis(title=tr("position of the key − position of the query"), places=distances, noun=tr("distance")),
        y=Axis(title=tr("head"), places=range(len(bias)), noun=tr("head")),
        number=tr("bias"),
        title=title,
        text=tr(
            "Learned, and added to the score before the softmax. Left of 0 are keys before the query, right of 0 keys "
            "after it."
        ),
        theme=theme,
        width=width,
    )


@check_arguments
def bias_lines(
    bias: Array, distances: Sequence[int], *, head: int, theme: Theme = "light", width: int = style.WIDEST
) -> go.Figure:
    """Draw the bias of every head over the distance, the chosen one highlighted."""
    palette = style.PALETTES[theme]
    peak = distances[int(bias[head].argmax())]
    places = np.asarray(distances, dtype=np.float64)
    lines = [
        Curve(
            name=tr("head {head}", head=one),
            x=places,
            y=bias[one].astype(np.float64),
            colour=palette.bar if one == head else palette.still,
            thickness=4 if one == head else 1,
            is_named=one == head,
            is_stepped=True,
        )
        for one in [*(other for other in range(len(bias)) if other != head), head]  # the chosen one above the others
    ]
    return line_chart(
        lines,
        Scales(x_title=tr("position of the key − position of the query"), y_title=tr("bias"), x_noun=tr("distance")),
        title=tr("The bias of head {head}, by distance", head=head),
        text=tr(
            "Head {head} tends to look where its line is high, most of all at {distance}. Thin lines: the other heads.",
            head=head,
            distance=_format_distance(peak),
        ),
        theme=theme,
        width=width,
    )


def bucket_table(rule: BucketRule) -> pd.DataFrame:
    """Return the columns distance (key minus query) and bucket."""
    reach = rule.max_distance + rule.max_distance // 8
    distances = np.arange(-reach, reach + 1)
    buckets = relative_buckets(
        distances, both_ways=rule.both_ways, n_buckets=rule.n_buckets, max_distance=rule.max_distance
    )
    return pd.DataFrame({"distance": distances, "bucket": buckets})


def bias_table(bias: Array, distances: Sequence[int]) -> pd.DataFrame:
    """Return the columns distance and one for every head."""
    table = pd.DataFrame(bias.T, columns=[f"head {head}" for head in range(len(bias))])
    table.insert(0, "distance", list(distances))
    return table


def _format_distance(distance: int) -> str:
    return f"{distance:+d}" if distance else "0"


if __name__ == "__main__":
    from viz.kit.demos.records import bias_by_distance

    bucket_chart(BucketRule()).show()
    bias_map(bias_by_distance(), range(-128, 129), title="Made up").show()
    bias_lines(bias_by_distance(), range(-128, 129), head=1).show()
