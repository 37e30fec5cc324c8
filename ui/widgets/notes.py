"""What the reader should know before looking at what a model has read: what was cut, and what it does not know."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from models.opening.registry import entry_of
from models.text.unknown import LONGEST_WORD, MULTILINGUAL, UnknownText, find_unknown
from models.values.record import ModelInfo, Recording, Token
from ui.state.addresses import fit_into_a_link
from ui.state.selection import selection
from ui.state.sources import short_name, source_of
from ui.widgets.plain import plain

MOST_NAMED, LONGEST_NAMED = 6, 24
"""So many unknown words are named, with so many of their characters."""
FOR_SCRIPTS = {"HANGUL": ("Korean", "klue/bert-base")}
"""A language by its script, and a model of our list that was made for it."""
FOR_MANY = "google-bert/bert-base-multilingual-cased"
LINK_NOTE = "The text is too long for a link: the address keeps everything but the text."


def say_notes(info: ModelInfo, tokens: Sequence[Token], texts: Sequence[str], *others: str, advice: str = "") -> None:
    """Say the other notes, and what a model does not know of the texts that it reads as these tokens.

    `advice` is what to do about unknown words, where that is not to choose another model.
    """
    entry = entry_of(info.name)
    found = find_unknown(tokens, texts, entry.languages if entry else ())
    for note in others:
        if note:
            st.info(plain(note), icon=":material/info:")
    said = unknown_note(found, info, advice)
    if said:
        (st.warning if found.is_mostly_unknown else st.info)(plain(said), icon=":material/help:")


def say_notes_and_guesses(recording: Recording) -> None:
    """The notes about the chosen texts, whether they fit into a link, and what the model guesses behind their masks."""
    chosen = selection()
    texts = chosen.text, chosen.text_b
    too_long = "" if fit_into_a_link(texts) else LINK_NOTE
    say_notes(recording.info, recording.tokens, texts, recording.note, too_long)
    for prediction in recording.predictions:
        words = "   ".join(f"{choice.text} {choice.probability:.4f}" for choice in prediction.choices)
        st.text(f"[MASK] at position {prediction.position}   →   {words}")


def unknown_note(found: UnknownText, info: ModelInfo, advice: str = "") -> str:
    """What of a text a model does not know, in sentences; empty if it knows everything."""
    called = short_name(info.name)
    sentences = (
        _words(found, info, advice),
        _spelled(found, info, advice),
        unknown_signs(found, called),
        _long_words(found, called),
        _unplaced(found, called),
    )
    return " ".join(sentence for sentence in sentences if sentence)


def named(words: Sequence[str]) -> str:
    """Words in quotation marks, the first ones of many: “one”, “two” and 5 more."""
    shown = [f"“{word[:LONGEST_NAMED]}…”" if len(word) > LONGEST_NAMED else f"“{word}”" for word in words[:MOST_NAMED]]
    more = f" and {len(words) - MOST_NAMED} more" if len(words) > MOST_NAMED else ""
    return ", ".join(shown) + more


def what_it_is_for(name: str) -> str:
    """A sentence about what a model was made for, as its card says it; empty if nobody has said so."""
    entry, source = entry_of(name), source_of(name)
    if source is not None:
        return source.knows
    return f"It was made for {entry.made_for}." if entry and entry.made_for else ""


def how_many_unknown(called: str, n_unknown: int, n_words: int, words: Sequence[str]) -> str:
    """A sentence that says how many of the words of a text a model does not know, and names them."""
    if n_unknown < n_words:
        return f"{called} does not know {n_unknown} of the {n_words} words: {named(words)}."
    return f"{called} knows {'none of these words' if n_words > 1 else 'nothing of this word'}: {named(words)}."


def _words(found: UnknownText, info: ModelInfo, advice: str) -> str:
    """The words that it has no pieces for: how many, which, and what to do."""
    words = found.of("word", "script")
    if not words:
        return ""
    n_unknown = sum(word.sort in ("word", "script") for word in found.words)
    each = "it" if n_unknown == 1 else "each of them"
    consequence = f"It reads {each} as {found.read_as}, its token for everything unknown" + (
        ", so most of what you see here has nothing to do with these words." if found.is_mostly_unknown else "."
    )
    advice = advice or _advice(found, info) or what_it_is_for(info.name)
    counted = how_many_unknown(short_name(info.name), n_unknown, found.n_words, words)
    return " ".join(part for part in (counted, consequence, advice) if part)


def _spelled(found: UnknownText, info: ModelInfo, advice: str) -> str:
    """The words of another script that it reads letter by letter, without having learned their language."""
    if not found.spelled:
        return ""
    words = tuple(dict.fromkeys(word.text for word in found.spelled))
    said = (
        f"{short_name(info.name)} did not learn the language of {len(found.spelled)} of the {found.n_words} words: "
        f"{named(words)}. It spells them letter by letter, so what you see here has little to do with these words."
    )
    return said if found.of("word", "script") else " ".join(filter(None, (said, advice or _advice(found, info))))


def _advice(found: UnknownText, info: ModelInfo) -> str:
    """Models for another language, where the unknown words are written in a script that this one does not read.

    A translator is none of those: its words are those of the language that it translates.
    """
    entry = entry_of(info.name)
    is_of_all = entry is not None and MULTILINGUAL in entry.languages
    if not found.scripts or is_of_all or info.can_translate or source_of(info.name) is not None:
        return ""
    known = [FOR_SCRIPTS[script] for script in found.scripts if script in FOR_SCRIPTS]
    models = [f"{model} for {language}" for language, model in known] + [f"{FOR_MANY} for 104 languages"]
    return f"For another language, choose a model that learned it: {', or '.join(models)}."


def unknown_signs(found: UnknownText, called: str) -> str:
    """A sentence about the emoji and signs that a model has no token for."""
    signs = found.of("sign")
    if not signs:
        return ""
    return f"{called} has no token for {named(signs)}. To it, an emoji or a sign that it never saw is {found.read_as}."


def _long_words(found: UnknownText, called: str) -> str:
    long = found.of("long")
    if not long:
        return ""
    return (
        f"{called} splits words of up to {LONGEST_WORD} characters, and reads longer ones as {found.read_as}: "
        f"{named(long)} ({max(map(len, long))} characters). Put spaces in."
    )


def _unplaced(found: UnknownText, called: str) -> str:
    """Unknown tokens of a tokenizer that does not say where its pieces come from."""
    if not found.n_unplaced:
        return ""
    pieces = "1 piece" if found.n_unplaced == 1 else f"{found.n_unplaced} pieces"
    return f"{called} reads {pieces} of this text as unknown; its tokenizer does not say which parts."
