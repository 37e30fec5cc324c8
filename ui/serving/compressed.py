"""Compression of static files, cached: the scripts and styles of Streamlit and of the app.

Streamlit sends its own uncompressed, 3 MB for a first page, 8 MB where plotly is needed, and leaves the rest to a proxy
(`SelectiveGZipMiddleware`), which a class on one Wi-Fi does not have. Browsers accept Brotli from this machine and over
HTTPS, gzip everywhere.
"""

from __future__ import annotations

import gzip
import threading
from collections.abc import Callable
from dataclasses import dataclass

import brotli
from starlette.concurrency import run_in_threadpool
from starlette.datastructures import Headers
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from ui.serving.held_answer import HeldAnswer, headers_of, send_whole

COMPRESSIBLE = (".js", ".css", ".svg", ".json")
NEVER_CHANGES = "immutable"
SMALL = 250_000
"""The largest size in bytes for Brotli's best quality: half a second for all of a first page together."""
MOST_KEPT = 32 * 2**20
"""The most bytes of cached answers. All files together take 6 MB."""
LEAST = 500
"""The least size in bytes that is compressed."""


def by_brotli(content: bytes) -> bytes:
    """Compress with Brotli, at the best quality that takes no more than a moment."""
    packed: bytes = brotli.compress(content, quality=11 if len(content) <= SMALL else 9)
    return packed


def by_gzip(content: bytes) -> bytes:
    """Compress with gzip at the best quality, without a date."""
    return gzip.compress(content, 9, mtime=0)


ENCODINGS: dict[str, Callable[[bytes], bytes]] = {"br": by_brotli, "gzip": by_gzip}
"""The encodings, the better ones first."""
AT_ONCE: dict[str, Callable[[bytes], bytes]] = {
    "br": lambda content: bytes(brotli.compress(content, quality=4)),
    "gzip": lambda content: gzip.compress(content, 4, mtime=0),
}
"""The same at a quality for content that is sent once: a thousandth of a second for a page."""


@dataclass(frozen=True, slots=True, kw_only=True)
class KeptAnswer:
    """A compressed answer: its headers and its content."""

    headers: list[tuple[bytes, bytes]]
    content: bytes


class Compressed:
    """ASGI middleware that compresses immutable answers once, and passes all others on."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app
        self._kept: dict[tuple[str, str], KeptAnswer] = {}
        self._size = 0
        self._lock = threading.Lock()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request."""
        encoding = encoding_for(scope)
        if encoding is None:
            await self.app(scope, receive, send)
            return
        key = scope["path"], encoding
        cached = self._kept.get(key)
        if cached is None:
            answer = HeldAnswer(send, wants=can_be_kept)
            await self.app(asking_for_plain(scope), receive, answer.take)
            if answer.is_passed_on:
                return
            if not answer.is_whole:  # cached, it would be sent for ever
                await send(answer.start)
                await send({"type": "http.response.body", "body": answer.content})
                return
            cached = await run_in_threadpool(compress_answer, answer.start, answer.content, encoding)
            self._keep(key, cached)
        await send_whole(send, cached.headers, cached.content)

    def _keep(self, key: tuple[str, str], kept: KeptAnswer) -> None:
        with self._lock:
            if self._size + len(kept.content) <= MOST_KEPT and key not in self._kept:
                self._kept[key] = kept
                self._size += len(kept.content)


def encoding_for(scope: Scope) -> str | None:
    """Return the encoding of the response to a request, by its path and headers; None for no compression."""
    if scope["type"] != "http" or scope["method"] != "GET" or not scope["path"].endswith(COMPRESSIBLE):
        return None
    headers = Headers(scope=scope)
    if "range" in headers or "if-none-match" in headers or "if-modified-since" in headers:
        return None
    return taken_encoding(headers)


def taken_encoding(headers: Headers) -> str | None:
    """Return the best encoding that the headers accept; None if no available one is accepted."""
    offers = (part.split(";") for part in headers.get("accept-encoding", "").split(","))
    accepted = {name.strip() for name, *weight in offers if "".join(weight).replace(" ", "") not in {"q=0", "q=0.0"}}
    return next((encoding for encoding in ENCODINGS if encoding in accepted), None)


def can_be_kept(start: Message) -> bool:
    """Return whether an answer with this start is complete, uncompressed and immutable."""
    headers = Headers(raw=start["headers"])
    return (
        start["status"] == 200
        and NEVER_CHANGES in headers.get("cache-control", "")
        and "content-encoding" not in headers
        and LEAST <= int(headers.get("content-length", LEAST)) <= MOST_KEPT
    )


def compress_answer(start: Message, content: bytes, encoding: str) -> KeptAnswer:
    """Compress an answer, and set its headers."""
    packed = ENCODINGS[encoding](content)
    headers = headers_of(start, packed)
    headers["Content-Encoding"] = encoding
    headers.add_vary_header("Accept-Encoding")
    return KeptAnswer(headers=headers.raw, content=packed)


def asking_for_plain(scope: Scope) -> Scope:
    """Return the request without the header that accepts compression."""
    return {**scope, "headers": [(name, value) for name, value in scope["headers"] if name != b"accept-encoding"]}
