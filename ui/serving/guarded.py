"""Security headers of every response (OWASP, "HTTP Security Response Headers"), and the guard of the metrics."""

from __future__ import annotations

import hmac
import os
import re
from collections.abc import Mapping, Sequence

from starlette.datastructures import Headers, MutableHeaders
from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from ui.desk.windows import SCRIPT
from ui.state.scripts import PAGE
from viz.bertviz.scripts import all_scripts, hash_of

HOSTS, FRAMES, TOKEN = "HEADLIGHT_HOSTS", "HEADLIGHT_FRAMED_BY", "HEADLIGHT_METRICS_TOKEN"
"""Environment variables: the host names of the server, the sites that may show it in a frame, and the token for its
metrics."""
METRICS = "/_stcore/metrics"
POLICY = "Content-Security-Policy"
ELSE = (
    "default-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data: blob:; font-src 'self' data:; "
    "connect-src 'self' data: blob:; worker-src 'self' blob:; frame-src 'self' data: blob:; base-uri 'self'; "
    "object-src 'none'; form-action 'self'"
)
"""The content security policy apart from scripts: nothing from another host. Streamlit writes styles into its
elements."""
_INLINE = re.compile(r"<script>(.*?)</script>", re.DOTALL)


def allowed_hosts(environment: Mapping[str, str] = os.environ) -> list[str]:
    """Return the host names of the server, for Starlette's TrustedHostMiddleware; ["*"] if none is set."""
    return environment.get(HOSTS, "").replace(",", " ").split() or ["*"]


def framing_sites(environment: Mapping[str, str] = os.environ) -> tuple[str, ...]:
    """Return the other sites that may show the app in a frame, such as "https://moodle.example.edu"; usually none."""
    return tuple(environment.get(FRAMES, "").replace(",", " ").split())


def headers_for(sites: Sequence[str]) -> dict[str, str]:
    """Return the headers of every response.

    Addresses contain what readers type, so other sites do not get them (Referrer-Policy). An answer with a policy of
    its own, such as a room or a file to save, keeps it.
    """
    framed = " ".join(("'self'", *sites))
    return {
        "X-Content-Type-Options": "nosniff",
        "Referrer-Policy": "same-origin",
        "Cross-Origin-Opener-Policy": "same-origin",
        "Permissions-Policy": "camera=(), geolocation=(), microphone=()",
        POLICY: f"frame-ancestors {framed}; script-src {allowed_scripts()}; {ELSE}",
    }


def allowed_scripts() -> str:
    """Return the sources of scripts for the policy: this server, Streamlit's module blobs, and the hashes of inline
    scripts of the page and of bertviz's frames. No text is ever evaluated as a script."""
    inside = (SCRIPT, *_INLINE.findall(PAGE.read_text(encoding="utf-8")), *all_scripts())
    return " ".join(("'self'", "blob:", *map(hash_of, inside)))


class Guarded:
    """ASGI middleware that adds the headers to every response, and answers requests for metrics only with the token."""

    def __init__(self, app: ASGIApp, environment: Mapping[str, str] = os.environ) -> None:
        self.app = app
        self._headers = headers_for(framing_sites(environment))
        self._token = environment.get(TOKEN, "")

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request."""
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return

        async def send_guarded(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(raw=message.setdefault("headers", []))
                for name, value in self._headers.items():
                    headers.setdefault(name, value)
            await send(message)

        if scope["path"].endswith(METRICS) and not self._knows_token(Headers(scope=scope)):
            await PlainTextResponse("Not found", status_code=404)(scope, receive, send_guarded)
            return
        await self.app(scope, receive, send_guarded)

    def _knows_token(self, headers: Headers) -> bool:
        authorization = headers.get("authorization", "")
        return bool(self._token) and hmac.compare_digest(authorization.encode(), f"Bearer {self._token}".encode())
