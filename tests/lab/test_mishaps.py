"""What must not end the training lab: files that cannot be read, a full disk, a server that ends."""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

import pytest

from lab import runs
from lab.jobs.supervisor import HEARTBEAT, Supervisor
from lab.limits import Limits
from lab.metrics import progress_of, read_curves
from lab.questions import Results, read_results
from lab.runs import Run, Status
from lab.work import carry_out
from models.training.snapshots.over_time import snapshots_of
from models.training.trainer.metric_lines import read_metrics
from models.values.errors import LabError
from models.values.wording import to_say, worded, worded_n
from tests.lab.jobs import HOLDER, QUICK, SLEEPER
from ui.training_lab import server as lab_server
from viz.kit.language import read_in, said

DAMAGED = {
    "a recipe that is not UTF-8": (runs.RECIPE, b"\xff\xfe\x00\xd8"),
    "a recipe without end": (runs.RECIPE, b'{"task": "copy", "steps": Infinity}'),
    "a recipe without bottom": (runs.RECIPE, b"[" * 100_000),
    "a status that is not UTF-8": (runs.STATUS, b"\xff\xfe\x00\xd8"),
    "a status that is a list": (runs.STATUS, b"[1]"),
    "a status without bottom": (runs.STATUS, b"[" * 100_000),
    "a status of no time": (runs.STATUS, b'{"state": "queued", "since": 1%s}' % (b"0" * 400)),
}


class Broken(list[str]):
    """A command that fails in a way that nobody has thought of."""

    def __iter__(self) -> Iterator[str]:
        raise ZeroDivisionError


@contextmanager
def supervised(folder: Path, command: list[str] | tuple[str, ...] = SLEEPER, **more: object) -> Iterator[Supervisor]:
    supervisor = Supervisor(Limits(folder=folder / "runs", **more), command=command).begin()
    try:
        yield supervisor
    finally:
        supervisor.end()
        for run in runs.all_runs(supervisor.limits.folder):
            supervisor.delete(run.id)


@contextmanager
def no_room(most: int) -> Iterator[None]:
    """The system itself refuses to let a file grow beyond so many bytes."""
    resource = pytest.importorskip("resource")
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (most, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))


def until(condition: Callable[[], object], *, seconds: float = 60) -> None:
    end = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < end, "waited too long"
        time.sleep(0.02)


def fill(file: Path) -> None:
    """Take all the room that a disk has left."""
    with contextlib.suppress(OSError), file.open("wb", buffering=0) as others:
        while True:
            others.write(bytes(4096))


def trained(run: Run) -> Run:
    carry_out(run.folder, device="cpu", why_stop=lambda: "")
    return runs.find(run.folder.parent, run.id)


@pytest.mark.parametrize(("name", "content"), DAMAGED.values(), ids=DAMAGED)
def test_a_run_that_cannot_be_read_is_one_run_and_the_lab_goes_on(tmp_path: Path, name: str, content: bytes) -> None:
    bad = runs.create(tmp_path / "runs", QUICK, None)
    (bad.folder / name).write_bytes(content)
    heartbeat = tmp_path / "runs" / HEARTBEAT
    heartbeat.touch()
    os.utime(heartbeat, (0, 0))
    with supervised(tmp_path) as supervisor:
        good = supervisor.start(QUICK, None)
        until(lambda: supervisor.find(good.id).state == "running")
        assert heartbeat.stat().st_mtime > time.time() - 60
        assert [run.id for run in runs.all_runs(tmp_path / "runs")] == [good.id]
        with pytest.raises(LabError, match=r"cannot be read|is unknown"):
            supervisor.find(bad.id)


def test_the_name_of_an_upload_that_cannot_be_read_is_no_reason_to_lose_the_model(tmp_path: Path) -> None:
    (tmp_path / "checkpoint").mkdir()
    run = runs.adopt(tmp_path / "runs", tmp_path / "checkpoint", "mine", {})
    (run.folder / runs.UPLOADED).write_bytes(b"\xff")
    assert runs.find(run.folder.parent, run.id).name == "model"


def test_a_job_that_cannot_be_started_at_all_fails_and_the_lab_goes_on(tmp_path: Path) -> None:
    with supervised(tmp_path, Broken()) as supervisor:
        for _ in range(2):
            run = supervisor.start(QUICK, None)
            until(lambda run=run: supervisor.find(run.id).state == "failed")
            assert "could not be started" in supervisor.find(run.id).status.message


def test_the_lab_is_looked_after_again_once_it_was_not(tmp_path: Path) -> None:
    with supervised(tmp_path) as supervisor:
        supervisor.end()
        run = supervisor.start(QUICK, None)
        supervisor.begin()
        supervisor.begin()
        until(lambda: supervisor.find(run.id).state == "running")


def test_a_page_begins_a_supervisor_again_that_has_ended(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HEADLIGHT_LAB_RUNS", str(tmp_path))
    monkeypatch.setattr(lab_server, "_SUPERVISORS", {})
    supervisor = lab_server.supervisor()
    supervisor.end()
    (tmp_path / HEARTBEAT).unlink(missing_ok=True)
    assert lab_server.supervisor() is supervisor
    until((tmp_path / HEARTBEAT).exists)
    supervisor.end()


@pytest.mark.skipif(sys.platform == "win32", reason="signals")
def test_a_job_that_was_killed_while_no_server_was_there_is_seen_at_once(tmp_path: Path) -> None:
    first = Supervisor(Limits(folder=tmp_path), command=HOLDER).begin()
    run = first.start(QUICK, None)
    until(lambda: runs.is_alive(run.folder) and (run.folder / runs.PID).exists())
    first.end()
    os.kill(int((run.folder / runs.PID).read_text()), signal.SIGKILL)
    first._started[run.id].wait()
    second = Supervisor(Limits(folder=tmp_path)).begin()
    until(lambda: second.find(run.id).state == "killed", seconds=5)
    second.end()
    assert second.find(run.id).is_resumable
    assert not list(tmp_path.glob(".server-*"))


def test_a_job_that_another_server_has_just_started_is_its_own_affair(tmp_path: Path) -> None:
    with supervised(tmp_path) as supervisor:
        run = supervisor.start(QUICK, None)
        until(lambda: supervisor.find(run.id).state == "running")
        status = supervisor.find(run.id).status
        runs.write_status(run.folder, replace(status, since=status.since - 30))
        other = Supervisor(supervisor.limits, command=SLEEPER)
        other.tick()
        assert other.find(run.id).state == "running"


def test_a_run_for_which_there_is_no_room_is_said_and_leaves_nothing(tmp_path: Path) -> None:
    supervisor = Supervisor(Limits(folder=tmp_path))
    (tmp_path / "checkpoint").mkdir()
    with no_room(100):
        with pytest.raises(LabError, match=r"disk of this server is full .* Nothing was started"):
            supervisor.start(QUICK, None)
        with pytest.raises(LabError, match="disk of this server is full"):
            runs.adopt(tmp_path, tmp_path / "checkpoint", "m" * 200, {})
    assert runs.ids(tmp_path) == ()
    assert not [path for path in tmp_path.iterdir() if path.is_dir()]


@pytest.mark.parametrize("most", [4_000, 12_000], ids=["the vocabulary", "the weights"])
def test_a_job_that_has_no_room_says_so_and_goes_on_later(tmp_path: Path, most: int) -> None:
    made = runs.create(tmp_path, QUICK, None)
    with no_room(most):
        run = trained(made)
    assert (run.state, run.is_resumable) == ("stopped", True)
    assert "disk of this server is full" in run.status.message
    assert not list(run.folder.glob("**/.*"))
    assert not (run.folder / runs.MODEL).exists()
    assert trained(run).state == "done"


@pytest.mark.skipif(sys.platform != "linux" or os.getuid() != 0, reason="mounts a disk of its own")
def test_a_disk_that_is_full_to_its_last_byte_still_takes_the_last_words(tmp_path: Path) -> None:
    mounted = subprocess.run(["mount", "-t", "tmpfs", "-o", "size=1m", "none", str(tmp_path)], check=False)
    if mounted.returncode:
        pytest.skip("this system mounts nothing")
    try:
        made = runs.create(tmp_path, QUICK, None)
        fill(tmp_path / "others")
        run = trained(made)
        assert (run.state, run.is_resumable) == ("stopped", True)
        assert "No space left on device" in run.status.message
        (tmp_path / "others").unlink()
        assert trained(run).state == "done"
    finally:
        subprocess.run(["umount", "-l", str(tmp_path)], check=True)


def test_metrics_of_any_bytes_are_read_as_far_as_they_go(tmp_path: Path) -> None:
    lines = [
        b'{"step": 1, "loss": 2.0, "accuracy": 0.5, "seconds": 1, "tokens": 10, "held_out_loss": NaN}',
        b"\xff\xfe\x00\x00",
        b"[" * 100_000,
        b'{"step": 2, "loss": "<b>", "seconds": 1, "tokens": 1}',
        b'{"step": 3, "loss": null}',
        b'{"step": 1%s, "loss": 1.0}' % (b"0" * 400),
        b'{"step": "4", "loss": 1.0}',
        b'"step"',
        b'{"step": 5, "loss": 1.5, "accuracy": 0.5, "seconds": 2, "tokens": 20}',
        b"\0" * 4096 + b'{"step": 6, "lo',
    ]
    file = tmp_path / "metrics.jsonl"
    file.write_bytes(b"\n".join(lines))
    assert [line["step"] for line in read_metrics(file)] == [1, 5]
    curves = read_curves(file)
    assert list(curves["step"]) == [1, 5]
    now = progress_of(curves, 10)
    assert (now.iteration, now.tokens, now.loss) == (5, 20, 1.75)


def test_attention_over_time_reads_a_run_whose_metrics_are_damaged(tmp_path: Path) -> None:
    run = trained(runs.create(tmp_path, QUICK, None))
    with (run.folder / runs.METRICS).open("ab") as metrics:
        metrics.write(b'\xff\n{"step": 13, "loss": "<b>"}\n')
    assert [point.iteration for point in snapshots_of(run.folder).curve] == list(range(1, 13))


def test_what_a_run_says_can_be_translated_after_it_lay_on_the_disk(tmp_path: Path) -> None:
    made = runs.create(tmp_path, QUICK, None)
    told = worded("{first} {second}", first=worded_n("{n} day", "{n} days", 3), second=to_say("You stopped it."))
    runs.write_status(made.folder, Status(state="stopped", since=1.0, message=told))
    Results(note=told).save(made.folder / runs.RESULTS)
    for read in (runs.read_status(made.folder).message, read_results(made.folder / runs.RESULTS).note):
        assert read == "3 days You stopped it."
        with read_in("ko"):
            assert said(read) == "3일 사용자가 멈췄습니다."
