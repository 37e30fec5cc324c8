"""The snapshots of a run, and their readings of a text, cached for all sessions."""

from __future__ import annotations

import time
from pathlib import Path

import streamlit as st

from models.training.snapshots.over_time import read_snapshot, snapshots_of, written_at
from models.values.errors import ModelLoadError
from models.values.history import History, SnapshotReading, Trajectory, history_of
from ui.desk.ask import take_turn
from ui.desk.cache import Kept
from viz.kit.language import tr

RUN_IS_FRESH = 5.0
"""Seconds after which the folder of a run in training is read again."""
PATIENCE = 0.5
"""Seconds after which progress is shown."""
_RUNS: Kept[tuple[str, str, int], Trajectory] = Kept("run")
_READINGS: Kept[tuple[str, int, str, str], SnapshotReading] = Kept("snapshot's reading")


def snapshots(folder: str, name: str) -> Trajectory:
    """Return the current snapshots of a run in a folder. Raises ModelLoadError if there are none yet."""
    now = int(time.monotonic() / RUN_IS_FRESH)
    return _RUNS.get((folder, name, now), lambda: snapshots_of(Path(folder), name=name))


def history(trajectory: Trajectory, text: str) -> History:
    """Read a text with every snapshot of a run, with progress shown. Raises TextError, ModelLoadError.

    A snapshot that cannot be opened is left out, and the note says so. The decoders of translators read what the last
    snapshot has written.
    """
    begun, place = time.monotonic(), st.empty()
    readings: list[SnapshotReading | None] = []
    failed: ModelLoadError | None = None
    target = ""
    for done, snapshot in enumerate(reversed(trajectory.snapshots)):
        if time.monotonic() - begun > PATIENCE:
            place.progress(
                done / len(trajectory.snapshots),
                tr("The snapshot of iteration {iteration} reads the sentence", iteration=f"{snapshot.iteration:,}"),
            )
        try:
            reading = _reading(snapshot.folder, text, target)
            target = target or reading.written
            readings.append(reading)
        except ModelLoadError as error:
            readings.append(None)
            failed = error
    place.empty()
    if failed is not None and not any(readings):
        raise failed
    return history_of(trajectory, readings[::-1])


def _reading(folder: str, text: str, target: str) -> SnapshotReading:
    """Read a text with the snapshot in a folder; a snapshot rewritten on disk is read anew."""
    key = folder, written_at(Path(folder)), text, target
    return _READINGS.get(key, lambda: take_turn(lambda: read_snapshot(Path(folder), text, target)))
