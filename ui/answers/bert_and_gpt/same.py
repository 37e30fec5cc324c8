"""The part "The same sentence" of the page "BERT and GPT": one head of each model, which tokens see which, and why."""

from __future__ import annotations

import streamlit as st

from models.opening.registry import Model
from models.values.record import Recording
from ui.answers.bert_and_gpt.models import TwoModels
from ui.answers.bert_and_gpt.sight import position_in_other, position_to_guess, say_notes_of, sights
from ui.desk.ask import ask
from ui.state.plain import plain
from ui.state.selection import fit_heads, is_turned, selection, show_head
from ui.widgets.browser.viewport import column_widths
from ui.widgets.frame import theme
from ui.widgets.pictures import picture
from ui.widgets.words import help_of
from viz.attention.heatmap import attention_heatmap
from viz.kit.language import said, to_say, tr
from viz.kit.parsing import MEAN
from viz.two_models.maps import two_maps
from viz.two_models.shared_rows import ModelHead, short_name

WHY = to_say(
    "**Why one fills gaps.** BERT learns from sentences with words hidden behind [MASK], and has to guess them from "
    "the words on both sides. So every token can look at every other. But it never learns what comes *next*: at the "
    "end of a text there is nothing on the right.\n\n"
    "**Why the other continues.** GPT learns to predict the next token, at all positions of a text at once. That only "
    "works if no token can look ahead and read the answer: hence the grey triangle in its map. Its guess is "
    "added to the end, and it guesses again."
)


def same_sentence(models: TwoModels) -> None:
    """Draw the visible tokens, the explanation, and the head maps of both models."""
    chosen = selection()
    recordings = [
        None if model is None else ask(model.info.name, chosen.device, Model.record, chosen.text)
        for model in (models.both, models.left)
    ]
    say_notes_of(recordings)
    if all(recording is None for recording in recordings):
        return
    tokens = [() if recording is None else recording.tokens for recording in recordings]
    position = position_to_guess(tokens[0] or tokens[1])
    sights(models, tokens, position)
    st.markdown(said(WHY))
    _layer_and_head([recording for recording in recordings if recording is not None])
    heads = [None if recording is None else _chosen_head(recording) for recording in recordings]
    _maps(heads, (position, position_in_other(tokens, position)))


def _maps(heads: list[ModelHead | None], token: tuple[int, int | None]) -> None:
    both, left = heads
    width = column_widths(1)[0]
    if both is not None and left is not None:
        picture(two_maps(both, left, token=token, theme=theme(), width=width), "two-maps")
        return
    for only in (both, left):
        if only is not None:
            figure = attention_heatmap(only.record, layer=only.layer, head=only.head, theme=theme(), width=width)
            picture(figure, "one-map")


def _chosen_head(recording: Recording) -> ModelHead:
    """Return the chosen head of a model, or the last one if it has fewer."""
    chosen, shown = selection(), recording.of(recording.kinds[0])
    head = None if chosen.head_index is None else min(chosen.head_index, shown.n_heads - 1)
    return ModelHead(name=recording.info.name, record=shown, layer=min(chosen.layer, shown.n_layers - 1), head=head)


def _layer_and_head(recordings: list[Recording]) -> None:
    """Draw sliders up to the larger of the models, and a sentence if the smaller one has fewer layers or heads."""
    if not recordings:
        return
    infos = [recording.info for recording in recordings]
    n_layers, n_heads = max(info.n_layers for info in infos), max(info.n_heads for info in infos)
    if not is_turned():  # equal numbers of heads in two models are unrelated
        show_head(selection().layer, MEAN)
    fit_heads(n_layers, n_heads)
    first, second = st.columns(2)
    if n_layers > 1:
        first.select_slider(tr("Layer"), range(n_layers), key="layer", help=help_of("layer"))
    second.select_slider(
        tr("Head"),
        [MEAN, *range(n_heads)],
        key="head",
        help=help_of("head"),
        format_func=lambda head: tr("mean") if head == MEAN else str(head),
    )
    for shown in map(_chosen_head, recordings):
        fewer_layers = shown.layer < selection().layer
        chosen = selection().head_index
        fewer_heads = shown.head is not None and chosen is not None and shown.head < chosen
        values = {"model": plain(short_name(shown.name)), "layer": shown.layer, "head": shown.head}
        if fewer_layers and fewer_heads:
            st.caption(tr("{model} has only layer {layer} and head {head}, so that is what it shows.", **values))
        elif fewer_layers:
            st.caption(tr("{model} has only layer {layer}, so that is what it shows.", **values))
        elif fewer_heads:
            st.caption(tr("{model} has only head {head}, so that is what it shows.", **values))
