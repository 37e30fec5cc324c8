"""A message for a model that cannot answer the page's question, with buttons for models that can."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import streamlit as st

from models.values.errors import MissingCapabilityError
from models.values.record import ModelInfo
from ui.state.first_visit import first_visit
from ui.state.plain import plain
from ui.state.selection import choose, draw_whole_page
from viz.kit.language import tr


def say_why_not(ask: Callable[[], object], *, offered: Sequence[str] = ()) -> None:
    """Show the error that `ask` raises, and offer models that answer: by default the one that the app opens with, which
    has an MLM and an NSP head."""
    try:
        ask()
    except MissingCapabilityError as error:
        st.info(plain(str(error)), icon=":material/info:")
    with st.container(horizontal=True):
        for model in offered or (first_visit().model,):
            offer(model)


def gives_labels(info: ModelInfo) -> bool:
    """Return whether a model labels texts, words, or replaced words."""
    return info.can_find_replaced or info.can_label_tokens or info.can_label_text


def offer(model: str) -> None:
    """Draw a button that chooses another model."""
    st.button(tr("Use {model}", model=model), on_click=_use, args=(model,), type="primary")


def _use(model: str) -> None:
    choose(model=model)
    draw_whole_page()
