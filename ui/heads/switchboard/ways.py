"""The choice of the replacement for a head's output: zero, uniform attention, its mean over a corpus, its output in
another text."""

from __future__ import annotations

import streamlit as st

from models.analysis.over_texts.corpus import SAMPLE_KOREAN, sample_for, sample_texts
from models.opening.registry import languages_of
from models.values.results.effects import AblatedBy
from models.values.wording import Message, to_say
from ui.heads.switchboard.asks import Way, corpus_means
from ui.heads.switchboard.examples import partner_of
from ui.state.selection import choose, selection
from ui.state.sources import run_of, texts_of
from viz.kit.language import said, tr

WAY_LABELS: dict[AblatedBy, Message] = {
    "zero": to_say("Zero"),
    "uniform": to_say("Uniform"),
    "mean": to_say("Mean of a corpus"),
    "resample": to_say("From another text"),
}
WAYS: dict[AblatedBy, Message] = {
    "zero": to_say("**{way}:** a head that is off gives nothing."),
    "uniform": to_say("**{way}:** a head that is off looks at all that it may see alike."),
    "mean": to_say("**{way}:** a head that is off gives its mean over a corpus."),
    "resample": to_say("**{way}:** a head that is off gives what it gives in another text."),
}
N_TEXTS = 100
SAMPLE_OF_BOOKS = to_say("every tenth of the Head atlas's public sample, from 75 books in the public domain")
SAMPLE_OF_KOREAN = to_say("every third of the Head atlas's Korean sample, written for Headlight")
HELD_OUT = to_say("text that was held out of its training")
NO_OTHER = to_say("Type another text: a head that is switched off gives what it gives there.")


def pick_way() -> Way | None:
    """Draw the choice, and return it; None, with the reason shown, if it lacks a text or was stopped."""
    help_text = "\n".join("- " + tr(WAYS[by], way=label) for by, label in WAY_LABELS.items())
    st.segmented_control(
        tr("A head that is off gives …"),
        list(WAY_LABELS),
        key="taken_away",
        format_func=lambda way: said(WAY_LABELS[way]),
        required=True,
        wrap=True,
        help=help_text,
    )
    by: AblatedBy = selection().taken_away
    if by == "mean":
        return _mean_way()
    return _resampling_way() if by == "resample" else Way(by=by)


def _mean_way() -> Way | None:
    chosen = selection()
    texts, description = corpus()
    means = corpus_means(chosen.model, chosen.device, texts)
    st.caption(tr("Mean over {n} sentences: {corpus}.", n=len(texts), corpus=description))
    return None if means is None else Way(by="mean", means=means)


def _resampling_way() -> Way | None:
    chosen = selection()
    if not chosen.other.strip():
        choose(other=partner_of(chosen.text))
    st.text_input(tr("The other text"), key="other", placeholder="John lost his key, and now he is looking for it.")
    other = selection().other.strip()
    if not other:
        st.info(tr(NO_OTHER), icon=":material/edit:")
        return None
    return Way(by="resample", other=other)


def corpus() -> tuple[tuple[str, ...], Message]:
    """Return texts for the chosen model and their description: held-out texts of its training, or the Head atlas's
    sample.

    A hundred sentences of the sample are nearly as good as all (docs/performance.md).
    """
    own = texts_of(run_of(selection().model))
    if own:
        return tuple(text for text, _, _ in own[:N_TEXTS]), HELD_OUT
    languages = languages_of(selection().model)
    texts, is_korean = sample_texts(languages), sample_for(languages) == SAMPLE_KOREAN
    return texts[:: max(len(texts) // N_TEXTS, 1)][:N_TEXTS], SAMPLE_OF_KOREAN if is_korean else SAMPLE_OF_BOOKS
