"""The queries, keys and values of one head, on their way from the projections to the scores.

Rotary models turn queries and keys in between (Su et al. 2021), and grouped heads share keys and values (Ainslie et al.
2023); both are found by their numbers.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from models.inspection.layer_parts import source_of
from models.inspection.rotation import before_rotation
from models.inspection.walk_parts import of_queries
from models.recording.watched_copy import Watch
from models.values.record import Array, AttentionRecord, ModelInfo
from models.values.steps import Step, StepArray
from models.values.wording import to_say, worded


@dataclass(frozen=True, slots=True, kw_only=True)
class Rotated:
    """Queries and keys as the attention takes them, and the angles in between."""

    query: StepArray
    key: StepArray
    angles: StepArray


@dataclass(frozen=True, slots=True, kw_only=True)
class HeadArrays:
    """The queries, keys and values of a head as projected, and their rotation by positions if there is one."""

    query: StepArray
    key: StepArray
    value: StepArray
    rotated: Rotated | None = None

    @property
    def of_scores(self) -> tuple[StepArray, StepArray]:
        """The queries and keys of the scores."""
        return (self.query, self.key) if self.rotated is None else (self.rotated.query, self.rotated.key)


def head_arrays(
    record: AttentionRecord, watched: Watch, angles: Sequence[Array], *, layer: int, head: int
) -> HeadArrays:
    """Find the arrays of one head of a watched layer; its `angles` [n_tokens, d_rotary / 2] are one of those given."""
    query, key, value = record.query[layer, head], record.key[layer, head], record.value[layer, head]
    values = StepArray(name=to_say("values"), symbol="V", rows="key", columns="d_head", values=value)
    for turns in angles:
        projected_query, projected_key = (before_rotation(watched, vectors, turns) for vectors in (query, key))
        if projected_query is not None and projected_key is not None:
            return _with_rotation(projected_query, projected_key, values, turns, query=query, key=key)
    return HeadArrays(
        query=of_queries(_name_as_projected(to_say("queries"), watched, query), "Q", query, "d_head"),
        key=_of_keys(_name_as_projected(to_say("keys"), watched, key), "K", key),
        value=values,
    )


def _with_rotation(
    projected_query: Array, projected_key: Array, values: StepArray, turns: Array, *, query: Array, key: Array
) -> HeadArrays:
    """Return queries and keys before and after their rotation, [n_tokens, d_head]."""
    wrapped = np.angle(np.exp(1j * turns)).astype(np.float32)  # [n_tokens, d_rotary / 2], -pi to pi
    return HeadArrays(
        query=of_queries(to_say("queries"), "Q", projected_query, "d_head"),
        key=_of_keys(to_say("keys"), "K", projected_key),
        value=values,
        rotated=Rotated(
            query=of_queries(to_say("turned queries"), "Qᴿ", query, "d_head"),
            key=_of_keys(to_say("turned keys"), "Kᴿ", key),
            angles=of_queries(to_say("angles"), "θ", wrapped, "pairs"),
        ),
    )


def rotation_step(own: HeadArrays, rotated: Rotated) -> Step:
    """Make the step in which positions turn the queries and keys of a head."""
    return Step(name="rotation", inputs=(own.query, own.key, rotated.angles), outputs=(rotated.query, rotated.key))


def grouping_step(
    info: ModelInfo, record: AttentionRecord, own: HeadArrays, *, layer: int, head: int
) -> Iterator[Step]:
    """Make the step in which a head reads the keys and values of its group; none where every head has its own."""
    n_shared = info.n_heads // max(info.n_kv_heads, 1)
    first = head // n_shared * n_shared  # of the heads of its group
    group = slice(first, first + n_shared)
    if n_shared < 2 or not all(np.array_equal(record.key[layer, first], key) for key in record.key[layer, group]):
        return
    _, key = own.of_scores
    yield Step(
        name="grouping",
        inputs=(
            _of_groups(to_say("keys of all groups"), f"{key.symbol}₊", record.key[layer, ::n_shared]),
            _of_groups(to_say("values of all groups"), "V₊", record.value[layer, ::n_shared]),
        ),
        outputs=(key, own.value),
    )


def _of_keys(name: str, symbol: str, values: Array) -> StepArray:
    return StepArray(name=name, symbol=symbol, rows="key", columns="d_head", values=values)


def _of_groups(name: str, symbol: str, heads: Array) -> StepArray:
    """Set the heads [n_groups, n_key, d_head] side by side."""
    rows = np.ascontiguousarray(heads.swapaxes(0, 1)).reshape(heads.shape[1], -1)  # [n_key, n_groups * d_head]
    return StepArray(name=name, symbol=symbol, rows="key", columns="d_groups", values=rows)


def _name_as_projected(name: str, watched: Watch, values: Array) -> str:
    """Name queries or keys: where a model norms them, or turns them in an unknown way, no projection gives them."""
    return name if source_of(watched, values) is not None else worded("{name}, as the attention takes them", name=name)
