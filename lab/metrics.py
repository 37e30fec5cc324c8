"""The numbers of a run as it goes: one table for the curves, and where it stands now."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import pandas as pd

from models.training.trainer.metric_lines import read_metrics

COLUMNS = (
    "step",
    "tokens",
    "seconds",
    "rate",
    "loss",
    "accuracy",
    "held_out_loss",
    "held_out_accuracy",
)
"""Of every run; a task may measure more, each as "held_out_" and its name."""
RECENT = 20
"""Lines over which a speed is taken."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RunProgress:
    """The progress of a run: speeds over its last lines, `seconds_left` at that speed; unknown values are None."""

    iteration: int
    iterations: int
    tokens: int
    seconds: float
    tokens_per_second: float | None
    seconds_left: float | None
    loss: float | None
    accuracy: float | None
    held_out: dict[str, float]

    @property
    def share(self) -> float:
        """Return the fraction of the run that is done, 0 to 1."""
        return min(self.iteration / self.iterations, 1.0)


def read_curves(path: Path) -> pd.DataFrame:
    """Return a line for every few iterations, `step` in the file; held-out columns are NaN where nothing was measured.

    A half-written line is left.
    """
    table = pd.DataFrame(list(read_metrics(path)))
    for name in COLUMNS:
        if name not in table:
            table[name] = float("nan")
    return table[[*COLUMNS, *(name for name in table if name not in COLUMNS)]].drop_duplicates("step", keep="last")


def progress_of(curves: pd.DataFrame, iterations: int) -> RunProgress:
    """Return the progress of a run of `iterations` iterations."""
    if curves.empty:
        return RunProgress(
            iteration=0,
            iterations=iterations,
            tokens=0,
            seconds=0.0,
            tokens_per_second=None,
            seconds_left=None,
            loss=None,
            accuracy=None,
            held_out={},
        )
    last, recent = curves.iloc[-1], curves.tail(RECENT)
    seconds = float(recent["seconds"].iloc[-1] - recent["seconds"].iloc[0])
    n_iterations = float(recent["step"].iloc[-1] - recent["step"].iloc[0])
    n_tokens = float(recent["tokens"].iloc[-1] - recent["tokens"].iloc[0])
    is_known = seconds > 0 and n_iterations > 0
    return RunProgress(
        iteration=int(last["step"]),
        iterations=iterations,
        tokens=int(last["tokens"]),
        seconds=float(last["seconds"]),
        tokens_per_second=n_tokens / seconds if is_known else None,
        seconds_left=(iterations - last["step"]) * seconds / n_iterations if is_known else None,
        loss=float(recent["loss"].mean()),
        accuracy=float(recent["accuracy"].mean()),
        held_out=last_held_out(curves),
    )


def last_held_out(curves: pd.DataFrame) -> dict[str, float]:
    """Return the last measurements on the held-out part, by name without "held_out_"."""
    names = [name for name in curves if str(name).startswith("held_out_")]
    measured = curves[names].dropna(how="all")
    if measured.empty:
        return {}
    return {str(name).removeprefix("held_out_"): float(value) for name, value in measured.iloc[-1].dropna().items()}
