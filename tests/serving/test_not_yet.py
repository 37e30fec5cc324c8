"""A reader gets a page that waits while no worker is there, and the server says the name that it was given."""

from __future__ import annotations

import subprocess
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import httpx2
import pytest

from serving.__main__ import given_name
from serving.haproxy import find_proxy, run_command, write_configuration
from serving.overseer import answering
from serving.site import Site
from serving.workers import WorkerState, free_ports
from tests.serving.test_serving import LONGEST, until, with_proxy


@with_proxy
def test_health_is_green_only_where_a_reader_is_served_and_others_read_a_page(tmp_path: Path) -> None:
    program = find_proxy()
    assert program is not None
    with free_ports(3) as (port, worker, overseer):
        pass
    site = Site(folder=tmp_path, address="", port=port, workers=(worker,), overseer=overseer, base="class")
    well = WorkerState(number=0, is_well=True, n_restarts=0, resident=0, process=0)
    proxy = subprocess.Popen(run_command(program, write_configuration(site)))
    address = f"http://localhost:{port}"
    try:
        with answering(overseer, lambda: (well,)), httpx2.Client(base_url=address, timeout=LONGEST) as reader:

            def _is_down() -> bool:
                with suppress(httpx2.HTTPError):
                    return reader.get("/class/headlight/health").status_code == 503
                return False

            until(_is_down)
            assert reader.get("/class/_stcore/health").status_code == 503
            page = reader.get("/class/")
            assert page.status_code == 503
            assert "tries again by itself" in page.text
            assert "refresh" in page.text
            moved = reader.get("/")
            assert (moved.status_code, moved.headers["location"]) == (302, "/class/")
            with ending_amid_an_answer(worker):
                until(lambda: reader.get("/class/_stcore/health").status_code == 200)
                page = reader.get("/class/")
                assert (page.status_code, "tries again by itself" in page.text) == (503, True)
    finally:
        proxy.kill()
        proxy.wait(timeout=LONGEST)


@contextmanager
def ending_amid_an_answer(port: int) -> Iterator[None]:
    """A worker that says that it is well, and closes the line on whoever asks for anything else."""

    class Worker(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            if self.path.endswith("/health"):
                self.send_response(200)
                self.end_headers()

        def log_message(self, *_: object) -> None:
            pass

    with ThreadingHTTPServer(("127.0.0.1", port), Worker) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield
        server.shutdown()


@pytest.mark.parametrize("rest", [("--browser.serverAddress", "a.example"), ("--browser.serverAddress=a.example",)])
def test_the_name_that_was_given_is_said(rest: tuple[str, ...]) -> None:
    site = Site(folder=Path(), address="", port=80, workers=(), overseer=0, name=given_name(rest))
    assert site.origin == "http://a.example:80"
    assert given_name(rest[:-1]) == ""
