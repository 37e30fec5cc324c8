"""A learned position table beside the sinusoids of the same size.

Devlin et al. 2018 learn one vector a position; Wang and Chen 2020, "What Do Position Embeddings Learn?", compare such
tables by the similarity of their rows.
"""

from __future__ import annotations

import numpy as np
import pandas as pd
import plotly.graph_objects as go

from models.values.arguments.check import check_arguments
from models.values.record import Array
from viz.attention.covered import COVERED
from viz.kit import theme as style
from viz.kit.figures.line_chart import Curve, Scales, line_chart
from viz.kit.figures.signed_map import Axis, signed_map
from viz.kit.language import said, tr
from viz.kit.theme import Theme
from viz.kit.tokens import plain_label, shorten, visible
from viz.positions.formulas import Profile, cosine_similarities, profile

MOST_POSITIONS = 512
MOST_DIMENSIONS = 1024
"""Rows and columns of a table that are drawn; the numbers to download are all of them."""
LONGEST = 48
"""Columns that the name of a model may take in a title."""


@check_arguments
def table_map(table: Array, *, title: str, theme: Theme = "light", width: int = style.WIDEST) -> go.Figure:
    """Draw positions from top to bottom, dimensions from left to right; colours end before a few outliers."""
    drawn = table[:MOST_POSITIONS, :MOST_DIMENSIONS]
    reach = style.colour_end(drawn)
    largest = float(np.abs(drawn).max())
    positions, dimensions = (f"{n:,}" for n in table.shape)
    notes = [tr("{positions} positions × {dimensions} dimensions.", positions=positions, dimensions=dimensions)]
    if drawn.shape != table.shape:
        notes.append(tr("The first {rows} × {columns} are drawn.", rows=drawn.shape[0], columns=drawn.shape[1]))
    if largest > reach:
        ends = {"reach": f"{reach:.3g}", "largest": f"{largest:.3g}"}
        notes.append(tr("Colours end at ±{reach}; the largest value is {largest}.", **ends))
    return signed_map(
        drawn,
        x=Axis(title=tr("dimension"), places=range(drawn.shape[1]), noun=tr("dimension")),
        y=Axis(title=tr("position"), places=range(drawn.shape[0]), noun=tr("position")),
        number=tr("number"),
        title=plain_label(title, limit=LONGEST),
        text=" ".join(notes),
        reach=reach,
        theme=theme,
        width=width,
    )


@check_arguments
def similarity_map(
    table: Array, *, title: str, covered: int | None = None, theme: Theme = "light", width: int = style.WIDEST
) -> go.Figure:
    """Draw the cosine similarity of every two positions, from -1 to 1, without those of a `covered` position."""
    drawn = table[:MOST_POSITIONS]
    similarities = cosine_similarities(drawn)
    text = tr("1 on the diagonal: every position is like itself. Strong colour next to it: neighbours are alike.")
    if covered is not None:
        similarities[covered : covered + 1] = similarities[:, covered : covered + 1] = np.nan
        text = said(COVERED)
    axis = Axis(title=tr("position"), places=range(len(drawn)), noun=tr("position"))
    return signed_map(
        similarities,
        x=axis,
        y=axis,
        number=tr("cosine similarity"),
        title=plain_label(title, limit=LONGEST),
        text=text,
        reach=1,
        is_square=True,
        theme=theme,
        width=width,
    )


@check_arguments
def distance_profiles(
    table: Array, sinusoidal: Array, *, name: str, theme: Theme = "light", width: int = style.WIDEST
) -> go.Figure:
    """Draw the mean cosine similarity of positions at each distance; the area spans all pairs of that distance."""
    palette = style.PALETTES[theme]
    lines = [
        _profile_line(profile, title, colour)
        for profile, title, colour in (
            (similarity_profile(sinusoidal), tr("sinusoidal"), palette.accent),
            (similarity_profile(table), shorten(visible(name), LONGEST), palette.bar),
        )
    ]
    return line_chart(
        lines,
        Scales(x_title=tr("distance of the two positions"), y_title=tr("cosine similarity"), x_noun=tr("distance")),
        title=tr("How alike positions are, by distance"),
        text=tr(
            "The line is the mean over all pairs of positions at this distance; the shaded area runs from the least "
            "to the most similar pair. The sinusoids have no shaded area: for them, only the distance counts."
        ),
        theme=theme,
        width=width,
    )


def similarity_profile(table: Array) -> Profile:
    """Return the cosine similarity of positions by distance."""
    return profile(cosine_similarities(table[:MOST_POSITIONS]))


def profile_table(table: Array, sinusoidal: Array) -> pd.DataFrame:
    """Return the columns distance, model_mean, model_least, model_most, sinusoidal_mean."""
    learned, formula = similarity_profile(table), similarity_profile(sinusoidal)
    return pd.DataFrame(
        {
            "distance": range(len(learned.mean)),
            "model_mean": learned.mean,
            "model_least": learned.least,
            "model_most": learned.most,
            "sinusoidal_mean": formula.mean,
        }
    )


def position_table(table: Array) -> pd.DataFrame:
    """Return the columns position and one for every dimension: all of the table."""
    numbers = pd.DataFrame(table, columns=[f"dimension {dimension}" for dimension in range(table.shape[1])])
    numbers.insert(0, "position", range(len(table)))
    return numbers


def _profile_line(found: Profile, name: str, colour: str) -> Curve:
    places = np.arange(len(found.mean), dtype=np.float64)
    return Curve(name=name, x=places, y=found.mean, colour=colour, band=(found.least, found.most))


if __name__ == "__main__":
    from viz.kit.demos.records import learned_table
    from viz.positions.formulas import sinusoids

    made_up = learned_table()
    table_map(made_up, title="A learned table").show()
    similarity_map(made_up, title="How alike its positions are").show()
    distance_profiles(made_up, sinusoids(len(made_up), made_up.shape[1], 10000), name="learned").show()
