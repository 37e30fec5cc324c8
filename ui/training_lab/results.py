"""Answers of a trained model on held-out text, beside the truth."""

from __future__ import annotations

from collections.abc import Sequence

import pandas as pd
import streamlit as st

from lab import runs
from lab.questions import JudgedPair, MaskedWord, Results, WrittenText, read_results
from lab.runs import Run
from ui.state.plain import plain
from ui.widgets.browser.viewport import page_width
from ui.widgets.frame import theme
from ui.widgets.pictures import numbers, picture
from viz.kit.labels import label_text
from viz.kit.language import said, to_say, tr
from viz.training.confusion import LabelledThings, confusion_figure
from viz.training.curves import answer_table

MANY_LABELS = 8
_RIGHT = ""
"""The column of a table of answers with whether each is right."""


def show_results(run: Run) -> None:
    """Draw the answers of a finished run, each kind under its heading."""
    results = read_results(run.folder / runs.RESULTS)
    st.markdown(tr("#### How it does on text that it never saw"))
    if results.note:
        st.warning(tr("It could not be tested: {why}", why=plain(results.note)), icon=":material/help:")
    if results.masked:
        _show_masked_words(results.masked)
    if results.judged:
        _show_judged_pairs(results.judged)
    if results.written:
        _show_written_texts(results.written)
    if results.continued:
        _show_continued_texts(results.continued)
    if results.words:
        _show_labelled_words(results)
    elif results.labels:
        _show_labelled_texts(results)


def _table(table: pd.DataFrame, name: str, *, in_words: Sequence[str] = ()) -> None:
    """Draw a table of answers with its file.

    The reader's language is used for all but what a model or a person wrote, and in the columns `in_words`; the file
    stays English.
    """
    shown = table.assign(**{column: table[column].map(said) for column in (_RIGHT, *in_words)})
    percent = st.column_config.NumberColumn(format="percent")
    st.dataframe(shown.rename(columns=said), hide_index=True, column_config={tr("probability"): percent})
    numbers(lambda: table, name)


def _count_right(rights: Sequence[bool]) -> dict[str, int]:
    return {"right": sum(rights), "all": len(rights)}


def _show_masked_words(asked: Sequence[MaskedWord]) -> None:
    rights = [word.is_right for word in asked]
    st.markdown(
        tr(
            "**Hidden words:** **{right} of {all}** right. The true word and the likeliest guess, at every mask.",
            **_count_right(rights),
        )
    )
    table = answer_table(
        [(word.true, word.guess, word.probability, word.rank, word.text) for word in asked],
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


def _show_judged_pairs(asked: Sequence[JudgedPair]) -> None:
    rights = [pair.is_right for pair in asked]
    st.markdown(
        tr(
            "**Is next:** **{right} of {all}** right. Half of the pairs really follow each other, so guessing gets "
            "half right.",
            **_count_right(rights),
        )
    )
    table = answer_table(
        [
            (_follows(pair.follows), _follows(pair.probability > 0.5), pair.probability, pair.first, pair.second)
            for pair in asked
        ],
        (to_say("truth"), to_say("said"), to_say("probability"), to_say("sentence A"), to_say("sentence B")),
        rights,
    )
    _table(table, "next-sentences", in_words=("truth", "said"))


def _follows(follows: bool) -> str:
    return to_say("follows") if follows else to_say("does not")


def _show_written_texts(asked: Sequence[WrittenText]) -> None:
    rights = [text.is_right for text in asked]
    st.markdown(tr("**Written exactly right:** **{right} of {all}** right.", **_count_right(rights)))
    table = answer_table(
        [(text.source, text.expected, text.written) for text in asked],
        (to_say("source"), to_say("expected"), to_say("written")),
        rights,
    )
    _table(table, "written")


def _show_continued_texts(asked: Sequence[WrittenText]) -> None:
    st.markdown(tr("**Continued:** the start of a held-out text, and the likeliest words after it."))
    for text in asked:
        st.markdown(f"{plain(text.source)} **{plain(_strip_source(text))}**")
        st.caption(tr("In the text: {words}", words=plain(text.expected)))


def _strip_source(text: WrittenText) -> str:
    """Return what was written after the source, if it begins with that."""
    return text.written.removeprefix(text.source).strip() or text.written


def _show_labelled_words(results: Results) -> None:
    asked = results.words
    usual = sum(word.usual == word.label for word in asked)
    st.markdown(
        tr(
            "**Labels of words:** **{right} of {all}** right. Who knows nothing but the label that each word had most "
            "often gets {usual} right: the difference is what the neighbours tell.",
            usual=usual,
            **_count_right([word.is_right for word in asked]),
        )
    )
    _confusion(results, of="words")
    table = answer_table(
        [(word.word, word.label, word.said, word.probability, word.usual, word.sentence) for word in asked],
        (
            to_say("word"),
            to_say("true label"),
            to_say("said"),
            to_say("probability"),
            to_say("most often"),
            to_say("sentence"),
        ),
        [word.is_right for word in asked],
    )
    _table(table, "word-labels")


def _confusion(results: Results, *, of: LabelledThings) -> None:
    width = min(page_width(), 620 if len(results.labels) < MANY_LABELS else 860)
    picture(confusion_figure(results.labels, results.confusion, of=of, theme=theme(), width=width), "labels")


def _show_labelled_texts(results: Results) -> None:
    n_asked = sum(map(sum, results.confusion))
    n_right = sum(results.confusion[number][number] for number in range(len(results.labels)))
    st.markdown(tr("**Labels:** **{right} of {all}** held-out texts right.", right=n_right, all=n_asked))
    _confusion(results, of="texts")
    if not results.wrong:
        st.markdown(tr("It got all of them right."))
        return
    st.markdown(tr("The ones that it got wrong, the most confident first:"))
    table = answer_table(
        [(label_text(text.label), label_text(text.said), text.probability, text.text) for text in results.wrong],
        (to_say("true label"), to_say("said"), to_say("probability"), to_say("text")),
        [text.is_right for text in results.wrong],
    )
    _table(table, "wrong-labels")
