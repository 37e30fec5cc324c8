"""The numbers of the pictures over time as tables, to take away."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pandas as pd

from models.values.history import HeadChange, History
from models.values.record import Kind
from viz.kit.language import said, tr
from viz.kit.tokens import visible
from viz.training.over_time.told import best_of, words_of


def share_table(history: History, *, kind: Kind) -> pd.DataFrame:
    """Return one row for each snapshot and head: step, tokens, loss, accuracy, layer, head, and a column for every
    measure.

    Columns that begin with "unseen_" hold the shares on unseen text, where the run has them.
    """
    columns = {
        f"{prefix}{measure.name}": history.shares(kind, measure.name, unseen=unseen)
        for prefix, unseen in (("", False), ("unseen_", True))
        for measure in history.measures(kind, unseen=unseen)
    }
    record = history.last.recording.of(kind)
    rows = []
    for number, layer, head in np.ndindex(len(history.iterations), record.n_layers, record.n_heads):
        snapshot = history.snapshots[number]
        measured = (snapshot.iteration, snapshot.tokens, snapshot.loss, snapshot.accuracy)
        rows.append((*measured, layer, head, *(float(shares[number, layer, head]) for shares in columns.values())))
    return pd.DataFrame(rows, columns=["step", "tokens", "loss", "accuracy", "layer", "head", *columns])


def change_table(changes: Sequence[HeadChange]) -> pd.DataFrame:
    """Return a row for each change: head, what it does, the iterations between which it changes, and its shares there;
    in the current language."""
    return pd.DataFrame(
        {
            tr("head"): said(change.name),
            tr("changes"): _what_changes(change),
            tr("from iteration"): change.start_iteration,
            tr("to iteration"): change.end_iteration,
            tr("share before"): change.start_share,
            tr("share after"): change.end_share,
        }
        for change in changes
    )


def _what_changes(change: HeadChange) -> str:
    place = said(change.measure.title)
    return tr("attends to {place}", place=place) if change.is_towards else tr("ignores {place}", place=place)


def written_table(history: History) -> pd.DataFrame:
    """Return a table of the text written at every snapshot, with the loss, in the current language."""
    return pd.DataFrame(
        {
            tr("step"): history.iterations,
            tr("loss"): ["" if snapshot.loss is None else f"{snapshot.loss:.3g}" for snapshot in history.snapshots],
            tr("written"): [visible(reading.written) for reading in history.readings],
        }
    )


def answer_table(history: History, *, top_k: int) -> pd.DataFrame:
    """Return the columns step, question, position, rank, answer, piece, probability: the best answers of every
    snapshot."""
    rows = []
    for iteration, reading in zip(history.iterations, history.readings, strict=True):
        answer = reading.answer
        if answer is None:
            continue
        for which, position in enumerate(answer.positions):
            (ids,), (chances,) = best_of([answer], which, top_k)
            for rank, (word, one, chance) in enumerate(zip(words_of(answer, ids), ids, chances, strict=True), start=1):
                rows.append((iteration, which, position, rank, word, visible(answer.vocabulary[one]), float(chance)))
    names = ["step", "question", "position", "rank", "answer", "piece", "probability"]
    return pd.DataFrame(rows, columns=names)
