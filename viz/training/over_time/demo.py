"""A made-up run for the demos and the tests: heads that change, and others that do not. No model has computed this."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from models.values.history import (
    HeadShares,
    History,
    LossPoint,
    Measure,
    RunSnapshot,
    SnapshotAnswer,
    SnapshotReading,
    Trajectory,
)
from models.values.record import Array, AttentionRecord
from viz.kit.demos.records import MASKED, VOCABULARY, record_from_scores, recording_of, tokens_of

ITERATIONS = (0, 10, 20, 50, 100, 250, 500)
MEASURES = (
    Measure(name="previous", title="the previous token"),
    Measure(name="next", title="the next token"),
    Measure(name="same", title="the token itself"),
    Measure(name="special", title="special tokens"),
)
_OFFSETS = {"previous": -1, "next": 1, "same": 0}


def history(
    *,
    iterations: Sequence[int] = ITERATIONS,
    text: str = MASKED,
    n_layers: int = 2,
    n_heads: int = 4,
    with_unseen: bool = True,
) -> History:
    """Return a made-up history in which Layer 0 · Head 1 learns to look at the previous token and Layer 1 · Head 2 at
    the next."""
    grown = np.linspace(0, 1, len(iterations)) ** 2 if len(iterations) > 1 else np.ones(1)
    readings = tuple(_reading(float(share), text, (n_layers, n_heads), seed=seed) for seed, share in enumerate(grown))
    snapshots = tuple(
        RunSnapshot(
            folder=f"step-{iteration:06d}", iteration=iteration, tokens=1000 * iteration, loss=8.0 - 4.0 * float(share)
        )
        for iteration, share in zip(iterations, grown, strict=True)
    )
    curve = tuple(
        LossPoint(iteration=snapshot.iteration, training=(snapshot.loss or 0) + 0.2, unseen=snapshot.loss)
        for snapshot in snapshots
    )
    unseen = tuple(reading.shares[0] for reading in readings) if with_unseen else ()
    trajectory = Trajectory(name="demo", snapshots=snapshots, curve=curve, unseen=unseen)
    return History(trajectory=trajectory, readings=readings)


def _reading(grown: float, text: str, shape: tuple[int, int], *, seed: int) -> SnapshotReading:
    record = _record(grown, text, shape, seed=seed)
    masks = tuple(position for position, token in enumerate(record.query_tokens) if token.text == "[MASK]")
    answer = SnapshotAnswer(
        question="mask", positions=masks, log_probabilities=_answers(grown, len(masks)), vocabulary=VOCABULARY
    )
    return SnapshotReading(recording=recording_of(record), shares=(_shares(record),), answer=answer if masks else None)


def _record(grown: float, text: str, shape: tuple[int, int], *, seed: int) -> AttentionRecord:
    tokens = tokens_of(text)
    scores = 0.3 * np.random.default_rng(seed).normal(size=(*shape, len(tokens), len(tokens))).astype(np.float32)
    for (layer, head), offset in {(0, 1): -1, (1, 2): 1, (1, 0): 0}.items():
        if layer < shape[0] and head < shape[1]:
            scores[layer, head] += np.float32(6 * grown) * np.eye(len(tokens), k=offset, dtype=np.float32)
    return record_from_scores(scores, tokens)


def _shares(record: AttentionRecord) -> HeadShares:
    """Return the mean along a diagonal, and over the special columns: close to the measures of `models.analysis`."""
    special = [position for position, token in enumerate(record.key_tokens) if token.is_special]
    weights = np.stack([record.layer_weights(layer) for layer in range(record.n_layers)])
    diagonals = [np.diagonal(weights, offset, 2, 3).mean(axis=-1) for offset in _OFFSETS.values()]
    values = np.stack([*diagonals, weights[..., special].sum(axis=-1).mean(axis=-1)]).astype(np.float32)
    return HeadShares(kind="encoder", measures=MEASURES, values=values)


def _answers(grown: float, n_masks: int) -> Array:
    logits = grown * np.random.default_rng(3).normal(scale=2, size=(n_masks, len(VOCABULARY)))
    normal: Array = (logits - np.log(np.exp(logits).sum(axis=-1, keepdims=True))).astype(np.float32)
    return normal
