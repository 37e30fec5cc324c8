"""The scripts that bertviz loads from a CDN, served from this machine; npm brings them once, into the reader's cache.

npm has no jQuery 2.0.0, which bertviz asks for; 2.1.0, the next one that it has, does for the few calls of bertviz.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import tarfile
from functools import cache
from pathlib import Path

_LIBRARIES = "https://cdnjs.cloudflare.com/ajax/libs"
_PACKED = {
    "require.js/2.3.6/require.min.js": ("requirejs", "2.3.6", "package/require.js"),
    "d3/5.7.0/d3.min.js": ("d3", "5.7.0", "package/dist/d3.min.js"),
    "jquery/2.0.0/jquery.min.js": ("jquery", "2.1.0", "package/dist/jquery.min.js"),
}


def scripts() -> dict[str, bytes]:
    """The addresses that bertviz asks for, and what it gets."""
    return {f"{_LIBRARIES}/{path}": _script(*packed) for path, packed in _PACKED.items()}


@cache
def _script(package: str, version: str, member: str) -> bytes:
    folder = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "headlight-benchmarks"
    packed = folder / f"{package}-{version}.tgz"
    if not packed.exists():
        _fetch(f"{package}@{version}", folder)
    with tarfile.open(packed) as archive:
        script = archive.extractfile(member)
        if script is None:
            raise SystemExit(f"{packed} has no {member}. Remove it, then start again.")
        return script.read()


def _fetch(package: str, folder: Path) -> None:
    npm = shutil.which("npm")
    if npm is None:
        raise SystemExit("bertviz loads scripts from a CDN. npm, which can bring them, is missing: install Node.js.")
    folder.mkdir(parents=True, exist_ok=True)
    subprocess.run([npm, "pack", "--silent", package], cwd=folder, check=True, stdout=subprocess.DEVNULL)
