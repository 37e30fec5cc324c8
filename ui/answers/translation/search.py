"""The beam search of the page "Translation": its tree, and the texts at its end."""

from __future__ import annotations

import streamlit as st

from models.analysis.one_text.beams import closeness, end_shares
from models.values.writing import Writing
from ui.state.choices import BEAMS, PENALTIES
from ui.state.selection import choose, selection
from ui.widgets.browser.viewport import column_widths
from ui.widgets.frame import theme
from ui.widgets.pictures import numbers, picture
from viz.kit.language import tr
from viz.writing.beam_tree import beam_tree, closeness_in_words, final_texts, share_of_winner, tree_table

GREEDY = 1
"""The beam width of greedy search."""


def search_part(writing: Writing) -> None:
    """Draw the settings of the search, its tree, and the texts at its end."""
    _settings()
    with st.container(key="scroll-beam-tree"):
        picture(beam_tree(writing, theme=theme(), width=column_widths(1)[0]), "beam-search")
    if not writing.branches:
        st.button(tr("Search with {n} beams", n=4), on_click=_search, args=(4,), type="primary")
        return
    shares = end_shares(writing.branches[-1])
    best_first = tr("**The texts at the end**, best first.")
    formula = tr("Score = log-probability / ((5 + length) / 6)^penalty.")
    st.markdown(
        f"{best_first} {share_of_winner(shares)}",
        help=f"{formula} {closeness_in_words(shares, closeness(writing))}",
    )
    ends = final_texts(writing)
    st.dataframe(
        ends,
        hide_index=True,
        column_config={
            "rank": tr("rank"),
            "text": tr("text"),
            "probability": tr("probability"),
            "score": st.column_config.NumberColumn(tr("score"), format="%.2f"),
        },
    )
    numbers(lambda: tree_table(writing), "beam-search", label=tr("Download the whole search (CSV)"))


def _settings() -> None:
    """Draw the sliders of the search."""
    beams, penalty = st.columns(2, vertical_alignment="bottom")
    beams.select_slider(
        tr("Beams"),
        range(BEAMS[0], BEAMS[1] + 1),
        key="beams",
        format_func=lambda width: tr("1 · greedy") if width == GREEDY else str(width),
        help=tr(
            "How many unfinished texts the search keeps after every token. Greedy writing keeps only the likeliest "
            "token."
        ),
    )
    if selection().beams > GREEDY:
        penalty.select_slider(
            tr("Length penalty"),
            PENALTIES,
            key="penalty",
            help=tr("Log-probabilities are divided by ((5 + length) / 6) to this power. 0 prefers short texts."),
        )


def _search(beams: int) -> None:
    choose(beams=beams)
