"""The beam search of the page "Translation": its tree, and the texts at its end."""

from __future__ import annotations

import streamlit as st

from models.analysis.one_text.beams import closeness, end_shares
from models.values.writing import Writing
from ui.answers.translation.close_search import choose_again
from ui.state.selection import choose
from ui.widgets.browser.viewport import column_widths
from ui.widgets.frame import theme
from ui.widgets.pictures import numbers, picture
from viz.kit.language import tr
from viz.writing.beam_tree import beam_tree, closeness_in_words, tree_table


def search_part(writing: Writing) -> None:
    """Draw the tree of the search, and the texts at its end."""
    with st.container(key="scroll-beam-tree"):
        picture(beam_tree(writing, theme=theme(), width=column_widths(1)[0]), "beam-search")
    if not writing.branches:
        st.button(tr("Search with {n} beams", n=4), on_click=_search, args=(4,), type="primary")
        return
    st.markdown(tr("**The texts at the end**, best first: score = log-probability / ((5 + length) / 6)^penalty."))
    table = tree_table(writing)
    ends = table[table["step"] == table["step"].max()]
    st.dataframe(
        ends[["rank", "text", "log_probability", "score", "is_finished"]],
        hide_index=True,
        column_config={
            "rank": tr("rank"),
            "text": tr("text"),
            "is_finished": tr("is_finished"),
            "log_probability": st.column_config.NumberColumn(tr("log-probability (nats)"), format="%.4f"),
            "score": st.column_config.NumberColumn(tr("score"), format="%.4f"),
        },
    )
    st.caption(closeness_in_words(end_shares(writing.branches[-1]), closeness(writing)))
    numbers(lambda: tree_table(writing), "beam-search", label=tr("Download the whole search (CSV)"))


def _search(beams: int) -> None:
    choose(beams=beams)
    choose_again()
