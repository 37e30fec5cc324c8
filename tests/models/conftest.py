"""Fixtures for all tests of models."""

from __future__ import annotations

import pytest

from models.tasks import writing
from models.tasks.decoding import Prompt
from models.tasks.local import LocalModel
from tests.models.huggingface.families import D_VOCAB

MOST_OF_A_RANDOM_MODEL = 12
"""The most tokens that a model with random weights writes: it hardly ever predicts the end of a text."""


@pytest.fixture(autouse=True)
def short_texts_of_random_models(monkeypatch: pytest.MonkeyPatch) -> None:
    """Limit how much a tiny model writes, unless it is limited already. Others write as much as they want."""
    room = writing._room

    def little(model: LocalModel, prompt: Prompt[object], wanted: int) -> int:
        found = room(model, prompt, wanted)
        is_tiny = len(model.vocabulary) <= D_VOCAB + 10  # some families add a few tokens of their own
        return min(found, MOST_OF_A_RANDOM_MODEL) if is_tiny and found == wanted else found

    monkeypatch.setattr(writing, "_room", little)
