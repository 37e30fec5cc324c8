"""The settings of the server that its proxy needs."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

COOKIE = "headlight_worker"
"""The cookie that tells the proxy which worker has a reader's session. It identifies no person, and expires when the
browser is closed."""
HEALTH, METRICS = "headlight/health", "headlight/metrics"
"""Answered for all workers together."""
OF_ONE_WORKER = "_stcore/health"
"""Streamlit's own: whether one worker answers."""
CLOSED = "_stcore/metrics"
"""Streamlit's metrics of a single worker, closed to the outside: a request would reach any of the workers."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Site:
    """The address that readers open, and the ports on this machine of the workers and of the supervisor.

    `base` is Streamlit's base path, without slashes; `folder` is for the proxy's own files.
    """

    folder: Path
    address: str
    port: int
    workers: tuple[int, ...]
    overseer: int
    base: str = ""
    name: str = ""
    """The host name by which readers open the server, if one was given."""

    @property
    def origin(self) -> str:
        """Return the origin that readers open."""
        return f"http://{self.name or self.address or 'localhost'}:{self.port}"

    def path(self, name: str) -> str:
        """Return a path of the app, from the root of the server."""
        return "/" + "/".join(part for part in (self.base, name) if part)
