"""A model at one moment of its training: one answer, and the attention of one head, in a file that the page reads."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass, fields
from pathlib import Path
from typing import Any

import numpy as np

from lab.jobs.locks import write_whole
from models.values.errors import RecordError
from models.values.record import KINDS, Array, Kind, Token

TOKENS = ("query_tokens", "key_tokens")
DIGITS = 4
"""Decimal places of a weight in the file."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Observation:
    """The model after an iteration: what it has `written` as the answer to a held-out text, the answer that was
    `expected`, and the weights [n_query, n_key] of one head; NaN where a query may not look."""

    iteration: int
    text: str
    written: str
    expected: str
    kind: Kind
    layer: int
    head: int
    query_tokens: tuple[Token, ...]
    key_tokens: tuple[Token, ...]
    weights: Array

    @property
    def is_right(self) -> bool:
        """Whether the answer is the expected one, word for word."""
        return self.written.split() == self.expected.split()

    def save(self, path: Path) -> None:
        """Write the observation for `read_observation`; no reader sees half of it."""
        write_whole(path, self.as_json())

    def as_json(self) -> str:
        """Return the observation as one line of JSON."""
        rows = [[None if np.isnan(weight) else round(float(weight), DIGITS) for weight in row] for row in self.weights]
        document = {field.name: getattr(self, field.name) for field in fields(self)} | {"weights": rows}
        document |= {name: [asdict(token) for token in document[name]] for name in TOKENS}
        return json.dumps(document, ensure_ascii=False)


def read_observation(path: Path) -> Observation | None:
    """Return the observation in a file; None if there is none yet, or it cannot be read."""
    try:
        return parse_observation(path.read_text(encoding="utf-8"))
    except OSError:
        return None


def parse_observation(text: str) -> Observation | None:
    """Return the observation in a line of JSON; None if it cannot be read."""
    try:
        given: dict[str, Any] = json.loads(text)
        given |= {name: tuple(Token(**token) for token in given[name]) for name in TOKENS}
        given["weights"] = weights = np.array(given["weights"], dtype=np.float32)  # None becomes NaN
        observation = Observation(**given)
    except (ValueError, LookupError, TypeError, AttributeError, RecordError):
        return None
    shape = (len(observation.query_tokens), len(observation.key_tokens))
    return observation if weights.shape == shape and observation.kind in KINDS else None
