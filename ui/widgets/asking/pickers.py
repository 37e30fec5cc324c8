"""Pickers that several pages share: layer and head, kind of attention, seed."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from models.values.record import Kind
from ui.state.selection import choose, selection
from ui.widgets.words import help_of
from viz.kit.language import said, to_say, tr
from viz.kit.parsing import MEAN

MOST_SEEDS = 1000
KIND_LABELS: dict[Kind, str] = {
    "encoder": to_say("Encoder"),
    "decoder": to_say("Decoder"),
    "cross": to_say("Cross (decoder to encoder)"),
}


class Heads(Protocol):
    """Anything with layers and heads."""

    @property
    def n_layers(self) -> int:
        """The number of layers to choose from."""

    @property
    def n_heads(self) -> int:
        """The number of heads per layer."""


def layer_and_head(
    shown: Heads, places: tuple[DeltaGenerator, DeltaGenerator] | None = None, *, with_mean: bool = True
) -> None:
    """Draw the sliders for a layer and a head or, `with_mean`, the mean of its heads; in two new columns if no `places`
    are given."""
    first, second = places or beside("layer-and-head", 2)
    if shown.n_layers == 1:
        second = first  # no column stays empty before the heads
    with first:
        _turn(tr("Layer"), "layer", list(range(shown.n_layers)))
    with second:
        _turn(tr("Head"), "head", [MEAN, *range(shown.n_heads)] if with_mean else list(range(shown.n_heads)))


def beside(name: str, n: int) -> list[DeltaGenerator]:
    """Return containers that stay side by side on a phone; `name` is unique on the page."""
    with st.container(key=f"beside-{name}"):
        return st.columns(n, vertical_alignment="bottom")


def pick_kind(kinds: Sequence[Kind], place: DeltaGenerator | None = None) -> None:
    """Draw the choice of the kind of attention, if there are several."""
    if len(kinds) > 1:
        (place or st).selectbox(tr("Attention"), kinds, key="kind", format_func=lambda kind: said(KIND_LABELS[kind]))


def one_head(why: str) -> None:
    """Choose head 0 in place of the mean over the heads, and show why. Call before the sliders are drawn."""
    if selection().head == MEAN:
        choose(head=0)
        st.info(said(why), icon=":material/info:")


def next_seed() -> None:
    """Change the seed of everything random."""
    choose(seed=(selection().seed + 1) % MOST_SEEDS)


def turned_to(option: int | str) -> str:
    """Return the label of a position of the slider."""
    return tr("mean") if option == MEAN else str(option)


def _turn(label: str, key: str, options: list[int | str]) -> None:
    """Draw a slider, unless there is only one option."""
    if len(options) > 1:
        st.select_slider(label, options, key=key, format_func=turned_to, help=help_of(key))
