"""Notes above a result: truncated text, unknown words and other limits of the model."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from models.opening.registry import entry_of, languages_of
from models.text.unknown import LONGEST_WORD, MULTILINGUAL, UnknownText, find_unknown
from models.values.record import ModelInfo, Recording, Token
from ui.state.addresses import fit_into_a_link
from ui.state.plain import plain
from ui.state.selection import selection
from ui.state.sources import short_name, source_of
from ui.widgets.asking.unread import offer_reader, why_unread
from viz.attention.hybrid import other_layers_note
from viz.kit.language import said, to_say, tr, trn
from viz.kit.tokens import spelled

MOST_NAMED, LONGEST_NAMED = 6, 24
"""The most unknown words that are named, and the most characters of each."""
FOR_SCRIPTS = {"HANGUL": (to_say("Korean"), "headlight-ko")}
"""A language by its Unicode script, and a model for it."""
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
    to_say("showing attention on Korean: it has read film reviews, a little prose and everyday sentences"),
    to_say("telling praise from complaint in Korean film reviews"),
)
"""The purposes of the app's models, from their cards, for translation."""
SINKS = to_say(
    "The heads of this model can give a part of their attention to a sink, and so to no token. A row of weights sums "
    "to 1 less the share of the sink."
)
OTHER_LANGUAGE = to_say(
    "This does not look like English, and {model} reads nothing else: what you see here says little about your text."
)
ENGLISH = ("en",)
"""The languages of a model that reads English alone."""
LINK_NOTE = to_say("The text is too long for a link: the address keeps everything but the text.")


def say_notes(info: ModelInfo, tokens: Sequence[Token], texts: Sequence[str], *others: str, advice: str = "") -> None:
    """Show the notes about a model and the words of the texts that it does not know.

    `tokens` are the texts as the model reads them, `others` further notes. `advice` is what to do about unknown words,
    if not to choose another model.
    """
    unknown = find_unknown(tokens, texts, languages_of(info.name))
    about_unknown = "" if why_unread(info.name, texts) else unknown_note(unknown, info, advice)
    _say_notes_of_model(info, others)
    if info.name != selection().model:  # the bar offers a reader for that one
        offer_reader(info.name, texts, by_name=True)
    if about_unknown:
        (st.warning if unknown.is_mostly_unknown else st.info)(plain(about_unknown), icon=":material/help:")


def _say_notes_of_model(info: ModelInfo, others: Sequence[str]) -> None:
    for note in (*info.notes, other_layers_note(info), *others, *([SINKS] if info.has_sinks else [])):
        if note:
            st.info(plain(note), icon=":material/info:")


def say_notes_and_guesses(recording: Recording) -> None:
    """Show the notes about the chosen texts, whether they fit into a link, and the guesses for their masks.

    Below a picture: that the model can hardly read a text stands above it (`unreadable_note`).
    """
    chosen = selection()
    texts = chosen.text, chosen.text_b
    unknown = find_unknown(recording.tokens, texts, languages_of(recording.info.name))
    is_said_above = unknown.is_mostly_unknown or bool(why_unread(recording.info.name, texts))
    about_unknown = "" if is_said_above else unknown_note(unknown, recording.info)
    too_long = "" if fit_into_a_link(texts) else LINK_NOTE
    _say_notes_of_model(recording.info, (recording.note, too_long))
    if about_unknown:
        st.info(plain(about_unknown), icon=":material/help:")
    for prediction in recording.predictions:
        words = "   ".join(f"{spelled(choice.text)} {choice.probability:.4f}" for choice in prediction.choices)
        st.text(tr("[MASK] at position {position}   →   {words}", position=prediction.position, words=words))


def unreadable_note(recording: Recording, *, is_english: bool) -> str:
    """Return why the model can hardly read the chosen texts: another script or another language; empty if it can."""
    chosen, info = selection(), recording.info
    texts = chosen.text, chosen.text_b
    unread = why_unread(info.name, texts)
    if unread:
        return unread
    unknown = find_unknown(recording.tokens, texts, languages_of(info.name))
    if unknown.is_mostly_unknown:
        return unknown_note(unknown, info)
    if is_english or languages_of(info.name) != ENGLISH:
        return ""
    return " ".join(filter(None, (tr(OTHER_LANGUAGE, model=short_name(info.name)), _name_models((), info))))


def unknown_note(unknown: UnknownText, info: ModelInfo, advice: str = "") -> str:
    """Return sentences on the unknown parts of a text; empty if there are none."""
    name = short_name(info.name)
    sentences = (
        _describe_words(unknown, info, advice),
        _describe_spelled(unknown, info, advice),
        unknown_signs(unknown, name),
        _describe_long_words(unknown, name),
        _describe_unplaced(unknown, name),
    )
    return " ".join(sentence for sentence in sentences if sentence)


def quote_words(words: Sequence[str]) -> str:
    """Join words in quotation marks, at most MOST_NAMED of them: “one”, “two” and 5 more."""
    shown = [f"“{word[:LONGEST_NAMED]}…”" if len(word) > LONGEST_NAMED else f"“{word}”" for word in words[:MOST_NAMED]]
    some, n_more = ", ".join(shown), len(words) - MOST_NAMED
    return tr("{words} and {n} more", words=some, n=n_more) if n_more > 0 else some


def what_it_is_for(name: str) -> str:
    """Return a sentence on the purpose of a model, as its card states it; empty if unknown."""
    entry, source = entry_of(name), source_of(name)
    if source is not None:
        return source.knows(name)
    if not (entry and entry.made_for):
        return ""
    purpose = said(entry.made_for)
    return tr("It was made for {purpose}.", purpose=purpose)


def how_many_unknown(name: str, n_unknown: int, n_words: int, words: Sequence[str]) -> str:
    """Return a sentence with the number of unknown words of a text, and their names."""
    if n_unknown < n_words:
        return tr(
            "{model} does not know {n} of the {all} words: {words}.",
            model=name,
            n=n_unknown,
            all=n_words,
            words=quote_words(words),
        )
    if n_words > 1:
        return tr("{model} knows none of these words: {words}.", model=name, words=quote_words(words))
    return tr("{model} knows nothing of this word: {words}.", model=name, words=quote_words(words))


def _describe_words(unknown: UnknownText, info: ModelInfo, advice: str) -> str:
    """Describe the words that the model has no pieces for, the consequence and the advice."""
    words = unknown.of("word", "script")
    if not words:
        return ""
    n_unknown = sum(word.sort in ("word", "script") for word in unknown.words)
    if unknown.is_mostly_unknown:
        consequence = trn(
            "It reads it as {unknown}, its token for everything unknown, so most of what you see here has nothing to "
            "do with these words.",
            "It reads each of them as {unknown}, its token for everything unknown, so most of what you see here has "
            "nothing to do with these words.",
            n_unknown,
            unknown=unknown.read_as,
        )
    else:
        consequence = trn(
            "It reads it as {unknown}, its token for everything unknown.",
            "It reads each of them as {unknown}, its token for everything unknown.",
            n_unknown,
            unknown=unknown.read_as,
        )
    advice = said(advice) or _advice(unknown, info) or what_it_is_for(info.name)
    counted = how_many_unknown(short_name(info.name), n_unknown, unknown.n_words, words)
    return " ".join(part for part in (counted, consequence, advice) if part)


def _describe_spelled(unknown: UnknownText, info: ModelInfo, advice: str) -> str:
    """Describe the words of another script that the model spells letter by letter."""
    if not unknown.spelled:
        return ""
    words = tuple(dict.fromkeys(word.text for word in unknown.spelled))
    spells = tr(
        "{model} did not learn the language of {n} of the {all} words: {words}. It spells them letter by letter, so "
        "what you see here has little to do with these words.",
        model=short_name(info.name),
        n=len(unknown.spelled),
        all=unknown.n_words,
        words=quote_words(words),
    )
    if unknown.of("word", "script"):
        return spells
    return " ".join(filter(None, (spells, said(advice) or _advice(unknown, info))))


def _advice(unknown: UnknownText, info: ModelInfo) -> str:
    """Name models for the scripts of the unknown words; empty if there are none in another script."""
    return _name_models(unknown.scripts, info) if unknown.scripts else ""


def _name_models(scripts: Sequence[str], info: ModelInfo) -> str:
    """Name models that read other languages: for some scripts, and for many languages.

    None for a translator, whose words are those of the languages that it translates.
    """
    if MULTILINGUAL in languages_of(info.name) or info.can_translate or source_of(info.name) is not None:
        return ""
    of_many = tr("{model} for 104 languages", model=FOR_MANY)
    known = [FOR_SCRIPTS[script] for script in scripts if script in FOR_SCRIPTS]
    models = ", ".join(tr("{model} for {language}", model=model, language=language) for language, model in known)
    if models:
        of_many = tr("{models}, or {last}", models=models, last=of_many)
    return tr("For another language, choose a model that learned it: {models}.", models=of_many)


def unknown_signs(unknown: UnknownText, name: str) -> str:
    """Return a sentence about the emoji and signs without a token; empty if there are none."""
    signs = unknown.of("sign")
    if not signs:
        return ""
    return tr(
        "{model} has no token for {signs}. To it, an emoji or a sign that it never saw is {unknown}.",
        model=name,
        signs=quote_words(signs),
        unknown=unknown.read_as,
    )


def _describe_long_words(unknown: UnknownText, name: str) -> str:
    long = unknown.of("long")
    if not long:
        return ""
    return tr(
        "{model} splits words of up to {most} characters, and reads longer ones as {unknown}: {words} ({n} "
        "characters). Put spaces in.",
        model=name,
        most=LONGEST_WORD,
        unknown=unknown.read_as,
        words=quote_words(long),
        n=max(map(len, long)),
    )


def _describe_unplaced(unknown: UnknownText, name: str) -> str:
    """Describe unknown tokens of a tokenizer that does not report character offsets."""
    if not unknown.n_unplaced:
        return ""
    return trn(
        "{model} reads {n} piece of this text as unknown; its tokenizer does not say which parts.",
        "{model} reads {n} pieces of this text as unknown; its tokenizer does not say which parts.",
        unknown.n_unplaced,
        model=name,
    )
