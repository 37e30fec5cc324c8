"""The proxies that can stand before the workers, each by the file that tells it what to do.

All three send a reader to the same worker again, by a cookie; pass websockets on; leave out a worker that does not
answer; and serve `/headlight/health` and `/headlight/metrics` from the program that looks after the workers.
"""

from __future__ import annotations

import os
import shutil
import signal
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from serving.site import CLOSED, COOKIE, HEALTH, METRICS, OF_ONE_WORKER, Site

LONGEST_TALK = "24h"
"""How long nothing may be said on a websocket."""
SYSTEM_PLACES = ("/usr/local/sbin", "/usr/sbin", "/sbin", "/opt/homebrew/bin")
"""Where servers lie that are not on everybody's path."""
HOW_TO_GET_ONE = (
    "Several workers need a proxy before them, and none was found: install HAProxy, nginx or Caddy (on Debian: sudo "
    "apt-get install haproxy; on macOS: brew install haproxy). Until then one worker serves."
)


@dataclass(frozen=True, slots=True, kw_only=True)
class ProxyKind:
    """A proxy: the name of its program, its configuration, and how it is tried, started and told to end softly."""

    name: str
    file: str
    configuration: Callable[[Site], str]
    check: tuple[str, ...]
    run: tuple[str, ...]
    soft_stop_name: str
    """The signal for: take nobody in any more; who is here may stay."""

    @property
    def soft_stop(self) -> signal.Signals | None:
        """That signal; None where the system does not have it (Windows has only SIGTERM of the three)."""
        return getattr(signal, self.soft_stop_name, None)

    def prepare(self, site: Site) -> Path:
        """Write its configuration; gives the file."""
        file = site.folder / self.file
        file.write_text(self.configuration(site), encoding="utf-8")
        return file

    def command(self, program: str, file: Path, arguments: Sequence[str]) -> list[str]:
        """A command line of the program over its configuration."""
        return [program, *(part.format(file=file, folder=file.parent) for part in arguments)]


def find_proxy(wanted: str = "auto") -> tuple[ProxyKind, str] | None:
    """The proxy of a name, or the first of all that this system can end softly, and where its program is; None if there
    is none."""
    path = os.pathsep.join((os.environ.get("PATH", ""), *SYSTEM_PLACES))
    for kind in (kind for kind in PROXIES if kind.soft_stop is not None):
        program = shutil.which(kind.name, path=path) if wanted in ("auto", kind.name) else None
        if program is not None:
            return kind, program
    return None


def haproxy_configuration(site: Site) -> str:
    """For HAProxy 2.4 and later; a new reader goes to the worker with the fewest connections."""
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


def nginx_configuration(site: Site) -> str:
    """For nginx 1.18 and later. It has no cookies of its own for this: a new reader gets a number, and its hash says
    which worker; where that is gone, another."""
    servers = "\n".join(f"        server 127.0.0.1:{port} max_fails=2 fail_timeout=2s;" for port in site.workers)
    scratch = "\n".join(
        f"    {kind}_temp_path {site.folder}/{kind};" for kind in ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
    )
    return f"""\
daemon off;
worker_processes auto;
pid {site.folder}/nginx.pid;
error_log stderr;
events {{ worker_connections 4096; }}
http {{
    access_log off;
{scratch}
    client_max_body_size 0;
    map $cookie_{COOKIE} $reader {{ "" $request_id; default $cookie_{COOKIE}; }}
    map $cookie_{COOKIE} $introduction {{
        "" "{COOKIE}=$request_id; Path=/; HttpOnly; SameSite=Lax";
        default "";
    }}
    map $http_upgrade $connection_upgrade {{ default upgrade; "" ""; }}
    upstream workers {{
        hash $reader consistent;
{servers}
        keepalive 32;
    }}
    server {{
        listen {f"{site.address}:" if site.address else ""}{site.port};
        proxy_http_version 1.1;
        proxy_set_header Host $http_host;
        proxy_set_header X-Forwarded-For $proxy_add_x_forwarded_for;
        location = {site.path(CLOSED)} {{ return 404; }}
        location = {site.path(HEALTH)} {{ proxy_pass http://127.0.0.1:{site.overseer}; }}
        location = {site.path(METRICS)} {{ proxy_pass http://127.0.0.1:{site.overseer}; }}
        location / {{
            proxy_pass http://workers;
            proxy_set_header Upgrade $http_upgrade;
            proxy_set_header Connection $connection_upgrade;
            proxy_read_timeout {LONGEST_TALK};
            proxy_send_timeout {LONGEST_TALK};
            proxy_buffering off;
            proxy_request_buffering off;
            add_header Set-Cookie $introduction;
        }}
    }}
}}
"""


def caddy_configuration(site: Site) -> str:
    """For Caddy 2.5 and later, as a Caddyfile."""
    workers = " ".join(f"127.0.0.1:{port}" for port in site.workers)
    return f"""\
{{
    admin off
    auto_https off
    grace_period 10s
}}
:{site.port} {{
    {f"bind {site.address}" if site.address else ""}
    @closed path {site.path(CLOSED)}
    respond @closed 404
    @overseer path {site.path(HEALTH)} {site.path(METRICS)}
    reverse_proxy @overseer 127.0.0.1:{site.overseer}
    reverse_proxy {workers} {{
        lb_policy cookie {COOKIE}
        lb_try_duration 5s
        flush_interval -1
        health_uri {site.path(OF_ONE_WORKER)}
        health_interval 1s
        health_timeout 10s
    }}
}}
"""


PROXIES = (
    ProxyKind(
        name="haproxy", file="haproxy.cfg", configuration=haproxy_configuration, check=("-c", "-q", "-f", "{file}"),
        run=("-db", "-f", "{file}"), soft_stop_name="SIGUSR1",
    ),
    ProxyKind(
        name="nginx", file="nginx.conf", configuration=nginx_configuration,
        check=("-t", "-q", "-e", "stderr", "-p", "{folder}", "-c", "{file}"),
        run=("-e", "stderr", "-p", "{folder}", "-c", "{file}"), soft_stop_name="SIGQUIT",
    ),
    ProxyKind(
        name="caddy", file="Caddyfile", configuration=caddy_configuration,
        check=("validate", "--adapter", "caddyfile", "--config", "{file}"),
        run=("run", "--adapter", "caddyfile", "--config", "{file}"), soft_stop_name="SIGTERM",
    ),
)  # fmt: skip
"""The best one first: HAProxy gives a new reader to whoever has least to do."""
