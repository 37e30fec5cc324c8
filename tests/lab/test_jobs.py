"""Jobs in processes of their own: the queue, stopping and resuming, killing, and what is left on disk."""

from __future__ import annotations

import os
import signal
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from safetensors.numpy import load_file

from lab import runs
from lab.__main__ import reasons_to_stop
from lab.jobs.locks import holding, is_held
from lab.jobs.supervisor import HEARTBEAT, Supervisor
from lab.limits import Limits
from lab.metrics import progress_of, read_curves
from lab.questions import read_results
from lab.runs import Run, Status
from lab.uploads.checkpoints import model_name
from lab.work import carry_out
from models.opening.folders import load_folder
from models.training.tasks.translation import TranslationTask as LabTask
from models.training.trainer.task import Loss
from models.values.errors import LabError
from tests.lab.jobs import HOLDER, QUICK, SLEEPER, first_rows


def broken_loss(self: LabTask, *_: object, **__: object) -> Loss:
    weight = next(self.model.parameters())
    return Loss(total=weight.sum() * float("nan"), n_asked=1, n_right=0, n_tokens=1)


def limits(folder: Path, **more: object) -> Limits:
    return Limits(folder=folder / "runs", **more)


@contextmanager
def supervised(folder: Path, **more: object) -> Iterator[Supervisor]:
    supervisor = Supervisor(limits(folder, **more)).begin()
    try:
        yield supervisor
    finally:
        for run in runs.all_runs(supervisor.limits.folder):
            supervisor.delete(run.id)
        supervisor.end()


def until(condition: Callable[[], object], *, seconds: float = 150) -> None:
    end = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < end, "waited too long"
        time.sleep(0.05)


def weights(run: Run) -> dict[str, np.ndarray]:
    return load_file(run.folder / runs.MODEL / "model.safetensors")


def trained(run: Run, why_stop: Callable[[], str] = lambda: "") -> Run:
    """The run after a job in this very process: the import of torch is what takes seconds."""
    carry_out(run.folder, device="cpu", why_stop=why_stop)
    return runs.find(run.folder.parent, run.id)


def after(iterations: int, reason: str) -> Callable[[], str]:
    """A reason to stop that comes after so many iterations."""
    asked = iter([""] * iterations)
    return lambda: next(asked, reason)


@pytest.mark.skipif(sys.platform == "win32", reason="signals")
def test_jobs_queue_are_killed_resumed_and_taken_over(tmp_path: Path) -> None:
    first_server = Supervisor(limits(tmp_path, queue=1), command=HOLDER).begin()
    run = first_server.start(QUICK, None)
    until(lambda: runs.is_alive(run.folder) and (run.folder / runs.PID).exists())
    waiting = first_server.start(QUICK, None)
    assert [first_server.place_in_queue(each.id) for each in (run, waiting)] == [None, 1]
    with pytest.raises(LabError, match="1 training is already waiting"):
        first_server.start(QUICK, None)
    first_server.stop(waiting.id)
    assert first_server.find(waiting.id).state == "stopped"

    os.kill(int((run.folder / runs.PID).read_text()), signal.SIGKILL)
    until(lambda: first_server.find(run.id).state == "killed")
    killed = first_server.find(run.id)
    assert "memory" in killed.status.message
    assert killed.is_resumable

    (run.folder / runs.PID).unlink()
    first_server.resume(run.id)
    until(lambda: runs.is_alive(run.folder) and (run.folder / runs.PID).exists())
    first_server.end()

    second_server = Supervisor(limits(tmp_path, queue=1), command=HOLDER)
    second_server.resume(waiting.id)
    second_server.tick()
    assert second_server.find(run.id).state == "running"
    assert second_server.place_in_queue(waiting.id) == 1
    second_server.delete(run.id)
    assert not run.folder.exists()
    with pytest.raises(LabError, match="no such run"):
        second_server.find(run.id)
    second_server.tick()
    assert second_server.find(waiting.id).state == "running"
    second_server.delete(waiting.id)
    assert list(tmp_path.glob("runs/*/")) == []
    for process in (*first_server._started.values(), *second_server._started.values()):
        process.wait()


def test_a_training_runs_beside_the_server(tmp_path: Path) -> None:
    with supervised(tmp_path) as supervisor:
        run = supervisor.start(replace(QUICK, task="labels"), first_rows("labels"))
        assert run.state in runs.UNFINISHED
        until(lambda: supervisor.find(run.id).state not in runs.UNFINISHED)
        run = supervisor.find(run.id)
        assert (run.state, run.status.message) == ("done", "")
        assert len(read_curves(run.folder / runs.METRICS)) == QUICK.iterations


def test_a_finished_run_has_curves_snapshots_answers_a_card_and_a_model_that_opens(tmp_path: Path) -> None:
    run = trained(runs.create(tmp_path, QUICK, None))
    assert (run.state, run.status.message) == ("done", "")
    curves = read_curves(run.folder / runs.METRICS)
    assert list(curves["step"]) == list(range(1, 13))
    assert progress_of(curves, 12).share == 1
    assert curves["held_out_loss"].notna().any()
    assert len(runs.snapshots_of(run.folder)) == 2
    results = read_results(run.folder / runs.RESULTS)
    assert results.written
    assert all(answer.source == answer.expected for answer in results.written)
    model = load_folder(run.checkpoint, name="mine", device="cpu")
    card = (run.folder / runs.MODEL / "README.md").read_text(encoding="utf-8")
    assert f"{model.info.n_parameters:,} parameters" in card
    assert model_name(run) == f"lab/quick-{run.id}"


def test_stop_and_resume_gives_the_weights_of_a_run_that_was_never_stopped(tmp_path: Path) -> None:
    recipe = replace(QUICK, iterations=20)
    whole = trained(runs.create(tmp_path, recipe, None))
    parted = trained(runs.create(tmp_path, recipe, None), after(7, "You stopped it."))
    assert (parted.state, parted.status.message) == ("stopped", "You stopped it.")
    assert model_name(parted) == f"lab/quick-{parted.id}/step-000007"
    assert parted.is_resumable
    parted = trained(parted)
    assert parted.state == "done"
    assert list(read_curves(parted.folder / runs.METRICS)["step"]) == list(range(1, 21))
    one, other = weights(whole), weights(parted)
    assert one.keys() == other.keys()
    assert all(np.array_equal(one[name], other[name]) for name in one)


def test_a_training_goes_on_with_the_vocabulary_that_it_began_with(tmp_path: Path) -> None:
    """The pieces of words are numbered differently each time that they are learned."""
    recipe = replace(QUICK, task="words", d_vocab=300)
    run = trained(runs.create(tmp_path, recipe, first_rows("words")), after(3, "You stopped it."))
    begun = (runs.snapshots_of(run.folder)[-1] / "tokenizer.json").read_text(encoding="utf-8")
    run = trained(run)
    assert run.state == "done"
    assert (run.folder / runs.MODEL / "tokenizer.json").read_text(encoding="utf-8") == begun


def test_a_job_stops_for_a_person_for_the_clock_and_for_a_server_that_is_gone(tmp_path: Path) -> None:
    heartbeat = tmp_path / HEARTBEAT
    heartbeat.touch()
    no_end = float("inf")
    assert reasons_to_stop(tmp_path, heartbeat, no_end, glance=0)() == ""
    assert "0.002 minutes" in reasons_to_stop(tmp_path, heartbeat, 0.12, begun=-10)()
    os.utime(heartbeat, (0, 0))
    assert reasons_to_stop(tmp_path, heartbeat, no_end, glance=0)() == runs.QUEUE_AGAIN
    heartbeat.unlink()
    assert reasons_to_stop(tmp_path, heartbeat, no_end, glance=0)() == ""
    assert reasons_to_stop(tmp_path, heartbeat, no_end, begun=-1000, glance=0)() == runs.QUEUE_AGAIN
    assert reasons_to_stop(tmp_path, None, no_end, glance=0)() == ""
    (tmp_path / runs.STOP).touch()
    assert reasons_to_stop(tmp_path, None, no_end)() == "You stopped it."


def test_a_job_whose_servers_are_gone_queues_again_where_it_stood(tmp_path: Path) -> None:
    run = trained(runs.create(tmp_path, QUICK, None), after(3, runs.QUEUE_AGAIN))
    assert run.state == "queued"
    assert (run.folder / "state.safetensors").exists()
    assert trained(run).state == "done"


def test_a_loss_that_is_no_number_is_said(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(LabTask, "loss", broken_loss)
    run = trained(runs.create(tmp_path, QUICK, None))
    assert run.state == "failed"
    assert "a learning rate below 0.01" in run.status.message
    assert not run.is_resumable


def test_too_little_memory_is_said(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def starved(*_: object, **__: object) -> None:
        raise RuntimeError("DefaultCPUAllocator: can't allocate memory: you tried to allocate 10^12 bytes.")

    monkeypatch.setattr(LabTask, "loss", starved)
    run = trained(runs.create(tmp_path, QUICK, None))
    assert run.state == "failed"
    assert "not enough memory" in run.status.message


def test_a_job_that_crashes_says_why(tmp_path: Path) -> None:
    supervisor = Supervisor(limits(tmp_path), command=(sys.executable, "-c", "raise ValueError('no room left')"))
    run = supervisor.start(QUICK, None)
    supervisor.tick()
    supervisor._started[run.id].wait()
    supervisor.tick()
    assert supervisor.find(run.id).state == "failed"
    assert "no room left" in supervisor.find(run.id).status.message
    with pytest.raises(LabError, match="Only a run that was stopped"):
        supervisor.resume(run.id)


def test_a_job_that_never_begins_is_ended(tmp_path: Path) -> None:
    supervisor = Supervisor(limits(tmp_path), command=SLEEPER)
    run = supervisor.start(QUICK, None)
    supervisor.tick()
    process = supervisor._started[run.id]
    supervisor.tick()
    assert supervisor.find(run.id).state == "running"
    status = supervisor.find(run.id).status
    runs.write_status(run.folder, replace(status, since=status.since - 3600))
    supervisor.tick()
    assert process.poll() is not None
    assert supervisor.find(run.id).state == "killed"


def test_many_sessions_at_once_start_no_more_than_allowed(tmp_path: Path) -> None:
    supervisors = [Supervisor(limits(tmp_path, jobs=2, queue=40), command=SLEEPER) for _ in range(3)]
    supervisors[0].limits.folder.mkdir()
    starting = [threading.Thread(target=each.start, args=(QUICK, None)) for each in supervisors for _ in range(3)]
    ticking = [threading.Thread(target=each.tick) for each in supervisors for _ in range(2)]
    for thread in (*starting, *ticking):
        thread.start()
    for thread in (*starting, *ticking):
        thread.join()
    found = runs.all_runs(supervisors[0].limits.folder)
    assert len(found) == len({run.id for run in found}) == 9
    assert sum(run.state == "running" for run in found) <= 2
    for each in supervisors:
        for process in each._started.values():
            process.kill()
            process.wait()


def test_only_the_newest_runs_are_kept_and_none_that_goes_on(tmp_path: Path) -> None:
    supervisor = Supervisor(limits(tmp_path, keep=2, jobs=0))
    made = [supervisor.start(QUICK, None) for _ in range(5)]
    for age, run in enumerate(made[:4]):
        runs.write_status(run.folder, Status(state="done", since=float(age)))
    supervisor.tick()
    assert {run.id for run in runs.all_runs(supervisor.limits.folder)} == {run.id for run in made[2:]}


def test_many_runs_of_one_client_remove_no_run_of_another(tmp_path: Path) -> None:
    supervisor = Supervisor(limits(tmp_path, keep=4, jobs=0, queue=400))
    mine = [supervisor.start(QUICK, None, client="me") for _ in range(2)]
    many = [supervisor.start(QUICK, None, client="greedy") for _ in range(100)]
    for age, run in enumerate([*mine, *many]):
        runs.write_status(run.folder, Status(state="done", since=float(age)))
    supervisor.tick()
    assert {run.id for run in runs.all_runs(supervisor.limits.folder)} == {run.id for run in [*mine, *many[-2:]]}


def test_one_client_takes_half_of_the_queue_and_no_more(tmp_path: Path) -> None:
    supervisor = Supervisor(limits(tmp_path, jobs=0, queue=6))
    for _ in range(3):
        supervisor.start(QUICK, None, client="greedy")
    with pytest.raises(LabError, match="3 trainings from your address are already waiting"):
        supervisor.start(QUICK, None, client="greedy")
    for _ in range(3):
        supervisor.start(QUICK, None, client="me")
    with pytest.raises(LabError, match="6 trainings are already waiting"):
        supervisor.start(QUICK, None, client="another")


@pytest.mark.parametrize("identifier", ["", "..", "../secret", "a" * 20 + "/..", "A" * 20, "%2e%2e", "0" * 20])
def test_an_id_is_no_path(tmp_path: Path, identifier: str) -> None:
    with pytest.raises(LabError, match="no such run"):
        runs.find(tmp_path, identifier)


def test_a_damaged_status_is_said_and_the_other_runs_are_still_there(tmp_path: Path) -> None:
    supervisor = Supervisor(limits(tmp_path))
    good, bad = (supervisor.start(QUICK, None) for _ in range(2))
    (bad.folder / runs.STATUS).write_text("{half", encoding="utf-8")
    with pytest.raises(LabError, match="cannot be read"):
        supervisor.find(bad.id)
    assert [run.id for run in runs.all_runs(supervisor.limits.folder)] == [good.id]


def test_a_switched_off_lab_starts_nothing(tmp_path: Path) -> None:
    with pytest.raises(LabError, match="switched off"):
        Supervisor(limits(tmp_path, is_on=False)).start(QUICK, None)


def test_a_lock_is_seen_by_others_and_ends_with_its_block(tmp_path: Path) -> None:
    path = tmp_path / "lock"
    assert not is_held(path)
    with holding(path, patience=0):
        assert is_held(path)
        with pytest.raises(TimeoutError), holding(path, patience=0.05):
            pass
    assert not is_held(path)


def test_curves_pass_over_what_is_half_written(tmp_path: Path) -> None:
    file = tmp_path / "metrics.jsonl"
    file.write_text('{"step": 1, "loss": 2.0, "seconds": 1, "tokens": 10}\n{"step": 2, "lo', encoding="utf-8")
    assert list(read_curves(file)["step"]) == [1]
    assert read_curves(tmp_path / "missing").empty
    now = progress_of(read_curves(tmp_path / "missing"), 100)
    assert (now.iteration, now.seconds_left, now.share) == (0, None, 0)


def test_time_left_follows_the_speed(tmp_path: Path) -> None:
    file = tmp_path / "metrics.jsonl"
    lines = (
        f'{{"step": {at}, "loss": 1, "accuracy": 0.5, "seconds": {2 * at}, "tokens": {100 * at}}}'
        for at in range(1, 31)
    )
    file.write_text("\n".join(lines), encoding="utf-8")
    now = progress_of(read_curves(file), 100)
    assert (now.tokens_per_second, now.seconds_left, now.share) == (50, 140, 0.3)
