"""What the tests of models share: random models write little."""

from __future__ import annotations

import pytest

from models.tasks.writing import Prompt, WritingModel
from tests.models.huggingface.families import D_VOCAB

MOST_OF_A_RANDOM_MODEL = 12
"""Tokens. A model with random weights hardly ever ends what it writes."""


@pytest.fixture(autouse=True)
def short_texts_of_random_models(monkeypatch: pytest.MonkeyPatch) -> None:
    """Cut what a tiny model writes. Those with a real vocabulary write as always; what is cut already is left so."""
    room = WritingModel._room

    def little(model: WritingModel[object], prompt: Prompt[object], wanted: int) -> int:
        found = room(model, prompt, wanted)
        is_tiny = len(model.vocabulary) <= D_VOCAB + 10  # some families add a few tokens of their own
        return min(found, MOST_OF_A_RANDOM_MODEL) if is_tiny and found == wanted else found

    monkeypatch.setattr(WritingModel, "_room", little)
