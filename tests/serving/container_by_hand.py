"""The image of the Dockerfile without Docker: what it copies, its settings, user and commands, in namespaces of Linux.

    python -m tests.serving.container_by_hand

starts the app so, waits until its health check is content, opens a page of it, and ends. bubblewrap makes the
namespaces (Debian's package "bubblewrap"), and root is needed to become the image's user. The system and the packages
are those of this machine in the place of the image's: all else is as the Dockerfile and compose.yaml say. There is no
network.
"""

from __future__ import annotations

import json
import os
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
DOCKERFILE = (ROOT / "Dockerfile").read_text(encoding="utf-8").replace("\\\n", " ")
USER = re.findall(r"^USER (\d+)$", DOCKERFILE, re.MULTILINE)[-1]
WELL = "the health check is content"
VISIT = Path(__file__).with_name("visit_inside.py")
LONGEST = 240
"""Seconds that the app may take to start."""


def copied() -> set[str]:
    """What of the repository goes into the image of the app."""
    lines = re.findall(r"^COPY (?!--from)(\S+) /app/?\S*$", DOCKERFILE, re.MULTILINE)
    return {name for line in lines for name in line.split()}


def settings() -> dict[str, str]:
    """The environment of the image, and what compose.yaml adds that the app cannot do without."""
    lines = re.findall(r"^ENV (.+)$", DOCKERFILE, re.MULTILINE)
    return dict(each.split("=", 1) for line in lines for each in shlex.split(line)) | {
        "PATH": f"{Path(sys.executable).parent}:/usr/bin:/bin",
        "STREAMLIT_SERVER_COOKIE_SECRET": "by hand",
        "HEADLIGHT_PROXIES": "1",
    }


def command_of(keyword: str) -> list[str]:
    """The command that the Dockerfile gives after a keyword: CMD, or CMD of HEALTHCHECK."""
    (found,) = re.findall(rf"^{keyword} (\[.*\])$", DOCKERFILE, re.MULTILINE)
    command: list[str] = json.loads(found)
    return command


def can_run() -> bool:
    """Whether this machine has what it takes."""
    return shutil.which("bwrap") is not None and shutil.which("setpriv") is not None and os.geteuid() == 0


def run_inside(command: list[str], *, app: Path, data: Path) -> subprocess.CompletedProcess[str]:
    """Run a command as the container would: without rights, over what cannot be written but for /data and /tmp."""
    return subprocess.run([*namespaces(app, data), *command], capture_output=True, encoding="utf-8", check=False)


def namespaces(app: Path, data: Path) -> list[str]:
    """What makes the namespaces, and gives up all rights in them."""
    packages = dict.fromkeys(str(Path(each).resolve()) for each in (sys.prefix, sys.base_prefix, Path(sys.executable)))
    shown = [each for each in (*packages, sys.prefix) if not each.startswith("/usr/") and Path(each).is_dir()]
    parents = dict.fromkeys(str(parent) for each in shown for parent in [*Path(each).parents][-2::-1])
    return [
        "bwrap",
        "--tmpfs",
        "/",
        "--ro-bind",
        "/usr",
        "/usr",
        "--ro-bind",
        "/etc",
        "/etc",
        *(word for name in ("bin", "lib", "lib64") for word in ("--symlink", f"usr/{name}", f"/{name}")),
        "--perms",
        "1777",
        "--tmpfs",
        "/tmp",  # before what is shown, which may lie there
        *(word for each in parents for word in ("--perms", "0755", "--dir", each)),
        *(word for each in shown for word in ("--ro-bind", each, each)),
        "--ro-bind",
        str(app),
        "/app",
        "--ro-bind",
        str(VISIT),
        "/visit_inside.py",
        "--bind",
        str(data),
        "/data",
        "--proc",
        "/proc",
        "--dev",
        "/dev",
        "--remount-ro",
        "/",
        "--chdir",
        "/app",
        "--unshare-pid",
        "--unshare-ipc",
        "--unshare-net",
        "--die-with-parent",
        "--clearenv",
        *(word for name, value in settings().items() for word in ("--setenv", name, value)),
        "--",
        "setpriv",
        f"--reuid={USER}",
        f"--regid={USER}",
        "--clear-groups",
        "--bounding-set=-all",
        "--inh-caps=-all",
        "--no-new-privs",
    ]


def image_of(folder: Path) -> tuple[Path, Path]:
    """The files of the image, and an empty volume that its user may write."""
    app, data = folder / "app", folder / "data"
    app.mkdir()
    data.mkdir()
    os.chown(data, int(USER), int(USER))
    ignored = shutil.ignore_patterns("__pycache__")
    for name in copied():
        place = ROOT / name
        if place.is_dir():
            shutil.copytree(place, app / name, ignore=ignored)
        else:
            shutil.copy2(place, app / name)
    return app, data


def started_and_visited() -> str:
    """A line of shell: the app as the image starts it, its health check until that is content, and a reader."""
    start, check = (shlex.join(command_of(each)) for each in ("CMD", "HEALTHCHECK.* CMD"))
    return (
        f"{start} & app=$!; end=$(($(date +%s) + {LONGEST})); "
        f"until {check} 2>/dev/null; do kill -0 $app && [ $(date +%s) -lt $end ] || exit 1; sleep 1; done; "
        f"echo {WELL}; python /visit_inside.py; status=$?; kill $app; wait $app; exit $status"
    )


def main() -> None:
    """Run it, and pass on what it says."""
    if not can_run():
        raise SystemExit("This needs root, setpriv (util-linux) and bwrap: apt-get install bubblewrap")
    with tempfile.TemporaryDirectory() as folder:
        Path(folder).chmod(0o755)
        app, data = image_of(Path(folder))
        done = run_inside(["sh", "-c", started_and_visited()], app=app, data=data)
        sys.stdout.write(done.stdout + done.stderr)
        sys.stdout.write(f"/data holds {sorted(path.name for path in data.iterdir())}\n")
        raise SystemExit(done.returncode)


if __name__ == "__main__":
    main()
