"""Questions to a class, about the head on show or from a lesson, with the model's answer."""

from __future__ import annotations

import secrets
import time
from collections.abc import Sequence
from decimal import Decimal

import numpy as np

from lessons import Fact, Outcome
from lessons.places import number_repeats
from lessons.values import end_of_line
from lessons.verdicts import number_choices
from models.values.record import Array, AttentionRecord, Recording, Token
from models.values.wording import Message, to_say, worded
from ui.class_room.messages import chosen, is_drawn_here, recording_name
from ui.desk.ask import OPEN_MODELS, place_of, taking_turns
from ui.desk.cache import Kept
from ui.shared.room_values import RoomError, RoomQuestion, SharedView, Wordings
from viz.kit.parsing import MEAN
from viz.kit.tokens import token_texts

MOST_TOKENS = 80
"""The most tokens of a question: more do not fit on a phone."""
MOST_OWN_OPTIONS = 12
"""The most options of a question of the teacher's own."""
TIMES: dict[int, str] = {
    0: to_say("no time limit"),
    15: to_say("15 s"),
    30: to_say("30 s"),
    60: to_say("1 min"),
    120: to_say("2 min"),
}
"""The time limits of a question, in seconds."""
_RECORDINGS: Kept[str, Recording] = Kept("recordings of rooms")


def recording_of(view: SharedView) -> Recording:
    """Record the teacher's sentence with the teacher's model, once in this process. Raises the errors of opening a
    model, and TextError."""
    choices = chosen(view)
    where = place_of(choices["model"], choices["device"])

    def compute() -> Recording:
        model = OPEN_MODELS.ask(*where).result()
        return taking_turns(model).record(choices["text"], choices["text_b"] or None)

    return _RECORDINGS.get(recording_name(view), compute)


def about_a_token(view: SharedView, position: int, *, looks_at: bool, seconds: float) -> RoomQuestion:
    """Ask which token this one attends to most, or which one attends to it most, in the head on show.

    Raises RoomError for a position out of range and for texts that are too long, and the errors of `recording_of`.
    """
    choices, record = chosen(view), _shown_record(view)
    asked_of, answered_with = (record.query_tokens, record.key_tokens)[:: 1 if looks_at else -1]
    if not 0 <= position < len(asked_of) or len(answered_with) > MOST_TOKENS:
        too_long = worded("A class is asked about one of at most {n} tokens. Show a shorter sentence.", n=MOST_TOKENS)
        raise RoomError(too_long)
    weights, head = _weights(record, choices["layer"], choices["head"])
    numbers = weights[position] if looks_at else weights[:, position]
    options, token = _names(answered_with), _names(asked_of)[position]
    best, share = options[int(numbers.argmax())], f"{100 * float(numbers.max()):.0f}%"
    text = (
        worded("Which token does “{token}” look at most?", token=token)
        if looks_at
        else worded("Which token looks at “{token}” most?", token=token)
    )
    query, key = (token, best) if looks_at else (best, token)
    says = worded(
        "{head}: “{query}” gives {share} of its attention to “{key}”.", head=head, query=query, share=share, key=key
    )
    return RoomQuestion(
        id=secrets.token_hex(6),
        kind="token",
        text=text,
        options=options,
        says=says,
        right=tuple(np.flatnonzero(numbers == numbers.max()).tolist()),
        values=tuple(map(float, numbers)),
        row=position if looks_at else None,
        ends=_end(seconds),
    )


def show_of_hands() -> RoomQuestion:
    """Return a show of hands."""
    return RoomQuestion(id=secrets.token_hex(6), kind="hands", text=worded("Raise your hand."), options=())


def question_of_outcome(
    text: str, kind: str, outcome: Outcome, *, says: str, wordings: Wordings | None = None, seconds: float = 0.0
) -> RoomQuestion:
    """Return the question of a lesson with the model's answer. A number is one of some that are offered."""
    options, right = outcome.options, outcome.right
    if not options:
        offered, true = number_choices(outcome)
        options, right, kind = tuple(offered), frozenset({true}), "choice"
    return RoomQuestion(
        id=secrets.token_hex(6),
        kind=kind,
        text=text,
        options=options,
        right=tuple(sorted(right)),
        says=says,
        wordings=wordings or {},
        ends=_end(seconds),
    )


def own_question(
    text: str, options: Sequence[str], right: int | None, *, seconds: float, kind: str = "choice"
) -> RoomQuestion:
    """Return a question of the teacher's own, with one right option or none. Raises RoomError."""
    most = MOST_TOKENS if kind == "token" else MOST_OWN_OPTIONS
    if not text.strip() or not 1 < len(options) <= most:
        raise RoomError(worded("Write a question, and 2 to {most} answers, one a line.", most=most))
    says = "" if right is None else worded("The answer is “{answer}”.", answer=options[right])
    return RoomQuestion(
        id=secrets.token_hex(6),
        kind=kind,
        text=text.strip(),
        options=tuple(options),
        right=() if right is None else (right,),
        says=says,
        ends=_end(seconds),
    )


def asked_sentence(text: str, *, seconds: float) -> RoomQuestion:
    """Return a question that students answer by a sentence, which only the teacher reads. Raises RoomError."""
    if not text.strip():
        raise RoomError(worded("Write a question."))
    return RoomQuestion(id=secrets.token_hex(6), kind="sentence", text=text.strip(), options=(), ends=_end(seconds))


def tokens_on_show(view: SharedView) -> list[str]:
    """Return the tokens of the sentence on show. Raises RoomError for none, and the errors of `recording_of`."""
    if not is_drawn_here(view):
        raise RoomError(
            worded("Show a sentence on the page Attention or on Home: the class is asked about its tokens.")
        )
    return list(_names(_shown_record(view).query_tokens))


def _names(tokens: Sequence[Token]) -> tuple[str, ...]:
    """Return names of tokens that tell equal ones apart."""
    return number_repeats(token_texts(tokens))


def number_options(number: float) -> tuple[list[str], int]:
    """Return numbers to choose from, and the place of a number among them, which follows from the number. All have the
    decimals that it has."""
    exact = Decimal(repr(number)).normalize()
    n_decimals = max(0, -int(exact.as_tuple().exponent))
    whole = float(exact.scaleb(n_decimals))
    end = end_of_line(abs(whole))
    facts = (("number", Fact(value=whole, written=f"{whole:g}")),)
    outcome = Outcome(facts=facts, number=whole, low=-end if whole < 0 else 0.0, high=end)
    offered, right = number_choices(outcome)
    return [_with_decimals(written, n_decimals) for written in offered], right


def _with_decimals(written: str, n_decimals: int) -> str:
    """Move the point of a whole number, as it is written, to the left."""
    whole = Decimal(written.replace(",", "").replace("−", "-"))
    return f"{whole.scaleb(-n_decimals):,.{n_decimals}f}".replace("-", "−")


def _shown_record(view: SharedView) -> AttentionRecord:
    """Return the record of the kind of attention on show."""
    kind, recording = chosen(view)["kind"], recording_of(view)
    return recording.of(kind if kind in recording.kinds else recording.kinds[0])


def _weights(record: AttentionRecord, layer: int, head: int | str) -> tuple[Array, Message]:
    """Return the weights [n_query, n_key] of the head on show, and its name."""
    layer = min(layer, record.n_layers - 1)
    if head == MEAN:
        return record.mean_weights(layer), worded("Layer {layer} · mean of the heads", layer=layer)
    head_index = min(int(head), record.n_heads - 1)
    return record.weights(layer, head_index), worded("Layer {layer} · Head {head}", layer=layer, head=head_index)


def _end(seconds: float) -> float:
    return time.time() + seconds if seconds else 0.0
