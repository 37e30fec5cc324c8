"""Long work is done once for all who wait, told as it goes on, and ended when nobody waits any more."""

from __future__ import annotations

import threading
import time
from concurrent.futures import ThreadPoolExecutor

import pytest

from ui.desk import long_work
from ui.desk.cache import Cache, CancelledError
from ui.desk.long_work import LongWork, WorkProgress

STEPS = 200


def slowly(told: WorkProgress) -> str:
    for done in range(STEPS):
        time.sleep(0.01)
        told.tell(done, STEPS)
    return "done"


def test_two_who_ask_for_the_same_wait_for_one_computation_and_see_the_same_progress() -> None:
    work: LongWork[str, str] = LongWork("test", Cache(1e6))
    begun, go_on, times = threading.Event(), threading.Event(), []

    def compute(told: WorkProgress) -> str:
        times.append(1)
        told.tell(3, 10)
        begun.set()
        go_on.wait(20)
        return "done"

    with ThreadPoolExecutor(2) as workers:
        first, one = work.ask("key", compute, workers)
        begun.wait(20)
        second, other = work.ask("key", compute, workers)
        assert one.look() == other.look() == (3, 10)
        go_on.set()
        assert (first.result(20), second.result(20), len(times)) == ("done", "done", 1)
        kept, _ = work.ask("key", compute, workers)
        assert (kept.result(0), len(times)) == ("done", 1)


def test_work_ends_when_nobody_looks_and_is_begun_anew_for_the_next(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(long_work, "CANCELLED_AFTER", 0.1)
    work: LongWork[str, str] = LongWork("test", Cache(1e6))
    with ThreadPoolExecutor(1) as workers:
        future, _ = work.ask("key", slowly, workers)
        with pytest.raises(CancelledError):
            future.result(20)
        again, _ = work.ask("key", lambda _: "anew", workers)
        assert again.result(20) == "anew"


def test_work_goes_on_as_long_as_somebody_looks(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(long_work, "CANCELLED_AFTER", 0.5)
    work: LongWork[str, str] = LongWork("test", Cache(1e6))
    with ThreadPoolExecutor(1) as workers:
        future, progress = work.ask("key", slowly, workers)
        while not future.done():
            time.sleep(0.05)
            progress.look()
        assert future.result() == "done"
