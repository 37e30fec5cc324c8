"""Questions about positions: what a model sees of the order of the words."""

from __future__ import annotations

import numpy as np

from lessons.answers.states import cosines
from lessons.kinds import LessonQuestion
from lessons.parameters import TEXT, OneOf, Parameter, WholeNumber
from lessons.values import Ask, Outcome, count, number, phrase, share
from models.model import Model
from models.values.errors import SelectionError
from models.values.record import Array, AttentionRecord
from models.values.wording import to_say, worded

SAME, DIFFERENT = EITHER = (to_say("in the same way"), to_say("differently"))
EQUAL = 1e-3
"""Weights that differ by less are the same, as far as float32 goes."""


def other_order(model: Model, ask: Ask) -> Outcome:
    """Return whether two tokens look at each other alike when all tokens have changed places."""
    with_positions = ask.text("positions") != "no"
    pair = model.record_shuffled(ask.text("text"), with_positions=with_positions, seed=0)
    written, shuffled = pair.written.attention[0], pair.shuffled.attention[0]
    most = max(_difference(written, shuffled, pair.order, layer) for layer in range(written.n_layers))
    answer = SAME if most < EQUAL else DIFFERENT
    moved = sum(place != token for place, token in enumerate(pair.order))
    facts = (
        ("answer", phrase(answer)),
        ("difference", share(most)),
        ("moved", count(moved)),
        ("tokens", count(len(pair.order))),
        ("heads", count(written.n_layers * written.n_heads)),
    )
    return Outcome(
        facts=facts, options=EITHER, right=frozenset({EITHER.index(answer)}), kind=written.kind, layer=0, head=0
    )


def _difference(written: AttentionRecord, shuffled: AttentionRecord, order: tuple[int, ...], layer: int) -> float:
    """Return the most by which a weight of a layer differs between the two, token by token."""
    back = np.argsort(order)  # [n_tokens]
    moved = shuffled.layer_weights(layer)[:, back][:, :, back]  # [n_heads, n_tokens, n_tokens]
    return float(np.abs(moved - written.layer_weights(layer)).max())


def nearest_position(model: Model, ask: Ask) -> Outcome:
    """Find the other position with the vector most similar to that of a given one."""
    table = model.positions().table
    position = int(ask.text("position"))
    if table is None or not 0 < position < len(table) - 1:
        raise SelectionError(
            worded("position {n} was asked for, but this model has no table with that position inside.", n=position)
        )
    likeness = cosines(table, position)  # [n_positions]
    others = np.where(np.arange(len(table)) == position, -np.inf, likeness)
    best = int(others.argmax())
    far = min(position + FAR, len(table) - 1)
    facts = (
        ("answer", count(best)),
        ("likeness", number(float(likeness[best]))),
        ("position", count(position)),
        ("far", count(far)),
        ("far_likeness", number(float(likeness[far]))),
        ("distance", count(abs(best - position))),
        ("positions", count(len(table))),
    )
    return Outcome(facts=facts, number=best, low=0, high=min(len(table) - 1, 2 * position + 20))


def turned_likeness(model: Model, ask: Ask) -> Outcome:
    """Compare a vector with itself, turned to a later position as rotary models do (Su et al. 2021), at two places."""
    frequencies = model.positions().frequencies
    if frequencies is None:
        raise SelectionError(
            worded(
                "{model} does not turn queries and keys. Choose a model with rotary positions.", model=model.info.name
            )
        )
    turn = int(ask.text("turn"))
    likeness, later, next_to = (
        _cosine_of_turned(frequencies.astype(np.float64), start, start + by)
        for start, by in ((0, turn), (FAR, turn), (0, 1))
    )
    facts = (
        ("turn", count(turn)),
        ("likeness", number(likeness)),
        ("later", number(later)),
        ("from", count(FAR)),
        ("next", number(next_to)),
        ("pairs", count(len(frequencies))),
    )
    bars = tuple(
        (worded("{n} positions later", n=by), number(_cosine_of_turned(frequencies.astype(np.float64), 0, by)))
        for by in sorted({*DISTANCES, turn})
    )
    return Outcome(facts=facts, number=likeness, low=-1, high=1, bars=bars)


def _cosine_of_turned(frequencies: Array, one: int, other: int) -> float:
    """Return the cosine of a vector of ones, turned to one position, with the same turned to another."""
    turned = [np.exp(1j * position * frequencies) for position in (one, other)]  # two of [d_rotary / 2]
    return float((turned[0].conj() * turned[1]).real.mean())


FAR = 50
DISTANCES = (1, 2, 5, 10, 20, 50, 100)
KINDS = (
    LessonQuestion(
        name="other-order",
        tap="choice",
        compute=other_order,
        about=to_say("Do tokens look at each other alike when they change places?"),
        parameters=(
            TEXT,
            Parameter(
                name="positions",
                about=to_say("whether the model is told the positions: yes or no"),
                read=OneOf({"yes": to_say("yes"), "no": to_say("no")}),
                is_required=False,
            ),
        ),
        facts={
            "answer": to_say("in the same way or differently"),
            "difference": to_say("the most by which a weight differs"),
            "moved": to_say("how many tokens have changed places"),
            "tokens": to_say("how many there are"),
            "heads": to_say("how many heads were compared"),
        },
        says=to_say(
            "{moved} of {tokens} tokens have changed places. Two tokens look at each other {answer}: in all {heads} "
            "heads, the largest difference of a weight is {difference}."
        ),
    ),
    LessonQuestion(
        name="nearest-position",
        tap="number",
        compute=nearest_position,
        is_of_text=False,
        about=to_say("Which other position has the vector that is most like that of one?"),
        parameters=(
            Parameter(name="position", about=to_say("the position, counted from 0"), read=WholeNumber(1, 9999)),
        ),
        facts={
            "answer": to_say("the position with the most similar vector"),
            "likeness": to_say("the cosine of the two"),
            "position": to_say("the position that is asked about"),
            "far": to_say("a position 50 later"),
            "far_likeness": to_say("its cosine with the first"),
            "distance": to_say("how far the answer is from it"),
            "positions": to_say("how many positions the model knows"),
        },
        says=to_say(
            "Position {answer} is most like position {position}: a cosine of {likeness}. That of position {far} is "
            "{far_likeness}."
        ),
    ),
    LessonQuestion(
        name="turned-likeness",
        tap="number",
        compute=turned_likeness,
        is_of_text=False,
        about=to_say("How alike is a vector to itself when it is turned to a later position?"),
        parameters=(Parameter(name="turn", about=to_say("how many positions later"), read=WholeNumber(1, 9999)),),
        facts={
            "turn": to_say("how many positions later"),
            "likeness": to_say("the cosine of the vector at position 0 with itself that much later"),
            "later": to_say("the same, both of them 50 positions later"),
            "from": to_say("that is, how many positions later"),
            "next": to_say("the cosine with itself one position later"),
            "pairs": to_say("how many pairs of numbers are turned"),
        },
        says=to_say(
            "Turned by {turn} positions a vector of equal pairs has a cosine of {likeness} with itself, wherever it "
            "stands: {later} from position {from} on. Turned by one position it has {next}."
        ),
    ),
)
