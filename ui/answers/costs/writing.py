"""The part "Writing": a text grows, with its key/value cache and the time of every token."""

from __future__ import annotations

import streamlit as st

from models.opening.registry import Model
from models.values.results.costs import WritingTimes, shape_of
from ui.answers.costs.parts import can_write
from ui.desk.ask import ask
from ui.state.choices import NOTHING
from ui.state.plain import in_bold, plain
from ui.state.selection import at_most, choose, selection
from ui.widgets.browser.player import play_button, play_on, turning_line
from ui.widgets.frame import theme
from ui.widgets.pictures import below_buttons, numbers, picture, two_columns
from ui.widgets.words import link_words
from viz.kit.language import tr
from viz.kit.theme import bound_above
from viz.writing.timed import cache_growth, growth_story, times_story, times_table, token_times, writing_finding

N_NEW = 64
DELAY = 120
"""Milliseconds between two tokens."""


def writing_part() -> None:
    """Draw the cache and the times up to the chosen token, and the text so far."""
    if not can_write():
        return
    chosen = selection()
    times = ask(chosen.model, chosen.device, Model.time_writing, chosen.text, n_new=N_NEW)
    last = len(times.tokens) - 1
    if chosen.timed_token == NOTHING:
        choose(timed_token=last)
    at_most("timed_token", last)
    _pick_token(last)
    number = selection().timed_token
    st.subheader(writing_finding(times, number=number), anchor=False)
    left, right, widths = two_columns()
    grown = cache_growth(times, number=number, theme=theme(), width=widths[0])
    took = token_times(times, number=number, theme=theme(), width=widths[1])
    below_buttons(grown, took)
    with left:
        picture(grown, "cache-growth")
        st.markdown(link_words(growth_story(times, shape_of(times.info), number=number)))
    with right:
        picture(took, "token-times")
        st.markdown(times_story(times, number=number))
    _text(times, number)
    _same(times)
    numbers(lambda: times_table(times), "token-times")
    play_on("timed_token", last + 1, delay=DELAY)


def _pick_token(last: int) -> None:
    """Draw Play, and a slider over the new tokens."""
    with turning_line("timed_token"):
        play_button("timed_token", last + 1)
        if last > 0:
            st.select_slider(
                tr("New tokens"),
                range(last + 1),
                key="timed_token",
                format_func=lambda number: str(number + 1),
                label_visibility="collapsed",
            )


def _text(times: WritingTimes, number: int) -> None:
    """Show the reader's text in grey, and what was written."""
    written = in_bold(times.texts[number].replace("\n", " "))
    st.markdown(f":gray[{plain(selection().text)}] {written}")


def _same(times: WritingTimes) -> None:
    """Say how far the numbers of both ways are from each other."""
    same = tr(
        "Both ways give the same [logits](#word-logit): the largest difference is under {difference} of the largest "
        "logit.",
        difference=bound_above(times.difference),
    )
    st.caption(same)
