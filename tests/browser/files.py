"""Files of a folder on a free port: Playwright would take a minute to hand over the weights of a model."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread


class _Files(SimpleHTTPRequestHandler):
    """Answers with the files of a folder, and says nothing."""

    def log_message(self, *_: object) -> None:
        pass

    def end_headers(self) -> None:
        """Let frames without an origin have the files, too, as most hosts of static pages do."""
        self.send_header("Access-Control-Allow-Origin", "*")
        super().end_headers()


@contextmanager
def served_files(folder: Path) -> Iterator[str]:
    """Serve a folder during the block; yield its address, which ends in a slash."""
    with ThreadingHTTPServer(("127.0.0.1", 0), partial(_Files, directory=folder)) as server:
        Thread(target=server.serve_forever).start()
        yield f"http://127.0.0.1:{server.server_port}/"
        server.shutdown()
