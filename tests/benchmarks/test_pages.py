"""Every benchmark of pages runs, as small as it can be: it measures nothing."""

from __future__ import annotations

import re
import sys
from pathlib import Path

import pytest

from benchmarks.load_reader import PAGES
from tests.benchmarks.told import told_by
from tests.recipes.tested import ROOT


def test_load_runs() -> None:
    told = told_by("load", "--readers", "2", "--acting", "1", "--seconds", "1")
    assert re.search(r"(?m)^ +2 readers, a sentence: median [\d.]+ s .* of \d+,", told), told
    assert " 2 readers: 0 errors, " in told


def test_load_runs_with_the_model_of_a_folder(tmp_path: Path) -> None:
    told_by("bert_base", str(tmp_path), "--layers", "1", "--width", "64")
    told = told_by("load", "--readers", "2", "--seconds", "1", "--model", str(tmp_path))
    assert f"read by {tmp_path.name}\n" in told
    assert re.search(r"(?m)^ +2 readers, a sentence: median [\d.]+ s .* of \d+,", told), told
    assert " 2 readers: 0 errors, " in told


def test_load_of_every_page_runs_without_an_error() -> None:
    told = told_by("load", "--readers", "2", "--seconds", "1", "--every-page")
    assert re.search(r" 2 readers, another layer: median [\d.]+ s", told), told
    assert " 2 readers: 0 errors, " in told


def test_room_runs() -> None:
    told = told_by("room", "--students", "2", "--views", "2", "--new-sentences")
    assert re.search(r"until a student has the view +median 0\.\d+ s .* of 4\n", told), told


def test_bertviz_views_runs(chromium: str) -> None:
    assert told_by("bertviz_views", "--tokens", "4", browser=chromium).count("drawn in") == 4


def test_pages_runs(chromium: str) -> None:
    assert told_by("pages", "--rounds", "1", browser=chromium).count("median") == 7


@pytest.mark.skipif(sys.platform != "linux", reason="it reads the memory of processes as Linux tells it")
def test_viewer_runs(chromium: str) -> None:
    """Without bertviz: its scripts would have to be fetched by npm."""
    smallest = ("--skip-bertviz", "--tokens", "16", "--server-tokens", "16", "--rounds", "1", "--turns", "1")
    told = told_by("viewer", *smallest, browser=chromium)
    assert "| given up |  |" in told, told
    assert "another layer: to the exact picture" in told


def test_first_visit_runs(chromium: str) -> None:
    told = told_by("first_visit", "--rounds", "1", "--pages", "Home", browser=chromium)
    sent = {how: float(size) for how, size in re.findall(r"(?m)^Home +(\w+) .* ([\d.]+) MB ", told)}
    assert sent["compressed"] < sent["plain"] / 2, told


def test_site_page_runs(chromium: str) -> None:
    asked = ("--models", "mini-bert", "--browsers", "chromium", "--rounds", "1", "--megabits", "1000")
    told = told_by("site_page", *asked, browser=chromium)
    assert re.search(
        r"(?m)^\| chromium, mini-bert \| 7\.\d MB \| [\d.]+ s \| [\d.]+ s \|( \d+ ms \|){4} \d+ MB \|$", told
    ), told


def test_load_visits_every_page() -> None:
    assert sorted(page or "home" for page in PAGES) == sorted(path.stem for path in (ROOT / "pages").glob("*.py"))
