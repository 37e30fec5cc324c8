"""One cache for all readers: bounded in bytes, each value computed once, errors forgotten."""

from __future__ import annotations

import gc
import threading
import weakref
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass

import numpy as np
import pytest
from numpy.lib.stride_tricks import as_strided

from models import load
from tests.closeness import assert_close
from ui.desk.cache import (
    ACCELERATOR_SETTING,
    MEGABYTE,
    OVERHEAD,
    SETTING,
    USUAL,
    Cache,
    Kept,
    accelerator_bytes,
    most_bytes,
    size_of,
)


class Thing:
    """A value of a size, of which a test sees when it is gone."""

    device = "cpu"

    def __init__(self, size: int) -> None:
        self.size = size


@dataclass(frozen=True, slots=True)
class Pairing:
    first: np.ndarray
    second: np.ndarray
    names: tuple[str, ...] = ()


def kept(most: float) -> tuple[Kept[str, Thing], Cache]:
    cache = Cache(most)
    return Kept("things", lambda thing: thing.size, cache), cache


def test_the_longest_unused_value_makes_room_by_bytes() -> None:
    things, cache = kept(10)
    computed: Counter[str] = Counter()

    def thing(name: str, size: int) -> None:
        def compute() -> Thing:
            computed[name] += 1
            return Thing(size)

        assert things.get(name, compute).size == size

    for name, size in (("a", 4), ("b", 4), ("a", 4), ("c", 4), ("a", 4), ("b", 4), ("a", 4)):
        thing(name, size)
    assert computed == {"a": 1, "b": 2, "c": 1}
    assert cache.n_bytes == 8
    thing("larger than all", 50)
    assert cache.n_bytes == 50
    thing("larger than all", 50)
    thing("d", 1)
    assert computed["larger than all"] == 1
    assert cache.n_bytes == 1


def test_what_makes_room_is_gone_and_two_kinds_share_one_bound() -> None:
    cache = Cache(10)
    ones: Kept[str, Thing] = Kept("ones", lambda thing: thing.size, cache)
    others: Kept[str, Thing] = Kept("others", lambda thing: thing.size, cache)
    gone = weakref.ref(ones.get("x", lambda: Thing(6)))
    assert others.get("x", lambda: Thing(6)).size == 6
    gc.collect()
    assert gone() is None
    assert cache.n_bytes == 6


def test_thirty_readers_of_the_same_sentence_compute_it_once() -> None:
    things, _ = kept(1000)
    all_ask, computed = threading.Barrier(30), Counter[str]()
    hold = threading.Event()

    def compute() -> Thing:
        computed["sentence"] += 1
        assert hold.wait(timeout=60)
        return Thing(1)

    def ask(_: int) -> Thing:
        all_ask.wait(timeout=60)
        return things.get("sentence", compute)

    with ThreadPoolExecutor(30) as readers:
        answers = [readers.submit(ask, number) for number in range(30)]
        hold.set()
        assert len({id(answer.result(timeout=60)) for answer in answers}) == 1
    assert computed["sentence"] == 1


def test_an_error_is_told_to_all_who_wait_and_not_kept() -> None:
    things, cache = kept(1000)
    begun, hold = threading.Event(), threading.Event()

    def fail() -> Thing:
        begun.set()
        assert hold.wait(timeout=60)
        raise ValueError("this once")

    with ThreadPoolExecutor(2) as readers:
        first = readers.submit(things.get, "x", fail)
        assert begun.wait(timeout=60)
        second = readers.submit(things.get, "x", lambda: pytest.fail("computed twice"))
        hold.set()
        for answer in (first, second):
            with pytest.raises(ValueError, match="this once"):
                answer.result(timeout=60)
    assert things.get("x", lambda: Thing(3)).size == 3
    assert cache.n_bytes == 3


def test_what_is_computed_while_all_is_forgotten_is_not_counted() -> None:
    things, cache = kept(1000)

    def compute() -> Thing:
        cache.clear()
        return Thing(3)

    assert things.get("x", compute).size == 3
    assert cache.n_bytes == 0


def test_arrays_are_counted_once_and_views_by_what_they_hold() -> None:
    whole = np.zeros((100, 1000), np.float32)
    assert size_of(Pairing(whole, whole[:2])) == OVERHEAD + whole.nbytes
    diagonal = np.zeros(199, np.float32)
    matrix = as_strided(diagonal[99:], shape=(100, 100), strides=(-4, 4))
    assert size_of((matrix, ["text"] * 1000)) <= OVERHEAD + 2 * diagonal.nbytes
    assert size_of(np.broadcast_to(np.float32(1), (1000, 1000))) < OVERHEAD + 100


def test_a_recording_is_as_large_as_its_arrays() -> None:
    recording = load("mini-bert", device="cpu").record("The animal didn't cross the street")
    arrays = [array for record in recording.attention for array in (record.query, record.key, record.value)]
    assert size_of(recording) > sum(array.nbytes for array in arrays)
    assert size_of(recording) < MEGABYTE


@pytest.mark.parametrize(("setting", "megabytes"), [("", USUAL), ("500", 500), ("many", USUAL), ("-1", USUAL)])
def test_the_bound_is_a_setting(setting: str, megabytes: float) -> None:
    assert most_bytes({SETTING: setting}) == megabytes * MEGABYTE


def test_one_whose_thread_is_ended_is_computed_by_the_next_who_waits() -> None:
    things, cache = kept(1000)
    begun, left = threading.Event(), threading.Event()

    class LeftError(BaseException):
        """As Streamlit ends the run of a reader who has gone."""

    def ended() -> Thing:
        begun.set()
        assert left.wait(timeout=60)
        raise LeftError

    with ThreadPoolExecutor() as threads:
        first = threads.submit(things.get, "sentence", ended)
        assert begun.wait(timeout=60)
        others = [threads.submit(things.get, "sentence", lambda: Thing(3)) for _ in range(3)]
        left.set()
        assert len({id(other.result(timeout=60)) for other in others}) == 1
        assert isinstance(first.exception(timeout=60), LeftError)
    assert cache.n_bytes == 3


# -- the memory of accelerators ---------------------------------------------------------------------------------------


def test_the_memory_of_every_device_has_a_bound_of_its_own() -> None:
    cache = Cache(10, {"cuda:0": 20.0, "cuda:1": 5.0}.__getitem__)
    things: Kept[str, Thing] = Kept("things", lambda thing: thing.size, cache)
    on_devices: Kept[tuple[str, str], Thing] = Kept("on devices", lambda thing: thing.size, cache, memory=device_of)
    computed: Counter[str] = Counter()

    def keep(name: str, size: int, device: str) -> None:
        def compute() -> Thing:
            computed[name] += 1
            thing = Thing(size)
            thing.device = device
            return thing

        on_devices.get((name, device), compute)

    things.get("recording", lambda: Thing(8))
    for name, size, device in (("a", 12, "cuda"), ("b", 8, "cuda:0"), ("c", 4, "cuda:1"), ("a", 12, "cuda")):
        keep(name, size, device)
    assert computed == {"a": 1, "b": 1, "c": 1}
    assert cache.n_bytes == 8
    assert (cache.n_bytes_on("cuda"), cache.n_bytes_on("cuda:0"), cache.n_bytes_on("cuda:1")) == (20, 20, 4)
    keep("d", 6, "cuda:0")
    assert cache.n_bytes_on("cuda:0") == 18
    keep("b", 8, "cuda:0")
    assert (computed["b"], cache.n_bytes_on("cuda:0")) == (2, 14)
    assert things.get("recording", lambda: Thing(1)).size == 8
    cache.clear()
    assert cache.n_bytes_on("cuda") == cache.n_bytes == 0


def device_of(thing: Thing) -> str:
    return thing.device


@pytest.mark.parametrize(
    ("setting", "memory", "megabytes"), [("500", 0, 500), ("", 1000, 700), ("many", 1000, 700), ("", 0, USUAL)]
)
def test_the_bound_of_an_accelerator_is_set_or_a_part_of_its_memory(
    setting: str, memory: float, megabytes: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("torch.backends.mps.is_available", lambda: bool(memory))
    monkeypatch.setattr("torch.mps.recommended_max_memory", lambda: memory * MEGABYTE)
    assert_close(accelerator_bytes("mps:0", {ACCELERATOR_SETTING: setting}), megabytes * MEGABYTE)
