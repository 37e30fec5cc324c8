"""Heads made by hand: whole numbers reach every goal, zeros none, and no first layer can copy what came after."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest

from models.inspection.by_hand.goals import (
    GOALS,
    HIDDEN,
    MOST,
    N_LAYERS,
    TOO_MUCH_FOR_ONE_LAYER,
    Goal,
    check_heads,
    find_mistake,
    letters_head,
    solve,
    targets_of,
)
from models.inspection.by_hand.heads import (
    D_HEAD,
    LARGEST,
    LETTERS,
    MOST_LETTERS,
    HandHead,
    embed_letters,
    letters_of,
    rows_of_layer,
    run_heads,
    zero_head,
)
from models.inspection.by_hand.least_squares import fit_heads
from tests.closeness import assert_close

SHORT_WORDS = tuple("".join(letters) for n in (2, 3, 4) for letters in product(LETTERS, repeat=n))


def zeros(goal: Goal) -> tuple[HandHead, ...]:
    return tuple(zero_head(layer) for layer in range(N_LAYERS[goal]))


def random_head(seed: int, layer: int = 0) -> HandHead:
    generator = np.random.default_rng(seed)
    numbers = generator.normal(scale=3, size=(3, rows_of_layer(layer), D_HEAD)).astype(np.float32)
    return HandHead(query=numbers[0], key=numbers[1], value=numbers[2])


@pytest.mark.parametrize("goal", GOALS)
def test_a_solution_of_whole_numbers_reaches_all_hidden_words_and_zeros_none(goal: Goal) -> None:
    solution = solve(goal)
    assert len(solution) == N_LAYERS[goal]
    for head in solution:
        for matrix in (head.query, head.key, head.value):
            assert np.array_equal(matrix, np.round(matrix))
            assert abs(matrix).max() <= LARGEST
    assert check_heads(goal, solution).n_right == len(HIDDEN[goal])
    assert check_heads(goal, zeros(goal)).n_right == 0


@pytest.mark.parametrize("goal", GOALS)
def test_a_solution_does_not_stop_at_the_hidden_words(goal: Goal) -> None:
    assert [word for word in (*SHORT_WORDS, "ABCDABC", "DDDDDDD") if find_mistake(goal, solve(goal), word)] == []


@pytest.mark.parametrize("goal", GOALS)
def test_every_hidden_word_asks_something_and_fits(goal: Goal) -> None:
    assert len(set(HIDDEN[goal])) == len(HIDDEN[goal])
    for word in HIDDEN[goal]:
        assert len(word) <= MOST_LETTERS
        assert targets_of(goal, letters_of(word))


def test_the_goals_name_the_positions_that_a_person_would() -> None:
    word = letters_of("ABCAB")
    assert targets_of("previous", word) == {1: (0,), 2: (1,), 3: (2,), 4: (3,), 5: (4,)}
    assert targets_of("same", word) == {4: (1,), 5: (2,)}
    assert targets_of("copy", word) == {4: (2,), 5: (3,)}


def test_weights_and_output_are_those_of_the_record() -> None:
    run = run_heads((random_head(1), random_head(2, layer=1)), letters_of("CABBA"))
    for layer in range(2):
        weights = run.record.weights(layer, 0)
        assert_close(run.weights[layer], weights)
        assert_close(weights.sum(axis=1), np.ones(6, np.float32))
        assert_close(run.output[layer], run.record.head_output(layer, 0))
    assert np.array_equal(run.read[1], np.concatenate((run.read[0], run.output[0]), axis=1))


def test_a_first_layer_cannot_copy_what_came_after() -> None:
    """The query and the two keys that compete are the same vectors in both words, so every function of a query and a
    key prefers the same one; the goal prefers another one in each."""
    one, other = map(letters_of, TOO_MUCH_FOR_ONE_LAYER)
    for place in (2, 4, 5):
        mine, theirs = (embed_letters(word)[place] for word in (one, other))
        assert np.array_equal(mine, theirs)
    assert (targets_of("copy", one)[5], targets_of("copy", other)[5]) == ((2,), (4,))
    for seed in range(200):
        head = random_head(seed)
        scores = [run_heads((head,), word).record.scores(0, 0)[5, [2, 4]] for word in (one, other)]
        assert_close(scores[0], scores[1])
        assert any(find_mistake("copy", (head,), word) for word in TOO_MUCH_FOR_ONE_LAYER)


def test_the_second_layer_needs_the_first() -> None:
    first, second = solve("copy")
    assert check_heads("copy", (zero_head(0), second)).n_right == 0
    assert check_heads("copy", (first, zero_head(1))).n_right == 0


def test_a_letter_that_may_look_at_itself_shares_its_weight() -> None:
    """Four dimensions of letters alone give a token and its earlier twin the same score: half is not more than half."""
    mistake = find_mistake("same", (letters_head(LARGEST),), "AA")
    assert mistake is not None
    assert (mistake.query, mistake.looked_at, mistake.expected) == (2, 2, (1,))
    assert mistake.share <= MOST


def test_a_head_that_looks_right_and_hands_on_the_wrong_letter_is_wrong() -> None:
    (head,) = solve("previous")
    swapped = HandHead(query=head.query, key=head.key, value=np.roll(head.value, 1, axis=1))
    verdict = check_heads("previous", (swapped,))
    assert verdict.n_right == 0
    assert all(mistake.is_output for mistake in verdict.mistakes)
    silent = HandHead(query=head.query, key=head.key, value=np.zeros_like(head.value))
    assert check_heads("previous", (silent,)).n_right == 0


@pytest.mark.parametrize("goal", GOALS)
def test_least_squares_beats_zeros_and_never_the_solution(goal: Goal) -> None:
    fitted = fit_heads(goal)
    assert [head.query.shape for head in fitted] == [(rows_of_layer(layer), D_HEAD) for layer in range(N_LAYERS[goal])]
    assert 0 < check_heads(goal, fitted).n_right <= check_heads(goal, solve(goal)).n_right


def test_least_squares_find_what_stands_in_the_vectors_and_not_more() -> None:
    assert check_heads("copy", fit_heads("copy")).n_right > check_heads("copy", fit_heads("copy", n_layers=1)).n_right
    assert_close(fit_heads("previous")[0].value[: len(LETTERS)], np.eye(D_HEAD, dtype=np.float32))
