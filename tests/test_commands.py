"""Every command that the documents name is one that its program understands, and every benchmark runs.

The runs are the smallest that there are: they show that a benchmark works, and measure nothing.
"""

from __future__ import annotations

import argparse
import importlib.util
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


def told_by(module: str, *arguments: str) -> str:
    """What a benchmark writes when it is started by its command, in a process of its own."""
    command = [sys.executable, "-m", f"benchmarks.{module}", *arguments]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, encoding="utf-8", check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_recording_runs() -> None:
    told = told_by("recording", "--layers", "1", "--rounds", "1", "--lengths", "16")
    assert re.search(r"^ +16 \|( +[\d.]+){4} \|( +[\d.]+){3}$", told, re.MULTILINE), told


def test_writing_runs() -> None:
    assert len(re.findall(r"(?m)^\| .+ \| [\d.]+ \| [\d.]+ \|$", told_by("writing", "--rounds", "1"))) == 9


def test_opening_runs() -> None:
    told = told_by("opening", "--rounds", "1", "--models", "sentiment")
    assert re.search(r"(?m)^\| sentiment \| 0\.4 \|( [\d.]+ s \|){2} \d+ \|( [\d.]+ ms \|){2}$", told), told


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


@pytest.mark.parametrize("what", [(), ("--learn", "8192"), ("--processes", "1", "--iterations", "1")])
def test_pretraining_runs(what: tuple[str, ...], text_of_a_run: str) -> None:
    smallest = ("--preset", "tiny-bert", "--threads", "1", "--rounds", "1")
    told = told_by("pretraining", "--run", text_of_a_run, *smallest, *what)
    assert re.search(r"\d \|$", told, re.MULTILINE), told


@pytest.mark.usefixtures("chromium")
def test_bertviz_views_runs() -> None:
    assert told_by("bertviz_views", "--tokens", "4").count("drawn in") == 4


@pytest.mark.usefixtures("chromium")
def test_pages_runs() -> None:
    assert told_by("pages", "--rounds", "1").count("median") == 5


@pytest.mark.usefixtures("chromium")
@pytest.mark.skipif(sys.platform != "linux", reason="it reads the memory of processes as Linux tells it")
def test_viewer_runs() -> None:
    """Without bertviz: its scripts would have to be fetched by npm."""
    smallest = ("--skip-bertviz", "--tokens", "16", "--server-tokens", "16", "--rounds", "1", "--turns", "1")
    told = told_by("viewer", *smallest)
    assert "| given up |  |" in told, told
    assert "another layer: to the exact picture" in told


@pytest.mark.usefixtures("chromium")
def test_first_visit_runs() -> None:
    told = told_by("first_visit", "--rounds", "1", "--pages", "Home")
    sent = {how: float(size) for how, size in re.findall(r"(?m)^Home +(\w+) .* ([\d.]+) MB ", told)}
    assert sent["compressed"] < sent["plain"] / 2, told
