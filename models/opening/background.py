"""A process that works beside a server lets everything else on the machine come first."""

from __future__ import annotations

import contextlib
import os
import sys
from pathlib import Path

POLITENESS = 5
"""Added to the niceness of the process: readers of other pages come first."""
AUTOGROUP = "/proc/self/autogroup"
"""Linux shares the processor out by session first, and a job has one of its own: its niceness has to be said here, too
(sched(7), "The autogroup feature")."""
FIRST_TO_DIE = "500"
"""Linux ends this process before the server, if memory runs out."""


def step_back() -> None:
    """Let everything else on this machine come first."""
    if sys.platform != "win32":
        os.nice(POLITENESS)
        for path, said in ((AUTOGROUP, str(POLITENESS)), ("/proc/self/oom_score_adj", FIRST_TO_DIE)):
            with contextlib.suppress(OSError):  # only Linux has them
                Path(path).write_text(said, encoding="ascii")
