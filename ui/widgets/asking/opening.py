"""The first sentence of a page, until the reader enters one: one that the chosen model can read.

A model that was trained here opens with held-out text. What a reader has typed, chosen or brought by a link is never
replaced.
"""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from models.opening.registry import languages_of, task_of
from models.opening.tasks import WRITES
from models.text.unknown import MULTILINGUAL, may_read, scripts_of, scripts_of_languages
from models.values.answers import MASK
from ui.state.choices import DEFAULTS
from ui.state.first_visit import FIRST_VISITS, begin_in, begun_in, defaults, first_visit, has_begun
from ui.state.selection import choose, is_from_link, selection
from ui.state.sources import run_of, texts_of
from viz.kit.language import ENGLISH, language

Examples = dict[str, tuple[str, str]]
"""Sentences A and B by their labels."""
FIRST = (DEFAULTS["text"], DEFAULTS["text_b"])
"""The English sentence that the app opens with."""
LONGEST_LABEL = 28
_OURS = "headlight_our_sentences"
"""The session key for the sentences that the app has chosen and their run; None once the reader has brought some."""


def open_with(examples: Examples, *, run: str | None = None, models: Sequence[str] = ("model",)) -> None:
    """Show the first example that fits the model, unless the reader has brought a sentence. Call before `sentences`.

    `run` is the id of a run of the lab that reads the sentence in place of the chosen model, empty for none; without
    it, that of the first of the `models`, by the names of their choices, that was trained here.
    """
    if is_readers():
        return
    reads = next(filter(None, map(_run_of, models)), "") if run is None else run
    offered = _own(examples, reads) or (fitting(examples) if run is None else examples)
    _put_sentences(next(iter(offered.values()), first_sentence()), reads)


def open_with_own() -> None:
    """Show the app's first sentence unless the reader has brought one, or held-out text if the model was trained here.

    For a page without examples of its own, such as Home: those of the page before do not stay.
    """
    if not is_readers():
        run = _run_of("model")
        _put_sentences(next(iter(_own({"": FIRST}, run).values()), first_sentence()), run)


def turn_to_language() -> None:
    """Begin in the reader's language: with its model and sentence where those of the other language are untouched.

    A sentence of the reader stays, and with it the model that reads it. Call at the start of a page, with its choices
    restored.
    """
    spoken, chosen = language(), selection()
    if not has_begun():
        is_others = spoken != ENGLISH and is_readers() and not is_in_letters_of((spoken,), chosen.text)
        begin_in(ENGLISH if is_others else spoken)
        if is_others and chosen.model == FIRST_VISITS[spoken].model and not is_from_link("model"):
            choose(model=first_visit().model)
    elif begun_in() != spoken and (not is_readers() or chosen.texts == (first_visit().text, None)):
        before = first_visit().model
        begin_in(spoken)
        if chosen.model == before:
            choose(model=first_visit().model)
        _put_sentences(first_sentence(), "")


def first_sentence() -> tuple[str, str]:
    """Return the app's first sentence in the reader's language, or in one that the chosen model reads."""
    letters = letters_of(languages_of(selection().model))
    spoken = [first_visit(), *FIRST_VISITS.values()]
    return next((first.text for first in spoken if scripts_of(first.text) & letters), DEFAULTS["text"]), ""


def letters_of(languages: Sequence[str]) -> frozenset[str]:
    """Return the scripts that a model of these languages is at home in; the reader's, for a model of many."""
    return scripts_of_languages((begun_in(),) if MULTILINGUAL in languages else languages)


def is_in_letters_of(languages: Sequence[str], text: str) -> bool:
    """Return whether a text has letters of the scripts of these languages, or none at all."""
    return bool(scripts_of(text) & letters_of(languages)) or not scripts_of(text)


def fitting(examples: Examples) -> Examples:
    """Return the examples that fit the chosen model: its held-out text, or those in scripts that it may know, with the
    scripts that it is at home in first; for a model of one other language those alone.

    A causal model or a translator gets examples without masks, if there are some.
    """
    own = _own(examples, _run_of("model"))
    if own:
        return own
    model = selection().model
    languages = languages_of(model)
    read = {label: pair for label, pair in examples.items() if may_read(" ".join(pair), languages)}
    own = {label: pair for label, pair in read.items() if is_in_letters_of(languages, " ".join(pair))}
    read = own if own and languages and MULTILINGUAL not in languages else own | read
    bare = {label: pair for label, pair in read.items() if MASK not in pair[0]}
    return bare if bare and task_of(model) in WRITES else read


def brought_by_reader() -> None:
    """Mark the sentences as the reader's. Call when the reader types or chooses others."""
    st.session_state[_OURS] = None


def is_readers() -> bool:
    """Return whether the reader has typed, chosen or changed the sentences, or followed a link with them."""
    if is_from_link("text"):
        brought_by_reader()
    ours, chosen = st.session_state.get(_OURS, ((defaults()["text"], ""), "")), selection()
    return ours is None or ours[0] != (chosen.text, chosen.text_b)


def _put_sentences(pair: tuple[str, str], run: str) -> None:
    choose(text=pair[0], text_b=pair[1])
    st.session_state[_OURS] = (pair, run)


def _run_of(choice: str) -> str:
    """Return the id of the run that trained a chosen model; empty for a model that was not trained here."""
    return run_of(st.session_state[choice])


def _own(examples: Examples, run: str) -> Examples:
    """Return held-out texts of a run in the form of a page's examples: with masks, as pairs, or plain."""
    own = texts_of(run) if run else ()
    if next(iter(examples.values()))[1]:
        others = [whole for whole, _, _ in (*own[1:], *own[:1])]
        pairs = [(whole, second or other) for (whole, _, second), other in zip(own, others, strict=True)]
    else:
        has_masks = any(MASK in text for text, _ in examples.values())
        pairs = [(masked if has_masks else whole, "") for whole, masked, _ in own]
    return {_label(pair[0]): pair for pair in pairs}


def _label(text: str) -> str:
    return text if len(text) <= LONGEST_LABEL else f"{text[:LONGEST_LABEL].rstrip()}…"
