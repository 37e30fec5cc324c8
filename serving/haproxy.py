"""HAProxy, which stands before the workers.

It sends a reader to the same worker again, by a cookie, and a new one to the worker with the fewest connections; passes
websockets on; leaves out a worker that does not answer; and passes `/headlight/health` and `/headlight/metrics` to the
program that looks after the workers. docs/other-proxies.md has the same for nginx and Caddy.
"""

from __future__ import annotations

import os
import shutil
from pathlib import Path

from serving.site import CLOSED, COOKIE, HEALTH, METRICS, OF_ONE_WORKER, Site

LONGEST_TALK = "24h"
"""The longest time that a websocket may be silent."""
SYSTEM_PLACES = ("/usr/local/sbin", "/usr/sbin", "/sbin", "/opt/homebrew/bin")
"""Folders with servers that are not on every PATH."""
HOW_TO_GET_ONE = (
    "Several workers need a proxy before them, and none was found: install HAProxy (on Debian: sudo apt-get install "
    "haproxy; on macOS: brew install haproxy). Until then one worker serves."
)


def find_proxy() -> str | None:
    """Return the path of HAProxy, or None."""
    return shutil.which("haproxy", path=os.pathsep.join((os.environ.get("PATH", ""), *SYSTEM_PLACES)))


def check_command(program: str, file: Path) -> list[str]:
    """Return the command that checks a configuration."""
    return [program, "-c", "-q", "-f", str(file)]


def run_command(program: str, file: Path) -> list[str]:
    """Return the command that runs in the foreground. On SIGUSR1 the proxy accepts no new connections."""
    return [program, "-db", "-f", str(file)]


def write_configuration(site: Site) -> Path:
    """Write the configuration into the site's folder; return the file."""
    file = site.folder / "haproxy.cfg"
    file.write_text(configuration(site), encoding="utf-8")
    return file


def configuration(site: Site) -> str:
    """Return the configuration, for HAProxy 2.4 and later."""
    check = "check inter 1s fall 5 rise 1 on-marked-down shutdown-sessions"
    servers = "\n".join(
        f"    server worker{number} 127.0.0.1:{port} cookie {number} {check}"
        for number, port in enumerate(site.workers)
    )
    return f"""\
defaults
    mode http
    option redispatch
    option forwardfor
    retries 3
    timeout connect 5s
    timeout http-request 30s
    timeout http-keep-alive 30s
    timeout client 10m
    timeout server 10m
    timeout tunnel {LONGEST_TALK}
frontend readers
    bind {site.address or "*"}:{site.port}
    http-request deny deny_status 404 if {{ path {site.path(CLOSED)} }}
    use_backend overseer if {{ path {site.path(HEALTH)} {site.path(METRICS)} }}
    default_backend workers
backend overseer
    server overseer 127.0.0.1:{site.overseer}
backend workers
    balance leastconn
    cookie {COOKIE} insert indirect nocache httponly attr SameSite=Lax
    option httpchk GET {site.path(OF_ONE_WORKER)}
{servers}
"""
