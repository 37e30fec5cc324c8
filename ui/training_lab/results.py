"""What a trained model answers on text that was held out, beside the truth."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from models.training.lab import runs
from models.training.lab.questions import JudgedPair, MaskedWord, Results, WrittenText, read_results
from models.training.lab.runs import Run
from ui.widgets.frame import theme
from ui.widgets.pictures import numbers, picture
from ui.widgets.plain import plain
from ui.widgets.viewport import page_width
from viz.training.curves import answer_table, confusion_figure

MANY_LABELS = 8
_PERCENT = {"probability": st.column_config.NumberColumn(format="percent")}


def show_results(run: Run) -> None:
    """The answers of a finished run, each kind under its heading."""
    results = read_results(run.folder / runs.RESULTS)
    st.markdown("#### How it does on text that it never saw")
    if results.note:
        st.warning(f"It could not be tested: {plain(results.note)}", icon=":material/help:")
    if results.masked:
        _masked(results.masked)
    if results.judged:
        _judged(results.judged)
    if results.written:
        _written(results.written)
    if results.continued:
        _continued(results.continued)
    if results.words:
        _words(results)
    elif results.labels:
        _labelled(results)


def _share(rights: Sequence[bool]) -> str:
    return f"**{sum(rights)} of {len(rights)}** right"


def _masked(asked: Sequence[MaskedWord]) -> None:
    rights = [each.is_right for each in asked]
    st.markdown(f"**Hidden words:** {_share(rights)}. The true word and the likeliest guess, at every mask.")
    table = answer_table(
        [(each.true, each.guess, each.probability, each.rank, each.text) for each in asked],
        ("true word", "guessed", "probability", "rank of the true word", "sentence"),
        rights,
    )
    st.dataframe(table, hide_index=True, column_config=_PERCENT)
    numbers(lambda: table, "hidden-words")


def _judged(asked: Sequence[JudgedPair]) -> None:
    rights = [each.is_right for each in asked]
    st.markdown(
        f"**Is next:** {_share(rights)}. Half of the pairs really follow each other, so guessing gets half right."
    )
    table = answer_table(
        [(_follows(each.follows), _follows(each.probability > 0.5), each.probability, each.first, each.second)
         for each in asked],
        ("truth", "said", "probability", "sentence A", "sentence B"),
        rights,
    )  # fmt: skip
    st.dataframe(table, hide_index=True, column_config=_PERCENT)
    numbers(lambda: table, "next-sentences")


def _follows(follows: bool) -> str:
    return "follows" if follows else "does not"


def _written(asked: Sequence[WrittenText]) -> None:
    rights = [each.is_right for each in asked]
    st.markdown(f"**Written exactly right:** {_share(rights)}.")
    table = answer_table(
        [(each.source, each.expected, each.written) for each in asked], ("source", "expected", "written"), rights
    )
    st.dataframe(table, hide_index=True)
    numbers(lambda: table, "written")


def _continued(asked: Sequence[WrittenText]) -> None:
    st.markdown("**Continued:** the start of a held-out text, and the likeliest words after it.")
    for each in asked:
        st.markdown(f"{plain(each.source)} **{plain(_added(each))}**")
        st.caption(f"In the text: {plain(each.expected)}")


def _added(text: WrittenText) -> str:
    """What was written after the beginning, if the beginning was repeated."""
    return text.written.removeprefix(text.source).strip() or text.written


def _words(results: Results) -> None:
    asked = results.words
    usual = sum(each.usual == each.label for each in asked)
    st.markdown(
        f"**Labels of words:** {_share([each.is_right for each in asked])}. Who knows nothing but the label that each "
        f"word had most often gets {usual} right: the difference is what the neighbours tell."
    )
    _confusion(results, of="words")
    table = answer_table(
        [(each.word, each.label, each.said, each.probability, each.usual, each.sentence) for each in asked],
        ("word", "true label", "said", "probability", "most often", "sentence"),
        [each.is_right for each in asked],
    )
    st.dataframe(table, hide_index=True, column_config=_PERCENT)
    numbers(lambda: table, "word-labels")


def _confusion(results: Results, *, of: str) -> None:
    width = min(page_width(), 620 if len(results.labels) < MANY_LABELS else 860)
    picture(confusion_figure(results.labels, results.confusion, of=of, theme=theme(), width=width), "labels")


def _labelled(results: Results) -> None:
    n_asked = sum(map(sum, results.confusion))
    n_right = sum(results.confusion[at][at] for at in range(len(results.labels)))
    st.markdown(f"**Labels:** **{n_right} of {n_asked}** held-out texts right.")
    _confusion(results, of="texts")
    if not results.wrong:
        st.markdown("It got all of them right.")
        return
    st.markdown("The ones that it got wrong, the most confident first:")
    table = answer_table(
        [(each.label, each.said, each.probability, each.text) for each in results.wrong],
        ("true label", "said", "probability", "text"),
        [each.is_right for each in results.wrong],
    )
    st.dataframe(table, hide_index=True, column_config=_PERCENT)
    numbers(lambda: table, "wrong-labels")
