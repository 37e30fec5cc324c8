"""The part "Every head": the effect of removing each head and each layer, its estimate by the gradient, and the pruning
curve."""

from __future__ import annotations

import streamlit as st

from models.analysis import agreement
from models.values.results.effects import Ablation
from ui.heads.switchboard.asks import estimate_heads, every_head_away, every_layer_away, prune_heads
from ui.heads.switchboard.question import begin_with_kind
from ui.heads.switchboard.ways import corpus, pick_way
from ui.state.plain import plain
from ui.state.selection import selection
from ui.widgets.about import say_about
from ui.widgets.asking.pickers import pick_kind
from ui.widgets.asking.which_answer import AskedAnswer
from ui.widgets.frame import theme
from ui.widgets.pictures import numbers, picture, two_columns
from viz.heads.effects import ablation_map, importance_map
from viz.heads.findings import (
    finding_of_agreement,
    finding_of_heads,
    finding_of_layers,
    finding_of_pruning,
    strongest_head,
)
from viz.heads.layers import layer_bars, pruning_lines
from viz.heads.tables import effects_table, layers_table, pruning_table
from viz.kit.language import tr


def every_head_part(asked: AskedAnswer) -> None:
    """Draw the finding, the map of the heads beside the layers, and on request the estimate and the pruning curve."""
    finding, way = st.empty(), pick_way()
    pictures = st.container()
    if way is None:
        return
    chosen = selection()
    question = chosen.model, chosen.device, asked.text, asked.text_b
    heads = every_head_away(*question, contrast=asked.contrast, way=way)
    layers = every_layer_away(*question, contrast=asked.contrast, way=way)
    if heads is not None:
        finding.markdown(f"**{plain(finding_of_heads(heads))}**")
        with pictures:
            _maps(asked, heads, layers)
        st.toggle(tr("The quick estimate, and how many heads can go"), key="by_gradient")
        if selection().by_gradient:
            _estimate_and_pruning(asked, heads)


def _maps(asked: AskedAnswer, heads: Ablation, layers: Ablation | None) -> None:
    """Draw the measured effect of each head, and of each layer."""
    begin_with_kind(asked, strongest_head(heads)[0])
    pick_kind(asked.recording.kinds)
    left, right, widths = two_columns()
    with left:
        picture(ablation_map(heads, kind=selection().kind, theme=theme(), width=widths[0]), "every-head")
        say_about("ablation")
        numbers(lambda: effects_table(heads, None), "every-head", label=tr("Download all effects (CSV)"))
    with right:
        if layers is not None:
            picture(layer_bars(layers, theme=theme(), width=widths[1]), "every-layer")
            st.markdown(plain(finding_of_layers(layers)))
            numbers(lambda: layers_table(layers), "every-layer", label=tr("Download the layers (CSV)"))


def _estimate_and_pruning(asked: AskedAnswer, heads: Ablation) -> None:
    """Draw the gradient's estimate of every effect, and the accuracy as heads are removed in order of importance."""
    left, right, widths = two_columns()
    chosen = selection()
    with left:
        estimate = estimate_heads(chosen.model, chosen.device, asked.text, asked.text_b, contrast=asked.contrast)
        if estimate is not None:
            picture(importance_map(estimate, kind=chosen.kind, theme=theme(), width=widths[0]), "gradient-estimate")
            say_about("importance")
            st.markdown(plain(finding_of_agreement(agreement(estimate, heads))))
            numbers(lambda: effects_table(heads, estimate), "estimated-heads", label=tr("Download all effects (CSV)"))
    with right:
        named_curve = prune_heads(chosen.model, chosen.device, of=asked.whole.of, texts=corpus()[0])
        if named_curve is not None:
            task, curve = named_curve
            st.markdown(plain(finding_of_pruning(curve)))
            title = tr("Right answers as heads go: {task}", task=task)
            picture(pruning_lines(curve, title=title, theme=theme(), width=widths[1]), "pruning")
            say_about("pruning")
            numbers(lambda: pruning_table(curve), "pruning", label=tr("Download the curve (CSV)"))
