"""The page "Positions": sinusoids, learned tables, rotary angles, ALiBi, T5's buckets, and a shuffled sentence.

What is drawn below the model is a fragment: another section or slider redraws it, and nothing else of the page.
"""

from __future__ import annotations

from collections.abc import Callable

import streamlit as st

from models.opening.registry import Model
from models.values.positions import ModelPositions
from ui.desk.ask import ask
from ui.positions.added import learned_section, sinusoidal_section
from ui.positions.relative import alibi_section, bucket_section, rotary_section
from ui.positions.why import why_section
from ui.state.choices import Selection
from ui.state.plain import plain
from ui.state.selection import selection
from ui.widgets.frame import part_of_page, readable_errors
from viz.kit.language import said, to_say, tr

FROM_WHERE = to_say(
    "Word order is added to the tokens, turned into the [queries](#word-query) and [keys](#word-key), or added to the "
    "[scores](#word-scores)."
)
SCHEME_LABELS = {
    "sinusoidal": to_say("Sinusoidal"),
    "learned": to_say("Learned"),
    "rotary": to_say("Rotary"),
    "alibi": to_say("ALiBi"),
    "buckets": to_say("T5 buckets"),
    "why": to_say("Why positions"),
}
SECTIONS: dict[str, Callable[[ModelPositions | None], None]] = {
    "sinusoidal": sinusoidal_section,
    "learned": learned_section,
    "rotary": rotary_section,
    "alibi": alibi_section,
    "buckets": bucket_section,
    "why": why_section,
}


@st.fragment
def position_explorer() -> None:
    """Everything below the model. Reads and writes the shared selection."""
    with part_of_page():
        found = _of_the_model(selection())
        st.segmented_control(
            tr("Section"),
            list(SCHEME_LABELS),
            key="scheme",
            format_func=lambda scheme: said(SCHEME_LABELS[scheme]),
            required=True,
            wrap=True,
            label_visibility="collapsed",
        )
        SECTIONS[selection().scheme](found)
        st.caption(said(FROM_WHERE))


def _of_the_model(chosen: Selection) -> ModelPositions | None:
    """Describe the chosen model in a sentence; the formulas are shown even if it cannot be opened."""
    found: ModelPositions | None = None
    with readable_errors():
        found = ask(chosen.model, chosen.device, Model.positions)
        st.markdown(_in_words(found))
    return found


def _in_words(found: ModelPositions) -> str:
    """Return one sentence of Markdown about the scheme of a model."""
    name = plain(found.info.name)
    if found.table is not None:
        positions, dimensions = (f"{n:,}" for n in found.table.shape)
        if found.scheme == "learned":
            return tr(
                "**{model} learns its positions:** a table of {positions} vectors of {dimensions} dimensions, one for "
                "each position.",
                model=name,
                positions=positions,
                dimensions=dimensions,
            )
        return tr(
            "**{model} adds sinusoids:** a table of {positions} vectors of {dimensions} dimensions, one for each "
            "position.",
            model=name,
            positions=positions,
            dimensions=dimensions,
        )
    if found.frequencies is not None:
        return tr(
            "**{model} turns its queries and keys** (rotary positions): {n} pairs of dimensions in every head.",
            model=name,
            n=len(found.frequencies),
        )
    if found.slopes is not None:
        return tr(
            "**{model} lowers the scores of far keys** (ALiBi): one slope for each of {n} heads.",
            model=name,
            n=len(found.slopes),
        )
    if found.bias_by_distance is not None:
        return tr(
            "**{model} adds a learned bias to its scores** (T5's relative buckets), by distance, in {n} heads.",
            model=name,
            n=len(found.bias_by_distance),
        )
    return plain(found.why)
