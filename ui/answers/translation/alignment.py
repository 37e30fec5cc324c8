"""The alignment of source and translation by words: lines, map, table."""

from __future__ import annotations

import streamlit as st

from models.values.writing import Writing
from ui.answers.translation.heads import pick_heads
from ui.state.selection import choose, selection
from ui.widgets.browser.hover_lines import lines_follow_pointer
from ui.widgets.browser.viewport import column_widths
from ui.widgets.frame import theme
from ui.widgets.pictures import numbers, picture, two_columns
from viz.attention.matrix import Matrix
from viz.attention.transform import matrix_csv
from viz.kit.language import said, to_say, tr
from viz.writing.alignment import RULE, alignment, alignment_map, alignment_table, links, most_decided_head
from viz.writing.alignment_lines import alignment_lines
from viz.writing.written import head_name

SPECIAL_LABELS = {
    "shown": to_say("Shown"),
    "hidden": to_say("Hidden"),
    "hidden_renormalised": to_say("Hidden, rows sum to 1 again"),
}
_LINES = "alignment-lines"


def alignment_part(writing: Writing) -> None:
    """Draw the alignment of source and translation by words: lines, map, table."""
    cross = writing.recording.of("cross")
    layer, head = pick_heads(cross)
    matrix = _align_words(writing, layer, head)
    title, width = tr("Alignment · {head}", head=head_name(cross, layer, head)), column_widths(1)[0]
    with st.container(key="scroll-alignment"):
        picture(alignment_lines(matrix, title=title, theme=theme(), width=width), _LINES)
    lines_follow_pointer(_LINES, [(link.source, link.target) for link in links(matrix)])
    st.caption(tr("Point at a word to see only its lines.") if matrix.values.size else "")
    left, right, widths = two_columns(5, 4)
    with left:
        picture(alignment_map(matrix, title=title, theme=theme(), width=widths[0]), "alignment-map")
        numbers(lambda: matrix_csv(matrix), "alignment-map", label=tr("Download the map (CSV)"))
    with right:
        st.markdown(tr("**The strongest link of each word**"), help=said(RULE))
        st.dataframe(
            alignment_table(matrix)[["word", "source_word", "weight"]].assign(
                weight=lambda table: 100 * table["weight"]
            ),
            hide_index=True,
            column_config={
                "word": tr("word"),
                "source_word": tr("word of the source"),
                "weight": st.column_config.NumberColumn(tr("weight"), format="%.0f%%"),
            },
        )
        numbers(lambda: alignment_table(matrix), "alignment", label=tr("Download the links (CSV)"))


def _align_words(writing: Writing, layer: int | None, head: int | None) -> Matrix:
    """Draw the choices of the alignment, and return it."""
    words, special, best = st.columns([3, 4, 5], vertical_alignment="bottom")
    words.toggle(
        tr("Whole words"), key="words", help=tr("Pieces of a word together: sum over its columns, mean over its rows.")
    )
    special.selectbox(
        tr("Special tokens"), list(SPECIAL_LABELS), key="special", format_func=lambda one: said(SPECIAL_LABELS[one])
    )
    clearest = most_decided_head(writing)
    best.button(
        tr("Go to the head that points most clearly: Layer {layer} · Head {head}", layer=clearest[0], head=clearest[1]),
        on_click=_go_to,
        args=clearest,
        icon=":material/star:",
    )
    chosen = selection()
    return alignment(writing, layer=layer, head=head, words=chosen.words, special=chosen.special)


def _go_to(layer: int, head: int) -> None:
    choose(averaged=False, layer=layer, head=head)
