"""Every command that the documents name is one that its program understands, and every benchmark runs.

The runs are the smallest that there are: they show that a benchmark works, and measure nothing.
"""

from __future__ import annotations

import argparse
import importlib
import importlib.util
import re
import runpy
import shlex
import sys
import warnings
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import NoReturn

import pytest

import run
from models.training.data import prepare_data

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
    assert all(part in named for part in ("run.py test", "models.training.pretrain", "viz.heatmap", "--learn"))


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
        return False

    return _understands


# -- the benchmarks ---------------------------------------------------------------------------------------------------


def benchmark(module: str, *arguments: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Run a benchmark in this process, as its command does."""
    monkeypatch.setattr(sys, "argv", [module, *arguments])
    importlib.import_module(module).main()


def test_recording_runs(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    benchmark("benchmarks.recording", "--layers", "1", "--rounds", "1", "--lengths", "16", monkeypatch=monkeypatch)
    assert re.search(r"^ +16 \|( +[\d.]+){4} \|( +[\d.]+){3}$", capsys.readouterr().out, re.MULTILINE)


def test_writing_runs(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    benchmark("benchmarks.writing", "--rounds", "1", monkeypatch=monkeypatch)
    assert len(re.findall(r"(?m)^\| .+ \| [\d.]+ \| [\d.]+ \|$", capsys.readouterr().out)) == 9


@pytest.mark.parametrize(
    ("what", "n_lines"), [((), 3), (("--learn", "8192"), 2), (("--processes", "1", "--steps", "1"), 1)]
)
def test_pretraining_runs(
    what: tuple[str, ...], n_lines: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:  # fmt: skip
    books = tmp_path / "books.txt"
    books.write_text("\n\n".join(f"Anna saw Ben. {'Then she went home. ' * 60}" for _ in range(6)), encoding="utf-8")
    prepare_data(tmp_path / "run", [books], ["Anna"], d_vocab=120, passages=20)
    given = ("--run", str(tmp_path / "run"), "--preset", "tiny-bert", "--rounds", "1", *what)
    benchmark("benchmarks.pretraining", *given, monkeypatch=monkeypatch)
    rows = [line for line in capsys.readouterr().out.splitlines() if re.search(r"\d \|$", line)]
    assert len(rows) == n_lines


def test_bertviz_views_runs(chromium: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    benchmark("benchmarks.bertviz_views", "--tokens", "4", monkeypatch=monkeypatch)
    assert capsys.readouterr().out.count("drawn in") == 4


def test_pages_runs(chromium: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    benchmark("benchmarks.pages", "--rounds", "1", monkeypatch=monkeypatch)
    assert capsys.readouterr().out.count("median") == 5


@pytest.mark.skipif(sys.platform != "linux", reason="it reads the memory of processes as Linux tells it")
def test_viewer_runs(chromium: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    """Without bertviz: its scripts would have to be fetched by npm."""
    smallest = ("--skip-bertviz", "--tokens", "16", "--server-tokens", "16", "--rounds", "1", "--turns", "1")
    benchmark("benchmarks.viewer", *smallest, monkeypatch=monkeypatch)
    told = capsys.readouterr().out
    assert "| given up |  |" in told
    assert "another layer: to the exact picture" in told
