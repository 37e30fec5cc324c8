"""Descriptions of the state of a run: a word, and whole sentences."""

from __future__ import annotations

from lab.runs import State
from viz.kit.language import to_say

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
