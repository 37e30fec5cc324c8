"""`load` and `answer` for tests that only read: each model is opened, and each question of a lesson asked, once in a
process."""

from __future__ import annotations

from functools import lru_cache

import models
from lessons import Ask, Outcome, answer_ask
from models.model import Model

MOST = 12
"""Models that are kept at a time: there are fewer embedded ones, and tests add tiny ones of their own."""
load = lru_cache(maxsize=MOST)(models.load)
_ANSWERS: dict[tuple[tuple[str, ...], Ask], Outcome] = {}


def answer(model: Model, ask: Ask) -> Outcome:
    """Return the answer to a question of a lesson."""
    key = model.info.identity, ask
    if key not in _ANSWERS:
        _ANSWERS[key] = answer_ask(model, ask)
    return _ANSWERS[key]
