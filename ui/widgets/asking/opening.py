"""The first sentence of a page, until the reader enters one: one that the chosen model can read.

A model that was trained here opens with held-out text. What a reader has typed, chosen or brought by a link is never
replaced.
"""

from __future__ import annotations

import streamlit as st

from models.opening.registry import languages_of, task_of
from models.opening.tasks import WRITES
from models.text.pieces import MASK
from models.text.unknown import may_read
from ui.state.choices import DEFAULTS
from ui.state.selection import choose, is_from_link, selection
from ui.state.sources import run_of, texts_of

Examples = dict[str, tuple[str, str]]
"""Sentences A and B by their labels."""
FIRST = (DEFAULTS["text"], DEFAULTS["text_b"])
LONGEST_LABEL = 28
_OURS = "headlight_our_sentences"
"""The session key for the sentences that the app has chosen and their run; None once the reader has brought some."""


def open_with(examples: Examples, *, run: str | None = None) -> None:
    """Show the first example that fits the model, unless the reader has brought a sentence. Call before `sentences`.

    `run` is the id of a run of the lab that reads the sentence in place of the chosen model, empty for none.
    """
    if is_readers():
        return
    reads = _run_of("model") if run is None else run
    offered = _own(examples, reads) or (fitting(examples) if run is None else examples)
    _put_sentences(next(iter(offered.values()), FIRST), reads)


def open_with_own(*models: str) -> None:
    """Show the app's first sentence unless the reader has brought one, or held-out text if one of the models was
    trained here.

    `models` are the names of their choices. For a page without examples of its own, such as Home: those of the page
    before do not stay.
    """
    if not is_readers():
        run = next(filter(None, map(_run_of, models or ("model",))), "")
        _put_sentences(next(iter(_own({"": FIRST}, run).values()), FIRST), run)


def fitting(examples: Examples) -> Examples:
    """Return the examples that fit the chosen model: its held-out text, or those in scripts that it may know.

    A causal model or a translator gets examples without masks, if there are some.
    """
    own = _own(examples, _run_of("model"))
    if own:
        return own
    model = selection().model
    languages = languages_of(model)
    read = {label: pair for label, pair in examples.items() if may_read(" ".join(pair), languages)}
    bare = {label: pair for label, pair in read.items() if MASK not in pair[0]}
    return bare if bare and task_of(model) in WRITES else read


def brought_by_reader() -> None:
    """Mark the sentences as the reader's. Call when the reader types or chooses others."""
    st.session_state[_OURS] = None


def is_readers() -> bool:
    """Return whether the reader has typed, chosen or changed the sentences, or followed a link with them."""
    if is_from_link("text"):
        brought_by_reader()
    ours, chosen = st.session_state.get(_OURS, (FIRST, "")), selection()
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
