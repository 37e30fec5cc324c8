"""The view of a step: the page's picture if the lesson can draw it, and a link to the page."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, replace
from typing import Any

import plotly.graph_objects as go
import streamlit as st

from lessons import Ask, Outcome
from lessons.answers.effects import A_CHANGE, each_head_off
from lessons.answers.explanations import answers_left_out
from lessons.answers.training import first_that_attends, read_over_training
from models.inspection.costs.online_softmax import walk_blocks
from models.inspection.costs.public_shapes import PUBLIC_SHAPES
from models.opening.registry import Model
from models.tasks.sampling import read_choices, sampling_steps
from models.values.history import ends_of
from models.values.record import Recording
from models.values.results.attribution import NO_WORDS
from ui.desk.ask import ask
from ui.lessons.computed import answer_with, attribute_by_methods
from ui.lessons.views import LessonView, as_query, complete_choices, head_choices
from ui.state.choices import COST_PARTS, DEFAULTS
from ui.state.navigation import (
    ATTENTION,
    BERT_AND_GPT,
    EXPLANATIONS,
    HOME,
    MASKED_WORDS,
    NEXT_SENTENCE,
    POSITIONS,
    QUERIES,
    SWITCHBOARD,
    TRAINING_LAB,
    WHAT_ATTENTION_COSTS,
    PageEntry,
    link,
)
from ui.state.selection import fit, take_over
from ui.widgets.browser.viewport import column_widths
from ui.widgets.frame import theme
from ui.widgets.pictures import picture
from ui.widgets.viewer import PLAIN, viewer
from viz.heads.attribution.explained import word_bars as explained_bars
from viz.heads.effects import probability_map
from viz.heads.switches import answers_beside
from viz.kit.language import said, shown, tr
from viz.kit.parsing import MEAN
from viz.positions.learned import similarity_map
from viz.positions.shuffled import shuffled_map, written_map
from viz.predictions.masked_words import word_bars
from viz.predictions.named_bars import named_bars
from viz.predictions.next_sentence import next_sentence_bar
from viz.training.over_time.film import film_strip
from viz.vectors.query_bands import query_bands
from viz.viewer.choices import SHARED
from viz.writing.blocks import block_bars
from viz.writing.memory import cache_lines
from viz.writing.sampling import sampling_bars
from viz.writing.timed import token_times

_ENTERED = "headlight_lesson_view"
WORDS = 8
SHARES = (4, 5)
"""The relative widths of the words and of the view."""
OF_HEADS = ("layers", "heads", "all-heads")
"""What is counted that only the small maps of all heads show."""
BEGIN_WITH_A_HEAD = (HOME, ATTENTION, BERT_AND_GPT, QUERIES)
"""The pages whose picture is of a head, also where a question names none."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Shown:
    """The content of a view: the choices of its page, and the question. `key` identifies the view."""

    choices: Mapping[str, Any]
    ask: Ask
    asked: tuple[str, str]
    """Model and device."""
    key: str
    position: int | None = None
    """The token whose row is in question."""

    @property
    def texts(self) -> tuple[str, str | None]:
        """Sentence A, and sentence B if there is one."""
        return self.ask.text("text"), self.ask.text("text_b") or None


def draw_view(view: LessonView, ask: Ask, outcome: Outcome, *, asked: tuple[str, str], key: str) -> None:
    """Draw the picture, if the lesson can draw this page's, and the link to the page with the same choices."""
    shown = Shown(
        choices=complete_choices(view, ask, outcome, asked[0]), ask=ask, asked=asked, key=key, position=outcome.position
    )
    if view.page in BEGIN_WITH_A_HEAD and "layer" not in shown.choices and shown.texts[0]:
        shown = replace(shown, choices={**shown.choices, **head_choices(view.page, shown.choices, record_texts(shown))})
    draw = DRAWN.get(view.page)
    if draw is not None:
        draw(shown)
    query = as_query(shown.choices)
    if all(len(value) < 2000 for value in query.values()):
        link(view.page, query, label=tr("Open in {page}", page=said(view.page.title)))


def draw_bars(outcome: Outcome, *, title: str, key: str) -> None:
    """Draw the numbers of an answer that has a bar for each."""
    figure = named_bars(
        [shown(name) for name, _ in outcome.bars],
        [float(fact.value) for _, fact in outcome.bars],
        texts=[fact.written for _, fact in outcome.bars],
        title=title,
        theme=theme(),
        width=view_width(),
    )
    picture(figure, f"lesson-bars-{key}")


def record_texts(shown: Shown) -> Recording:
    """Return the texts of the question, read by the model that is asked."""
    return ask(*shown.asked, Model.record, *shown.texts)


def _map(shown: Shown) -> None:
    """Draw the viewer, which shows and changes the shared layer and head; they are set when the step is entered."""
    choices = {"head": MEAN, **shown.choices}
    entered = (shown.key, shown.ask, shown.asked, choices["head"])
    if st.session_state.get(_ENTERED) != entered:
        st.session_state[_ENTERED] = entered
        take_over({name: value for name, value in choices.items() if name in SHARED})
    recording = record_texts(shown)
    fit(recording)
    all_heads = shown.ask.what == "strongest-head" or shown.ask.text("of") in OF_HEADS
    asked = {name: choices[name] for name in PLAIN["map"] if name in choices}
    held = () if shown.position is None else (shown.position,)
    viewer(recording, key=f"lesson-viewer-{shown.key}", shows="heads" if all_heads else "map", locked=held, **asked)


def _words(shown: Shown) -> None:
    masked = ask(*shown.asked, Model.masked_words, *shown.texts)
    if masked.positions:
        picture(word_bars(masked, mask=0, top_k=WORDS, theme=theme(), width=view_width()), f"lesson-words-{shown.key}")


def _next(shown: Shown) -> None:
    for place, text_b in enumerate(shown.ask.words("options") or (shown.ask.text("text_b"),)):
        if len(shown.ask.words("options")) > 1:
            st.text(f"{shown.ask.text('text')} {text_b}")
        probability = ask(*shown.asked, Model.next_sentence, shown.ask.text("text"), text_b)
        bar = next_sentence_bar(probability, theme=theme(), width=view_width())
        picture(bar, f"lesson-next-{shown.key}-{place}")


def _bands(shown: Shown) -> None:
    record = record_texts(shown).of(shown.choices["kind"])
    place = {
        "layer": shown.choices["layer"],
        "head": shown.choices["head"],
        "position": max(0, shown.choices.get("query", 0)),
    }
    picture(query_bands(record, **place, theme=theme(), width=view_width()), f"lesson-bands-{shown.key}")


def _answers(shown: Shown) -> None:
    """Draw the answers with all heads and without one, or how each head changes the answer if that is asked."""
    if shown.ask.what == "heads-that-matter":
        figure = probability_map(
            ask(*shown.asked, each_head_off, shown.ask), least=A_CHANGE, theme=theme(), width=view_width()
        )
        picture(figure, f"lesson-heads-{shown.key}")
        return
    if "layer" not in shown.choices:
        return
    off = ((shown.choices["kind"], shown.choices["layer"], shown.choices["head"]),)
    whole, without = (ask(*shown.asked, answer_with, shown.ask.text("text"), heads) for heads in ((), off))
    st.text(tr("Off: Layer {layer} · Head {head}", layer=shown.choices["layer"], head=shown.choices["head"]))
    picture(answers_beside(whole, without, theme=theme(), width=view_width()), f"lesson-answers-{shown.key}")


def _attributions(shown: Shown) -> None:
    """Draw what was asked: the answers to the whole text and without a word, or the words by the methods."""
    if shown.ask.what == "left-out":
        whole, without = ask(*shown.asked, answers_left_out, shown.ask)
        figure = answers_beside(whole, without, missing="words", theme=theme(), width=view_width())
        picture(figure, f"lesson-left-out-{shown.key}")
        return
    methods = tuple(name for name in (shown.ask.text("method"), shown.ask.text("other")) if name) or ("leave_out",)
    for attribution in (
        attribute_by_methods(*shown.asked, shown.ask.text("text"), shown.ask.text("word"), methods) or ()
    ):
        if not attribution.n_words:
            st.info(said(NO_WORDS), icon=":material/edit:")
            return
        figure = explained_bars(attribution, theme=theme(), width=view_width())
        picture(figure, f"lesson-{attribution.method}-{shown.key}")


def _costs(shown: Shown) -> None:
    """Draw the part of the page "What attention costs" that the view names, as that page draws it."""
    picture(COSTS_DRAWN[shown.choices.get("cost", COST_PARTS[0])](shown), f"lesson-costs-{shown.key}")


def _times(shown: Shown) -> go.Figure:
    times = ask(*shown.asked, Model.time_writing, shown.ask.text("text"))
    return token_times(times, number=len(times.tokens) - 1, theme=theme(), width=view_width())


def _memory(_: Shown) -> go.Figure:
    return cache_lines(PUBLIC_SHAPES, theme=theme(), width=view_width())


def _blocks(shown: Shown) -> go.Figure:
    """Draw the row in question after its last block."""
    recording, chosen = record_texts(shown), shown.choices
    record = recording.of(chosen.get("kind", recording.kinds[0]))
    query = chosen.get("query", record.n_query - 1)
    blocks = walk_blocks(record, layer=chosen.get("layer", 0), head=chosen.get("head", 0), query=query)
    return block_bars(record, blocks, query=query, number=len(blocks) - 1, theme=theme(), width=view_width())


def _sampling(shown: Shown) -> go.Figure:
    """Draw the distribution with the settings of the link, the others being those with which the page opens."""
    answer = ask(*shown.asked, Model.answer_logits, shown.ask.text("text"), of="next")
    chosen = DEFAULTS | dict(shown.choices)
    steps = sampling_steps(
        answer.logits,
        read_choices(answer),
        repetition_penalty=chosen["repetition_penalty"],
        temperature=chosen["writing_temperature"],
        top_k=chosen["writing_top_k"],
        top_p=chosen["top_p"],
        min_p=chosen["min_p"],
    )
    return sampling_bars(steps, answer.choices, theme=theme(), width=view_width())


def draw_positions(shown: Shown, orders: Collection[str] = ("written", "shuffled")) -> None:
    """Draw the maps of a sentence in these orders, or how alike the positions of the model are."""
    if not shown.ask.text("text"):
        table = ask(*shown.asked, Model.positions).table
        if table is not None:
            figure = similarity_map(table, title=tr("How alike two positions are"), theme=theme(), width=view_width())
            picture(figure, f"lesson-positions-{shown.key}")
        return
    with_positions = shown.ask.text("positions") != "no"
    pair = ask(*shown.asked, Model.record_shuffled, shown.ask.text("text"), with_positions=with_positions, seed=0)
    for draw, name in ((written_map, "written"), (shuffled_map, "shuffled")):
        if name in orders:
            picture(draw(pair, layer=0, head=0, theme=theme(), width=view_width()), f"lesson-{name}-{shown.key}")


def draw_over_training(shown: Shown, *, is_whole: bool = True) -> None:
    """Draw the map of the head in question at every snapshot of the model's training, or at the first and the last."""
    if "layer" not in shown.choices or not shown.ask.text("text"):
        return
    history = ask(*shown.asked, read_over_training, shown.ask.text("text"))
    history = history if is_whole else ends_of(history)
    kind, layer, head = (shown.choices[name] for name in ("kind", "layer", "head"))
    measure, begun = shown.ask.text("measure"), None
    if measure:
        begun = first_that_attends(history.shares(kind, measure)[:, layer, head].tolist())
    strip = film_strip(
        history,
        kind=kind,
        layer=layer,
        head=head,
        at=len(history.snapshots) - 1 if begun is None else begun,
        measure=measure or None,
        is_choice=False,
        theme=theme(),
        width=view_width(),
    )
    picture(strip, f"lesson-over-training-{shown.key}")


def view_width() -> int:
    """Return the width of a picture beside the words of a step, in CSS pixels."""
    return column_widths(*SHARES)[1]


COSTS_DRAWN: dict[str, Callable[[Shown], go.Figure]] = dict(
    zip(COST_PARTS, (_times, _memory, _blocks, _sampling), strict=True)
)
DRAWN: dict[PageEntry, Callable[[Shown], None]] = {
    HOME: _map,
    ATTENTION: _map,
    BERT_AND_GPT: _map,
    QUERIES: _bands,
    MASKED_WORDS: _words,
    NEXT_SENTENCE: _next,
    POSITIONS: draw_positions,
    SWITCHBOARD: _answers,
    EXPLANATIONS: _attributions,
    TRAINING_LAB: draw_over_training,
    WHAT_ATTENTION_COSTS: _costs,
}
"""The pages whose picture a lesson draws; it links to the others."""
