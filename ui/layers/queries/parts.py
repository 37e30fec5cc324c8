"""Labels, the order of keys and arguments of figures, for all views of the page "Queries, keys, values"."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from models.analysis.one_text.row import strongest_in_row
from models.values.record import AttentionRecord, Token, word_ranges
from ui.state.choices import Selection
from ui.state.plain import plain
from viz.kit.language import said, to_say, tr
from viz.kit.tokens import positioned_texts
from viz.vectors.query_key_value import Lookup

ORDER_LABELS = {"sentence": to_say("As in the sentence"), "weight": to_say("By weight")}


def at(chosen: Selection) -> dict[str, Any]:
    """Return the selected layer and head as arguments of figures."""
    return {"layer": chosen.layer, "head": chosen.head}


def where(chosen: Selection) -> dict[str, Any]:
    """Return the selected layer, head and query as arguments of figures."""
    return at(chosen) | {"position": chosen.query}


def answering_key(look: Lookup, shown: AttentionRecord, chosen: Selection) -> int:
    """Return the key at which a query looks most in the word that it looks at most: often a Korean noun's particle; of
    a row that looks at no other word, the strongest key."""
    head = chosen.head_index or 0
    found = strongest_in_row(shown, None, layer=chosen.layer, head=head, query=look.position)
    if found is None:
        return int(look.weights.argmax())
    word = next(word for word in word_ranges(shown.key_tokens) if found.key in word)
    return max(word, key=lambda piece: float(look.weights[piece]))


def say(sentences: Sequence[str]) -> None:
    """Show the first sentence about the numbers in bold, the others below it in small print; tokens are escaped."""
    first, *others = map(plain, sentences)
    st.markdown(f"**{first}**")
    if others:
        st.caption("\n".join(f"- {sentence}" for sentence in others))


def position_labels(tokens: Sequence[Token]) -> tuple[str, ...]:
    """Return token texts with their positions."""
    return positioned_texts(tokens, range(len(tokens)))


def pick_order(place: DeltaGenerator) -> None:
    """Draw the choice of the order of the keys."""
    place.segmented_control(
        tr("Keys"), list(ORDER_LABELS), key="order", format_func=lambda order: said(ORDER_LABELS[order]), required=True
    )
