"""The goals of a head made by hand: three of them, ten hidden words for each, a check, and a solution.

"Copy" is induction: find the letter earlier, look at the one after it (Olsson et al. 2022, "In-context Learning and
Induction Heads"). No first layer can do it, whatever its scores: TOO_MUCH_FOR_ONE_LAYER says why.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, get_args

import numpy as np

from models.inspection.by_hand.heads import (
    D_FIRST,
    D_HEAD,
    LETTERS,
    HandHead,
    HandRun,
    letters_of,
    rows_of_layer,
    run_heads,
)
from models.values.record import Array

Goal = Literal["previous", "same", "copy"]
GOALS: tuple[Goal, ...] = get_args(Goal)
N_LAYERS: Mapping[Goal, int] = {"previous": 1, "same": 1, "copy": 2}
MOST = 0.5
"""More than this share of a row has to be at the tokens that the goal names."""
TOO_MUCH_FOR_ONE_LAYER = ("ABDCA", "DBACA")
"""The last A has to look at B, at place 2, in the one and at C, at place 4, in the other. Both stand at the same places
in both words, and so does that A: a score of a first layer, made of two vectors, is the same in both."""
HIDDEN: Mapping[Goal, tuple[str, ...]] = {
    "previous": ("AB", "BAC", "DDA", "CABD", "ABAB", "BCDAC", "DACBA", "CCABDD", "ADBCAB", "BDACBDA"),
    "same": ("AA", "ABA", "BCB", "DDA", "CABC", "ABCDA", "BACAB", "DCBADC", "CABBDC", "ADBCDAB"),
    "copy": (*TOO_MUCH_FOR_ONE_LAYER, "ABA", "BCAB", "CDCD", "DABD", "CADBC", "BDACBD", "DBCADB", "ACDBACD"),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Mistake:
    """The first letter of a hidden word at which a head fails: it looks most at `looked_at`, with the weight `most`;
    the goal names `expected`, which get `share` together. `is_output` says that only the letter that it hands on is
    wrong."""

    word: str
    query: int
    looked_at: int
    most: float
    expected: tuple[int, ...]
    share: float
    is_output: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Verdict:
    """The number of hidden words on which heads are right, and their mistakes in the others."""

    n_right: int
    n_words: int
    mistakes: tuple[Mistake, ...]


def targets_of(goal: Goal, letters: Sequence[int]) -> dict[int, tuple[int, ...]]:
    """Return the positions at which each position has to look, the start token being 0; of those that have any."""
    places = range(1, len(letters) + 1)
    wanted = {
        place: tuple(
            key
            for key in range(place + 1)
            if (goal == "previous" and key == place - 1)
            or (goal == "same" and 0 < key < place and letters[key - 1] == letters[place - 1])
            or (goal == "copy" and key > 1 and letters[key - 2] == letters[place - 1])
        )
        for place in places
    }
    return {place: keys for place, keys in wanted.items() if keys}


def check_heads(goal: Goal, heads: Sequence[HandHead]) -> Verdict:
    """Let heads read the hidden words of a goal. A word is right if every letter that has something to find looks at it
    with more than half of its weight, and its largest output is the letter there."""
    found = [find_mistake(goal, heads, word) for word in HIDDEN[goal]]
    mistakes = tuple(mistake for mistake in found if mistake is not None)
    return Verdict(n_right=len(found) - len(mistakes), n_words=len(found), mistakes=mistakes)


def find_mistake(goal: Goal, heads: Sequence[HandHead], word: str) -> Mistake | None:
    """Return the first mistake of the last head in a word; None if there is none."""
    letters = letters_of(word)
    run = run_heads(heads, letters)
    for query, keys in targets_of(goal, letters).items():
        share = float(run.weights[-1, query, list(keys)].sum())
        named = {letters[key - 1] for key in keys if key}
        is_output = share > MOST and bool(named) and strongest_letter(run, query) not in named
        if share <= MOST or is_output:
            looked_at = _strongest(run.weights[-1, query, : query + 1], keys)
            return Mistake(
                word=word,
                query=query,
                looked_at=looked_at,
                most=float(run.weights[-1, query, looked_at]),
                expected=keys,
                share=share,
                is_output=is_output,
            )
    return None


def strongest_letter(run: HandRun, query: int) -> int | None:
    """Return the number of the letter with the largest output of the last head; None if no one is above the others."""
    output = run.output[-1, query]
    best = int(output.argmax())
    return best if (output < output[best]).sum() == len(LETTERS) - 1 else None


def _strongest(row: Array, expected: Sequence[int]) -> int:
    """Return the position with the largest weight; of equal ones, one that is not expected."""
    return max(range(len(row)), key=lambda key: (float(np.round(row[key], 6)), key not in expected))


# -- solutions --------------------------------------------------------------------------------------------------------


def solve(goal: Goal) -> tuple[HandHead, ...]:
    """Return heads of whole numbers that reach a goal on every word."""
    if goal == "previous":
        return (previous_head(4),)
    if goal == "same":
        return (_same_letter_head(letter=5, place=3),)
    return (previous_head(4), _after_letter_head(6))


def previous_head(strength: int) -> HandHead:
    """Return a head that looks at the token before: its query is the place turned back by an eighth of the circle."""
    query, key, value = _matrices(0)
    query[-2:, :2] = strength * np.array([[1, -1], [1, 1]])  # cos + sin, sin - cos: √2 times the place before
    key[-2:, :2] = strength * np.eye(2)
    return HandHead(query=query, key=key, value=value)


def letters_head(strength: int) -> HandHead:
    """Return a head that looks at the same letter, itself among them, with a column for each letter."""
    query, key, value = _matrices(0)
    query[: len(LETTERS)] = key[: len(LETTERS)] = strength * np.eye(D_HEAD)
    return HandHead(query=query, key=key, value=value)


def _same_letter_head(*, letter: int, place: int) -> HandHead:
    """Return a head that looks at the same letter, by a compass of four directions, and by a minus not at itself."""
    query, key, value = _matrices(0)
    query[: len(LETTERS), :2] = key[: len(LETTERS), :2] = letter * np.array([[1, 0], [0, 1], [-1, 0], [0, -1]])
    query[-2:, 2:] = -place * np.eye(2)
    key[-2:, 2:] = place * np.eye(2)
    return HandHead(query=query, key=key, value=value)


def _after_letter_head(strength: int) -> HandHead:
    """Return a head of the second layer: its query is the letter, its key the letter before, which layer 0 wrote."""
    query, key, value = _matrices(1)
    query[: len(LETTERS)] = key[D_FIRST:] = strength * np.eye(D_HEAD)
    return HandHead(query=query, key=key, value=value)


def _matrices(layer: int) -> tuple[Array, Array, Array]:
    """Return W_Q and W_K of zeros, and a W_V that hands on the letter."""
    query, key, value = (np.zeros((rows_of_layer(layer), D_HEAD), np.float32) for _ in range(3))
    value[: len(LETTERS)] = np.eye(D_HEAD)
    return query, key, value
