"""`python run.py test`: which checks it runs, what it says of them, and the browser that the tests take."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable

import pytest

from serving.window import BROWSER_VARIABLE, BROWSERS
from tests import checks, chromium


@pytest.fixture
def check_with(monkeypatch: pytest.MonkeyPatch) -> Callable[..., None]:
    """Puts modules of Python itself, with arguments, in the place of what the checks run."""
    monkeypatch.setattr(chromium, "find_browser", lambda: "a browser")

    def _check_with(**instead: list[str]) -> None:
        passing = {name: ["calendar", "1706"] for name in checks.CHECKS}
        monkeypatch.setattr(checks, "CHECKS", passing | instead)

    return _check_with


def test_checks_that_fail_are_named_at_the_end_and_what_ran_in_parallel_is_heard(check_with, capfd) -> None:
    check_with(mypy=["no_such_check"], pytest=["ast"])
    assert checks.main(["no_such_file.py"]) == 1
    said = capfd.readouterr()
    assert "No module named no_such_check" in said.out
    assert "no_such_file.py" in said.err
    assert said.out.endswith("\nFailed: mypy, pytest\n")


def test_checks_that_pass_are_all_run(check_with, capfd) -> None:
    check_with()
    assert checks.main([]) == 0
    said = capfd.readouterr().out
    assert said.count("July") == len(checks.CHECKS)
    assert said.endswith("\nEverything passed.\n")


@pytest.mark.parametrize("option", ["machines", "recipes"])
def test_other_tests_are_run_with_the_arguments_that_follow(option, check_with, monkeypatch) -> None:
    check_with()
    started: list[list[str]] = []

    def _run(command: list[str], **_: object) -> subprocess.CompletedProcess[bytes]:
        started.append(command)
        return subprocess.CompletedProcess(command, 3)

    monkeypatch.setattr(checks.subprocess, "run", _run)
    assert checks.main([f"--{option}", "-x", "tests/models"]) == 3
    assert started == [[sys.executable, "-m", f"tests.{option}", "-x", "tests/models"]]


def test_what_runs_in_parallel_is_ended_with_the_others() -> None:
    for_ever = [sys.executable, "-c", "while True: pass"]
    with pytest.raises(KeyboardInterrupt), checks.started(for_ever):
        raise KeyboardInterrupt


def test_the_persons_own_browser_excludes_all_others(monkeypatch, tmp_path) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    mine = tmp_path / "mine.exe"
    for path in (mine, tmp_path / "chromium", tmp_path / chromium.SHELLS[0]):
        path.touch(mode=0o755)
    for chosen, expected in ((mine, str(mine)), (tmp_path / "gone", None)):
        monkeypatch.setenv(BROWSER_VARIABLE, str(chosen))
        assert chromium.find_browser(shell_first=True) == chromium.find_browser() == expected


@pytest.mark.skipif(sys.platform == "win32", reason="programs are found by their endings there")
def test_the_tests_take_the_shell_where_there_is_one_and_a_person_with_only_chrome_is_served(monkeypatch, tmp_path):
    monkeypatch.delenv(BROWSER_VARIABLE, raising=False)
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setattr(chromium, "BROWSERS", [name for name in BROWSERS if "/" not in name])
    assert chromium.find_browser(shell_first=True) is None
    for name in ("google-chrome", "chromium-headless-shell"):
        (tmp_path / name).touch(mode=0o755)
        assert chromium.find_browser(shell_first=True) == str(tmp_path / name)
        assert chromium.find_browser() == str(tmp_path / "google-chrome")
    (tmp_path / "google-chrome").unlink()
    assert chromium.find_browser() == str(tmp_path / "chromium-headless-shell")


APT_WITHOUT_THE_SHELL = """#!/bin/sh
for last in "$@"; do :; done
echo "$last" >> "$ASKED"
test "$last" != chromium-headless-shell
"""
"""As on Ubuntu: one package is not there."""


@pytest.mark.skipif(sys.platform == "win32", reason="a script of the shell")
def test_a_system_that_has_no_shell_gets_chromium(monkeypatch, tmp_path):
    asked, apt = tmp_path / "asked", tmp_path / "apt-get"
    apt.write_text(APT_WITHOUT_THE_SHELL)
    apt.chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}{os.pathsep}{os.environ['PATH']}")
    monkeypatch.setenv("ASKED", str(asked))
    monkeypatch.setattr(chromium, "apt_prefix", list)
    monkeypatch.setattr(chromium, "find_browser", lambda: None)
    checks.install_browser()
    assert asked.read_text().split() == ["update", chromium.FOR_SERVING[-1], "chromium-headless-shell", "chromium"]


@pytest.mark.parametrize(("system", "word"), [("Linux", "apt-get"), ("Darwin", "brew"), ("Windows", "winget")])
def test_a_missing_browser_comes_with_the_command_that_brings_it(system, word):
    assert word in chromium.explain_missing(system)
