"""The part "FlashAttention": one real row of the chosen head, block by block of its keys."""

from __future__ import annotations

import streamlit as st

from models.inspection.costs.online_softmax import most_corrected, walk_blocks
from models.values.record import AttentionRecord, no_vectors
from ui.state.plain import plain
from ui.state.selection import at_most, choose, selection
from ui.widgets.asking.pickers import layer_and_head, one_head, pick_kind
from ui.widgets.browser.player import play_button, play_on, turning_line
from ui.widgets.browser.viewport import column_widths
from ui.widgets.finding import record_at_finding
from ui.widgets.frame import theme
from ui.widgets.notes import say_notes
from ui.widgets.pictures import numbers, picture
from ui.widgets.words import help_of, link_words
from viz.kit.language import said, to_say, tr
from viz.kit.tokens import positioned_texts
from viz.writing.blocks import block_bars, block_story, block_table, end_story

MEAN_NOTE = to_say("A mean over the heads has no scores of its own. This is head 0; choose another with the slider.")
WHAT = to_say(
    "A softmax needs the largest score and the sum of all. FlashAttention takes the keys in **blocks of four** and "
    "corrects what it has when a larger score comes, so that no row is ever stored."
)


def blocks_part() -> None:
    """Draw the row after the chosen block, and say what the block has changed."""
    recording = record_at_finding(with_mean=False)
    if not recording.info.has_vectors:
        raise no_vectors(recording.info)
    one_head(MEAN_NOTE)
    pick_kind(recording.kinds)
    shown = recording.of(selection().kind)
    query = _pick_row(shown)
    chosen = selection()
    layer, head = chosen.layer, chosen.head_index or 0
    blocks = walk_blocks(shown, layer=layer, head=head, query=query)
    at_most("key_block", len(blocks) - 1)
    _pick_block(len(blocks))
    number = selection().key_block
    figure = block_bars(shown, blocks, query=query, number=number, theme=theme(), width=column_widths(1)[0])
    picture(figure, "key-blocks")
    st.markdown(link_words(block_story(blocks, number=number)))
    if number == len(blocks) - 1:
        st.success(end_story(shown, blocks, layer=layer, head=head, query=query), icon=":material/check:")
    st.markdown(link_words(said(WHAT)))
    numbers(lambda: block_table(blocks), "key-blocks")
    say_notes(recording.info, recording.tokens, (chosen.text, chosen.text_b), recording.note)
    play_on("key_block", len(blocks))


def _pick_row(shown: AttentionRecord) -> int:
    """Draw the choice of head and query, and return the query; by default one whose row is often corrected."""
    if not 0 <= selection().query < shown.n_query:
        choose(query=most_corrected(shown, layer=selection().layer, head=selection().head_index or 0))
    heads, query = st.columns([2, 1], vertical_alignment="bottom")
    with heads:
        layer_and_head(shown, with_mean=False)
    places = range(shown.n_query)
    names = [plain(text) for text in positioned_texts(shown.query_tokens, places)]
    if len(places) > 1:
        query.select_slider(tr("Query"), places, key="query", format_func=names.__getitem__, help=help_of("query"))
    return int(selection().query)


def _pick_block(n_blocks: int) -> None:
    """Draw Play, and a slider over the blocks."""
    if n_blocks < 2:
        return
    with turning_line("key_block"):
        play_button("key_block", n_blocks)
        st.select_slider(
            tr("Blocks of keys"), range(n_blocks), key="key_block", format_func=lambda number: str(number + 1)
        )
