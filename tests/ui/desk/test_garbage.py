"""Garbage is collected beside the readers: nowhere else, all of it, and often enough."""

from __future__ import annotations

import gc
import mmap
import subprocess
import sys
import weakref
from collections.abc import Iterator

import pytest

from tests.browser.server import ROOT
from ui.desk import garbage
from ui.desk.garbage import Collector

SERVER = """
import gc, runpy, threading, time, weakref
from streamlit import config

class Knot:
    def __init__(self):
        self.me = self

runpy.run_path("app.py")
print(config.get_option("runner.postScriptGC"))
print(gc.isenabled())
collecting = set()
gc.callbacks.append(lambda phase, _: collecting.add(threading.current_thread().name))
knots = [Knot() for _ in range(100_000)]
gone = weakref.ref(knots[0])
del knots
until = time.monotonic() + 60
while gone() is not None and time.monotonic() < until:
    time.sleep(0.1)
print(collecting)
"""


MEASURED = """
import runpy
from streamlit.components.v2 import manifest_scanner

manifest_scanner.scan_component_manifests = list
runpy.run_module("benchmarks.garbage", run_name="__main__", alter_sys=True)
"""


class Knot:
    """Something that refers to itself, so that only a collection frees it."""

    def __init__(self) -> None:
        self.me = self


@pytest.fixture
def by_hand() -> Iterator[None]:
    """Without Python's own collections, in this process."""
    gc.collect()
    gc.disable()
    yield
    gc.freeze()  # all that was aside before, as `tests/conftest.py` has it
    gc.enable()


def knots(n_knots: int) -> weakref.ref[Knot]:
    made = [Knot() for _ in range(n_knots)]
    return weakref.ref(made[0])


@pytest.mark.usefixtures("by_hand")
def test_many_young_objects_are_collected_and_few_are_left_in_peace() -> None:
    collector = Collector()
    few = knots(100)
    assert collector.look() == "nothing"
    assert few() is not None
    many = knots(garbage.MANY)
    assert collector.look() == "young"
    assert few() is None
    assert many() is None


@pytest.mark.usefixtures("by_hand")
def test_in_quiet_everything_is_collected_once_even_what_was_set_aside() -> None:
    collector = Collector()
    aside = knots(100)
    gc.freeze()
    looks = [collector.look() for _ in range(3 * garbage.REST)]
    assert looks.count("everything") == 1
    assert set(looks) == {"everything", "nothing"}
    assert aside() is None
    assert gc.get_freeze_count() > 0
    knots(2 * garbage.QUIET)
    looks = [collector.look() for _ in range(3 * garbage.REST)]
    assert looks.count("everything") == 1


@pytest.mark.usefixtures("by_hand")
@pytest.mark.parametrize("much", [1024**4, 64 * 1024**2])
def test_memory_that_grows_is_looked_through_at_once_and_wholly_when_it_grows_a_lot(
    monkeypatch: pytest.MonkeyPatch, much: int
) -> None:
    collector = Collector()
    monkeypatch.setattr(garbage, "GROWTH", 64 * 1024**2)
    monkeypatch.setattr(garbage, "MUCH", much)
    kept = mmap.mmap(-1, 128 * 1024**2)  # new pages of the system, which no earlier test has left behind
    kept.write(b"1" * len(kept))
    aside = knots(100)
    gc.freeze()
    new = knots(100)
    assert collector.look() == ("everything" if much < len(kept) else "old")
    assert (aside() is None) == (much < len(kept))
    assert new() is None
    assert gc.get_freeze_count() > 0
    assert collector.look() == "nothing"
    kept.close()


@pytest.mark.usefixtures("by_hand")
def test_what_is_never_quiet_is_looked_through_after_a_while(monkeypatch: pytest.MonkeyPatch) -> None:
    collector = Collector()
    monkeypatch.setattr(garbage, "LONGEST", 0.0)
    knots(2 * garbage.QUIET)
    assert collector.look() == "old"


def test_streamlit_run_collects_in_one_thread_and_no_other() -> None:
    """What `streamlit run app.py` reads and does, without a browser."""
    said = subprocess.run([sys.executable, "-c", SERVER], cwd=ROOT, check=True, capture_output=True, encoding="utf-8")
    assert said.stdout.split("\n")[:3] == ["False", "False", f"{{'{garbage.THREAD}'}}"]


def test_memory_is_bounded_over_some_hundred_runs() -> None:
    """The page of these runs leaves 3 GB of garbage in all, and what is not collected would stay; between two looks, a
    second apart, a fast machine leaves 600 MB. No package is searched for components, which each reader would do."""
    command = [sys.executable, "-c", MEASURED, "--small", "--runs", "600", "--most", "1200"]
    said = subprocess.run(command, cwd=ROOT, check=False, capture_output=True, encoding="utf-8")
    assert "600 runs" in said.stdout
    assert said.returncode == 0, said.stdout + said.stderr
