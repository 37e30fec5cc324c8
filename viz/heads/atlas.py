"""The heads of a model over many texts: a scatter plot of two measures, and a plane with similar heads close
together."""

from __future__ import annotations

from collections import Counter
from typing import Any

import numpy as np
import plotly.graph_objects as go

from models.values.arguments.check import check_arguments
from models.values.record import Array
from models.values.results.atlas import AtlasMeasure, HeadAtlas
from viz.heads.words import role_name
from viz.kit import theme as style
from viz.kit.figures.still import Figure
from viz.kit.language import said, shown, to_say, tr
from viz.kit.layout import axis_title, note
from viz.kit.theme import Palette, Sizes, Theme
from viz.kit.tokens import escape

Place = tuple[int, int]
TALL = 420
COLOURS = 4
"""The number of kinds of heads that get a colour of their own."""
OTHER, NO_NAME = to_say("something else"), to_say("no name")


@check_arguments
def measure_scatter(
    atlas: HeadAtlas,
    *,
    x: str,
    y: str,
    selected: Place | None = None,
    theme: Theme = "light",
    width: int = style.WIDEST,
) -> go.Figure:
    """Draw every head at its values of two measures of the atlas, coloured by its role, with a ring around the
    `selected` one. Raises SelectionError for an unknown measure."""
    across, along = atlas.of(x), atlas.of(y)
    title = tr("{model}: all heads", model=escape(atlas.model))
    text = tr(
        "{texts} texts, {pieces} word pieces. A head has a colour if it was given a name: a share past the threshold, "
        "and past the baseline of attention spread evenly.",
        texts=f"{atlas.n_texts:,}",
        pieces=f"{atlas.n_pieces:,}",
    )
    axes = _measured_in(across), _measured_in(along)
    values = across.values.ravel(), along.values.ravel()
    return _scatter(atlas, *values, axes, title=title, text=text, selected=selected, theme=theme, width=width)


@check_arguments
def likeness_plane(
    atlas: HeadAtlas, *, selected: Place | None = None, theme: Theme = "light", width: int = style.WIDEST
) -> go.Figure:
    """Draw every head in the plane whose distances best match the Jensen-Shannon distances between the heads."""
    text = tr(
        "Near heads look at the same tokens. Distances of Jensen and Shannon between their rows, mean over {texts} "
        "texts, in the plane of multidimensional scaling: the axes have no meaning of their own. Clark et al. 2019, "
        "section 6 and figure 6.",
        texts=f"{atlas.n_texts:,}",
    )
    places = atlas.places
    title = tr("{model}: heads that look alike", model=escape(atlas.model))
    return _scatter(
        atlas, places[:, 0], places[:, 1], ("", ""), title=title, text=text, selected=selected, theme=theme, width=width
    )


def _measured_in(given: AtlasMeasure) -> str:
    return tr("{measure} ({unit})", measure=said(given.measure.title), unit=said(given.unit))


def _scatter(
    atlas: HeadAtlas,
    x: Array,
    y: Array,
    axes: tuple[str, str],
    *,
    title: str,
    text: str,
    selected: Place | None,
    theme: Theme,
    width: int,
) -> go.Figure:
    size, palette = style.sizes(width), style.PALETTES[theme]
    kinds = _kinds(atlas)
    groups = _groups(kinds, palette)
    figure = Figure(layout=_layout(axes, title, text, n_groups=len(groups), theme=theme, size=size))
    named = tr("Layer {layer} · Head {head}", layer="%{customdata[0]}", head="%{customdata[1]}")
    for group, colour in groups.items():
        chosen = np.array([index for index, kind in enumerate(kinds) if (kind if kind in groups else OTHER) == group])
        figure.add_scatter(
            x=x[chosen],
            y=y[chosen],
            mode="markers",
            name=escape(shown(group)),
            showlegend=True,
            marker={"size": 12, "color": colour, "line": {"width": 1, "color": palette.ground}},
            customdata=[_place(atlas, int(index)) for index in chosen],
            text=[escape(kinds[index]) for index in chosen],
            hovertemplate=f"<b>{named}</b><br>%{{text}}<br>%{{x:.4f}}, %{{y:.4f}}<extra></extra>",
        )
    if selected is not None:
        place = selected[0] * atlas.n_heads + selected[1]
        figure.add_trace(_ring(x[place : place + 1], y[place : place + 1], palette))
    return figure


def _ring(x: Array, y: Array, palette: Palette) -> go.Scatter:
    """Return the ring around the chosen head."""
    return go.Scatter(
        x=x,
        y=y,
        mode="markers",
        hoverinfo="skip",
        showlegend=False,
        marker={"size": 22, "symbol": "circle-open", "color": palette.ink, "line": {"width": 3}},
    )


def _groups(kinds: list[str], palette: Palette) -> dict[str, str]:
    """Return the colours of the most frequent kinds, of all others together, and of heads without a name, if there are
    any."""
    named = Counter(kind for kind in kinds if kind != NO_NAME)
    most = [kind for kind, _ in sorted(named.items(), key=lambda each: (-each[1], each[0]))[:COLOURS]]
    groups = dict(zip(most, palette.lines, strict=False))
    if len(named) > COLOURS:
        groups[OTHER] = palette.quiet
    return groups | ({NO_NAME: palette.still} if NO_NAME in kinds else {})


def _place(atlas: HeadAtlas, at: int) -> Place:
    return at // atlas.n_heads, at % atlas.n_heads


def _kinds(atlas: HeadAtlas) -> list[str]:
    """Return the first role of every head, layer by layer."""
    names: dict[Place, str] = {}
    for role in atlas.roles:
        names.setdefault((role.layer, role.head), role_name(role))
    return [names.get(_place(atlas, index), NO_NAME) for index in range(atlas.n_layers * atlas.n_heads)]


def _layout(
    axes: tuple[str, str], title: str, text: str, *, n_groups: int, theme: Theme, size: Sizes
) -> dict[str, Any]:
    palette = style.PALETTES[theme]
    left, top = 4.4 * size.label + 1.8 * size.axis, 2.6 * size.title + 1.7 * size.label * n_groups + size.gap
    lines = style.wrap_text(text, size, pixels=size.page - 2 * size.gap)
    below = 1.8 * size.label + 2 * size.axis
    bottom = below + 1.45 * size.caption * len(lines) + 2 * size.gap
    grid = {"gridcolor": palette.masked, "griddash": "dot", "zerolinecolor": palette.border}
    return style.base_layout(theme, size, title=title) | {
        "width": size.page,
        "height": top + TALL + bottom,
        "showlegend": True,
        "margin": {"l": left, "r": 2 * size.gap, "t": top, "b": bottom, "pad": 0},
        "annotations": [note(lines, theme, size, below=below, left=left)],
        "legend": {
            "orientation": "h",
            "x": 0,
            "y": 1,
            "yanchor": "bottom",
            "font": {"size": size.label},
            "entrywidth": 0.98,  # a line for each name: the longest are as wide as the picture
            "entrywidthmode": "fraction",
        },
        "xaxis": grid | {"title": axis_title(escape(axes[0]), palette, size), "tickfont": {"size": size.label}},
        "yaxis": grid | {"title": axis_title(escape(axes[1]), palette, size), "tickfont": {"size": size.label}},
    }


if __name__ == "__main__":
    from viz.heads.demos.atlas import demo_atlas

    measure_scatter(demo_atlas(), x="previous", y="entropy").show()
    likeness_plane(demo_atlas()).show()
