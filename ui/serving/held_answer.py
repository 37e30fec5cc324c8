"""An answer of the app that is held back until it is complete, so that another can be sent in its place (ASGI)."""

from __future__ import annotations

from collections.abc import Callable

from starlette.datastructures import Headers, MutableHeaders
from starlette.types import Message, Send


class HeldAnswer:
    """The response of the app to one request, held back if `wants` accepts its start, and passed on otherwise.

    Pass `take` to the app in place of `send`; afterwards `start` and `content` hold what was held back.
    """

    def __init__(self, send: Send, wants: Callable[[Message], bool]) -> None:
        self._send, self._wants = send, wants
        self.is_passed_on = True
        self.start: Message = {}
        self.content = b""

    @property
    def is_whole(self) -> bool:
        """Whether the content has the announced length: an app stops early when the client is gone."""
        return Headers(raw=self.start["headers"]).get("content-length") == str(len(self.content))

    async def take(self, message: Message) -> None:
        """Receive a message from the app."""
        if message["type"] == "http.response.start":
            self.start, self.is_passed_on = message, not self._wants(message)
        elif not self.is_passed_on:
            self.content += message.get("body", b"")
        if self.is_passed_on:
            await self._send(message)


def headers_of(start: Message, content: bytes) -> MutableHeaders:
    """Return the headers of an answer for other content: with its length, and without the ETag."""
    headers = MutableHeaders(raw=[(name, value) for name, value in start["headers"] if name.lower() != b"etag"])
    headers["Content-Length"] = str(len(content))
    return headers


async def send_whole(send: Send, headers: list[tuple[bytes, bytes]], content: bytes) -> None:
    """Send a whole answer at once."""
    await send({"type": "http.response.start", "status": 200, "headers": headers})
    await send({"type": "http.response.body", "body": content})
