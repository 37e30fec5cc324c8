"""The atlas of the chosen model: read from its folder, or computed in the background with progress.

A corpus is read in parts, whose sums are cached: stopping loses nothing. Other readers get their turn between two
parts.
"""

from __future__ import annotations

import streamlit as st

from models.analysis.over_texts.atlas import atlases_of, merge_sums, sums_of_texts
from models.analysis.over_texts.corpus import CorpusText
from models.analysis.over_texts.sums import AtlasSums
from models.opening.registry import Model
from models.values.record import Kind
from models.values.results.atlas import HeadAtlas
from ui.desk.ask import in_turn
from ui.desk.cache import Kept
from ui.desk.long_answers import long_question
from ui.desk.long_work import WorkProgress
from ui.heads.head_atlas.corpus import ReadersCorpus
from ui.widgets.atlases import embedded_atlases
from viz.kit.language import to_say, trn

TEXTS_AT_ONCE = 10
_SUMS: Kept[tuple[tuple[str, ...], tuple[CorpusText, ...]], dict[Kind, AtlasSums]] = Kept("sums of an atlas")
_ASKED = "headlight_asked_atlases"


def atlas_for(name: str, device: str, corpus: ReadersCorpus) -> tuple[HeadAtlas, ...] | None:
    """Return the atlases of a model over a corpus, one for each self-attention; None until the reader has asked for
    them, or if the reader has stopped the work."""
    embedded = () if corpus.key else embedded_atlases(name)
    if embedded:
        return embedded
    asked, work = st.session_state.setdefault(_ASKED, set()), (name, device, corpus.key)
    if work not in asked:
        n_texts = len(corpus.texts)
        label = trn(
            "Read {count} text, and make the atlas of this model",
            "Read {count} texts, and make the atlas of this model",
            n_texts,
            count=f"{n_texts:,}",
        )
        st.button(
            label,
            type="primary",
            icon=":material/play_arrow:",
            on_click=asked.add,
            args=(work,),
        )
        return None
    return make_atlases(name, device, corpus.texts)


@long_question(to_say("Reading the texts"))
def make_atlases(model: Model, progress: WorkProgress, texts: tuple[CorpusText, ...]) -> tuple[HeadAtlas, ...]:
    """Compute the atlases of a model over some texts, part by part."""
    sums: dict[Kind, AtlasSums] = {}
    for start in range(0, len(texts), TEXTS_AT_ONCE):
        progress.tell(start, len(texts))
        sums = merge_sums(sums, _sums(model, texts[start : start + TEXTS_AT_ONCE]))
    return in_turn(model, lambda free: atlases_of(free, sums))


def _sums(model: Model, texts: tuple[CorpusText, ...]) -> dict[Kind, AtlasSums]:
    """Return the cached sums of a part of the corpus."""
    key = model.info.identity, texts
    return _SUMS.get(key, lambda: in_turn(model, lambda free: sums_of_texts(free, texts)))
