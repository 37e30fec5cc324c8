"""The environment of the tests: no network, one thread, and nothing of the person's own settings.

It is made when this module is imported, before anything reads it. A process of pytest-xdist inherits what the first
process has made, and adds a home of its own.
"""

from __future__ import annotations

import atexit
import os
import shutil
import sys
import tempfile
from collections.abc import Collection, MutableMapping
from pathlib import Path

SETTINGS = ("HEADLIGHT_", "STREAMLIT_")
"""What a person sets for an app of theirs is nothing to the tests."""
OF_TESTS = frozenset({"HEADLIGHT_CHOSEN_TESTS", "HEADLIGHT_CHROMIUM", "HEADLIGHT_CLOSENESS", "HEADLIGHT_TEST_THREADS"})
OF_THE_TERMINAL = ("COLUMNS", "LINES", "FORCE_COLOR", "NO_COLOR", "PYTHON_COLORS", "LANGUAGE")
"""They change what programs write, which tests read."""
OF_THE_HUB = ("HF_", "HUGGING", "TRANSFORMERS_")
ON_THIS_MACHINE = ("localhost", "127.0.0.1", "::1")


def forget(environment: MutableMapping[str, str], beginnings: tuple[str, ...], *, but: Collection[str] = ()) -> None:
    """Take out of an environment what begins so."""
    for name in [name for name in environment if name.startswith(beginnings) and name not in but]:
        del environment[name]


def settle(environment: MutableMapping[str, str], home: Path, *, downloads: bool) -> None:
    """Make an environment that of the tests. Those that download keep the person's settings of the hub."""
    forget(environment, SETTINGS, but=OF_TESTS)
    forget(environment, OF_THE_TERMINAL)
    if not downloads:
        forget(environment, OF_THE_HUB)
        environment["HF_HOME"] = str(home / "hub")  # what the person has downloaded would answer, too
    for name in ("no_proxy", "NO_PROXY"):  # else a proxy is asked for the tests' own servers
        environment[name] = ",".join(filter(None, (environment.get(name), *ON_THIS_MACHINE)))
    environment |= {
        "HEADLIGHT_SHARED": str(home / "shared.sqlite"),
        "HF_HUB_OFFLINE": "1",
        "HF_HUB_DISABLE_TELEMETRY": "1",
        "HOME": str(home),  # Streamlit reads settings there, and not every home can be written to
        "OMP_NUM_THREADS": environment.get("HEADLIGHT_TEST_THREADS", "1"),  # the other processors run other tests
        "TOKENIZERS_PARALLELISM": "false",
    }


def _new_home() -> Path:
    """Make a folder that is gone when the process is."""
    folder = Path(tempfile.mkdtemp(prefix="headlight-tests-"))
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    return folder


if "PYTEST_XDIST_WORKER" in os.environ:
    os.environ["HEADLIGHT_SHARED"] = str(_new_home() / "shared.sqlite")
else:
    settle(os.environ, _new_home(), downloads=any("network" in argument for argument in sys.argv))
