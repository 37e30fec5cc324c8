"""The page "Positions": sinusoids, learned tables, rotary angles, ALiBi, T5's buckets, and a shuffled sentence.

Everything below the model is a fragment: another section or slider redraws it, and nothing else of the page.
"""

from __future__ import annotations

from collections.abc import Callable

import streamlit as st

from models.opening.registry import Model
from models.values.positions import ModelPositions
from ui.desk.ask import ask
from ui.layers.positions.added import learned_section, sinusoidal_section
from ui.layers.positions.relative import alibi_section, bucket_section, rotary_section
from ui.layers.positions.why import why_section
from ui.state.choices import Selection
from ui.state.plain import plain
from ui.state.selection import draw_whole_page, selection
from ui.widgets.frame import part_of_page, readable_errors
from viz.kit.language import said, to_say, tr

FROM_WHERE = to_say(
    "Word order is added to the tokens, turned into the [queries](#word-query) and [keys](#word-key), or added to the "
    "[scores](#word-scores)."
)
SCHEME_LABELS = {
    "why": to_say("Why positions"),
    "sinusoidal": to_say("Sinusoidal"),
    "learned": to_say("Learned"),
    "rotary": to_say("Rotary"),
    "alibi": to_say("ALiBi"),
    "buckets": to_say("T5 buckets"),
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
    """Draw everything below the model."""
    with part_of_page():
        sections = st.container()
        model_positions = _open_model(selection())
        sections.segmented_control(
            tr("Section"),
            list(SCHEME_LABELS),
            key="scheme",
            on_change=draw_whole_page,  # one of them asks for a sentence
            format_func=lambda scheme: said(SCHEME_LABELS[scheme]),
            required=True,
            wrap=True,
            label_visibility="collapsed",
        )
        SECTIONS[selection().scheme](model_positions)
        if model_positions is not None:
            st.markdown(_in_words(model_positions))
        st.caption(said(FROM_WHERE))


def _open_model(chosen: Selection) -> ModelPositions | None:
    """Return the positions of the chosen model; None, with the reason on the page, if it cannot be opened."""
    opened = []
    with readable_errors():
        opened = [ask(chosen.model, chosen.device, Model.positions)]
    return opened[0] if opened else None


def _in_words(model_positions: ModelPositions) -> str:
    """Describe the scheme of a model in one sentence of Markdown."""
    name = plain(model_positions.info.name)
    if model_positions.table is not None:
        positions, dimensions = (f"{n:,}" for n in model_positions.table.shape)
        if model_positions.scheme == "learned":
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
    if model_positions.frequencies is not None:
        return tr(
            "**{model} turns its queries and keys** (rotary positions): {n} pairs of dimensions in every head.",
            model=name,
            n=len(model_positions.frequencies),
        )
    if model_positions.slopes is not None:
        return tr(
            "**{model} lowers the scores of far keys** (ALiBi): one slope for each of {n} heads.",
            model=name,
            n=len(model_positions.slopes),
        )
    if model_positions.bias_by_distance is not None:
        return tr(
            "**{model} adds a learned bias to its scores** (T5's relative buckets), by distance, in {n} heads.",
            model=name,
            n=len(model_positions.bias_by_distance),
        )
    return plain(model_positions.why)
