"""The picture beside a question before its answer: what is asked for is covered, and not in the page's data."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import streamlit as st

from lessons import KINDS, Outcome
from lessons.places import head_to_begin_with
from models.opening.registry import Model
from models.values.answers import MASK
from ui.desk.ask import ask
from ui.lessons.pictures import DRAWN, Shown, draw_over_training, draw_positions, record_texts, view_width
from ui.state.navigation import (
    EXPLANATIONS,
    MASKED_WORDS,
    NEXT_SENTENCE,
    POSITIONS,
    SWITCHBOARD,
    TRAINING_LAB,
    WHAT_ATTENTION_COSTS,
    PageEntry,
)
from ui.state.plain import plain
from ui.widgets.frame import theme
from ui.widgets.pictures import picture
from viz.attention.covered import COVERED, covered_map
from viz.heads.switches import SIDES, Missing
from viz.kit.language import said, shown, tr
from viz.positions.learned import similarity_map
from viz.predictions.covered import covered_bars

N_WORDS = 5
"""Covered bars for words that the model has still to say."""
MOST_BARS = 20


def draw_covered(page: PageEntry, shown: Shown, outcome: Outcome) -> None:
    """Draw the picture of a page, if the lesson can draw it, without what the question asks for."""
    if page in DRAWN:
        COVERED_BY_PAGE.get(page, _map)(shown, outcome)


def draw_covered_bars(outcome: Outcome, *, title: str, key: str) -> None:
    """Draw the bars of an answer, all of one length."""
    figure = covered_bars([shown(name) for name, _ in outcome.bars], title=title, theme=theme(), width=view_width())
    picture(figure, f"lesson-covered-{key}")


def _map(shown: Shown, outcome: Outcome) -> None:
    """Draw the map of the head in question without the row that is asked about; of several heads, their mean."""
    counts_tokens = shown.ask.text("of") == "tokens"
    if counts_tokens or shown.ask.what == "written-right":
        _sentence(shown)
        return
    recording = record_texts(shown)
    record = next((record for record in recording.attention if record.kind == outcome.kind), recording.attention[0])
    layer, head = outcome.layer, outcome.head
    if layer is None:
        place = head_to_begin_with(recording, outcome.kind)
        record, layer, head = place.record, place.layer, place.head
    if KINDS[shown.ask.what].tap == "head":
        head = None
    rows = range(record.n_query) if shown.ask.what == "visible-cells" else [outcome.position]
    figure = covered_map(
        record,
        layer=layer,
        head=head,
        covered=[row for row in rows if row is not None],
        theme=theme(),
        width=view_width(),
    )
    picture(figure, f"lesson-covered-{shown.key}")


def _sentence(shown: Shown) -> None:
    """Draw the sentence alone: any picture would count its tokens, or show what is written for it."""
    with st.container(border=True), st.container(key="large-sentences"):
        for text in shown.texts:
            if text:
                st.subheader(plain(text), anchor=False)
        st.caption(said(COVERED))


def _bars(shown: Shown, names: list[str], title: str, known: tuple[float, ...] = ()) -> None:
    figure = covered_bars(names[:MOST_BARS], known=known, title=title, theme=theme(), width=view_width())
    picture(figure, f"lesson-covered-{shown.key}")


def _words(shown: Shown, _: Outcome) -> None:
    words = [*shown.ask.words("options")] or [*shown.ask.words("word")] or ["…"] * N_WORDS
    _bars(shown, words, tr("What fits here"))


def _next(shown: Shown, _: Outcome) -> None:
    _bars(shown, [*(shown.ask.words("options") or shown.ask.words("text_b"))], tr("Does B follow A?"))


def _answers(shown: Shown, outcome: Outcome) -> None:
    """Draw the probability with all heads, which the question gives, and cover the one without."""
    _without(shown, outcome, "heads")


def _without(shown: Shown, outcome: Outcome, missing: Missing) -> None:
    """Draw the probability of which nothing is missing, which is known, and cover the other one."""
    facts = dict(outcome.facts)
    title = tr("How probable “{word}” is", word=facts["word"].written)
    _bars(shown, [*map(said, SIDES[missing])], title, (float(facts["before"].value),))


def _attributions(shown: Shown, outcome: Outcome) -> None:
    if shown.ask.what == "left-out":
        _without(shown, outcome, "words")
        return
    names = outcome.options if shown.ask.what == "important-word" else shown.ask.text("text").split()
    _bars(shown, [name for name in names if MASK not in name], tr("How much each word matters"))


def _positions(shown: Shown, _: Outcome) -> None:
    """Draw the sentence as written without the shuffled one, or how alike positions are without the one in question."""
    if shown.ask.text("text"):
        draw_positions(shown, ("written",))
        st.caption(said(COVERED))
        return
    table = ask(*shown.asked, Model.positions).table
    if table is not None:
        figure = similarity_map(
            table,
            covered=int(shown.ask.text("position")),
            title=tr("How alike two positions are"),
            theme=theme(),
            width=view_width(),
        )
        picture(figure, f"lesson-covered-{shown.key}")


def _costs(shown: Shown, _: Outcome) -> None:
    """Draw the sentence, or cover what the cache of a public model takes."""
    if shown.ask.text("text"):
        _sentence(shown)
    else:
        _bars(shown, [shown.ask.text("shape")], tr("The cache of one text"))


def _over_training(shown: Shown, _: Outcome) -> None:
    """Draw the map before the training and at its end, without the snapshots between."""
    draw_over_training(shown, is_whole=False)
    st.caption(said(COVERED))


COVERED_BY_PAGE: Mapping[PageEntry, Callable[[Shown, Outcome], None]] = {
    MASKED_WORDS: _words,
    NEXT_SENTENCE: _next,
    SWITCHBOARD: _answers,
    EXPLANATIONS: _attributions,
    POSITIONS: _positions,
    TRAINING_LAB: _over_training,
    WHAT_ATTENTION_COSTS: _costs,
}
"""The pages whose covered picture is none of a head's map."""
