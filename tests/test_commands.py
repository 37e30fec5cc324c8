"""Every command that the documents name is one that its program understands, and every benchmark runs.

The runs are the smallest that there are: they show that a benchmark works, and measure nothing.
"""

from __future__ import annotations

import argparse
import importlib.util
import os
import re
import runpy
import shlex
import subprocess
import sys
import warnings
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import NoReturn

import pytest

import run
from models.training.corpora.data import prepare_data

ROOT = run.ROOT
DOCUMENTS = (*ROOT.glob("*.md"), *(ROOT / "docs").glob("*.md"), *(ROOT / "models" / "pretrained").glob("*/README.md"))
PROGRAMS = (*(ROOT / "benchmarks").glob("*.py"), *(ROOT / "models" / "training").glob("*.py"))
_CALL = re.compile(r"(?m)(?:^[ ]*|`)python ((?:-m (?:benchmarks|models|viz)\.|run\.py)(?:[^`\n\\]|\\\n)*)")
"""A command on lines of its own, or between backticks; a backslash at the end of a line continues it."""


class Understood(BaseException):
    """Raised in place of all that a program does after it has read its command line; none may catch it."""


def _commands() -> Iterator[tuple[str, str]]:
    """(where it stands, the command), each command once."""
    known = set()
    for file in (*DOCUMENTS, *PROGRAMS):
        for found in _CALL.findall(file.read_text(encoding="utf-8")):
            command = " ".join(found.replace("\\\n", " ").split())
            if command not in known:
                known.add(command)
                yield file.relative_to(ROOT).as_posix(), command


COMMANDS = list(_commands())


def test_the_documents_name_commands() -> None:
    """The expression above finds them: the benchmarks, the trainings, a picture, and run.py."""
    named = " ".join(command for _, command in COMMANDS)
    for benchmark in (path.stem for path in (ROOT / "benchmarks").glob("*.py")):
        assert f"benchmarks.{benchmark}" in named
    assert all(
        part in named
        for part in ("run.py test", "models.training.embedded.pretrain", "viz.attention.heatmap", "--learn")
    )


@pytest.mark.parametrize(("file", "command"), COMMANDS, ids=[command for _, command in COMMANDS])
def test_a_command_is_understood_by_its_program(
    file: str, command: str, understands: Callable[[str, list[str]], bool]
) -> None:
    words = shlex.split(command, comments=True)
    if words[0] == "run.py":
        run.parse(words[1:])
        return
    module, arguments = words[1], words[2:]
    assert importlib.util.find_spec(module) is not None, f"{file} names {module}, which is not there"
    if module.startswith("viz."):
        assert 'if __name__ == "__main__":' in Path(str(importlib.util.find_spec(module).origin)).read_text("utf-8")
    else:
        assert understands(module, arguments), f"{file}: {command}"


@pytest.fixture
def understands(monkeypatch: pytest.MonkeyPatch) -> Callable[[str, list[str]], bool]:
    """Starts a program until it has read its command line."""
    parse = argparse.ArgumentParser.parse_args

    def parse_and_stop(parser: argparse.ArgumentParser, *given: object, **named: object) -> NoReturn:
        parse(parser, *given, **named)
        raise Understood

    def _understands(module: str, arguments: list[str]) -> bool:
        monkeypatch.setattr(argparse.ArgumentParser, "parse_args", parse_and_stop)
        monkeypatch.setattr(sys, "argv", [module, *arguments])
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", RuntimeWarning)  # runpy: other tests have imported the module
            try:
                runpy.run_module(module, run_name="__main__")
            except Understood:
                return True
            except SystemExit:
                return False
        return not arguments  # a program that reads no command line wants no words

    return _understands


# -- the benchmarks ---------------------------------------------------------------------------------------------------


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


def told_by(module: str, *arguments: str, browser: str = "") -> str:
    """What a benchmark writes when it is started by its command, in a process of its own, with that browser."""
    command = [sys.executable, "-m", f"benchmarks.{module}", *arguments]
    chosen = {run.BROWSER_VARIABLE: browser} if browser else {}
    done = subprocess.run(
        command, cwd=ROOT, env=os.environ | chosen, capture_output=True, encoding="utf-8", check=False
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_recording_runs(told_here: Told) -> None:
    told = told_here("recording", "--layers", "1", "--rounds", "1", "--lengths", "16")
    assert re.search(r"^ +16 \|( +[\d.]+){4} \|( +[\d.]+){3}$", told, re.MULTILINE), told


def test_writing_runs(told_here: Told) -> None:
    assert len(re.findall(r"(?m)^\| .+ \| [\d.]+ \| [\d.]+ \|$", told_here("writing", "--rounds", "1"))) == 9


def test_load_runs() -> None:
    assert re.search(
        r"^ +2 readers: median [\d.]+ s .* of \d+ sentences", told_by("load", "--readers", "2", "--seconds", "1")
    )


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
    told = told_by("pretraining", "--run", text_of_a_run, *SMALLEST_PRETRAINING, "--processes", "1", "--steps", "1")
    assert re.search(r"\d \|$", told, re.MULTILINE), told


def test_bertviz_views_runs(chromium: str) -> None:
    assert told_by("bertviz_views", "--tokens", "4", browser=chromium).count("drawn in") == 4


def test_pages_runs(chromium: str) -> None:
    assert told_by("pages", "--rounds", "1", browser=chromium).count("median") == 5


@pytest.mark.skipif(sys.platform != "linux", reason="it reads the memory of processes as Linux tells it")
def test_viewer_runs(chromium: str) -> None:
    """Without bertviz: its scripts would have to be fetched by npm."""
    smallest = ("--skip-bertviz", "--tokens", "16", "--server-tokens", "16", "--rounds", "1", "--turns", "1")
    told = told_by("viewer", *smallest, browser=chromium)
    assert "| given up |  |" in told, told
    assert "another layer: to the exact picture" in told
