"""Words as buttons: a click hides a word from the model.

The hidden word is a choice of its own: the reader's sentences stay as typed, in their box and on the other pages.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import NamedTuple

import streamlit as st

from models.opening.registry import Model
from models.values.answers import MASK
from models.values.errors import HeadlightError
from models.values.record import Token
from ui.desk.ask import ask, record_selection
from ui.state.choices import NOTHING
from ui.state.plain import plain
from ui.state.selection import choose, is_from_link, selection
from ui.widgets.finding import finding_of
from viz.kit.language import tr
from viz.kit.tokens import spelled

MOST_WORDS = 80
"""The number of words of a text that are offered as buttons."""
LEAST_LETTERS = 4
"""The letters of a word that is hidden where none stands out."""
MOST_TRIED = 4
"""The most words that are tried until the model guesses one."""
WORD_JOINER = "\u2060"
_WORD = re.compile(r"\[MASK\]|[^\W_]+(?:['’][^\W_]+)*")
_BUTTONS = "hidden_word"
_HIDDEN_IN = "headlight_texts_of_hidden_word"
"""The session key for the sentences that the choice `hidden` belongs to."""
TypedTexts = tuple[str, str | None]


class TypedWord(NamedTuple):
    """A word of sentence A (segment 0) or B, and the characters that it takes; a typed [MASK] counts as one."""

    text: str
    segment: int
    start: int
    end: int


class HiddenWord(NamedTuple):
    """The texts with the hidden word behind [MASK], and the word; it is empty for a typed [MASK]."""

    texts: TypedTexts
    word: str


def split_words(texts: TypedTexts) -> list[TypedWord]:
    """Return the words of both sentences in order."""
    return [
        TypedWord(match.group(), segment, match.start(), match.end())
        for segment, text in enumerate(texts)
        for match in _WORD.finditer(text or "")
    ]


def word_number(words: Sequence[TypedWord], token: Token) -> int:
    """Return the index of the word that a token is a part of; NOTHING if it is in none, or in a typed [MASK]."""
    if token.start is None:
        return NOTHING
    numbers = (
        number
        for number, word in enumerate(words)
        if word.segment == token.segment and word.start <= token.start < word.end and word.text != MASK
    )
    return next(numbers, NOTHING)


def hide_word(texts: TypedTexts, number: int, guesses: Sequence[str] = ()) -> TypedTexts:
    """Return the texts with one word behind [MASK]. The masks that are there already become the `guesses`, if given."""
    words, changed = split_words(texts), list(texts)
    put_in = iter(guesses)
    instead = {at: next(put_in, MASK) for at, word in enumerate(words) if word.text == MASK} | {number: MASK}
    for at in sorted(instead, reverse=True):
        word = words[at]
        text = changed[word.segment] or ""
        changed[word.segment] = text[: word.start] + instead[at] + text[word.end :]
    return changed[0] or "", changed[1]


def choose_hidden(number: int) -> None:
    """Choose the word to hide in the present sentences, by its index; NOTHING for the one that stands out."""
    choose(hidden=number)
    st.session_state[_HIDDEN_IN] = selection().texts


def last_long_word(words: Sequence[TypedWord]) -> int:
    """Return the index of the last word of some letters, or of the last word."""
    long = [number for number, word in enumerate(words) if len(word.text) >= LEAST_LETTERS]
    return long[-1] if long else len(words) - 1


def standing_out(words: Sequence[TypedWord]) -> int:
    """Return the index of the word that stands out: the one that the finding's head looks at, else the last long one;
    the first of these for which the model guesses a word and no comma."""
    recording = record_selection()
    finding = finding_of(recording)
    key = NOTHING if finding is None else word_number(words, recording.of(finding.kind).key_tokens[finding.key])
    long = [number for number, word in enumerate(words) if len(word.text) >= LEAST_LETTERS][::-1]
    candidates = [number for number in dict.fromkeys((key, *long)) if number != NOTHING] or [len(words) - 1]
    return next((number for number in candidates[:MOST_TRIED] if _guesses_word(number)), candidates[0])


def _guesses_word(number: int) -> bool:
    """Return whether the model's best guess has a letter where this word is hidden; True where it cannot guess."""
    chosen = selection()
    try:
        masked = ask(chosen.model, chosen.device, Model.masked_words, *hide_word(chosen.texts, number))
    except HeadlightError:
        return True  # the page says why
    return not masked.positions or any(letter.isalpha() for letter in masked.best(0, 1)[0].text)


def guess_masks() -> tuple[str, ...]:
    """Return the model's best guess at every typed [MASK]."""
    chosen = selection()
    masked = ask(chosen.model, chosen.device, Model.masked_words, *chosen.texts)
    return tuple(spelled(masked.best(mask, 1)[0].text) for mask in range(len(masked.positions)))


def pick_hidden_word(
    typed: TypedTexts,
    *,
    stands_out: Callable[[Sequence[TypedWord]], int] = standing_out,
    guesses: Callable[[], Sequence[str]] = guess_masks,
) -> HiddenWord:
    """Draw the words of the typed sentences as buttons, and return the sentences with the chosen one hidden.

    By default it is a typed [MASK], else the word that stands out. Where the reader hides another word than a typed
    [MASK], its guess is filled in there.
    """
    words, number = split_words(typed), _chosen_word(typed)
    masks = [place for place, word in enumerate(words) if word.text == MASK]
    if not words or (number == NOTHING and masks):
        if words:
            _draw_buttons(typed, words, masks[min(selection().mask, len(masks) - 1)])
        return HiddenWord(typed, "")
    number = stands_out(words) if number == NOTHING else number
    _draw_buttons(typed, words, number)
    return HiddenWord(hide_word(typed, number, guesses() if masks else ()), words[number].text)


def _chosen_word(typed: TypedTexts) -> int:
    """Return the index of the word that the reader hides in these sentences; NOTHING for the default."""
    words, number, state = split_words(typed), selection().hidden, st.session_state
    is_old = state.get(_HIDDEN_IN, typed) != typed and not is_from_link("hidden")
    if is_old or number >= len(words) or (number != NOTHING and words[number].text == MASK):
        choose(hidden=NOTHING)
    state[_HIDDEN_IN] = typed
    return selection().hidden


def _draw_buttons(typed: TypedTexts, words: Sequence[TypedWord], number: int) -> None:
    """Draw the words, the hidden one pressed."""
    word, shown = words[number].text, words[:MOST_WORDS]
    st.session_state[_BUTTONS] = number if number < len(shown) else None
    if word == MASK:
        label = tr("The model guesses {mask}. Click a word to hide that one instead.", mask=plain(MASK))
    else:
        label = tr("Hidden from the model: “{word}”. Click another word to hide that one instead.", word=plain(word))
    st.pills(
        label,
        range(len(shown)),
        key=_BUTTONS,
        format_func=lambda place: _label(place, shown),
        on_change=_take_click,
        args=(typed,),
        wrap=True,
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


def _label(number: int, words: Sequence[TypedWord]) -> str:
    """Return the label of a word; repeated words get invisible signs, because Streamlit tells options apart by their
    labels."""
    texts = [word.text for word in words]
    return plain(texts[number]) + WORD_JOINER * texts[:number].count(texts[number])


def _take_click(typed: TypedTexts) -> None:
    """Hide the word that was clicked; a click on a typed [MASK] shows its guesses."""
    number, words = st.session_state[_BUTTONS], split_words(typed)
    if number is None:  # the hidden word itself, which stays hidden
        return
    is_mask = words[number].text == MASK
    choose(hidden=NOTHING if is_mask else number, mask=sum(word.text == MASK for word in words[:number]) * is_mask)
