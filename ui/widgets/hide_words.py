"""Words to click: a click hides a word behind [MASK], another click brings it back."""

from __future__ import annotations

import re

import streamlit as st

from models.text.pieces import MASK
from ui.state.plain import plain
from ui.state.selection import selection
from viz.kit.language import tr

MOST_WORDS = 80
"""The number of words of a text, from the first, that are offered as buttons."""
WORD_JOINER = "\u2060"
_WORD = re.compile(r"\[MASK\]|[^\W_]+(?:['’][^\W_]+)*")


def hide_words(*, of_pair: bool = True) -> None:
    """The words of the sentences as buttons; those that are hidden are pressed. Call after the sentences' own form.

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
    known = _known(name)
    shown = [known.get(at, word) for at, word in enumerate(words)]
    st.session_state[_pills(name)] = [at for at, word in enumerate(words) if word == MASK][:MOST_WORDS]
    st.pills(
        label,
        range(min(len(words), MOST_WORDS)),
        selection_mode="multi",
        key=_pills(name),
        format_func=lambda at: _label(at, shown),
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


def _label(at: int, shown: list[str]) -> str:
    """Return the word; one that stands there for the second time gets an invisible sign, as Streamlit tells options
    apart by their labels."""
    return plain(shown[at]) + WORD_JOINER * shown[:at].count(shown[at])


def hidden_words(name: str = "text") -> tuple[str, ...]:
    """Return the words hidden at the masks of a sentence, from the left; empty for masks that no click made."""
    known = _known(name)
    return tuple(known.get(at, "") for at, word in enumerate(words_of(st.session_state[name])) if word == MASK)


def words_of(text: str) -> list[str]:
    """Return the words of a text, a [MASK] for one of them."""
    return _WORD.findall(text)


def with_hidden(text: str, hidden: set[int], known: dict[int, str]) -> tuple[str, dict[int, str]]:
    """Return the text with exactly the words numbered `hidden` behind [MASK], and what stood there.

    A [MASK] of which nobody knows what stood there stays.
    """
    originals: dict[int, str] = {}
    parts: list[str] = []
    end = 0
    for at, found in enumerate(_WORD.finditer(text)):
        word = found.group()
        parts.append(text[end : found.start()])
        end = found.end()
        if at in hidden:
            parts.append(MASK)
            originals |= {at: word} if word != MASK else {at: known[at]} if at in known else {}
        else:
            parts.append(known.get(at, MASK) if word == MASK else word)
    return "".join([*parts, text[end:]]), originals


def word_at(text: str, start: int) -> str:
    """Return the word of a text that a character belongs to; empty for a sign, and for a word that is hidden
    already."""
    found = next((found.group() for found in _WORD.finditer(text) if found.start() <= start < found.end()), "")
    return "" if found == MASK else found


def hide_word_at(name: str, start: int) -> None:
    """Hide the word that a character of a sentence belongs to, as a click would."""
    text = st.session_state[name]
    found = list(_WORD.finditer(text))
    hidden = {at for at, word in enumerate(found) if word.group() == MASK or word.start() <= start < word.end()}
    changed, originals = with_hidden(text, hidden, _known(name))
    st.session_state[name] = changed
    st.session_state[_originals(name)] = (changed, originals)


def _known(name: str) -> dict[int, str]:
    """Return the hidden words of this text by their index, as far as a click hid them."""
    of, known = st.session_state.get(_originals(name), ("", {}))
    return known if of == st.session_state[name] else {}


def _hide(name: str) -> None:
    text = st.session_state[name]
    beyond = {at for at, word in enumerate(words_of(text)) if word == MASK and at >= MOST_WORDS}
    changed, originals = with_hidden(text, {*st.session_state[_pills(name)], *beyond}, _known(name))
    st.session_state[name] = changed
    st.session_state[_originals(name)] = (changed, originals)


def _pills(name: str) -> str:
    return f"hidden_words_of_{name}"


def _originals(name: str) -> str:
    return f"headlight_words_behind_masks_of_{name}"
