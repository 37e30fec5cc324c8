"""Set up and start Headlight with one command; needs nothing but Python itself.

    python run.py          make .venv beside this file, install the pinned packages, open the app
    python run.py window   the same, in a window of its own: closing it ends the app
    python run.py serve    several processes of the app behind one address: --workers 4 --port 8501
    python run.py test     install what the tests need as well, then run every check
    python run.py test --machines    run what compares numbers as on other processors, and say what is near its bound
    python run.py test --recipes     run the tests of what made the weights, and of the benchmarks, when these change

A second call finds the finished installation and starts at once.
"""

from __future__ import annotations

import argparse
import hashlib
import http.client
import importlib.util
import json
import os
import platform
import random
import re
import shlex
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.parse
import urllib.request
import webbrowser
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import BinaryIO

if sys.platform == "win32":
    import msvcrt
else:
    import fcntl

ROOT = Path(__file__).resolve().parent
VENV = ROOT / ".venv"
STAMP = VENV / "headlight.json"
"""What is installed: the version of Python, and for each profile the digest of its requirements."""
UNFINISHED = VENV / "headlight-unfinished"
"""Stands in .venv while that is being changed. Found at the start, it says that an installation was cut short."""

OLDEST, NEWEST = (3, 11), (3, 14)
PROFILES = {
    "app": ("constraints.txt", "requirements.txt"),
    "test": ("constraints.txt", "requirements.txt", "requirements-dev.txt", "requirements-dev-nodeps.txt"),
}
NEW_PIP = ("--constraint", "constraints.txt", "pip")
"""A pip that shows its progress while it installs, too; the one that comes with Python may be years old."""
PIP_STEPS = {
    "app": (NEW_PIP, ("--requirement", "requirements.txt")),
    "test": (
        NEW_PIP,
        ("--requirement", "requirements-dev.txt"),
        ("--no-deps", "--requirement", "requirements-dev-nodeps.txt"),
    ),
}
CHECKS = {
    "ruff check": ("ruff", "check", "."),
    "ruff format": ("ruff", "format", "--check", "."),
    "mypy": ("mypy", "--strict", "models", "lab", "lessons", "viz", "ui", "serving", "benchmarks", "recipes"),
    "pytest": (
        "pytest", "--numprocesses", "auto", "--dist", "loadfile", "--no-loadscope-reorder", "--max-worker-restart", "0",
    ),
}  # fmt: skip
"""The tests of a file stay together and share what it sets up; `tests/conftest.py` says how many files run at once. A
process that crashes ends the run: another in its place would begin the same test again, and might wait for ever."""
OTHER_TESTS = {"machines": "tests.machines", "recipes": "tests.recipes"}
"""Options of `test` that run something else, and the module that does it."""
BESIDE = "mypy"
"""The check that runs while the others do: it keeps one processor busy, and the tests wait for browsers at times."""
GIGABYTE = 10**9
SPACE_NEEDED = 3 * GIGABYTE
TORCH_CPU_INDEX = "https://download.pytorch.org/whl/cpu"
"""Where the makers of PyTorch keep its small build. Only asked where pip has no index of its own."""
OWN_INDEX = ("index-url", "pypi-url", "no-index")
"""The settings of pip with which a person, or an institution, says where packages come from, and from nowhere else."""

PORTS = range(20_000, 32_000)
"""Where the app listens if nobody has named a port. Above, Linux takes ports for whoever connects to something."""
BROWSER_VARIABLE = "HEADLIGHT_CHROMIUM"
BROWSER_PACKAGES = ("chromium-headless-shell", "chromium")
"""The first that the system has is installed: Ubuntu, for one, has no shell."""
FONT_PACKAGES = ("fonts-noto-cjk", "fonts-noto-color-emoji")
SERVING_PACKAGES = ("haproxy", "bubblewrap")
"""For the tests of `serve` and of the container; without them they are left out."""
SHELL_COMMANDS = ("chromium-headless-shell", "chrome-headless-shell")
"""Chromium without what only a window needs: the tests take a third less work in it."""
BROWSER_COMMANDS = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome", "microsoft-edge")
BROWSER_PLACES = {
    "Darwin": (
        "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
        "/Applications/Chromium.app/Contents/MacOS/Chromium",
        "/Applications/Microsoft Edge.app/Contents/MacOS/Microsoft Edge",
    ),
    "Windows": (
        "C:/Program Files/Google/Chrome/Application/chrome.exe",
        "C:/Program Files (x86)/Google/Chrome/Application/chrome.exe",
        "C:/Program Files (x86)/Microsoft/Edge/Application/msedge.exe",
        "C:/Program Files/Microsoft/Edge/Application/msedge.exe",
    ),
}
BROWSER_ADVICE = {
    "Darwin": "Install Google Chrome, from https://www.google.com/chrome or with: brew install --cask google-chrome",
    "Windows": "Install Google Chrome, from https://www.google.com/chrome or with: winget install Google.Chrome",
}


NO_WINDOW = "A window of its own needs Chrome, Chromium or Edge, and none was found."


class SetupError(Exception):
    """Something the person at the keyboard has to know; the message says what to do next."""


def say(message: str) -> None:
    """Write a line to the terminal at once."""
    sys.stdout.write(message + "\n")
    sys.stdout.flush()


# --- this computer


def dotted(version: tuple[int, int]) -> str:
    """Write a version as people do: 3.11."""
    return "{}.{}".format(*version)


def refusal(version: tuple[int, int], system: str, machine: str, *, is_64bit: bool) -> str | None:
    """Why Headlight cannot run on this Python or computer, or None if it can."""
    if not OLDEST <= version <= NEWEST:
        by_name = f"py -{dotted(NEWEST)}" if system == "Windows" else f"python{dotted(NEWEST)}"
        return (
            f"Headlight needs Python {dotted(OLDEST)} to {dotted(NEWEST)}, and this is Python {dotted(version)}. "
            f"Install one of those from https://www.python.org/downloads/ and call it by name: {by_name} run.py"
        )
    if not is_64bit:
        return "Headlight needs a 64-bit Python, and this one has 32 bits: see https://www.python.org/downloads/"
    if (system, machine) == ("Darwin", "x86_64"):
        return (
            "Headlight needs a Python for Apple chips, and this one is for Intel processors, "
            "for which PyTorch is no longer made: see https://www.python.org/downloads/"
        )
    return None


def can_reach(url: str, *handlers: urllib.request.BaseHandler) -> bool:
    """Whether there is something at an address, within three seconds."""
    try:
        with urllib.request.build_opener(*handlers).open(urllib.request.Request(url, method="HEAD"), timeout=3):
            return True
    except (OSError, http.client.HTTPException):
        return False


def answers(url: str, *, proxy: str | None) -> bool:
    """Whether anybody answers at an address, be it with a refusal; pip may know a password or certificate for it."""
    proxies = urllib.request.ProxyHandler({"http": proxy, "https": proxy} if proxy else None)
    request = urllib.request.Request(url, method="HEAD")
    try:
        with urllib.request.build_opener(proxies).open(request, timeout=3):
            return True
    except urllib.error.HTTPError:
        return True
    except urllib.error.URLError as error:
        return type(error.reason).__module__ == "ssl"
    except (OSError, http.client.HTTPException):
        return False


def has_nvidia_gpu() -> bool:
    """Whether an NVIDIA driver is installed."""
    return Path("/proc/driver/nvidia").exists() or shutil.which("nvidia-smi") is not None


def lock(file: BinaryIO) -> None:
    """Take the file for this process alone until it is closed; raise OSError if another process has it."""
    if sys.platform == "win32":
        file.seek(2**30)  # past the end: Windows lets nobody read a locked byte
        msvcrt.locking(file.fileno(), msvcrt.LK_NBLCK, 1)
    else:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)


@contextmanager
def one_at_a_time() -> Iterator[None]:
    """Keep a second call from taking an installation that is still running for one that was cut short."""
    with Path(__file__).open("rb") as file:
        try:
            lock(file)
        except OSError:
            raise SetupError("Another 'run.py' is installing here. Wait until it is done, then try again.") from None
        yield


# --- the virtual environment


def venv_python(venv: Path, system: str) -> Path:
    """The interpreter inside a virtual environment."""
    return venv / "Scripts" / "python.exe" if system == "Windows" else venv / "bin" / "python"


def digest(profile: str, root: Path) -> str:
    """A fingerprint of the requirements of a profile."""
    texts = [f"{name}\n{(root / name).read_text(encoding='utf-8')}" for name in PROFILES[profile]]
    return hashlib.sha256("\n".join(texts).encode()).hexdigest()


def read_stamp(stamp: Path) -> dict[str, str]:
    """What the stamp says is installed; nothing if it is absent or damaged."""
    try:
        installed = json.loads(stamp.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}
    return installed if isinstance(installed, dict) else {}


def version_inside(venv: Path) -> str | None:
    """The version of the environment's Python; None if it does not run, as after the system's Python was replaced.

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


def is_sound(installed: Mapping[str, str], version: str | None) -> bool:
    """Whether .venv can be used as it is, or be added to. One that a person made by hand has no stamp, and can."""
    return version is not None and not UNFINISHED.exists() and installed.get("python", version) == version


def prepare(profile: str, *, rebuild: bool) -> Path:
    """Bring .venv to what the profile needs and return its interpreter."""
    python, wanted = venv_python(VENV, platform.system()), digest(profile, ROOT)
    installed, version = read_stamp(STAMP), version_inside(VENV)
    if not rebuild and is_sound(installed, version) and installed.get(profile) == wanted:
        return python
    with one_at_a_time():
        if rebuild or not is_sound(installed, version):
            make_venv()
            installed, version = {}, version_inside(VENV)
        install(profile, python)
        installed = {**installed, "python": version or "", "app": digest("app", ROOT), profile: wanted}
        STAMP.write_text(json.dumps(installed), encoding="utf-8")
        UNFINISHED.unlink()
    return python


def remove_venv() -> None:
    """Remove .venv; if that stops half-way, what is left is no environment any more."""
    try:
        (VENV / "pyvenv.cfg").unlink(missing_ok=True)
        shutil.rmtree(VENV)
    except OSError as error:
        raise SetupError(
            f"{VENV} cannot be removed: {error.strerror}. Stop what runs from it, then try again."
        ) from None


def make_venv() -> None:
    """Make .venv from nothing."""
    if importlib.util.find_spec("venv") is None or importlib.util.find_spec("ensurepip") is None:
        raise SetupError(
            "This Python comes without its venv module. On Debian or Ubuntu install it with: "
            f"sudo apt-get install python{dotted(sys.version_info[:2])}-venv"
        )
    if VENV.exists():
        say("Removing the virtual environment in .venv, to make it again.")
        remove_venv()
    if shutil.disk_usage(ROOT).free < SPACE_NEEDED:
        raise SetupError(f"This disk is too full: the packages need {SPACE_NEEDED // GIGABYTE} GB in {VENV}")
    say("Making a virtual environment in .venv")
    VENV.mkdir()
    UNFINISHED.touch()
    outside_any_venv = getattr(sys, "_base_executable", None) or sys.executable
    if subprocess.run([outside_any_venv, "-m", "venv", str(VENV)], check=False).returncode:
        raise SetupError("The virtual environment could not be made; the lines above say why.")


def ask_pip(python: Path, *arguments: str) -> str:
    """What pip writes about itself; nothing if it cannot."""
    command = [str(python), "-I", "-X", "utf8", "-m", "pip", "--disable-pip-version-check", *arguments]
    wide = {**os.environ, "COLUMNS": "10000"}  # an address that is broken into two lines is none
    try:
        asked = subprocess.run(command, capture_output=True, encoding="utf-8", timeout=60, check=True, env=wide)
    except (OSError, ValueError, subprocess.SubprocessError):
        return ""
    return asked.stdout


def pip_settings(python: Path) -> dict[str, str]:
    """The settings that pip finds in its files and in the environment, which counts for more."""
    found: dict[str, dict[str, str]] = {"global": {}, "install": {}, ":env:": {}}
    for line in ask_pip(python, "config", "list").splitlines():
        key, _, value = line.partition("=")
        part, _, name = key.rpartition(".")
        if part in found:
            found[part][name] = value.strip("'\"")
    return {**found["global"], **found["install"], **found[":env:"]}


def has_own_index(settings: Mapping[str, str]) -> bool:
    """Whether somebody has told pip where packages come from."""
    return any(name in settings for name in OWN_INDEX)


def package_index(python: Path) -> str | None:
    """The address from which pip takes packages, without a password; None if pip does not say, or takes a folder.

    The help of pip is the one place that names it whether it comes from a file, the environment or pip itself.
    """
    found = re.search(r"--index-url <url>.*?\(default:? (https?://[^\s)]+)\)", ask_pip(python, "install", "--help"))
    if found is None:
        return None
    parts = urllib.parse.urlsplit(found[1])
    return parts._replace(netloc=parts.netloc.rpartition("@")[2]).geturl()


def pip_install(python: Path, *arguments: str) -> list[str]:
    """The command that installs packages, from wheels only: nothing is compiled, nothing foreign runs."""
    pip = [str(python), "-I", "-m", "pip", "--require-virtualenv", "--disable-pip-version-check", "--no-input"]
    return [*pip, "install", "--only-binary=:all:", "--no-compile", *arguments]


def compile_packages(python: Path) -> None:
    """Compile what is installed on all processors; pip takes one. Some packages bring files that are no Python: those
    stay as they are."""
    subprocess.run([str(python), "-I", "-m", "compileall", "-qq", "-j", "0", str(VENV)], cwd=ROOT, check=False)


def install(profile: str, python: Path) -> None:
    """Install the packages of a profile; pip shows its progress."""
    say("Installing the packages. This takes a few minutes, and is done once.")
    UNFINISHED.touch()
    if platform.system() == "Linux" and not has_nvidia_gpu():
        install_small_torch(python)
    for arguments in PIP_STEPS[profile]:
        if subprocess.run(pip_install(python, *arguments), cwd=ROOT, check=False).returncode:
            raise failed_installation(python)
    compile_packages(python)


def install_small_torch(python: Path) -> None:
    """Install the PyTorch without gigabytes for GPUs, which the usual index does not have, where that can be done.

    Where pip has been told where packages come from, that is kept to. If the small one cannot be had, the other one
    does as well.
    """
    if has_own_index(pip_settings(python)):
        say(
            "PyTorch comes from the index that your pip is set to, which may have it only with gigabytes for GPUs. "
            f"Its small build is found with: PIP_EXTRA_INDEX_URL={TORCH_CPU_INDEX}"
        )
        return
    if can_reach(TORCH_CPU_INDEX + "/torch/"):
        pins = (ROOT / "requirements.txt").read_text(encoding="utf-8").splitlines()
        torch = next(pin for pin in pins if pin.startswith("torch=="))
        subprocess.run(pip_install(python, "--no-deps", "--index-url", TORCH_CPU_INDEX, torch), check=False)


def failed_installation(python: Path) -> SetupError:
    """Say why pip may have failed, and whether what it left behind can be built on."""
    if shutil.disk_usage(ROOT).free < GIGABYTE:
        return SetupError("The disk is full. Free some space, then call 'run.py' again.")
    UNFINISHED.unlink()  # pip gives up before it changes anything
    settings, index = pip_settings(python), package_index(python)
    if index is not None and "no-index" not in settings and not answers(index, proxy=settings.get("proxy")):
        return SetupError(
            f"{index}, from where your pip takes packages, does not answer. Check the network, the proxy or pip's "
            "settings ('pip config list' shows them), then call 'run.py' again."
        )
    return SetupError("The packages could not be installed; pip says why above. To start afresh: run.py --rebuild")


# --- a browser for the tests


def browser_candidates(environment: Mapping[str, str], system: str, *, shell_first: bool) -> list[str]:
    """Where a browser of the Chromium family may be, best first; the person's own choice excludes all others."""
    chosen = environment.get(BROWSER_VARIABLE)
    if chosen:
        return [chosen]
    whole = [*BROWSER_COMMANDS, *BROWSER_PLACES.get(system, ())]
    return [*SHELL_COMMANDS, *whole] if shell_first else [*whole, *SHELL_COMMANDS]


def find_browser(*, shell_first: bool = False) -> str | None:
    """The path of a browser of the Chromium family, or None. What is measured is measured in a reader's, not in a
    shell, where there is one."""
    found = map(shutil.which, browser_candidates(os.environ, platform.system(), shell_first=shell_first))
    return next((path for path in found if path), None)


def apt_prefix() -> list[str] | None:
    """What to put before apt-get so that it may install; None if it cannot."""
    if not shutil.which("apt-get"):
        return None
    if os.access("/var/lib/dpkg", os.W_OK):
        return []
    sudo = ["sudo", "--non-interactive"]
    if shutil.which("sudo") and subprocess.run([*sudo, "true"], capture_output=True, check=False).returncode == 0:
        return sudo
    return None


def browser_installation() -> list[str] | None:
    """The command that installs Debian's Chromium, and fonts for Korean and emoji; None if apt-get may not."""
    prefix = apt_prefix()
    if prefix is None:
        return None
    apt = [*prefix, "env", "DEBIAN_FRONTEND=noninteractive", "apt-get", "--quiet"]
    install = [*apt, "install", "--yes", "--no-install-recommends", *FONT_PACKAGES]
    tried = " || ".join(shlex.join([*install, package]) for package in BROWSER_PACKAGES)
    beside = shlex.join([*apt, "install", "--yes", "--no-install-recommends", *SERVING_PACKAGES])
    return ["sh", "-c", f"exec </dev/null; {shlex.join([*apt, 'update'])}; {beside}; {tried}"]


@contextmanager
def a_browser_beside() -> Iterator[None]:
    """Install a browser where there is none, while something else is done; both take long."""
    command = None if find_browser() else browser_installation()
    if command is None:
        yield
        return
    with beside(command) as wait_for_it:
        yield
        say("Installing Chromium for the browser tests")
        wait_for_it()


def no_browser(system: str) -> str:
    """Tell a person which browser to install, and how."""
    debian = f"Install Chromium; on Debian: sudo apt-get install {' '.join((BROWSER_PACKAGES[0], *FONT_PACKAGES))}"
    advice = BROWSER_ADVICE.get(system, debian)
    return f"The browser tests need Chromium, Chrome or Edge. {advice}\nOr name one: {BROWSER_VARIABLE}=/path/to/chrome"


# --- the commands


def start_app(python: Path, arguments: Sequence[str]) -> int:
    """Hand over to Streamlit."""
    return hand_over([str(python), "-m", "streamlit", "run", "app.py", *arguments])


def start_serving(python: Path, arguments: Sequence[str]) -> int:
    """Hand over to what starts several processes of the app and a proxy."""
    return hand_over([str(python), "-m", "serving", *arguments])


def hand_over(command: list[str]) -> int:
    """Let a program take our place."""
    os.chdir(ROOT)  # Streamlit looks for its settings here
    if platform.system() != "Windows":
        os.execv(command[0], command)  # so that a signal reaches the app
    return subprocess.run(command, check=False).returncode


def start_window(python: Path, arguments: Sequence[str]) -> int:
    """Open the app in a window without tabs or address bar, and end it when that is closed."""
    port, rest = own_port(arguments)
    address, browser = f"http://localhost:{port}", find_browser()
    options = ["--server.headless", "true", "--server.port", str(port), *rest]
    with ending(subprocess.Popen([str(python), "-m", "streamlit", "run", "app.py", *options], cwd=ROOT)) as server:
        if not is_served(server, f"{address}/_stcore/health"):
            return server.wait() or 1
        if browser is None or Path(browser).name in SHELL_COMMANDS:
            say(f"{NO_WINDOW} It opens in your ordinary browser, at {address}. Ctrl+C ends it.")
            webbrowser.open(address)
            return server.wait()
        status = subprocess.run(window_command(browser, address), check=False).returncode
        if status:
            say(f"{browser} could not open a window (it ended with {status}). Start the app with: python run.py")
        return status


def window_command(browser: str, address: str) -> list[str]:
    """What opens an address as an app. With a profile of its own the browser stays until its window is closed; one that
    is open already would take the address over, and end at once."""
    profile = VENV / "headlight-window"
    return [browser, f"--app={address}", f"--user-data-dir={profile}", "--no-first-run", "--no-default-browser-check"]


def own_port(arguments: Sequence[str]) -> tuple[int, list[str]]:
    """The port that a person asks for, or one that nobody listens on; and the other arguments."""
    parser = argparse.ArgumentParser(add_help=False, allow_abbrev=False)
    parser.add_argument("--server.port", dest="port", type=int)
    asked, rest = parser.parse_known_args(arguments)
    if asked.port is not None:
        return asked.port, rest
    return free_port(), rest


def free_port() -> int:
    """A port that nobody listens on, of those that the system gives to nobody by itself: another one may be somebody's
    before the server takes it."""
    for port in random.sample(PORTS, len(PORTS)):
        with socket.socket() as free, suppress(OSError):
            free.bind(("127.0.0.1", port))
            return port
    raise SetupError(f"All ports from {PORTS.start} to {PORTS.stop} are taken. Name another one: --server.port 9000")


def is_served(server: subprocess.Popen[bytes], address: str) -> bool:
    """Wait until our own server answers; False if it has ended before it did. No proxy leads to this machine."""
    while server.poll() is None:
        if can_reach(address, urllib.request.ProxyHandler({})):
            return True
        time.sleep(0.1)
    return False


@contextmanager
def ending(server: subprocess.Popen[bytes]) -> Iterator[subprocess.Popen[bytes]]:
    """End the server with the block."""
    try:
        yield server
    finally:
        server.terminate()
        server.wait()


@contextmanager
def beside(command: Sequence[str]) -> Iterator[Callable[[], bool]]:
    """Run a check while others run. Gives what waits for it, writes what it had to say, and tells whether it passed."""
    with (
        tempfile.TemporaryFile() as said,
        subprocess.Popen(command, cwd=ROOT, stdout=said, stderr=subprocess.STDOUT) as process,
    ):

        def _passed() -> bool:
            status = process.wait()
            said.seek(0)
            say(said.read().decode(errors="replace").rstrip())
            return status == 0

        try:
            yield _passed
        finally:
            process.kill()  # as after Ctrl-C; one that has ended is left alone


def run_checks(python: Path, arguments: Sequence[str]) -> int:
    """Run every check, also after one has failed, and sum up; `arguments` go to pytest."""
    commands = {name: [str(python), "-m", *check] for name, check in CHECKS.items()}
    commands["pytest"] += arguments
    passed = {}
    with beside(commands.pop(BESIDE)) as wait_for_it:
        for name, command in commands.items():
            say(f"\n{name}")
            passed[name] = subprocess.run(command, cwd=ROOT, check=False).returncode == 0
        say(f"\n{BESIDE}")
        passed[BESIDE] = wait_for_it()
    failed = [name for name in CHECKS if not passed[name]]
    if not find_browser():
        say("\n" + no_browser(platform.system()))
    say("\nFailed: " + ", ".join(failed) if failed else "\nEverything passed.")
    return 1 if failed else 0


STARTS = {"app": start_app, "window": start_window, "serve": start_serving}


def parse(arguments: Sequence[str]) -> tuple[argparse.Namespace, list[str]]:
    """Split the command line into our own options and what is passed on."""
    parser = argparse.ArgumentParser(
        prog="run.py",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        epilog="Further arguments are passed on, to Streamlit or to pytest: python run.py -- --server.port 9000",
        allow_abbrev=False,
    )
    parser.add_argument(
        "command",
        nargs="?",
        choices=("app", "window", "serve", "test"),
        default="app",
        help="what to do (default: app)",
    )
    parser.add_argument("--rebuild", action="store_true", help="make .venv again from nothing first")
    parser.add_argument(
        "--machines", action="store_true", help="with test: what compares numbers, as on other machines"
    )
    parser.add_argument("--recipes", action="store_true", help="with test: what made the weights, and the benchmarks")
    own = [*arguments, "--"].index("--")
    options, unknown = parser.parse_known_args(arguments[:own])
    for other in OTHER_TESTS:
        if getattr(options, other) and options.command != "test":
            parser.error(f"--{other} goes with test: python run.py test --{other}")
    return options, [*unknown, *arguments[own + 1 :]]


def main(arguments: Sequence[str]) -> int:
    """Do what the command line asks for; return the exit status."""
    options, passed_on = parse(arguments)
    reason = refusal(sys.version_info[:2], platform.system(), platform.machine(), is_64bit=sys.maxsize > 2**32)
    if reason:
        say(reason)
        return 1
    signal.signal(signal.SIGTERM, signal.default_int_handler)  # so that pip does not go on alone
    try:
        if options.command != "test":
            start = STARTS[options.command]
            return start(prepare("app", rebuild=options.rebuild), passed_on)
        with a_browser_beside():
            python = prepare("test", rebuild=options.rebuild)
        for other, module in OTHER_TESTS.items():
            if getattr(options, other):
                return hand_over([str(python), "-m", module, *passed_on])
        return run_checks(python, passed_on)
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
