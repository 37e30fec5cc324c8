"""One sentence in two models, one bidirectional and one causal: the rows that they share.

BERT's attention is bidirectional (Devlin et al. 2018, "BERT", section 3 and figure 3), GPT's causal: a mask hides the
future (Radford et al. 2018, "Improving Language Understanding by Generative Pre-Training", section 3.1; the mask:
Vaswani et al. 2017, section 3.2.3). Of n² cells of a head, n (n + 1) / 2 are left.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from models.values.record import AttentionRecord, Token
from models.values.wording import to_say
from viz.attention.transform import select
from viz.kit.language import tr
from viz.kit.tokens import token_texts

SIGHT = (to_say("sees both sides"), to_say("sees the left only"))
BOTH, LEFT = 0, 1
"""Index of a model: the bidirectional one comes first, everywhere."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelHead:
    """A head of a model that has read the sentence; `head` None is the mean over the heads. `name` is plain text."""

    name: str
    record: AttentionRecord
    layer: int
    head: int | None


@dataclass(frozen=True, slots=True, kw_only=True)
class SharedRow:
    """A token of the sentence, and its position in the bidirectional model and in the causal one; None for a special
    token that only the other model has."""

    token: Token
    positions: tuple[int | None, int | None]


def align_rows(both: Sequence[Token], left: Sequence[Token]) -> tuple[SharedRow, ...] | None:
    """Return the rows that two models share if they cut the sentence alike, special tokens apart; else None.

    A text that one of them has cut short may end earlier there.
    """
    rows: list[SharedRow] = []
    first = second = 0
    while first < len(both) and second < len(left):
        one, other = both[first], left[second]
        if (one.text, one.is_special) == (other.text, other.is_special):
            rows.append(SharedRow(token=one, positions=(first, second)))
            first, second = first + 1, second + 1
        elif one.is_special:
            rows.append(SharedRow(token=one, positions=(first, None)))
            first += 1
        elif other.is_special:
            rows.append(SharedRow(token=other, positions=(None, second)))
            second += 1
        else:
            return None
    rows += [SharedRow(token=both[place], positions=(place, None)) for place in range(first, len(both))]
    rows += [SharedRow(token=left[place], positions=(None, place)) for place in range(second, len(left))]
    return tuple(rows)


def short_name(name: str) -> str:
    """Return the last part of the name of a model: "bert-base-uncased" of "google-bert/bert-base-uncased"."""
    return name.rstrip("/\\").replace("\\", "/").rpartition("/")[2] or name


def visible_cells(model: ModelHead) -> int:
    """Return how many cells of its map a model may look at: n² without a mask, n (n + 1) / 2 with a causal one."""
    return int((~select(model.record, layer=model.layer, head=model.head).masked).sum())


def cells_sentence(model: ModelHead) -> str:
    """Return a sentence such as "mini-gpt may look at 120 of 225 cells, n (n + 1) / 2 with n = 15"."""
    n_query, n_key = model.record.n_query, model.record.n_key
    seen, cells = visible_cells(model), n_query * n_key
    counted = {"model": short_name(model.name), "seen": f"{seen:,}", "all": f"{cells:,}"}
    if n_query == n_key > 1 and seen == n_key * (n_key + 1) // 2:
        return tr("{model} can look at {seen} of {all} cells, n (n + 1) / 2 with n = {n}.", n=n_key, **counted)
    if n_query == n_key > 1 and seen == cells:
        return tr("{model} can look at {seen} of {all} cells, n² with n = {n}.", n=n_key, **counted)
    return tr("{model} can look at {seen} of {all} cells.", **counted)


def guessing_row(which: int, position: int | None) -> int | None:
    """Return the row of the attention from which a model guesses the token at a position; None if no token precedes it.

    From both sides it is the token's own row, where a mask then stands (Devlin et al. 2018, section 3.1); from the left
    that of the token before, whose output is the distribution of the next one (Radford et al. 2018, equation 1).
    """
    if position is None or which == BOTH:
        return position
    return position - 1 if position else None


def frame_notes(models: tuple[ModelHead, ModelHead], token: tuple[int | None, int | None]) -> list[str]:
    """Return notes on why the two frames are not at the same token."""
    named = [
        token_texts(model.record.query_tokens)[position]
        for model, position in zip(models, token, strict=True)
        if position is not None
    ]
    if not named:
        return []
    frame = {"token": named[0], "both": short_name(models[BOTH].name), "left": short_name(models[LEFT].name)}
    if token[LEFT] is None:
        return [
            tr(
                "Frame: the row from which “{token}” is guessed, its own in {both}, with a mask in its place.",
                token=frame["token"],
                both=frame["both"],
            )
        ]
    has_guess = guessing_row(LEFT, token[LEFT]) is not None
    if token[BOTH] is None and has_guess:
        said = tr("Frame: the row from which “{token}” is guessed, the one before it in {left}.", **frame)
    elif token[BOTH] is None:
        said = tr(
            "Frame: the row from which “{token}” is guessed, none in {left}, because nothing comes before it.", **frame
        )
    elif has_guess:
        said = tr(
            "Frame: the row from which “{token}” is guessed, its own in {both}, with a mask in its place; the one "
            "before it in {left}.",
            **frame,
        )
    else:
        said = tr(
            "Frame: the row from which “{token}” is guessed, its own in {both}, with a mask in its place; none in "
            "{left}, because nothing comes before it.",
            **frame,
        )
    return [said]
