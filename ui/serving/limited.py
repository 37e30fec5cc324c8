"""Limits on the requests of one client, so that the server stays usable for the others: ASGI middleware.

A client is an address (`clients.py`), which a whole class may share, so the bounds are wide for a person, and narrow
for a program that loops. Counted are requests for numbers, uploads and their bytes, and open connections. Files with
the numbers of all heads are made one at a time for each client, and at most one per core.
"""

from __future__ import annotations

import asyncio
import os
from collections import Counter, defaultdict
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, fields

from limits import RateLimitItem, RateLimitItemPerHour, RateLimitItemPerSecond
from limits.storage import MemoryStorage
from limits.strategies import SlidingWindowCounterRateLimiter
from starlette.datastructures import Headers
from starlette.requests import Request
from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Receive, Scope, Send

from models.opening.restriction import is_restricted
from ui.desk.clients import client_of_scope
from ui.state.routes import PLACE, language_of
from viz.kit.language import read_in, trn

MEGABYTE = 1024**2
NUMBERS, UPLOADS = f"/{PLACE}/recordings/", "/_stcore/upload_file/"
ARCHIVES = ("/heads.npz", "/viewer.html", "/live.html")
"""Paths of files that take seconds of a core."""
BURST = 10
"""Seconds over which requests are averaged: a class that gets another sentence asks all at once."""
TRY_AGAIN = "Try again later."


@dataclass(frozen=True, slots=True, kw_only=True)
class ClientLimits:
    """The limits of one client; 0 is no limit. Each is set by HEADLIGHT_CLIENT_ and its name in capitals."""

    requests: int = 0
    """Requests for numbers a second, averaged over BURST."""
    uploads: int = 0
    """Uploads an hour."""
    megabytes: int = 0
    """Megabytes of uploads an hour."""
    tabs: int = 0
    """Open pages and rooms, which are websockets."""


FOR_STRANGERS = ClientLimits(requests=100, uploads=60, megabytes=200, tabs=500)
"""The default on a server with restricted models: two classes behind one address."""


def read_client_limits(environment: Mapping[str, str] = os.environ) -> ClientLimits:
    """Read the limits from the environment. Raises ValueError, naming the variable, unless it is a whole number from 0
    on."""
    usual = FOR_STRANGERS if is_restricted(environment) else ClientLimits()
    return ClientLimits(
        **{limit.name: _number(environment, limit.name, getattr(usual, limit.name)) for limit in fields(ClientLimits)}
    )


def _number(environment: Mapping[str, str], name: str, usual: int) -> int:
    setting = f"HEADLIGHT_CLIENT_{name.upper()}"
    text = environment.get(setting, "").strip()
    if text and not text.isdecimal():
        raise ValueError(f"{setting} is {text!r}, expected a whole number from 0 on, where 0 is no limit.")
    return int(text) if text else usual


class Limited:
    """ASGI middleware that refuses requests beyond the limits with 429 (RFC 6585, section 4), and queues archives."""

    def __init__(
        self, app: ASGIApp, limits: ClientLimits | None = None, *, archives: int = os.cpu_count() or 1
    ) -> None:
        self.app = app
        self._limits = read_client_limits() if limits is None else limits
        self._counted = SlidingWindowCounterRateLimiter(MemoryStorage())
        self._tabs: Counter[str] = Counter()
        self._archives = asyncio.Semaphore(archives)
        self._archive_of: defaultdict[str, asyncio.Lock] = defaultdict(asyncio.Lock)
        self._asking: Counter[str] = Counter()
        """The number of archives that each client waits for."""

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request, or one websocket."""
        client = client_of_scope(scope)
        if scope["type"] == "websocket":
            await self._connect(client, scope, receive, send)
            return
        seconds = self._seconds_to_wait(client, scope) if scope["type"] == "http" else 0
        if seconds:
            with read_in(language_of(Request(scope))):
                refusal = trn(
                    "Your address has asked for too much at once. Wait a second and try again.",
                    "Your address has asked for too much at once. Wait {n} seconds and try again.",
                    seconds,
                )
            answer = PlainTextResponse(refusal, status_code=429, headers={"Retry-After": str(seconds)})
            await answer(scope, receive, send)
        elif scope["type"] == "http" and _is_archive(scope["path"]):
            async with self._turn(client):
                await self.app(scope, receive, send)
        else:
            await self.app(scope, receive, send)

    async def _connect(self, client: str, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve a websocket; refuse it before it is accepted, if the client has too many."""
        if self._limits.tabs and self._tabs[client] >= self._limits.tabs:
            await receive()
            await send({"type": "websocket.close", "code": 1013, "reason": TRY_AGAIN})
            return
        self._tabs[client] += 1
        try:
            await self.app(scope, receive, send)
        finally:
            self._tabs[client] -= 1
            if not self._tabs[client]:
                del self._tabs[client]

    def _seconds_to_wait(self, client: str, scope: Scope) -> int:
        """Count a request; return 0 if it is within the limits, else the seconds to wait."""
        path, limits = scope["path"], self._limits
        if NUMBERS in path and limits.requests:
            return self._count(RateLimitItemPerSecond(limits.requests * BURST, BURST), client)
        if UPLOADS in path and scope["method"] in ("POST", "PUT"):
            size = Headers(scope=scope).get("content-length", "")
            n_bytes = int(size) if size.isdecimal() else MEGABYTE
            n_allowed = limits.megabytes * MEGABYTE
            uploads = RateLimitItemPerHour(limits.uploads, namespace="uploads")
            sent = RateLimitItemPerHour(n_allowed, namespace="bytes")
            return (self._count(uploads, client) if limits.uploads else 0) or (
                self._count(sent, client, n_bytes) if n_allowed else 0
            )
        return 0

    def _count(self, limit: RateLimitItem, client: str, cost: int = 1) -> int:
        """Count against one limit; return 0 if it allows this, else the seconds until it does."""
        return 0 if self._counted.hit(limit, client, cost=cost) else limit.get_expiry()

    @asynccontextmanager
    async def _turn(self, client: str) -> AsyncIterator[None]:
        """Wait until a core is free for an archive, and this client has no other under way."""
        self._asking[client] += 1
        try:
            async with self._archive_of[client], self._archives:
                yield
        finally:
            self._asking[client] -= 1
            if not self._asking[client]:
                del self._asking[client], self._archive_of[client]


def _is_archive(path: str) -> bool:
    return NUMBERS in path and path.endswith(ARCHIVES)
