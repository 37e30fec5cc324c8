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
NOT_YET = "not-yet.http"
"""The answer while no worker serves: a page that tries again by itself."""
_PAGE = (
    '<!DOCTYPE html><html lang="en"><head><meta charset="utf-8"><meta http-equiv="refresh" content="3">'
    "<title>Headlight</title></head><body><p>Headlight is starting. This page tries again by itself.</p>"
    '<p lang="ko">Headlight를 시작하고 있습니다. 이 페이지는 저절로 다시 열립니다.</p></body></html>\n'
)
_ANSWER = (
    "HTTP/1.1 503 Service Unavailable\r\nContent-Type: text/html; charset=utf-8\r\nRetry-After: 3\r\n"
    f"Cache-Control: no-store\r\nContent-Length: {len(_PAGE.encode())}\r\n\r\n{_PAGE}"
)
NOBODY_ANSWERS = (502, 503, 504)
"""The answers of the proxy itself: a worker has ended amid its own, none is there, or one takes too long."""
SYSTEM_PLACES = ("/usr/local/sbin", "/usr/sbin", "/sbin", "/opt/homebrew/bin")
"""Folders with servers that are not on every PATH."""
ROOMS = ("/room", "/headlight/room")
"""The addresses of rooms that are typed without the base path."""
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
    (site.folder / NOT_YET).write_bytes(_ANSWER.encode())
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
    errors = "\n".join(f"    errorfile {status} {site.folder / NOT_YET}" for status in NOBODY_ANSWERS)
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
{errors}
frontend readers
    bind {site.address or "*"}:{site.port}
    http-request deny deny_status 404 if {{ path {site.path(CLOSED)} }}
    http-request return status 503 content-type text/plain string "no worker" if {{ path {site.path(HEALTH)} }} \
{{ nbsrv(workers) lt 1 }}
{_way_to_base(site)}    use_backend overseer if {{ path {site.path(HEALTH)} {site.path(METRICS)} }}
    default_backend workers
backend overseer
    server overseer 127.0.0.1:{site.overseer}
backend workers
    balance leastconn
    cookie {COOKIE} insert indirect nocache httponly attr SameSite=Lax
    option httpchk GET {site.path(OF_ONE_WORKER)}
{servers}
"""


def _way_to_base(site: Site) -> str:
    """Return the lines that lead whoever leaves the base path out to it; nothing without a base path."""
    if not site.base:
        return ""
    base = site.path("")
    return (
        f"    http-request redirect location {base}/ if {{ path / }}\n"
        f"    http-request redirect prefix {base} if {{ path_beg {' '.join(ROOMS)} }} !{{ path_beg {base}/ }}\n"
    )
