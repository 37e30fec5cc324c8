"""The part "Every head": the effect of removing each head and each layer, its estimate by the gradient, and the pruning
curve."""

from __future__ import annotations

import streamlit as st

from models.analysis import agreement
from models.values.results.effects import Ablation, HeadImportance
from ui.heads.switchboard.asks import Way, estimate_heads, every_head_away, every_layer_away, prune_heads
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
    """Draw the finding, the map beside the estimate, the layers, and the pruning curve."""
    finding, way = st.empty(), pick_way()
    pictures = st.container()
    if way is None:
        return
    chosen = selection()
    question = chosen.model, chosen.device, asked.text, asked.text_b
    heads = every_head_away(*question, contrast=asked.contrast, way=way)
    estimate = estimate_heads(*question, contrast=asked.contrast)
    if heads is not None:
        finding.markdown(f"**{plain(finding_of_heads(heads))}**")
        with pictures:
            _maps(asked, heads, estimate)
    _layers_and_pruning(asked, way)


def _maps(asked: AskedAnswer, heads: Ablation, estimate: HeadImportance | None) -> None:
    """Draw the measured effect of each head, and its estimate."""
    begin_with_kind(asked, strongest_head(heads)[0])
    pick_kind(asked.recording.kinds)
    kind = selection().kind
    left, right, widths = two_columns()
    with left:
        picture(ablation_map(heads, kind=kind, theme=theme(), width=widths[0]), "every-head")
        say_about("ablation")
        numbers(lambda: effects_table(heads, estimate), "every-head", label=tr("Download all effects (CSV)"))
    with right:
        if estimate is not None:
            picture(importance_map(estimate, kind=kind, theme=theme(), width=widths[1]), "gradient-estimate")
            say_about("importance")
            st.markdown(plain(finding_of_agreement(agreement(estimate, heads))))


def _layers_and_pruning(asked: AskedAnswer, way: Way) -> None:
    """Draw the effects of layers, and the accuracy as heads are removed in order of importance."""
    left, right, widths = two_columns()
    chosen = selection()
    with left:
        layers = every_layer_away(
            chosen.model, chosen.device, asked.text, asked.text_b, contrast=asked.contrast, way=way
        )
        if layers is not None:
            st.markdown(plain(finding_of_layers(layers)))
            picture(layer_bars(layers, theme=theme(), width=widths[0]), "every-layer")
            numbers(lambda: layers_table(layers), "every-layer", label=tr("Download the layers (CSV)"))
    with right:
        named_curve = prune_heads(chosen.model, chosen.device, of=asked.whole.of, texts=corpus()[0])
        if named_curve is not None:
            task, curve = named_curve
            st.markdown(plain(finding_of_pruning(curve)))
            title = tr("Right answers as heads go: {task}", task=task)
            picture(pruning_lines(curve, title=title, theme=theme(), width=widths[1]), "pruning")
            say_about("pruning")
            numbers(lambda: pruning_table(curve), "pruning", label=tr("Download the curve (CSV)"))
