"""One sentence, read by a model at many moments of its training. The pictures draw these values.

A run leaves *snapshots*, whole checkpoints; a *history* is what they all make of the same sentence. Training dynamics
in this form: Biderman et al. 2023, "Pythia", section 2; heads that turn to the previous token: Olsson et al. 2022,
"In-context Learning and Induction Heads".
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Literal

import numpy as np

from models.values.answers import best_choices
from models.values.errors import RecordError, SelectionError
from models.values.record import Array, AttentionRecord, Kind, Recording, WordChoice

Habit = Literal["previous", "next", "same", "special", "first"]
HABIT_NAMES: dict[Habit, str] = {
    "previous": "the previous token",
    "next": "the next token",
    "same": "the token itself",
    "special": "special tokens",
    "first": "the first token",
}
Question = Literal["mask", "next", "label"]
"""What an answer is about: a [MASK], the token after the last one, or the label of the whole text."""
_KIND_PREFIXES: dict[Kind, str] = {"encoder": "", "decoder": "Decoder · ", "cross": "Cross-attention · "}


@dataclass(frozen=True, slots=True, kw_only=True)
class RunSnapshot:
    """A checkpoint of a run: its folder, how many steps and tokens it had learned from, and how well it did.

    `loss` is in nats a prediction, on unseen text where that was measured, else on the batches of the training;
    `accuracy`, 0 to 1, likewise. What nobody measured is None.
    """

    folder: str
    step: int
    tokens: int | None = None
    loss: float | None = None
    accuracy: float | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class LossPoint:
    """What a run said about itself at a step: the loss on its batches, and on unseen text where it was measured."""

    step: int
    training: float | None = None
    unseen: float | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class HabitShares:
    """How much of its attention every head gives to each habit: `values` [n_habits, n_layers, n_heads], 0 to 1.

    As in `models.analysis.head_statistics`: the mean over the word pieces of a text.
    """

    kind: Kind
    habits: tuple[Habit, ...]
    values: Array

    def __post_init__(self) -> None:
        if self.values.ndim != 3 or len(self.values) != len(self.habits):
            raise RecordError(
                f"values has shape {self.values.shape}, expected [{len(self.habits)}, n_layers, n_heads]."
            )
        self.values.flags.writeable = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """What the model says to one or more questions: `log_probabilities` [n_questions, n_choices], in nats.

    `vocabulary` [n_choices] spells the choices: word pieces, or labels; of the tokens that could follow, the best
    alone. `positions` are the masks' places among the tokens, for "next" that of the last token, for "label" 0.
    """

    question: Question
    positions: tuple[int, ...]
    log_probabilities: Array
    vocabulary: tuple[str, ...]

    def __post_init__(self) -> None:
        expected = (len(self.positions), len(self.vocabulary))
        if self.log_probabilities.shape != expected:
            raise RecordError(f"log_probabilities has shape {self.log_probabilities.shape}, expected {expected}.")
        self.log_probabilities.flags.writeable = False

    def best(self, which: int, top_k: int) -> tuple[WordChoice, ...]:
        """The likeliest choices for a question, best first, at most `top_k`."""
        return best_choices(self.log_probabilities[which], self.vocabulary, top_k)


@dataclass(frozen=True, slots=True, kw_only=True)
class Moment:
    """What a snapshot makes of a sentence. `shares` holds one entry for each kind of self-attention; `answer` is None
    where the model has no head that answers, or is not asked; `written` is what it writes, if it writes."""

    recording: Recording
    shares: tuple[HabitShares, ...]
    answer: Answer | None = None
    written: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Run:
    """The snapshots of a run, first to last; `curve` is its loss, as often as it was measured.

    `unseen` [one a snapshot] are the shares on unseen text, empty where nobody measured them. `note` says what was
    left out, and why.
    """

    name: str
    snapshots: tuple[RunSnapshot, ...]
    curve: tuple[LossPoint, ...] = ()
    unseen: tuple[HabitShares, ...] = ()
    note: str = ""

    def __post_init__(self) -> None:
        if not self.snapshots:
            raise RecordError(f"{self.name} has no snapshots, expected at least one.")
        steps = [snapshot.step for snapshot in self.snapshots]
        if any(one >= other for one, other in pairwise(steps)):
            raise RecordError(f"the snapshots of {self.name} are at the steps {steps}, expected them to rise.")
        if self.unseen and len(self.unseen) != len(self.snapshots):
            raise RecordError(f"unseen has {len(self.unseen)} entries, expected {len(self.snapshots)} or none.")


@dataclass(frozen=True, slots=True, kw_only=True)
class History:
    """One sentence at every snapshot of a run: `moments` has one entry a snapshot."""

    run: Run
    moments: tuple[Moment, ...]

    def __post_init__(self) -> None:
        if len(self.moments) != len(self.run.snapshots):
            raise RecordError(f"{len(self.moments)} moments were given for {len(self.run.snapshots)} snapshots.")

    @property
    def snapshots(self) -> tuple[RunSnapshot, ...]:
        return self.run.snapshots

    @property
    def steps(self) -> tuple[int, ...]:
        return tuple(snapshot.step for snapshot in self.snapshots)

    @property
    def last(self) -> Moment:
        return self.moments[-1]

    def records(self, kind: Kind) -> tuple[AttentionRecord, ...]:
        """The attention of one kind at every snapshot. Raises SelectionError if the model has none of that kind."""
        return tuple(moment.recording.of(kind) for moment in self.moments)

    def habits(self, kind: Kind, *, unseen: bool = False) -> tuple[Habit, ...]:
        """The habits that were measured for a kind of attention; none for cross attention, which has no neighbours."""
        shares = self.run.unseen[-1:] if unseen else self.last.shares
        return next((entry.habits for entry in shares if entry.kind == kind), ())

    def shares(self, kind: Kind, habit: Habit, *, unseen: bool = False) -> Array:
        """The shares of a habit [n_snapshots, n_layers, n_heads], in this sentence or in the unseen text of the run.

        Raises SelectionError if that habit was not measured.
        """
        if habit not in self.habits(kind, unseen=unseen):
            raise SelectionError(f"{habit!r} was not measured for {kind} attention.")
        entries: Sequence[HabitShares]
        if unseen:
            entries = self.run.unseen
        else:
            entries = [next(entry for entry in moment.shares if entry.kind == kind) for moment in self.moments]
        stacked: Array = np.stack([entry.values[entry.habits.index(habit)] for entry in entries])
        return stacked


def history_of(run: Run, moments: Sequence[Moment | None]) -> History:
    """The history of the snapshots that could be opened; None stands for one that could not, and the note counts them.

    Raises RecordError if none could be.
    """
    kept = [at for at, moment in enumerate(moments) if moment is not None]
    if len(kept) < len(run.snapshots):
        note = f"{len(run.snapshots) - len(kept)} of {len(run.snapshots)} snapshots cannot be opened: left out."
        run = replace(
            run,
            snapshots=tuple(run.snapshots[at] for at in kept),
            unseen=tuple(run.unseen[at] for at in kept) if run.unseen else (),
            note=f"{run.note} {note}".strip(),
        )
    return History(run=run, moments=tuple(moment for moment in moments if moment is not None))


@dataclass(frozen=True, slots=True, kw_only=True)
class Turn:
    """A head that takes a habit up, or gives it up, between two snapshots: `start` and `end` count the snapshots.

    See `models.analysis.turns` for what counts as one.
    """

    kind: Kind
    layer: int
    head: int
    habit: Habit
    is_towards: bool
    start: int
    end: int
    start_step: int
    end_step: int
    start_share: float
    end_share: float

    @property
    def name(self) -> str:
        """The head: "Layer 0 · Head 2"."""
        return f"{_KIND_PREFIXES[self.kind]}Layer {self.layer} · Head {self.head}"

    @property
    def sentence(self) -> str:
        """ "Layer 0 · Head 2 turns to the previous token between step 214 and step 359: 0.11 → 0.62." """
        verb = "turns to" if self.is_towards else "turns away from"
        return (
            f"{self.name} {verb} {HABIT_NAMES[self.habit]} between step {self.start_step:,} and step "
            f"{self.end_step:,}: {self.start_share:.2f} → {self.end_share:.2f}."
        )
