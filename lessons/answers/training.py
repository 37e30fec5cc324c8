"""Questions about how a model learned: its loss at a snapshot of its training, and when a head forms.

They are asked of a model that has snapshots beside it, as tiny-bert has.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import lru_cache
from pathlib import Path

from lessons.answers.attention import MEASURES, record_text
from lessons.kinds import LessonQuestion
from lessons.parameters import HEAD, TEXT, OneOf, Parameter, WholeNumber, a_text
from lessons.places import head_by_name
from lessons.values import Ask, Outcome, count, end_of_line, number, phrase, share, word
from models.model import Model
from models.opening.folders import load_folder
from models.opening.relatives import snapshots_folder
from models.training.snapshots.over_time import CROSS_PLACES, MOST_SNAPSHOTS, read_with, snapshots_of
from models.values.errors import SelectionError
from models.values.history import ATTENDS, History, RunSnapshot, Trajectory, history_of
from models.values.wording import Message, to_say, worded

NEVER = to_say("never")
LAST_ITERATION = 99_999
ITERATION = Parameter(
    name="iteration",
    about=to_say("the iteration of a snapshot, 0 before the training began"),
    read=WholeNumber(0, LAST_ITERATION),
)
OVER_TIME = MEASURES | {measure.name: measure.title for measure in CROSS_PLACES}
"""The habits that a head can acquire in a training: in a text, or in the cross-attention of a translator, by name."""
MEASURE = Parameter(name="measure", about=to_say("what the head comes to do"), read=OneOf(OVER_TIME))
EXPECTED = Parameter(
    name="expected",
    about=to_say("what would be right; without it the text itself, as a copy"),
    read=a_text,
    is_required=False,
)


def loss_at(model: Model, ask: Ask) -> Outcome:
    """Return among how many tokens a snapshot might as well draw lots: the exponential of its loss (perplexity)."""
    snapshots = _trajectory_of(model).snapshots
    snapshot = _find_snapshot(model, snapshots, int(ask.text("iteration")))
    upto = [(before, before.loss) for before in snapshots if before.iteration <= snapshot.iteration]
    bars = [(_name_of(before), math.exp(loss)) for before, loss in upto if loss is not None]
    if snapshot.loss is None:
        raise SelectionError(worded("The loss of {model} was not measured.", model=model.info.name))
    candidates = math.exp(snapshot.loss)
    facts = (
        ("number", count(candidates)),
        ("loss", number(snapshot.loss)),
        ("right", share(snapshot.accuracy or 0.0)),
        ("tokens", count(snapshot.tokens or 0)),
        ("iteration", count(snapshot.iteration)),
        ("vocabulary", count(model.info.d_vocab)),
    )
    return Outcome(
        facts=facts,
        number=candidates,
        low=1,
        high=end_of_line(candidates),
        bars=tuple((name, count(value)) for name, value in bars),
    )


def begins_at(model: Model, ask: Ask) -> Outcome:
    """Find the first snapshot at which a head gives half of its attention to what it comes to do."""
    place = head_by_name(record_text(model, ask), ask.text("head"))
    history = read_over_training(model, ask.text("text"))
    shares = history.shares(place.record.kind, ask.text("measure"))[:, place.layer, place.head].tolist()
    names = tuple(f"{iteration:,}" for iteration in history.iterations)
    begun = first_that_attends(shares)
    at = len(shares) - 1 if begun is None else begun
    facts = (
        ("answer", phrase(NEVER) if begun is None else word(names[at])),
        ("head", phrase(place.name)),
        ("does", phrase(OVER_TIME[ask.text("measure")])),
        ("share", share(shares[at])),
        ("before", share(shares[max(0, at - 1)])),
        ("before_iteration", word(names[max(0, at - 1)])),
        ("first", share(shares[0])),
        ("last", share(shares[-1])),
        ("end", word(names[-1])),
    )
    return Outcome(
        facts=facts,
        options=(*names, NEVER),
        right=frozenset({len(names) if begun is None else at}),
        kind=place.record.kind,
        layer=place.layer,
        head=place.head,
        bars=tuple((_name_of(each), share(value)) for each, value in zip(history.snapshots, shares, strict=True)),
    )


def written_right(model: Model, ask: Ask) -> Outcome:
    """Count the words that a model writes right for a text, each at its place."""
    expected = (ask.text("expected") or ask.text("text")).split()
    written = model.translate(ask.text("text")).text
    right = sum(one == other for one, other in zip(written.split(), expected, strict=False))
    facts = (
        ("right", count(right)),
        ("all", count(len(expected))),
        ("written", word(written)),
        ("expected", word(" ".join(expected))),
    )
    return Outcome(facts=facts, number=right, low=0, high=len(expected))


def first_that_attends(shares: Sequence[float]) -> int | None:
    """Return the index of the first snapshot at which a head gives at least half of its attention; None without any."""
    return next((at for at, value in enumerate(shares) if value >= ATTENDS), None)


def read_over_training(model: Model, text: str) -> History:
    """Return a text as every snapshot of a model's training reads it. Raises SelectionError if there are none.

    The decoders of a translator read what the last snapshot has written, so that their maps can be compared.
    """
    return _read(str(_folder_of(model)), text)


@lru_cache(maxsize=8)
def _read(folder: str, text: str) -> History:
    """Read a text with all snapshots, cached, as the picture shows what was asked."""
    trajectory = snapshots_of(Path(folder))
    models = [_open(each.folder) for each in trajectory.snapshots]
    last = read_with(models[-1], text)
    return history_of(trajectory, [*(read_with(model, text, last.written) for model in models[:-1]), last])


@lru_cache(maxsize=MOST_SNAPSHOTS)
def _open(folder: str) -> Model:
    """Open a snapshot, cached: to open ten takes seconds, to read a sentence with them does not."""
    return load_folder(Path(folder), name=Path(folder).name, device="cpu")


def _trajectory_of(model: Model) -> Trajectory:
    return snapshots_of(_folder_of(model))


def _folder_of(model: Model) -> Path:
    folder = snapshots_folder(model.info.name)
    if folder is None:
        raise SelectionError(
            worded("{model} has no snapshots of its training. Ask tiny-bert, which has.", model=model.info.name)
        )
    return folder


def _name_of(snapshot: RunSnapshot) -> Message:
    return worded("iteration {n}", n=f"{snapshot.iteration:,}")


def _find_snapshot(model: Model, snapshots: Sequence[RunSnapshot], iteration: int) -> RunSnapshot:
    found = next((snapshot for snapshot in snapshots if snapshot.iteration == iteration), None)
    if found is None:
        raise SelectionError(
            worded(
                "{model} has no snapshot of iteration {iteration}, only of {known}.",
                model=model.info.name,
                iteration=iteration,
                known=", ".join(str(snapshot.iteration) for snapshot in snapshots),
            )
        )
    return found


KINDS = (
    LessonQuestion(
        name="loss-at",
        tap="number",
        compute=loss_at,
        is_of_text=False,
        about=to_say("Among how many tokens might the model as well draw lots, at a moment of its training?"),
        parameters=(ITERATION,),
        facts={
            "number": to_say("among how many tokens it might as well draw lots: the exponential of the loss"),
            "loss": to_say("the loss on unseen text, in nats"),
            "right": to_say("how often its likeliest word is right"),
            "tokens": to_say("how many tokens it has read"),
            "iteration": to_say("the iteration"),
            "vocabulary": to_say("how many tokens there are to choose from"),
        },
        says=to_say(
            "At iteration {iteration} its loss is {loss}: it might as well draw lots among {number} of {vocabulary} "
            "tokens. Its likeliest word is right {right} of the time."
        ),
    ),
    LessonQuestion(
        name="begins-at",
        tap="choice",
        compute=begins_at,
        about=to_say("At which iteration of the training does a head first do something with half of its attention?"),
        parameters=(TEXT, HEAD, MEASURE),
        facts={
            "answer": to_say("the iteration"),
            "head": to_say("the head, as the pages call it"),
            "does": to_say("what it does"),
            "share": to_say("how much of its attention does it there"),
            "before": to_say("how much did at the snapshot before"),
            "before_iteration": to_say("the iteration of the snapshot before"),
            "first": to_say("how much did before the training"),
            "last": to_say("how much does at the end"),
            "end": to_say("the iteration at the end"),
        },
        says=to_say(
            "{head} gives {first} of its attention to {does} before the training, and {last} at iteration {end}. It "
            "reaches a half at: {answer}."
        ),
    ),
    LessonQuestion(
        name="written-right",
        tap="number",
        compute=written_right,
        about=to_say("How many words of a text does a model that writes write right, each at its place?"),
        parameters=(TEXT, EXPECTED),
        facts={
            "right": to_say("how many words are right"),
            "all": to_say("how many there are to write"),
            "written": to_say("what the model writes"),
            "expected": to_say("what would be right"),
        },
        says=to_say("It writes “{written}”: {right} of {all} are right."),
    ),
)
