"""Tables of the effects of heads on an answer, for download."""

from __future__ import annotations

from itertools import product

import numpy as np
import pandas as pd

from models.values.probing.contrast import AnswerLogits
from models.values.results.effects import (
    INTO,
    Ablation,
    HeadImportance,
    HeadPaths,
    LogitParts,
    Patching,
    PruningCurve,
    map_of,
)
from viz.heads.chance import null_columns, null_of_paths
from viz.heads.switches import answer_texts, answers_of_both
from viz.kit.tokens import token_texts


def answers_table(whole: AnswerLogits, without: AnswerLogits, *, n_best: int = 50) -> pd.DataFrame:
    """Return the columns answer, probability and logit with all heads and without some, the likeliest first."""
    ids = answers_of_both(whole, without, n_best)
    return pd.DataFrame(
        {
            "answer": answer_texts(whole, ids),
            "probability": whole.probabilities[ids],
            "probability_without": without.probabilities[ids],
            "logit": whole.logits[ids],
            "logit_without": without.logits[ids],
        }
    )


def effects_table(heads: Ablation, importance: HeadImportance | None = None) -> pd.DataFrame:
    """Return a row for each head that was ablated: kind, layer, head, effect, and the gradient's estimate if given."""
    rows = []
    for group, difference, effect in zip(heads.groups, heads.differences, heads.effects, strict=True):
        kind, layer, head = group[0]
        row: dict[str, object] = {"kind": kind, "layer": layer, "head": head, "logit_difference_without": difference}
        estimate = {} if importance is None else {"estimate": map_of(importance.signed, kind)[layer, head]}
        rows.append(row | {"effect": effect} | estimate)
    return pd.DataFrame(rows)


def layers_table(layers: Ablation) -> pd.DataFrame:
    """Return a row for each layer whose heads were all ablated."""
    return pd.DataFrame(
        {
            "kind": [group[0][0] for group in layers.groups],
            "layer": [group[0][1] for group in layers.groups],
            "logit_difference_without": layers.differences,
            "effect": layers.effects,
        }
    )


def patching_table(patching: Patching) -> pd.DataFrame:
    """Return a row for each patched place: its axes, the tokens there, and how much of the clean answer is restored."""
    places = list(product(*map(range, patching.effects.shape)))
    columns: dict[str, object] = {
        axis: [place[column] for place in places] for column, axis in enumerate(patching.axes)
    }
    if "position" in patching.axes:
        positions = [place[patching.axes.index("position")] for place in places]
        clean, corrupted = token_texts(patching.clean_tokens), token_texts(patching.corrupted_tokens)
        columns |= {
            "clean_token": [clean[position] for position in positions],
            "corrupted_token": [corrupted[position] for position in positions],
        }
    return pd.DataFrame(columns | {"comes_back": patching.effects.ravel()} | null_columns(patching.null))


def parts_table(parts: LogitParts) -> pd.DataFrame:
    """Return a row for each part of the logit difference; the column adds sums to it."""
    rows: list[tuple[str, object, object, float]] = [("embeddings", "", "", parts.embeddings)]
    for part in parts.heads:
        rows += [
            (part.kind, layer, head, float(part.values[layer, head])) for layer, head in np.ndindex(*part.values.shape)
        ]
    rows += [("feed_forward", layer, "", float(value)) for layer, value in enumerate(parts.feed_forward)]
    rows.append(("biases", "", "", parts.biases))
    table = pd.DataFrame(rows, columns=["part", "layer", "head", "adds"])
    nulls = (*parts.null, *filter(None, (parts.feed_forward_null,)))
    if not nulls:
        return table
    unknown = np.full(1, np.nan, np.float32)  # embeddings and biases have none
    ends = {name: [null_columns(null)[name] for null in nulls] for name in ("null_low", "null_high")}
    return table.assign(**{name: np.concatenate([unknown, *arrays, unknown]) for name, arrays in ends.items()})


def paths_table(paths: HeadPaths) -> pd.DataFrame:
    """Return a row for each head below the receiver: kind, layer, head, and the effect by query, key and value."""
    places = pd.DataFrame(paths.senders, columns=["kind", "layer", "head"])
    return places.join([pd.DataFrame(paths.effects, columns=[*INTO]), null_of_paths(paths.null, INTO)])


def pruning_table(curve: PruningCurve) -> pd.DataFrame:
    """Return a row for each point of the curve: the head removed last, n_removed, accuracy, mean logit difference."""
    last = [curve.order[count - 1] if count else ("", "", "") for count in curve.n_removed]
    return pd.DataFrame(last, columns=["kind", "layer", "head"]).assign(
        n_removed=curve.n_removed, accuracy=curve.accuracy, mean_logit_difference=curve.differences
    )
