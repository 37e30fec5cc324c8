"""The models of a server: opened once for all, put away in order, and a failure does no harm."""

from __future__ import annotations

import threading
from collections import Counter
from collections.abc import Callable
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from models import load
from models.errors import ModelNotFoundError
from tests.models.families import FAMILIES, save
from ui.shelf import Shelf

EMBEDDED = "mini-bert"


def test_a_model_is_opened_once_for_all_who_ask() -> None:
    shelf = Shelf(2)
    asked = [shelf.ask(EMBEDDED, "cpu") for _ in range(8)]
    assert len({id(opening.result(timeout=60)) for opening in asked}) == 1


def test_the_longest_unused_model_makes_room() -> None:
    opened: Counter[str] = Counter()

    def counted(name: str, *, device: str, progress: Callable[[str], None]) -> object:
        opened[name] += 1
        return load(EMBEDDED, device=device, progress=progress)

    shelf = Shelf(2, counted)
    for name in ("a", "b", "a", "c", "a", "b"):
        shelf.ask(name, "cpu").result(timeout=60)
    assert opened == {"a": 1, "b": 2, "c": 1}


def test_a_failure_is_told_and_the_next_try_starts_anew() -> None:
    shelf = Shelf(2)
    for _ in range(2):
        with pytest.raises(ModelNotFoundError, match="nobody/nothing"):
            shelf.ask("nobody/nothing", "cpu").result(timeout=60)
    assert shelf.ask(EMBEDDED, "cpu").result(timeout=60).info.name == EMBEDDED


def test_those_who_wait_hear_what_goes_on() -> None:
    said, heard = threading.Event(), threading.Event()

    def slow(name: str, *, device: str, progress: Callable[[str], None]) -> object:
        progress(f"Downloading {name}: 1 of 2 MB")
        said.set()
        assert heard.wait(timeout=60)
        return load(EMBEDDED, device=device)

    shelf = Shelf(1, slow)
    opening = shelf.ask("slow", "cpu")
    assert said.wait(timeout=60)
    assert shelf.said("slow", "cpu") == "Downloading slow: 1 of 2 MB"
    heard.set()
    opening.result(timeout=60)


def two_lines(folder: str) -> None:
    import streamlit as st

    from ui.cache import open_model

    st.text(open_model(folder, "cpu").info.n_layers)


def test_what_follows_a_model_stays_in_its_place_once_it_is_open(tmp_path: Path) -> None:
    folder = save(FAMILIES["bert"], tmp_path)
    app = AppTest.from_function(two_lines, args=(str(folder),), default_timeout=150).run()
    (first,) = [place for place, element in app.main.children.items() if element.type == "text"]
    app.run()
    (again,) = [place for place, element in app.main.children.items() if element.type == "text"]
    assert first == again
