"""Everyday sentences in English and Korean, made by rule: what few collected pairs cannot show often enough.

    from recipes.sentences.korean import everyday_pairs
    for english, korean in itertools.islice(everyday_pairs(seed=0), 5): print(english, korean)

The words are those that learners write about: themselves, Tom and Mary, what they do, want, know and think. Statements
are in 해체 or 해라체, as people mix them in such collections; requests with "please" are polite. No sentence is taken
from anywhere.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

import numpy as np

from recipes.sentences.korean.clauses import ClauseDrawer
from recipes.sentences.korean.english import CONTRACTED
from recipes.sentences.korean.frames import FRAMES

CONTRACTS = 0.85
"""How often what can be contracted is."""
_LONG = re.compile(rf"\b({'|'.join(sorted(CONTRACTED, key=len, reverse=True))})\b")


def everyday_pairs(seed: int) -> Iterator[tuple[str, str]]:
    """(English, Korean) without end; a pair may come again."""
    draw = ClauseDrawer(np.random.default_rng(seed))
    frames, weights = list(FRAMES), np.array(list(FRAMES.values()))
    while True:
        frame = frames[int(draw.random.choice(len(frames), p=weights / weights.sum()))]
        english, korean, mark = frame(draw)
        if draw.chance(CONTRACTS):
            english = _LONG.sub(lambda found: CONTRACTED[found.group()], english)
        english, korean = (f"{text}{mark}" for text in (english, korean))
        yield english[0].upper() + english[1:], korean
