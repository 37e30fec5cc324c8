"""Answers of a trained model on held-out text, beside the truth."""

from __future__ import annotations

from collections.abc import Sequence

import pandas as pd
import streamlit as st

from lab import runs
from lab.questions import JudgedPair, MaskedWord, Results, WrittenText, read_results
from lab.runs import Run
from ui.state.plain import plain
from ui.widgets.frame import theme
from ui.widgets.pictures import numbers, picture
from ui.widgets.viewport import page_width
from viz.kit.language import said, to_say, tr
from viz.training.confusion import LabelledThings, confusion_figure
from viz.training.curves import answer_table

MANY_LABELS = 8
_RIGHT = ""
"""The column of a table of answers that says if each is right."""


def show_results(run: Run) -> None:
    """The answers of a finished run, each kind under its heading."""
    results = read_results(run.folder / runs.RESULTS)
    st.markdown(tr("#### How it does on text that it never saw"))
    if results.note:
        st.warning(tr("It could not be tested: {why}", why=plain(results.note)), icon=":material/help:")
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


def _table(table: pd.DataFrame, name: str, *, in_words: Sequence[str] = ()) -> None:
    """A table of answers, in the reader's language but for what a model or a person wrote; as a file it stays English.

    The cells of the columns `in_words` are our words.
    """
    shown = table.assign(**{column: table[column].map(said) for column in (_RIGHT, *in_words)})
    percent = st.column_config.NumberColumn(format="percent")
    st.dataframe(shown.rename(columns=said), hide_index=True, column_config={tr("probability"): percent})
    numbers(lambda: table, name)


def _counted(rights: Sequence[bool]) -> dict[str, int]:
    return {"right": sum(rights), "all": len(rights)}


def _masked(asked: Sequence[MaskedWord]) -> None:
    rights = [each.is_right for each in asked]
    st.markdown(
        tr(
            "**Hidden words:** **{right} of {all}** right. The true word and the likeliest guess, at every mask.",
            **_counted(rights),
        )
    )
    table = answer_table(
        [(each.true, each.guess, each.probability, each.rank, each.text) for each in asked],
        (
            to_say("true word"),
            to_say("guessed"),
            to_say("probability"),
            to_say("rank of the true word"),
            to_say("sentence"),
        ),
        rights,
    )
    _table(table, "hidden-words")


def _judged(asked: Sequence[JudgedPair]) -> None:
    rights = [each.is_right for each in asked]
    st.markdown(
        tr(
            "**Is next:** **{right} of {all}** right. Half of the pairs really follow each other, so guessing gets "
            "half right.",
            **_counted(rights),
        )
    )
    table = answer_table(
        [
            (_follows(each.follows), _follows(each.probability > 0.5), each.probability, each.first, each.second)
            for each in asked
        ],
        (to_say("truth"), to_say("said"), to_say("probability"), to_say("sentence A"), to_say("sentence B")),
        rights,
    )
    _table(table, "next-sentences", in_words=("truth", "said"))


def _follows(follows: bool) -> str:
    return to_say("follows") if follows else to_say("does not")


def _written(asked: Sequence[WrittenText]) -> None:
    rights = [each.is_right for each in asked]
    st.markdown(tr("**Written exactly right:** **{right} of {all}** right.", **_counted(rights)))
    table = answer_table(
        [(each.source, each.expected, each.written) for each in asked],
        (to_say("source"), to_say("expected"), to_say("written")),
        rights,
    )
    _table(table, "written")


def _continued(asked: Sequence[WrittenText]) -> None:
    st.markdown(tr("**Continued:** the start of a held-out text, and the likeliest words after it."))
    for each in asked:
        st.markdown(f"{plain(each.source)} **{plain(_added(each))}**")
        st.caption(tr("In the text: {words}", words=plain(each.expected)))


def _added(text: WrittenText) -> str:
    """Return the text written after the beginning, if the beginning was repeated."""
    return text.written.removeprefix(text.source).strip() or text.written


def _words(results: Results) -> None:
    asked = results.words
    usual = sum(each.usual == each.label for each in asked)
    st.markdown(
        tr(
            "**Labels of words:** **{right} of {all}** right. Who knows nothing but the label that each word had most "
            "often gets {usual} right: the difference is what the neighbours tell.",
            usual=usual,
            **_counted([each.is_right for each in asked]),
        )
    )
    _confusion(results, of="words")
    table = answer_table(
        [(each.word, each.label, each.said, each.probability, each.usual, each.sentence) for each in asked],
        (
            to_say("word"),
            to_say("true label"),
            to_say("said"),
            to_say("probability"),
            to_say("most often"),
            to_say("sentence"),
        ),
        [each.is_right for each in asked],
    )
    _table(table, "word-labels")


def _confusion(results: Results, *, of: LabelledThings) -> None:
    width = min(page_width(), 620 if len(results.labels) < MANY_LABELS else 860)
    picture(confusion_figure(results.labels, results.confusion, of=of, theme=theme(), width=width), "labels")


def _labelled(results: Results) -> None:
    n_asked = sum(map(sum, results.confusion))
    n_right = sum(results.confusion[at][at] for at in range(len(results.labels)))
    st.markdown(tr("**Labels:** **{right} of {all}** held-out texts right.", right=n_right, all=n_asked))
    _confusion(results, of="texts")
    if not results.wrong:
        st.markdown(tr("It got all of them right."))
        return
    st.markdown(tr("The ones that it got wrong, the most confident first:"))
    table = answer_table(
        [(each.label, each.said, each.probability, each.text) for each in results.wrong],
        (to_say("true label"), to_say("said"), to_say("probability"), to_say("text")),
        [each.is_right for each in results.wrong],
    )
    _table(table, "wrong-labels")
