"""The choice of the answer to explain: the question, the two answers, and other words to hide."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from models.opening.registry import Model
from models.text.pieces import MASK
from models.values.probing.contrast import AnswerOf, Contrast
from ui.desk.ask import ask, open_model
from ui.state.selection import selection
from ui.widgets.asking.hide_words import hide_words
from ui.widgets.asking.which_answer import possible_answers, which_answer
from ui.widgets.notes import say_notes
from viz.kit.language import tr

MOST_TOKENS = 128


def asked_contrast() -> Contrast | None:
    """Return the chosen answer and its rival; None, with the reason shown, if there is no answer."""
    chosen = selection()
    info = open_model(chosen.model, chosen.device).info
    recording = ask(chosen.model, chosen.device, Model.record, *chosen.texts)
    say_notes(recording.info, recording.tokens, (chosen.text, chosen.text_b), recording.note)
    n_tokens = sum(record.n_query for record in recording.attention if record.kind != "cross")
    if n_tokens > MOST_TOKENS:
        too_long = tr(
            "This text has {n} tokens; this page explains answers to texts of up to {most}. The methods ask the model "
            "again and again without some of the words. Type a shorter text, or one sentence of it.",
            n=f"{n_tokens:,}",
            most=MOST_TOKENS,
        )
        st.info(too_long, icon=":material/content_cut:")
        return None
    asked = which_answer(info, recording, _line)
    if asked is None and "mask" in possible_answers(info):
        hide_words()
    return None if asked is None else asked.contrast


def _line(of: AnswerOf, n_widgets: int) -> Sequence[DeltaGenerator]:
    """Return a row of containers; for a masked word, a popover at its end hides another one."""
    chosen = selection()
    has_mask = of == "mask" and MASK in chosen.text + chosen.text_b
    line = st.columns(n_widgets + has_mask, vertical_alignment="bottom")
    if has_mask:
        with line[-1].popover(tr("Hide another word"), icon=":material/visibility_off:", width="stretch"):
            hide_words()
    return line[:n_widgets]
