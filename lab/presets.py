"""Presets of every task: sizes and durations, the quickest first."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache

from lab.blueprint import body_configuration
from lab.recipe import Body, Recipe, TaskName, convert_value
from models.values.wording import to_say

QUICK, SMALL, MEDIUM = to_say("Seconds"), to_say("A minute"), to_say("Several minutes")
BERT_EXERCISE = to_say("Hours")
_COLUMNS = (
    "n_layers",
    "n_heads",
    "d_model",
    "d_ff",
    "n_tokens",
    "d_vocab",
    "iterations",
    "rows",
    "learning_rate",
)
_BERT = (6, 12, 768, 3072, 128, 8000, 1000, 16, 2e-4)
_ON_TEXT: dict[str, tuple[float, ...]] = {
    QUICK: (2, 4, 64, 256, 32, 1500, 200, 24, 5e-3),
    SMALL: (2, 4, 64, 256, 32, 1500, 800, 32, 3e-3),
    MEDIUM: (3, 4, 96, 384, 32, 3000, 2000, 48, 2e-3),
    BERT_EXERCISE: _BERT,
}
_ROWS: dict[TaskName, dict[str, tuple[float, ...]]] = {
    "masked": _ON_TEXT,
    "next": _ON_TEXT,
    "labels": {
        QUICK: (1, 4, 64, 256, 32, 2000, 400, 32, 5e-3),
        SMALL: (1, 4, 64, 256, 32, 2000, 1500, 32, 3e-3),
        MEDIUM: (2, 4, 96, 384, 32, 4000, 2000, 48, 2e-3),
        BERT_EXERCISE: _BERT,
    },
    "words": {
        QUICK: (1, 4, 64, 256, 32, 2000, 300, 32, 5e-3),
        SMALL: (2, 4, 64, 256, 32, 2000, 1200, 32, 3e-3),
        MEDIUM: (3, 4, 96, 384, 64, 4000, 2000, 32, 2e-3),
        BERT_EXERCISE: _BERT,
    },
    "translate": {
        QUICK: (1, 4, 64, 256, 32, 2000, 200, 32, 5e-3),
        SMALL: (1, 4, 96, 384, 32, 3000, 700, 48, 3e-3),
        MEDIUM: (2, 4, 128, 512, 32, 4000, 1200, 48, 2e-3),
        BERT_EXERCISE: _BERT,
    },
    "copy": {
        QUICK: (1, 2, 32, 64, 8, 64, 250, 32, 1e-2),
        SMALL: (1, 4, 64, 128, 16, 64, 800, 48, 5e-3),
        MEDIUM: (2, 4, 96, 384, 24, 64, 1500, 48, 2e-3),
        BERT_EXERCISE: (6, 12, 768, 3072, 32, 64, 1000, 16, 2e-4),
    },
    "reverse": {
        QUICK: (1, 2, 32, 64, 8, 64, 300, 32, 1e-2),
        SMALL: (1, 4, 64, 128, 16, 64, 800, 48, 5e-3),
        MEDIUM: (2, 4, 96, 384, 24, 64, 1500, 48, 2e-3),
        BERT_EXERCISE: (6, 12, 768, 3072, 32, 64, 1000, 16, 2e-4),
    },
}
NEEDS_A_MINUTE: tuple[TaskName, ...] = ("masked", "translate")
"""Tasks that are hardly learned in seconds."""
_ON_BODY: dict[str, tuple[int, int, float]] = {SMALL: (60, 32, 4e-4), MEDIUM: (400, 32, 3e-4)}
"""Iterations, rows and learning rate of a training that starts from an embedded model, whose sizes are given."""
_TOKENS_ON_BODY, _SNAPSHOTS_ON_BODY = 64, 4


def _preset(task: TaskName, row: tuple[float, ...]) -> Recipe:
    return Recipe(task=task, **{name: convert_value(name, number) for name, number in zip(_COLUMNS, row, strict=True)})


PRESETS: dict[TaskName, dict[str, Recipe]] = {
    task: {name: _preset(task, row) for name, row in rows.items()} for task, rows in _ROWS.items()
}
"""Presets of every task that starts from nothing; the last has the size of the original BERT exercise."""


def usual_preset(task: TaskName, body: Body = "") -> str:
    """Return the name of the preset that a task opens with: the shortest that shows that it can be learned."""
    presets = presets_for(task, body)
    return SMALL if task in NEEDS_A_MINUTE else next(iter(presets))


@cache
def presets_for(task: TaskName, body: Body = "") -> Mapping[str, Recipe]:
    """Return the presets of a task, by their names."""
    if not body:
        return PRESETS[task]
    sizes = body_configuration(body)
    return {
        name: Recipe(
            task=task,
            body=body,
            n_layers=sizes.n_layers,
            n_heads=sizes.n_heads,
            d_model=sizes.d_model,
            d_ff=sizes.d_ff,
            d_vocab=sizes.d_vocab,
            n_tokens=_TOKENS_ON_BODY,
            iterations=iterations,
            rows=rows,
            learning_rate=rate,
            snapshots=_SNAPSHOTS_ON_BODY,
        )
        for name, (iterations, rows, rate) in _ON_BODY.items()
    }
