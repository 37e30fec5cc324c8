"""The work of a job: from a recipe and its rows to a task, through the trainer, to a checkpoint and its answers."""

from __future__ import annotations

import math
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

from safetensors import SafetensorError

from lab import runs
from lab.assemble import assemble, rows_of
from lab.card import write_card
from lab.data.given import Given
from lab.jobs.disk import LAST_WORDS, disk_full, is_about_disk, keep_reserve, spend_reserve
from lab.live.examples import find_example
from lab.live.watcher import Watcher
from lab.questions import Results, ask
from lab.recipe import Recipe
from lab.runs import Run, State
from models.checkpoints.device_faults import is_memory_fault
from models.checkpoints.devices import pick_device
from models.opening.folders import load_folder
from models.training.trainer.fit import FitConfig, Progress, fit, save_snapshot, snapshot_folder
from models.training.trainer.optimizers import has_state
from models.values.errors import HeadlightError, LabError
from models.values.wording import to_say, worded

LINES = 400
"""The number of lines of metrics that a run writes: enough for a curve."""
DECAY = 0.4
"""The last part of a run, in which the learning rate falls."""
MEASUREMENTS = 20
OUT_OF_MEMORY = to_say(
    "There was not enough memory for this model. Start a smaller one: fewer rows in a batch, a smaller width, or "
    "fewer layers."
)


def fit_config(recipe: Recipe) -> FitConfig:
    """Return the settings of the trainer for a recipe."""
    return FitConfig(
        iterations=recipe.iterations,
        rows=recipe.rows,
        learning_rate=recipe.learning_rate,
        optimizer="adamw" if recipe.body else "muon",
        warmup_iterations=recipe.warmup_iterations,
        decay=DECAY,
        seed=recipe.seed,
        snapshots=recipe.snapshots,
        measurements=MEASUREMENTS,
        log_every=max(1, recipe.iterations // LINES),
    )


def carry_out(place: Path, *, device: str, why_stop: Callable[[], str]) -> None:
    """Train the run in a folder until its end, or until `why_stop` gives a reason; its status says how it went."""
    run = runs.find(place.parent, place.name)
    try:
        keep_reserve(place / LAST_WORDS)
        state, message = _train(run, device, why_stop)
    except HeadlightError as error:
        state, message = "failed", str(error)
    except (OSError, SafetensorError) as error:
        if not is_about_disk(error):
            raise
        state, message = (
            "stopped",
            worded(
                "{disk_full} What was saved before is still there, so resume it after that.", disk_full=disk_full(error)
            ),
        )
    except (MemoryError, RuntimeError) as error:
        if not is_memory_fault(error):
            raise
        state, message = "failed", OUT_OF_MEMORY
    spend_reserve(place / LAST_WORDS)
    _say(run, state, message)


def _train(run: Run, device_name: str, why_stop: Callable[[], str]) -> tuple[State, str]:
    recipe = run.recipe
    if recipe is None:
        raise LabError(to_say("This is an uploaded model, not a training."))
    _say(run, "running", to_say("Reading the data and learning the vocabulary"))
    given = rows_of(run, recipe)
    task, device = assemble(recipe, given, run.folder / runs.VOCABULARY), pick_device(device_name)
    watcher = Watcher(run.folder / runs.LIVE, task, find_example(recipe.task, given), device)
    reason, reached = "", 0
    _say(run, "running", to_say("Training"))
    if not has_state(run.folder):
        watcher.observe(0)

    def watch(progress: Progress) -> None:
        nonlocal reached
        reached = progress.iteration
        _check_loss(progress, recipe)
        watcher.watch(reached)

    def should_stop() -> bool:
        nonlocal reason
        reason = why_stop()
        return bool(reason)

    is_done = fit(run.folder, task, fit_config(recipe), device=device, watch=watch, should_stop=should_stop)
    if reached:
        watcher.observe(reached)
    if not is_done:
        if reason == runs.QUEUE_AGAIN:
            return "queued", ""
        if reached and not snapshot_folder(run.folder, reached).exists():
            save_snapshot(run.folder, task, reached)
        return "stopped", reason
    _say(run, "running", to_say("Trying it on held-out text"))
    _answer(run, recipe, given)
    return "done", ""


def _check_loss(progress: Progress, recipe: Recipe) -> None:
    """Raise LabError if the loss is no longer a number."""
    if not math.isfinite(progress.loss):
        raise LabError(
            worded(
                "The loss was no longer a number at iteration {iteration}: the changes to the weights were too "
                "large. Start again with a learning rate below {rate}.",
                iteration=f"{progress.iteration:,}",
                rate=f"{recipe.learning_rate:g}",
            )
        )


def _answer(run: Run, recipe: Recipe, given: Given) -> None:
    """Ask the finished checkpoint, from disk, and write its answers and its card."""
    model = load_folder(run.folder / runs.MODEL, name=recipe.name, device="cpu")
    try:
        results = ask(recipe.task, model, given)
    except HeadlightError as error:  # the model is there and can be opened: say what it could not be asked
        results = Results(note=str(error))
    results.save(run.folder / runs.RESULTS)
    write_card(run, recipe, results, parameters=model.info.n_parameters)


def _say(run: Run, state: State, message: str) -> None:
    old = runs.read_status(run.folder)
    since = old.since if state == old.state else time.time()
    runs.write_status(run.folder, replace(old, state=state, since=since, message=message))
