"""One address for the health of all workers, and one for their numbers."""

from __future__ import annotations

import hmac
import json
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

from serving.site import HEALTH, METRICS
from serving.workers import WorkerState

SETTING = "HEADLIGHT_METRICS_TOKEN"
"""The setting with the token for the metrics; without it they are not served."""
States = Callable[[], Sequence[WorkerState]]


def health(states: Sequence[WorkerState]) -> tuple[HTTPStatus, str]:
    """Return whether readers are served: by one worker at least."""
    n_well = sum(state.is_well for state in states)
    status = HTTPStatus.OK if n_well else HTTPStatus.SERVICE_UNAVAILABLE
    return status, json.dumps({"well": n_well, "workers": len(states)}) + "\n"


def metrics(states: Sequence[WorkerState]) -> str:
    """Return the numbers of all workers, in the text format of Prometheus."""
    rows = {
        "headlight_worker_up gauge": [int(state.is_well) for state in states],
        "headlight_worker_restarts_total counter": [state.n_restarts for state in states],
        "headlight_worker_resident_bytes gauge": [state.resident for state in states],
    }
    lines = []
    for row, values in rows.items():
        name = row.split()[0]
        lines += [f"# TYPE {row}", *(f'{name}{{worker="{s.number}"}} {v}' for s, v in zip(states, values, strict=True))]
    return "\n".join(lines) + "\n"


@contextmanager
def answering(port: int, states: States, *, token: str = "") -> Iterator[None]:
    """Serve the metrics on a port of this machine while the block runs; without a token they are not served."""

    class _Answers(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            if self.path.endswith(HEALTH):
                self._send(*health(states()), "application/json")
            elif not self.path.endswith(METRICS) or not token:
                self._send(HTTPStatus.NOT_FOUND, f"Numbers are told to who knows {SETTING}, once that is set.\n")
            elif not hmac.compare_digest(self.headers.get("Authorization", ""), f"Bearer {token}"):
                self._send(HTTPStatus.UNAUTHORIZED, "Expected the header 'Authorization: Bearer TOKEN'.\n")
            else:
                self._send(HTTPStatus.OK, metrics(states()), "text/plain; version=0.0.4")

        def _send(self, status: HTTPStatus, text: str, kind: str = "text/plain") -> None:
            content = text.encode()
            self.send_response(status)
            self.send_header("Content-Type", kind)
            self.send_header("Content-Length", str(len(content)))
            self.send_header("Cache-Control", "no-store")
            self.end_headers()
            self.wfile.write(content)

        def log_message(self, *_: object) -> None:
            """A proxy asks every second."""

    with ThreadingHTTPServer(("127.0.0.1", port), _Answers) as server:
        thread = threading.Thread(target=server.serve_forever, name="overseer", daemon=True)
        thread.start()
        try:
            yield
        finally:
            server.shutdown()
            thread.join()
