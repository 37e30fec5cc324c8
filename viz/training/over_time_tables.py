"""The numbers of the pictures over time as tables, to take away."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pandas as pd

from models.values.history import HABIT_NAMES, History, Turn
from models.values.record import Kind
from viz.kit.tokens import visible


def share_table(history: History, *, kind: Kind) -> pd.DataFrame:
    """One row a snapshot and head: step, tokens, loss, accuracy, layer, head, and a column for every habit.

    Columns that begin with "unseen_" hold the shares on unseen text, where the run has them.
    """
    columns = {
        f"{prefix}{habit}": history.shares(kind, habit, unseen=unseen)
        for prefix, unseen in (("", False), ("unseen_", True))
        for habit in history.habits(kind, unseen=unseen)
    }
    record = history.last.recording.of(kind)
    rows = []
    for at, layer, head in np.ndindex(len(history.steps), record.n_layers, record.n_heads):
        snapshot = history.snapshots[at]
        measured = (snapshot.step, snapshot.tokens, snapshot.loss, snapshot.accuracy)
        rows.append((*measured, layer, head, *(float(shares[at, layer, head]) for shares in columns.values())))
    return pd.DataFrame(rows, columns=["step", "tokens", "loss", "accuracy", "layer", "head", *columns])


def turn_table(turns: Sequence[Turn]) -> pd.DataFrame:
    """One row a turn: head, what it does, the steps between which it does, and its shares there."""
    return pd.DataFrame(
        {
            "head": turn.name,
            "turns": f"{'to' if turn.is_towards else 'away from'} {HABIT_NAMES[turn.habit]}",
            "from step": turn.start_step,
            "to step": turn.end_step,
            "share before": turn.start_share,
            "share after": turn.end_share,
        }
        for turn in turns
    )


def written_table(history: History) -> pd.DataFrame:
    """What the model writes at every step, for a source; with the loss at that step."""
    return pd.DataFrame(
        {
            "step": history.steps,
            "loss": [snapshot.loss for snapshot in history.snapshots],
            "written": [visible(moment.written) for moment in history.moments],
        }
    )
