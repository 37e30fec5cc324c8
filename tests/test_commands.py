"""Every command that the documents name is one that its program understands."""

from __future__ import annotations

import argparse
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

ROOT = run.ROOT
DOCUMENTS = (*ROOT.glob("*.md"), *(ROOT / "docs").glob("*.md"), *(ROOT / "models" / "pretrained").glob("*/README.md"))
PROGRAMS = tuple((ROOT / "benchmarks").glob("*.py"))
_CALL = re.compile(r"(?m)(?:^[ ]*|`)python ((?:-m (?:benchmarks|lab|models|recipes|viz)\b|run\.py)(?:[^`\n\\]|\\\n)*)")
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
    programs = [path for path in (ROOT / "benchmarks").glob("*.py") if "__main__" in path.read_text(encoding="utf-8")]
    for benchmark in (path.stem for path in programs):
        assert f"benchmarks.{benchmark}" in named
    assert all(
        part in named for part in ("run.py test", "recipes.pretraining.pretrain", "viz.attention.heatmap", "--learn")
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
