"""The part "The same sentence" of the page "BERT and GPT": one head of each model, which tokens see which, and why."""

from __future__ import annotations

from contextlib import suppress

import streamlit as st

from models.opening.registry import Model
from models.values.errors import HeadlightError
from models.values.record import Recording, Token
from models.values.writing import TokenGuesses
from ui.answers.bert_and_gpt.guessing import guess_at
from ui.answers.bert_and_gpt.models import TwoModels
from ui.answers.bert_and_gpt.sight import position_in_other, position_to_guess, say_notes_of, sights
from ui.desk.ask import ask
from ui.state.plain import plain
from ui.state.selection import fit_heads, is_turned, selection, show_head
from ui.widgets.browser.viewport import column_widths
from ui.widgets.frame import theme
from ui.widgets.pictures import picture, two_columns
from ui.widgets.words import help_of
from viz.attention.heatmap import attention_heatmap
from viz.kit.language import said, to_say, tr
from viz.kit.parsing import MEAN
from viz.two_models.guesses import most_different_token, tell_apart
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
GUESSED_AT_ONCE = 48
"""The most tokens of a text whose words are guessed before anybody asks."""


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
    both, left = _guess_short_text(models, tokens)
    position = position_to_guess(tokens[0] or tokens[1], most_different_token(both, left) if both and left else None)
    other = position_in_other(tokens, position)
    if both and left and (news := tell_apart(both, left, position, other)):
        st.subheader(plain(news), anchor=False)
    guesses = guess_at(both, position), guess_at(left, position if models.both is None else other)
    drawn, beside, widths = two_columns(3, 2)
    with drawn:
        sights(models, tokens, position, guesses, width=widths[0])
    beside.markdown(said(WHY))
    _layer_and_head([recording for recording in recordings if recording is not None])
    heads = [None if recording is None else _chosen_head(recording) for recording in recordings]
    _maps(heads, (position, other))


def _guess_short_text(
    models: TwoModels, tokens: list[tuple[Token, ...]]
) -> tuple[TokenGuesses | None, TokenGuesses | None]:
    """Return the guesses of both models, which take a pass for each token; none for a text of more than GUESSED_AT_ONCE
    tokens, and of a model that guesses nothing."""
    if max(map(len, tokens)) > GUESSED_AT_ONCE:
        return None, None
    both, left = (_guess_if_it_can(model) for model in (models.both, models.left))
    return both, left


def _guess_if_it_can(model: Model | None) -> TokenGuesses | None:
    with suppress(HeadlightError):
        return None if model is None else ask(model.info.name, selection().device, Model.guess_tokens, selection().text)
    return None


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
