"""Figures of ablations of whole layers, of pruning, and of the direct paths into a head from the heads below it."""

from __future__ import annotations

from typing import Any

import numpy as np
import plotly.graph_objects as go

from models.values.arguments.check import check_arguments
from models.values.errors import SelectionError
from models.values.probing.changes import HeadPlace
from models.values.record import Array
from models.values.results.effects import INTO, Ablation, HeadMap, HeadPaths, PruningCurve
from viz.heads.effects import contrast_title, head_map
from viz.kit import theme as style
from viz.kit.figures.bars import Bar, Scale, lying_bars
from viz.kit.figures.still import Figure
from viz.kit.language import said, to_say, tr
from viz.kit.layout import UNMARKED, axis_title, note
from viz.kit.theme import Sizes, Theme
from viz.kit.tokens import escape

TALL = 240
KIND_NAMES = {"encoder": to_say("Encoder"), "decoder": to_say("Decoder"), "cross": to_say("Cross")}
READ_AS = {"query": to_say("its queries"), "key": to_say("its keys"), "value": to_say("its values")}
PATHS_BY = {
    "held": to_say(
        "How the logit difference changes if {read_as} are made without what a head below adds to its input, with "
        "norms held at their statistics. Goldowsky-Dill et al. 2023, section 3."
    ),
    "exact": to_say(
        "How the logit difference changes if {read_as} are made without what a head below adds to its input, with "
        "norms computed anew. Goldowsky-Dill et al. 2023, section 3."
    ),
}
LAYERS_AWAY = {
    "zero": to_say("All heads of a layer at once: each gives nothing. Below 0 they had helped the answer."),
    "uniform": to_say(
        "All heads of a layer at once: each looks at all that it may see alike. Below 0 they had helped the answer."
    ),
    "mean": to_say(
        "All heads of a layer at once: each gives its mean over a corpus. Below 0 they had helped the answer."
    ),
    "resample": to_say(
        "All heads of a layer at once: each gives what it gives in another text. Below 0 they had helped the answer."
    ),
}


@check_arguments
def layer_bars(layers: Ablation, *, theme: Theme = "light", width: int = style.WIDEST) -> go.Figure:
    """Draw how the logit difference changes without all heads of a layer; `layers` is an ablation with one group a
    layer."""
    palette, several = style.PALETTES[theme], len(layers.shapes) > 1
    end = float(np.abs(layers.effects).max(initial=0)) or 1.0
    bars = [
        Bar(
            place=place,
            label=_label(group[0], with_kind=several),
            value=float(effect),
            text=style.number(float(effect), digits=2, plus=True),
            hover=(
                tr("without all {n} heads of Layer {layer}", n=len(group), layer=group[0][1]),
                style.number(float(effect), plus=True),
            ),
            colour=palette.bar if effect >= 0 else palette.accent,
        )
        for place, (group, effect) in enumerate(zip(layers.groups, layers.effects, strict=True))
    ]
    return lying_bars(
        bars,
        scale=Scale(low=-1.1 * end, high=1.1 * end, title="", number="+.1f"),
        title=tr("{answers}, without each layer", answers=contrast_title(layers.contrast)),
        note=said(LAYERS_AWAY[layers.by]),
        theme=theme,
        width=width,
    )


def _label(place: HeadPlace, *, with_kind: bool) -> str:
    kind, layer, _ = place
    if with_kind:
        return tr("{kind} {layer}", kind=said(KIND_NAMES[kind]), layer=layer)
    return tr("Layer {layer}", layer=layer)


@check_arguments
def pruning_lines(curve: PruningCurve, *, title: str, theme: Theme = "light", width: int = style.WIDEST) -> go.Figure:
    """Draw the accuracy as heads are removed, the least important first; `title` is plain text."""
    size, palette = style.sizes(width), style.PALETTES[theme]
    texts = np.array([style.number(float(difference), plus=True) for difference in curve.differences])
    hover = (
        tr("{n} of {all} heads removed", n="%{x}", all=len(curve.order)),
        tr("right {share}", share="%{y:.4f}"),
        tr("mean logit difference {difference}", difference="%{customdata}"),
    )
    line = go.Scatter(
        x=np.array(curve.n_removed),
        y=curve.accuracy,
        customdata=texts,
        mode="lines+markers",
        line={"color": palette.bar, "width": 2.5},
        marker={"size": 8},
        hovertemplate="<br>".join(hover) + "<extra></extra>",
    )
    return Figure(line, _pruning_layout(curve, title, theme=theme, size=size))


def _pruning_layout(curve: PruningCurve, title: str, *, theme: Theme, size: Sizes) -> dict[str, Any]:
    palette = style.PALETTES[theme]
    text = tr(
        "{n} sentences; right is an answer that is preferred to its rival. Heads go in the order of |Σ weights · "
        "gradient|, least first, each layer divided by its length. Michel et al. 2019, section 4.",
        n=curve.n_examples,
    )
    lines = style.wrap_text(text, size, pixels=size.page - 2 * size.gap)
    left, top, below = 4.5 * size.label, 2.8 * size.title, 3.4 * size.label + size.gap
    bottom = below + 1.5 * size.caption * len(lines)
    axis = UNMARKED | {"tickfont": {"size": size.label, "color": palette.quiet}, "fixedrange": True}
    dotted = {"showgrid": True, "gridcolor": palette.masked, "griddash": "dot"}
    return style.base_layout(theme, size, title=escape(title)) | {
        "width": size.page,
        "height": top + TALL + bottom,
        "margin": {"l": left, "r": 2 * size.gap, "t": top, "b": bottom, "pad": 0},
        "annotations": [note(lines, theme, size, below=below, left=left)],
        "dragmode": False,
        "xaxis": axis
        | {"title": axis_title(tr("heads removed"), palette, size), "range": [-0.5, len(curve.order) + 0.5]},
        "yaxis": axis | dotted | {"range": [0, 1.05], "tickformat": ".0%"},
    }


@check_arguments
def path_map(paths: HeadPaths, *, into: str, theme: Theme = "light", width: int = style.WIDEST) -> go.Figure:
    """Draw the effect of removing each lower head's contribution from the queries, keys or values of a head.

    Raises SelectionError for anything else than these three.
    """
    if into not in INTO:
        raise SelectionError(f"{into!r} was asked for, expected one of {', '.join(INTO)}.")
    kind, layer, head = paths.receiver
    values = sender_map(paths, into)
    return head_map(
        HeadMap(kind=kind, values=values),
        title=tr(
            "Direct paths into Layer {layer} · Head {head}, by {read_as}",
            layer=layer,
            head=head,
            read_as=said(READ_AS[into]),
        ),
        number=tr("change"),
        theme=theme,
        width=width,
        note=tr(PATHS_BY[paths.norms], read_as=said(READ_AS[into])),
    )


def sender_map(paths: HeadPaths, into: str) -> Array:
    """Return the effects through query, key or value [n_layers below, n_heads], NaN for heads that were not
    measured."""
    n_layers = 1 + max(layer for _, layer, _ in paths.senders)
    n_heads = 1 + max(head for _, _, head in paths.senders)
    values = np.full((n_layers, n_heads), np.nan, np.float32)
    for (_, layer, head), effects in zip(paths.senders, paths.effects, strict=True):
        values[layer, head] = effects[INTO.index(into)]
    return values


if __name__ == "__main__":
    from viz.heads.demos.effects import demo_layers, demo_paths, demo_pruning

    layer_bars(demo_layers()).show()
    pruning_lines(demo_pruning(), title="A small task").show()
    path_map(demo_paths(), into="value").show()
