"""What a model without masked words can answer instead: replaced tokens, labels of tokens, labels of texts."""

from __future__ import annotations

import streamlit as st

from models.record import ModelInfo
from ui.cache import find_replaced, label_text, label_tokens
from ui.frame import theme
from ui.pictures import numbers, picture
from ui.plain import plain
from ui.selection import Selection
from ui.viewport import column_widths
from viz.judgements import (
    replaced_table,
    replaced_tokens,
    text_label_table,
    text_labels,
    token_label_table,
    token_labels,
)


def other_heads(info: ModelInfo) -> bool:
    """Whether the model has one of these heads."""
    return info.can_find_replaced or info.can_label_tokens or info.can_label_text


def answers_of_other_heads(info: ModelInfo, chosen: Selection) -> None:
    """The picture of every such head of the model, on the reader's sentence."""
    st.info(f"{plain(info.name)} does not guess masked words. It has another head, and this is what that says.")
    asked = chosen.model, chosen.device, chosen.text, chosen.text_b
    width = column_widths(1)[0]
    if info.can_find_replaced:
        found = find_replaced(*asked)
        picture(replaced_tokens(found, theme=theme(), width=width), "replaced-tokens")
        numbers(lambda: replaced_table(found), "replaced-tokens")
    if info.can_label_tokens:
        labelled = label_tokens(*asked)
        picture(token_labels(labelled, theme=theme(), width=width), "token-labels")
        numbers(lambda: token_label_table(labelled), "token-labels")
    if info.can_label_text:
        labels = label_text(*asked)
        picture(text_labels(labels, theme=theme(), width=width), "text-labels")
        numbers(lambda: text_label_table(labels), "text-labels")
