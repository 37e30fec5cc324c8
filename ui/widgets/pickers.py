"""Layer and head, as sliders that arrow keys turn, and what else several pages choose alike."""

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
    """A protocol for objects with layers and heads."""

    @property
    def n_layers(self) -> int:
        """The number of layers to choose from."""

    @property
    def n_heads(self) -> int:
        """The number of heads of each layer."""


def layer_and_head(
    shown: Heads, places: tuple[DeltaGenerator, DeltaGenerator] | None = None, *, with_mean: bool = True
) -> None:
    """Pick a layer, and a head of it or, `with_mean`, their mean; in two new columns if no places are given."""
    first, second = places or beside("layer-and-head", 2)
    with first:
        _turn(tr("Layer"), "layer", list(range(shown.n_layers)))
    with second:
        _turn(tr("Head"), "head", [MEAN, *range(shown.n_heads)] if with_mean else list(range(shown.n_heads)))


def beside(name: str, n: int) -> list[DeltaGenerator]:
    """Return containers side by side that stay so on a phone; `name` is unique to them."""
    with st.container(key=f"beside-{name}"):
        return st.columns(n, vertical_alignment="bottom")


def pick_kind(kinds: Sequence[Kind], place: DeltaGenerator | None = None) -> None:
    """Pick the attention to show, of a model with several; the only one needs no widget."""
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
    """Return a position of a slider as it is shown."""
    return tr("mean") if option == MEAN else str(option)


def _turn(label: str, key: str, options: list[int | str]) -> None:
    """A slider; a single option needs none."""
    if len(options) > 1:
        st.select_slider(label, options, key=key, format_func=turned_to, help=help_of(key))
