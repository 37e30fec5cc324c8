"""Every benchmark of models runs.

The runs are the smallest that there are: they show that a benchmark works, and measure nothing.
"""

from __future__ import annotations

import re
import runpy
import sys
import warnings
from collections.abc import Callable

import pytest

from recipes.corpora.data import prepare_data
from tests.benchmarks.told import told_by

Told = Callable[..., str]


@pytest.fixture
def told_here(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Told:
    """What a benchmark writes that is started as its command starts it, but in this process, which has torch already:
    to import that anew takes longer than the smallest run."""

    def _told_here(module: str, *arguments: str) -> str:
        monkeypatch.setattr(sys, "argv", [module, *arguments])
        with warnings.catch_warnings():
            warnings.simplefilter("default")  # as in a process of its own
            runpy.run_module(f"benchmarks.{module}", run_name="__main__", alter_sys=True)
        return capsys.readouterr().out

    return _told_here


def test_recording_runs(told_here: Told) -> None:
    told = told_here("recording", "--layers", "1", "--rounds", "1", "--lengths", "16")
    assert re.search(r"^ +16 \|( +[\d.]+){4} \|( +[\d.]+){3}$", told, re.MULTILINE), told


def test_batching_runs(told_here: Told) -> None:
    small = ("--models", "models/pretrained/tiny-bert/step-001708", "--lengths", "15", "--sentences", "2")
    told = told_here("batching", *small, "--rounds", "1", "--queue", "6")
    assert re.search(r"^ +15 \| +2 \|( +[\d.]+ \|){2} +[\d.]+$", told, re.MULTILINE), told
    assert re.search(r"^6 of 5 to 60 tokens at once, in \d passes: all \d+ ms", told, re.MULTILINE), told


def test_ray_engine_runs() -> None:
    """In a process of its own, which the processes of a cluster join."""
    pytest.importorskip("ray", reason="Ray, an extra, is not installed: pip install -c requirements.lock --group ray")
    small = ("--model", "models/pretrained/tiny-bert/step-001708", "--workers", "1")
    told = told_by("ray_engine", *small, "--sentences", "8", "--texts", "32", "--part", "16")
    assert len(re.findall(r"(?m)^\| (?:this process|1) \|( [\d.]+ \|){5}$", told)) == 2, told
    assert re.search(r"^10,000 students, .* 1,000 sentences a second, .* cores", told, re.MULTILINE), told
    told = told_by("ray_engine", "--shapes", "headlight-bert", "--questions", "2")
    assert re.search(r"(?m)^\| headlight-bert \| [\d.]+ \| [\d.]+ \| -?[\d.]+ \|$", told), told


def test_writing_runs(told_here: Told) -> None:
    assert len(re.findall(r"(?m)^\| .+ \| [\d.]+ \| [\d.]+ \|$", told_here("writing", "--rounds", "1"))) == 9


@pytest.mark.parametrize("more", [(), ("--causal", "--heads", "2")])
def test_attention_training_runs(told_here: Told, more: tuple[str, ...]) -> None:
    told = told_here("attention_training", "--rounds", "1", "--lengths", "8", "--tokens", "16", *more)
    assert len(re.findall(r"(?m)^\| \w+ \| 2 x 8 \|( [\d.]+ ms \|){2} [\d.]+ \|$", told)) == 2, told


def test_opening_runs(told_here: Told) -> None:
    told = told_here("opening", "--rounds", "1", "--models", "sentiment")
    assert re.search(r"(?m)^\| sentiment \| 0\.4 \|( [\d.]+ s \|){2} \d+ \|( [\d.]+ ms \|){2}$", told), told


def test_heads_runs(told_here: Told) -> None:
    told = told_here("heads", "--layers", "1", "--rounds", "1", "--lengths", "16")
    assert len(re.findall(r"(?m)^\| .+ \| 16 \| \d+ \| [\d.]+ \|$", told)) == 5, told


def test_eight_bits_runs(told_here: Told) -> None:
    models = ["mini-bert", "mini-llama", "translator-es"]
    told = told_here("eight_bits", "--models", *models, "--texts", "1")
    line = r"(?m)^([a-z-]+) \| [\d.]+ \| [\d.]+ \| [\d.]+ \| \d+ \| [\d.]+% \| 0\.\d+$"
    assert re.findall(line, told) == models, told


@pytest.fixture(scope="module")
def text_of_a_run(tmp_path_factory: pytest.TempPathFactory) -> str:
    """The folder of a run with a few books, two of which are held out."""
    folder = tmp_path_factory.mktemp("run")
    books = folder / "books.txt"
    titles = [f"The story of {name}." for name in ("Anna", "Ben", "Clara", "David", "Emma", "Felix")]
    books.write_text("\n\n".join(f"{title}\n{'Then she went home. ' * 90}" for title in titles), encoding="utf-8")
    prepare_data(folder, [books], titles[:2], d_vocab=120, passages=20)
    return str(folder)


SMALLEST_PRETRAINING = ("--preset", "tiny-bert", "--threads", "1", "--rounds", "1")


@pytest.mark.parametrize("what", [(), ("--learn", "8192")])
def test_pretraining_runs(what: tuple[str, ...], text_of_a_run: str, told_here: Told) -> None:
    told = told_here("pretraining", "--run", text_of_a_run, *SMALLEST_PRETRAINING, *what)
    assert re.search(r"\d \|$", told, re.MULTILINE), told


def test_pretraining_in_processes_runs(text_of_a_run: str) -> None:
    """In a process of its own: those that it starts open what started them."""
    told = told_by(
        "pretraining", "--run", text_of_a_run, *SMALLEST_PRETRAINING, "--processes", "1", "--iterations", "1"
    )
    assert re.search(r"\d \|$", told, re.MULTILINE), told
