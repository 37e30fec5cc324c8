"""Attention over time: the snapshots of a run on disk, and what each of them makes of one sentence.

A run is a folder with `step-NNNNNN` folders, whole checkpoints, in it or in its `snapshots/`; beside them lie
`metrics.jsonl` (a JSON object a line: step, tokens, loss, accuracy, held_out_loss, held_out_accuracy), as
`models.training.trainer.fit` writes it, or `trajectory.json`, as `recipes.evaluation.trajectory` does. A run
may still be going on.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np
from safetensors import SafetensorError, safe_open

from models.analysis import find_measure, measure_heads
from models.opening.entries import PRETRAINED, ROOT
from models.opening.folders import load_folder
from models.opening.registry import Model
from models.text.cutting import is_readable
from models.training.snapshots.trajectory import FILE, Snapshot, iteration_of, read_trajectory
from models.training.trainer.metric_lines import read_metrics
from models.values.answers import MaskedText
from models.values.errors import ModelLoadError
from models.values.history import (
    HeadShares,
    LossPoint,
    Measure,
    RunSnapshot,
    SnapshotAnswer,
    SnapshotReading,
    Trajectory,
)
from models.values.record import AttentionRecord
from models.values.wording import to_say, worded, worded_n
from models.values.writing import TokenGuesses

METRICS, SNAPSHOTS, WEIGHTS = "metrics.jsonl", "snapshots", "model.safetensors"
MOST_QUESTIONS = 8
"""Masks that are answered: the whole vocabulary is kept for each, at every snapshot."""
MOST_SNAPSHOTS = 24
"""Of a run with more, so many are read, spread evenly over them, the first and the last included."""
CROSS_PLACES = (
    Measure(name="same-place", title=to_say("the same place in the source")),
    Measure(name="mirrored", title=to_say("the mirrored place in the source")),
)
"""The measures of cross-attention: the two diagonals."""
_FOLDER = re.compile(r"step-(\d+)")


@dataclass(frozen=True, slots=True, kw_only=True)
class RunFolder:
    """A run that may be looked at: its name, which is unique among those that are offered, and where it lies."""

    name: str
    folder: Path
    about: str = ""


def embedded_runs() -> tuple[RunFolder, ...]:
    """The runs that are part of this repository."""
    return (
        RunFolder(
            name="tiny-bert",
            folder=ROOT / PRETRAINED / "tiny-bert",
            about=to_say("embedded, 2 layers of 4 heads"),
        ),
        RunFolder(
            name="copier",
            folder=ROOT / PRETRAINED / "copier",
            about=to_say("embedded, copies letters"),
        ),
    )


def snapshots_of(folder: Path, *, name: str | None = None) -> Trajectory:
    """The whole snapshots of a run, first to last. Raises ModelLoadError if there are none, or none yet."""
    folders = sorted(_snapshot_folders(folder), key=iteration_of)
    complete = [path for path in folders if is_whole(path)]
    if not complete:
        raise ModelLoadError(
            str(folder),
            worded("{run} has no snapshots yet. A run saves the first one before it starts to learn.", run=folder.name),
        )
    kept = _spread(complete, MOST_SNAPSHOTS)
    measured = {entry.folder: entry for entry in read_trajectory(folder)} if (folder / FILE).exists() else {}
    lines = list(read_metrics(folder / METRICS))
    snapshots = tuple(_snapshot(path, measured.get(path.name), lines) for path in kept)
    return Trajectory(
        name=name or folder.name,
        snapshots=snapshots,
        curve=tuple(_curve(lines))
        or tuple(LossPoint(iteration=snapshot.iteration, unseen=snapshot.loss) for snapshot in snapshots),
        unseen=tuple(_unseen(measured[path.name]) for path in kept) if _all_in(kept, measured) else (),
        note=_note(len(folders), len(complete), len(kept)),
    )


def is_whole(folder: Path) -> bool:
    """Whether a checkpoint is there to its last byte: a run that goes on, or was killed, may leave a part of one."""
    try:
        json.loads((folder / "config.json").read_text(encoding="utf-8"))
        with safe_open(folder / WEIGHTS, framework="np") as weights:
            return bool(weights.keys())
    except (OSError, ValueError, SafetensorError):
        return False


def written_at(folder: Path) -> int:
    """When the weights of a checkpoint were written, in nanoseconds; 0 if they are gone."""
    try:
        return (folder / WEIGHTS).stat().st_mtime_ns
    except OSError:
        return 0


# -- what is written beside the snapshots -----------------------------------------------------------------------------


def _snapshot_folders(folder: Path) -> Iterator[Path]:
    inner = folder / SNAPSHOTS
    base = inner if inner.is_dir() else folder
    if base.is_dir():
        yield from (path for path in base.iterdir() if path.is_dir() and _FOLDER.fullmatch(path.name))


def _spread(folders: Sequence[Path], most: int) -> list[Path]:
    """At most so many of them, evenly spread."""
    places = np.unique(np.linspace(0, len(folders) - 1, min(most, len(folders))).round().astype(int))
    return [folders[place] for place in places]


def _snapshot(folder: Path, measured: Snapshot | None, lines: Sequence[dict[str, Any]]) -> RunSnapshot:
    iteration = iteration_of(folder)
    if measured is not None:
        return RunSnapshot(
            folder=str(folder),
            iteration=iteration,
            tokens=measured.pieces,
            loss=measured.loss,
            accuracy=measured.top_1,
        )
    line = _nearest(lines, iteration)
    return RunSnapshot(
        folder=str(folder),
        iteration=iteration,
        tokens=0 if iteration == 0 else line.get("tokens"),
        loss=line.get("held_out_loss", line.get("loss")),
        accuracy=line.get("held_out_accuracy", line.get("accuracy")),
    )


def _nearest(lines: Sequence[dict[str, Any]], iteration: int) -> dict[str, Any]:
    """The line of an iteration; the last one before it if that was not written; nothing before the first."""
    return next((line for line in reversed(lines) if line["step"] <= iteration), {})


def _curve(lines: Sequence[dict[str, Any]]) -> Iterator[LossPoint]:
    for line in lines:
        yield LossPoint(iteration=line["step"], training=line.get("loss"), unseen=line.get("held_out_loss"))


def _unseen(measured: Snapshot) -> HeadShares:
    """Return the shipped shares that are still measured, each with its title."""
    known = {name: find_measure(name) for name in measured.shares}
    kept = {name: measure.measure for name, measure in known.items() if measure is not None}
    values = np.array([measured.shares[name] for name in kept], dtype=np.float32)
    return HeadShares(kind="encoder", measures=tuple(kept.values()), values=values)


def _all_in(folders: Sequence[Path], measured: dict[str, Snapshot]) -> bool:
    return all(folder.name in measured for folder in folders)


def _note(n_found: int, n_complete: int, n_kept: int) -> str:
    left_out = worded_n(
        "{n} snapshot not completely saved yet: left out for now.",
        "{n} snapshots not completely saved yet: left out for now.",
        n_found - n_complete,
    )
    spread = worded("{kept} of {all} snapshots, evenly spread.", kept=n_kept, all=n_complete)
    notes = [left_out] * (n_complete < n_found) + [spread] * (n_kept < n_complete)
    if len(notes) > 1:
        return worded("{first} {second}", first=left_out, second=spread)
    return notes[0] if notes else ""


# -- one sentence at one snapshot -------------------------------------------------------------------------------------


def read_snapshot(folder: Path, text: str, target: str = "") -> SnapshotReading:
    """Open a snapshot, let it read a sentence, and measure its heads. Raises ModelLoadError, TextError.

    An encoder-decoder writes its own text, and its decoder reads `target`: the same one at every snapshot, so that
    their maps can be compared. Without one it reads what it has written.
    """
    return read_with(load_folder(folder, name=folder.name, device="cpu"), text, target)


def read_with(model: Model, text: str, target: str = "") -> SnapshotReading:
    """Let a snapshot that is open read a sentence, as `read_snapshot` does. Raises TextError."""
    written = model.translate(text).text if model.info.can_translate else ""
    given = target or written  # a model that has just begun may write control characters alone
    recording = model.record(text, given if is_readable(given) else None)
    shares = tuple(
        measure_places(record) if record.kind == "cross" else measure_heads([record])
        for record in recording.attention
        if record.kind == "cross" or _has_neighbours(record)
    )
    return SnapshotReading(recording=recording, shares=shares, answer=_answer(model, text), written=written)


def _has_neighbours(record: AttentionRecord) -> bool:
    """Whether there is a previous token to look at: not where nothing was written."""
    return not all(token.is_special for token in record.key_tokens)


def measure_places(record: AttentionRecord) -> HeadShares:
    """Return the shares of cross-attention on its diagonals: row i on word i of the source, counted from its first word
    and from its last."""
    words = [position for position, token in enumerate(record.key_tokens) if not token.is_special]
    rows = range(min(record.n_query, len(words)))
    values = np.zeros((len(CROSS_PLACES), record.n_layers, record.n_heads), dtype=np.float32)
    for number, keys in enumerate((words, words[::-1])):
        for layer, head in np.ndindex(record.n_layers, record.n_heads):
            weights = record.weights(layer, head)  # [n_query, n_key]
            values[number, layer, head] = np.mean([weights[row, keys[row]] for row in rows]) if rows else 0.0
    return HeadShares(kind="cross", measures=CROSS_PLACES, values=values)


def _answer(model: Model, text: str) -> SnapshotAnswer | None:
    """Return the model's answer to the text: its first masks, the token after it, or its label; None without any."""
    if model.info.can_fill_mask:
        return _about_masks(model.masked_words(text))
    if model.info.can_continue:
        return _about_next(model.guess_tokens(text))
    if model.info.can_label_text:
        labels = model.label_text(text)
        chances = np.log(np.maximum(labels.probabilities, np.finfo(np.float32).tiny))
        return SnapshotAnswer(
            question="label", positions=(0,), log_probabilities=chances[None], vocabulary=labels.labels
        )
    return None


def _about_masks(masked: MaskedText) -> SnapshotAnswer | None:
    if not masked.positions:
        return None
    return SnapshotAnswer(
        question="mask",
        positions=masked.positions[:MOST_QUESTIONS],
        log_probabilities=masked.log_probabilities[:MOST_QUESTIONS].copy(),
        vocabulary=_one_copy(masked.vocabulary),
    )


def _about_next(guesses: TokenGuesses) -> SnapshotAnswer | None:
    """The best tokens to go on with: more is not told."""
    if not guesses.next_choices:
        return None
    chances = np.array([[choice.probability for choice in guesses.next_choices]], dtype=np.float32)
    return SnapshotAnswer(
        question="next",
        positions=(len(guesses.tokens) - 1,),
        log_probabilities=np.log(np.maximum(chances, np.finfo(np.float32).tiny)),
        vocabulary=tuple(choice.text for choice in guesses.next_choices),
    )


@lru_cache(maxsize=8)
def _one_copy(vocabulary: Sequence[str]) -> Sequence[str]:
    """The same object for equal vocabularies: the snapshots of a run share theirs."""
    return vocabulary
