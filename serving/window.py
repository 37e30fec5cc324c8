"""The app in a window of its own, without tabs or address bar: `python run.py window`, which comes here.

The window is one of Chrome's, Chromium's or Edge's; closing it ends the app. Without such a browser it opens in the
ordinary one. Further arguments go to Streamlit.
"""

from __future__ import annotations

import argparse
import os
import shutil
import signal
import subprocess
import sys
import time
import webbrowser
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from serving.site import OF_ONE_WORKER
from serving.workers import ROOT, answers, free_ports, say

BROWSER_VARIABLE = "HEADLIGHT_CHROMIUM"
"""The environment variable with the browser to use; no other is searched."""
BROWSERS = (
    "chromium",
    "chromium-browser",
    "google-chrome",
    "google-chrome-stable",
    "chrome",
    "microsoft-edge",
    "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
    "/Applications/Chromium.app/Contents/MacOS/Chromium",
    "/Applications/Microsoft Edge.app/Contents/MacOS/Microsoft Edge",
    "C:/Program Files/Google/Chrome/Application/chrome.exe",
    "C:/Program Files (x86)/Google/Chrome/Application/chrome.exe",
    "C:/Program Files (x86)/Microsoft/Edge/Application/msedge.exe",
    "C:/Program Files/Microsoft/Edge/Application/msedge.exe",
)
NO_WINDOW = "A window of its own needs Chrome, Chromium or Edge, and none was found."


def find_browser(candidates: Sequence[str] = BROWSERS) -> str | None:
    """Return the path of the first browser that is installed, or None. The person's own choice excludes all others."""
    chosen = os.environ.get(BROWSER_VARIABLE)
    paths = map(shutil.which, [chosen] if chosen else candidates)
    return next(filter(None, paths), None)


def main(arguments: Sequence[str]) -> int:
    """Start the app, open its window, and end the app when that is closed. Return the exit status."""
    port, rest = choose_port(arguments)
    address, browser = f"http://localhost:{port}", find_browser()
    with running_app(port, rest) as server:
        if not wait_for_app(server, f"{address}/{OF_ONE_WORKER}"):
            return server.wait() or 1
        if browser is None:
            say(f"{NO_WINDOW} It opens in your ordinary browser, at {address}. Ctrl+C ends it.")
            webbrowser.open(address)
            return server.wait()
        status = subprocess.run(window_command(browser, address), check=False).returncode
        if status:
            say(f"{browser} could not open a window (it ended with {status}). Start the app with: python run.py")
        return status


def choose_port(arguments: Sequence[str]) -> tuple[int, list[str]]:
    """Return the port that is asked for, or a free one; and the other arguments."""
    parser = argparse.ArgumentParser(add_help=False, allow_abbrev=False)
    parser.add_argument("--server.port", dest="port", type=int)
    asked, rest = parser.parse_known_args(arguments)
    if asked.port is not None:
        return asked.port, rest
    with free_ports(1) as (port,):
        return port, rest


@contextmanager
def running_app(port: int, rest: Sequence[str]) -> Iterator[subprocess.Popen[bytes]]:
    """Run the app until the block ends."""
    options = ["--server.headless", "true", "--server.port", str(port), *rest]
    server = subprocess.Popen([sys.executable, "-m", "streamlit", "run", str(ROOT / "app.py"), *options])
    try:
        yield server
    finally:
        server.terminate()
        server.wait()


def wait_for_app(server: subprocess.Popen[bytes], address: str) -> bool:
    """Wait until our own server answers. Return False if it has ended before."""
    while server.poll() is None:
        if answers(address):
            return True
        time.sleep(0.1)
    return False


def window_command(browser: str, address: str) -> list[str]:
    """Return the command that opens an address as an app.

    With a profile of its own the browser stays until its window is closed. One that is open already would take the
    address over, and end at once.
    """
    profile = Path(sys.prefix) / "headlight-window"
    return [browser, f"--app={address}", f"--user-data-dir={profile}", "--no-first-run", "--no-default-browser-check"]


if __name__ == "__main__":
    signal.signal(signal.SIGTERM, signal.default_int_handler)  # so that the app ends, too
    try:
        sys.exit(main(sys.argv[1:]))
    except KeyboardInterrupt:
        sys.exit(130)
