"""The snapshots of a run, and their readings of a text, cached for all sessions.

Those of a run that somebody has brought are opened in a process of their own, as all that strangers bring.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from threading import RLock

import streamlit as st

from lab.uploads.checkpoints import is_of_upload
from models.opening.guest import GuestModel
from models.training.snapshots.over_time import read_snapshot, read_with, snapshots_of, written_at
from models.values.errors import ModelLoadError
from models.values.history import History, SnapshotReading, Trajectory, history_of
from ui.desk.ask import take_turn
from ui.desk.cache import Kept
from viz.kit.language import tr

RUN_IS_FRESH = 5.0
"""Seconds after which the folder of a run in training is read again."""
PATIENCE = 0.5
"""Seconds after which progress is shown."""
ReadOne = Callable[[Path, str, str], SnapshotReading]
_ONE_GUEST = RLock()
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
    with _strangers_reader() as read_strangers:
        return _history(trajectory, text, read_strangers)


def _history(trajectory: Trajectory, text: str, read_strangers: ReadOne) -> History:
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
            reading = _reading(Path(snapshot.folder), text, target, read_strangers)
            target = target or reading.written
            readings.append(reading)
        except ModelLoadError as error:
            readings.append(None)
            failed = error
    place.empty()
    if failed is not None and not any(readings):
        raise failed
    return history_of(trajectory, readings[::-1])


def _reading(folder: Path, text: str, target: str, read_strangers: ReadOne) -> SnapshotReading:
    """Read a text with the snapshot in a folder; a snapshot rewritten on disk is read anew."""
    key = str(folder), written_at(folder), text, target
    if is_of_upload(folder):
        return _READINGS.get(key, lambda: read_strangers(folder, text, target))
    return _READINGS.get(key, lambda: take_turn(lambda: read_snapshot(folder, text, target)))


@contextmanager
def _strangers_reader() -> Iterator[ReadOne]:
    """Give a function that reads with the snapshots of a stranger's run, all in one process, which begins with the
    first of them and ends with the block. One such process is open at a time."""
    with ExitStack() as opened:
        guests: list[GuestModel] = []

        def read(folder: Path, text: str, target: str) -> SnapshotReading:
            if guests:
                guests[0].turn_to(folder)
            else:
                opened.enter_context(_ONE_GUEST)
                guests.append(GuestModel(folder, name=folder.name))
                opened.callback(guests[0].close)
            return read_with(guests[0], text, target)

        yield read
