"""The models of a server: opened once for all, put away in order, and a failure does no harm."""

from __future__ import annotations

import contextlib
import os
import shutil
import threading
from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from lab import runs
from lab.uploads.checkpoints import model_name
from models import load
from models.opening.entries import PRETRAINED, ROOT
from models.values.errors import DeviceError, ModelNotFoundError
from tests.models.fake_device import NAME, fake_device
from tests.models.huggingface.families import FAMILIES, save
from ui.desk.ask import OPEN_MODELS, QUEUES, OpenModels, passes_at_once, place_of, taking_turns, weights_of
from ui.desk.cache import Cache

EMBEDDED = "mini-bert"
GIGABYTE = 1024**3


def test_a_model_is_opened_once_for_all_who_ask() -> None:
    models = OpenModels(Cache(GIGABYTE))
    asked = [models.ask(EMBEDDED, "cpu") for _ in range(8)]
    assert len({id(opening.result(timeout=60)) for opening in asked}) == 1


def test_the_longest_unused_model_makes_room() -> None:
    opened: Counter[str] = Counter()

    def counted(name: str, *, device: str, progress: Callable[[str], None]) -> object:
        opened[name] += 1
        return load(EMBEDDED, device=device, progress=progress)

    models = OpenModels(Cache(2.5 * weights_of(load(EMBEDDED, device="cpu"))), counted)
    for name in ("a", "b", "a", "c", "a", "b"):
        models.ask(name, "cpu").result(timeout=60)
    assert opened == {"a": 1, "b": 2, "c": 1}


def test_a_failure_is_told_and_the_next_try_starts_anew() -> None:
    models = OpenModels(Cache(GIGABYTE))
    for _ in range(2):
        with pytest.raises(ModelNotFoundError, match="nobody/nothing"):
            models.ask("nobody/nothing", "cpu").result(timeout=60)
    assert models.ask(EMBEDDED, "cpu").result(timeout=60).info.name == EMBEDDED


@pytest.fixture
def upload(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """The name of a model that somebody has uploaded: an embedded one, copied."""
    folder = tmp_path / "lab"
    shutil.copytree(ROOT / PRETRAINED / EMBEDDED, tmp_path / "checkpoint")
    folder.mkdir()
    monkeypatch.setenv("HEADLIGHT_LAB_RUNS", str(folder))
    return str(model_name(runs.adopt(folder, tmp_path / "checkpoint", "strange", {})))


def test_a_strangers_model_that_opens_slowly_keeps_nobody_waiting(upload: str) -> None:
    heard = threading.Event()

    def slow(name: str, *, device: str, progress: Callable[[str], None]) -> object:
        if name == upload:
            assert heard.wait(timeout=60)
        return load(EMBEDDED, device="cpu")

    models = OpenModels(Cache(GIGABYTE), slow)
    strange = [models.ask(upload, device) for device in ("cpu", "cuda", "mps")]
    assert models.ask(EMBEDDED, "cpu").result(timeout=30).info.name == EMBEDDED
    assert not any(opening.done() for opening in strange)
    heard.set()
    assert all(opening.result(timeout=60) for opening in strange)


def test_a_strangers_model_is_asked_beside_the_queue_of_passes(upload: str) -> None:
    stranger = OPEN_MODELS.ask(upload, "cpu").result(timeout=390)
    with contextlib.ExitStack() as busy:
        for _ in range(os.cpu_count() or 1):
            busy.enter_context(QUEUES.of("cpu").turn("a reader"))
        asked = OPEN_MODELS._workers.submit(taking_turns(stranger).record, "a b c")
        assert asked.result(timeout=60).info.name == upload
    stranger.close()


def test_those_who_wait_hear_what_goes_on() -> None:
    said, heard = threading.Event(), threading.Event()

    def slow(name: str, *, device: str, progress: Callable[[str], None]) -> object:
        progress(f"Downloading {name}: 1 of 2 MB")
        said.set()
        assert heard.wait(timeout=60)
        return load(EMBEDDED, device=device)

    models = OpenModels(Cache(GIGABYTE), slow)
    opening = models.ask("slow", "cpu")
    assert said.wait(timeout=60)
    assert models.stage("slow", "cpu") == "Downloading slow: 1 of 2 MB"
    heard.set()
    opening.result(timeout=60)


def two_lines(folder: str) -> None:
    import streamlit as st

    from ui.desk.ask import open_model

    st.text(open_model(folder, "cpu").info.n_layers)


def test_what_follows_a_model_stays_in_its_place_once_it_is_open(tmp_path: Path) -> None:
    folder = save(FAMILIES["bert"], tmp_path)
    app = AppTest.from_function(two_lines, args=(str(folder),), default_timeout=390).run()
    (first,) = [place for place, element in app.main.children.items() if element.type == "text"]
    app.run()
    (again,) = [place for place, element in app.main.children.items() if element.type == "text"]
    assert first == again


def asks_and_leaves() -> None:
    import streamlit as st
    from streamlit.runtime.scriptrunner import get_script_run_ctx

    from ui.desk.ask import take_turn

    run = get_script_run_ctx()
    assert run is not None
    assert run.script_requests is not None
    st.text("asked")
    run.script_requests.request_stop()  # as when the browser is closed
    take_turn(lambda: st.text("computed"))


def test_a_reader_who_leaves_while_the_question_waits_takes_it_back() -> None:
    with contextlib.ExitStack() as busy:
        for _ in range(passes_at_once(os.cpu_count() or 1, "")):
            busy.enter_context(QUEUES.of("cpu").turn("others"))
        app = AppTest.from_function(asks_and_leaves, default_timeout=390).run()
        assert [text.value for text in app.text] == ["asked"]
        assert not app.exception
        assert QUEUES.of("cpu").n_waiting == 0


@pytest.mark.parametrize(("workers", "expected"), [("", 8), ("4", 2), ("16", 1), ("0", 8), ("many", 8)])
def test_workers_share_the_cores_of_a_machine(workers: str, expected: int) -> None:
    assert passes_at_once(8, workers) == expected


# -- accelerators and precision ---------------------------------------------------------------------------------------


def test_a_place_is_a_device_with_its_precision_and_auto_may_come_back() -> None:
    assert place_of(EMBEDDED, "auto") == (EMBEDDED, "cpu")
    assert place_of(EMBEDDED, "auto-bfloat16") == (EMBEDDED, "cpu-bfloat16")
    with pytest.raises(DeviceError, match="cuda"):
        place_of(EMBEDDED, "cuda-bfloat16")
    with pytest.raises(DeviceError, match="int8"):
        place_of(EMBEDDED, "cpu-int8")
    with fake_device(n_bytes=20_000):
        assert place_of(EMBEDDED, "auto-float16") == (EMBEDDED, "auto-float16")
        assert place_of(EMBEDDED, NAME)[1].startswith(NAME)


def test_half_precision_takes_half_the_memory() -> None:
    models = OpenModels(Cache(GIGABYTE))
    whole, half = (models.ask(EMBEDDED, place).result(timeout=60) for place in ("cpu", "cpu-bfloat16"))
    assert (whole.info.dtype, half.info.dtype) == ("float32", "bfloat16")
    assert weights_of(whole) == 2 * weights_of(half)


def test_a_model_on_an_accelerator_takes_none_of_the_memory_of_this_machine() -> None:
    cache = Cache(GIGABYTE, lambda device: GIGABYTE)
    models = OpenModels(cache, lambda name, *, device, progress: load(EMBEDDED, device="cpu"))
    models.ask("here", "cpu").result(timeout=60)
    taken = cache.n_bytes

    def elsewhere(name: str, *, device: str, progress: Callable[[str], None]) -> object:
        model = load(EMBEDDED, device="cpu")
        model.info = replace(model.info, device=device)
        return model

    there = OpenModels(cache, elsewhere)
    model = there.ask("there", "cuda").result(timeout=60)
    assert (cache.n_bytes, cache.n_bytes_on("cuda:0")) == (taken, weights_of(model))
