"""The costs of attention in lessons: the answers beside the models' own numbers."""

from __future__ import annotations

import numpy as np

from tests.closeness import assert_close
from tests.lessons.asking import CAT, KEY, of, value
from tests.loaded import load

OLD_MAN = "The old man sat down in his"


def test_without_a_cache_every_token_is_read_again() -> None:
    outcome = of("tokens-read", "mini-llama", text=OLD_MAN, new="3")
    n_text = load("mini-llama").time_writing(OLD_MAN, n_new=1).n_prompt
    assert outcome.number == n_text + (n_text + 1) + (n_text + 2)
    assert value(outcome, "cached") == n_text + 2


def test_a_token_takes_what_the_cache_grows_by() -> None:
    outcome, times = (
        of("cache-a-token", "mini-llama", text=OLD_MAN),
        load("mini-llama").time_writing(OLD_MAN, n_new=2),
    )
    assert outcome.number == times.cache_bytes[1] - times.cache_bytes[0] == 4 * value(outcome, "numbers")
    assert value(outcome, "tokens") == times.n_prompt


def test_a_public_cache_grows_with_the_text() -> None:
    short, long = (of("cache-of", shape="Llama-3-8B", length=length) for length in ("1", "100"))
    assert_close(long.number, 100 * short.number)
    assert value(short, "sharing") == "groups of heads share a key"


def test_a_row_in_blocks_is_the_row() -> None:
    outcome = of("row-in-blocks", text=CAT, query="sat", head="1.5")
    scores = load("mini-bert").record(CAT).of("encoder").scores(1, 5)[3]
    highest = np.maximum.accumulate([scores[at : at + 4].max() for at in range(0, len(scores), 4)])
    assert outcome.number == int((np.diff(highest) > 0).sum())
    assert_close(value(outcome, "difference"), 0, tolerance=1e-6, magnitude=1)


def test_min_p_keeps_what_is_near_the_likeliest() -> None:
    p = load("mini-bert").answer_logits(KEY).probabilities
    outcome = of("min-p-kept", text=KEY, least="10")
    assert outcome.number == int((p >= 0.1 * p.max()).sum())
    assert_close(value(outcome, "cut"), float(p[p < 0.1 * p.max()].sum()), magnitude=1)
