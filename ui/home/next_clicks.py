"""Buttons from a finding to the next experiment: hide the word, or switch the head off."""

from __future__ import annotations

import streamlit as st

from models.tasks.places import answers_of
from models.values.answers import MASK
from models.values.record import Recording, Token
from models.values.results.finding import Finding
from ui.state.choices import NOTHING
from ui.state.navigation import MASKED_WORDS, SWITCHBOARD, go_to
from ui.state.patterns import LETTERS
from ui.state.plain import plain
from ui.state.selection import choose, selection
from ui.widgets.asking.hide_words import choose_hidden, split_words, word_number
from ui.widgets.asking.opening import brought_by_reader
from ui.widgets.finding import finding_on_show
from viz.kit.language import tr


def next_clicks(recording: Recording) -> None:
    """Draw the buttons that suit the model."""
    finding = finding_on_show(recording)
    with st.container(horizontal=True):
        if finding is not None:
            key = recording.of(finding.kind).key_tokens[finding.key]
            _hide(recording, key)
            _switch_off(recording, finding, key)


def _hide(recording: Recording, key: Token) -> None:
    """Draw the button that hides the attended word and shows the model's guesses for it."""
    word = _word(key)
    label = tr("Hide “{word}”", word=plain(word))
    if recording.info.can_fill_mask and word and st.button(label, icon=":material/edit_note:"):
        brought_by_reader()
        _hide_word(key)
        go_to(MASKED_WORDS)


def _switch_off(recording: Recording, finding: Finding, key: Token) -> None:
    """Draw the button that switches the head off; a model that fills masks is asked for the attended word."""
    info = recording.info
    if not any(answers_of(info).values()):
        return
    if not st.button(tr("Switch this head off"), icon=":material/contrast:"):
        return
    brought_by_reader()
    choose(off=f"{LETTERS[finding.kind]}{finding.layer}.{finding.head}")
    if info.can_fill_mask and MASK not in "".join(filter(None, selection().texts)) and _word(key):
        _hide_word(key)
    go_to(SWITCHBOARD)


def _word(token: Token) -> str:
    """Return the word of a token as the reader typed it; empty if there is none to hide."""
    words = split_words(selection().texts)
    number = word_number(words, token)
    return "" if number == NOTHING else words[number].text


def _hide_word(token: Token) -> None:
    choose_hidden(word_number(split_words(selection().texts), token))
