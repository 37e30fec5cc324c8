"""Several workers behind one address."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path

import httpx2
import pytest
from streamlit.proto.BackMsg_pb2 import BackMsg
from websockets.sync.client import connect

from serving import haproxy
from serving.__main__ import parse, streamlit_command
from serving.guard import Guard
from serving.haproxy import (
    HOW_TO_GET_ONE,
    check_command,
    configuration,
    find_proxy,
    write_configuration,
)
from serving.overseer import health, metrics
from serving.site import COOKIE, Site
from serving.workers import AppProcess, WorkerState, environment_of_worker, free_ports

ROOT = Path(__file__).resolve().parents[2]
APP = "tests/serving/small_app.py"
LONGEST = 120.0
"""Seconds after which what is waited for does not come."""
ASLEEP = [sys.executable, "-c", "import time; time.sleep(1000)"]
with_proxy = pytest.mark.skipif(find_proxy() is None, reason="HAProxy is not on this machine")


def until(holds: Callable[[], bool]) -> None:
    end = time.monotonic() + LONGEST
    while not holds():
        assert time.monotonic() < end
        time.sleep(0.05)


@contextmanager
def serving(*options: str, environment: dict[str, str] | None = None, log: Path) -> Iterator[subprocess.Popen[bytes]]:
    command = [sys.executable, "-m", "serving", "--app", APP, *options]
    with log.open("wb") as file:
        process = subprocess.Popen(command, cwd=ROOT, env=os.environ | (environment or {}), stdout=file, stderr=file)
    try:
        yield process
    finally:
        process.send_signal(signal.SIGTERM)
        with suppress(subprocess.TimeoutExpired):
            process.wait(timeout=LONGEST)
        process.kill()


def said(log: Path) -> str:
    return log.read_text(encoding="utf-8", errors="replace")


def get(client: httpx2.Client, path: str) -> str:
    """The answer, once there is one: while a worker ends, a proxy may have none."""
    answers: list[str] = []

    def _answered() -> bool:
        with suppress(httpx2.HTTPError):
            answer = client.get(path)
            if answer.is_success:
                answers.append(answer.text)
        return bool(answers)

    until(_answered)
    return answers[-1]


def lives(process: int) -> bool:
    try:
        return "State:\tZ" not in Path(f"/proc/{process}/status").read_text(encoding="ascii")
    except OSError:
        return False


@with_proxy
def test_readers_stay_with_their_worker_and_one_that_dies_is_started_again(tmp_path: Path) -> None:
    with free_ports(1) as (port,):
        address = f"http://localhost:{port}"
    log = tmp_path / "log"
    name = ("--", "--browser.serverAddress", "hall.example.edu")
    options = ("--workers", "2", "--port", str(port), "--drain", "0.5", *name)
    with ExitStack() as stack:
        server = stack.enter_context(serving(*options, environment={"HEADLIGHT_METRICS_TOKEN": "secret"}, log=log))
        until(lambda: "Ready" in said(log) or server.poll() is not None)
        assert f"Ready: http://hall.example.edu:{port}/" in said(log)
        for wrong in ("URL:", "no server available", "is DOWN"):
            assert wrong not in said(log)
        readers = [stack.enter_context(httpx2.Client(base_url=address, timeout=LONGEST)) for _ in range(40)]
        until(lambda: json.loads(get(readers[0], "/headlight/health")) == {"well": 2, "workers": 2})

        workers = [{get(reader, "/headlight/who") for _ in range(4)} for reader in readers]
        assert all(len(of_one) == 1 for of_one in workers)
        everyone = set().union(*workers)
        assert len(everyone) == 2

        cookie = f"{COOKIE}={readers[0].cookies[COOKIE]}"
        with connect(
            f"ws://localhost:{port}/_stcore/stream",
            subprotocols=["streamlit"],
            origin=address,
            additional_headers={"Cookie": cookie},
        ) as socket:
            asked = BackMsg()
            asked.rerun_script.query_string = ""
            socket.send(asked.SerializeToString())
            assert socket.recv(timeout=LONGEST)

        assert readers[0].get("/_stcore/metrics").status_code == 404
        assert readers[0].get("/headlight/metrics").status_code == 401
        (killed,) = workers[0]
        os.kill(int(killed), signal.SIGKILL)
        allowed = {"Authorization": "Bearer secret"}

        def _restarts() -> list[str]:
            with suppress(httpx2.HTTPError):  # a proxy ends what went to the one that was killed
                answer = readers[0].get("/headlight/metrics", headers=allowed)
                return re.findall(r"restarts_total\{.*\} (\d)", answer.text)
            return []

        until(lambda: sorted(_restarts()) == ["0", "1"])
        until(lambda: json.loads(get(readers[0], "/headlight/health")) == {"well": 2, "workers": 2})
        assert get(readers[0], "/headlight/who") != killed
        others = {get(reader, "/headlight/who") for reader in readers if reader is not readers[0]}
        server.send_signal(signal.SIGTERM)
        assert server.wait(timeout=LONGEST) == 0
        until(lambda: not any(lives(int(process)) for process in everyone | others))


def descendants(process: int) -> set[int]:
    """What a process has started, and what that has."""
    begun_by: dict[int, set[int]] = {}
    for status in Path("/proc").glob("[0-9]*/status"):
        with suppress(OSError):
            (parent,) = re.findall(r"^PPid:\t(\d+)", status.read_text(encoding="utf-8"), re.MULTILINE)
            begun_by.setdefault(int(parent), set()).add(int(status.parent.name))
    found, new = set(), {process}
    while new:
        new = set().union(*(begun_by.get(each, set()) for each in new)) - found
        found |= new
    return found


@with_proxy
def test_nothing_is_left_when_the_program_that_looks_after_it_all_is_killed(tmp_path: Path) -> None:
    with free_ports(1) as (port,):
        pass
    log = tmp_path / "log"
    with serving("--workers", "2", "--port", str(port), log=log) as server:
        until(lambda: "Ready" in said(log) or server.poll() is not None)
        started = descendants(server.pid)
        assert len(started) >= 4, "two workers, a proxy, and who guards them"
        server.kill()
        server.wait(timeout=LONGEST)
        until(lambda: not any(map(lives, started)))


def test_a_guard_that_somebody_ends_is_put_back_and_knows_what_it_guarded() -> None:
    first, second = (subprocess.Popen(ASLEEP, start_new_session=True) for _ in range(2))
    with Guard() as guard:
        guard.watch("first", first.pid)
        killed = guard.process
        os.kill(killed, signal.SIGKILL)
        until(lambda: not lives(killed))
        guard.watch("second", second.pid)
        assert guard.process != killed
        assert first.poll() is second.poll() is None
    assert [each.wait(timeout=LONGEST) for each in (first, second)] == [-signal.SIGTERM] * 2


def test_what_has_ended_by_itself_is_not_ended_again() -> None:
    kept = subprocess.Popen(ASLEEP, start_new_session=True)
    with Guard() as guard:
        guard.watch("worker", kept.pid)
        guard.forget("worker")
    assert kept.poll() is None
    kept.kill()
    kept.wait(timeout=LONGEST)


@with_proxy
def test_a_proxy_takes_its_configuration(tmp_path: Path) -> None:
    program = find_proxy()
    assert program is not None
    with free_ports(4) as (port, first, second, overseer):
        site = Site(
            folder=tmp_path,
            address="127.0.0.1",
            port=port,
            workers=(first, second),
            overseer=overseer,
            base="class/one",
        )
        command = check_command(program, write_configuration(site))
        checked = subprocess.run(command, capture_output=True, encoding="utf-8", check=False)
    assert checked.returncode == 0, checked.stderr


def test_a_configuration_names_all_workers_and_our_addresses(tmp_path: Path) -> None:
    site = Site(folder=tmp_path, address="", port=8501, workers=(9001, 9002), overseer=9000, base="class")
    text = configuration(site)
    for part in ("127.0.0.1:9001", "127.0.0.1:9002", "127.0.0.1:9000", "/class/headlight/health", COOKIE):
        assert part in text
    assert "/class/_stcore/metrics" in text
    assert "redirect prefix /class if { path_beg /room /headlight/room } !{ path_beg /class/ }" in text


def test_without_a_proxy_one_worker_serves_and_says_what_to_install(tmp_path: Path) -> None:
    with free_ports(1) as (port,):
        pass
    log = tmp_path / "log"
    program = (
        "import sys; from serving import haproxy; haproxy.SYSTEM_PLACES = ();"
        "from serving.__main__ import main; sys.exit(main(sys.argv[1:]))"
    )
    command = [sys.executable, "-c", program, "--app", APP, "--workers", "2", "--port", str(port)]
    with log.open("wb") as file:
        server = subprocess.Popen(command, cwd=ROOT, env=os.environ | {"PATH": str(tmp_path)}, stdout=file, stderr=file)
    try:
        with httpx2.Client(base_url=f"http://localhost:{port}", timeout=LONGEST) as reader:
            worker = get(reader, "/headlight/who")
        assert HOW_TO_GET_ONE in said(log)
        assert int(worker) == server.pid
    finally:
        server.terminate()
        server.wait(timeout=LONGEST)


def test_a_proxy_is_found_where_servers_lie(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    program = tmp_path / "haproxy"
    program.write_text("#!/bin/sh\n", encoding="ascii")
    program.chmod(0o755)
    monkeypatch.setenv("PATH", "")
    monkeypatch.setattr(haproxy, "SYSTEM_PLACES", ())
    assert find_proxy() is None
    monkeypatch.setattr(haproxy, "SYSTEM_PLACES", (str(tmp_path),))
    assert find_proxy() == str(program)


def test_health_is_that_of_one_worker_at_least() -> None:
    well, ill = (
        WorkerState(number=number, is_well=is_well, n_restarts=number, resident=10, process=1)
        for number, is_well in enumerate((True, False))
    )
    assert [health(states)[0] for states in ((well, ill), (ill, ill), (well,))] == [200, 503, 200]
    assert 'headlight_worker_up{worker="1"} 0' in metrics((well, ill))
    assert 'headlight_worker_restarts_total{worker="1"} 1' in metrics((well, ill))


def test_a_worker_that_hangs_is_ended_and_started_again() -> None:
    with free_ports(1) as (port,), Guard() as guard:
        worker = AppProcess(0, ASLEEP, port=port, environment=dict(os.environ), guard=guard, time_to_start=0.0)
        worker.start()
        first = worker.state().process
        until(lambda: bool(worker.look("/")) or worker.state().n_restarts == 1)
        until(lambda: not lives(first))
        assert worker.state().process not in (0, first)
        worker.tell_to_end()
        worker.end()


def test_options_of_streamlit_go_to_streamlit_and_the_share_of_memory_to_the_worker() -> None:
    options, rest = parse(["--workers", "3", "--", "--server.port", "9000", "--browser.serverAddress", "hall"])
    assert (options.workers, options.port) == (3, 9000)
    command = streamlit_command(options, port=9001, address="127.0.0.1", rest=rest)
    assert command[-2:] == ["--browser.serverAddress", "hall"]
    assert "9001" in command
    environment = environment_of_worker({}, 2, "secret")
    assert environment["HEADLIGHT_CACHE_MB"] == "1500"
    assert environment_of_worker({"HEADLIGHT_CACHE_MB": "700"}, 2, "secret")["HEADLIGHT_CACHE_MB"] == "700"


@pytest.mark.parametrize("wrong", [("--workers", "0"), ("--port", "70000"), ("--proxy", "squid")])
def test_a_wrong_option_is_refused_in_a_sentence(wrong: tuple[str, str], capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        parse(wrong)
    assert wrong[1] in capsys.readouterr().err


def test_where_signals_are_missing_one_worker_can_be_started() -> None:
    """As on Windows."""
    without = "import signal\nfor name in ('SIGQUIT', 'SIGUSR1', 'SIGKILL'): delattr(signal, name)\n"
    code = f"{without}import serving.__main__, serving.guard, serving.window"
    subprocess.run([sys.executable, "-c", code], cwd=ROOT, check=True)
