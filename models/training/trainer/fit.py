"""One trainer for every task: a loop that learns, measures, keeps snapshots, and stops when it is told to.

A run lives in a folder: `state.safetensors` to resume from, `metrics.jsonl` with a line for every few iterations,
`snapshots/step-NNNNNN/` and `model/`, which are checkpoints that open everywhere.
"""

from __future__ import annotations

import json
import os
import shutil
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass, field
from pathlib import Path

import torch
from torch import nn

from models.training.trainer.metric_lines import forget_after
from models.training.trainer.optimizers import (
    Optimizer,
    has_fast_bfloat16,
    has_state,
    load_state,
    make_optimizers,
    save_state,
    update_all,
)
from models.training.trainer.processes import ALONE, Worker
from models.training.trainer.schedule import learning_rate, snapshot_iterations
from models.training.trainer.task import Loss, Task

METRICS = "metrics.jsonl"
MODEL = "model"
SNAPSHOTS = "snapshots"
SAVE_EVERY = 20.0
"""Seconds between two savings of the state: so much is lost at most if a run is killed."""


@dataclass(frozen=True, slots=True, kw_only=True)
class FitConfig:
    """How a run learns. A batch has `rows` rows; rates and decays as in `models.training.trainer.schedule`.

    Raises ValueError, naming the field, for what cannot be.
    """

    iterations: int
    rows: int = 64
    learning_rate: float = 2e-3
    warmup_iterations: int = 50
    decay: float = 0.5
    weight_decay: float = 0.01
    clip: float = 1.0
    optimizer: Optimizer = "muon"
    seed: int = 0
    snapshots: int = 0
    measurements: int = 20
    """How often the held-out part is measured along the way, the end among them; 0 for never."""
    log_every: int = 1
    """Iterations between two lines of the metrics."""

    def __post_init__(self) -> None:
        for name, least in (("iterations", 1), ("rows", 1), ("snapshots", 0), ("measurements", 0), ("log_every", 1)):
            if getattr(self, name) < least:
                raise ValueError(f"{name} is {getattr(self, name)}, expected {least} or more.")
        if not self.learning_rate > 0:
            raise ValueError(f"learning_rate is {self.learning_rate}, expected more than 0.")
        if not 0 <= self.decay <= 1:
            raise ValueError(f"decay is {self.decay}, expected 0 to 1.")

    def rate(self, iteration: int) -> float:
        """The learning rate of an iteration."""
        return learning_rate(
            iteration,
            iterations=self.iterations,
            peak=self.learning_rate,
            warmup_iterations=self.warmup_iterations,
            decay=self.decay,
        )

    def is_measured(self, iteration: int) -> bool:
        """Whether the held-out part is measured after so many iterations."""
        return bool(self.measurements) and (
            iteration == self.iterations or iteration % max(1, self.iterations // self.measurements) == 0
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Progress:
    """Where a run is after an iteration: `loss` in nats a question, `accuracy` the share of right answers in the batch,
    both as they were while it learned; `tokens` and `seconds` of the whole run, its earlier sittings among them; and
    what was measured on the held-out part, if it was its turn."""

    iteration: int
    tokens: int
    seconds: float
    loss: float
    accuracy: float
    rate: float
    held_out: dict[str, float]
    parts: dict[str, float] = field(default_factory=dict)
    """Of a task that learns several things at once, how each went."""

    def as_line(self) -> dict[str, float]:
        """The line of the metrics file, where an iteration is a "step", as in the state and in names of snapshots."""
        line = {"step" if name == "iteration" else name: value for name, value in asdict(self).items()}
        del line["held_out"], line["parts"]
        return line | self.parts | {f"held_out_{name}": value for name, value in self.held_out.items()}


class Fitter:
    """A task, its optimizers, and the iteration, the tokens and the seconds that they have reached; one of several
    workers, each with an equal part of the rows, or alone."""

    def __init__(self, task: Task, config: FitConfig, device: torch.device, worker: Worker = ALONE) -> None:
        self.task, self.config, self.device, self.worker = task, config, device, worker
        self.model = task.model.to(device)
        self.iteration, self.tokens, self.seconds = 0, 0, 0.0
        self.optimizers = make_optimizers(
            self.model,
            optimizer=config.optimizer,
            learning_rate=config.learning_rate,
            weight_decay=config.weight_decay,
            device=device,
        )
        self.bfloat16 = has_fast_bfloat16(device)

    def iterate(self) -> Progress:
        """Learn from one batch; measure, if it is time to."""
        begun, rate = time.monotonic(), self.config.rate(self.iteration)
        loss, numbers = self._learn(rate)
        self.iteration += 1
        self.tokens += round(numbers["n_tokens"])
        is_due = self.worker.leads and self.config.is_measured(self.iteration)
        held_out = self.measure_held_out() if is_due else {}
        self.seconds += time.monotonic() - begun
        return Progress(
            iteration=self.iteration,
            tokens=self.tokens,
            seconds=self.seconds,
            loss=numbers["loss"],
            accuracy=numbers["n_right"] / max(1, numbers["n_asked"]),
            rate=rate,
            held_out=held_out,
            parts=dict(loss.parts),
        )

    def measure_held_out(self) -> dict[str, float]:
        """Return the measures of the task on the held-out part."""
        with evaluating(self.model):
            return self.task.measure(self.device)

    def save(self, folder: Path) -> None:
        """Write the whole state; the old one stays whole until the new one is. Of several workers, one writes."""
        if not self.worker.leads:
            return
        reached = {"step": str(self.iteration), "tokens": str(self.tokens), "seconds": str(self.seconds)}
        save_state(folder, self.model, self.optimizers, reached | {"config": json.dumps(asdict(self.config))})

    def resume(self, folder: Path) -> None:
        """Continue from what `save` wrote there."""
        reached = load_state(folder, self.model, self.optimizers, self.device)
        self.iteration, self.tokens = int(reached["step"]), int(reached["tokens"])
        self.seconds = float(reached["seconds"])

    def _learn(self, rate: float) -> tuple[Loss, dict[str, float]]:
        """This worker's loss, and the numbers of all workers together."""
        size, seed = self.worker.size, self.config.seed * self.worker.size + self.worker.rank
        self.model.train()
        self.model.zero_grad(set_to_none=True)
        torch.manual_seed((self.config.seed + self.iteration) * size + self.worker.rank)  # dropout, as after a resume
        with self._quickly():
            loss = self.task.loss(self.iteration, rows=self.config.rows // size, seed=seed, device=self.device)
        torch.autograd.backward(loss.total / size)
        numbers = {
            "loss": float(loss.total.detach()) / size,
            "n_right": loss.n_right,
            "n_asked": loss.n_asked,
            "n_tokens": loss.n_tokens,
        }
        numbers = self.worker.all_reduce(self.model.parameters(), numbers)
        nn.utils.clip_grad_norm_(self.model.parameters(), self.config.clip)
        with self._quickly():  # most of Muon is products of matrices, too
            update_all(self.optimizers, rate)
        return loss, numbers

    def _quickly(self) -> torch.autocast:
        """Matrices are multiplied in bfloat16 in the block, where that is quicker."""
        return torch.autocast(self.device.type, dtype=torch.bfloat16, enabled=self.bfloat16)


def fit(
    folder: Path,
    task: Task,
    config: FitConfig,
    *,
    device: torch.device,
    watch: Callable[[Progress], None] | None = None,
    should_stop: Callable[[], bool] | None = None,
    save_every: float = SAVE_EVERY,
    worker: Worker = ALONE,
) -> bool:
    """Train to the end, or until `should_stop`; a run that was stopped, or killed, goes on where it had last saved.

    `watch` is told after every iteration. Returns whether the end was reached; only then `model/` is written. Of
    several workers the first writes, and all must stop at the same iteration.
    """
    fitter = Fitter(task, config, device, worker)
    if has_state(folder):
        fitter.resume(folder)
    folder.mkdir(parents=True, exist_ok=True)
    if worker.leads:
        forget_after(folder / METRICS, fitter.iteration)
    try:
        _iterate(folder, fitter, watch, should_stop or (lambda: False), save_every)
    finally:
        fitter.save(folder)
    if fitter.iteration < config.iterations:
        return False
    if worker.leads:
        with evaluating(fitter.model):
            _save_whole(task, folder / MODEL)
    return True


def _iterate(
    folder: Path,
    fitter: Fitter,
    watch: Callable[[Progress], None] | None,
    should_stop: Callable[[], bool],
    save_every: float,
) -> None:
    config, saved, leads = fitter.config, time.monotonic(), fitter.worker.leads
    kept = snapshot_iterations(config.iterations, config.snapshots) if leads else ()
    with (folder / METRICS if leads else Path(os.devnull)).open("a", encoding="utf-8") as metrics:
        _keep(folder, fitter, kept)
        while fitter.iteration < config.iterations and not should_stop():
            progress = fitter.iterate()
            if progress.iteration % config.log_every == 0 or progress.held_out:
                metrics.write(json.dumps(progress.as_line()) + "\n")
                metrics.flush()
            if watch is not None:
                watch(progress)
            _keep(folder, fitter, kept)
            if time.monotonic() - saved > save_every:
                fitter.save(folder)
                saved = time.monotonic()


def _keep(folder: Path, fitter: Fitter, kept: tuple[int, ...]) -> None:
    """Write the snapshot of this iteration, if there is to be one; it appears whole or not at all."""
    if fitter.iteration not in kept or snapshot_folder(folder, fitter.iteration).exists():
        return
    with evaluating(fitter.model):
        save_snapshot(folder, fitter.task, fitter.iteration)


def save_snapshot(folder: Path, task: Task, iteration: int) -> None:
    """Write the snapshot of an iteration; it appears whole or not at all."""
    _save_whole(task, snapshot_folder(folder, iteration))


def _save_whole(task: Task, place: Path) -> None:
    """Write the checkpoint of a task; if there is no room for it, nothing of it stays."""
    unfinished = place.with_name(f".{place.name}")
    try:
        task.save(unfinished)
        if place.exists():
            shutil.rmtree(place)
        unfinished.replace(place)
    except BaseException:
        shutil.rmtree(unfinished, ignore_errors=True)
        raise


def snapshot_folder(folder: Path, iteration: int) -> Path:
    """Where the snapshot of an iteration lies in the folder of a run."""
    return folder / SNAPSHOTS / f"step-{iteration:06d}"


@contextmanager
def evaluating(model: nn.Module) -> Iterator[None]:
    """Without dropout and without gradients inside the block."""
    was_training = model.training
    model.eval()
    try:
        with torch.inference_mode():
            yield
    finally:
        model.train(was_training)
