"""The app in a window of its own."""

from __future__ import annotations

import shlex
import subprocess
import sys
from pathlib import Path

import pytest

from serving import window
from serving.workers import answers

needs_scripts = pytest.mark.skipif(sys.platform == "win32", reason="a script in the place of a browser")


@pytest.fixture
def small_app(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """An app of one line in the place of ours, where it does not matter what is served."""
    (tmp_path / "app.py").write_text("import streamlit\n", encoding="utf-8")
    monkeypatch.setattr(window, "ROOT", tmp_path)


def browser_that(tmp_path: Path, does: str) -> str:
    """A program in the place of a browser: `address` is the one that it was started with."""
    program = tmp_path / "chromium"
    script = tmp_path / "browser.py"
    script.write_text(
        "import sys, urllib.request\n"
        "address = next(word for word in sys.argv if word.startswith('--app=')).removeprefix('--app=')\n"
        f"{does}\n",
        encoding="utf-8",
    )
    command = shlex.join([sys.executable, str(script)])  # no #! leads to a Python in a folder with a space
    program.write_text(f'#!/bin/sh\nexec {command} "$@"\n', encoding="utf-8")
    program.chmod(0o755)
    return str(program)


@needs_scripts
def test_the_app_is_served_until_its_window_is_closed(monkeypatch, tmp_path) -> None:
    seen = tmp_path / "seen"
    page = f"open({str(seen)!r}, 'w').write(address + ' ' + urllib.request.urlopen(address).read().decode())"
    monkeypatch.setenv(window.BROWSER_VARIABLE, browser_that(tmp_path, page))
    assert window.main([]) == 0
    address, content = seen.read_text(encoding="utf-8").split(" ", maxsplit=1)
    assert "<title>Headlight</title>" in content
    assert not answers(address)


@needs_scripts
@pytest.mark.usefixtures("small_app")
def test_behind_a_proxy_the_window_opens_too(monkeypatch, tmp_path) -> None:
    """A proxy outside knows nothing of what this machine serves to itself."""
    for name in ("http_proxy", "HTTP_PROXY"):
        monkeypatch.setenv(name, "http://127.0.0.1:9")
    for name in ("no_proxy", "NO_PROXY"):
        monkeypatch.delenv(name)
    monkeypatch.setenv(window.BROWSER_VARIABLE, browser_that(tmp_path, "pass"))
    assert window.main([]) == 0


@needs_scripts
@pytest.mark.usefixtures("small_app")
def test_a_window_that_cannot_be_opened_is_said(monkeypatch, tmp_path, capsys) -> None:
    monkeypatch.setenv(window.BROWSER_VARIABLE, browser_that(tmp_path, "sys.exit(3)"))
    assert window.main([]) == 3
    assert "could not open a window (it ended with 3)" in capsys.readouterr().out


@pytest.mark.usefixtures("small_app")
def test_without_a_chromium_the_ordinary_browser_opens_and_that_is_said(monkeypatch, capsys) -> None:
    opened: list[str] = []
    servers: list[subprocess.Popen[bytes]] = []
    start, port = subprocess.Popen, window.choose_port([])[0]

    def started(*arguments, **settings) -> subprocess.Popen[bytes]:
        servers.append(start(*arguments, **settings))
        return servers[-1]

    def open_and_end(address: str) -> None:
        opened.append(address)
        servers[0].terminate()  # as Ctrl+C does

    monkeypatch.setattr(window, "find_browser", lambda: None)
    monkeypatch.setattr(window.subprocess, "Popen", started)
    monkeypatch.setattr(window.webbrowser, "open", open_and_end)
    window.main(["--server.port", str(port)])
    assert opened == [f"http://localhost:{port}"]
    assert servers[0].returncode is not None
    assert window.NO_WINDOW in capsys.readouterr().out


def test_the_port_that_a_person_asks_for_is_taken() -> None:
    assert window.choose_port(["--server.port", "9000", "--x"]) == (9000, ["--x"])
    assert window.choose_port(["--server.port=9001"]) == (9001, [])
    port, rest = window.choose_port(["--theme.base", "dark"])
    assert port > 1023
    assert rest == ["--theme.base", "dark"]
