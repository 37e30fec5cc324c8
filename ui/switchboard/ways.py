"""What a head gives that is switched off: nothing, an even look, its mean over a corpus, its output in another text."""

from __future__ import annotations

import streamlit as st

from models.analysis.over_texts.corpus import sample_texts
from models.values.results.effects import AblatedBy
from ui.state.selection import selection
from ui.state.sources import run_of, texts_of
from ui.switchboard.asks import Way, corpus_means
from ui.switchboard.examples import partner_of
from viz.heads.effects import WAYS

WAY_LABELS: dict[AblatedBy, str] = {
    "zero": "Zero",
    "uniform": "Uniform",
    "mean": "Mean of a corpus",
    "resample": "From another text",
}
N_TEXTS = 100
MEAN_OF = "Mean over {} sentences: {}."
SAMPLE_OF_BOOKS = "every tenth of the Head atlas's public sample, from 75 books in the public domain"
NO_OTHER = "Type another text: a head that is switched off gives what it gives there."


def pick_way() -> Way | None:
    """The choice, with what it needs; None where that is missing, which is said."""
    state = st.session_state
    help_text = "\n".join(f"- **{label}:** a head that is off {WAYS[by]}." for by, label in WAY_LABELS.items())
    st.segmented_control(
        "A head that is off gives …", list(WAY_LABELS), key="taken_away", format_func=WAY_LABELS.__getitem__,
        required=True, wrap=True, help=help_text,
    )  # fmt: skip
    by: AblatedBy = state["taken_away"]
    if by == "mean":
        return _mean()
    return _resampled() if by == "resample" else Way(by=by)


def _mean() -> Way | None:
    chosen = selection()
    texts, called = corpus()
    means = corpus_means(chosen.model, chosen.device, texts)
    st.caption(MEAN_OF.format(len(texts), called))
    return None if means is None else Way(by="mean", means=means)


def _resampled() -> Way | None:
    if not st.session_state["other"].strip():
        st.session_state["other"] = partner_of(st.session_state["text"])
    st.text_input("The other text", key="other", placeholder="John lost his key, and now he is looking for it.")
    other = selection().other.strip()
    if not other:
        st.info(NO_OTHER, icon=":material/edit:")
        return None
    return Way(by="resample", other=other)


def corpus() -> tuple[tuple[str, ...], str]:
    """Texts that the chosen model can read, and what they are: its own, if it was trained here, or the sample of the
    Head atlas. A hundred of its sentences are nearly as good as all (docs/performance.md)."""
    own = texts_of(run_of(st.session_state["model"]))
    if own:
        return tuple(text for text, _, _ in own[:N_TEXTS]), "text that was held out of its training"
    texts = sample_texts()
    return texts[:: max(len(texts) // N_TEXTS, 1)][:N_TEXTS], SAMPLE_OF_BOOKS
