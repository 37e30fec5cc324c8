"""Values of one sentence that the snapshots of a training read. The pictures draw these values.

A run leaves *snapshots*, whole checkpoints; a *history* is what they all make of the same sentence. Training dynamics
in this form: Biderman et al. 2023, "Pythia", section 2; heads that come to look at the previous token:
Olsson et al. 2022, "In-context Learning and Induction Heads".
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Literal

import numpy as np

from models.values.answers import best_choices
from models.values.arguments.bounds import Index
from models.values.arguments.check import check_arguments
from models.values.arguments.shapes import fix_arrays
from models.values.errors import RecordError, SelectionError
from models.values.record import Array, AttentionRecord, Kind, Recording, WordChoice, kind_name
from models.values.wording import join_sentences, to_say, worded

AnswerKind = Literal["mask", "next", "label"]
"""The subject of an answer: a [MASK], the token after the last one, or the label of the whole text."""
IGNORES, ATTENDS = 0.25, 0.5
"""Shares of attention: below the first a head ignores what is measured, from the second on it attends to it."""
_HEADS: dict[Kind, str] = {
    "encoder": to_say("Layer {layer} · Head {head}"),
    "decoder": to_say("Decoder · Layer {layer} · Head {head}"),
    "cross": to_say("Cross-attention · Layer {layer} · Head {head}"),
}
_TOWARDS = to_say("{head} begins to look at {title} between iterations {start} and {end}: {before} → {after}.")
_AWAY = to_say("{head} stops looking at {title} between iterations {start} and {end}: {before} → {after}.")


@dataclass(frozen=True, slots=True, kw_only=True)
class Measure:
    """A measure of every head, a share of its attention: `name` in addresses, files and tables, `title` for
    people: "the previous token". The title travels with the numbers, so that a picture needs no list of measures."""

    name: str
    title: str


@dataclass(frozen=True, slots=True, kw_only=True)
class RunSnapshot:
    """A checkpoint of a run: its folder, after how many iterations and tokens, and how well it did.

    `loss` is in nats a prediction, on unseen text where that was measured, else on the batches of the training;
    `accuracy`, 0 to 1, likewise. What nobody measured is None.
    """

    folder: str
    iteration: int
    tokens: int | None = None
    loss: float | None = None
    accuracy: float | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class LossPoint:
    """The losses of a run after an iteration: on its batches, and on unseen text if that was measured."""

    iteration: int
    training: float | None = None
    unseen: float | None = None


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class HeadShares:
    """The share of attention that every head gives to each measure: `values` [n_measures, n_layers, n_heads], 0 to 1.

    As `models.analysis.measure_heads` has it: the mean over the word pieces of some texts.
    """

    kind: Kind
    measures: tuple[Measure, ...]
    values: Array

    def __post_init__(self) -> None:
        fix_arrays(self, values=(len(self.measures), "n_layers", "n_heads"))

    @check_arguments
    def of(self, name: str) -> Array:
        """The shares of a measure [n_layers, n_heads]. Raises SelectionError if it was not measured."""
        names = [measure.name for measure in self.measures]
        if name not in names:
            raise SelectionError(
                worded(
                    "{name} was not measured for {kind} attention, only {names}.",
                    name=repr(name),
                    kind=kind_name(self.kind),
                    names=", ".join(names),
                )
            )
        shares: Array = self.values[names.index(name)]
        return shares


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class SnapshotAnswer:
    """The model's answers to one or more questions: `log_probabilities` [n_questions, n_choices], in nats.

    `vocabulary` [n_choices] spells the choices: word pieces, or labels; of the tokens that could follow, the best
    alone. `positions` are the masks' places among the tokens, for "next" that of the last token, for "label" 0.
    """

    question: AnswerKind
    positions: tuple[int, ...]
    log_probabilities: Array
    vocabulary: Sequence[str]

    def __post_init__(self) -> None:
        fix_arrays(self, log_probabilities=(len(self.positions), len(self.vocabulary)))

    @check_arguments
    def best(self, which: int, top_k: Index) -> tuple[WordChoice, ...]:
        """The likeliest choices for a question, best first, at most `top_k`. Raises SelectionError."""
        if not 0 <= which < (n := len(self.positions)):
            raise SelectionError(
                worded("question {which} was asked for, expected 0 to {last}.", which=which, last=n - 1)
            )
        return best_choices(self.log_probabilities[which], self.vocabulary, top_k)


@dataclass(frozen=True, slots=True, kw_only=True)
class SnapshotReading:
    """A sentence as a snapshot reads it. `shares` holds one entry for each kind of attention; `answer` is None
    where the model has no head that answers, or is not asked; `written` is what it writes, if it writes."""

    recording: Recording
    shares: tuple[HeadShares, ...]
    answer: SnapshotAnswer | None = None
    written: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Trajectory:
    """A run by its snapshots, first to last; `curve` is its loss, as often as it was measured.

    `unseen` [one a snapshot] are the shares on unseen text, empty where nobody measured them. `note` says what was
    left out, and why.
    """

    name: str
    snapshots: tuple[RunSnapshot, ...]
    curve: tuple[LossPoint, ...] = ()
    unseen: tuple[HeadShares, ...] = ()
    note: str = ""

    def __post_init__(self) -> None:
        if not self.snapshots:
            raise RecordError(f"{self.name} has no snapshots, expected at least one.")
        iterations = [snapshot.iteration for snapshot in self.snapshots]
        if any(one >= other for one, other in pairwise(iterations)):
            raise RecordError(
                f"the snapshots of {self.name} are of the iterations {iterations}, expected them to rise."
            )
        if self.unseen and len(self.unseen) != len(self.snapshots):
            raise RecordError(f"unseen has {len(self.unseen)} entries, expected {len(self.snapshots)} or none.")


@dataclass(frozen=True, slots=True, kw_only=True)
class History:
    """A sentence at every snapshot of a run: `readings` has one entry a snapshot."""

    trajectory: Trajectory
    readings: tuple[SnapshotReading, ...]

    def __post_init__(self) -> None:
        if len(self.readings) != len(self.trajectory.snapshots):
            raise RecordError(
                f"{len(self.readings)} readings were given for {len(self.trajectory.snapshots)} snapshots."
            )

    @property
    def snapshots(self) -> tuple[RunSnapshot, ...]:
        return self.trajectory.snapshots

    @property
    def iterations(self) -> tuple[int, ...]:
        return tuple(snapshot.iteration for snapshot in self.snapshots)

    @property
    def last(self) -> SnapshotReading:
        return self.readings[-1]

    @check_arguments
    def records(self, kind: Kind) -> tuple[AttentionRecord, ...]:
        """The attention of one kind at every snapshot. Raises SelectionError if the model has none of that kind."""
        return tuple(reading.recording.of(kind) for reading in self.readings)

    @check_arguments
    def measures(self, kind: Kind, *, unseen: bool = False) -> tuple[Measure, ...]:
        """Return the measures of a kind of attention; none where nothing was measured."""
        shares = self.trajectory.unseen[-1:] if unseen else self.last.shares
        return next((entry.measures for entry in shares if entry.kind == kind), ())

    @check_arguments
    def measure(self, kind: Kind, name: str, *, unseen: bool = False) -> Measure:
        """The measure of that name, with its title. Raises SelectionError if it was not measured."""
        for measure in self.measures(kind, unseen=unseen):
            if measure.name == name:
                return measure
        raise SelectionError(
            worded("{name} was not measured for {kind} attention.", name=repr(name), kind=kind_name(kind))
        )

    @check_arguments
    def shares(self, kind: Kind, name: str, *, unseen: bool = False) -> Array:
        """The shares of a measure [n_snapshots, n_layers, n_heads], in this sentence or in the unseen text of the run.

        Raises SelectionError if it was not measured.
        """
        self.measure(kind, name, unseen=unseen)
        entries: Sequence[HeadShares]
        if unseen:
            entries = self.trajectory.unseen
        else:
            entries = [next(entry for entry in reading.shares if entry.kind == kind) for reading in self.readings]
        stacked: Array = np.stack([entry.of(name) for entry in entries])
        return stacked


def history_of(trajectory: Trajectory, readings: Sequence[SnapshotReading | None]) -> History:
    """The history of the snapshots that could be opened; None stands for one that could not, and the note counts them.

    Raises RecordError if none could be.
    """
    kept = [number for number, reading in enumerate(readings) if reading is not None]
    n_all = len(trajectory.snapshots)
    if len(kept) < n_all:
        note = worded("{n} of {all} snapshots cannot be opened, so they are left out.", n=n_all - len(kept), all=n_all)
        trajectory = replace(
            trajectory,
            snapshots=tuple(trajectory.snapshots[number] for number in kept),
            unseen=tuple(trajectory.unseen[number] for number in kept) if trajectory.unseen else (),
            note=join_sentences(trajectory.note, note),
        )
    return History(trajectory=trajectory, readings=tuple(reading for reading in readings if reading is not None))


def ends_of(history: History) -> History:
    """Return a history of the first snapshot and the last alone."""
    n_all, whole = len(history.readings), history.trajectory
    kept = sorted({0, n_all - 1})
    unseen = tuple(whole.unseen[number] for number in kept) if whole.unseen else ()
    snapshots = tuple(whole.snapshots[number] for number in kept)
    return History(
        trajectory=replace(whole, snapshots=snapshots, unseen=unseen),
        readings=tuple(history.readings[number] for number in kept),
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class HeadChange:
    """A head that begins to attend to something, or stops, between two snapshots: `start` and `end` count the
    snapshots, `start_iteration` and `end_iteration` say when they were taken.

    See `models.analysis.changes` for what counts as one.
    """

    kind: Kind
    layer: int
    head: int
    measure: Measure
    is_towards: bool
    start: int
    end: int
    start_iteration: int
    end_iteration: int
    start_share: float
    end_share: float

    @property
    def name(self) -> str:
        """The head: "Layer 0 · Head 2"."""
        return worded(_HEADS[self.kind], layer=self.layer, head=self.head)

    @property
    def sentence(self) -> str:
        """ "Layer 0 · Head 2 begins to attend to the previous token between iteration 214 and iteration 359: 11% →
        62%." """
        return worded(
            _TOWARDS if self.is_towards else _AWAY,
            head=self.name,
            title=to_say(self.measure.title),
            start=f"{self.start_iteration:,}",
            end=f"{self.end_iteration:,}",
            before=f"{self.start_share:.0%}",
            after=f"{self.end_share:.0%}",
        )
