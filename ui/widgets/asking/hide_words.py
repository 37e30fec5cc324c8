"""Words as buttons: a click replaces a word with [MASK], another click brings it back."""

from __future__ import annotations

import re

import streamlit as st

from models.text.pieces import MASK
from ui.state.plain import plain
from ui.state.selection import selection
from viz.kit.language import tr

MOST_WORDS = 80
"""The number of words of a text that are offered as buttons."""
WORD_JOINER = "\u2060"
_WORD = re.compile(r"\[MASK\]|[^\W_]+(?:['’][^\W_]+)*")


def hide_words(*, of_pair: bool = True) -> None:
    """Draw the words of the sentences as buttons, pressed if hidden. Call after the form of the sentences.

    Unless `of_pair`, sentence B is left out.
    """
    _words_of_sentence("text", tr("Click a word to hide it"))
    if of_pair and selection().text_b.strip():
        _words_of_sentence("text_b", tr("Click a word of sentence B to hide it"))


def _words_of_sentence(name: str, label: str) -> None:
    text = st.session_state[name]
    words = words_of(text)
    if not words:
        return
    known = _known_words(name)
    shown = [known.get(number, word) for number, word in enumerate(words)]
    st.session_state[_pills(name)] = [number for number, word in enumerate(words) if word == MASK][:MOST_WORDS]
    st.pills(
        label,
        range(min(len(words), MOST_WORDS)),
        selection_mode="multi",
        key=_pills(name),
        format_func=lambda number: _label(number, shown),
        on_change=_hide,
        args=(name,),
    )
    if len(words) > MOST_WORDS:
        st.caption(
            tr(
                "The first {n} of {all} words. Type {mask} to hide a later one.",
                n=MOST_WORDS,
                all=f"{len(words):,}",
                mask=plain(MASK),
            )
        )


def _label(number: int, shown: list[str]) -> str:
    """Return the label of a word; repeated words get invisible signs, because Streamlit tells options apart by their
    labels."""
    return plain(shown[number]) + WORD_JOINER * shown[:number].count(shown[number])


def hidden_words(name: str = "text") -> tuple[str, ...]:
    """Return the words hidden at the masks of a sentence, from the left; empty for a mask that no click made."""
    known = _known_words(name)
    return tuple(known.get(number, "") for number, word in enumerate(words_of(st.session_state[name])) if word == MASK)


def words_of(text: str) -> list[str]:
    """Split a text into words; a [MASK] counts as one."""
    return _WORD.findall(text)


def with_hidden(text: str, hidden: set[int], known: dict[int, str]) -> tuple[str, dict[int, str]]:
    """Return the text with exactly the words numbered `hidden` behind [MASK], and the hidden words by number.

    A [MASK] whose word is unknown stays.
    """
    originals: dict[int, str] = {}
    parts: list[str] = []
    end = 0
    for number, match in enumerate(_WORD.finditer(text)):
        word = match.group()
        parts.append(text[end : match.start()])
        end = match.end()
        if number in hidden:
            parts.append(MASK)
            originals |= {number: word} if word != MASK else {number: known[number]} if number in known else {}
        else:
            parts.append(known.get(number, MASK) if word == MASK else word)
    return "".join([*parts, text[end:]]), originals


def word_at(text: str, start: int) -> str:
    """Return the word at a character of a text; empty for a sign or a hidden word."""
    word = next((match.group() for match in _WORD.finditer(text) if match.start() <= start < match.end()), "")
    return "" if word == MASK else word


def hide_word_at(name: str, start: int) -> None:
    """Hide the word at a character of a sentence, as a click would."""
    text = st.session_state[name]
    matches = list(_WORD.finditer(text))
    hidden = {
        number for number, match in enumerate(matches) if match.group() == MASK or match.start() <= start < match.end()
    }
    changed, originals = with_hidden(text, hidden, _known_words(name))
    st.session_state[name] = changed
    st.session_state[_originals(name)] = (changed, originals)


def _known_words(name: str) -> dict[int, str]:
    """Return the words hidden by clicks in this text, by their index."""
    known_text, known = st.session_state.get(_originals(name), ("", {}))
    return known if known_text == st.session_state[name] else {}


def _hide(name: str) -> None:
    text = st.session_state[name]
    beyond = {number for number, word in enumerate(words_of(text)) if word == MASK and number >= MOST_WORDS}
    changed, originals = with_hidden(text, {*st.session_state[_pills(name)], *beyond}, _known_words(name))
    st.session_state[name] = changed
    st.session_state[_originals(name)] = (changed, originals)


def _pills(name: str) -> str:
    return f"hidden_words_of_{name}"


def _originals(name: str) -> str:
    return f"headlight_words_behind_masks_of_{name}"
