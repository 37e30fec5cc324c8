"""A whole head as maps, and which heads share its keys and values."""

from __future__ import annotations

from typing import Any

import streamlit as st

from models.values.record import AttentionRecord, Recording
from ui.layers.queries.parts import at, say, where
from ui.state.choices import Selection
from ui.state.plain import plain
from ui.widgets.browser.viewport import column_widths
from ui.widgets.frame import theme
from ui.widgets.pictures import numbers, picture
from ui.widgets.words import link_words
from viz.vectors.groups import group_story, heads_of_group
from viz.vectors.head_maps import head_maps
from viz.vectors.head_story import head_story
from viz.vectors.query_key_value import head_table


def say_group(shown: AttentionRecord, chosen: Selection) -> None:
    """Say which heads share the same keys and values, for a model with grouped queries."""
    story = group_story(shown, **where(chosen))
    if story:
        st.caption(link_words(plain(story)))


def maps(_recording: Recording, shown: AttentionRecord, chosen: Selection) -> None:
    drawing: dict[str, Any] = where(chosen) | {"theme": theme(), "width": column_widths(1)[0]}
    say(head_story(shown, **at(chosen)))
    group = heads_of_group(shown, **at(chosen))
    if shown.kind == "cross":
        picture(head_maps(shown, parts=("query",), group=group, **drawing), "head-queries")
        picture(head_maps(shown, parts=("key", "value"), **drawing), "head-keys-values")
    else:
        picture(head_maps(shown, group=group, **drawing), "head-maps")
    numbers(lambda: head_table(shown, **at(chosen)), "head-vectors")
