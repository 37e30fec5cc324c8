"""The limits of a server for the training lab; docs/serve-a-class.md lists the environment variables."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from models.opening.restriction import WRITTEN, YES, is_restricted
from models.values.errors import LabError
from models.values.wording import worded

ROOT = Path(__file__).resolve().parents[1]
MEGABYTE = 1024**2
_NO = frozenset({"", "0", "false", "no", "off"})
_OWN = {"JOBS": 1, "MINUTES": 0, "PARAMETERS": 200e6, "MEGABYTES": 20, "QUEUE": 100, "KEEP": 0}
"""On a machine of one's own; 0 minutes, and 0 runs to keep, is no limit."""
_PUBLIC = {"JOBS": 1, "MINUTES": 15, "PARAMETERS": 5e6, "MEGABYTES": 2, "QUEUE": 100, "KEEP": 100}


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    """The limits of a server. `threads` is what each job may use; `minutes` and `keep` may be 0, for no limit."""

    folder: Path
    is_on: bool = True
    is_private: bool = False
    """Whether a run is shown only to the browser that started it, at the server's computer, and by its link."""
    jobs: int = 1
    threads: int = 1
    minutes: float = 0
    parameters: int = 200_000_000
    megabytes: float = 20
    queue: int = 20
    keep: int = 0

    @property
    def n_bytes(self) -> int:
        """The most that a person may paste or upload, in bytes."""
        return int(self.megabytes * MEGABYTE)

    @property
    def model_bytes(self) -> int:
        """The most bytes of an uploaded model: float32 weights, and room for its tokenizer and card."""
        return 4 * self.parameters + 32 * MEGABYTE

    @property
    def seconds(self) -> float:
        """The longest that a job may take, in seconds; infinite without a limit."""
        return self.minutes * 60 or float("inf")


def read_limits(environment: Mapping[str, str] = os.environ) -> Limits:
    """Return the limits that the environment sets. Raises LabError, naming the variable, for a value that cannot be."""
    is_public = is_restricted(environment)
    usual = _PUBLIC if is_public else _OWN
    values = {name: _number(environment, name, default) for name, default in usual.items()}
    jobs = max(int(values["JOBS"]), 1)
    threads = _number(environment, "THREADS", max((os.cpu_count() or 1) // (2 * jobs), 1))
    return Limits(
        folder=Path(environment.get("HEADLIGHT_LAB_RUNS", "") or WRITTEN / "lab").expanduser().resolve(),
        is_on=_switch(environment, "HEADLIGHT_LAB", default=True),
        is_private=_switch(environment, "HEADLIGHT_LAB_PRIVATE", default=True),
        jobs=jobs,
        threads=max(int(threads), 1),
        minutes=values["MINUTES"],
        parameters=int(values["PARAMETERS"]),
        megabytes=values["MEGABYTES"],
        queue=int(values["QUEUE"]),
        keep=int(values["KEEP"]),
    )


def _number(environment: Mapping[str, str], name: str, default: float) -> float:
    given = environment.get(f"HEADLIGHT_LAB_{name}", "").strip()
    try:
        number = float(given) if given else float(default)
    except ValueError:
        number = -1.0
    if not 0 <= number < float("inf"):
        raise LabError(
            worded(
                "{variable} is {given}, expected a number from 0 on. Ask whoever runs this server.",
                variable=f"HEADLIGHT_LAB_{name}",
                given=repr(given),
            )
        )
    return number


def _switch(environment: Mapping[str, str], name: str, *, default: bool) -> bool:
    given = environment.get(name)
    if given is None:
        return default
    if given.strip().lower() not in YES | _NO:
        raise LabError(
            worded(
                "{variable} is {given}, expected on or off. Ask whoever runs this server.",
                variable=name,
                given=repr(given),
            )
        )
    return given.strip().lower() in YES
