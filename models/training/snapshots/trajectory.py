"""The file beside the snapshots of a finished run: how well each did on unseen text, and where its heads looked.

Training dynamics in this form: Biderman et al. 2023, "Pythia", section 2.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, fields
from pathlib import Path
from typing import Any

from models.values.errors import ModelLoadError
from models.values.wording import worded

FILE = "trajectory.json"


@dataclass(frozen=True, slots=True, kw_only=True)
class Snapshot:
    """One checkpoint of a run: after so many iterations and word pieces, its scores on unseen text, and its heads.

    `step` is the iteration: the file calls it so.

    Behind [MASK] `loss` is in nats, `top_1` and `top_5` are shares of right answers, as is `next_sentence`. `shares`
    holds [n_layers][n_heads] under the name of every measure of heads: `models.analysis`.
    """

    folder: str
    step: int
    pieces: int
    loss: float
    top_1: float
    top_5: float
    next_sentence: float
    shares: Mapping[str, Sequence[Sequence[float]]]

    def as_entry(self) -> dict[str, object]:
        """As it stands in the file: the measures beside the scores."""
        scores = asdict(self)
        shares = scores.pop("shares")
        return {**scores, **shares}


def iteration_of(folder: Path) -> int:
    """After how many iterations a checkpoint was written: its folder is named "step-NNNNNN"."""
    return int(folder.name.rpartition("-")[2])


def read_trajectory(folder: Path) -> tuple[Snapshot, ...]:
    """The snapshots in a folder, first to last. Raises ModelLoadError if there are none."""
    try:
        entries = json.loads((folder / FILE).read_text(encoding="utf-8"))
        return tuple(map(_snapshot, entries))
    except (OSError, ValueError, TypeError, KeyError, AttributeError) as error:
        raise ModelLoadError(
            str(folder),
            worded("{folder} does not hold the checkpoints of a run: {error}", folder=folder, error=error),
        ) from error


def _snapshot(entry: dict[str, Any]) -> Snapshot:
    """Read an entry of the file; its fields that are no scores are measures of heads."""
    scores = {field.name: entry.pop(field.name) for field in fields(Snapshot) if field.name != "shares"}
    return Snapshot(**scores, shares=entry)
