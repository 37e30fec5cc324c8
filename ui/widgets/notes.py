"""Notes to read before a result: what was truncated, and what the model does not know."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from models.opening.registry import entry_of
from models.text.unknown import LONGEST_WORD, MULTILINGUAL, UnknownText, find_unknown
from models.values.record import ModelInfo, Recording, Token
from ui.state.addresses import fit_into_a_link
from ui.state.plain import plain
from ui.state.selection import selection
from ui.state.sources import short_name, source_of
from viz.attention.hybrid import other_layers_note
from viz.kit.language import said, to_say, tr, trn
from viz.kit.tokens import spelled

MOST_NAMED, LONGEST_NAMED = 6, 24
"""The number of unknown words that are named, and of their characters."""
FOR_SCRIPTS = {"HANGUL": (to_say("Korean"), "klue/bert-base")}
"""A language by its script, and a model of our list that was made for it."""
FOR_MANY = "google-bert/bert-base-multilingual-cased"
MADE_FOR = (
    to_say(
        "showing attention on English: it has read books from before 1930, a little of the web and everyday sentences"
    ),
    to_say(
        "showing attention on English: it has read books from before 1930, a little of the web and short classroom "
        "passages"
    ),
    to_say("showing how attention forms, on the English text of mini-bert"),
    to_say("translating short everyday sentences from English to Spanish; it has read 12,772 English words"),
    to_say("translating short everyday sentences from English to Korean; it has read 4,155 English words"),
    to_say("showing attention on English: it has read a part of what mini-bert has"),
    to_say("showing attention over thousands of tokens of English: it has read books from before 1930"),
    to_say("telling praise from complaint in English sentences of a small grammar"),
    to_say("naming the part of speech of English words"),
)
"""The purposes of the app's models, as their cards state them."""
SINKS = to_say(
    "The heads of this model can give a part of their attention to a sink, and so to no token. A row of weights sums "
    "to 1 less the share of the sink."
)
LINK_NOTE = to_say("The text is too long for a link: the address keeps everything but the text.")


def say_notes(info: ModelInfo, tokens: Sequence[Token], texts: Sequence[str], *others: str, advice: str = "") -> None:
    """Say what was done to open a model, which layers of a hybrid are shown, the other notes, and what it does not know
    of the texts that it reads as these tokens.

    `advice` is what to do about unknown words, where that is not to choose another model.
    """
    entry = entry_of(info.name)
    found = find_unknown(tokens, texts, entry.languages if entry else ())
    for note in (*info.notes, other_layers_note(info), *others, *([SINKS] if info.has_sinks else [])):
        if note:
            st.info(plain(note), icon=":material/info:")
    unknown = unknown_note(found, info, advice)
    if unknown:
        (st.warning if found.is_mostly_unknown else st.info)(plain(unknown), icon=":material/help:")


def say_notes_and_guesses(recording: Recording) -> None:
    """The notes about the chosen texts, whether they fit into a link, and what the model guesses behind their masks."""
    texts = selection().text, selection().text_b
    too_long = "" if fit_into_a_link(texts) else LINK_NOTE
    say_notes(recording.info, recording.tokens, texts, recording.note, too_long)
    for prediction in recording.predictions:
        words = "   ".join(f"{spelled(choice.text)} {choice.probability:.4f}" for choice in prediction.choices)
        st.text(tr("[MASK] at position {position}   →   {words}", position=prediction.position, words=words))


def unknown_note(found: UnknownText, info: ModelInfo, advice: str = "") -> str:
    """Return sentences on the unknown parts of a text; empty if there are none."""
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
    some, n_more = ", ".join(shown), len(words) - MOST_NAMED
    return tr("{words} and {n} more", words=some, n=n_more) if n_more > 0 else some


def what_it_is_for(name: str) -> str:
    """Return a sentence on the purpose of a model, as its card states it; empty if unknown."""
    entry, source = entry_of(name), source_of(name)
    if source is not None:
        return said(source.knows)
    if not (entry and entry.made_for):
        return ""
    purpose = said(entry.made_for)
    return tr("It was made for {purpose}.", purpose=purpose)


def how_many_unknown(called: str, n_unknown: int, n_words: int, words: Sequence[str]) -> str:
    """Return a sentence that says how many of the words of a text a model does not know, and names them."""
    if n_unknown < n_words:
        return tr(
            "{model} does not know {n} of the {all} words: {words}.",
            model=called,
            n=n_unknown,
            all=n_words,
            words=named(words),
        )
    if n_words > 1:
        return tr("{model} knows none of these words: {words}.", model=called, words=named(words))
    return tr("{model} knows nothing of this word: {words}.", model=called, words=named(words))


def _words(found: UnknownText, info: ModelInfo, advice: str) -> str:
    """Return the words that it has no pieces for: how many, which, and what to do."""
    words = found.of("word", "script")
    if not words:
        return ""
    n_unknown = sum(word.sort in ("word", "script") for word in found.words)
    if found.is_mostly_unknown:
        consequence = trn(
            "It reads it as {unknown}, its token for everything unknown, so most of what you see here has nothing to "
            "do with these words.",
            "It reads each of them as {unknown}, its token for everything unknown, so most of what you see here has "
            "nothing to do with these words.",
            n_unknown,
            unknown=found.read_as,
        )
    else:
        consequence = trn(
            "It reads it as {unknown}, its token for everything unknown.",
            "It reads each of them as {unknown}, its token for everything unknown.",
            n_unknown,
            unknown=found.read_as,
        )
    advice = said(advice) or _advice(found, info) or what_it_is_for(info.name)
    counted = how_many_unknown(short_name(info.name), n_unknown, found.n_words, words)
    return " ".join(part for part in (counted, consequence, advice) if part)


def _spelled(found: UnknownText, info: ModelInfo, advice: str) -> str:
    """Return the words of another script that it reads letter by letter, without having learned their language."""
    if not found.spelled:
        return ""
    words = tuple(dict.fromkeys(word.text for word in found.spelled))
    spells = tr(
        "{model} did not learn the language of {n} of the {all} words: {words}. It spells them letter by letter, so "
        "what you see here has little to do with these words.",
        model=short_name(info.name),
        n=len(found.spelled),
        all=found.n_words,
        words=named(words),
    )
    if found.of("word", "script"):
        return spells
    return " ".join(filter(None, (spells, said(advice) or _advice(found, info))))


def _advice(found: UnknownText, info: ModelInfo) -> str:
    """Models for another language, where the unknown words are written in a script that this one does not read.

    A translator is none of those: its words are those of the language that it translates.
    """
    entry = entry_of(info.name)
    is_of_all = entry is not None and MULTILINGUAL in entry.languages
    if not found.scripts or is_of_all or info.can_translate or source_of(info.name) is not None:
        return ""
    of_many = tr("{model} for 104 languages", model=FOR_MANY)
    known = [FOR_SCRIPTS[script] for script in found.scripts if script in FOR_SCRIPTS]
    models = ", ".join(tr("{model} for {language}", model=model, language=language) for language, model in known)
    if models:
        of_many = tr("{models}, or {last}", models=models, last=of_many)
    return tr("For another language, choose a model that learned it: {models}.", models=of_many)


def unknown_signs(found: UnknownText, called: str) -> str:
    """Return a sentence about the emoji and signs that a model has no token for."""
    signs = found.of("sign")
    if not signs:
        return ""
    return tr(
        "{model} has no token for {signs}. To it, an emoji or a sign that it never saw is {unknown}.",
        model=called,
        signs=named(signs),
        unknown=found.read_as,
    )


def _long_words(found: UnknownText, called: str) -> str:
    long = found.of("long")
    if not long:
        return ""
    return tr(
        "{model} splits words of up to {most} characters, and reads longer ones as {unknown}: {words} ({n} "
        "characters). Put spaces in.",
        model=called,
        most=LONGEST_WORD,
        unknown=found.read_as,
        words=named(long),
        n=max(map(len, long)),
    )


def _unplaced(found: UnknownText, called: str) -> str:
    """Unknown tokens of a tokenizer that does not say where its pieces come from."""
    if not found.n_unplaced:
        return ""
    return trn(
        "{model} reads {n} piece of this text as unknown; its tokenizer does not say which parts.",
        "{model} reads {n} pieces of this text as unknown; its tokenizer does not say which parts.",
        found.n_unplaced,
        model=called,
    )
