"""Garbage is collected beside the readers, by one thread of the server, and not at the end of every run of a page.

Streamlit looks at every object of the process after each run (runner.postScriptGC), and Python at more and more of them
in between: with torch, transformers and plotly that is half a second in which nobody is served. Here the young objects
are looked at when there are many, older ones, too, when memory has grown, or after a while, and all when nobody asks
for anything, or when memory has grown a lot. Those that live are then set aside (gc.freeze), so that other looks pass
them by, and taken back before the next look at all (gc.unfreeze), so that none is kept for ever.
https://docs.python.org/3/library/gc.html
"""

from __future__ import annotations

import gc
import threading
import time
from pathlib import Path
from typing import Literal

LOOK = 1.0
"""Seconds between two looks."""
MANY = 20_000
"""New objects at which the young ones are looked at: a run of a page leaves some thousands."""
QUIET = 2_000
"""New objects a second below which nobody is being served."""
REST = 5
"""Quiet looks after which everything is looked at, what was set aside, too."""
GROWTH = 256 * 1024**2
"""Bytes by which memory may grow until all objects are looked at that are not set aside, readers or not."""
MUCH = 1024**3
"""Bytes by which it may grow until everything is looked at: half a second in which nobody is served. New models and
recordings, which are no garbage, let memory grow as well."""
LONGEST = 60.0
"""Seconds after which all objects are looked at that are not set aside, readers or not."""
THREAD = "garbage"
Collected = Literal["everything", "old", "young", "nothing"]
_STATM = Path("/proc/self/statm")
_starting = threading.Lock()
_PAGE = 4096


class Collector:
    """Decides at every look what is collected, and does it."""

    def __init__(self) -> None:
        self._n_new = 0
        self._quiet_looks = 0
        self._is_clean = False
        """Whether everything was looked at since somebody was served."""
        self._looked_at = time.monotonic()
        self._bytes = self._bytes_of_all = resident_bytes()
        """After the last look at old objects, and at everything."""

    def look(self) -> Collected:
        """Collect what there is to be collected now, and say what that was."""
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

    def _collect(self, what: Collected) -> Collected:
        if what == "everything":
            gc.unfreeze()
        gc.collect(1 if what == "young" else 2)
        if what != "young":
            self._looked_at, self._bytes = time.monotonic(), resident_bytes()
        if what == "everything":
            gc.freeze()
            self._bytes_of_all = self._bytes
            self._is_clean = self._quiet_looks >= REST
        self._n_new = gc.get_count()[0]
        return what


def collect_beside() -> threading.Thread:
    """Collect in a thread of its own from now on, and nowhere else; once in a process."""
    with _starting:
        running = next((thread for thread in threading.enumerate() if thread.name == THREAD), None)
        if running is not None:
            return running
        gc.disable()  # else a thread that serves a reader stops for it
        thread = threading.Thread(target=_watch, name=THREAD, daemon=True)
        thread.start()
        return thread


def resident_bytes() -> int:
    """Return the memory of this process; 0 where the system does not say it in a file."""
    try:
        return int(_STATM.read_text(encoding="ascii").split()[1]) * _PAGE
    except OSError:
        return 0


def _watch() -> None:
    collector = Collector()
    while True:
        time.sleep(LOOK)
        collector.look()
