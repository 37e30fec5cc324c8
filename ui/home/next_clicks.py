"""Buttons from a finding to the next experiment: hide the word, switch the head off, change the sentence."""

from __future__ import annotations

from collections.abc import Iterable

import streamlit as st

from models.tasks.places import answers_of
from models.text.pieces import MASK
from models.values.record import Recording, Token
from models.values.results.finding import Finding
from ui.state.choices import LETTERS, NOTHING
from ui.state.navigation import MASKED_WORDS, SWITCHBOARD, go_to
from ui.state.plain import plain
from ui.state.selection import choose, selection
from ui.widgets.asking.hide_words import choose_hidden, split_words, word_number
from ui.widgets.asking.inputs import EXAMPLES, SENTIMENT_EXAMPLES, WORD_EXAMPLES
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
        _change()


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


def _change() -> None:
    """Draw the button that changes a word of the sentence, if it is one of a pair of examples."""
    text = selection().text
    examples = (one for offered in (EXAMPLES, WORD_EXAMPLES, SENTIMENT_EXAMPLES) for one, _ in offered.values())
    change = counterpart(text, examples)
    if change is not None:
        other, before, after = change
        label = tr("Change “{before}” to “{after}”", before=plain(before), after=plain(after))
        st.button(label, icon=":material/compare_arrows:", on_click=_take, args=(other,))


def counterpart(text: str, others: Iterable[str]) -> tuple[str, str, str] | None:
    """Return the first text that differs in a single word, with the word before and after; None if there is none."""
    words = text.split()
    for other in others:
        pairs = list(zip(words, other.split(), strict=False))
        changed = [(before.strip(".,!?"), after.strip(".,!?")) for before, after in pairs if before != after]
        if len(changed) == 1 and len(other.split()) == len(words):
            return other, *changed[0]
    return None


def _take(text: str) -> None:
    choose(text=text)
    brought_by_reader()


def _word(token: Token) -> str:
    """Return the word of a token as the reader typed it; empty if there is none to hide."""
    words = split_words(selection().texts)
    number = word_number(words, token)
    return "" if number == NOTHING else words[number].text


def _hide_word(token: Token) -> None:
    choose_hidden(word_number(split_words(selection().texts), token))
