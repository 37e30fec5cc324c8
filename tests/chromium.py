"""Find a browser of the Chromium family for the tests, or install it, or say how."""

from __future__ import annotations

import os
import platform
import shlex
import shutil
import subprocess

from serving.window import BROWSER_VARIABLE, BROWSERS
from serving.window import find_browser as find_first

SHELLS = ("chromium-headless-shell", "chrome-headless-shell")
"""Chromium without what only a window needs: the tests take a third less work in it."""
PACKAGES = ("chromium-headless-shell", "chromium")
"""The first that the system has is installed: Ubuntu, for one, has no shell."""
FONTS = ("fonts-noto-cjk", "fonts-noto-color-emoji")
FOR_SERVING = ("haproxy", "bubblewrap")
"""For the tests of `serve` and of the container, which are skipped without them."""
ADVICE = {
    "Darwin": "Install Google Chrome, from https://www.google.com/chrome or with: brew install --cask google-chrome",
    "Windows": "Install Google Chrome, from https://www.google.com/chrome or with: winget install Google.Chrome",
}


def find_browser(*, shell_first: bool = False) -> str | None:
    """Return the path of a browser, or None. A benchmark takes one as a reader has, and a shell only without that."""
    return find_first([*SHELLS, *BROWSERS] if shell_first else [*BROWSERS, *SHELLS])


def explain_missing(system: str = platform.system()) -> str:
    """Say which browser to install, and how."""
    debian = f"Install Chromium; on Debian: sudo apt-get install {' '.join((PACKAGES[0], *FONTS))}"
    advice = ADVICE.get(system, debian)
    return f"The browser tests need Chromium, Chrome or Edge. {advice}\nOr name one: {BROWSER_VARIABLE}=/path/to/chrome"


def install_command() -> list[str] | None:
    """Return the command that installs Debian's Chromium, fonts for Korean and emoji, and what serving needs.

    None where there is no apt-get, or where it may not install.
    """
    prefix = apt_prefix()
    if prefix is None:
        return None
    apt = [*prefix, "env", "DEBIAN_FRONTEND=noninteractive", "apt-get", "--quiet"]
    install = [*apt, "install", "--yes", "--no-install-recommends"]
    serving = shlex.join([*install, *FOR_SERVING])
    browser = " || ".join(shlex.join([*install, *FONTS, package]) for package in PACKAGES)
    return ["sh", "-c", f"exec </dev/null; {shlex.join([*apt, 'update'])}; {serving}; {browser}"]


def apt_prefix() -> list[str] | None:
    """Return what to put before apt-get so that it may install; None if it cannot."""
    if not shutil.which("apt-get"):
        return None
    if os.access("/var/lib/dpkg", os.W_OK):
        return []
    sudo = ["sudo", "--non-interactive"]
    if shutil.which("sudo") and subprocess.run([*sudo, "true"], capture_output=True, check=False).returncode == 0:
        return sudo
    return None
