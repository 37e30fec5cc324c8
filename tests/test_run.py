"""run.py: what it decides, without installing anything."""

from __future__ import annotations

import os
import shlex
import subprocess
import sys
import threading
import venv
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path

import pytest

import run


@pytest.fixture
def requirements(tmp_path: Path) -> Path:
    for name in run.PROFILES["test"]:
        (tmp_path / name).write_text(f"{name}\n")
    return tmp_path


@pytest.mark.parametrize(
    ("version", "system", "machine", "is_64bit", "word"),
    [
        ((3, 10), "Linux", "x86_64", True, "3.10"),
        ((3, 15), "Linux", "x86_64", True, "3.15"),
        ((3, 10), "Windows", "AMD64", True, "py -3"),
        ((3, 12), "Windows", "x86", False, "64-bit"),
        ((3, 12), "Darwin", "x86_64", True, "Apple"),
    ],
)
def test_what_cannot_work_is_refused_with_the_reason(version, system, machine, is_64bit, word):
    assert word in run.refusal(version, system, machine, is_64bit=is_64bit)


@pytest.mark.parametrize("version", [(3, 11), (3, 14)])
@pytest.mark.parametrize(("system", "machine"), [("Linux", "aarch64"), ("Darwin", "arm64"), ("Windows", "AMD64")])
def test_what_can_work_is_not_refused(version, system, machine):
    assert run.refusal(version, system, machine, is_64bit=True) is None


def test_this_repository_pins_what_the_refusal_promises():
    """The oldest Python that run.py accepts is the one whose syntax the checks allow."""
    settings = (run.ROOT / "pyproject.toml").read_text(encoding="utf-8")
    assert f'target-version = "py{run.OLDEST[0]}{run.OLDEST[1]}"' in settings


@pytest.mark.parametrize("name", run.PROFILES["app"])
def test_a_change_of_the_requirements_is_noticed_by_both_profiles(requirements, name):
    before = {profile: run.digest(profile, requirements) for profile in run.PROFILES}
    (requirements / name).write_text("something else\n")
    assert all(run.digest(profile, requirements) != digest for profile, digest in before.items())


def test_a_change_of_what_only_the_tests_need_leaves_the_app_installed(requirements):
    before = run.digest("app", requirements), run.digest("test", requirements)
    (requirements / "requirements-dev.txt").write_text("something else\n")
    assert run.digest("app", requirements) == before[0]
    assert run.digest("test", requirements) != before[1]


@pytest.mark.parametrize("text", ["", "{", "[]", '"app"', "\x00"])
def test_a_damaged_stamp_counts_as_none(tmp_path, text):
    (tmp_path / "stamp").write_text(text)
    assert run.read_stamp(tmp_path / "stamp") == {}


def test_an_environment_is_sound_until_it_is_cut_short_or_loses_its_python(tmp_path, monkeypatch):
    monkeypatch.setattr(run, "UNFINISHED", tmp_path / "unfinished")
    assert run.is_sound({"python": "3.11"}, "3.11")
    assert run.is_sound({}, "3.12")
    assert not run.is_sound({"python": "3.11"}, "3.12")
    assert not run.is_sound({"python": "3.11"}, None)
    run.UNFINISHED.touch()
    assert not run.is_sound({"python": "3.11"}, "3.11")


def test_an_environment_that_lost_its_python_or_its_settings_is_none(tmp_path):
    """Without pyvenv.cfg the interpreter in .venv is the system's, and pip would install into the system."""
    assert run.version_inside(tmp_path) is None
    venv.create(tmp_path / "é b", with_pip=False)
    assert run.version_inside(tmp_path / "é b") == run.dotted(sys.version_info[:2])
    (tmp_path / "é b" / "pyvenv.cfg").unlink()
    assert run.version_inside(tmp_path / "é b") is None


def test_pip_refuses_to_install_outside_an_environment():
    outside = Path(getattr(sys, "_base_executable", sys.executable))
    assert subprocess.run(run.pip_install(outside, "--dry-run", "--no-index", "pip"), check=False).returncode != 0


# -- where packages come from -----------------------------------------------------------------------------------------


@pytest.fixture
def index() -> Iterator[str]:
    """The address of an index that refuses everybody: it answers."""

    class Refusal(BaseHTTPRequestHandler):
        def do_HEAD(self) -> None:
            self.send_error(401)

        def log_message(self, *_: object) -> None:
            pass

    with HTTPServer(("127.0.0.1", 0), Refusal) as server:
        thread = threading.Thread(target=server.serve_forever, daemon=True)
        thread.start()
        yield f"http://127.0.0.1:{server.server_port}/simple"
        server.shutdown()
        thread.join()


@pytest.fixture
def pip_is_told(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Callable[[str], None]:
    """Gives pip a file of settings with these lines; without any, no file of this machine counts."""
    for name in [name for name in os.environ if name.startswith("PIP_")]:
        monkeypatch.delenv(name)

    def _told(lines: str) -> None:
        file = tmp_path / "pip.conf"
        file.write_text(lines)
        monkeypatch.setenv("PIP_CONFIG_FILE", str(file) if lines else os.devnull)

    return _told


def failure(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> str:
    """What is said after pip has failed."""
    monkeypatch.setattr(run, "UNFINISHED", tmp_path / "unfinished")
    run.UNFINISHED.touch()
    return str(run.failed_installation(Path(sys.executable)))


def test_an_index_that_does_not_answer_is_named_as_pip_knows_it(monkeypatch, tmp_path, pip_is_told) -> None:
    pip_is_told("[global]\nindex-url = http://reader:secret@127.0.0.1:1/own\n")
    said = failure(monkeypatch, tmp_path)
    assert "http://127.0.0.1:1/own, from where your pip takes packages, does not answer" in said
    assert "secret" not in said
    monkeypatch.setenv("PIP_INDEX_URL", "http://127.0.0.1:2/other")
    assert "http://127.0.0.1:2/other" in failure(monkeypatch, tmp_path)


def test_an_index_that_answers_is_not_called_silent(monkeypatch, tmp_path, pip_is_told, index) -> None:
    for told in (f"[global]\nindex-url = {index}\n", "[install]\nindex-url = http://127.0.0.1:1/\nno-index = true\n"):
        pip_is_told(told)
        assert "pip says why above" in failure(monkeypatch, tmp_path)


def test_without_settings_it_is_pips_own_index(pip_is_told) -> None:
    """Which one that is, pip knows: run.py names none."""
    pip_is_told("")
    found = run.package_index(Path(sys.executable))
    assert found is not None
    assert found.startswith("https://")
    assert found.removeprefix("https://").partition("/")[0] not in (run.ROOT / "run.py").read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("lines", "is_own"),
    [
        ("", False),
        ("[global]\nindex-url = http://127.0.0.1:1/own\n", True),
        ("[install]\nno-index = true\n", True),
    ],
)
def test_pytorch_is_only_fetched_from_elsewhere_if_pip_has_no_index_of_its_own(
    lines, is_own, pip_is_told, monkeypatch, capsys
) -> None:
    pip_is_told(lines)
    asked: list[str] = []
    monkeypatch.setattr(run, "can_reach", lambda url: bool(asked.append(url)))
    run.install_small_torch(Path(sys.executable))
    assert bool(asked) is not is_own
    assert ("PIP_EXTRA_INDEX_URL" in capsys.readouterr().out) is is_own


def test_an_installation_in_progress_is_not_disturbed(monkeypatch, tmp_path):
    for name, value in {"VENV": tmp_path, "STAMP": tmp_path / "stamp", "UNFINISHED": tmp_path / "unfinished"}.items():
        monkeypatch.setattr(run, name, value)
    with run.one_at_a_time(), pytest.raises(run.SetupError, match="Another"):
        run.prepare("app", rebuild=False)


@pytest.mark.parametrize(
    ("typed", "command", "passed_on"),
    [
        ([], "app", []),
        (["--", "--server.port", "9000"], "app", ["--server.port", "9000"]),
        (["--server.port=9000"], "app", ["--server.port=9000"]),
        (["test", "-k", "record", "-x"], "test", ["-k", "record", "-x"]),
        (["test", "tests/test_run.py", "--", "--pdb"], "test", ["tests/test_run.py", "--pdb"]),
    ],
)
def test_further_arguments_are_passed_on(typed, command, passed_on):
    options, rest = run.parse(typed)
    assert (options.command, rest) == (command, passed_on)


@pytest.fixture
def checks(monkeypatch: pytest.MonkeyPatch) -> Callable[..., None]:
    """Puts modules of Python itself, with arguments, in the place of what the checks run."""
    monkeypatch.setattr(run, "find_browser", lambda: "a browser")

    def _checks(**instead: tuple[str, ...]) -> None:
        passing = dict.fromkeys(run.CHECKS, ("calendar", "1706"))
        monkeypatch.setattr(run, "CHECKS", passing | instead)

    return _checks


def test_checks_that_fail_are_named_at_the_end_and_what_ran_beside_is_heard(checks, capfd) -> None:
    checks(mypy=("no_such_check",), pytest=("ast",))
    assert run.run_checks(Path(sys.executable), ["no_such_file.py"]) == 1
    said = capfd.readouterr()
    assert "No module named no_such_check" in said.out
    assert "no_such_file.py" in said.err
    assert said.out.endswith("\nFailed: mypy, pytest\n")


def test_checks_that_pass_are_all_run(checks, capfd) -> None:
    checks()
    assert run.run_checks(Path(sys.executable), []) == 0
    said = capfd.readouterr().out
    assert said.count("July") == len(run.CHECKS)
    assert said.endswith("\nEverything passed.\n")


def test_what_runs_beside_the_others_is_ended_with_them() -> None:
    for_ever = [sys.executable, "-c", "while True: pass"]
    with pytest.raises(KeyboardInterrupt), run.beside(for_ever):
        raise KeyboardInterrupt


def test_the_interpreter_is_where_each_system_puts_it():
    assert run.venv_python(Path("v"), "Windows").parts == ("v", "Scripts", "python.exe")
    assert run.venv_python(Path("v"), "Darwin").parts == ("v", "bin", "python")


def test_the_persons_own_browser_excludes_all_others():
    for shell_first in (True, False):
        chosen = {"HEADLIGHT_CHROMIUM": "/opt/mine"}
        assert run.browser_candidates(chosen, "Darwin", shell_first=shell_first) == ["/opt/mine"]
        linux, windows = (run.browser_candidates({}, name, shell_first=shell_first) for name in ("Linux", "Windows"))
        assert set(linux) < set(windows)


@pytest.mark.skipif(sys.platform == "win32", reason="programs are found by their endings there")
def test_the_tests_take_the_shell_where_there_is_one_and_whoever_has_only_chrome_is_served(monkeypatch, tmp_path):
    monkeypatch.delenv(run.BROWSER_VARIABLE, raising=False)
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setattr(run, "BROWSER_PLACES", {})
    assert run.find_browser(shell_first=True) is None
    for name in ("google-chrome", "chromium-headless-shell"):
        (tmp_path / name).touch(mode=0o755)
        assert run.find_browser(shell_first=True) == str(tmp_path / name)
        assert run.find_browser() == str(tmp_path / "google-chrome")
    (tmp_path / "google-chrome").unlink()
    assert run.find_browser() == str(tmp_path / "chromium-headless-shell")


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
    monkeypatch.setattr(run, "apt_prefix", list)
    monkeypatch.setattr(run, "find_browser", lambda: None)
    with run.a_browser_beside():
        pass
    assert asked.read_text().split() == ["update", run.SERVING_PACKAGES[-1], "chromium-headless-shell", "chromium"]


@pytest.mark.parametrize(("system", "word"), [("Linux", "apt-get"), ("Darwin", "brew"), ("Windows", "winget")])
def test_a_missing_browser_comes_with_the_command_that_brings_it(system, word):
    assert word in run.no_browser(system)


def test_run_needs_nothing_but_python():
    """Isolated and without site-packages, as on a machine where nothing is installed."""
    command = [sys.executable, "-I", "-S", str(run.ROOT / "run.py"), "--help"]
    answer = subprocess.run(command, capture_output=True, encoding="utf-8", check=True)
    assert "python run.py test" in answer.stdout


def test_a_full_disk_is_said_in_a_sentence(monkeypatch, capsys):
    def full(*_: object, **__: object) -> None:
        raise OSError(28, "No space left on device", ".venv")

    monkeypatch.setattr(run, "prepare", full)
    assert run.main([]) == 1
    assert capsys.readouterr().out == "No space left on device: .venv\n"


# -- a window of its own


@pytest.fixture
def app_without_installation(monkeypatch: pytest.MonkeyPatch) -> None:
    """What is installed for these tests is enough."""
    monkeypatch.setattr(run, "prepare", lambda profile, *, rebuild: Path(sys.executable))


@pytest.fixture
def small_app(app_without_installation: None, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """An app of one line in the place of ours, where it is all the same what is served."""
    (tmp_path / "app.py").write_text("import streamlit\n", encoding="utf-8")
    monkeypatch.setattr(run, "ROOT", tmp_path)


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


@pytest.mark.skipif(sys.platform == "win32", reason="a script in the place of a browser")
@pytest.mark.usefixtures("app_without_installation")
def test_the_app_is_served_until_its_window_is_closed(monkeypatch, tmp_path) -> None:
    seen = tmp_path / "seen"
    page = f"open({str(seen)!r}, 'w').write(address + ' ' + urllib.request.urlopen(address).read().decode())"
    monkeypatch.setenv(run.BROWSER_VARIABLE, browser_that(tmp_path, page))
    assert run.main(["window"]) == 0
    address, content = seen.read_text(encoding="utf-8").split(" ", maxsplit=1)
    assert "<title>Headlight</title>" in content
    assert not run.can_reach(address)


@pytest.mark.skipif(sys.platform == "win32", reason="a script in the place of a browser")
@pytest.mark.usefixtures("small_app")
def test_behind_a_proxy_the_window_opens_too(monkeypatch, tmp_path) -> None:
    """A proxy outside knows nothing of what this machine serves to itself."""
    for name in ("http_proxy", "HTTP_PROXY"):
        monkeypatch.setenv(name, "http://127.0.0.1:9")
    for name in ("no_proxy", "NO_PROXY"):
        monkeypatch.delenv(name)
    monkeypatch.setenv(run.BROWSER_VARIABLE, browser_that(tmp_path, "pass"))
    assert run.main(["window"]) == 0


@pytest.mark.skipif(sys.platform == "win32", reason="a script in the place of a browser")
@pytest.mark.usefixtures("small_app")
def test_a_window_that_cannot_be_opened_is_said(monkeypatch, tmp_path, capsys) -> None:
    monkeypatch.setenv(run.BROWSER_VARIABLE, browser_that(tmp_path, "sys.exit(3)"))
    assert run.main(["window"]) == 3
    assert "could not open a window (it ended with 3)" in capsys.readouterr().out


@pytest.mark.usefixtures("small_app")
def test_without_a_chromium_the_ordinary_browser_opens_and_that_is_said(monkeypatch, capsys) -> None:
    opened: list[str] = []
    servers: list[subprocess.Popen[bytes]] = []
    start, port = subprocess.Popen, run.own_port([])[0]

    def started(*arguments, **settings) -> subprocess.Popen[bytes]:
        servers.append(start(*arguments, **settings))
        return servers[-1]

    def open_and_end(address: str) -> None:
        opened.append(address)
        servers[0].terminate()  # as Ctrl+C does

    monkeypatch.setattr(run, "find_browser", lambda: None)
    monkeypatch.setattr(run.subprocess, "Popen", started)
    monkeypatch.setattr(run.webbrowser, "open", open_and_end)
    run.main(["window", "--", "--server.port", str(port)])
    assert opened == [f"http://localhost:{port}"]
    assert servers[0].returncode is not None
    assert run.NO_WINDOW in capsys.readouterr().out


def test_the_port_that_a_person_asks_for_is_taken() -> None:
    assert run.own_port(["--server.port", "9000", "--x"]) == (9000, ["--x"])
    assert run.own_port(["--server.port=9001"]) == (9001, [])
    port, rest = run.own_port(["--theme.base", "dark"])
    assert port > 1023
    assert rest == ["--theme.base", "dark"]
