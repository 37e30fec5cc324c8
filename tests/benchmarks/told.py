"""What a benchmark writes when it is started by its command."""

from __future__ import annotations

import os
import subprocess
import sys

from run import ROOT
from serving.window import BROWSER_VARIABLE


def told_by(module: str, *arguments: str, browser: str = "") -> str:
    """What a benchmark writes when it is started by its command, in a process of its own, with that browser."""
    command = [sys.executable, "-m", f"benchmarks.{module}", *arguments]
    chosen = {BROWSER_VARIABLE: browser} if browser else {}
    done = subprocess.run(
        command, cwd=ROOT, env=os.environ | chosen, capture_output=True, encoding="utf-8", check=False
    )
    assert done.returncode == 0, done.stderr
    return done.stdout
