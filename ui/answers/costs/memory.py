"""The part "Memory": the cache by length for public models, and the weights that a fused kernel never writes."""

from __future__ import annotations

import streamlit as st

from models.inspection.costs.public_shapes import PUBLIC_SHAPES, WITH_SINKS, other_sharing
from models.values.results.costs import GIGABYTE
from ui.state.choices import GPU_MEMORIES, NUMBER_BYTES
from ui.state.plain import plain
from ui.state.selection import selection
from ui.widgets.browser.viewport import column_widths
from ui.widgets.frame import theme
from ui.widgets.pictures import below_buttons, numbers, picture, two_columns
from viz.kit.language import said, to_say, tr
from viz.writing.memory import (
    byte_text,
    cache_lines,
    fitting_story,
    memory_table,
    sharing_bars,
    square_story,
    weight_lines,
)

SHOWN = (*PUBLIC_SHAPES, WITH_SINKS)
COMPARED = next(shape for shape in PUBLIC_SHAPES if shape.name == "Llama-3-8B")
"""The model whose keys are shared otherwise, and whose weights are counted."""
PRECISIONS = dict(zip(NUMBER_BYTES, (to_say("32 bits"), to_say("16 bits"), to_say("8 bits")), strict=True))


def memory_part() -> None:
    """Draw the cache of public models by length, and below, what sharing keys and fusing save."""
    first, second = st.columns(2)
    first.segmented_control(
        tr("A number takes"),
        list(PRECISIONS),
        key="number_bytes",
        format_func=lambda n_bytes: said(PRECISIONS[n_bytes]),
        required=True,
        wrap=True,
    )
    second.select_slider(
        tr("My GPU's memory"),
        GPU_MEMORIES,
        key="gpu_memory",
        format_func=lambda gigabytes: byte_text(gigabytes * GIGABYTE),
    )
    chosen = selection()
    n_bytes, limit = chosen.number_bytes, chosen.gpu_memory * GIGABYTE
    st.markdown(plain(fitting_story(SHOWN, bytes_a_number=n_bytes, limit=limit)))
    lines = cache_lines(SHOWN, bytes_a_number=n_bytes, limit=limit, theme=theme(), width=column_widths(1)[0])
    picture(lines, "cache-lines")
    numbers(lambda: memory_table(SHOWN, bytes_a_number=n_bytes), "cache-lines")
    left, right, widths = two_columns()
    shared = sharing_bars(other_sharing(COMPARED), bytes_a_number=n_bytes, theme=theme(), width=widths[0])
    weights = weight_lines(COMPARED, limit=limit, theme=theme(), width=widths[1])
    below_buttons(shared, weights)
    with left:
        picture(shared, "sharing")
    with right:
        picture(weights, "weights-memory")
        st.markdown(plain(square_story(COMPARED, limit=limit)))
