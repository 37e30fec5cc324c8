"""Garbage collection in one background thread of the server, instead of at the end of every run of a page.

Streamlit collects all generations after each run (runner.postScriptGC), and Python more and more often in between: with
torch, transformers and plotly that blocks every reader for half a second. Here the young generation is collected when
it is large, the older ones when memory has grown or after a while, and everything when no request is served or memory
has grown a lot. Survivors are frozen (gc.freeze), so that other collections skip them, and unfrozen before the next
full one.

https://docs.python.org/3/library/gc.html
"""

from __future__ import annotations

import gc
import threading
import time
from pathlib import Path
from typing import Literal

LOOK = 1.0
"""Seconds between two checks."""
MANY = 20_000
"""The number of new objects from which the young generation is collected: a run of a page leaves some thousands."""
QUIET = 2_000
"""New objects a second below which no request is being served."""
REST = 5
"""Quiet checks after which everything is collected, frozen objects included."""
GROWTH = 256 * 1024**2
"""Bytes by which memory may grow before all unfrozen objects are collected, even while requests are served."""
MUCH = 1024**3
"""Bytes by which memory may grow before everything is collected, which blocks all readers for half a second. New models
and recordings, which are no garbage, let memory grow as well."""
LONGEST = 60.0
"""Seconds after which all unfrozen objects are collected, even while requests are served."""
THREAD = "garbage"
Collected = Literal["everything", "old", "young", "nothing"]
_STATM = Path("/proc/self/statm")
_starting = threading.Lock()
_PAGE = 4096


class Collector:
    """Decides at every check which generations to collect, and collects them."""

    def __init__(self) -> None:
        self._n_new = 0
        self._quiet_looks = 0
        self._is_clean = False
        """Whether everything was collected since a request was last served."""
        self._looked_at = time.monotonic()
        self._bytes = self._bytes_of_all = resident_bytes()
        """The memory after the last collection of the old generations, and of everything."""

    def look(self) -> Collected:
        """Collect what is due, and return which generations that was."""
        n_new = gc.get_count()[0]
        is_quiet = n_new - self._n_new < QUIET
        self._n_new = n_new
        self._quiet_looks = self._quiet_looks + 1 if is_quiet else 0
        self._is_clean = self._is_clean and is_quiet
        n_bytes, is_at_rest = resident_bytes(), self._quiet_looks >= REST and not self._is_clean
        if is_at_rest or n_bytes - self._bytes_of_all > MUCH:
            return self._collect("everything")
        is_due = time.monotonic() - self._looked_at > LONGEST and not self._is_clean
        if is_due or n_bytes - self._bytes > GROWTH:
            return self._collect("old")
        return self._collect("young") if n_new > MANY else "nothing"

    def _collect(self, generations: Collected) -> Collected:
        if generations == "everything":
            gc.unfreeze()
        gc.collect(1 if generations == "young" else 2)
        if generations != "young":
            self._looked_at, self._bytes = time.monotonic(), resident_bytes()
        if generations == "everything":
            gc.freeze()
            self._bytes_of_all = self._bytes
            self._is_clean = self._quiet_looks >= REST
        self._n_new = gc.get_count()[0]
        return generations


def collect_beside() -> threading.Thread:
    """Start the collecting thread of this process, unless it runs, and turn off Python's own collector."""
    with _starting:
        running = next((thread for thread in threading.enumerate() if thread.name == THREAD), None)
        if running is not None:
            return running
        gc.disable()  # else it runs in a thread that serves a reader
        thread = threading.Thread(target=_watch, name=THREAD, daemon=True)
        thread.start()
        return thread


def resident_bytes() -> int:
    """Return the resident memory of this process in bytes; 0 where /proc does not exist."""
    try:
        return int(_STATM.read_text(encoding="ascii").split()[1]) * _PAGE
    except OSError:
        return 0


def _watch() -> None:
    collector = Collector()
    while True:
        time.sleep(LOOK)
        collector.look()
