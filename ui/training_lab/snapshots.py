"""The snapshots of a run, and what each of them makes of a text: read once for all sessions."""

from __future__ import annotations

import time
from pathlib import Path

import streamlit as st

from models.training.evaluation.over_time import moment_of, snapshots_of, written_at
from models.values.errors import ModelLoadError
from models.values.history import History, Moment, Run, history_of
from ui.state.cache import Kept
from ui.state.opened import take_turn

RUN_IS_FRESH = 5.0
"""A run may be going on: so many seconds later its folder is looked at again."""
PATIENCE = 0.5
"""Seconds after which a reader is told how far it is."""
_RUNS: Kept[tuple[str, str, int], Run] = Kept("run")
_MOMENTS: Kept[tuple[str, int, str, str], Moment] = Kept("snapshot's reading")


def snapshots(folder: str, name: str) -> Run:
    """The snapshots of a run in a folder, as they are now. Raises ModelLoadError if there are none yet."""
    now = int(time.monotonic() / RUN_IS_FRESH)
    return _RUNS.get((folder, name, now), lambda: snapshots_of(Path(folder), name=name))


def history(run: Run, text: str) -> History:
    """What every snapshot of a run makes of a text; says how far it is. Raises TextError, ModelLoadError.

    A snapshot that cannot be opened is left out, and the note says so. The decoders of translators read what the last
    snapshot has written.
    """
    begun, place = time.monotonic(), st.empty()
    moments: list[Moment | None] = []
    failed: ModelLoadError | None = None
    target = ""
    for done, snapshot in enumerate(reversed(run.snapshots)):
        if time.monotonic() - begun > PATIENCE:
            place.progress(done / len(run.snapshots), f"The snapshot of step {snapshot.step:,} reads the sentence")
        try:
            moment = _reading(snapshot.folder, text, target)
            target = target or moment.written
            moments.append(moment)
        except ModelLoadError as error:
            moments.append(None)
            failed = error
    place.empty()
    if failed is not None and not any(moments):
        raise failed
    return history_of(run, moments[::-1])


def _reading(folder: str, text: str, target: str) -> Moment:
    """What the snapshot in a folder makes of a text; one that takes its place on the disk is another snapshot."""
    key = folder, written_at(Path(folder)), text, target
    return _MOMENTS.get(key, lambda: take_turn(lambda: moment_of(Path(folder), text, target)))
