"""States of a run and numbers of the lab, in readable form."""

from __future__ import annotations

import math

from lab.runs import State
from viz.kit.language import to_say, tr, trn

STATE_NAMES: dict[State, str] = {
    "queued": to_say("waiting"),
    "running": to_say("training"),
    "done": to_say("done"),
    "stopped": to_say("stopped"),
    "killed": to_say("stopped from outside"),
    "failed": to_say("failed"),
    "uploaded": to_say("uploaded"),
}
ABOUT_RUNS: dict[State, str] = {
    "queued": to_say("your run, queued"),
    "running": to_say("your run, running"),
    "done": to_say("your run, done"),
    "stopped": to_say("your run, stopped"),
    "killed": to_say("your run, killed"),
    "failed": to_say("your run, failed"),
    "uploaded": to_say("your run, uploaded"),
}
"""The descriptions beside the names in the list of runs over time."""
ENDED_EARLY: dict[State, str] = {
    "stopped": to_say("**Stopped at iteration {iteration} of {all}.** {message}"),
    "killed": to_say("**Stopped from outside at iteration {iteration} of {all}.** {message}"),
    "failed": to_say("**Failed at iteration {iteration} of {all}.** {message}"),
}
"""The sentences on a run that ended before it was done."""

_SUPERSCRIPTS = str.maketrans("0123456789-", "⁰¹²³⁴⁵⁶⁷⁸⁹⁻")


def duration(seconds: float) -> str:
    """ "20 seconds", "3 minutes", "2 h 10 min", "3 days"."""
    if not math.isfinite(seconds):
        return tr("unknown")
    if seconds < 90:
        return trn("{n} second", "{n} seconds", max(round(seconds), 1))
    minutes = round(seconds / 60)
    if minutes < 120:
        return trn("{n} minute", "{n} minutes", minutes)
    if minutes < 48 * 60:
        return tr("{hours} h {minutes} min", hours=minutes // 60, minutes=minutes % 60)
    return trn("{n} day", "{n} days", round(minutes / 1440))


def in_bytes(number: float) -> str:
    """Format a number of bytes: "3.2 MB"."""
    if number < 1000:
        return tr("{size} bytes", size=f"{number:,.0f}")
    smaller = ((unit, number / size) for unit, size in (("kB", 1e3), ("MB", 1e6)) if number / size < 1000)
    unit, size = next(smaller, ("GB", number / 1e9))
    return f"{size:,.0f} {unit}" if size >= 100 else f"{size:,.1f} {unit}"


def power_of_ten(number: float) -> str:
    """Format a number as a power of ten: "1.5 × 10¹⁰"."""
    if number <= 0:
        return "0"
    power = math.floor(math.log10(number))
    return f"{number / 10**power:.1f} × 10{str(power).translate(_SUPERSCRIPTS)}"
